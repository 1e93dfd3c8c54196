"""Rule themes: with one rule changed, the puzzle is solved again and its key no longer works."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from dama import Ruleset
from generator.win import Win


def is_turning_back_trap(win: Win) -> bool:
    """Tell whether the key works only because a king may not turn by 180° between two jumps."""
    return _key_fails(win, _turning_back)


def needs_majority(win: Win) -> bool:
    """Tell whether the key works only because the most pieces must be taken."""
    return _key_fails(win, _any_capture)


def needs_instant_removal(win: Win) -> bool:
    """Tell whether the key works only because captured pieces leave jump by jump."""
    return _key_fails(win, _removal_at_the_end)


def _key_fails(win: Win, changed: Callable[[Ruleset], Ruleset]) -> bool:
    rules = changed(win.position.rules)
    if rules == win.position.rules:
        return False
    return win.key not in win.solver.distances(replace(win.position, rules=rules), win.moves)


# Kept, because the kernel reads a ruleset again whenever it is handed another one.
@cache
def _turning_back(rules: Ruleset) -> Ruleset:
    return replace(rules, turning_back=True)


@cache
def _any_capture(rules: Ruleset) -> Ruleset:
    return replace(rules, priorities=())


@cache
def _removal_at_the_end(rules: Ruleset) -> Ruleset:
    return replace(rules, removal_at_once=False)
