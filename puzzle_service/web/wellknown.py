"""Addresses that robots and browsers ask for unasked, and those that come with a slash too many."""

from flask import Blueprint, Flask, Response, current_app, redirect, request, url_for
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.routing import RequestRedirect
from werkzeug.wrappers import Response as AnyResponse

from puzzle_service.web.assets import asset_url

DAY = 24 * 3600
# What is personal or answers programs is no reading for a search engine.
ROBOTS = "User-agent: *\nDisallow: /admin\nDisallow: /account\nDisallow: /api/\n"

blueprint = Blueprint("wellknown", __name__)


@blueprint.get("/robots.txt")
def robots() -> Response:
    """Say what search engines may read."""
    return Response(ROBOTS, mimetype="text/plain", headers={"Cache-Control": f"public, max-age={DAY}"})


@blueprint.get("/favicon.ico")
def favicon() -> AnyResponse:
    """Lead browsers that look for the icon at its old place to the drawing."""
    return redirect(asset_url("favicon.svg"))


def init_app(app: Flask) -> None:
    """Answer at these addresses."""
    app.register_blueprint(blueprint)
    app.before_request(_without_slash)


def _without_slash() -> AnyResponse | None:
    """Lead from an address that ends with a slash to the page whose address is the same without it."""
    if not isinstance(request.routing_exception, NotFound) or request.method not in ("GET", "HEAD"):
        return None
    if not request.path.endswith("/"):
        return None
    adapter = current_app.create_url_adapter(request)
    try:
        endpoint, values = adapter.match(request.path.rstrip("/")) if adapter else ("", {})
    except (HTTPException, RequestRedirect):
        return None
    # Built from the route found, so that it leads nowhere else whatever was asked for.
    address = url_for(endpoint, **values)
    query = request.query_string.decode("latin-1")
    return redirect(f"{address}?{query}" if query else address, 308)
