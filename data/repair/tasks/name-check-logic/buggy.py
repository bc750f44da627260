"""Tell whether both names are there: letters alone, and at least minimum of them in each."""


def is_full_name(first: str, last: str, minimum: int = 2) -> bool:
    first_ok = first.isalpha() and len(first) >= minimum
    last_ok = last.isalpha() and len(last) >= minimum
    return first_ok or last_ok
