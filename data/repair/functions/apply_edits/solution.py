"""Apply edits (start, end, new text) to a text; positions refer to the text before all edits."""


def apply_edits(text: str, edits: list[tuple[int, int, str]]) -> str:
    result = ""
    done = 0
    for start, end, new in sorted(edits):
        if start < done:
            continue
        result += text[done:start] + new
        done = end
    return result + text[done:]
