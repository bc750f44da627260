"""Cut a line at the first '#' that is not within single quotes, and spaces at its end."""


def strip_comment(line: str) -> str:
    quoted = False
    for index, char in enumerate(line):
        if char == "'":
            quoted = not quoted
        if char == "#" and not quoted:
            return line[:index].rstrip()
    return line.rstrip()
