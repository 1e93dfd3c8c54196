"""The JSON interface to games that the site does not keep: a browser sends all of one, each time anew."""

from urllib.parse import urlencode

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import RequestEntityTooLarge

from dama import Game
from dama.etiquette import Note, notes
from puzzle_service.services import games
from puzzle_service.services.games import GameRefused, Sent
from puzzle_service.web import game_requests, limits
from puzzle_service.web.api import json_body
from puzzle_service.web.errors import GAME_STATUS, refusal
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.present import Json
from puzzle_service.web.submission import BadSubmission

blueprint = Blueprint("games", __name__, url_prefix="/api/v1/games")


@blueprint.post("/state")
def state() -> Response:
    """Answer with how a game stands after its moves, and what can be played."""
    limits.hit("games")
    body = json_body()
    sent, since = game_requests.game(body), game_requests.since(body)
    return jsonify(state_json(sent, games.replay(sent), since))


def state_json(sent: Sent, game: Game, since: int = 0) -> Json:
    """Return how a game stands that was sent and replayed; of its moves those from the ply `since` on."""
    position, result = game.position, game.result
    after = zip(game.moves[since:], game.positions[since + 1 :], strict=True)
    return {
        "rules": game.rules.name,
        "start": games.start_fen(sent),
        "fen": position.fen(),
        "full_fen": game.fen(),
        "turn": position.turn.value,
        "plies": len(game.moves),
        "legal": [] if result else [move.json() for move in position.legal_moves],
        "played": [{**move.json(), "fen": then.fen()} for move, then in after],
        "quiet_plies": game.quiet_plies,
        "clock_plies": game.rules.clock_plies,
        "occurrences": game.occurrences(),
        "result": None if result is None else {"winner": result.winner, "reason": result.reason},
        "notes": [_note_json(game, note) for note in notes(game)],
        "link": "?" + urlencode(games.link(games.canonical(sent, game)), safe=":,"),
    }


def _note_json(game: Game, note: Note) -> Json:
    squares = [game.rules.grid.name(square) for square in note.squares]
    return {"code": note.code, "side": note.side.value, "squares": squares}


@blueprint.errorhandler(BadSubmission)
def _bad_submission(error: BadSubmission) -> Response:
    return refusal(400, "bad_request", str(error))


@blueprint.errorhandler(GameRefused)
def _refused(error: GameRefused) -> Response:
    return refusal(GAME_STATUS[error.code], error.code, str(error))


@blueprint.errorhandler(RequestEntityTooLarge)
def _too_large(_error: RequestEntityTooLarge) -> Response:
    limit = (request.max_content_length or 0) // 1024
    return refusal(413, message=_("That is too much at once. A game may take %(n)d KiB.", n=limit))
