"""Static files under an address that changes with their contents, so that browsers may keep them for ever."""

import hashlib
from pathlib import Path

from flask import Blueprint, Flask, Response, current_app, send_from_directory, url_for

YEAR = 365 * 24 * 3600

blueprint = Blueprint("assets", __name__)


def tree_version(folder: Path) -> str:
    """Return a short hash of every file below the folder: names and contents."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


def asset_url(filename: str) -> str:
    """Return the address of a static file.

    The hash of the whole folder stands in front of the name: modules and style sheets name each other
    by relative addresses, so a release changes the address of every one of them together.
    """
    return url_for("assets.serve", version=current_app.config["ASSETS_VERSION"], filename=filename)


@blueprint.get("/static/<version>/<path:filename>")
def serve(version: str, filename: str) -> Response:
    """Serve a static file, for ever under the version at hand and with a check under any other."""
    response = send_from_directory(current_app.config["ASSETS_FOLDER"], filename, etag=True, max_age=None)
    if version == current_app.config["ASSETS_VERSION"]:
        response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
    else:
        response.headers["Cache-Control"] = "no-cache"
    return response


def init_app(app: Flask, folder: Path) -> None:
    """Serve the files of a folder and give templates `asset_url`."""
    app.config.update(ASSETS_FOLDER=str(folder), ASSETS_VERSION=tree_version(folder))
    app.register_blueprint(blueprint)
    app.add_template_global(asset_url)
