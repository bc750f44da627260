"""Join the words of a text in small letters by hyphens; a missing text gives an empty slug."""


def normalise_slug(text: str | None) -> str:
    if text is None:
        return ""
    words = text.lower().split()
    return "-".join(words)
