"""Match a whole text with a pattern: '?' is any one character, '*' any number of them."""


def wildcard_match(pattern: str, text: str) -> bool:
    if not pattern:
        return not text
    if pattern[0] == "*" and wildcard_match(pattern[1:], text):
        return True
    if not text:
        return False
    if pattern[0] == "*":
        return wildcard_match(pattern, text[1:])
    return pattern[0] in ("?", text[0]) and wildcard_match(pattern[1:], text[1:])
