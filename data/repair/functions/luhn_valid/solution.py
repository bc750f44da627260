"""Check a number of two digits or more by the Luhn rule: double every second from the right."""


def luhn_valid(number: str) -> bool:
    if len(number) < 2 or not number.isdigit():
        return False
    total = 0
    for index, char in enumerate(reversed(number)):
        digit = int(char)
        if index % 2 == 1:
            digit = digit * 2 - (9 if digit > 4 else 0)
        total += digit
    return total % 10 == 0
