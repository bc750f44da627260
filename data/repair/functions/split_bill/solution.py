"""Share cents among people; the first ones pay one more where it does not come out even."""


def split_bill(cents: int, people: int) -> list[int]:
    if people < 1:
        return []
    share, rest = divmod(cents, people)
    return [share + 1 if index < rest else share for index in range(people)]
