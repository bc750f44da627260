"""Raise the major, minor or patch number of 'x.y.z'; the numbers after it become zero."""


def bump_version(version: str, part: str = "patch") -> str:
    major, minor, patch = (int(number) for number in version.split("."))
    if part == "major":
        major, minor, patch = major + 1, 0, 0
    elif part == "minor":
        minor, patch = minor + 1, 0
    else:
        patch += 1
    return f"{major}.{minor}.{patch}"
