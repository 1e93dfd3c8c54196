"""What reviewers read: names of statuses, themes, sources and roles, alarms, what was done, and why not."""

from typing import Literal

from babel.lists import format_list

from dama.rulesets import Ruleset
from puzzle_service.domain.names import DELETED, OPERATOR
from puzzle_service.domain.review import Status
from puzzle_service.domain.roles import Role
from puzzle_service.domain.supply import Source
from puzzle_service.services.audit import Action, Entry
from puzzle_service.services.puzzles import PuzzleSummary
from puzzle_service.services.schedule import Day, Preview
from puzzle_service.services.stock import Alarm, Order
from puzzle_service.web.i18n import date_label, language, ngettext
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


def standing(puzzle: PuzzleSummary) -> str:
    """Return where a puzzle stands: out as which puzzle, set for which day, or its state."""
    if puzzle.published_on is not None:
        return _("puzzle %(number)d of %(day)s", number=puzzle.number, day=date_label(puzzle.published_on))
    if puzzle.day is not None:
        return _("set for %(day)s", day=date_label(puzzle.day))
    return {
        Status.CANDIDATE: _("candidate"),
        Status.APPROVED: _("approved"),
        Status.PUBLISHED: _("published"),
        Status.REJECTED: _("rejected"),
        Status.WITHDRAWN: _("withdrawn"),
    }[puzzle.status]


def theme(name: str) -> str:
    """Return the name of a theme; one that a newer generator brings is shown as it is."""
    names = {
        "180° trap": _("180° trap"),
        "blockade": _("blockade"),
        "quiet key": _("quiet key"),
        "zugzwang": _("zugzwang"),
        "last-row pass": _("last-row pass"),
        "sacrifice": _("sacrifice"),
        "multi-sacrifice": _("multi-sacrifice"),
        "multi-capture": _("multi-capture"),
        "sweep": _("sweep"),
        "promotion": _("promotion"),
        "promote-and-give": _("promote-and-give"),
        "king hunt": _("king hunt"),
        "branching": _("branching"),
        "men only": _("men only"),
        "majority": _("majority"),
        "instant removal": _("instant removal"),
    }
    return names.get(name, name)


def ruleset(rules: Ruleset) -> str:
    """Return the name of a ruleset; one that is no preset is shown as it calls itself."""
    names = {
        "turkish": _("Turkish dama"),
        "turkish-classic": _("Turkish draughts, classic"),
        "turkish-yoz": _("Turkish dama, late removal"),
        "italian": _("Italian dama"),
    }
    return names.get(rules.name, rules.title)


def source(name: str) -> str:
    """Return the name of a source; one that a newer generator brings is shown as it is."""
    names = {
        "retrograde": _("retrograde"),
        "retrograde, four plies": _("retrograde, four plies"),
        "retrograde from blocked": _("retrograde from blocked positions"),
        "random placement": _("random placement"),
        "random placement, mostly men": _("random placement, mostly men"),
        "thinned middlegame": _("thinned middlegame"),
        "self-play": _("self-play"),
        "mutation": _("mutation"),
        "file": _("file"),
    }
    return names.get(name, name)


def role(value: Role) -> str:
    """Return the name of a role."""
    return {Role.PLAYER: _("Player"), Role.REVIEWER: _("Reviewer"), Role.ADMIN: _("Admin")}[value]


def alarm(value: Alarm) -> Notice:
    """Return what an admin must look after now, and how."""
    title, rest = {
        "nothing_left": (_("No puzzle is left at all."), _("Import some and approve them.")),
        "ahead": (
            _("A day that is still to come is out already."),
            _("The clock ran ahead; take the day back, or nothing is published until then."),
        ),
        "late": (
            _("Today's puzzle is late."),
            _("Neither the scheduler nor a visitor has published it: see whether both are running."),
        ),
        "no_scheduler": (
            _("The scheduler does not run."),
            _("Puzzles come out with the first visitor only: start it again."),
        ),
        "no_approved": (
            _("No approved puzzle is left for the next day."),
            _("It will come from the reserve unless you approve one."),
        ),
        "brought_forward": (
            _("The last puzzle had been kept for a later day."),
            _("No other approved puzzle was left: approve some."),
        ),
        "from_reserve": (
            _("The last puzzle came from the reserve."),
            _("No approved puzzle was left: approve some."),
        ),
    }[value]
    return Notice("bad", title, rest)


def refusal(code: str) -> Notice:
    """Return why a change was refused, from a service's code, and what can be done instead."""
    reasons = {
        "not_allowed": (
            _("Somebody has decided about this puzzle already."),
            _("Here is how it stands now."),
        ),
        "changed": (_("It has changed since."), _("Nothing was done; here is how it stands now.")),
        "not_scheduled": (_("No puzzle waits for that day any more."), ""),
        "undone": (_("That has been undone already."), ""),
        "not_undoable": (_("That cannot be undone."), _("What players have seen, imports and roles stay.")),
        "day_passed": (_("That day has passed."), ""),
        "too_far": (_("That day is too far ahead."), _("A day can be set up to two years before it comes.")),
        "same_day": (_("That is the same day."), _("Choose another one.")),
        "day_taken": (_("That day has its puzzle already."), _("Choose another day, or clear it first.")),
        "nothing_left": (_("No proved puzzle is left."), _("Import some and approve them.")),
        "running": (_("The generator runs already."), _("One run at a time: here is how it goes.")),
        "not_running": (_("That run is over."), _("Here is how it ended.")),
    }
    return Notice("warn", *reasons.get(code, (_("This could not be done."), "")))


