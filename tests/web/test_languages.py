"""The languages of the site: which one is chosen, and how it reads."""

import re
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from babel import Locale
from flask import Flask

from dama import Color
from puzzle_service.services.publication import PublishedPuzzle
from puzzle_service.web import i18n, recovery, texts
from tests.web.conftest import Visitor, say, wrong_moves


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("de", "en"),
        ("tr", "tr"),
        ("tr-TR,tr;q=0.9,en;q=0.8", "tr"),
        ("en-GB,tr;q=0.5", "en"),
        ("de,tr;q=0.3", "tr"),
        ("TR", "tr"),
        ("de;q=0.9,tr-CY;q=0.8,en;q=0.7", "tr"),
        ("ru", "ru"),
        ("ru-RU,ru;q=0.9,en-US;q=0.8", "ru"),
        ("uk,ru-UA;q=0.7,en;q=0.3", "ru"),
        ("uk", "en"),
        ("en,ru;q=0.9", "en"),
        ("ru;q=0,tr", "tr"),
        ("bg", "bg"),
        ("bg-BG,bg;q=0.9,en;q=0.5", "bg"),
        ("mk,bg;q=0.5", "bg"),
        ("mk", "en"),
        ("tr,bg;q=0.9,ru;q=0.8", "tr"),
        ("bg;q=0,ru;q=0.1", "ru"),
        ("tr;q=0,en", "en"),
        ("*", "en"),
        ("nonsense;;q=x", "en"),
    ],
)
def test_the_browsers_languages_choose(words: Flask, accepted: str, language: str) -> None:
    with words.test_request_context("/", headers={"Accept-Language": accepted}):
        assert i18n.chosen() == language


def test_a_language_asked_for_by_name_is_remembered(visitor: Visitor, today: PublishedPuzzle) -> None:
    assert '<html lang="en">' in visitor.open("/")
    assert '<html lang="tr">' in visitor.open("/?lang=tr")
    assert '<html lang="tr">' in visitor.open("/me")
    assert '<html lang="en">' in visitor.open("/me?lang=en")
    assert '<html lang="en">' in visitor.open("/", **{"Accept-Language": "tr"})
    assert '<html lang="en">' in visitor.open("/?lang=klingon")


def test_every_language_has_all_that_a_language_needs() -> None:
    for needed in (i18n.TERRITORIES, i18n.DAY_PATTERNS, recovery.LISTS):
        assert needed.keys() == i18n.LANGUAGES.keys()
    own = {code: (Locale(code).get_display_name() or "").casefold() for code in i18n.LANGUAGES}
    assert own == {code: name.casefold() for code, name in i18n.LANGUAGES.items()}


def test_a_page_offers_every_language_by_its_own_name(visitor: Visitor, today: PublishedPuzzle) -> None:
    page = visitor.open("/?lang=ru")
    offered = re.findall(
        r'<a href="\?lang=(\w+)" lang="\1" hreflang="\1"( aria-current="true")?>(.*?)</a>', page
    )
    assert {code: name for code, _, name in offered} == i18n.LANGUAGES
    assert [code for code, current, _ in offered if current] == ["ru"]
    assert '<meta property="og:locale" content="ru_RU">' in page


def test_the_puzzle_in_turkish(visitor: Visitor, today: PublishedPuzzle) -> None:
    page = visitor.open("/?lang=tr")
    side = {"W": "Beyaz", "B": "Siyah"}[today.position.turn.value]
    heading = re.search(r"<h1>(.*?)</h1>", page)
    assert heading
    task = f"{side} oynar, {today.moves} hamlede kazanır"
    assert re.sub(r"<[^>]+>", "", heading[1]) == task
    assert "30 Kasım Pazartesi" in page
    assert "yeni bulmaca: 00:00 İstanbul" in page
    assert "3 deneme kaldı" in page
    answer = visitor.play(visitor.puzzle(), wrong_moves(today.proof.root)[0]).json
    assert answer is not None
    assert re.search(r"^\S+ kazandırmaz\. (Beyaz|Siyah) \S+ ile yanıt verir", answer["message"])
    assert answer["message"].endswith("hamlede kazanç yok. Baştan deneyin.")
    visitor.type(today.proof.key)
    assert "doğru." in say(visitor.open("/"))


