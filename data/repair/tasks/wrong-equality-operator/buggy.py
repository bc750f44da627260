"""Count how many of the states are the wanted one."""


def count_status(states: list[str], wanted: str) -> int:
    count = 0
    for state in states:
        if state != wanted:
            count += 1
    return count
