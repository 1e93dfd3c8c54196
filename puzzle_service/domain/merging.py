"""Merging two players' attempts at one puzzle: the better result stays."""

from puzzle_service.domain.attempts import Progress, State

_RANK: dict[State, int] = {"solved": 2, "open": 1, "failed": 0}


def better(one: Progress, other: Progress) -> bool:
    """Tell whether a player who stands like one stands better than like the other.

    Solved is better than open, and open than failed; among those alike, more attempts left, then further on
    in the one in play, then more slow moves left. A puzzle solved in fewer attempts has more of them left.

    >>> from puzzle_service.domain.attempts import Try, progress
    >>> better(progress([Try(1, (), "solved")]), progress([Try(1, (), "wrong"), Try(2, (), "solved")]))
    True
    """
    return _worth(one) > _worth(other)


def _worth(stands: Progress) -> tuple[int, int, int, int]:
    further = len(stands.plies) if stands.state == "open" else 0
    return _RANK[stands.state], stands.attempts_left, further, stands.slow_left
