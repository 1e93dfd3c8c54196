"""The states of a puzzle on its way to the public, and which may follow which."""

from enum import StrEnum
from typing import Final


class Status(StrEnum):
    """Where a puzzle stands; *scheduled* is approved with a day."""

    CANDIDATE = "candidate"
    APPROVED = "approved"
    PUBLISHED = "published"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


FOLLOWING: Final[dict[Status, frozenset[Status]]] = {
    # Straight from candidate to published is the reserve: no day stays empty while a proved puzzle is left.
    Status.CANDIDATE: frozenset({Status.APPROVED, Status.REJECTED, Status.PUBLISHED}),
    # Approving again moves a puzzle to another day, or takes its day away.
    Status.APPROVED: frozenset({Status.APPROVED, Status.REJECTED, Status.PUBLISHED}),
    Status.REJECTED: frozenset({Status.APPROVED}),
    Status.PUBLISHED: frozenset({Status.WITHDRAWN}),
    Status.WITHDRAWN: frozenset(),
}


def may_become(status: Status, following: Status) -> bool:
    """Tell whether a puzzle may go from one state to another.

    >>> may_become(Status.CANDIDATE, Status.APPROVED), may_become(Status.PUBLISHED, Status.REJECTED)
    (True, False)
    """
    return following in FOLLOWING[status]
