"""Admit each request unless limit were admitted less than window ago; times never fall."""


def admit(times: list[int], limit: int, window: int) -> list[bool]:
    admitted = []
    answers = []
    for now in times:
        recent = [time for time in admitted if now - time < window]
        ok = len(recent) < limit
        if ok:
            admitted.append(now)
        answers.append(ok)
    return answers
