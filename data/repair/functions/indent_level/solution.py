"""Tell at which column a line's text starts; a tab moves to the next tab stop."""


def indent_level(line: str, tab: int = 4) -> int:
    column = 0
    for char in line:
        if char == "\t":
            column += tab - column % tab
        elif char == " ":
            column += 1
        else:
            break
    return column
