"""Put the numbers of nested lists into one list, adding to flat if given."""


def flatten(items: list, flat: list[int] | None = None) -> list[int]:
    if flat is None:
        flat = []
    for item in items:
        if isinstance(item, list):
            flatten(item, flat)
        else:
            flat.append(item)
    return flat
