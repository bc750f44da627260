"""Count the fewest insertions, deletions and substitutions that turn a into b."""


def edit_distance(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            step = min(row[j], row[j - 1]) + 1
            diagonal, row[j] = row[j], min(step, diagonal + (x != y))
    return row[-1]
