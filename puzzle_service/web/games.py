"""The JSON interface to games that the site does not keep: a browser sends all of one, each time anew."""

from urllib.parse import urlencode

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import RequestEntityTooLarge

from dama import Game
from dama.etiquette import Note, notes
from puzzle_service.services import game_records, games
from puzzle_service.services.game_records import Record
from puzzle_service.services.games import GameRefused, Sent
from puzzle_service.web import game_refusals, game_requests, limits, reasons, searches
from puzzle_service.web.api import json_body
from puzzle_service.web.errors import GAME_STATUS, refusal
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.present import Json
from puzzle_service.web.submission import BadSubmission
from puzzle_service.web.turns import NoTurn, turn

blueprint = Blueprint("games", __name__, url_prefix="/api/v1/games")


@blueprint.post("/state")
def state() -> Response:
    """Answer with how a game stands after its moves, and what can be played."""
    limits.hit("games")
    body = json_body()
    sent, since = game_requests.game(body), game_requests.since(body)
    with turn():
        return jsonify(_state_json(games.replay(sent), since))


@blueprint.post("/engine")
def engine() -> Response:
    """Answer with the move that the computer plays."""
    asked = game_requests.engine(json_body())
    return jsonify(searches.search("engine", asked.game, level=asked.level, seed=asked.seed))


@blueprint.post("/hint")
def hint() -> Response:
    """Answer with the move that a master would play, and why."""
    found = searches.search("hint", game_requests.game(json_body()))
    code, values = found["reason"]["code"], found["reason"]["values"]
    return jsonify(found | {"reason": {"code": code, "text": reasons.reason(code, values)}})


@blueprint.post("/draw")
def draw() -> Response:
    """Answer with whether the computer takes a draw."""
    body = json_body()
    sent, side = game_requests.game(body), game_requests.side(body)
    accepted = searches.search("draw", sent, side=side)["accepted"]
    text = _("The computer agrees to a draw.") if accepted else _("The computer wants to play on.")
    return jsonify(accepted=accepted, text=text)


@blueprint.post("/pdn")
def pdn() -> Response:
    """Answer with a game as PDN and as the site writes it, whichever of the two was sent."""
    limits.hit("games")
    body = json_body()
    text, sent, headers = game_requests.pdn(body), game_requests.game(body), game_requests.headers(body)
    with turn():
        found = game_records.write(sent, headers) if text is None else game_records.read(text, sent.rules)
    return jsonify(_record_json(found))


def _state_json(game: Game, since: int) -> Json:
    """Return how a game stands; of its moves those from the ply `since` on."""
    position, result = game.position, game.result
    after = zip(game.moves[since:], game.positions[since + 1 :], strict=True)
    return {
        "rules": game.rules.name,
        "start": game.start_fen(),
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
        "link": _link(games.canonical(game)),
    }


def _record_json(record: Record) -> Json:
    sent = record.sent
    resigned = None if sent.resigned is None else {"resigned": sent.resigned.value}
    return {
        "rules": sent.rules,
        "start": sent.start,
        "moves": sent.moves,
        "ended": {"agreed": True} if sent.agreed else resigned,
        "headers": dict(record.headers),
        "pdn": record.pdn,
        "link": _link(sent),
    }


def _link(sent: Sent) -> str:
    return "?" + urlencode(games.link(sent), safe=":,")


def _note_json(game: Game, note: Note) -> Json:
    squares = [game.rules.grid.name(square) for square in note.squares]
    return {"code": note.code, "side": note.side.value, "squares": squares}


@blueprint.errorhandler(BadSubmission)
def _bad_submission(error: BadSubmission) -> Response:
    return refusal(400, "bad_request", game_refusals.told(error))


@blueprint.errorhandler(GameRefused)
def _refused(error: GameRefused) -> Response:
    return refusal(GAME_STATUS[error.code], error.code, game_refusals.told(error))


@blueprint.errorhandler(NoTurn)
def _no_turn(_error: NoTurn) -> Response:
    return refusal(503)


@blueprint.errorhandler(RequestEntityTooLarge)
def _too_large(_error: RequestEntityTooLarge) -> Response:
    limit = (request.max_content_length or 0) // 1024
    return refusal(413, message=_("That is too much at once. A game may take %(n)d KiB.", n=limit))
