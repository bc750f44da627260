"""Show a title with its first letter capitalised; 'Untitled' when there is none."""


def display_title(title: str | None) -> str:
    if title is None:
        return "Untitled"
    text = title.strip()
    return text[:1].upper() + text[1:]
