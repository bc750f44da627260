"""Wrap words into lines of at most width characters; a longer word stands alone."""


def wrap_words(text: str, width: int) -> list[str]:
    lines = []
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) <= width:
            line += " " + word
        else:
            if line:
                lines.append(line)
            line = word
    if line:
        lines.append(line)
    return lines
