"""Read '1-3,5' as [1, 2, 3, 5]; empty parts are skipped."""


def parse_ranges(text: str) -> list[int]:
    numbers = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        if not first:
            continue
        end = int(last) if dash else int(first)
        numbers.extend(range(int(first), end + 1))
    return numbers
