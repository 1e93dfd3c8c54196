"""Names of accounts: what can be one, and when two are the same."""

import unicodedata
from typing import Final

NAME_CHARACTERS: Final = 64
OPERATOR: Final = "command line"
"""Who did what the programs did."""
DELETED: Final = "deleted account"
"""Who did what was done by somebody who is gone."""

# Turkish has i with and without a dot in both cases, and keyboards of the rest of the world only one of each.
_ONE_I: Final = str.maketrans("İIı", "iii", "\u0307")


def fold(text: str) -> str:
    """Return the form in which texts are compared: without case, and with one kind of i.

    >>> fold("IŞIK") == fold("ışık") == fold("Işik")
    True
    """
    composed = unicodedata.normalize("NFKC", " ".join(text.split()))
    return unicodedata.normalize("NFKC", composed.translate(_ONE_I).casefold().translate(_ONE_I))


def plain(text: str) -> str:
    """Return a text folded and without the marks on its letters, as a foreign keyboard writes it.

    >>> plain("AÇIKGÖZ")
    'acikgoz'
    """
    apart = unicodedata.normalize("NFD", fold(text))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def is_name(text: str) -> bool:
    """Tell whether a text can be the name of an account."""
    written = 0 < len(text) <= NAME_CHARACTERS and text.isprintable() and text == " ".join(text.split())
    # Folded, ß is two letters, some ligatures are eighteen, and a dot alone is nothing.
    return written and 0 < len(fold(text)) <= NAME_CHARACTERS


def is_reserved(text: str) -> bool:
    """Tell whether a name stands in the log for somebody without an account."""
    return fold(text) in (OPERATOR, DELETED)
