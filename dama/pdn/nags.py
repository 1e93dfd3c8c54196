"""Glyphs that judge a move: numbers (NAGs), the first six of them with a sign of their own."""

from typing import Final

_SIGNS: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
_SIGN_OF: Final = {nag: sign for sign, nag in _SIGNS.items()}
_LARGEST: Final = 255


def parse_nag(text: str) -> int | None:
    """Return the number of a glyph, 0…255, or None when there is none such.

    >>> [parse_nag(text) for text in ("$14", "!?", "(!)", "???", "$256")]
    [14, 5, 1, 4, None]
    """
    if not text.startswith("$"):
        # Of a third mark of delight or horror nobody has said what it means beyond two.
        return _SIGNS[text.strip("()")[:2]]
    digits = text[1:]
    return int(digits) if len(digits) <= len(str(_LARGEST)) and int(digits) <= _LARGEST else None


def split_nags(nags: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
    """Return the sign that is written right behind a move, if the first glyph has one, and the other glyphs.

    >>> split_nags((1, 14)), split_nags((14, 1))
    (('!', (14,)), ('', (14, 1)))
    """
    sign = _SIGN_OF.get(nags[0], "") if nags else ""
    return (sign, nags[1:]) if sign else ("", nags)
