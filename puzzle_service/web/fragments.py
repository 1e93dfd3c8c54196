"""Fragments: parts of pages that many visitors see alike, kept as finished HTML.

A template marks one by a name and by everything it depends on besides the language:

    {% call kept("week day", state, today) %}<li>…</li>{% endcall %}

What belongs to one visitor alone, tokens above all, stays outside.
"""

from collections.abc import Callable, Hashable
from typing import Final, cast

from flask import Flask, current_app, request
from markupsafe import Markup

from puzzle_service.kept import Kept
from puzzle_service.web.i18n import language

MOST: Final = 2048
"""How many fragments a process keeps, of a few kilobytes each."""
EXTENSION: Final = "dama_fragments"


def kept(name: str, *depends_on: Hashable, caller: Callable[[], Markup]) -> Markup:
    """Return a fragment, rendered now unless it is there for the same name, values and language.

    Addresses in it begin with the folder that the site is served under, which is part of the key too.
    """
    fragments = cast(Kept[Markup], current_app.extensions[EXTENSION])
    return fragments.get((name, language(), request.script_root, depends_on), caller)


def init_app(app: Flask) -> None:
    """Give templates `kept`; each application has fragments of its own, as it has its own database."""
    app.extensions[EXTENSION] = Kept[Markup](MOST)
    app.add_template_global(kept)
