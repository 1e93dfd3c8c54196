"""Addresses that robots and browsers ask for, and those with a slash too many."""

import pytest
from flask import Flask

from puzzle_service.services.publication import PublishedPuzzle


@pytest.mark.parametrize(
    ("asked", "address"),
    [
        ("/me/", "/me"),
        ("/p/1/", "/p/1"),
        ("/archive/", "/archive"),
        ("/archive/2026-11/", "/archive/2026-11"),
        ("/archive//", "/archive"),
        ("/me/?lang=tr&x=%C3%B6", "/me?lang=tr&x=%C3%B6"),
    ],
)
def test_a_slash_at_the_end_leads_to_the_address_without(app: Flask, asked: str, address: str) -> None:
    response = app.test_client().get(asked)
    assert (response.status_code, response.location) == (308, address)


@pytest.mark.parametrize("asked", ["/nothing/", "/p/x/", "/evil.example/", "/%2F/evil.example/", "/static/"])
def test_a_slash_at_the_end_of_nothing_leads_nowhere(app: Flask, asked: str) -> None:
    assert app.test_client().get(asked).status_code == 404


@pytest.mark.parametrize("asked", ["//evil.example/", "//evil.example/me/", "///me/", "/me//"])
def test_slashes_lead_to_no_other_site(app: Flask, asked: str) -> None:
    response = app.test_client().get(asked)
    location = (response.location or "").removeprefix("http://localhost")
    assert not location.startswith("//")
    assert "://" not in location


def test_only_reading_is_led_on(app: Flask, today: PublishedPuzzle) -> None:
    assert app.test_client().post("/p/1/moves/").status_code == 404


def test_robots_may_read_all_but_what_is_personal(app: Flask) -> None:
    response = app.test_client().get("/robots.txt")
    assert response.mimetype == "text/plain"
    assert response.text.splitlines() == [
        "User-agent: *",
        "Disallow: /admin",
        "Disallow: /account",
        "Disallow: /api/",
    ]
    assert response.headers["Cache-Control"] == "public, max-age=86400"


def test_the_icon_is_found_at_its_old_place_too(app: Flask) -> None:
    with app.test_client().get("/favicon.ico", follow_redirects=True) as response:
        assert (response.status_code, response.mimetype) == (200, "image/svg+xml")
