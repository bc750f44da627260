"""Give each score its rank, 1 for the best; equal scores share the better rank."""


def ranks(scores: list[int], highest_first: bool = True) -> list[int]:
    placed = []
    for score in scores:
        rank = 1
        for other in scores:
            if (other > score) if highest_first else (other < score):
                rank += 1
        placed.append(rank)
    return placed
