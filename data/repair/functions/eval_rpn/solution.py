"""Evaluate a postfix expression of integers with + - *; return None when it is malformed."""


def eval_rpn(text: str) -> int | None:
    stack = []
    for token in text.split():
        if token not in ("+", "-", "*"):
            stack.append(int(token))
            continue
        if len(stack) < 2:
            return None
        right, left = stack.pop(), stack.pop()
        results = {"+": left + right, "-": left - right, "*": left * right}
        stack.append(results[token])
    return stack[0] if len(stack) == 1 else None
