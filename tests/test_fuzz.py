"""The whole site under requests that no browser sends; `bench/fuzz.py` sends more of them."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
REQUESTS = 200


def test_hundreds_of_hostile_requests_break_nothing(tmp_path: Path) -> None:
    """No 5xx, no traceback, nothing logged as an error, and no answer without the security headers."""
    saved = tmp_path / "request.txt"
    program = str(ROOT / "bench" / "fuzz.py")
    command = [sys.executable, program, "--requests", str(REQUESTS), "--save", str(saved)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + (saved.read_text() if saved.exists() else done.stderr)
    assert "nothing broke" in done.stdout
