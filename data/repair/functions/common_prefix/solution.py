"""Find the longest text that every word starts with."""


def common_prefix(words: list[str]) -> str:
    if not words:
        return ""
    shortest = min(words, key=len)
    for index, char in enumerate(shortest):
        if any(word[index] != char for word in words):
            return shortest[:index]
    return shortest
