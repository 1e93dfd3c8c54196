"""Games: a start position and the moves from there, how often positions came up, and how it ends."""

from collections import Counter
from dataclasses import dataclass
from typing import Final, Literal

from dama.errors import GameOver, UnsoundPosition
from dama.move import Move
from dama.notation import parse_fen
from dama.pieces import Color
from dama.position import OutcomeReason, Position, ending
from dama.rulesets import Ruleset
from dama.squares import bit

GameReason = OutcomeReason | Literal["threefold", "no_progress", "resignation", "agreement"]


@dataclass(frozen=True, slots=True)
class Result:
    """How a game has ended; no winner means a draw."""

    winner: Color | None
    reason: GameReason

    def __str__(self) -> str:
        return ending(self.winner, self.reason)


@dataclass(frozen=True, slots=True)
class _Turn:
    """A move that was played, the position after it, and the plies without progress by then."""

    move: Move
    position: Position
    quiet_plies: int


class Game:
    """A game: where it began, what was played, and how it stands.

    >>> game = Game.from_fen("W:WKa1,Kb1:BKg8,Kh8", "turkish")
    >>> for move in ("a1-a2", "h8-h7", "a2-a1", "h7-h8") * 2:
    ...     _ = game.play(move)
    >>> game.occurrences(), game.quiet_plies, str(game.result)
    (3, 8, 'a draw: threefold')

    ``start`` may be any sound position, one in which the game has ended included, and ``quiet_plies`` what
    its clock shows. Raises UnsoundPosition, which names every defect, for another.
    """

    def __init__(self, start: Position, quiet_plies: int = 0) -> None:
        if defects := start.status():
            raise UnsoundPosition(f"{start.fen()} is no position of a game: {', '.join(defects)}", defects)
        self.start: Final = start
        """The position in which the game began."""
        self.start_quiet_plies: Final = quiet_plies
        """What the clock showed then."""
        self._played: list[_Turn] = []
        self._undone: list[_Turn] = []
        self._seen = Counter((start,))
        self._settled: Result | None = None

    @classmethod
    def from_fen(cls, text: str, rules: str | Ruleset = "turkish") -> "Game":
        """Return a game that begins in the position of a PDN FEN, with the clock that it may carry.

        >>> Game.from_fen("W:WKa1,b2:BKh8:H12").quiet_plies
        12

        Raises InvalidNotation, and UnsoundPosition for a position that no game could have brought about.
        """
        position = Position.from_fen(text, rules)
        return cls(position, parse_fen(text, position.rules.grid).quiet_plies)

    @property
    def position(self) -> Position:
        """The position on the board now."""
        return self._played[-1].position if self._played else self.start

    @property
    def rules(self) -> Ruleset:
        """The rules the game is played by."""
        return self.start.rules

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played so far."""
        return tuple(turn.move for turn in self._played)

    @property
    def positions(self) -> tuple[Position, ...]:
        """Every position so far, the start position first: one more than there are moves."""
        return (self.start, *(turn.position for turn in self._played))

    @property
    def quiet_plies(self) -> int:
        """The plies in a row, up to now, without what the ruleset's clock counts as progress."""
        return self._played[-1].quiet_plies if self._played else self.start_quiet_plies

    def occurrences(self, position: Position | None = None) -> int:
        """Return how many times a position, the present one unless given, has come up, the start included.

        Two positions are the same when men, kings and the side to move are.
        """
        return self._seen[self.position if position is None else position]

    @property
    def result(self) -> Result | None:
        """How the game has ended, or None while it goes on.

        >>> print(Game.from_fen("B:Wa3,a4,b5,c5:Ba5").result)
        white has won: no legal move

        What the position decides goes before repetition, and that before the clock: a win on the last ply
        of the clock is a win.
        """
        if self._settled is not None:
            return self._settled
        if outcome := self.position.outcome():
            return Result(outcome.winner, outcome.reason)
        rules = self.rules
        if rules.repetition is not None and self.occurrences() >= rules.repetition:
            return Result(None, "threefold")
        if rules.clock_plies is not None and self.quiet_plies >= rules.clock_plies:
            return Result(None, "no_progress")
        return None

    def play(self, move: Move | str) -> Move:
        """Play a legal move, or the one that a text means, and return it; what was taken back is forgotten.

        >>> Game(Position.start()).play("c3c4")
        <Move c3-c4>

        Raises GameOver when the game has ended, and else whatever Position.play raises.
        """
        self._refuse_after_the_end(f"{str(move)!r} cannot be played")
        position = self.position
        if isinstance(move, str):
            move = position.parse_move(move)
        after = position.play(move)
        # Kept is our own move, not the equal one given, which may know fewer of its paths.
        own = position.legal_moves[position.legal_moves.index(move)]
        quiet_plies = 0 if makes_progress(position, own) else self.quiet_plies + 1
        self._undone.clear()
        self._take(_Turn(own, after, quiet_plies))
        return own

    @property
    def can_undo(self) -> bool:
        """Whether there is a move to take back."""
        return bool(self._played)

    @property
    def can_redo(self) -> bool:
        """Whether there is a move taken back that can be played again."""
        return bool(self._undone)

    def undo(self) -> Move:
        """Take back the last move and return it, and with it a resignation or an agreed draw.

        Raises ValueError when no move has been played.
        """
        if not self._played:
            raise ValueError(f"no move to take back: none has been played from {self.start.fen()}")
        turn = self._played.pop()
        self._seen[turn.position] -= 1
        self._undone.append(turn)
        self._settled = None
        return turn.move

    def redo(self) -> Move:
        """Play the move again that was taken back last, and return it.

        Raises GameOver when the game has been resigned or drawn meanwhile, ValueError when no move is left.
        """
        if not self._undone:
            raise ValueError(f"no move to play again: none has been taken back to {self.position.fen()}")
        self._refuse_after_the_end(f"'{self._undone[-1].move}' cannot be played again")
        turn = self._undone.pop()
        self._take(turn)
        return turn.move

    def resign(self, color: Color) -> None:
        """End the game as lost for one side, whoever is to move.

        Raises GameOver when it has ended.
        """
        self._refuse_after_the_end(f"{color.name.lower()} cannot resign")
        self._settled = Result(color.other, "resignation")

    def agree_draw(self) -> None:
        """End the game as a draw that both sides agreed on.

        Raises GameOver when it has ended.
        """
        self._refuse_after_the_end("no draw can be agreed")
        self._settled = Result(None, "agreement")

    def fen(self) -> str:
        """Return the present position as PDN FEN, with the clock where the rules have one and it is running.

        >>> game = Game.from_fen("W:WKa1,b2:BKh8:H12")
        >>> _ = game.play("b2-c2")
        >>> game.fen()
        'B:WKa1,c2:BKh8:H13'
        """
        return self._fen(self.position, self.quiet_plies)

    def start_fen(self) -> str:
        """Return the position in which the game began as PDN FEN, with its clock as `fen` has it."""
        return self._fen(self.start, self.start_quiet_plies)

    def _fen(self, position: Position, quiet_plies: int) -> str:
        return position.fen(0 if self.rules.clock_plies is None else quiet_plies)

    def _take(self, turn: _Turn) -> None:
        self._played.append(turn)
        self._seen[turn.position] += 1

    def _refuse_after_the_end(self, refusal: str) -> None:
        if result := self.result:
            raise GameOver(f"{refusal} in {self.position.fen()}: the game has ended, {result}")

    def __repr__(self) -> str:
        moves = " ".join(str(turn.move) for turn in self._played)
        return f"<Game of {self.rules.name} from {self.start.fen()}: {moves or 'no move yet'}>"


def makes_progress(position: Position, move: Move) -> bool:
    """Tell whether a legal move sets the quiet-move clock of the position's rules back to nothing.

    >>> position = Position.from_fen("W:Wb3:Bg6")
    >>> [str(move) for move in position.legal_moves if makes_progress(position, move)]
    ['b3-b4']
    """
    if move.captured:
        return True
    by_a_man = bool(position.pieces(position.turn).men & bit(move.origin))
    match position.rules.clock_progress:
        case "promotion":
            return move.promotes
        case "man moves":
            return by_a_man
        case "man steps forward":
            return steps_forward(position, move)


def steps_forward(position: Position, move: Move) -> bool:
    """Tell whether a legal move takes a man off its rank: no earlier position can then come up again.

    >>> position = Position.from_fen("W:Wb3:Bg6")
    >>> [str(move) for move in position.legal_moves if steps_forward(position, move)]
    ['b3-b4']
    """
    place = position.rules.grid.place
    is_man = bool(position.pieces(position.turn).men & bit(move.origin))
    return is_man and place(move.origin)[1] != place(move.target)[1]
