"""The diagrams of Turkish dama: positions, with every legal move and some forbidden ones."""

from types import MappingProxyType
from typing import Final

from dama.pieces import Color
from puzzle_service.web.rule_pages.content import Diagram, Ending, Forbidden, Legal

_ANY_SERIES: Final = MappingProxyType({"priorities": ()})
_LEAVE_AT_ONCE: Final = MappingProxyType({"removal_at_once": True})

START: Final = Diagram(
    "start",
    "W:Wa2,b2,c2,d2,e2,f2,g2,h2,a3,b3,c3,d3,e3,f3,g3,h3:Ba6,b6,c6,d6,e6,f6,g6,h6,a7,b7,c7,d7,e7,f7,g7,h7",
    tuple(map(Legal, ("a3-a4", "b3-b4", "c3-c4", "d3-d4", "e3-e4", "f3-f4", "g3-g4", "h3-h4"))),
    is_start=True,
)
MAN: Final = Diagram(
    "man",
    "W:Wd4:Bg7,Kh8",
    tuple(map(Legal, ("d4-c4", "d4-e4", "d4-d5"))),
    (
        Forbidden("d4-d3", "backwards", legal_in="W:WKd4:Bg7,Kh8"),
        Forbidden("d4-e5", "diagonal"),
        Forbidden("d4-d6", "too far", legal_in="W:WKd4:Bg7,Kh8"),
    ),
)
KING: Final = Diagram(
    "king",
    "W:Wd6,Kd4:Bh4",
    tuple(
        map(
            Legal,
            (
                *("d4-d1", "d4-d2", "d4-d3", "d4-a4", "d4-b4", "d4-c4", "d4-e4", "d4-f4", "d4-g4", "d4-d5"),
                *("d6-c6", "d6-e6", "d6-d7"),
            ),
        )
    ),
    (
        Forbidden("d4-d7", "own piece", legal_in="W:WKd4:Bh4"),
        Forbidden("d4-f6", "diagonal"),
    ),
)
MAN_TAKES: Final = Diagram(
    "man-takes",
    "W:Wd4:Bc4,e4,d5,Kh8",
    (Legal("d4xb4", ("c4",)), Legal("d4xf4", ("e4",)), Legal("d4xd6", ("d5",))),
)
NOT_BEHIND: Final = Diagram(
    "not-behind",
    "W:Wd4:Bd3,c5,Kh8",
    tuple(map(Legal, ("d4-c4", "d4-e4", "d4-d5"))),
    (
        Forbidden("d4xd2", "capture backwards", legal_in="W:WKd4:Bd3,c5,Kh8"),
        Forbidden("d4xb6", "diagonal"),
    ),
)
TWO_IN_A_ROW: Final = Diagram(
    "two-in-a-row",
    "W:Wd4:Bd5,d6,Kh8",
    (Legal("d4-c4"), Legal("d4-e4")),
    (Forbidden("d4xd6", "two in a row", legal_in="W:Wd4:Bd5,Kh8"),),
)
MUST_CAPTURE: Final = Diagram(
    "must-capture",
    "W:Wa2,h4:Bh5,a7",
    (Legal("h4xh6", ("h5",)),),
    (Forbidden("a2-a3", "must capture", legal_in="W:Wa2,h4:Ba7"),),
)
KING_TAKES: Final = Diagram(
    "king-takes",
    "W:WKa4:Be4,b7",
    tuple(Legal(f"a4x{square}", ("e4",)) for square in ("f4", "g4", "h4")),
    (Forbidden("a4-a7", "must capture", legal_in="W:WKa4:Bb7"),),
)
KING_STOPPED: Final = Diagram(
    "king-stopped",
    "W:WKa4:Bd4,e4,b7",
    tuple(
        map(
            Legal,
            ("a4-a1", "a4-a2", "a4-a3", "a4-b4", "a4-c4", "a4-a5", "a4-a6", "a4-a7", "a4-a8"),
        )
    ),
    (Forbidden("a4xf4", "two in a row", legal_in="W:WKa4:Bd4,b7"),),
)
SERIES: Final = Diagram(
    "series",
    "W:Wa2:Ba3,b4,c5,Kh8",
    (Legal("a2xa4xc4xc6", ("a3", "b4", "c5")),),
    (Forbidden("a2xa4", "goes on", legal_in="W:Wa2:Ba3,c5,Kh8"),),
)
KING_SERIES: Final = Diagram(
    "king-series",
    "W:WKa1:Ba4,c6,Kh8",
    tuple(Legal(f"a1xa6x{square}", ("a4", "c6")) for square in ("d6", "e6", "f6", "g6", "h6")),
    (Forbidden("a1xa5", "fewer", legal_under=_ANY_SERIES),),
)
MOST: Final = Diagram(
    "most",
    "W:Wd4:Bc4,b5,Kd5",
    (Legal("d4xb4xb6", ("c4", "b5")),),
    (Forbidden("d4xd6", "fewer", legal_under=_ANY_SERIES),),
)
EQUAL: Final = Diagram(
    "equal",
    "W:WKh1,a2:Ba3,h5",
    (Legal("a2xa4", ("a3",)), *(Legal(f"h1x{square}", ("h5",)) for square in ("h6", "h7", "h8"))),
)
CROWNED: Final = Diagram(
    "crowned",
    "W:Wd7:Ba7,Kh5",
    (Legal("d7-c7"), Legal("d7-e7"), Legal("d7-d8", crowns=True)),
)
CROWNED_LATER: Final = Diagram(
    "crowned-later",
    "W:Wd6:Be4,d7,Kc8,f8",
    (Legal("d6xd8xb8", ("d7", "c8"), crowns=True),),
    (
        Forbidden("d6xd8", "goes on", legal_in="W:Wd6:Be4,d7"),
        Forbidden("d6xd8xg8", "still a man", legal_in="W:WKd6:Be4,d7,Kc8,f8"),
    ),
)
LOOP: Final = Diagram(
    "loop",
    "W:WKa1:BKc1,a3,e3,c5,Kh8",
    (
        Legal("a1xa5xe5xe1xa1", ("c1", "a3", "e3", "c5"), also=("a1xe1xe5xa5xa1",)),
        Legal("a1xa5xe5xe1xb1", ("c1", "a3", "e3", "c5")),
        Legal("a1xe1xe5xa5xa2", ("c1", "a3", "e3", "c5")),
    ),
)
ACROSS: Final = Diagram(
    "across",
    "W:WKc3:Bc2,d3,g6,d7",
    (Legal("c3xg3xg7xc7xc1", ("c2", "d3", "g6", "d7")),),
)
STRAIGHT_ON: Final = Diagram(
    "straight-on",
    "W:WKa4:Bc4,e4",
    tuple(Legal(f"a4xd4x{square}", ("c4", "e4")) for square in ("f4", "g4", "h4")),
)
CORNERS: Final = Diagram(
    "corners",
    "W:WKb1:Bb4,f4,d6,Kh8",
    tuple(Legal(f"b1xb6xf6x{square}", ("b4", "f4", "d6")) for square in ("f1", "f2", "f3")),
)
_TURN: Final = "W:WKd4:Bb4,f4"
_TURN_LEGAL: Final = (Legal("d4xa4", ("b4",)), Legal("d4xg4", ("f4",)), Legal("d4xh4", ("f4",)))
NO_TURN: Final = Diagram(
    "no-turn",
    _TURN,
    _TURN_LEGAL,
    (Forbidden("d4xa4xg4", "turns back", legal_under={"turning_back": True}),),
)
NO_TURN_AT_END: Final = Diagram(
    "no-turn-at-end",
    _TURN,
    _TURN_LEGAL,
    (Forbidden("d4xa4xg4", "still there", legal_under={"turning_back": True, "removal_at_once": True}),),
)
ONE_MOVE: Final = Diagram(
    "one-move",
    "W:WKa1:Ba3,a6,Kh8",
    (
        Legal("a1xa4xa7", ("a3", "a6"), also=("a1xa5xa7",)),
        Legal("a1xa4xa8", ("a3", "a6"), also=("a1xa5xa8",)),
    ),
)

