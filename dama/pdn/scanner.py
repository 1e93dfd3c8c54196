"""The words of a PDN text, each with the place where it stands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dama.errors import PdnError

_SQUARE: Final = r"(?:[a-hA-H][1-8]|[0-9]{1,2})(?![0-9])"
_DASH: Final = r"\s*[-–]\s*"
_HALF: Final = r"(?:1/2|½)"
_POINTS: Final = rf"{_HALF} (?: {_DASH} {_HALF} )? | 1 {_DASH} [01] | 2 {_DASH} 0 | 0 {_DASH} [012]"
_GLUED: Final = r"[^\s()\[\]{};]"
"""Whatever does not begin another word."""

_TOKEN: Final = re.compile(
    rf"""
    (?P<space> \s+ | %[^\n]* )
  | (?P<header> \[ (?: [^\]"\n] | "(?:[^"\\\n]|\\.)*" )* \]? )
  | (?P<comment> \{{ [^}}]* \}}? | ;[^\n]* )
  | (?P<nag> \$[0-9]+ )
  | (?P<strength> [!?]+ | \([!?]+\) )
  | (?P<open> \( )
  | (?P<close> \) )
  | (?P<result> \* | (?: {_POINTS} ) (?![0-9/]) )
  | (?P<move> {_SQUARE} (?: \s*[-–xX×:]\s* {_SQUARE} | (?=[a-hA-H]) {_SQUARE} )+ (?: =K )? )
  | (?P<number> [0-9]+ (?: \s* (?: \.+ | … ) | (?! {_GLUED} ) ) | \.\.+ | … )
  | (?P<junk> {_GLUED}+ | . )
    """,
    re.VERBOSE,
)

_MOST_SHOWN: Final = 40
"""Characters of a text that an error repeats."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a PDN text and where it stands, line and column from 1.

    ``kind`` is the name that the scanner's pattern gives it: move, comment, result …
    """

    kind: str
    text: str
    line: int
    column: int

    def error(self, complaint: str) -> PdnError:
        """Return the error that something is wrong here."""
        return PdnError(complaint, self.line, self.column)

    def __str__(self) -> str:
        text = self.text if len(self.text) <= _MOST_SHOWN else f"{self.text[:_MOST_SHOWN]}…"
        return repr(text)


def scan(text: str) -> Iterator[Token]:
    """Yield the words of a text; what is none is yielded too, as ``junk``.

    >>> [(token.kind, token.text) for token in scan("1. d3d4! {Why?} *")]
    [('number', '1.'), ('move', 'd3d4'), ('strength', '!'), ('comment', '{Why?}'), ('result', '*')]
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    line, line_start = 1, 0
    for match in _TOKEN.finditer(text):
        word = match[0]
        if match.lastgroup is not None and match.lastgroup != "space":
            yield Token(match.lastgroup, word, line, match.start() - line_start + 1)
        if newlines := word.count("\n"):
            line += newlines
            line_start = match.start() + word.rindex("\n") + 1


def decode(data: bytes) -> str:
    """Return the text of a file, which must be UTF-8. Raises PdnError with the place of what is not.

    >>> decode(b"1. d3-d4 {\\xfe}")
    Traceback (most recent call last):
      ...
    dama.errors.PdnError: line 1, column 11: byte 0xfe is not UTF-8; expected a text in UTF-8
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        complaint = f"byte 0x{data[error.start]:02x} is not UTF-8; expected a text in UTF-8"
        raise PdnError(complaint, line, column) from None
