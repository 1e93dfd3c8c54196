"""Ctrl-C while a program is still being loaded, which can take a second."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys

class Interrupt:
    def find_spec(self, name, *_):
        if name == sys.argv[1]:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
__import__(sys.argv[2])
"""


@pytest.mark.parametrize(
    ("package", "loading"),
    [
        ("dama.cli", "click"),
        ("generator.cli", "click"),
        ("puzzle_service.cli", "puzzle_service.cli.program"),
    ],
)
def test_a_program_that_is_interrupted_while_it_is_loaded_shows_no_traceback(
    package: str, loading: str
) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, loading, package], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", "Aborted!\n")
