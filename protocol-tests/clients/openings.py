"""Random openings that give neither side an advantage in material. Uses the boards of py-draughts."""

from __future__ import annotations

import random

from draughts.models import Color

MIN_PLIES, MAX_PLIES = 4, 8
KING = 3
# Plies of quiet moves searched for a win of material; captures are followed to their end.
SEARCH_PLIES = 3


def material(board) -> int:
    """Men and kings of the side to move, less those of the other side."""
    white = board.white_men.bit_count() + KING * board.white_kings.bit_count()
    black = board.black_men.bit_count() + KING * board.black_kings.bit_count()
    return white - black if board.turn == Color.WHITE else black - white


def swing(board, plies: int, alpha: int, beta: int) -> int:
    """The material balance after best play for material, by alpha-beta."""
    moves = board.legal_moves
    if not moves:
        return -100
    if plies <= 0 and not moves[0].captured_list:
        return material(board)
    for move in moves:
        board.push(move)
        score = -swing(board, plies - 1, -beta, -alpha)
        board.pop()
        if score >= beta:
            return beta
        alpha = max(alpha, score)
    return alpha


def is_balanced(board) -> bool:
    """Equal material, nothing to capture, and nothing to be won at once."""
    moves = board.legal_moves
    if not moves or moves[0].captured_list or material(board) != 0:
        return False
    return swing(board, SEARCH_PLIES, -1, 1) == 0


def opening(board_class, rng: random.Random, taken: set[str]) -> list[int]:
    """The indices, in each position's list of legal moves, of a balanced random opening.

    Positions in `taken` are avoided, and the new one is added.
    """
    while True:
        board = board_class()
        choice = []
        for _ in range(rng.randint(MIN_PLIES, MAX_PLIES)):
            moves = board.legal_moves
            if not moves:
                break
            choice.append(rng.randrange(len(moves)))
            board.push(moves[choice[-1]])
        if board.fen not in taken and is_balanced(board):
            taken.add(board.fen)
            return choice
