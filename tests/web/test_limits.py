"""Rate limits as visitors meet them: who is told to come back later, and who is not."""

import logging
from datetime import timedelta

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from puzzle_service.db import Database
from puzzle_service.domain.roles import Role
from puzzle_service.models import Attempt, Player, RateLimit
from puzzle_service.services import accounts, passwords
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.settings import Limits, limit
from tests.web.conftest import ADMIN, ON_BOTH, Clock, MakeSite, Rows, Visitor, wrong_moves


@pytest.fixture
def an_account(database: Database, clock: Clock) -> None:
    with database.write.begin() as session:
        accounts.create(
            session, ADMIN[0], passwords.hashed(ADMIN[1]), clock.now, role=Role.PLAYER, player_id=None
        )


def sign_in(app: Flask, name: str, password: str, address: str = "192.0.2.1") -> TestResponse:
    """Post the form for signing in, from a fresh browser at an address."""
    somebody = Visitor(app)
    somebody.open("/sign-in")
    return somebody.client.post(
        "/sign-in",
        data={"csrf_token": somebody.csrf, "name": name, "password": password},
        environ_base={"REMOTE_ADDR": address},
    )


def statuses(app: Flask, name: str, count: int, address: str = "192.0.2.1") -> list[int]:
    return [sign_in(app, name, "a wrong password", address).status_code for _ in range(count)]


@ON_BOTH
def test_after_five_wrong_passwords_even_the_right_one_has_to_wait(
    app: Flask, clock: Clock, an_account: None
) -> None:
    assert statuses(app, ADMIN[0], 6) == [401] * 5 + [429]
    refused = sign_in(app, *ADMIN)
    assert refused.status_code == 429
    assert refused.headers["Retry-After"] == "900"
    assert "Please try again in 15 minutes." in refused.text
    clock.now += timedelta(minutes=14, seconds=59)
    assert sign_in(app, *ADMIN).headers["Retry-After"] == "1"
    clock.now += timedelta(seconds=1)
    assert sign_in(app, *ADMIN).status_code == 303


def test_one_name_is_one_name_however_it_is_spelt(app: Flask, an_account: None) -> None:
    spellings = ["ayşe", "AYŞE", " Ayşe ", "ayşe", "Ayşe"]
    assert [statuses(app, spelling, 1) for spelling in spellings] == [[401]] * 5
    assert statuses(app, "aYşE", 1) == [429]


@ON_BOTH
def test_a_right_password_forgives_the_wrong_ones_before_it(app: Flask, an_account: None) -> None:
    for _ in range(3):
        assert statuses(app, ADMIN[0], 4) == [401] * 4
        assert sign_in(app, *ADMIN).status_code == 303


def test_others_can_sign_in_at_a_blocked_name_and_from_a_blocked_address(
    app: Flask, an_account: None
) -> None:
    assert statuses(app, ADMIN[0], 6)[-1] == 429
    assert sign_in(app, *ADMIN, address="192.0.2.2").status_code == 303
    assert statuses(app, "somebody else", 1) == [401]


def test_an_address_that_tries_many_names_is_blocked_and_its_own_account_buys_no_more_tries(
    app: Flask, an_account: None
) -> None:
    for number in range(30):
        assert statuses(app, f"name {number}", 1) == [401]
        if number % 10 == 0:
            assert sign_in(app, *ADMIN).status_code == 303
    assert statuses(app, "one more", 1) == [429]
    assert sign_in(app, *ADMIN).status_code == 429
    assert sign_in(app, *ADMIN, address="192.0.2.2").status_code == 303


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("", "", True),
    ],
)
def test_a_home_is_one_address(
    make_site: MakeSite, an_account: None, first: str, second: str, *, same: bool
) -> None:
    app = make_site(limits=Limits(sign_in=limit("1 per hour")))
    assert statuses(app, ADMIN[0], 2, first) == [401, 429]
    assert statuses(app, ADMIN[0], 1, second) == [429 if same else 401]


