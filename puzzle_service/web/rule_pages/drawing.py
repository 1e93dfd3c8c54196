"""Diagrams as pictures: a position with the squares pointed out of which something is said."""

from dama.diagram import board_svg
from dama.marks import Marks
from dama.position import Position
from dama.rulesets import Ruleset
from dama.squares import Grid
from puzzle_service.web.pages import position_words
from puzzle_service.web.rule_pages.content import Diagram


def board(diagram: Diagram, rules: Ruleset) -> str:
    """Return a diagram as an SVG element, its title the position in words."""
    position = Position.from_fen(diagram.fen, rules)
    return board_svg(position, title=position_words(position), marks=marks(diagram, rules.grid))


def marks(diagram: Diagram, grid: Grid) -> Marks:
    """Return the marks of a diagram, from what it says and not from what the rules say."""
    paths = [_squares(legal.move, grid) for legal in diagram.legal]
    targets = frozenset(path[-1] for path in paths)
    landings = frozenset(square for path in paths for square in path[1:-1]) - targets
    taken = " ".join(name for legal in diagram.legal for name in legal.takes)
    forbidden = frozenset(_squares(one.move, grid)[-1] for one in diagram.forbidden)
    return Marks(
        origins=frozenset(path[0] for path in paths),
        targets=targets,
        landings=landings,
        captured=frozenset(_squares(taken, grid)),
        forbidden=forbidden - targets - landings,
    )


def _squares(text: str, grid: Grid) -> tuple[int, ...]:
    """Return the squares of a move, or of names with spaces between them."""
    names = text.replace("x", " ").replace("-", " ").split()
    return tuple(square for name in names if (square := grid.parse(name)) is not None)
