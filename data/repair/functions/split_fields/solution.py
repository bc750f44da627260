"""Split a line at commas, except inside double quotes, which are dropped."""


def split_fields(line: str) -> list[str]:
    fields = [""]
    quoted = False
    for char in line:
        if char == '"':
            quoted = not quoted
        elif char == "," and not quoted:
            fields.append("")
        else:
            fields[-1] += char
    return fields
