"""The peer of `load.py`: a finished page through one Jinja template, with no database behind it.

    python bench/bare.py FILE PORT WORKERS THREADS

Serves the HTML in FILE by the kind of server that the site has: Flask under gunicorn with threads.
"""

import sys
from pathlib import Path

from flask import Flask, render_template
from gunicorn.app.base import BaseApplication


def create_app(page: Path) -> Flask:
    """Return an application whose only page is a template."""
    app = Flask(__name__, template_folder=str(page.parent))
    app.add_url_rule("/", view_func=lambda: render_template(page.name))
    return app


class _Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    def __init__(self, page: Path, port: int, workers: int, threads: int) -> None:
        self.page = page
        self.options = {
            "bind": f"127.0.0.1:{port}",
            "workers": workers,
            "worker_class": "gthread",
            "threads": threads,
            "loglevel": "warning",
            "control_socket_disable": True,
            "when_ready": lambda _arbiter: print("ready", flush=True),
        }
        super().__init__()

    def load_config(self) -> None:
        for name, value in self.options.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        return create_app(self.page)


if __name__ == "__main__":
    _Server(Path(sys.argv[1]), *map(int, sys.argv[2:])).run()