_CROSSING: Final = "W:WKe8:Bd4,a6,e7,g7"
AT_ONCE: Final = (
    Diagram(
        "at-once-crossing",
        _CROSSING,
        (Legal("e8xe4xa4xa7xh7", ("d4", "a6", "e7", "g7")),),
        (Forbidden("e8xe4xa4xa8", "fewer", legal_under=_ANY_SERIES),),
    ),
    Diagram(
        "at-once-landing",
        "W:WKa2:Ba3,b3,c4,b6,g8",
        (Legal("a2xa6xc6xc3xa3", ("a3", "b3", "c4", "b6")),),
    ),
)
AT_THE_END: Final = (
    Diagram(
        "at-the-end-crossing",
        _CROSSING,
        tuple(Legal(f"e8xe4xa4x{square}", ("d4", "a6", "e7")) for square in ("a7", "a8")),
        (Forbidden("e8xe4xa4xa7xh7", "still there", legal_under=_LEAVE_AT_ONCE),),
    ),
    Diagram(
        "at-the-end-shield",
        "W:WKa2:Ba3,b3,c4,b6,g8",
        tuple(Legal(f"a2xa6xc6x{square}", ("a3", "c4", "b6")) for square in ("c1", "c2", "c3")),
        (Forbidden("a2xa6xc6xc3xa3", "still there", legal_under=_LEAVE_AT_ONCE),),
    ),
)

