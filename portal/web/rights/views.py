"""Your rights on a service: what to check, what may be asked, what it costs, what becomes of a complaint."""

from datetime import date

from flask import Blueprint, Response, request

from portal import clock
from portal.domain.days import iso_day
from portal.domain.errors import NothingHere, UnreadableDate
from portal.domain.permits import Service
from portal.domain.verdicts import Reason
from portal.pages.fragments import render
from portal.pages.languages import address, current_translator
from portal.regulations import catalogue
from portal.services.verdicts.rules import rights_of
from portal.web.rights.presenting import Anchors, anchor_of, groups_shown, requirements_shown
from portal.wording import rights as rights_words
from portal.wording import rules as rule_words
from portal.wording.categories import category_label
from portal.wording.citations import article_words
from portal.wording.problems import problem_sentence

blueprint = Blueprint("rights", __name__)


@blueprint.get("/<slug:municipality>/direitos/<service>")
def rights(municipality: str, service: str) -> Response:
    """The page of one service, as of a day; ``imprimir`` opens all of it for paper."""
    _ = current_translator()
    try:
        wanted = Service(service)
    except ValueError:
        raise NothingHere("service") from None
    asked, problem = request.args.get("on", "").strip(), None
    here = catalogue.municipality(municipality)
    today = catalogue.today_in(here)
    on = today
    if asked:
        try:
            on = iso_day(asked)
        except UnreadableDate as error:
            problem = error
    found = rights_of(municipality, wanted, on=on)
    law = found.law
    since = law.in_force_from if law and on < law.in_force_from else None
    return render(
        "rights/rights.html",
        fragment="content",
        status=problem.status if problem else 200,
        here=here,
        rights=found,
        law=law,
        today=today,
        now=clock.now().astimezone(here.zone),
        standing=rule_words.standing_sentences(
            bill=law.bill,
            in_force=law.in_force,
            since=since,
            known_from=law.text_known.from_,
            known_until=law.text_known.until,
            on=on,
            _=_,
        )
        if law
        else (),
        groups=groups_shown(law, found.categories, _) if law else (),
        requirements=requirements_shown(law) if law else (),
        anchors=Anchors(),
        all_open="imprimir" in request.args,
        problem=problem_sentence(problem, _) if problem else None,
        say=rights_words,
        tell=rule_words,
        category_label=category_label,
    )


@blueprint.app_template_filter()
def unbroken(article: str) -> str:
    """A citation whose numbers stay beside what they number."""
    said = article_words(article, current_translator())
    return said.replace("art. ", "art.\u00a0").replace("§ ", "§\u00a0").replace("§§ ", "§§\u00a0")


@blueprint.app_template_filter()
def rights_address(reason: Reason, on: date | None = None) -> str:
    """Where the article behind a statement is explained; empty where it cites no instrument."""
    if reason.instrument is None:
        return ""
    law = catalogue.instrument(reason.instrument)
    return service_rights_address(law.municipality, law.service, on, reason.article)


@blueprint.app_template_global()
def service_rights_address(
    municipality: str, service: Service, on: date | None = None, article: str | None = None
) -> str:
    """The rights page of a service; the day is only written where it is not today's."""
    # Written out, since a verdict has a dozen of these and `url_for` builds each anew.
    past = {"on": on.isoformat()} if on and on != catalogue.today_in(municipality) else {}
    anchor = f"#{anchor_of(article)}" if article else ""
    return address(f"/{municipality}/direitos/{service.value}", **past) + anchor
