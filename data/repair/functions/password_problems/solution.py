"""List what a password lacks: 'short' below minimum, no 'digit', no 'upper' case letter."""


def password_problems(password: str, minimum: int = 8) -> list[str]:
    problems = []
    if len(password) < minimum:
        problems.append("short")
    if not any(char.isdigit() for char in password):
        problems.append("digit")
    if password == password.lower():
        problems.append("upper")
    return problems
