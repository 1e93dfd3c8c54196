"""Languages of the site: which one a request is answered in, and dates as its readers write them."""

from datetime import date, datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_time, get_timezone_location
from babel.numbers import format_decimal
from babel.support import NullTranslations, Translations
from flask import Flask, Response, g, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from puzzle_service.web.security import set_cookie

LANGUAGES = {"en": "English", "tr": "Türkçe", "ru": "Русский", "bg": "Български"}
"""Each language by its own name."""
TERRITORIES: Final = {"en": "en_GB", "tr": "tr_TR", "ru": "ru_RU", "bg": "bg_BG"}
"""Each language with a country, as sites that show previews of links want it."""
DEFAULT = "en"
COOKIE = "lang"
COOKIE_SECONDS = 365 * 24 * 3600
CATALOGUES: Final = Path(__file__).parents[1] / "translations"
HEADERS_KEPT: Final = 256
"""How many ways in which browsers name their languages are kept; each may be long."""
LABELS_KEPT: Final = 4096
"""How many written dates are kept: a year of days in every form and language are fewer."""

# Spelt out, because the standard formats of "en" are American and have no weekday without a year.
DAY_PATTERNS = {"en": "EEEE, d MMMM", "tr": "d MMMM EEEE", "ru": "EEEE, d MMMM", "bg": "EEEE, d MMMM"}
# Without the full stop that Russian and Bulgarian write after the year: such a date also ends sentences.
DATE_PATTERN = "d MMMM y"


def chosen() -> str:
    """Return the language of this request: `?lang=`, else the cookie, else what the browser accepts."""
    for wanted in (request.args.get("lang"), request.cookies.get(COOKIE)):
        if wanted in LANGUAGES:
            return wanted
    return _accepted(request.headers.get("Accept-Language", ""))


def language() -> str:
    """Return the language code texts are shown in now, the same for all of a request."""
    try:
        code: str = g.language
    except AttributeError:
        code = g.language = chosen()
    return code


def gettext(text: str, /, **values: object) -> str:
    """Return a text in the reader's language, its `%(name)s` filled in."""
    shown = str(_translations(language()).gettext(text))
    return shown % values if values else shown


def ngettext(singular: str, plural: str, num: int, /, **values: object) -> str:
    """Return a text in the reader's language and in the form that `num` asks for."""
    return _plural(singular, plural, num) % {"num": num, **values}


def number_label(number: float) -> str:
    """Return a number with one decimal as the reader writes it: "12.4", "12,4"."""
    return str(format_decimal(number, "0.0", locale=language()))


def day_label(day: date) -> str:
    """Return a day with its weekday: "Sunday, 29 November"."""
    return _written(day, DAY_PATTERNS[language()], language())


def date_label(day: date) -> str:
    """Return a day with its year: "29 November 2026"."""
    return _written(day, DATE_PATTERN, language())


def short_date_label(day: date) -> str:
    """Return a day without its year: "29 Nov"."""
    return format_date(day, "d MMM", locale=language())


def weekday_label(day: date) -> str:
    """Return the short name of a day's weekday: "Sun"."""
    return _written(day, "ccc", language())


def clock_label(instant: datetime, zone: ZoneInfo) -> str:
    """Return an aware instant as the site's clock shows it, with the city: "00:00 Istanbul"."""
    return _written_time(instant, zone, language())


def init_app(app: Flask) -> None:
    """Answer in the reader's language, and remember one that was asked for by name."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(gettext, _plural, newstyle=True)  # type: ignore[attr-defined]
    app.jinja_env.globals["TERRITORIES"] = TERRITORIES
    app.after_request(_remember_choice)


def _remember_choice(response: Response) -> Response:
    wanted = request.args.get("lang")
    if wanted in LANGUAGES:
        set_cookie(response, COOKIE, wanted, COOKIE_SECONDS)
    return response


@cache
def _translations(code: str) -> NullTranslations:
    """Return the catalogue of a language; what it lacks is shown as the sources have it."""
    return Translations.load(CATALOGUES, [code])


def _plural(singular: str, plural: str, num: int) -> str:
    return str(_translations(language()).ngettext(singular, plural, num))


@lru_cache(LABELS_KEPT)
def _written(day: date, pattern: str, code: str) -> str:
    return format_date(day, pattern, locale=code)


@lru_cache(LABELS_KEPT)
def _written_time(instant: datetime, zone: ZoneInfo, code: str) -> str:
    time = format_time(instant, "HH:mm", tzinfo=zone, locale=code)
    return f"{time} {get_timezone_location(zone, locale=code, return_city=True)}"


@lru_cache(HEADERS_KEPT)
def _accepted(header: str) -> str:
    """Return the first of our languages that a browser names in its header."""
    for tag, quality in parse_accept_header(header, LanguageAccept):
        # Not `best_match`, which takes a worse language named exactly before a better one with its country.
        if quality and (primary := tag.partition("-")[0].lower()) in LANGUAGES:
            return primary
    return DEFAULT
