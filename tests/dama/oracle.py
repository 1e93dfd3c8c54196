"""Moves found by brute force: of every ruleset, on both boards, in another manner than the game's own.

Pieces stand on (file, rank) places in a dictionary, moves are words of places, and of two captures the one
goes first that is greater when all that the priorities speak of is compared in their order.
"""

from collections.abc import Iterator
from itertools import product, takewhile
from typing import NamedTuple

from dama import Color, Position
from dama.squares import squares_in

Place = tuple[int, int]


class Piece(NamedTuple):
    color: Color
    is_king: bool


Board = dict[Place, Piece]
Jump = tuple[Place, Place]
"""The place jumped over and the place landed on."""
Triple = tuple[int, int, frozenset[int]]


def board_of(position: Position) -> Board:
    place = position.rules.grid.place
    return {
        place(square): Piece(color, is_king)
        for color in Color
        for is_king, bitboard in (
            (False, position.pieces(color).men),
            (True, position.pieces(color).kings),
        )
        for square in squares_in(bitboard)
    }


def legal(position: Position) -> set[Triple]:
    """Return every legal move as (from, to, set of captured squares)."""
    return {(start, end, frozenset(captured)) for start, end, captured in _words(position)}


def _words(position: Position) -> Iterator[tuple[int, int, list[int]]]:
    board, rules = board_of(position), position.rules
    own = [place for place, piece in board.items() if piece.color is position.turn]
    captures = [(start, jumps) for start in own for jumps in _series(position, board, start)]
    best = max((_worth(position, board, *capture) for capture in captures), default=None)
    square = {place: square for square, place in enumerate(rules.grid.places)}
    for start, jumps in captures:
        if _worth(position, board, start, jumps) == best:
            yield square[start], square[jumps[-1][1]], [square[victim] for victim, _ in jumps]
    if not captures:
        for start in own:
            for line in _lines(position, board[start], start):
                for end in takewhile(lambda place: place not in board, line):
                    yield square[start], square[end], []
                    if not (board[start].is_king and rules.flying_kings):
                        break


def _worth(position: Position, board: Board, start: Place, jumps: list[Jump]) -> list[float]:
    kings = [board[victim].is_king for victim, _ in jumps]
    worths = {
        "most pieces": len(jumps),
        "with a king": board[start].is_king,
        "most kings": kings.count(True),
        "king first": 1 / (1 + kings.index(True)) if any(kings) else 0,
    }
    return [worths[name] for name in position.rules.priorities]


def _lines(position: Position, piece: Piece, place: Place) -> Iterator[list[Place]]:
    """Yield, for every direction of the piece, the places to the edge of the board."""
    forward = 1 if piece.color is Color.WHITE else -1
    for file_step, rank_step in product((-1, 0, 1), repeat=2):
        straight = abs(file_step) + abs(rank_step) == 1
        if (file_step, rank_step) == (0, 0) or straight is not position.rules.grid.is_full:
            continue
        if piece.is_king or rank_step in ((0, forward) if straight else (forward,)):
            yield [
                (place[0] + file_step * far, place[1] + rank_step * far)
                for far in range(1, 8)
                if 0 <= place[0] + file_step * far < 8 and 0 <= place[1] + rank_step * far < 8
            ]


def _series(position: Position, board: Board, start: Place) -> Iterator[list[Jump]]:
    """Yield every series of a piece that cannot be played on."""
    mover, rules = board[start], position.rules
    others = {place: piece for place, piece in board.items() if place != start}
    last_rank = 7 if mover.color is Color.WHITE else 0
    flies = mover.is_king and rules.flying_kings

    def play_on(place: Place, before: list[Jump], heading: Place | None) -> Iterator[list[Jump]]:
        taken = {victim for victim, _ in before}
        standing = set(others) - taken if rules.removal_at_once else set(others)
        further = []
        if not (before and not mover.is_king and rules.crowning_ends_series and place[1] == last_rank):
            for line in _lines(position, mover, place):
                seen = line if flies else line[:2]
                free = list(takewhile(lambda one: one not in standing, seen))
                if len(free) == len(seen) or (free and not flies):
                    continue
                victim, beyond = seen[len(free)], seen[len(free) + 1 :]
                heads = (_sign(victim[0] - place[0]), _sign(victim[1] - place[1]))
                if heading == (-heads[0], -heads[1]) and not rules.turning_back:
                    continue
                piece = others[victim]
                if piece.color is mover.color or victim in taken:
                    continue
                if piece.is_king and not mover.is_king and not rules.men_capture_kings:
                    continue
                further += [
                    ((victim, landing), heads)
                    for landing in takewhile(lambda one: one not in standing, beyond)
                ]
        if before and not further:
            yield before
        for jump, heads in further:
            yield from play_on(jump[1], [*before, jump], heads)

    yield from play_on(start, [], None)


def _sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)
