"""Turn points of a total into a grade: A from 90 percent, B from 75, C from 50, else F."""


def grade(points: int, total: int, bonus: int = 0) -> str:
    if total <= 0:
        return "F"
    percent = (points + bonus) * 100 // total
    if percent >= 90:
        return "A"
    if percent >= 75:
        return "B"
    return "C" if percent >= 50 else "F"
