"""Which state of a puzzle may follow which."""

import pytest

from puzzle_service.domain.review import Status, may_become

ALLOWED = {
    ("candidate", "approved"),
    ("candidate", "rejected"),
    ("candidate", "published"),
    ("approved", "approved"),
    ("approved", "rejected"),
    ("approved", "published"),
    ("rejected", "approved"),
    ("published", "withdrawn"),
}


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("following", Status)
def test_only_these_states_follow_each_other(status: Status, following: Status) -> None:
    assert may_become(status, following) is ((status, following) in ALLOWED)
