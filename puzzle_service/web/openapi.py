"""The OpenAPI document of the JSON interface, written from the values that the code itself goes by."""

from typing import Final

from puzzle_service.web import errors, i18n, player, schemas, security
from puzzle_service.web.present import Json
from puzzle_service.web.shapes import ref


def document() -> Json:
    """Return the description of every address below /api/v1/."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Dama Daily", "version": "1", "description": _ABOUT},
        "paths": {
            "/api/v1/puzzles/today": {"get": _today()},
            "/api/v1/puzzles/{number}/moves": {"post": _move()},
            **_games(),
            "/api/v1/openapi.json": {"get": _document()},
        },
        "components": {
            "schemas": schemas.all_of_them(),
            "headers": {
                "RetryAfter": {
                    "description": "Seconds after which the same request may be sent again.",
                    "required": True,
                    "schema": {"type": "integer", "minimum": 1},
                }
            },
            "securitySchemes": {
                "csrf": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "X-CSRFToken",
                    "description": 'From `<meta name="csrf-token">` of a page that asks for moves; it belongs'
                    f" to the cookie `{security.SESSION_COOKIE}`.",
                },
                "session": _cookie(
                    security.SESSION_COOKIE, "What was served when, and the token of a guest to be."
                ),
                "guest": _cookie(player.GUEST_COOKIE, "The guest of this browser, from its first move on."),
                "account": _cookie(player.SIGNED_IN_COOKIE, "Whoever has signed in on this browser."),
            },
        },
    }


_ABOUT: Final = f"""\
One position of Turkish draughts a day. Who solves it is told by cookies alone: keep all that come, and send
them back. Nothing that comes before the end of a puzzle depends on its solution. Games are kept by whoever
plays them: each question about one holds all of it, and needs no cookie but that of the token. Messages are
in the language of `Accept-Language` or `?lang=` ({", ".join(i18n.LANGUAGES)}); programs go by the codes."""


def _today() -> Json:
    return {
        "operationId": "today",
        "summary": "Today's puzzle, and where this player stands with it.",
        "parameters": [_LANGUAGE],
        "security": [{}, {"session": []}, {"guest": []}, {"account": []}],
        "responses": {
            "200": _response("The puzzle. A cookie may come along.", ref("Puzzle")),
            **_errors(400, 404, 500, 503),
        },
    }


def _move() -> Json:
    number = {
        "name": "number",
        "in": "path",
        "required": True,
        "description": "The number of a puzzle that is out.",
        "schema": {"type": "integer", "minimum": 0},
    }
    return {
        "operationId": "move",
        "summary": "Judge a move; sent again with the same `request_id` it costs and says the same.",
        "parameters": [number, _LANGUAGE],
        "security": [{"csrf": [], "session": []}],
        "requestBody": {"required": True, "content": {"application/json": {"schema": ref("Submission")}}},
        "responses": {
            "200": _response("The verdict. The cookie of a new guest may come along.", ref("Answer")),
            "409": _response(
                f"The verdict *over* after the end, or an error: {', '.join(schemas.REFUSALS)}.",
                {"oneOf": [ref("Answer"), ref("Error")]},
            ),
            **_errors(400, 404, 413, 415, 429, 500, 503),
        },
    }


def _games() -> Json:
    """Return the questions about games that the site does not keep, by their addresses."""
    return {
        f"/api/v1/games/{name}": {"post": _about_a_game(name, *rest)}
        for name, *rest in (
            ("state", "How a game stands after its moves.", "StateRequest", "State", "The game."),
            ("engine", "The move that the computer plays.", "EngineRequest", "EngineMove", "The move."),
            ("hint", "The move that a master would play, and why.", "HintRequest", "Hint", "The move."),
            ("draw", "Whether the computer takes a draw.", "DrawRequest", "Draw", "Its answer."),
            ("pdn", "A game in PDN, written or read.", "PdnRequest", "Record", "The game in both forms."),
        )
    }


def _about_a_game(name: str, summary: str, request: str, answer: str, meaning: str) -> Json:
    return {
        "operationId": name,
        "summary": summary,
        "parameters": [_LANGUAGE],
        "security": [{"csrf": [], "session": []}],
        "requestBody": {"required": True, "content": {"application/json": {"schema": ref(request)}}},
        "responses": {
            "200": _response(meaning, ref(answer)),
            **_errors(400, 409, 413, 415, 422, 429, 500, 503),
        },
    }


def _document() -> Json:
    return {
        "operationId": "document",
        "summary": "This document.",
        "parameters": [_LANGUAGE],
        "responses": {
            "200": _response("An OpenAPI document.", {"type": "object", "required": ["openapi", "paths"]}),
            **_errors(400, 500),
        },
    }


_LANGUAGE: Final[Json] = {
    "name": "lang",
    "in": "query",
    "description": "The language of messages, from now on; another one is as good as none.",
    "schema": {"type": "string"},
}

_MEANINGS: Final = {
    400: "What was sent could not be read, or came without a valid token, or for another host.",
    404: "There is no such puzzle, or it is not out yet.",
    409: "The game has ended before.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    422: "The game is longer than the site follows one.",
    429: "That was too often.",
    500: "Something broke on the site's side.",
    503: "The database is busy or cannot save: nothing is lost and nothing is spent. Or the engine is busy.",
}


def _errors(*statuses: int) -> Json:
    return {
        str(status): _response(_MEANINGS[status], ref("Error"), retry=status in errors.RETRYABLE)
        for status in statuses
    }


def _response(description: str, schema: Json, *, retry: bool = False) -> Json:
    headers = {"headers": {"Retry-After": {"$ref": "#/components/headers/RetryAfter"}}} if retry else {}
    return {"description": description, **headers, "content": {"application/json": {"schema": schema}}}


def _cookie(name: str, description: str) -> Json:
    return {"type": "apiKey", "in": "cookie", "name": name, "description": description}
