"""What a browser sends of a game that it plays, and what it asks for about it, read from JSON."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from dama import RULESETS, Color
from puzzle_service.services.games import LONGEST_GAME, GameRefused, Sent
from puzzle_service.web.submission import BadSubmission, move_text, text, whole

Level = Literal["easy", "medium", "hard"]

LONGEST_NAME: Final = 40
LONGEST_FEN: Final = 200
LONGEST_HEADER: Final = 100
MOST_HEADERS: Final = 20
HEADER: Final = re.compile(rf"[A-Za-z][A-Za-z0-9_]{{0,{LONGEST_NAME - 1}}}")
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


def side(body: object) -> Color | None:
    """Read whose answer is wanted, None for that of the side to move; raises BadSubmission."""
    value = fields(body).get("side")
    if value not in (None, *Color):
        raise BadSubmission("side: expected W or B")
    return None if value is None else Color(value)


def pdn(body: object) -> str | None:
    """Read a game in PDN, None when it comes in another form; raises BadSubmission."""
    value = fields(body).get("pdn")
    if value is not None and not isinstance(value, str):
        raise BadSubmission("pdn: expected a text")
    return value


def headers(body: object) -> dict[str, str]:
    """Read the headers for a game in PDN; raises BadSubmission."""
    value = fields(body).get("headers")
    if value is None:
        return {}
    if not isinstance(value, dict) or len(value) > MOST_HEADERS:
        raise BadSubmission(f"headers: expected an object with at most {MOST_HEADERS} members")
    for name in value:
        if not HEADER.fullmatch(name):
            raise BadSubmission(f"headers: expected names of up to {LONGEST_NAME} letters, digits and _")
    return {name: text(f"headers.{name}", told, LONGEST_HEADER) for name, told in value.items()}


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
