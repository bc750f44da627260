"""Turn rows into columns; short rows are filled up."""


def transpose(rows: list[list[int]], fill: int = 0) -> list[list[int]]:
    width = max((len(row) for row in rows), default=0)
    columns = []
    for index in range(width):
        columns.append([row[index] if index < len(row) else fill for row in rows])
    return columns
