"""Read 'YYYY-MM-DD' as three numbers; None unless month is 1-12 and day 1-31."""


def parse_date(text: str) -> tuple[int, int, int] | None:
    parts = text.split("-")
    if len(parts) != 3 or not all(part.isdigit() for part in parts):
        return None
    year, month, day = (int(part) for part in parts)
    if month < 1 or month > 12 or day < 1 or day > 31:
        return None
    return year, month, day
