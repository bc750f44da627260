"""Read 'a=1&b=2&a=3' into a dict of lists; a plus sign in a value is a space."""


def parse_query(query: str) -> dict[str, list[str]]:
    found = {}
    for pair in query.split("&"):
        if not pair:
            continue
        key, _, value = pair.partition("=")
        found.setdefault(key, []).append(value.replace("+", " "))
    return found
