"""Sort scores, the best first unless descending is false; scores below zero are dropped."""


def rank_scores(scores: list[int], descending: bool = True) -> list[int]:
    valid = [score for score in scores if score >= 0]
    return sorted(valid, reverse=descending)
