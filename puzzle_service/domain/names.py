"""Names of accounts: what can be one, and when two are the same."""

import unicodedata
from typing import Final

NAME_CHARACTERS: Final = 64
# Turkish has i with and without a dot in both cases, and keyboards of the rest of the world only one of each.
_ONE_I: Final = str.maketrans("İIı", "iii", "\u0307")


def fold(text: str) -> str:
    """Return the form in which texts are compared: without case, and with one kind of i.

    >>> fold("IŞIK") == fold("ışık") == fold("Işik")
    True
    """
    composed = unicodedata.normalize("NFKC", " ".join(text.split()))
    return unicodedata.normalize("NFKC", composed.translate(_ONE_I).casefold().translate(_ONE_I))


def is_name(text: str) -> bool:
    """Tell whether a text can be the name of an account."""
    return 0 < len(text) <= NAME_CHARACTERS and text.isprintable() and text == " ".join(text.split())
