"""Order targets so that each comes after its needs, by name among ready ones; None on a cycle."""


def build_order(needs: dict[str, list[str]]) -> list[str] | None:
    order = []
    for _ in needs:
        ready = [
            name
            for name in needs
            if name not in order and all(need in order for need in needs[name])
        ]
        if not ready:
            return None
        order.append(min(ready))
    return order
