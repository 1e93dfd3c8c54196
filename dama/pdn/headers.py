"""What the headers of a PDN game mean: by which rules it was played, where it began, how it ended."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from dama.errors import PdnError
from dama.game import Game
from dama.pdn.scanner import Token
from dama.pdn.scores import Score, parse_score
from dama.position import Position
from dama.rulesets import RULESETS, Ruleset

DERIVED: Final = ("Result", "GameType", "Rules", "SetUp", "FEN")
"""Headers that say what a game knows by itself, in the order in which they are written."""

_NAME: Final = re.compile(r"[A-Za-z]\w*")
_HEADER: Final = re.compile(rf'\[\s*({_NAME.pattern})\s*"((?:[^"\\]|\\.)*)"\s*\]')
_LINE_BREAKS: Final = re.compile(r"[\r\n]+")
_ESCAPED: Final = re.compile(r"\\(.)")
_GAME_TYPE: Final = re.compile(r"\s*([0-9]+)\s*(?:,.*)?")
_OTHER_NUMBERS: Final = {"43": "30"}
"""Numbers by which other programs know a game, and the standard's."""
_UNKNOWN: Final = ("", "?")


def format_header(name: str, value: str) -> str:
    """Return a header as it is written.

    >>> format_header("Event", 'The "Golden" Cup')
    '[Event "The \\\\"Golden\\\\" Cup"]'

    Raises ValueError for what is no name of a header.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no header's name; expected a letter, then letters, digits or _")
    value = _LINE_BREAKS.sub(" ", value).replace("\\", r"\\").replace('"', r"\"")
    return f'[{name} "{value}"]'


class Headers:
    """The headers of one game, each with the place where it stands.

    Raises PdnError for what is no header. One given again is a conflict, and the first holds.
    """

    def __init__(self, tokens: Iterable[Token]) -> None:
        self.conflicts: list[PdnError] = []
        self._values: dict[str, str] = {}
        self._tokens: dict[str, Token] = {}
        for token in tokens:
            header = _HEADER.fullmatch(token.text)
            if header is None:
                raise token.error(f'{token} is no header; expected one such as [White "Ayşe"]')
            name, value = header[1], _ESCAPED.sub(r"\1", header[2])
            if name in self._values:
                self.conflicts.append(token.error(f"the header {name} is given twice; the first one holds"))
            else:
                self._values[name], self._tokens[name] = value, token

    def told(self) -> Mapping[str, str]:
        """Return the headers that only a reader understands, such as the players' names."""
        return {name: value for name, value in self._values.items() if name not in DERIVED}

    def rules(self, default: Ruleset) -> Ruleset:
        """Return the ruleset that Rules names, or the one for GameType; the default where it fits.

        Raises PdnError for a game or rules that nobody here knows, and for rules of another game.
        """
        number = self._game_type()
        name = self._values.get("Rules")
        if name is not None:
            rules = {**RULESETS, default.name: default}.get(name)
            if rules is None:
                raise self._tokens["Rules"].error(f"{name!r} is no ruleset; expected {', '.join(RULESETS)}")
            if number not in (None, _number(rules)):
                raise self._tokens["Rules"].error(f"{name!r} is not for game type {number}")
            return rules
        known = (default, *RULESETS.values())
        found = next((rules for rules in known if number in (None, _number(rules))), None)
        if found is None:
            complaint = f"game type {number} is not known; expected {_known_game_types(known)}"
            raise self._tokens["GameType"].error(complaint)
        return found

    def start(self, rules: Ruleset) -> Game:
        """Return the game before its first move.

        Raises PdnError for a FEN that is no position of a game.
        """
        fen = self._values.get("FEN")
        if fen is None:
            if self._values.get("SetUp") == "1":
                complaint = "SetUp says that there is a FEN, but there is none"
                self.conflicts.append(self._tokens["SetUp"].error(complaint))
            return Game(Position.start(rules))
        try:
            return Game.from_fen(fen, rules)
        except ValueError as error:
            raise self._tokens["FEN"].error(str(error)) from error

    def score(self) -> Score | None:
        """Return the score that Result gives, or None when it gives none. Raises PdnError for no score."""
        text = self._values.get("Result", "").strip()
        if text in _UNKNOWN:
            return None
        score = parse_score(text)
        if score is None:
            token = self._tokens["Result"]
            raise token.error(f"{text!r} is no result; expected 1-0, 0-1, 1/2-1/2 or *")
        return score

    @property
    def place_of_result(self) -> Token | None:
        """The header Result, or None."""
        return self._tokens.get("Result")

    def _game_type(self) -> str | None:
        text = self._values.get("GameType", "").strip()
        if text in _UNKNOWN:
            return None
        found = _GAME_TYPE.fullmatch(text)
        if found is None:
            token = self._tokens["GameType"]
            raise token.error(f"{text!r} is no game type; expected {_known_game_types(RULESETS.values())}")
        return _OTHER_NUMBERS.get(found[1], found[1])


def _number(rules: Ruleset) -> str:
    return rules.game_type.partition(",")[0]


def _known_game_types(rulesets: Iterable[Ruleset]) -> str:
    return " or ".join(dict.fromkeys(repr(rules.game_type) for rules in rulesets))
