"""Positions: immutable values; playing a move returns a new one."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal

from dama import notation
from dama.errors import IllegalMove
from dama.move import Move
from dama.movegen.moves import Board, has_legal_move, legal_moves
from dama.pieces import Color, Pieces
from dama.rulesets import Ruleset, find_ruleset
from dama.squares import bit, squares_in

OutcomeReason = Literal["no_pieces", "no_legal_move", "several_men_vs_single_man", "king_vs_king"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game stands at its end; no winner means a draw."""

    winner: Color | None
    reason: OutcomeReason

    def __str__(self) -> str:
        return ending(self.winner, self.reason)


def ending(winner: Color | None, reason: str) -> str:
    """Return in words how a game has ended.

    >>> ending(None, "no_progress"), ending(Color.WHITE, "no_pieces")
    ('a draw: no progress', 'white has won: no pieces')
    """
    result = "a draw" if winner is None else f"{winner.name.lower()} has won"
    return f"{result}: {reason.replace('_', ' ')}"


@dataclass(frozen=True, init=False, repr=False)
class Position:
    """Where the pieces stand, whose turn it is, and by which rules.

    >>> position = Position.from_fen("W:Wb3,e2:Bb4,c5")
    >>> [str(move) for move in position.legal_moves]
    ['b3xb5xd5']
    >>> position.play("b3xb5xd5").fen()
    'B:We2,d5:B'

    The four sets of pieces are bitboards, the first square of the ruleset's grid (a1) the lowest bit.
    """

    white_men: int
    white_kings: int
    black_men: int
    black_kings: int
    turn: Color
    rules: Ruleset

    def __init__(
        self,
        white_men: int,
        white_kings: int,
        black_men: int,
        black_kings: int,
        turn: Color,
        rules: Ruleset,
    ) -> None:
        # Searches make millions: set one by one, as a frozen class does, fields take three times as long.
        fields = self.__dict__
        fields["white_men"], fields["white_kings"] = white_men, white_kings
        fields["black_men"], fields["black_kings"] = black_men, black_kings
        fields["turn"], fields["rules"] = turn, rules

    @classmethod
    def start(cls, rules: str | Ruleset = "turkish") -> "Position":
        """Return the position in which a game begins.

        >>> len(Position.start("turkish").legal_moves)
        8

        Raises ValueError for a name that is no preset.
        """
        ruleset = find_ruleset(rules)
        return cls.from_fen(ruleset.start, ruleset)

    @classmethod
    def from_fen(cls, text: str, rules: str | Ruleset = "turkish") -> "Position":
        """Return the position that a PDN FEN describes.

        >>> Position.from_fen("B:WKd4:Ba6,h7").turn
        <Color.BLACK: 'B'>

        ``rules`` is the name of a preset or a Ruleset. A clock (``:H12``) is read and dropped: it belongs to
        a game, not to a position. Raises InvalidNotation, naming the part that is wrong, and ValueError for a
        name that is no preset.
        """
        ruleset = find_ruleset(rules)
        turn, sides, _ = notation.parse_fen(text, ruleset.grid)
        white, black = sides[Color.WHITE], sides[Color.BLACK]
        return cls(white.men, white.kings, black.men, black.kings, turn, ruleset)

    def fen(self, quiet_plies: int = 0) -> str:
        """Return the position as PDN FEN, squares in board order, with what a game's clock shows if it runs.

        >>> position = Position.from_fen("W:W Kd4, a2:B h8 .")
        >>> position.fen(), position.fen(12)
        ('W:Wa2,Kd4:Bh8', 'W:Wa2,Kd4:Bh8:H12')
        """
        sides = {color: self.pieces(color) for color in Color}
        return notation.format_fen(notation.Fen(self.turn, sides, quiet_plies), self.rules.grid)

    def pieces(self, color: Color) -> Pieces:
        """Return the men and kings of one side."""
        if color is Color.WHITE:
            return Pieces(self.white_men, self.white_kings)
        return Pieces(self.black_men, self.black_kings)

    @cached_property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move, in board order.

        >>> position = Position.start()
        >>> position.parse_move("a3-a4") in position.legal_moves, len(position.legal_moves)
        (True, 8)
        """
        return _legal_moves(self._board, self.rules)

    def parse_move(self, text: str) -> Move:
        """Return the one legal move that the text means: a path, or its two ends, or the captured squares.

        >>> Position.from_fen("W:Wb3:Bb4,c5").parse_move("b3:d5")
        <Move b3xb5xd5>

        Raises InvalidNotation, IllegalMove or AmbiguousMove; the messages hold the text and the FEN.
        """
        return notation.parse_move(text, self.legal_moves, self.fen(), self.rules.grid)

    def play(self, move: Move | str) -> "Position":
        """Return the position after a legal move.

        >>> Position.start().play("a3-a4").play("a6-a5").turn
        <Color.WHITE: 'W'>

        Raises IllegalMove, and for a text whatever parse_move raises.
        """
        if isinstance(move, str):
            return self.after(self.parse_move(move))
        # Played is our own move, not the equal one given: one made elsewhere may crown where ours does not.
        own = next((legal for legal in self.legal_moves if legal == move), None)
        if own is None:
            expected = notation.expected_moves(self.legal_moves)
            raise IllegalMove(f"'{move}' is not legal in {self.fen()}: {expected}", self.legal_moves)
        return self.after(own)

    def after(self, move: Move) -> "Position":
        """Return the position after a move taken from ``legal_moves``, which is not checked again."""
        path, captured = move.paths[0], 0
        for square in move.captured:
            captured |= 1 << square
        return self.moved(path[0], path[-1], captured)

    def moved(self, origin: int, target: int, captured: int) -> "Position":
        """Return the position after the move between two squares that takes the pieces of a bitboard.

        >>> Position.from_fen("W:Wa7:BKb7,h6").moved(48, 57, 1 << 49).fen()
        'B:WKb8:Bh6'

        Nothing is checked: the move must be legal. A man that ends on its last rank is crowned.
        """
        # Searches by these rules spend their time here and in has_legal_move.
        start, end, turn, rules = 1 << origin, 1 << target, self.turn, self.rules
        if turn is Color.WHITE:
            men, kings = self.white_men, self.white_kings
            enemy_men, enemy_kings = self.black_men, self.black_kings
        else:
            men, kings = self.black_men, self.black_kings
            enemy_men, enemy_kings = self.white_men, self.white_kings
        if captured:
            enemy_men, enemy_kings = enemy_men & ~captured, enemy_kings & ~captured
        if kings & start:
            kings = kings & ~start | end
        elif end & rules.grid.crowning(turn):
            men, kings = men & ~start, kings | end
        else:
            men = men & ~start | end
        if turn is Color.WHITE:
            return Position(men, kings, enemy_men, enemy_kings, Color.BLACK, rules)
        return Position(enemy_men, enemy_kings, men, kings, Color.WHITE, rules)

    def outcome(self) -> Outcome | None:
        """Return how the game has ended, or None while it goes on.

        >>> Position.from_fen("B:Wa4:B").outcome()
        Outcome(winner=<Color.WHITE: 'W'>, reason='no_pieces')

        Repetition and the quiet-move clock belong to a game, not to a position.
        """
        white, black = self.white_men | self.white_kings, self.black_men | self.black_kings
        if not white or not black:
            winner = Color.WHITE if white else Color.BLACK if black else self.turn.other
            return Outcome(winner, "no_pieces")
        if not has_legal_move(self._board, self.rules):
            return Outcome(self.turn.other, "no_legal_move")
        counts = white.bit_count(), black.bit_count()
        if self.rules.several_men_beat_one and not (self.white_kings or self.black_kings):
            if min(counts) == 1 < max(counts):
                return Outcome(Color.WHITE if counts[0] > 1 else Color.BLACK, "several_men_vs_single_man")
        elif self.rules.one_king_each_draws and not (self.white_men or self.black_men) and counts == (1, 1):
            return Outcome(None, "king_vs_king")
        return None

    def attacked(self, color: Color) -> frozenset[int]:
        """Return the squares of a side's pieces that the other side could take if it were to move.

        >>> position = Position.from_fen("W:Wb2,b3:Bb4,c5")
        >>> sorted(position.attacked(Color.BLACK)), sorted(position.attacked(Color.WHITE))
        ([25, 34], [])
        """
        attacking = self if self.turn is color.other else replace(self, turn=color.other)
        return frozenset(square for move in attacking.legal_moves for square in move.captured)

    def mirrored(self) -> "Position":
        """Return the position seen in a mirror held left to right.

        >>> Position.from_fen("W:Wa2:Bb7").mirrored().fen()
        'W:Wh2:Bg7'

        Raises ValueError on the diagonal board, which is not its own mirror image.
        """
        mirrored = self.rules.grid.mirrored_bitboard
        return Position(
            mirrored(self.white_men),
            mirrored(self.white_kings),
            mirrored(self.black_men),
            mirrored(self.black_kings),
            self.turn,
            self.rules,
        )

    def swapped(self) -> "Position":
        """Return the position with colours and sides swapped: the same game as the other side sees it.

        >>> Position.from_fen("W:Wa2:Bb7").swapped().fen()
        'B:Wb2:Ba7'
        """
        swapped = self.rules.grid.swapped_bitboard
        return Position(
            swapped(self.black_men),
            swapped(self.black_kings),
            swapped(self.white_men),
            swapped(self.white_kings),
            self.turn.other,
            self.rules,
        )

    def status(self) -> list[str]:
        """Return every defect that no game could have brought about; an empty list is a sound position.

        >>> Position.from_fen("W:Wa8:B").status()
        ['white man on its last rank: a8', 'black has no piece']
        """
        grid, defects = self.rules.grid, []
        if shared := self._shared_squares():
            defects.append(f"two pieces on one square: {' '.join(map(grid.name, squares_in(shared)))}")
        for color in Color:
            pieces, name = self.pieces(color), color.name.lower()
            if stranded := pieces.men & grid.crowning(color):
                squares = " ".join(map(grid.name, squares_in(stranded)))
                defects.append(f"{name} man on its last rank: {squares}")
            if (count := pieces.all.bit_count()) > self.rules.pieces_a_side:
                defects.append(f"{name} has {count} pieces, more than {self.rules.pieces_a_side}")
            if not pieces.all:
                defects.append(f"{name} has no piece")
        return defects

    def _shared_squares(self) -> int:
        occupied = shared = 0
        for pieces in (self.white_men, self.white_kings, self.black_men, self.black_kings):
            shared |= occupied & pieces
            occupied |= pieces
        return shared

    @property
    def _board(self) -> Board:
        if self.turn is Color.WHITE:
            return Board(self.white_men, self.white_kings, self.black_men, self.black_kings, self.turn)
        return Board(self.black_men, self.black_kings, self.white_men, self.white_kings, self.turn)

    def __repr__(self) -> str:
        return f"Position.from_fen({self.fen()!r}, {self.rules.name!r})"

    def __str__(self) -> str:
        grid, rows = self.rules.grid, []
        for rank in range(7, -1, -1):
            row = [grid.square_at(file, rank) for file in range(8)]
            letters = " ".join(" " if square is None else self._letter(bit(square)) for square in row)
            first = next(square for square in row if square is not None)
            label = str(rank + 1) if grid.is_full else f"{grid.name(first):>2}"
            rows.append(f"{label} {letters}".rstrip())
        return "\n".join((*rows, "  a b c d e f g h") if grid.is_full else rows)

    def _letter(self, square: int) -> str:
        letters = (
            (self.white_men, "w"),
            (self.white_kings, "W"),
            (self.black_men, "b"),
            (self.black_kings, "B"),
        )
        return next((letter for pieces, letter in letters if pieces & square), ".")


@lru_cache(maxsize=4096)
def _legal_moves(board: Board, rules: Ruleset) -> tuple[Move, ...]:
    # A proof is built, walked, searched and looked at from many sides: its positions come up again and again.
    return tuple(legal_moves(board, rules))
