"""Replace all digits but the last few by stars; other characters stay."""


def mask_digits(text: str, keep: int = 4) -> str:
    hidden = sum(char.isdigit() for char in text) - keep
    masked = ""
    for char in text:
        if char.isdigit() and hidden > 0:
            masked += "*"
            hidden -= 1
        else:
            masked += char
    return masked
