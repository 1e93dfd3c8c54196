"""The files for deployment: what they start is there, takes these options, and works together."""

import os
import re
import shlex
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from click import Context

from puzzle_service import db
from puzzle_service.cli import main
from puzzle_service.clock import utc_now
from puzzle_service.domain.review import Status
from puzzle_service.services import intake, lease, stock
from puzzle_service.settings import Settings
from tests.conftest import DATA
from tests.service.test_scheduler import wait_until
from tests.service.test_serve import HAND_OVER, PATIENCE, answer

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"] == "dama-daily"}
UNITS = {path.name: path for path in (DEPLOY / "systemd").iterdir()}
PROGRAM = "/opt/dama-daily/bin/dama-daily"
PINNED = re.compile(r"\n(?=[a-z0-9])")
SECRET = "a secret for the tests of the compose file"  # noqa: S105


def parsed(command: list[str]) -> Context:
    """Return the context of a command of ours; raises click's error for options that it does not take."""
    found: Any = main
    while hasattr(found, "commands"):
        found, command = found.commands[command[0]], command[1:]
    context: Context = found.make_context(found.name, list(command))
    return context


def unit(name: str) -> list[tuple[str, str, str]]:
    """Return the entries of a unit: section, name, value; names may come more than once."""
    entries, section = [], ""
    for line in UNITS[name].read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            entries.append((section, key, value))
    return entries


def test_there_are_two_web_servers_one_scheduler_and_a_migration_before_them() -> None:
    commands = {name: service["command"] for name, service in OURS.items()}
    assert [name for name, command in commands.items() if command == ["db", "upgrade"]] == ["migrate"]
    assert [name for name, command in commands.items() if command[0] == "scheduler"] == ["scheduler"]
    web = [name for name, command in commands.items() if command[0] == "serve"]
    assert web == ["web1", "web2"]
    for name in (*web, "scheduler"):
        assert OURS[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
        assert OURS[name]["restart"] == "unless-stopped"
    assert all(parsed(commands[name]).params["scheduler"] is False for name in web)
    assert SERVICES["migrate"]["depends_on"]["database"] == {"condition": "service_healthy"}


def test_the_proxy_sends_to_the_web_servers_and_asks_them_whether_they_are_ready() -> None:
    caddy = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    servers = re.search(r"reverse_proxy (.+) \{", caddy)
    assert servers
    ports = {name: parsed(OURS[name]["command"]).params["port"] for name in ("web1", "web2")}
    assert servers[1].split() == [f"{name}:{port}" for name, port in ports.items()]
    assert "health_uri /readyz" in caddy
    assert SERVICES["proxy"]["depends_on"].keys() == ports.keys()


def _environ(name: str, url: str) -> dict[str, str]:
    """Return what a service of ours has in its environment, with this database."""
    values = _example()
    given = {
        key: re.sub(r"\$\{(\w+)[^}]*\}", lambda found: values[found[1]], text)
        for key, text in OURS[name]["environment"].items()
    }
    return {**os.environ, **values, **given, "DAMA_DATABASE_URL": url, "DAMA_SECRET_KEY": SECRET}


def _example() -> dict[str, str]:
    lines = (DEPLOY / "example.env").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def test_the_example_of_an_environment_names_what_is_asked_for_and_holds_no_secret() -> None:
    example = _example()
    asked = re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    assert set(asked) <= example.keys()
    assert {name for name, value in example.items() if not value} == {
        "DAMA_SECRET_KEY",
        "POSTGRES_PASSWORD",
        "DAMA_METRICS_TOKEN",
    }
    for service in OURS.values():
        filled = example | service["environment"] | {"DAMA_SECRET_KEY": SECRET}
        assert Settings.from_env(filled).proxies == 1


@contextmanager
def running(name: str, url: str, held: socket.socket | None = None) -> Iterator[subprocess.Popen[str]]:
    """Run a service's command until the block ends; the container's port becomes a socket that is held."""
    command, passed = ["-m", "puzzle_service.cli", *OURS[name]["command"]], list[int]()
    if held is not None:
        command, passed = ["-c", HAND_OVER, str(held.fileno()), *command], [held.fileno()]
    process = subprocess.Popen(
        [sys.executable, *command],
        env=_environ(name, url),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        pass_fds=passed,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.mark.parametrize("empty_url", ["postgresql"], indirect=True)
def test_the_services_of_the_compose_file_work_together(empty_url: str) -> None:
    url = empty_url
    command = [sys.executable, "-m", "puzzle_service.cli", *OURS["migrate"]["command"]]
    subprocess.run(command, env=_environ("migrate", url), check=True, capture_output=True)
    _bring_puzzles_in(url)
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)]
        scheduler = stack.enter_context(running("scheduler", url))
        web = [
            stack.enter_context(running(name, url, held))
            for name, held in zip(("web1", "web2"), sockets, strict=True)
        ]
        ports = [held.getsockname()[1] for held in sockets]
        for name, port in zip(("web1", "web2"), ports, strict=True):
            assert answer(port) == 200
            _check_health(name, port, url)
        _check_publication(url)
        for process in (*web, scheduler):
            process.terminate()
        said = [process.communicate(timeout=PATIENCE)[1] for process in (*web, scheduler)]
        assert [process.returncode for process in (*web, scheduler)] == [0, 0, 0]
    assert not any("Traceback" in text for text in said)
    assert all(line.startswith("{") for text in said for line in text.splitlines())