@pytest.mark.parametrize(
    ("language", "tasks", "day", "wrong"),
    [
        (
            "ru",
            ("Ход белых: выигрыш в {} хода", "Ход чёрных: выигрыш в {} хода"),
            "понедельник, 30 ноября",
            r"^\S+ не выигрывает\. (Белые|Чёрные) отвечают .* хода больше нет\. Попробуйте снова с начала\.$",
        ),
        (
            "bg",
            ("Белите са на ход: победа в {} хода", "Черните са на ход: победа в {} хода"),
            "понеделник, 30 ноември",
            r"^\S+ не печели\. (Белите|Черните) отговарят с .* в \d хода\. Опитайте отново отначало\.$",
        ),
    ],
)
def test_the_puzzle_in_cyrillic(
    visitor: Visitor, today: PublishedPuzzle, language: str, tasks: tuple[str, str], day: str, wrong: str
) -> None:
    page = visitor.open(f"/?lang={language}")
    heading = re.search(r"<h1>(.*?)</h1>", page)
    assert heading
    task = tasks[today.position.turn is Color.BLACK].format(today.moves)
    assert re.sub(r"<[^>]+>", "", heading[1]) == task
    assert day in page
    answer = visitor.play(visitor.puzzle(), wrong_moves(today.proof.root)[0]).json
    assert answer is not None
    assert re.search(wrong, answer["message"]), answer["message"]


def test_errors_in_turkish(visitor: Visitor) -> None:
    assert "Burada bir şey yok" in visitor.client.get("/nowhere?lang=tr").text
    answer = visitor.client.get("/api/v1/nowhere").json
    assert answer is not None
    assert answer["error"]["message"].startswith("Burada bir şey yok.")


def test_dates_and_numbers_are_written_as_their_readers_do(words: Flask) -> None:
    day = date(2026, 5, 23)
    written = {}
    for language in i18n.LANGUAGES:
        with words.test_request_context(f"/?lang={language}"):
            written[language] = (
                i18n.day_label(day),
                i18n.date_label(day),
                i18n.weekday_label(day),
                i18n.number_label(12.0),
            )
    assert written == {
        "en": ("Saturday, 23 May", "23 May 2026", "Sat", "12.0"),
        "tr": ("23 Mayıs Cumartesi", "23 Mayıs 2026", "Cmt", "12,0"),
        "ru": ("суббота, 23 мая", "23 мая 2026", "сб", "12,0"),
        "bg": ("събота, 23 май", "23 май 2026", "сб", "12,0"),
    }


def test_counts_have_their_plurals(words: Flask) -> None:
    with words.test_request_context("/?lang=en"):
        counted = [texts.attempts_left(count) for count in range(4)]
        assert counted == ["No attempts left", "1 attempt left", "2 attempts left", "3 attempts left"]
        assert [texts.solved_in(count) for count in (1, 2)] == ["solved, 1 attempt", "solved, 2 attempts"]
    with words.test_request_context("/?lang=tr"):
        assert [texts.attempts_left(count) for count in (1, 2)] == ["1 deneme kaldı", "2 deneme kaldı"]
    with words.test_request_context("/?lang=ru"):
        assert [texts.attempts_left(count) for count in range(4)] == [
            "Попыток не осталось",
            "Осталась 1 попытка",
            "Осталось 2 попытки",
            "Осталось 3 попытки",
        ]
        days = [1, 2, 5, 11, 12, 21, 22, 25, 101, 111]
        assert [_added(count).split()[-1].strip(".") for count in days] == [
            *("день", "дня", "дней", "дней", "дней"),
            *("день", "дня", "дней", "день", "дней"),
        ]
    with words.test_request_context("/?lang=bg"):
        assert [texts.solved_in(count) for count in (1, 2)] == ["решена, 1 опит", "решена, 2 опита"]
        assert [_added(count).split()[-1] for count in (1, 2, 21)] == ["ден.", "дни.", "дни."]


def _added(count: int) -> str:
    """Return a sentence that counts days."""
    return i18n.ngettext("%(num)d day was added.", "%(num)d days were added.", count)


def test_every_zone_has_a_name_to_show(words: Flask) -> None:
    noon = datetime(2026, 7, 1, 9, 0, tzinfo=UTC)
    with words.test_request_context("/"):
        for zone, shown in (
            ("Europe/Sofia", "12:00 Sofia"),
            ("America/New_York", "05:00 New York"),
            ("UTC", "09:00"),
        ):
            assert i18n.clock_label(noon, ZoneInfo(zone)).startswith(shown)
