"""Turn 'HH:MM' into minutes since midnight; None when it is no time of day."""


def clock_minutes(text: str) -> int | None:
    hours, colon, minutes = text.partition(":")
    if not colon or not hours.isdigit() or not minutes.isdigit():
        return None
    if int(hours) > 23 or int(minutes) > 59:
        return None
    return int(hours) * 60 + int(minutes)
