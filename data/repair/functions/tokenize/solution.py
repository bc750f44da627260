"""Split an expression into numbers and the signs + - * / ( ); drop everything else."""


def tokenize(text: str) -> list[str]:
    tokens = []
    number = ""
    for char in text + " ":
        if char.isdigit():
            number += char
            continue
        if number:
            tokens.append(number)
            number = ""
        if char in "+-*/()":
            tokens.append(char)
    return tokens
