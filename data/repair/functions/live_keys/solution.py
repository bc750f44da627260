"""List by name the keys that are younger than ttl, or pinned; stored holds their times."""


def live_keys(
    stored: dict[str, int], now: int, ttl: int = 60, pinned: tuple[str, ...] = ()
) -> list[str]:
    live = []
    for key, time in stored.items():
        age = now - time
        if key in pinned or 0 <= age < ttl:
            live.append(key)
    return sorted(live)
