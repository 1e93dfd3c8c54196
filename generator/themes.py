"""Themes of a puzzle: exact predicates on a forced win, by the names that the record keeps.

What happens is looked for in the main line; what ends and how many lines there are in the whole tree.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from dama import Position
from dama.proof import moves_by_text
from dama.squares import bit
from generator.rule_themes import is_turning_back_trap, needs_instant_removal, needs_majority
from generator.win import Win

MULTI_SACRIFICE: Final = 2
"""Pieces that the solver loses at least."""
MULTI_CAPTURE: Final = 4
SWEEP: Final = 6
"""Pieces that the last move takes at least."""
BRANCHING: Final = 3
"""Lines of full length at least."""
RARE: Final = frozenset({"180° trap", "blockade", "quiet key", "zugzwang", "last-row pass"})
"""The themes that few puzzles have, whatever the source."""


def themes_of(win: Win) -> tuple[str, ...]:
    """Return the names of the themes the puzzle has, the most telling first.

    It asks nobody but the win's solver, so that plain rules can say the same again.
    """
    return tuple(name for name, holds in THEMES.items() if holds(win))


def pieces_given(win: Win) -> int:
    """Return the number of pieces that the solver loses in the main line."""
    defender = win.position.turn.other
    return sum(len(move.captured) for position, move in win.main_line if position.turn is defender)


def last_capture(win: Win) -> int:
    """Return the number of pieces that the last move of the main line takes."""
    return len(win.main_line[-1][1].captured)


def full_lines(win: Win) -> int:
    """Return the number of lines that take all the solver's moves, the ways to play the last not counted."""
    return sum(left == 1 for _, left, _ in win.nodes)


def has_locked_ending(win: Win) -> bool:
    """Tell whether a line of full length ends with the defender's pieces locked in."""
    return any(
        position.after(move).pieces(win.position.turn.other).all
        for position, left, node in win.nodes
        if left == 1
        for text, move in moves_by_text(position).items()
        if text in node["wins"]
    )


def has_only_kings(position: Position) -> bool:
    """Tell whether the side not to move, the defender, has kings only."""
    return not position.pieces(position.turn.other).men


def is_king_hunt(win: Win) -> bool:
    """Tell whether the defender has kings only."""
    return has_only_kings(win.position)


def crowns_a_man(win: Win) -> bool:
    """Tell whether the solver crowns a man in the main line."""
    return any(move.promotes for position, move in win.main_line if position.turn is win.position.turn)


def crowns_and_gives(win: Win) -> bool:
    """Tell whether the key crowns a man and the new king is taken in the main line."""
    solver = win.position.turn
    square = win.key.target
    if not win.key.promotes:
        return False
    for position, move in win.main_line[1:]:
        if position.turn is not solver and square in move.captured:
            return True
        if position.turn is solver and square == move.origin:
            square = move.target
    return False


def has_quiet_key(win: Win) -> bool:
    """Tell whether the key leaves the defender without a capture, which would be forced."""
    return not any(move.captured for move in win.after_key.legal_moves)


def is_zugzwang(win: Win) -> bool:
    """Tell whether, after a quiet key, a defender who could pass would not lose in time."""
    if win.moves == 1 or not has_quiet_key(win):
        return False
    passed = replace(win.after_key, turn=win.position.turn)
    return win.solver.wins_in(passed, win.moves - 1) is None


def branches(win: Win) -> bool:
    """Tell whether there are three lines of full length or more."""
    return full_lines(win) >= BRANCHING


def has_only_men(win: Win) -> bool:
    """Tell whether there is no king on the board."""
    return not (win.position.white_kings | win.position.black_kings)


def has_last_row_pass(win: Win) -> bool:
    """Tell whether a man of either side crosses its last row in the middle of a capture of the main line."""
    return any(
        move.promotes
        and any(position.rules.grid.crowning(position.turn) & bit(square) for square in move.captured)
        for position, move in win.main_line
    )


THEMES: Final[dict[str, Callable[[Win], bool]]] = {
    "180° trap": is_turning_back_trap,
    "zugzwang": is_zugzwang,
    "blockade": has_locked_ending,
    "last-row pass": has_last_row_pass,
    "quiet key": has_quiet_key,
    "promote-and-give": crowns_and_gives,
    "king hunt": is_king_hunt,
    "branching": branches,
    "majority": needs_majority,
    "sweep": lambda win: last_capture(win) >= SWEEP,
    "men only": has_only_men,
    "multi-sacrifice": lambda win: pieces_given(win) >= MULTI_SACRIFICE,
    "promotion": crowns_a_man,
    "multi-capture": lambda win: last_capture(win) >= MULTI_CAPTURE,
    "sacrifice": lambda win: pieces_given(win) >= 1,
    "instant removal": needs_instant_removal,
}
"""Every theme, the most telling first: rare ones, ideas, what most puzzles have, mere notes."""
