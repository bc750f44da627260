"""Make a lower-case slug: letters and digits, single hyphens between, none at the ends."""


def slugify(title: str, max_length: int = 12) -> str:
    slug = ""
    for char in title.lower():
        if char.isalnum():
            slug += char
        elif slug and slug[-1] != "-":
            slug += "-"
    return slug[:max_length].strip("-")
