"""Read Roman signs as a number; a sign before a larger one is taken away."""


def from_roman(text: str) -> int:
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
    total = 0
    for index, sign in enumerate(text):
        value = values[sign]
        if index + 1 < len(text) and value < values[text[index + 1]]:
            total -= value
        else:
            total += value
    return total
