"""Shift each lower-case letter along the alphabet, wrapping at z; leave the rest."""


def caesar_shift(text: str, shift: int) -> str:
    shifted = ""
    for char in text:
        if "a" <= char <= "z":
            place = (ord(char) - 97 + shift) % 26
            shifted += chr(place + 97)
        else:
            shifted += char
    return shifted
