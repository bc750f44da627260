"""Cut a text at a word's end so that, with '...' added, it has at most limit characters."""


def shorten(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    kept = ""
    for word in text.split():
        longer = f"{kept} {word}" if kept else word
        if len(longer) + 3 > limit:
            break
        kept = longer
    return kept + "..."
