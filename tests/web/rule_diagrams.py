"""What is wrong with a diagram of a rules page: everything it says is held against the rules."""

from collections.abc import Iterator
from dataclasses import replace

from dama import Color, Game, Move, Position, Ruleset
from dama.errors import IllegalMove, InvalidNotation
from puzzle_service.web.rule_pages.content import Diagram, Ending, Forbidden


def faults(diagram: Diagram, rules: Ruleset) -> list[str]:
    """Return what a diagram says and the rules do not, in words; of a sound one nothing."""
    try:
        game, start = Game.from_fen(diagram.fen, rules), Position.start(rules)
    except ValueError as error:
        return [str(error)]
    return [
        *(_wrong_start(game.position, start) if diagram.is_start else ()),
        *_wrong_moves(diagram, game.position),
        *(fault for forbidden in diagram.forbidden for fault in _wrongly_forbidden(forbidden, game.position)),
        *(fault for ending in diagram.endings for fault in _wrong_ending(ending, diagram.fen, rules)),
        *(["the game has ended"] if not diagram.endings and game.result else []),
    ]


def _wrong_start(position: Position, start: Position) -> Iterator[str]:
    if position != start:
        yield "games begin with another position"
    for color in Color:
        if position.pieces(color).all.bit_count() != position.rules.pieces_a_side:
            yield f"{color.name.lower()} begins with another number of pieces"


def _wrong_moves(diagram: Diagram, position: Position) -> Iterator[str]:
    shown = {
        (legal.move, frozenset(legal.takes), legal.crowns, frozenset((legal.move, *legal.also)))
        for legal in diagram.legal
    }
    if len(shown) != len(diagram.legal):
        yield "a move is shown twice"
    rules = {_said(move, position) for move in position.legal_moves}
    yield from (f"not so by the rules: {move}" for move in shown - rules)
    yield from (f"not shown: {move}" for move in rules - shown)


def _said(move: Move, position: Position) -> tuple[str, frozenset[str], bool, frozenset[str]]:
    name = position.rules.grid.name
    mark = "x" if move.captured else "-"
    ways = frozenset(mark.join(map(name, path)) for path in move.paths)
    return str(move), frozenset(map(name, move.captured)), move.promotes, ways


def _wrongly_forbidden(forbidden: Forbidden, position: Position) -> Iterator[str]:
    if _is_legal(forbidden.move, position):
        yield f"{forbidden.move} is legal"
    if forbidden.legal_in is None and not forbidden.legal_under:
        if not _is_beyond_any_piece(forbidden.move, position):
            yield f"{forbidden.move} is a move that a piece could make"
        return
    other = Position.from_fen(
        forbidden.legal_in or position.fen(),
        replace(position.rules, **dict(forbidden.legal_under)),  # type: ignore[arg-type]
    )
    if not _is_legal(forbidden.move, other):
        yield f"{forbidden.move} is forbidden for another reason as well"


def _is_legal(text: str, position: Position) -> bool:
    try:
        return str(position.parse_move(text)) == text
    except (IllegalMove, InvalidNotation):
        return False


def _is_beyond_any_piece(text: str, position: Position) -> bool:
    """Tell whether a move of two squares is none of a king that stands alone on the board."""
    name, _ = text.replace("x", "-").split("-")
    alone = Position.from_fen(f"W:WK{name}:B", position.rules)
    return not _is_legal(text.replace("x", "-"), alone)


def _wrong_ending(ending: Ending, fen: str, rules: Ruleset) -> Iterator[str]:
    game = Game.from_fen(fen, rules)
    for played, move in enumerate(ending.line):
        if game.result:
            yield f"the game ends after {played} moves: {game.result}"
            return
        game.play(move)
    found = (game.result.reason, game.result.winner) if game.result else (None, None)
    if found != (ending.reason, ending.winner):
        yield f"after {' '.join(ending.line) or 'no move'} the game stands {found}"
