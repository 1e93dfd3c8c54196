"""Whole games on a phone, from the first move to the end: against every level, and of two on one device."""

from random import Random

import pytest
from playwright.sync_api import Page, expect

from dama import Color, Game, Move, Position
from tests.browser.conftest import Visitor
from tests.browser.games import PHONE, played, said, stands, start
from tests.browser.play import PATIENCE, by_touch

SOON_OVER = 24
"""The seed of a game of 20 plies."""


def _given_away(position: Position) -> Move:
    """Return the move after which most can be taken: somebody who plays so has lost soon, to anybody."""

    def loss(move: Move) -> int:
        return max((len(reply.captured) for reply in position.after(move).legal_moves), default=0)

    return max(position.legal_moves, key=loss)


def _moves(page: Page, count: int) -> list[str]:
    """Wait until the list holds so many moves, and return them."""
    expect(page.locator("#moves .ply")).to_have_count(count, timeout=PATIENCE)
    return [text.replace("–", "-").replace("×", "x") for text in played(page)]


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_a_whole_game_against_every_level(player: Visitor, level: str) -> None:
    page = player.device(**PHONE)
    start(page, level=level, human="W")
    game = Game(Position.start())
    while game.result is None:
        stands(page, "Your move")
        move = _given_away(game.position)
        by_touch(page, move)
        game.play(move)
        if game.result is None:
            game.play(_moves(page, len(game.moves) + 1)[-1])
    assert game.result.winner is Color.BLACK
    stands(page, "The computer wins")
    assert _moves(page, len(game.moves)) == list(map(str, game.moves))


def test_a_whole_game_of_two_on_one_phone(player: Visitor) -> None:
    page = player.device(**PHONE)
    start(page, opponent="person", seating="turning")
    game, chance = Game(Position.start()), Random(SOON_OVER)
    while game.result is None:
        stands(page, f"{game.position.turn.name.title()} to move")
        white = game.position.turn is Color.WHITE
        move = _given_away(game.position) if white else chance.choice(game.position.legal_moves)
        by_touch(page, move)
        game.play(move)
        _moves(page, len(game.moves))
    assert game.result.winner is Color.BLACK
    stands(page, "Black wins")
    said(page, "White has no piece left.")
