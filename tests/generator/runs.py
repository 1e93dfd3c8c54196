"""Runs of the generator: as a program with worker processes, and within the process of a test."""

import subprocess
import sys
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dama import workers
from generator.cli import main

PROGRAM = Path(sys.executable).with_name("dama-generate")
PATIENCE = 300.0
"""Seconds that a busy machine may take."""


def started(*arguments: str | Path) -> subprocess.Popen[str]:
    """Start the program, the leader of a group of processes like one that is started from a terminal."""
    return subprocess.Popen(
        [PROGRAM, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def threads(jobs: int) -> Executor:
    """Workers in this process: what a test replaces is replaced for them too, and nothing is loaded again."""
    return ThreadPoolExecutor(jobs)


def run_here(*arguments: str | Path) -> Result:
    """Run the program's command with threads for workers, which have the kernel already."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "hire", threads)
        return CliRunner().invoke(main, list(map(str, arguments)))
