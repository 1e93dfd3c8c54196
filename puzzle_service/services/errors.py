"""What a use case can refuse."""


class ServiceError(Exception):
    """A request that cannot be met; ``code`` says why to programs, the message to operators.

    Codes: not_found, bad_request, stale, closed, not_yet, bad_line, not_allowed, day_passed, day_taken,
    too_far, same_day, nothing_left, changed, not_scheduled, not_undoable, undone, bad_name, name_taken,
    has_account, weak_password, common_password, wrong_password, bad_words, last_admin.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
