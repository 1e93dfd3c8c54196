"""The diagrams of Italian dama: positions, with every legal move and some forbidden ones."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from dama.pieces import Color
from puzzle_service.web.rule_pages.content import Diagram, Ending, Forbidden, Legal


def _only(*priorities: str) -> Mapping[str, object]:
    return MappingProxyType({"priorities": priorities})


START: Final = Diagram(
    "start",
    "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    tuple(map(Legal, ("21-17", "21-18", "22-18", "22-19", "23-19", "23-20", "24-20"))),
    is_start=True,
)
MAN: Final = Diagram(
    "man",
    "W:W22:B1,2",
    (Legal("22-18"), Legal("22-19")),
    (
        Forbidden("22-26", "backwards", legal_in="W:WK22:B1,2"),
        Forbidden("22-15", "too far", legal_under={"flying_kings": True}, legal_in="W:WK22:B1,2"),
    ),
)
KING: Final = Diagram(
    "king",
    "W:WK18:B1,2",
    (Legal("18-13"), Legal("18-14"), Legal("18-21"), Legal("18-22")),
    (Forbidden("18-11", "king too far", legal_under={"flying_kings": True}),),
)
MAN_TAKES: Final = Diagram(
    "man-takes",
    "W:W22:B18,19,26",
    (Legal("22x13", ("18",)), Legal("22x15", ("19",))),
    (Forbidden("22x29", "capture backwards", legal_in="W:WK22:B18,19,26"),),
)
KING_IS_SAFE: Final = Diagram(
    "king-is-safe",
    "W:W22,32:BK18",
    (Legal("22-19"), Legal("32-28")),
    (Forbidden("22x13", "king is safe", legal_in="W:W22,32:B18"),),
)
MUST_CAPTURE: Final = Diagram(
    "must-capture",
    "W:W22,32:B18",
    (Legal("22x13", ("18",)),),
    (Forbidden("32-28", "must capture", legal_in="W:W22,32:BK18"),),
)
KING_TAKES: Final = Diagram(
    "king-takes",
    "W:WK14:BK19,10",
    (Legal("14x23", ("19",)),),
    (Forbidden("14x5", "more kings", legal_under=_only("most pieces", "with a king")),),
)
SERIES: Final = Diagram(
    "series",
    "W:W29:B11,19,26",
    (Legal("29x22x15x6", ("11", "19", "26")),),
    (Forbidden("29x22", "goes on", legal_in="W:W29:B11,26"),),
)
SHIELD: Final = Diagram("shield", "W:W29:B11,K19,26", (Legal("29x22", ("26",)),))
MOST: Final = Diagram(
    "most",
    "W:W21,24:B10,18,20",
    (Legal("21x14x5", ("10", "18")),),
    (Forbidden("24x15", "fewer", legal_under=_only()),),
)
WITH_KING: Final = Diagram(
    "with-king",
    "W:WK12,22:B15,18",
    (Legal("12x19", ("15",)),),
    (Forbidden("22x13", "with the king", legal_under=_only("most pieces")),),
)
KING_EARLIER: Final = Diagram(
    "king-earlier",
    "W:WK14:BK11,12,18,K26",
    (Legal("14x7x16", ("11", "12")),),
    (Forbidden("14x21x30", "king earlier", legal_under=_only("most pieces", "with a king", "most kings")),),
)
MORE_BEFORE_EARLIER: Final = Diagram(
    "more-before-earlier",
    "W:WK20:BK6,K14,15,22,23",
    (Legal("20x27x18x11x2", ("6", "14", "22", "23")),),
)
LATER_KINGS: Final = Diagram(
    "later-kings",
    "W:WK8:BK12,18,K19,20,K28",
    (Legal("8x15x22x13", ("12", "18", "19")), Legal("8x15x24x31", ("12", "20", "28"))),
)
CROWNED: Final = Diagram(
    "crowned",
    "W:W11:B5,6",
    (Legal("11x2", ("6",), crowns=True),),
    (Forbidden("11x2x9", "stops there", legal_in="W:WK11:B5,6"),),
)
LOOP: Final = Diagram(
    "loop",
    "W:WK22:B10,11,18,19",
    (Legal("22x13x6x15x22", ("10", "11", "18", "19"), also=("22x15x6x13x22",)),),
)
TAKEN: Final = Diagram(
    "taken",
    "W:W22:B18",
    (Legal("22x13", ("18",)),),
    endings=(Ending(("22x13",), "no_pieces", Color.WHITE),),
)
BLOCKED: Final = Diagram("blocked", "W:W13:BK9,K10", (), endings=(Ending((), "no_legal_move", Color.BLACK),))
_KINGS: Final = "W:WK29:BK4"
KINGS: Final = Diagram("kings", _KINGS, (Legal("29-25"), Legal("29-26")), endings=(Ending((), None),))
REPEATED: Final = Diagram(
    "repeated",
    _KINGS,
    (Legal("29-25"), Legal("29-26")),
    endings=(Ending(("29-25", "4-8", "25-29", "8-4") * 2, "threefold"),),
)
SEVERAL: Final = Diagram(
    "several",
    "W:W29,30:B4",
    (Legal("29-25"), Legal("29-26"), Legal("30-26"), Legal("30-27")),
    endings=(Ending((), None),),
)
CLOCK_STOPS: Final = Diagram(
    "clock-stops",
    "W:WK29,24:BK4:H79",
    (Legal("24-20"), Legal("29-25"), Legal("29-26")),
    endings=(Ending(("29-25",), "no_progress"), Ending(("24-20",), None)),
)
