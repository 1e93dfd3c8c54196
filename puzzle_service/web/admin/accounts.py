"""The accounts and their roles: who may review, and who may say so."""

from flask import g, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import BadRequest
from werkzeug.wrappers import Response

from puzzle_service.domain.names import NAME_CHARACTERS
from puzzle_service.domain.roles import Role
from puzzle_service.services import accounts
from puzzle_service.services.errors import ServiceError
from puzzle_service.web import labels, notices
from puzzle_service.web.admin.area import blueprint
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.notices import Notice
from puzzle_service.web.site import request_time, site


@blueprint.get("/accounts")
def accounts_page() -> Response:
    """List the accounts, those that review first; a part of a name finds the others."""
    text = request.args.get("q", "").strip()[:NAME_CHARACTERS]
    with site().database.read() as database:
        found = accounts.everybody(database, text)
    page = render_template(
        "admin/accounts.html",
        accounts=found,
        roles=[(role, labels.role(role)) for role in Role],
        text=text,
        cut=len(found) == accounts.LISTED,
    )
    return make_response(page)


@blueprint.post("/accounts")
def give_role() -> Response:
    """Give an account another role."""
    name, text = request.form.get("name", ""), request.form.get("q", "").strip()[:NAME_CHARACTERS]
    try:
        role = Role(request.form.get("role", ""))
    except ValueError as error:
        raise BadRequest(f"expected a role: {', '.join(Role)}") from error
    try:
        with site().database.write.begin() as database:
            changed = accounts.set_role(database, g.account.name, name, role, request_time())
    except ServiceError as error:
        notices.show_next(Notice("bad", _refusal(error.code)))
        return redirect(url_for("admin.accounts_page", q=text or None), 303)
    notices.show_next(
        Notice("good", _("%(name)s: %(role)s.", name=changed.name, role=labels.role(changed.role)))
    )
    if changed.player_id == g.account.player_id and changed.role is not Role.ADMIN:
        # This page is no longer there for who has just stepped back.
        return redirect(url_for("account.page"), 303)
    return redirect(url_for("admin.accounts_page", q=text or None), 303)


def _refusal(code: str) -> str:
    reasons = {
        "not_found": _("There is no such account any more."),
        "last_admin": _("The only admin has to stay one: make somebody else an admin first."),
    }
    return reasons.get(code, _("This could not be done."))
