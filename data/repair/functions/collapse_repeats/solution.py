"""Keep at most limit equal characters in a row."""


def collapse_repeats(text: str, limit: int = 2) -> str:
    kept = ""
    run = 0
    for char in text:
        run = run + 1 if kept[-1:] == char else 1
        if run <= limit:
            kept += char
    return kept
