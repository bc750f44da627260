"""Write a number from 1 to 89 in Roman signs."""


def to_roman(number: int) -> str:
    signs = [(50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    text = ""
    for value, sign in signs:
        text += sign * (number // value)
        number %= value
    return text
