"""List the numbers from start down to 1; nothing when start is below 1."""


def countdown(start: int) -> list[int]:
    numbers = []
    for number in range(start, 1, -1):
        numbers.append(number)
    return numbers
