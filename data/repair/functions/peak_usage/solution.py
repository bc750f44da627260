"""Find how many sessions (start, end) run at once at most; the end itself is not part of one."""


def peak_usage(sessions: list[tuple[int, int]]) -> int:
    events = [(start, 1) for start, _ in sessions]
    events += [(end, -1) for _, end in sessions]
    peak = active = 0
    for _, change in sorted(events):
        active += change
        peak = max(peak, active)
    return peak
