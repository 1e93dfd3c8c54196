"""Recovery words: seven words that open a player's days on any device, shown once and kept as a hash.

There is no mail that could bring a new password. The words do that, and they carry a guest's days to a second
device just as well. They stay valid until new ones are made.
"""

import hashlib
import re
import secrets
import unicodedata
from functools import cache
from typing import Final, Literal, get_args

from mnemonic import Mnemonic
from sqlalchemy import select
from sqlalchemy.orm import Session

from puzzle_service.domain.names import plain
from puzzle_service.models import Player
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.keys import Key

Language = Literal["english", "turkish", "russian"]

WORDS: Final = 7
"""Of 2,048 each: 77 bits, far more than anybody can try, so that a plain hash of them gives nothing away."""
LONGEST_TEXT: Final = 256
LONGEST_WORD: Final = 20
_BETWEEN: Final = re.compile(r"[^\w\u0300-\u036f]+|[\d_]+")
"""What may stand between words: all but letters and the marks that some devices write apart from them."""


class BadWords(ServiceError):  # noqa: N818
    """Words that can be nobody's: ``word`` is the first on no list, or None when their ``count`` is wrong."""

    def __init__(self, count: int, word: str | None = None) -> None:
        wrong = f"{count} words" if word is None else f"{word!r} is none of the words"
        super().__init__("bad_words", f"{wrong}; expected {WORDS} words as they were shown")
        self.count, self.word = count, word


def has_code(session: Session, player_id: int) -> bool:
    """Tell whether a player has words."""
    return session.scalar(select(Player.recovery_hash).where(Player.id == player_id)) is not None


def new_code(session: Session, player_id: int, language: Language) -> str:
    """Give a player new words and return them; those before them open nothing any more.

    Raises ServiceError: *not_found*.
    """
    player = session.get(Player, player_id, with_for_update=True, populate_existing=True)
    if player is None:
        raise ServiceError("not_found", "there is no such player")
    words = [secrets.choice(_words(language)) for _ in range(WORDS)]
    player.recovery_hash = _hash(words)
    session.flush()
    return " ".join(words)


def check(text: str) -> None:
    """Check that a text can be somebody's words, which says nothing about whose; raises BadWords."""
    _read(text)


def find(session: Session, text: str) -> Key | None:
    """Return the key that these words are, in any case, with any marks and anything between them.

    Raises BadWords when they cannot be anybody's: for a wrong number, and for one that is on no list.
    """
    kept = _hash(_read(text))
    player_id = session.scalar(select(Player.id).where(Player.recovery_hash == kept))
    return None if player_id is None else Key(player_id, kept)


def key_to(session: Session, player_id: int, text: str) -> Key | None:
    """Return the key that a text is to this player, None for any other text."""
    try:
        found = find(session, text)
    except BadWords:
        return None
    return found if found is not None and found.player_id == player_id else None


def _read(text: str) -> list[str]:
    """Return the words of a text as they are compared, which is without the marks on their letters."""
    written = [word for word in _BETWEEN.split(text) if word]
    for word in written[: WORDS + 1]:
        if plain(word) not in _known():
            raise BadWords(len(written), word[:LONGEST_WORD])
    if len(written) != WORDS:
        raise BadWords(len(written))
    return written


def _hash(words: list[str]) -> str:
    return hashlib.sha256(" ".join(map(plain, words)).encode()).hexdigest()


@cache
def _words(language: Language) -> list[str]:
    return [unicodedata.normalize("NFC", word) for word in Mnemonic(language).wordlist]


@cache
def _known() -> frozenset[str]:
    return frozenset(plain(word) for language in get_args(Language) for word in _words(language))
