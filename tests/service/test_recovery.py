"""Recovery words: shown once, read generously, and worth a player."""

import unicodedata
from datetime import datetime
from typing import get_args

import pytest
from mnemonic import Mnemonic
from sqlalchemy import select

from puzzle_service.db import Database
from puzzle_service.domain.names import plain
from puzzle_service.models import Player
from puzzle_service.services import players, recovery
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.recovery import BadWords, Language


def guest_with_words(database: Database, noon: datetime, language: Language) -> tuple[int, str]:
    with database.write.begin() as session:
        player_id, _ = players.create_guest(session, noon)
        assert not recovery.has_code(session, player_id)
        return player_id, recovery.new_code(session, player_id, language)


@pytest.mark.parametrize("language", get_args(Language))
def test_the_words_open_their_player_however_they_are_written(
    database: Database, noon: datetime, language: Language
) -> None:
    player_id, words = guest_with_words(database, noon, language)
    assert len(words.split()) == 7
    numbered = "\n".join(f"{place}. {word}," for place, word in enumerate(words.split(), 1))
    spellings = {
        words,
        f"  {words.upper()} ",
        words.replace(" ", "-").title(),
        words.translate({ord("ı"): "i", ord("i"): "ı"}),
        words.translate({ord("ı"): "I", ord("i"): "İ"}),
        unicodedata.normalize("NFD", words),
        plain(words),
        numbered,
    }
    with database.read() as session:
        assert recovery.has_code(session, player_id)
        keys = [recovery.find(session, one) for one in spellings]
        assert [key and key.player_id for key in keys] == [player_id] * len(spellings)
        assert recovery.find(session, " ".join(reversed(words.split()))) is None


def test_every_word_is_told_from_every_other_without_its_marks() -> None:
    for language in get_args(Language):
        words = Mnemonic(language).wordlist
        assert len({plain(word) for word in words}) == len(words) == 2048


def test_new_words_take_the_place_of_the_old_ones(database: Database, noon: datetime) -> None:
    player_id, old = guest_with_words(database, noon, "english")
    with database.write.begin() as session:
        new = recovery.new_code(session, player_id, "turkish")
    with database.read() as session:
        assert recovery.find(session, old) is None
        assert recovery.find(session, new) == recovery.key_to(session, player_id, new) is not None
        for player, text in ((player_id, old), (player_id, "no such words"), (player_id + 1, new)):
            assert recovery.key_to(session, player, text) is None
        kept = session.scalar(select(Player.recovery_hash))
        assert kept is not None
        assert not any(word in kept for word in new.split())


def test_words_that_can_be_nobodys_are_told_why(database: Database) -> None:
    with database.read() as session:
        for text, word, count in (
            ("abandon ability able abuot above absent absorb", "abuot", 7),
            ("abandon ability able about above absent", None, 6),
            ("abandon " * 8, None, 8),
            ("", None, 0),
            ("x" * 1000, "x" * 20, 1),
            ("abandon \udcff \0 able", None, 2),
        ):
            with pytest.raises(BadWords) as error:
                recovery.find(session, text)
            assert (error.value.code, error.value.word, error.value.count) == ("bad_words", word, count)
        assert recovery.find(session, "abandon " * 7) is None


def test_nobody_has_no_words(database: Database) -> None:
    with pytest.raises(ServiceError, match="no such player"), database.write.begin() as session:
        recovery.new_code(session, 7, "english")
