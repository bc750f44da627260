"""Read a size such as '3k' or '2M' in bytes (b, k = 1024, m = 1024 k); None if malformed."""


def parse_size(text: str) -> int | None:
    units = {"b": 1, "k": 1024, "m": 1024 * 1024}
    factor = units.get(text[-1:].lower())
    digits = text if factor is None else text[:-1]
    if not digits.isdigit():
        return None
    return int(digits) * (factor or 1)
