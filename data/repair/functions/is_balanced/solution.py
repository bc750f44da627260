"""Tell whether round and square brackets close in the right order."""


def is_balanced(text: str) -> bool:
    pairs = {")": "(", "]": "["}
    stack = []
    for char in text:
        if char in ("(", "["):
            stack.append(char)
        elif char in pairs and (not stack or stack.pop() != pairs[char]):
            return False
    return not stack
