"""Write an integer in a base from 2 to 16, with a minus sign below zero."""


def to_base(number: int, base: int = 2) -> str:
    if number == 0:
        return "0"
    digits = ""
    rest = abs(number)
    while rest > 0:
        rest, digit = divmod(rest, base)
        digits = "0123456789abcdef"[digit] + digits
    return "-" + digits if number < 0 else digits
