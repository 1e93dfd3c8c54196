"""What a use case can refuse."""


class ServiceError(Exception):
    """A request that cannot be met; ``code`` says why to programs, the message to operators.

    Codes: not_found, bad_request, stale, closed, not_yet, bad_line, not_allowed, day_passed, day_taken,
    nothing_left, name_taken, weak_password.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
