"""Write numbers as '1-3,5': sorted, without repeats, neighbours joined."""


def compress_ranges(numbers: list[int]) -> str:
    parts = []
    wanted = set(numbers)
    for number in sorted(wanted):
        if number - 1 in wanted:
            continue
        end = number
        while end + 1 in wanted:
            end += 1
        parts.append(f"{number}-{end}" if end > number else str(number))
    return ",".join(parts)
