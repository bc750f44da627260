"""Count how often threshold failures in a row trip a breaker; a trip resets the count."""


def breaker_trips(outcomes: list[bool], threshold: int = 3) -> int:
    trips = failures = 0
    for ok in outcomes:
        failures = 0 if ok else failures + 1
        if failures == threshold:
            trips += 1
            failures = 0
    return trips
