"""What the scripts say, in the reader's language: they hold no text of their own."""

from collections.abc import Iterable

from puzzle_service.domain.attempts import MAX_ATTEMPTS
from puzzle_service.services.tallies import Tally
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.i18n import ngettext

Text = str | list[str]


def board() -> dict[str, Text]:
    """Return the texts of any board; `{…}` is filled in by the script."""
    return {
        "board": _("Board"),
        "white_man": _("white man"),
        "white_king": _("white king"),
        "black_man": _("black man"),
        "black_king": _("black king"),
        "empty": _("empty"),
        "captured": _("captured"),
        "last_from": _("last move from here"),
        "last_to": _("last move to here"),
        "stop": _("stop {n}"),
        "hinted": _("hint"),
    }


def puzzle() -> dict[str, Text]:
    """Return the texts of the puzzle page."""
    return board() | _moving() | _judging() | _results()


def play() -> dict[str, Text]:
    """Return the texts of the page to play on."""
    turns = {"not_yours_w": _("White is to move."), "not_yours_b": _("Black is to move.")}
    return board() | _moving() | turns | _copying() | _match() | _endings() | _asking() | _setting_up()


def _moving() -> dict[str, Text]:
    """Return what a board says on which somebody moves."""
    return {
        "must_capture": _("must capture"),
        "selected": _("selected"),
        "destination": _("can go here"),
        "next_stop": _("next stop {n}"),
        "may_not_move": _("{square} may not move: {squares} must capture."),
        "no_move": _("{square} has no move."),
        "not_yours_w": _("You play White."),
        "not_yours_b": _("You play Black."),
        "cannot_go": _("{from} cannot go to {to}."),
        "must_take": _("{square} must take as many as it can: {n}."),
        "series": _("Stop {n}. Go on: {squares}."),
        "series_running": _("The series goes on: {squares}. Esc takes it back."),
        "which_way": _("Several captures end on {square}. Choose the way: {squares}."),
        "chosen": _("{square} selected. It can go to {squares}."),
        "taken_back": _("Taken back."),
    }


def _judging() -> dict[str, Text]:
    return {
        "sending": _("Checking the move…"),
        "network": _("The server cannot be reached. Your move is kept: nothing is spent twice."),
        "server_error": _("The server could not answer. Your move is kept: nothing is spent twice."),
        "stale": _("This page is out of date. Load it again to go on."),
    }


def _results() -> dict[str, Text]:
    return {
        "attempts_left": [attempts_left(count) for count in range(MAX_ATTEMPTS + 1)],
        "solved_on": ["", *(solved_on(ordinal) for ordinal in range(1, MAX_ATTEMPTS + 1))],
        "streak": _("Streak {n}"),
        "no_streak": streak(0),
        "today_solved": ["", *(solved_in(count) for count in range(1, MAX_ATTEMPTS + 1))],
        "today_failed": _("not solved"),
        "countdown": _("new puzzle in {h} h {min} min"),
        "countdown_minutes": _("new puzzle in {min} min"),
        "countdown_soon": _("new puzzle in less than a minute"),
        "new_puzzle": _("There is a new puzzle."),
        "open_it": _("Open it"),
        "step": _("{n} of {total}: {move}"),
        "step_start": _("The starting position"),
        **_copying(),
    }


def _copying() -> dict[str, Text]:
    return {
        "copied": _("Copied."),
        "copy_failed": _("Copying failed. The result: {text}"),
    }


def _match() -> dict[str, Text]:
    """Return what is said during a game."""
    return {
        "white": _("White"),
        "black": _("Black"),
        "easy": _("easy"),
        "medium": _("medium"),
        "hard": _("hard"),
        "replay": _("A game to look at"),
        "two_players": _("Two on one device"),
        "computer_level": _("Computer, {level}"),
        "you_white": _("you play White"),
        "you_black": _("you play Black"),
        "your_move": _("Your move"),
        "computers_move": _("The computer's move"),
        "thinking": _("Thinking…"),
        "white_to_move": _("White to move"),
        "black_to_move": _("Black to move"),
        "begin": _("A new game. Good luck!"),
        "here_it_is": _("Here is the game as it stood."),
        "followed": _("The game went on in another tab."),
        "moved": _("{side}: {move}."),
        "moved_and_took": _("{side}: {move}, takes {n}."),
        "undone": _("Taken back. It can be redone."),
        "redone": _("Played again."),
        "step_start": _("the beginning"),
        "step_of": _("{n} of {total}"),
        "looking_back": _("An earlier position. The game goes on from the last one."),
        "note_attack": _("{side}’s pieces are under attack: {squares}."),
        "note_attack_yours": _("Your pieces are under attack: {squares}."),
        "note_one_step": _("{side}: a man on {squares} stands one step from crowning."),
        "note_king": _("{side}: a king on {squares}!"),
        "hint_wait": _("Looking for what a master would play…"),
        "hint_move": _("A master would play {move}."),
        "hint_line": _("It could go on: {line}."),
        "typed_wrong": _("“{move}” cannot be played here."),
        "typed_must": _("Capturing is compulsory, as many as possible and to the end: {moves}."),
        "typed_how": _("Type two squares, or every stop of a series."),
        "full": _("The game has become too long for this site. It ends here without a result."),
    }


