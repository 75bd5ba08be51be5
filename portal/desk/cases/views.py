"""The list by due date, and one complaint: read it, answer it, take the steps between."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from flask import Blueprint, current_app, flash, redirect, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from portal import clock
from portal.desk.cases.presenting import facts_of, history_of, laws_of, news_of, snapshot_of, words
from portal.desk.cases.steps import STEPS
from portal.desk.sign_in.views import member
from portal.domain.complaints import ComplaintKind, ComplaintStatus, Identity
from portal.domain.errors import CaseChanged, NothingHere, PortalError
from portal.domain.protocols import read_protocol
from portal.domain.texts import clean_text
from portal.i18n import LANGUAGES, Translator, translator
from portal.pages.downloads import hand_out
from portal.pages.fragments import render
from portal.pages.languages import current_translator
from portal.regulations import catalogue
from portal.sealing.boxes import UnreadableBox
from portal.sealing.opening import open_sealed
from portal.services import casework
from portal.services.casework import ANSWER_LIMIT, REASON_LIMIT, Action, CaseFile, Filters, Seen, Show
from portal.services.unit_of_work import unit_of_work
from portal.wording.answers import gap_mark, outcome_text, ready_answers
from portal.wording.categories import category_label
from portal.wording.complaints import identity_word, kind_word
from portal.wording.desk import (
    alarm_phrase,
    colleague_sentence,
    counting_sentence,
    desk_status_word,
    done_sentence,
    paused_phrase,
)
from portal.wording.merging import merged_text
from portal.wording.problems import problem_sentence
from portal.wording.services import service_name

blueprint = Blueprint("cases", __name__, url_prefix="/mesa")

FILTERS = {
    "situacao": "status",
    "assunto": "category",
    "tipo": "kind",
    "servico": "service",
    "busca": "search",
}
"""Names in the address, and the filters they set."""
ALARMS_SHOWN = 8


@dataclass(slots=True)
class Filled:
    """The form that was sent and could not be taken: refilled, with what is wrong."""

    action: Action | None = None
    form: Mapping[str, str] = field(default_factory=MultiDict)
    problem: str = ""
    error_id: str = ""
    status: int = 200
    identity: Identity | None = None
    """Unsealed by this very request, for this answer alone."""
    since: Seen | None = None
    """What the page showed that the form came from, when something happened meanwhile."""

    @property
    def text(self) -> str:
        return self.form.get("text", "")


@blueprint.get("/")
def show_list() -> Response:
    """Complaints by due date; ``?mostrar=overdue`` and the like, filters, ``?busca=``, ``?pagina=2``."""
    staff, _ = member(), current_translator()
    show = Show(request.args["mostrar"]) if request.args.get("mostrar") in set(Show) else Show.OPEN
    filters = Filters.read({FILTERS[name]: said for name, said in request.args.items() if name in FILTERS})
    page = request.args.get("pagina", 1, type=int)
    today = catalogue.today_in(staff.municipality)
    with unit_of_work() as session:
        cases = casework.list_cases(session, staff, today=today, show=show, page=page, filters=filters)
        alarms = casework.alarms_now(session, staff, today=today)
    return render(
        "desk/cases/inbox.html",
        fragment="cases",
        cases=cases,
        shows=tuple(Show),
        asked={name: said for name in FILTERS if (said := request.args.get(name))},
        narrowed=filters != Filters(search=filters.search),
        choices=_choices(staff.municipality, filters, _),
        alarms=alarms[:ALARMS_SHOWN],
        alarm_said=lambda alarm: alarm_phrase(alarm, _),
        **words(_),
    )


def _choices(
    municipality: str, filters: Filters, _: Translator
) -> list[tuple[str, str, list[tuple[str, str]], str | None]]:
    """The select boxes: name, label, options, what is chosen."""
    categories = [(one, category_label(one, _)) for one in casework.categories_here(municipality)]
    services = [(str(one), service_name(one, _)) for one in catalogue.municipality(municipality).services]
    return [
        (
            "situacao",
            _("Situação"),
            [(str(s), desk_status_word(s, _)) for s in ComplaintStatus],
            filters.status,
        ),
        ("assunto", _("Assunto"), sorted(categories, key=lambda pair: pair[1].casefold()), filters.category),
        ("tipo", _("Tipo"), [(str(kind), kind_word(kind, _)) for kind in ComplaintKind], filters.kind),
        ("servico", _("Serviço"), services, filters.service),
    ]


@blueprint.get("/manifestacoes/<protocol>")
def show_case(protocol: str) -> Response:
    return _case_page(protocol, Filled())


@blueprint.post("/manifestacoes/<protocol>/presenca")
def note_visit(protocol: str) -> Response:
    """The open page tells, once, that it is open, so that colleagues read it on theirs: no GET ever writes."""
    with unit_of_work(writes=True) as session:
        casework.note_visit(session, member(), protocol, now=clock.now())
    return Response(status=204)


@blueprint.get("/manifestacoes/<protocol>/anexos/<token>")
def download_evidence(protocol: str, token: str) -> Response:
    """A file, always as a download: nothing that somebody sent in is ever shown by this site's address."""
    with unit_of_work() as session:
        file = casework.evidence_of_case(session, member(), protocol, token)
    return hand_out(file.read(), file.media_type, f"{read_protocol(protocol)}-{file.name}")


