"""Generating more: a run of the generator to start, to look at while it goes on, and to stop."""

from dataclasses import dataclass

from flask import g, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import BadRequest
from werkzeug.wrappers import Response

from puzzle_service import generating
from puzzle_service.domain.roles import Role
from puzzle_service.services import generation
from puzzle_service.services.errors import ServiceError
from puzzle_service.services.generation import Run
from puzzle_service.web import labels, notices
from puzzle_service.web.admin.area import blueprint
from puzzle_service.web.i18n import clock_label, date_label, ngettext
from puzzle_service.web.i18n import gettext as _
from puzzle_service.web.notices import Notice
from puzzle_service.web.site import request_time, site

LONGEST_NUMBER = 4


@dataclass(frozen=True)
class Generation:
    """The last run, if there was one, and in words how it goes or went."""

    run: Run | None
    title: str
    rest: str


@blueprint.app_template_global()
def admin_generation() -> Generation | None:
    """Return how the generator stands for whoever may start it, or None for anybody else."""
    if g.account.role is not Role.ADMIN:
        return None
    with site().database.read() as session:
        run = generation.latest(session, request_time())
    if run is None:
        return Generation(None, _("The generator has not been started yet."), _("It finds new candidates."))
    return Generation(run, _title(run), _rest(run))


@blueprint.get("/generation")
def generation_page() -> Response:
    """Show the last run: how far it is, or how it ended; and the form to start another one."""
    stands = admin_generation()
    run = None if stands is None else stands.run
    zone = site().settings.timezone
    started = (
        run and f"{date_label(run.started_at.astimezone(zone).date())}, {clock_label(run.started_at, zone)}"
    )
    page = render_template(
        "admin/generation.html",
        now=stands,
        run=run,
        started=started,
        who=run and labels.who(run.by),
        longest=generation.SECONDS.stop - 1,
    )
    return make_response(page)


@blueprint.post("/generation")
def generate() -> Response:
    """Start a run, unless there is one."""
    text = request.form.get("seconds", "").strip()
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER):
        text = "0"
    now, settings = request_time(), site().settings
    try:
        with site().database.write.begin() as session:
            run_id = generation.start(session, g.account.name, now, int(text))
    except ServiceError as error:
        notices.show_next(_no_seconds() if error.code == "bad_request" else labels.refusal(error.code))
        return _to_the_run()
    try:
        generating.spawn(settings, run_id)
    except OSError as error:
        with site().database.write.begin() as session:
            generation.end(session, run_id, now, "failed", added=0, error=str(error))
    return _to_the_run()


@blueprint.post("/generation/stop")
def stop_generation() -> Response:
    """Have a run stop, which keeps what it has found."""
    text = request.form.get("run", "")
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(generation.HIGHEST_ID))):
        raise BadRequest("expected the number of a run")
    try:
        with site().database.write.begin() as session:
            generation.ask_to_stop(session, int(text), request_time())
    except ServiceError as error:
        notices.show_next(labels.refusal(error.code))
    return _to_the_run()


def _to_the_run() -> Response:
    return redirect(url_for("admin.generation_page"), 303)


def _no_seconds() -> Notice:
    least, most = generation.SECONDS.start, generation.SECONDS.stop - 1
    return Notice(
        "warn", _("A number of seconds from %(least)d to %(most)d is needed.", least=least, most=most)
    )


def _title(run: Run) -> str:
    if run.state == "running" and run.checked:
        return _("What the generator has found is being checked.")
    return {
        "running": _("The generator is running."),
        "stopping": _("The generator is stopping."),
        "done": _("The generator is done."),
        "stopped": _("The generator was stopped."),
        "failed": _("The generator has failed."),
        "lost": _("The generator was lost: its process has ended, or the machine was restarted."),
    }[run.state]


def _rest(run: Run) -> str:
    """Return how far a run is, or what came of it."""
    if not run.goes_on:
        came = ngettext("%(num)d new candidate", "%(num)d new candidates", run.added)
        if run.state == "failed" and run.error:
            return f"{came}. {run.error}"
        return came
    found = ngettext("%(num)d found", "%(num)d found", run.accepted)
    if run.checked:
        checked = _("%(n)d checked", n=run.checked)
        return f"{found}, {checked}"
    spent = _("%(n)d s of %(all)d", n=min(run.elapsed, run.seconds), all=run.seconds)
    return f"{spent}, {found}"
