"""List the names with the highest scores above zero, best first and by name on ties."""


def top_names(scores: dict[str, int], count: int = 2) -> list[str]:
    ranked = sorted(scores, key=lambda name: (-scores[name], name))
    best = []
    for name in ranked[:count]:
        if scores[name] > 0:
            best.append(name)
    return best
