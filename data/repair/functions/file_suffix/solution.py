"""Give a file's suffix in small letters with its dot; hidden files alone have none."""


def file_suffix(path: str) -> str:
    name = path.split("/")[-1]
    dot = name.rfind(".")
    if dot <= 0 or dot == len(name) - 1:
        return ""
    return name[dot:].lower()
