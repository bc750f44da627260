"""Show seconds as '2h 05m', '5m 09s' or '9s', whichever is the first that applies."""


def format_duration(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    if hours > 0:
        return f"{hours}h {minutes:02}m"
    if minutes > 0:
        return f"{minutes}m {seconds:02}s"
    return f"{seconds}s"
