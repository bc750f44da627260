"""Turn a camel-case name into snake case; a run of capitals counts as one word."""


def camel_to_snake(name: str) -> str:
    snake = ""
    for index, char in enumerate(name):
        if char.isupper() and index > 0 and not name[index - 1].isupper():
            snake += "_"
        snake += char.lower()
    return snake
