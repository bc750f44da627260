"""Show cents as an amount with two decimals and a comma between thousands."""


def format_cents(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    whole, part = divmod(abs(cents), 100)
    digits, groups = str(whole), ""
    while len(digits) > 3:
        groups = "," + digits[-3:] + groups
        digits = digits[:-3]
    return f"{sign}{digits}{groups}.{part:02}"
