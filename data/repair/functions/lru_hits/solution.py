"""Count the hits of a cache that holds size keys and drops the least recently used."""


def lru_hits(keys: list[str], size: int) -> int:
    cache = []
    hits = 0
    for key in keys:
        if key in cache:
            hits += 1
            cache.remove(key)
        elif len(cache) >= size:
            cache.pop(0)
        cache.append(key)
    return hits
