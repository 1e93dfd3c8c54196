"""Compares the kernel's perft with that of kish, a Turkish draughts engine written in Rust, in one run.

    python bench/perft.py [--depth 8] [--rounds 5]

kish has wheels for CPython 3.8 only. The script looks for such an interpreter, installs kish into a virtual
environment in a temporary folder, and lets both programs count in turns.
"""

import argparse
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from dama import Position, kernel

KISH = "kish==1.1.7"
KISH_PROGRAM = """
import json, sys, time, kish
board = kish.Board()
board.perft(3)
began = time.perf_counter()
nodes = board.perft(int(sys.argv[1]))
print(json.dumps([nodes, time.perf_counter() - began]))
"""
Count = tuple[int, float]
"""Lines counted, and the seconds that took."""


def pythons_38() -> Iterator[str]:
    """Find CPython 3.8: on the PATH, or among the versions that pyenv has installed."""
    if found := shutil.which("python3.8"):
        yield found
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from (str(path) for path in sorted(root.glob("versions/3.8.*/bin/python"), reverse=True))


def install_kish(folder: str) -> str | None:
    """Return an interpreter that can import kish, or None when there is none to be had."""
    for python in pythons_38():
        own = str(Path(folder) / "bin" / "python")
        try:
            for command in (
                [python, "-m", "venv", "--clear", folder],
                [own, "-m", "pip", "install", KISH],
            ):
                subprocess.run(command, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        return own
    return None


def count_ours(depth: int) -> Count:
    began = time.perf_counter()
    nodes = kernel.perft(Position.start(), depth)
    return nodes, time.perf_counter() - began


def count_theirs(python: str, depth: int) -> Count:
    run = subprocess.run([python, "-c", KISH_PROGRAM, str(depth)], check=True, capture_output=True, text=True)
    nodes, seconds = json.loads(run.stdout)
    return nodes, seconds


def rate(counts: list[Count]) -> float:
    """Return the best rate in millions of lines a second: whatever else the machine does can only slow it."""
    return max(nodes / seconds for nodes, seconds in counts) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description="perft: the kernel against kish")
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    kernel.perft(Position.start(), 3)
    ours: list[Count] = []
    theirs: list[Count] = []
    with tempfile.TemporaryDirectory() as folder:
        python = install_kish(folder)
        if python is None:
            print("kish: not installed (no CPython 3.8 here, or its wheel could not be had); no ratio")
        for _ in range(options.rounds):
            ours.append(count_ours(options.depth))
            if python is not None:
                theirs.append(count_theirs(python, options.depth))
    print(f"kernel: {ours[0][0]:,} lines of {options.depth} plies, {rate(ours):.1f} million a second")
    if theirs:
        print(f"kish:   {theirs[0][0]:,} lines of {options.depth} plies, {rate(theirs):.1f} million a second")
        print(f"ratio:  {rate(ours) / rate(theirs):.2f}")


if __name__ == "__main__":
    main()
