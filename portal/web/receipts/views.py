"""The proof of a look-up: kept by whoever asked, checked by anybody. Giving one stores nothing."""

from flask import Blueprint, Response, current_app, redirect, request
from werkzeug.wrappers import Response as Answer

from portal import clock
from portal.config import Settings
from portal.domain.errors import ReceiptUnknown
from portal.domain.plates import printable
from portal.pages.downloads import hand_out
from portal.pages.fragments import render
from portal.pages.headers import from_this_site
from portal.pages.languages import current_translator, explicit_language
from portal.regulations import catalogue
from portal.sealing.proofs import ProofKey, proof_keys
from portal.services.unit_of_work import unit_of_work
from portal.services.verdicts.circumstances import judge_here, read_circumstances
from portal.services.verdicts.proofs import CheckedProof, check_proof, prove
from portal.services.verdicts.verification import public_day, verify_permit
from portal.wording import proofs as wording
from portal.wording.problems import problem_sentence

blueprint = Blueprint("receipts", __name__)

LONGEST = 120
"""Characters of a code that come back in the box."""


@blueprint.post("/<slug:municipality>/comprovante")
@from_this_site
def give(municipality: str) -> Answer:
    """Answer again and prove it; a POST, so that no link and no robot asks for proofs in a person's place."""
    now, form = clock.now(), request.form
    on = public_day(form.get("on"), municipality, now=now)
    with unit_of_work() as session:
        verdict = verify_permit(session, municipality, printable(form.get("q", "")), on=on, now=now)
        told = {name: form.get(name) for name in ("stop", "at", "service")}
        if here := read_circumstances(municipality, now=now, **told):
            verdict = judge_here(session, verdict, here)
    return _to(prove(verdict, _keys()))


@blueprint.get("/comprovante/")
def ask() -> Answer:
    """The form for a code on paper; ``?codigo=`` leads to what it proves."""
    code = printable(request.args.get("codigo", ""))[:400]
    return _to(code) if code.replace("-", "").isalnum() else _form()


@blueprint.get("/comprovante/<code>")
def show(code: str) -> Response:
    """What was answered then, and what is answered now."""
    try:
        proof = _checked(code)
    except ReceiptUnknown as problem:
        return _form(code, problem)
    _ = current_translator()
    return render(
        "receipts/receipt.html",
        fragment="receipt",
        proof=proof,
        here=catalogue.municipality(proof.municipality),
        title=wording.proof_title(_),
        answered=wording.answered_sentence(proof, _),
        word=wording.proof_word(proof.look_up, _),
        lists=[wording.list_told(one, _) for one in proof.look_up.lists],
        limit=wording.limit_sentence(_),
        today=wording.now_sentence(proof, _),
        bare=proof.code.replace("-", ""),
    )


@blueprint.get("/comprovante/<code>.pdf")
def show_pdf(code: str) -> Response:
    proof = _checked(code)
    bare = proof.code.replace("-", "")
    at = clock.now().astimezone(catalogue.municipality(proof.municipality).zone)
    address = f"{_settings().public_url.rstrip('/')}/comprovante/{bare}"
    from portal.documents.look_up import look_up_pdf  # large, and rarely asked for

    pdf = look_up_pdf(proof, address=address, at=at, _=current_translator())
    return hand_out(pdf, "application/pdf", f"comprovante-{proof.look_up.at:%Y-%m-%d-%H%M}.pdf")


@blueprint.app_template_global()
def receipts_given() -> bool:
    """Whether this portal proves what it answers: it has a key for that."""
    return _settings().receipt_key is not None


def _checked(code: str) -> CheckedProof:
    with unit_of_work() as session:
        return check_proof(session, code, _keys(), now=clock.now())


def _form(code: str = "", problem: ReceiptUnknown | None = None) -> Response:
    _ = current_translator()
    return render(
        "receipts/ask.html",
        fragment="receipt",
        status=problem.status if problem else 200,
        title=wording.proof_title(_),
        code=printable(code)[:LONGEST],
        sentence=problem_sentence(problem, _) if problem else "",
    )


def _to(code: str) -> Answer:
    language = explicit_language()
    return redirect(f"/comprovante/{code.replace('-', '')}" + (f"?lang={language}" if language else ""), 303)


def _keys() -> tuple[ProofKey, ...]:
    return proof_keys(_settings())


def _settings() -> Settings:
    configured: Settings = current_app.config["SETTINGS"]
    return configured