@blueprint.post("/manifestacoes/<protocol>/<step>")
def take_step(protocol: str, step: str) -> Response:
    """Take a step and go back to the complaint; what is refused comes back with the form filled."""
    if step not in STEPS:
        raise NothingHere("step")
    action = STEPS[step].action
    if action is Action.ANSWER and (early := _not_yet_answered(protocol)):
        return early
    try:
        with unit_of_work(writes=True) as session:
            STEPS[step].take(session, member(), protocol, request.form, _seen())
    except PortalError as error:
        return _refused(protocol, action, error)
    flash(done_sentence(action, current_translator()))
    return redirect(url_for("cases.show_case", protocol=protocol), 303)


def _not_yet_answered(protocol: str) -> Response | None:
    """The button of a ready sentence only adds it to the text; one that is not completed is not sent."""
    text = request.form.get("text", "")
    if "insert" in request.form:
        citizen = translator(_read(protocol).line.language)
        try:
            sentence = outcome_text(request.form.get("outcome", ""), citizen)
        except KeyError:
            sentence = ""
        joined = f"{text.rstrip()}\n\n{sentence}" if text.strip() else sentence
        return _case_page(protocol, Filled(Action.ANSWER, {**request.form, "text": joined}))
    if any(gap_mark(translator(language)) in text for language in LANGUAGES):
        _ = current_translator()
        problem = _("Complete o trecho entre colchetes antes de enviar.")
        return _case_page(protocol, Filled(Action.ANSWER, request.form, problem, "answer", 422))
    return None


@blueprint.post("/manifestacoes/<protocol>/identidade")
def open_identity(protocol: str) -> Response:
    """Show who sent it, once, in the answer to this very press; the reason is in the audit chain by then."""
    text = request.form.get("text", "")
    try:
        with unit_of_work(writes=True) as session:
            identity = casework.open_identity(
                session, member(), protocol, text, open_box=_open_box, now=clock.now()
            )
    except PortalError as error:
        return _refused(protocol, Action.OPEN_IDENTITY, error)
    return _case_page(protocol, Filled(Action.OPEN_IDENTITY, identity=identity))


def _seen() -> Seen | None:
    return Seen.read(request.form.get("seen", ""))


def _refused(protocol: str, action: Action, error: PortalError) -> Response:
    if error.status == 404:
        raise error
    if isinstance(error, CaseChanged) and _sent_before(protocol):
        return redirect(url_for("cases.show_case", protocol=protocol), 303)
    sentence = problem_sentence(error, current_translator())
    since = _seen() if isinstance(error, CaseChanged) else None
    return _case_page(
        protocol, Filled(action, request.form, sentence, str(action), error.status, since=since)
    )


def _sent_before(protocol: str) -> bool:
    """Whether this very text is the last message already: a second press of one's own changes nothing."""
    text, case = clean_text(request.form.get("text", "")), _read(protocol)
    last = case.messages[-1] if case.messages else None
    return bool(text and last and last.text == text and last.by == member().name)


def _read(protocol: str) -> CaseFile:
    staff = member()
    with unit_of_work() as session:
        return casework.read_case(session, staff, protocol, today=catalogue.today_in(staff.municipality))


def _case_page(protocol: str, filled: Filled) -> Response:
    _, staff = current_translator(), member()
    today = catalogue.today_in(staff.municipality)
    with unit_of_work() as session:
        case = casework.read_case(session, staff, protocol, today=today)
        told = casework.told_identity(session, staff, protocol, open_box=_open_box)
        colleague = casework.colleague_at(session, staff, protocol, now=clock.now())
        colleagues = casework.colleagues_of(session, staff, protocol) if Action.RECUSE in case.actions else ()
    return render(
        "desk/cases/case.html",
        fragment="answer_form",
        status=filled.status,
        case=case,
        line=case.line,
        filled=filled,
        news=news_of(case, filled.since, _),
        also_here=colleague_sentence(colleague, clock.now(), _) if colleague and case.actions else "",
        identity=filled.identity or told,
        facts=facts_of(case, _),
        snapshot=snapshot_of(case, _),
        laws=laws_of(case, _),
        ready=ready_answers(_, translator(case.line.language)),
        citizen=translator(case.line.language),
        merged_text=merged_text(translator(case.line.language)),  # read by the citizen, not by who sends it
        identity_mode_word=identity_word(case.identity_mode, _),
        timeline_items=history_of(case, _),
        grounds=casework.grounds_of(staff.municipality, on=today),
        candidates=casework.merge_candidates(case),
        colleagues=colleagues,
        owed_merged=[one for one in case.merged if one.days_left is not None],
        counting=counting_sentence(case.answer_time, _),
        paused=paused_phrase(case.paused_days, _),
        answer_limit=ANSWER_LIMIT,
        reason_limit=REASON_LIMIT,
        Action=Action,
        **words(_),
    )


def _open_box(box: bytes, record: str) -> bytes:
    keys = current_app.config["IDENTITY_KEYS"].get(member().municipality)
    if keys is None:
        raise UnreadableBox("no key of this municipality")
    return open_sealed(box, keys, record=record)
