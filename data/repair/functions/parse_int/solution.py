"""Read a decimal integer with an optional sign; None when the text is not one."""


def parse_int(text: str) -> int | None:
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not digits:
        return None
    value = 0
    for char in digits:
        if not "0" <= char <= "9":
            return None
        value = value * 10 + ord(char) - 48
    return -value if text[0] == "-" else value