TAKEN: Final = Diagram(
    "taken",
    "W:Wd4:Bd5",
    (Legal("d4xd6", ("d5",)),),
    endings=(Ending(("d4xd6",), "no_pieces", Color.WHITE),),
)
BLOCKED: Final = Diagram(
    "blocked", "B:Wa3,a4,b5,c5:Ba5", (), endings=(Ending((), "no_legal_move", Color.WHITE),)
)

_SHUFFLE: Final = ("a4-b4", "h5-g5", "b4-a4", "g5-h5") * 2
REPEATED: Final = Diagram(
    "repeated",
    "W:Wa4:Bh5",
    (Legal("a4-b4"), Legal("a4-a5")),
    endings=(Ending(_SHUFFLE, "threefold"),),
)
REPEATED_FREELY: Final = Diagram(
    "repeated-freely", "W:Wa4:Bh5", (Legal("a4-b4"), Legal("a4-a5")), endings=(Ending(_SHUFFLE * 4, None),)
)
_KINGS: Final = "W:WKa1:BKa4"
_KING_TAKES_KING: Final = tuple(Legal(f"a1x{square}", ("a4",)) for square in ("a5", "a6", "a7", "a8"))
KINGS_DRAW: Final = Diagram("kings-draw", _KINGS, _KING_TAKES_KING, endings=(Ending((), "king_vs_king"),))
KINGS_PLAY_ON: Final = Diagram("kings-play-on", _KINGS, _KING_TAKES_KING, endings=(Ending((), None),))
_SEVERAL: Final = "W:Wa4,b4,c4:Bh7"
_SEVERAL_MOVES: Final = tuple(map(Legal, ("c4-d4", "a4-a5", "b4-b5", "c4-c5")))
SEVERAL_PLAY_ON: Final = Diagram("several-play-on", _SEVERAL, _SEVERAL_MOVES, endings=(Ending((), None),))
SEVERAL_WIN: Final = (
    Diagram(
        "several-win",
        _SEVERAL,
        _SEVERAL_MOVES,
        endings=(Ending((), "several_men_vs_single_man", Color.WHITE),),
    ),
    Diagram(
        "several-win-at-once",
        "B:Wb3,a4:Bc3",
        (Legal("c3xa3", ("b3",)),),
        endings=(Ending((), "several_men_vs_single_man", Color.WHITE),),
    ),
)
CLOCK_STOPS: Final = Diagram(
    "clock-stops",
    "W:Wa4:Bh5:H49",
    (Legal("a4-b4"), Legal("a4-a5")),
    endings=(Ending(("a4-b4",), "no_progress"), Ending(("a4-a5",), None)),
)
CLOCK_STOPS_BUT_FOR_KINGS: Final = Diagram(
    "clock-stops-but-for-kings",
    "W:Wc4,a7:Bh5:H39",
    (Legal("c4-b4"), Legal("c4-d4"), Legal("c4-c5"), Legal("a7-b7"), Legal("a7-a8", crowns=True)),
    endings=(Ending(("c4-c5",), "no_progress"), Ending(("a7-a8",), None)),
)
NO_CLOCK: Final = Diagram(
    "no-clock",
    "W:Wa4:Bh5:H200",
    (Legal("a4-b4"), Legal("a4-a5")),
    endings=(Ending(("a4-b4",), None),),
)


def _wins_last(plies: int) -> Diagram:
    return Diagram(
        "wins-on-the-last",
        f"W:Wa3,b4,b5,c5:Ba5:H{plies}",
        tuple(map(Legal, ("a3-b3", "a3-a4", "b4-a4", "b4-c4", "c5-d5", "b5-b6", "c5-c6"))),
        endings=(Ending(("b4-a4",), "no_legal_move", Color.WHITE),),
    )


DIFFERENT: Final = MappingProxyType(
    {
        "turkish": {
            "removal": AT_ONCE,
            "turn": (NO_TURN,),
            "clock": (CLOCK_STOPS, _wins_last(49)),
            "repetition": (REPEATED,),
            "few": (KINGS_DRAW, SEVERAL_PLAY_ON),
        },
        "turkish-classic": {
            "removal": AT_ONCE,
            "turn": (NO_TURN,),
            "clock": (NO_CLOCK,),
            "repetition": (REPEATED,),
            "few": (KINGS_DRAW, *SEVERAL_WIN),
        },
        "turkish-yoz": {
            "removal": AT_THE_END,
            "turn": (NO_TURN_AT_END,),
            "clock": (CLOCK_STOPS_BUT_FOR_KINGS, _wins_last(39)),
            "repetition": (REPEATED_FREELY,),
            "few": (KINGS_PLAY_ON, SEVERAL_PLAY_ON),
        },
    }
)
"""The diagrams in which the presets differ, by preset and topic."""