def _endings() -> dict[str, Text]:
    """Return how a game ends, and what is asked before it does."""
    return {
        "you_win": _("You win"),
        "computer_wins": _("The computer wins"),
        "white_wins": _("White wins"),
        "black_wins": _("Black wins"),
        "draw": _("A draw"),
        "end_no_pieces": _("{side} has no piece left."),
        "end_no_legal_move": _("{side} has no move left."),
        "end_several_men": _("{side} is left with a single man against several."),
        "end_king_vs_king": _("One king each is left."),
        "end_threefold": _("The same position has come up for the third time."),
        "end_no_progress": _(
            "For {n} moves, counted for both sides, nothing was taken and nothing advanced."
        ),
        "end_resignation": _("{side} has resigned."),
        "end_agreement": _("Both sides agreed on it."),
        "draw_question": _("{side} offers a draw. {rival}: do you accept?"),
        "draw_accept": _("Accept the draw"),
        "draw_decline": _("Decline"),
        "draw_declined": _("{side} declines the draw."),
        "draw_wait": _("The computer thinks about your offer…"),
        "resign_question": _("Resign as {side}? The game is lost then."),
        "resign_yes": _("Yes, resign"),
        "resign_no": _("Play on"),
        "locked_over": _("The game is over."),
        "locked_replay": _("This game is only to be looked at."),
        "locked_thinking": _("The computer is thinking."),
    }


def _asking() -> dict[str, Text]:
    """Return what is said while the server has not answered."""
    return {
        "asking": _("Waiting for the server…"),
        "busy": _("Too many games at once."),
        "server_trouble": _("The server could not answer. Your game is kept."),
        "unreachable": _("The server cannot be reached. Your game is kept."),
        "offline": _("You are offline. Your game is kept."),
        "next_try": _("The next try is in {n} s."),
        "refused_game": _("This game cannot go on."),
        "not_now": _("That does not work now. Try again in a moment."),
    }


def _setting_up() -> dict[str, Text]:
    return {
        "n_moves": _("moves: {n}"),
        "drop_game": _("Remove: {name}"),
        "from_given": _("The game goes on from the one you have looked at, after {n} moves of both sides."),
    }


def proof() -> dict[str, Text]:
    """Return the texts of the proof walker."""
    return board() | {
        "white": _("White"),
        "black": _("Black"),
        "proof_start": _("Start"),
        "proof_wins": _("Wins in time"),
        "proof_slow": _("Wins, one move later"),
        "proof_refuted": _("Does not win"),
        "proof_defences": _("{side} can answer"),
        "proof_end": _("The game is over: {side} has won."),
        "proof_line_end": _("End of the line: no win in {n}."),
    }


def calendar() -> dict[str, Text]:
    """Return what the calendar says while a day is moved."""
    return {
        "picked_up": _("Moving the puzzle of {day}. Choose a day for it."),
        "drop_here": _("Put it on {day}?"),
        "cannot_drop": _("Nothing can be put on {day}: it is out."),
        "put_back": _("Put back on {day}."),
    }


def attempts_left(count: int) -> str:
    """Return how many attempts are left, in words."""
    if not count:
        return _("No attempts left")
    return ngettext("%(num)d attempt left", "%(num)d attempts left", count)


def slow_left(count: int) -> str:
    """Return how many moves that win too late will still be taken back, in words."""
    if not count:
        return _("The next late win counts as wrong")
    return ngettext("%(num)d late win left to take back", "%(num)d late wins left to take back", count)


def solved_on(ordinal: int) -> str:
    """Return on which attempt the puzzle was solved, in words."""
    return (
        _("Solved on the first attempt"),
        _("Solved on the second attempt"),
        _("Solved on the third attempt"),
    )[ordinal - 1]


def figures(tally: Tally) -> str:
    """Return in words how a puzzle ended for everybody."""
    if tally.total == 1:
        return _("You are the first to finish it.")
    solved = tally.total - tally.failed
    return ngettext(
        "%(num)d player: %(solved)d %% solved it, %(first)d %% at the first attempt",
        "%(num)d players: %(solved)d %% solved it, %(first)d %% at the first attempt",
        tally.total,
        solved=round(100 * solved / tally.total) if tally.total else 0,
        first=round(100 * tally.first / tally.total) if tally.total else 0,
    )


def rule_note(themes: Iterable[str]) -> str | None:
    """Return which rule the solution depends on where others play by another one, or None."""
    if "instant removal" not in themes:
        return None
    return _(
        "Captured pieces leave the board at once here, jump by jump. Some sites lift them only when the move"
        " ends: by that rule this solution does not work."
    )


def solved_in(count: int) -> str:
    """Return in how many attempts a day was solved, in words."""
    return ngettext("solved, %(num)d attempt", "solved, %(num)d attempts", count)


def streak(days: int) -> str:
    """Return a streak of so many days, in words."""
    return _("Streak %(n)d", n=days) if days else _("No streak yet")