def _bring_puzzles_in(url: str) -> None:
    with closing(db.connect(Settings(url))) as database, (DATA / "puzzles.jsonl").open("rb") as lines:
        found = intake.bring_in(
            database, lines, Status.APPROVED, utc_now, "a test", search=False, on_refusal=lambda *_: None
        )
    assert found.added


def _check_health(name: str, port: int, url: str) -> None:
    """Run the health check of a service, at the port that it has here."""
    kind, _, *command = OURS[name]["healthcheck"]["test"]
    assert kind == "CMD"
    here = [part.replace(":8000", f":{port}") for part in command]
    subprocess.run([sys.executable, *here], env=_environ(name, url), check=True)


def _check_publication(url: str) -> None:
    settings = Settings(url)
    database = db.connect(settings)

    def acts() -> bool:
        with database.read() as session:
            return lease.get(session, lease.SCHEDULER) is not None

    wait_until(acts)
    with database.read() as session:
        found = stock.status(session, utc_now(), settings)
    assert (found.published, found.alarms) == (1, ())
    database.close()


@pytest.mark.parametrize("name", [name for name in UNITS if name.endswith(".service")])
def test_a_unit_starts_commands_that_there_are(name: str) -> None:
    started = [value for _, key, value in unit(name) if key in ("ExecStart", "ExecStartPre")]
    ours = [text[text.index(PROGRAM) + len(PROGRAM) :] for text in started if PROGRAM in text]
    assert ours
    for command in ours:
        parsed(shlex.split(command.rstrip("'")))


def test_units_name_settings_that_there_are_and_lock_the_site_in() -> None:
    for name in (name for name in UNITS if name.endswith(".service")):
        entries = unit(name)
        environ = dict(
            word.split("=", 1) for _, key, value in entries if key == "Environment" for word in value.split()
        )
        settings = Settings.from_env(environ)
        assert str(settings.database_file).startswith("/var/lib/dama-daily/")
        values = {key: value for _, key, value in entries}
        assert (values["User"], values["NoNewPrivileges"], values["ProtectSystem"]) == (
            "dama",
            "yes",
            "strict",
        )


def test_old_backups_go_and_with_them_what_killed_ones_have_left(tmp_path: Path) -> None:
    (command,) = (value for _, key, value in unit("dama-daily-backup.service") if key == "ExecStartPost")
    old = ("dama-2026-11-01.sqlite3", ".dama-2026-11-02.sqlite3.0a1b2c3d", "before-upgrade.sqlite3")
    for name in (*old, "dama-2026-11-30.sqlite3", ".dama-2026-12-01.sqlite3.4e5f6a7b"):
        (tmp_path / name).touch()
    for name in old:
        os.utime(tmp_path / name, (0, 0))
    words = shlex.split(command)
    place = words.index("/var/lib/dama-daily/backups")
    subprocess.run([*words[:place], tmp_path, *words[place + 1 :]], check=True)
    assert {path.name for path in tmp_path.iterdir()} == {
        "before-upgrade.sqlite3",
        "dama-2026-11-30.sqlite3",
        ".dama-2026-12-01.sqlite3.4e5f6a7b",
    }


def test_the_socket_is_the_services_and_the_proxy_speaks_to_it() -> None:
    listen = next(value for _, key, value in unit("dama-daily.socket") if key == "ListenStream")
    requires = next(value for _, key, value in unit("dama-daily.service") if key == "Requires")
    assert (listen, requires) == ("127.0.0.1:8000", "dama-daily.socket")
    assert f"reverse_proxy {listen}" in (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")


def _pinned(path: Path) -> Mapping[str, str]:
    """Return a lock file's requirements: name, version and marker, and the hashes."""
    blocks = PINNED.split(path.read_text(encoding="utf-8"))
    hashes = {block.partition(" \\")[0]: " ".join(re.findall(r"sha256:\w+", block)) for block in blocks}
    assert all(hashes.values())
    return hashes


def test_a_container_gets_what_the_tests_ran_with_and_no_tools_for_tests() -> None:
    everything, site = _pinned(ROOT / "requirements.lock"), _pinned(DEPLOY / "requirements.lock")
    assert site.items() <= everything.items()
    names = {re.split(r"[=\s]", pin)[0] for pin in site}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["redis"]]
    assert {re.split(r"[\[><=]", line)[0] for line in needed} <= names
    assert not {"pytest", "mypy", "playwright", "schemathesis"} & names


def test_the_image_is_made_of_what_the_build_may_see() -> None:
    seen = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    copied = re.findall(r"^COPY (?!--)(.+) \S+$", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), re.M)
    sources = [source for line in copied for source in line.split()]
    assert sorted(sources) == sorted(line.removeprefix("!") for line in seen if line.startswith("!"))
    assert all((ROOT / source).exists() for source in sources)
