"""The commands for accounts: what they print, and their exit codes."""

import pytest
from click.testing import Result

from puzzle_service import db
from puzzle_service.services import accounts, recovery
from puzzle_service.settings import Settings
from tests.service.programs import Run, failed


@pytest.mark.parametrize("password", [b"short", b"x" * 257, b"correct horse\xff", b"correct\x07horse"])
def test_a_password_that_nobody_could_sign_in_with_is_refused(run: Run, password: bytes) -> None:
    result = run("account", "create", "ayşe", input=password + b"\n" + password + b"\n")
    assert isinstance(result.exception, SystemExit)
    assert result.exit_code == 1
    assert result.stderr.endswith("expected 8 to 256 printable characters\n")
    assert password not in result.output_bytes


def test_a_common_password_is_refused(run: Run) -> None:
    result = run("account", "create", "ayşe", input="password1\npassword1\n")
    assert failed_at_last(result, "the password is among the first that anybody would try; expected one")


def test_a_password_comes_through_a_pipe_without_a_word_on_stderr(run: Run) -> None:
    made = run("account", "create", "ayşe", input="four unrelated words\r\n")
    assert (made.exit_code, made.stdout, made.stderr) == (0, "made player 'ayşe'\n", "")
    assert failed(run("account", "create", "fatma", input=""), 1, "the password cannot be used; expected 8")


def failed_at_last(result: Result, message: str) -> bool:
    """Tell whether a run failed as expected with a line that follows questions on stderr."""
    return result.exit_code == 1 and result.stderr.splitlines()[-1].startswith(f"Error: {message}")


def test_an_account_is_made_once(run: Run) -> None:
    words = "four unrelated words"
    asked = run("account", "create", "ayşe", "--role", "admin", input=f"{words}\n{words}\n")
    assert (asked.exit_code, asked.stdout.splitlines()[-1]) == (0, "made admin 'ayşe'")
    assert words not in asked.output
    assert failed(run("account", "create", "AYŞE", "--generate"), 1, "there is an account 'AYŞE' already")
    generated = run("account", "create", "fatma", "--generate").stdout
    assert generated.startswith("made player 'fatma', password (shown once): ")
    assert len(generated.split(": ")[1].strip()) >= 12


def test_roles_are_given_by_name_and_the_only_admin_stays_one(run: Run) -> None:
    for name in ("ayşe", "fatma"):
        run("account", "create", name, "--generate", "--role", "admin")
    assert run("account", "role", "FATMA", "reviewer").stdout == "'fatma' is reviewer\n"
    result = run("account", "role", "ayşe", "player")
    assert failed(result, 1, "this is the only admin; make somebody else one first")
    assert result.stderr.count("\n") == 1
    assert run("account", "role", "fatma", "admin").stdout == "'fatma' is admin\n"
    assert run("account", "role", "ayşe", "player").stdout == "'ayşe' is player\n"


def test_who_lost_password_and_words_gets_new_words(run: Run, settings: Settings) -> None:
    run("account", "create", "ayşe", "--generate")
    database = db.connect(settings)
    for language in ("english", "turkish", "russian"):
        said = run("account", "recover", "AYŞE", "--language", language).stdout
        head, words = said.strip().split(": ")
        assert head == "recovery words of 'ayşe' (shown once)"
        with database.read() as session:
            found = accounts.find(session, "ayşe")
            assert found is not None
            assert recovery.key_to(session, found.player_id, words) is not None
    database.close()
