"""Insert a score into a falling list of at most size scores, below equal ones."""


def add_score(board: list[int], score: int, size: int = 3) -> list[int]:
    place = 0
    while place < len(board) and board[place] >= score:
        place += 1
    if place >= size:
        return board[:size]
    return board[:place] + [score] + board[place : size - 1]
