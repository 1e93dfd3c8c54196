"""What a browser sends of a game that it plays, and what it asks for about it, read from JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from dama import RULESETS, Color
from puzzle_service.services.games import LONGEST_GAME, GameRefused, Sent
from puzzle_service.web.submission import BadSubmission, move_text, text, whole

Level = Literal["easy", "medium", "hard"]

LONGEST_NAME: Final = 40
LONGEST_FEN: Final = 200
LARGEST_SEED: Final = 2**31 - 1


@dataclass(frozen=True)
class EngineRequest:
    """A game, and the level by which the engine is to move in it; with the same seed it moves the same."""

    game: Sent
    level: Level
    seed: int


def game(body: object) -> Sent:
    """Read the game of a decoded JSON body; whether its moves are legal is not looked at.

    Raises BadSubmission naming the first field that is not as expected, and GameRefused for too many moves.
    """
    values = fields(body)
    start, moves = values.get("start"), values.get("moves")
    moves = [] if moves is None else moves
    if not isinstance(moves, list):
        raise BadSubmission(f"moves: expected a list of at most {LONGEST_GAME} moves")
    if len(moves) > LONGEST_GAME:
        raise GameRefused.too_long(len(moves))
    resigned, agreed = _ended(values.get("ended"))
    return Sent(
        rules=text("rules", values.get("rules", next(iter(RULESETS))), LONGEST_NAME),
        start=None if start is None else text("start", start, LONGEST_FEN),
        moves=tuple(move_text(f"moves[{number}]", move) for number, move in enumerate(moves)),
        resigned=resigned,
        agreed=agreed,
    )


def since(body: object) -> int:
    """Read from which ply on the moves are wanted again, 0 unless told; raises BadSubmission."""
    return whole("since", fields(body).get("since", 0), LONGEST_GAME)


def engine(body: object) -> EngineRequest:
    """Read a request for a move of the engine; raises as `game` does."""
    values = fields(body)
    levels = get_args(Level)
    level = next((one for one in levels if one == values.get("level")), None)
    if level is None:
        raise BadSubmission(f"level: expected one of {', '.join(levels)}")
    return EngineRequest(game(body), level, whole("seed", values.get("seed", 0), LARGEST_SEED))


def fields(body: object) -> Mapping[str, Any]:
    """Return the members of a JSON object; raises BadSubmission for anything else."""
    if not isinstance(body, dict):
        raise BadSubmission("expected a JSON object")
    return body


def _ended(value: object) -> tuple[Color | None, bool]:
    """Return who has resigned, and whether a draw was agreed on."""
    match value:
        case None:
            return None, False
        case {"resigned": ("W" | "B") as color, **rest} if not rest:
            return Color(color), False
        case {"agreed": True, **rest} if not rest:
            return None, True
    raise BadSubmission('ended: expected {"resigned": "W"}, {"resigned": "B"} or {"agreed": true}')
