"""Count the words of three letters or more, ignoring case, adding to counts if given."""


def word_counts(text: str, counts: dict[str, int] | None = None) -> dict[str, int]:
    if counts is None:
        counts = {}
    for word in text.lower().split():
        if len(word) >= 3:
            counts[word] = counts.get(word, 0) + 1
    return counts
