"""Order tasks (name, priority, days left): urgent ones first, then by priority, then by name."""


def priority_order(tasks: list[tuple[str, int, int]], urgent: int = 2) -> list[str]:
    def key(task: tuple[str, int, int]) -> tuple[bool, int, str]:
        name, priority, days = task
        return days > urgent, -priority, name

    return [name for name, _, _ in sorted(tasks, key=key)]
