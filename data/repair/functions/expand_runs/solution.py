"""Expand '3ab' to 'aaab': a number repeats the next character, no number or 0 means once."""


def expand_runs(code: str) -> str:
    text = ""
    count = 0
    for char in code:
        if char.isdigit():
            count = count * 10 + int(char)
        else:
            text += char * max(count, 1)
            count = 0
    return text
