"""Turn an offset into a text into (line, column), both counted from 1."""


def line_column(text: str, offset: int) -> tuple[int, int]:
    line, column = 1, 1
    for char in text[:offset]:
        if char == "\n":
            line += 1
            column = 1
        else:
            column += 1
    return line, column
