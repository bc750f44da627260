"""Describe a text as (character, count) pairs, one for each run of equal characters."""


def run_lengths(text: str) -> list[tuple[str, int]]:
    runs = []
    count = 0
    for index, char in enumerate(text):
        count += 1
        if index + 1 == len(text) or text[index + 1] != char:
            runs.append((char, count))
            count = 0
    return runs
