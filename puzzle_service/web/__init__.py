"""The site: one blueprint for each area; a view parses, calls a service and renders."""

from pathlib import Path

from flask import Flask

from puzzle_service import db
from puzzle_service.clock import Clock, utc_now
from puzzle_service.metrics import Metrics
from puzzle_service.searching import Searches
from puzzle_service.settings import Settings
from puzzle_service.web import (
    about,
    account,
    addresses,
    admin,
    api,
    archive,
    assets,
    errors,
    game_pages,
    games,
    health,
    i18n,
    labels,
    me,
    merge,
    notices,
    player,
    puzzle,
    recovery,
    request_log,
    rules,
    security,
    sheets,
    sign_in,
    sign_up,
    site,
    wellknown,
)
from puzzle_service.web.site import Site

PACKAGE = Path(__file__).parents[1]
# In a wheel the templates lie inside the package, in a checkout beside it.
TEMPLATES = (PACKAGE / "templates", PACKAGE.parent / "templates")
LARGEST_BODY = 16 * 1024


def create_app(
    settings: Settings | None = None, clock: Clock = utc_now, *, searches: Searches | None = None
) -> Flask:
    """Return the site as a WSGI application.

    `clock` returns the present instant, aware; `searches` is the way to the engine, and without it the
    computer does not play. Raises SettingsError for settings that cannot be used and WrongRevision for a
    database that another version of the program made.
    """
    settings = settings or Settings.from_env()
    db.check(settings)
    app = request_log.Application(
        "puzzle_service",
        root_path=str(PACKAGE),
        static_folder=None,
        template_folder=str(next(folder for folder in TEMPLATES if folder.is_dir())),
    )
    app.config.update(SECRET_KEY=settings.secret(), MAX_CONTENT_LENGTH=LARGEST_BODY)
    counted = Metrics() if settings.metrics_token else None
    parts = Site(settings, clock, db.connect(settings), counted, searches)
    site.init_app(app, parts)
    request_log.init_app(app, parts)
    admin.init_app(app)
    security.init_app(app, settings)
    i18n.init_app(app)
    sheets.init_app(app)
    errors.init_app(app)
    assets.init_app(app, PACKAGE / "static")
    wellknown.init_app(app)
    _prepare_templates(app)
    for area in (
        puzzle,
        me,
        archive,
        about,
        rules,
        api,
        games,
        game_pages,
        sign_in,
        sign_up,
        recovery,
        merge,
        account,
        admin,
        health,
    ):
        app.register_blueprint(area.blueprint)
    return app


def _prepare_templates(app: Flask) -> None:
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(
        language=i18n.language,
        LANGUAGES=i18n.LANGUAGES,
        pending_notices=notices.pending,
        signed_in=player.shown,
        here=addresses.here,
    )
    app.jinja_env.filters.update(
        in_two_parts=notices.in_two_parts,
        move_text=notices.move_text,
        date_label=i18n.date_label,
        theme_name=labels.theme,
        source_name=labels.source,
        number_label=i18n.number_label,
    )
