"""Read 'key = value; key = value' into a dict; parts without a key or '=' are skipped."""


def parse_pairs(text: str) -> dict[str, str]:
    pairs = {}
    for part in text.split(";"):
        key, equals, value = part.partition("=")
        if equals and key.strip():
            pairs[key.strip()] = value.strip()
    return pairs