def order(value: Order) -> str:
    """Return the name of an order to list puzzles in."""
    return {
        "oldest": _("oldest first"),
        "newest": _("newest first"),
        "easiest": _("easiest first"),
        "hardest": _("hardest first"),
        "promising": _("most promising first"),
        "day": _("by day"),
    }[value]


def decision(day: Day) -> tuple[str, str]:
    """Return an icon and the words for what decides about a day of the calendar."""
    if day.state == "published":
        number = _("Out: puzzle %(number)d", number=day.number)
        if day.alarm:
            return "warn", _("%(out)s, for want of an approved one", out=number)
        return "check", number
    if day.state == "closed":
        return "close", _("Stays empty: a later day is out")
    if day.state == "scheduled":
        return ("warn", _("Set, but taken for an earlier day")) if day.alarm else ("pin", _("Set"))
    return _chosen(day.source)


def preview(value: Preview | None, *, closed: bool = False) -> tuple[str, str]:
    """Return an icon and the words for what decides about a day that is looked at by itself."""
    if closed:
        return "warn", _("Stays empty: a later day is out")
    if value is not None and value.source is None:
        return "check", _("Out: puzzle %(number)d", number=value.puzzle.number)
    return _chosen(None if value is None else value.source)


def _chosen(source: Source | None) -> tuple[str, str]:
    if source is None:
        return "warn", _("No puzzle is left for this day")
    return {
        "scheduled": ("pin", _("Set")),
        "approved": ("rhythm", _("Not set: the weekly rhythm would choose this one")),
        "reserve": ("warn", _("Not set: this one would come from the reserve")),
        "brought_forward": ("warn", _("Not set: this one would be taken from a later day")),
    }[source]


def action(value: Action) -> str:
    """Return the name of a kind of entry in the log."""
    return {
        Action.IMPORT: _("import"),
        Action.APPROVE: _("approval"),
        Action.REJECT: _("rejection"),
        Action.SET: _("day set"),
        Action.MOVE: _("day moved"),
        Action.CLEAR: _("day cleared"),
        Action.FILL: _("gaps filled"),
        Action.REPLACE: _("replacement"),
        Action.VOID: _("declared void"),
        Action.TAKE_BACK: _("taken back"),
        Action.UNDO: _("undoing"),
        Action.ROLE: _("role given"),
        Action.GENERATE: _("generator started"),
        Action.CALIBRATE: _("new difficulties"),
    }[value]


def entry(value: Entry) -> str:
    """Return what an entry of the log says was done, as a sentence without its full stop."""
    was, now = _days(value, "before"), _days(value, "after")
    days = {"was": was, "now": now}
    if value.action is Action.IMPORT:
        return ngettext("%(num)d puzzle imported", "%(num)d puzzles imported", value.count)
    if value.action is Action.GENERATE:
        return _("Generator started for %(n)d s", n=value.count)
    if value.action is Action.CALIBRATE:
        return ngettext("%(num)d difficulty changed", "%(num)d difficulties changed", value.count)
    if value.action is Action.FILL:
        return ngettext("%(num)d gap filled", "%(num)d gaps filled", len(value.changes))
    if value.action is Action.UNDO:
        return _("Entry undone") if value.undoes is None else _("Entry %(n)d undone", n=value.undoes)
    if value.action is Action.APPROVE:
        return _("Approved for %(now)s", **days) if now else _("Puzzle approved")
    if value.action is Action.MOVE and was == now:
        return _("%(now)s: puzzles exchanged", **days)
    return {
        Action.REJECT: _("Puzzle rejected"),
        Action.SET: _("%(now)s set", **days),
        Action.MOVE: _("%(was)s moved to %(now)s", **days),
        Action.CLEAR: _("%(was)s cleared", **days),
        Action.REPLACE: _("%(was)s: replaced", **days),
        Action.VOID: _("%(was)s: declared void", **days),
        Action.TAKE_BACK: _("%(was)s: taken back", **days),
        Action.ROLE: _("Role given"),
    }[value.action]


def who(name: str) -> str:
    """Return who did something: the name of an account, or what stands for somebody without one."""
    return {OPERATOR: _("command line"), DELETED: _("deleted account")}.get(name, name)


def _days(value: Entry, side: Literal["before", "after"]) -> str:
    """Return the days that an entry's puzzles had, scheduled or out, in words."""
    states = [getattr(change, side) for change in value.changes]
    days = sorted({day for state in states if (day := state.day or state.out) is not None})
    return format_list([date_label(day) for day in days], locale=language())