@ON_BOTH
def test_who_moves_faster_than_anybody_plays_is_told_when_to_come_back(
    make_site: MakeSite, today: PublishedPuzzle, clock: Clock, rows: Rows
) -> None:
    app = make_site(limits=Limits(moves=limit("5 per minute")))
    somebody, other = Visitor(app), Visitor(app)
    puzzle = somebody.puzzle()
    for _ in range(5):
        assert somebody.play(puzzle, "e4-e4").status_code == 200
    clock.now += timedelta(seconds=20)
    refused = somebody.play(puzzle, wrong_moves(today.proof.root)[0])
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "40")
    assert refused.json is not None
    assert refused.json["error"] == {
        "code": "too_many",
        "message": "That was too often. Please try again in 40 seconds.",
    }
    typed = somebody.type("e4-e4")
    assert typed.status_code == 429
    assert "Please try again in 40 seconds." in typed.text
    assert rows(Attempt) == 0, "nothing is spent"
    assert other.play(other.puzzle(), "e4-e4").status_code == 200
    clock.now += timedelta(seconds=40)
    assert somebody.play(puzzle, wrong_moves(today.proof.root)[0]).status_code == 200


@ON_BOTH
def test_moves_that_are_refused_count_too(make_site: MakeSite, today: PublishedPuzzle) -> None:
    app = make_site(limits=Limits(moves=limit("4 per minute")))
    somebody = Visitor(app)
    old = somebody.puzzle()
    wrong = wrong_moves(today.proof.root)
    somebody.play(old, wrong[0])
    answers = [somebody.play(old, wrong[1]).status_code for _ in range(5)]
    assert answers == [409, 409, 409, 429, 429]


@ON_BOTH
def test_an_address_brings_so_many_guests_and_no_more(
    make_site: MakeSite, today: PublishedPuzzle, rows: Rows
) -> None:
    app = make_site(limits=Limits(guests=limit("3 per hour")))

    def first_move() -> int:
        somebody = Visitor(app)
        return somebody.play(somebody.puzzle(), wrong_moves(today.proof.root)[0]).status_code

    known = Visitor(app)
    known.play(known.puzzle(), "e4-e4")
    assert [first_move() for _ in range(4)] == [200, 200, 429, 429]
    assert rows(Player) == 3
    assert known.play(known.puzzle(), "e4-e4").status_code == 200, "who has come before may go on"
    page = Visitor(app)
    assert page.client.get("/").status_code == 200, "looking is free"


@ON_BOTH
def test_first_moves_that_are_refused_bring_no_guest_and_still_count(
    make_site: MakeSite, today: PublishedPuzzle, clock: Clock, rows: Rows
) -> None:
    app = make_site(limits=Limits(guests=limit("3 per hour")))
    somebody = Visitor(app)
    puzzle = somebody.puzzle() | {"attempt": 2}
    answers = [somebody.play(puzzle, "e4-e4").status_code for _ in range(5)]
    assert answers == [409, 409, 409, 429, 429]
    assert rows(Player) == 0


def test_two_sites_over_one_redis_count_together_and_leave_the_table_alone(
    make_site: MakeSite, redis_url: str, an_account: None, rows: Rows
) -> None:
    limits = Limits(url=redis_url)
    first, second = make_site(limits=limits), make_site(limits=limits)
    assert statuses(first, ADMIN[0], 3) == [401] * 3
    assert statuses(second, ADMIN[0], 3) == [401, 401, 429]
    refused = sign_in(first, *ADMIN)
    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= 900
    assert rows(RateLimit) == 0


@ON_BOTH
def test_a_redis_that_is_down_is_logged_and_the_database_counts(
    make_site: MakeSite, an_account: None, rows: Rows, caplog: pytest.LogCaptureFixture
) -> None:
    app = make_site(limits=Limits(url="redis+unix:///nowhere/at/all"))
    with caplog.at_level(logging.WARNING):
        assert statuses(app, ADMIN[0], 6) == [401] * 5 + [429]
    assert "Redis does not answer" in caplog.text
    assert rows(RateLimit) == 2


def test_neither_table_nor_log_tells_who_tried(
    app: Flask, database: Database, an_account: None, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        assert statuses(app, ADMIN[0], 6, "203.0.113.77")[-1] == 429
    assert "too many tries: sign_in" in caplog.text
    with database.read() as session:
        keys = " ".join(row.key for row in session.query(RateLimit))
    for trace in ("203.0.113", ADMIN[0]):
        assert trace not in caplog.text
        assert trace not in keys


def test_a_new_secret_makes_new_counts(make_site: MakeSite, an_account: None) -> None:
    for secret in ("s" * 32, "t" * 32):
        assert statuses(make_site(secret_key=secret), ADMIN[0], 6)[-2:] == [401, 429]
