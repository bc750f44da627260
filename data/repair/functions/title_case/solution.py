"""Capitalise a title's words; 'a', 'of' and 'the' stay small unless they come first."""


def title_case(text: str) -> str:
    small = ("a", "of", "the")
    words = text.lower().split()
    for index, word in enumerate(words):
        if index == 0 or word not in small:
            words[index] = word[:1].upper() + word[1:]
    return " ".join(words)
