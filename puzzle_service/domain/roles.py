"""What an account may do."""

from enum import StrEnum


class Role(StrEnum):
    """A *player* plays; a *reviewer* also decides about puzzles and days; an *admin* also about reviewers."""

    PLAYER = "player"
    REVIEWER = "reviewer"
    ADMIN = "admin"

    @property
    def reviews(self) -> bool:
        """Whether the admin pages are there for this role."""
        return self is not Role.PLAYER
