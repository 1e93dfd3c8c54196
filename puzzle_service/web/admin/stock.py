"""The stock: every puzzle there is, to be searched, filtered, sorted, approved and put on a day."""

from datetime import date
from math import isfinite
from typing import Any, Final, get_args

from flask import make_response, render_template, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from puzzle_service.domain.review import Status, may_become
from puzzle_service.services import schedule, stock
from puzzle_service.services.stock import Filters, Order
from puzzle_service.web import labels
from puzzle_service.web.admin import area
from puzzle_service.web.admin.area import blueprint
from puzzle_service.web.i18n import day_label
from puzzle_service.web.site import site

PAGE: Final = 25
LONGEST_TEXT: Final = 100
MOVES: Final = (2, 3)
DETAILS: Final = ("scheduled", "moves", "theme", "source", "rules", "easiest", "hardest")
"""The filters that are folded away until one of them is used."""
RARE: Final = "rare"
"""Stands among the themes for any of the rare ones."""
FIELDS: Final = ("q", "status", "order", *DETAILS)
"""What an address of this page may hold besides the day to choose for and the place in the list."""


@blueprint.get("/stock")
def stock_page() -> Response:
    """List the puzzles that the filters in the address leave; with a day, to choose one of them for it."""
    chosen = {name: text for name in FIELDS if (text := request.args.get(name, "").strip()[:LONGEST_TEXT])}
    after = request.args.get("after")
    day = area.day(request.args["day"]) if request.args.get("day") else None
    with site().database.read() as session:
        choices = stock.choices(session)
        found = stock.search(
            session, _filters(chosen), _order(chosen), area.puzzle_id(after) if after else None, PAGE
        )
        held = None if day is None else schedule.held(session, day)
    page = render_template(
        "admin/stock.html",
        found=found,
        chosen=chosen,
        detailed=any(name in chosen for name in DETAILS),
        choices=choices,
        statuses=[(one, labels.status(one)) for one in Status],
        orders=[(one, labels.order(one)) for one in get_args(Order)],
        moves=MOVES,
        may_be_approved={one.id for one in found.puzzles if may_become(one.status, Status.APPROVED)},
        stands=labels.standing,
        day=day,
        day_name=None if day is None else day_label(day),
        held=held,
        today=area.today(),
        following=_address(chosen, day, found.puzzles[-1].id) if found.more else None,
        first=_address(chosen, day, None) if after else None,
    )
    return make_response(page)


def _filters(chosen: dict[str, str]) -> Filters:
    scheduled = {"yes": True, "no": False}.get(chosen.get("scheduled", ""))
    moves, theme = chosen.get("moves", ""), chosen.get("theme", "")
    return Filters(
        status=_status(chosen.get("status")),
        scheduled=scheduled,
        moves=int(moves) if moves in map(str, MOVES) else None,
        rules=chosen.get("rules"),
        source=chosen.get("source"),
        easiest=_figure(chosen.get("easiest")),
        hardest=_figure(chosen.get("hardest")),
        themes=frozenset({theme} if theme not in ("", RARE) else ()),
        rare=theme == RARE,
        text=chosen.get("q", ""),
    )


def _status(text: str | None) -> Status | None:
    try:
        return None if text is None else Status(text)
    except ValueError as error:
        raise NotFound from error


def _order(chosen: dict[str, str]) -> Order:
    wanted = chosen.get("order", "oldest")
    for order in get_args(Order):
        if order == wanted:
            known: Order = order
            return known
    raise NotFound


def _figure(text: str | None) -> float | None:
    """Return a difficulty, or None for what is no number."""
    try:
        figure = float((text or "").replace(",", "."))
    except ValueError:
        return None
    return figure if isfinite(figure) else None


def _address(chosen: dict[str, str], day: date | None, after: str | None) -> str:
    values: dict[str, Any] = {**chosen, "day": day, "after": after}
    return url_for("admin.stock_page", **values)
