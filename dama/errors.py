"""What can be wrong with a text: each is a ValueError whose message holds the input and what was expected."""


class InvalidNotation(ValueError):  # noqa: N818  (the field's name for it)
    """A text that cannot be a position or a move."""


class IllegalMove(ValueError):  # noqa: N818
    """A well-formed move that the rules do not allow in the position."""


class AmbiguousMove(ValueError):  # noqa: N818
    """A move text that fits several legal moves."""
