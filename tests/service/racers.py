"""Several processes that do the same at once."""

import subprocess
import sys

PATIENCE = 180

PROGRAM = """
import multiprocessing, sys
racers, patience, *arguments = sys.argv[1:]
racers, patience = int(racers), int(patience)
{code}
fork = multiprocessing.get_context("fork")
line, said = fork.Barrier(racers, timeout=patience), fork.Queue()
processes = [fork.Process(target=race, args=(n, line.wait, said.put, *arguments)) for n in range(racers)]
for process in processes:
    process.start()
for process in processes:
    process.join(patience)
    if process.exitcode != 0:
        sys.exit("a racer has failed")
while not said.empty():
    print(said.get())
"""
"""One process that has loaded everything becomes all of them: loading would take longest."""


def race(code: str, racers: int, *arguments: str) -> list[str]:
    """Run the function ``race`` of some code in so many processes, and return all that they say, sorted.

    It gets the racer's number, a function that waits for the others, one that says something, and the
    arguments.
    """
    command = [sys.executable, "-c", PROGRAM.format(code=code), str(racers), str(PATIENCE), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return sorted(done.stdout.splitlines())
