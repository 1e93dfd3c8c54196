"""Names that reviewers read: statuses, themes, sources, alarms, and why a decision was refused."""

from puzzle_service.domain.review import Status
from puzzle_service.services.stock import Alarm
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.notices import Notice


def status(value: Status) -> str:
    """Return the name of a status, for a heading or a tab."""
    return {
        Status.CANDIDATE: _("Candidates"),
        Status.APPROVED: _("Approved"),
        Status.PUBLISHED: _("Published"),
        Status.REJECTED: _("Rejected"),
        Status.WITHDRAWN: _("Withdrawn"),
    }[value]


def theme(name: str) -> str:
    """Return the name of a theme; one that a newer generator brings is shown as it is."""
    names = {
        "sacrifice": _("sacrifice"),
        "multi-capture": _("multi-capture"),
        "promotion": _("promotion"),
        "blockade": _("blockade"),
        "king hunt": _("king hunt"),
    }
    return names.get(name, name)


def source(name: str) -> str:
    """Return the name of a source; one that a newer generator brings is shown as it is."""
    names = {
        "self-play": _("self-play"),
        "random placement": _("random placement"),
        "random placement, mostly men": _("random placement, mostly men"),
    }
    return names.get(name, name)


def alarm(value: Alarm | None) -> Notice | None:
    """Return what an admin must look after now, or None."""
    if value is None:
        return None
    title, rest = {
        "from_reserve": (
            _("The last puzzle came from the reserve."),
            _("No approved puzzle was left: approve some."),
        ),
        "brought_forward": (
            _("The last puzzle had been kept for a later day."),
            _("No other approved puzzle was left: approve some."),
        ),
        "no_approved": (
            _("No approved puzzle is left for the next day."),
            _("It will come from the reserve unless you approve one."),
        ),
        "nothing_left": (_("No puzzle is left at all."), _("Import some and approve them.")),
    }[value]
    return Notice("bad", title, rest)


def refusal(code: str) -> str:
    """Return why a decision was refused, from a service's code."""
    reasons = {
        "not_allowed": _("Somebody has decided about this puzzle already."),
        "day_passed": _("That day has passed."),
        "day_taken": _("That day has its puzzle already."),
    }
    return reasons.get(code, _("This could not be done."))
