"""Languages of the site: which one a request is answered in, and dates as its readers write them."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import flask_babel
from babel.dates import format_date, format_time, get_timezone_location
from flask import Flask, Response, request
from flask_babel import Babel, get_locale

from puzzle_service.web.security import set_cookie

LANGUAGES = {"en": "English", "tr": "Türkçe"}
DEFAULT = "en"
COOKIE = "lang"
COOKIE_SECONDS = 365 * 24 * 3600

# Spelt out, because the standard formats of "en" are American and have no weekday without a year.
DAY_PATTERNS = {"en": "EEEE, d MMMM", "tr": "d MMMM EEEE"}
DATE_PATTERNS = {"en": "d MMMM y", "tr": "d MMMM y"}


def chosen() -> str:
    """Return the language of this request: `?lang=`, else the cookie, else what the browser accepts."""
    for wanted in (request.args.get("lang"), request.cookies.get(COOKIE)):
        if wanted in LANGUAGES:
            return wanted
    for tag, quality in request.accept_languages:
        # Not `best_match`, which takes a worse language named exactly before a better one with its country.
        if quality and (primary := tag.partition("-")[0].lower()) in LANGUAGES:
            return primary
    return DEFAULT


def language() -> str:
    """Return the language code texts are shown in now."""
    locale = get_locale()
    return str(locale.language) if locale else DEFAULT


def gettext(text: str, /, **values: object) -> str:
    """Return a text in the reader's language, its `%(name)s` filled in."""
    return str(flask_babel.gettext(text, **values))


def ngettext(singular: str, plural: str, num: int, /, **values: object) -> str:
    """Return a text in the reader's language and in the form that `num` asks for."""
    return str(flask_babel.ngettext(singular, plural, num, **values))


def number_label(number: float) -> str:
    """Return a number with one decimal as the reader writes it: "12.4", "12,4"."""
    return str(flask_babel.format_decimal(number, "0.0"))


def day_label(day: date) -> str:
    """Return a day with its weekday: "Sunday, 29 November"."""
    return format_date(day, DAY_PATTERNS[language()], locale=language())


def date_label(day: date) -> str:
    """Return a day with its year: "29 November 2026"."""
    return format_date(day, DATE_PATTERNS[language()], locale=language())


def weekday_label(day: date) -> str:
    """Return the short name of a day's weekday: "Sun"."""
    return format_date(day, "ccc", locale=language())


def clock_label(instant: datetime, zone: ZoneInfo) -> str:
    """Return an aware instant as the site's clock shows it, with the city: "00:00 Istanbul"."""
    time = format_time(instant, "HH:mm", tzinfo=zone, locale=language())
    return f"{time} {get_timezone_location(zone, locale=language(), return_city=True)}"


def init_app(app: Flask) -> None:
    """Answer in the reader's language, and remember one that was asked for by name."""
    app.config["BABEL_DEFAULT_LOCALE"] = DEFAULT
    Babel(app, locale_selector=chosen)
    app.after_request(_remember_choice)


def _remember_choice(response: Response) -> Response:
    wanted = request.args.get("lang")
    if wanted in LANGUAGES:
        set_cookie(response, COOKIE, wanted, COOKIE_SECONDS)
    return response
