"""Sheets: pages that many see alike, rendered once and kept, with holes for what is one visitor's alone.

A template cuts a hole with `{{ hole("name") }}`. It is rendered in a request of nobody's: no cookie, no
session, nobody signed in. So nothing of one visitor can get into what others are shown, whatever the template
asks for; what is his alone can only come in through a hole.
"""

from collections.abc import Callable, Hashable, Mapping
from contextvars import copy_context
from dataclasses import dataclass
from secrets import token_hex
from typing import Any, Final, cast

from flask import Flask, current_app, g, render_template, request
from markupsafe import Markup, escape
from werkzeug.test import create_environ

from puzzle_service.cache import Cache
from puzzle_service.web.i18n import language

EXTENSION: Final = "dama_sheets"
MOST: Final = 2048
"""How many sheets a process keeps: of pages some 20 kB each, of their parts a tenth of it."""
SITE: Final = ("wsgi.url_scheme", "HTTP_HOST", "SCRIPT_NAME")
"""What the addresses on a page may begin with."""
# Nobody can know it beforehand and type it in; it is never sent.
_EDGE: Final = f"hole-{token_hex(16)}"


@dataclass(frozen=True)
class Sheet:
    """A page with holes: texts and names of holes in turn, beginning and ending with a text."""

    pieces: tuple[str, ...]

    def filled(self, values: Mapping[str, str]) -> Markup:
        """Return the page with a value in each hole, escaped unless it is markup."""
        parts = list(self.pieces)
        parts[1::2] = [escape(values[name]) for name in parts[1::2]]
        return Markup("".join(parts))  # noqa: S704  (rendered by a template that escapes)

    def partly_filled(self, values: Mapping[str, str]) -> "Sheet":
        """Return the sheet with a value in each hole that there is one for, and the others left open."""
        pieces = [self.pieces[0]]
        for name, text in zip(self.pieces[1::2], self.pieces[2::2], strict=True):
            if name in values:
                # Not as markup, to which the next text would be no markup yet.
                pieces[-1] += str(escape(values[name])) + text
            else:
                pieces += name, text
        return Sheet(tuple(pieces))


def sheet(template: str, depends_on: Hashable, values: Callable[[], Mapping[str, Any]]) -> Sheet:
    """Return a template's sheet, rendered with these values unless one is kept that depends on the same.

    The language, the address of this request and that of the site always count among what it depends on.
    """
    return kept(template, depends_on, lambda: copy_context().run(_rendered, template, values))


def kept(name: str, depends_on: Hashable, make: Callable[[], Sheet]) -> Sheet:
    """Return the sheet of a name, made anew unless one is kept that depends on the same."""
    cache = cast(Cache[Sheet], current_app.extensions[EXTENSION])
    return cache.get((name, _where(), depends_on), make)


def init_app(app: Flask) -> None:
    """Give the application sheets of its own, as it has a database of its own."""
    app.extensions[EXTENSION] = Cache[Sheet](MOST)


def _where() -> tuple[str | None, ...]:
    """Return the language and the addresses of this request, found out once."""
    try:
        where: tuple[str | None, ...] = g.sheets_where
    except AttributeError:
        environ = request.environ
        where = g.sheets_where = (language(), request.path, *(environ.get(name) for name in SITE))
    return where


def _rendered(template: str, values: Callable[[], Mapping[str, Any]]) -> Sheet:
    """Render a sheet in a request of nobody's; runs in a copy of the context, which is thrown away."""
    code, environ = language(), create_environ(request.path, request.root_url)
    app = cast(Flask, current_app._get_current_object())  # type: ignore[attr-defined]
    with app.app_context(), app.request_context(environ):
        g.language = code
        html = render_template(template, hole=_hole, **values())
    return Sheet(tuple(html.split(_EDGE)))


def _hole(name: str) -> Markup:
    return Markup(f"{_EDGE}{name}{_EDGE}")  # noqa: S704  (names are those of templates)
