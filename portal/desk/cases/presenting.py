"""A complaint in the words of the desk's pages."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from portal.desk.sign_in.views import member
from portal.domain.permits import Service, Status
from portal.domain.questionnaire import question
from portal.domain.texts import capitalize_first
from portal.domain.verdicts import ListSeen
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.services.casework import CaseAct, CaseEvent, CaseFile, CaseMessage, CaseTold, Seen
from portal.services.verdicts.rule_answers import CategoryTold
from portal.wording.categories import category_label
from portal.wording.citations import article_words
from portal.wording.complaints import kind_word
from portal.wording.desk import (
    act_phrase,
    channel_word,
    days_left_phrase,
    desk_status_word,
    due_tag,
    language_name,
    same_phrase,
    show_word,
)
from portal.wording.events import event_title
from portal.wording.questionnaire import answer_name, answer_text
from portal.wording.rules import penalty_sentence
from portal.wording.verdict_card import list_sentences, role_name
from portal.wording.verdicts import state_word

FACTS = ("what", "vehicle", "where", "when")


def facts_of(case: CaseFile, _: Translator) -> list[tuple[str, str]]:
    """The citizen's answers, each with its name."""
    return [(answer_name(question(fact), _), said) for fact, said in facts_by_name(case, _).items()]


def facts_by_name(case: CaseFile | CaseTold, _: Translator) -> dict[str, str]:
    """The citizen's answers in words, by the id of the question."""
    answers: dict[str, Any] = {"what": {"category": case.line.category}, **case.facts}
    return {fact: answer_text(question(fact), answers[fact], _) for fact in FACTS if fact in answers}


def snapshot_of(case: CaseFile, _: Translator) -> dict[str, Any] | None:
    """What the register said when it happened: a state, its day, each vehicle and the lists that were seen."""
    kept = case.snapshot
    if not kept:
        return None
    return {
        "status": kept["status"],
        "word": state_word(Status(kept["status"]), _),
        "on": date.fromisoformat(kept["on"]),
        "units": [
            {**unit, "word": state_word(Status(unit["status"]), _), "role": role_name(unit["role"], _)}
            for unit in kept["units"]
        ],
        "permits": [permit["number"] for permit in kept["permits"] if permit["number"]],
        "lists": list_sentences([_list_seen(seen) for seen in kept["lists"]], _),
    }


def _list_seen(kept: dict[str, Any]) -> ListSeen:
    told = {**kept, "as_of": date.fromisoformat(kept["as_of"])}
    if kept["service"]:
        told["service"] = Service(kept["service"])
    return ListSeen(**told)


@dataclass(frozen=True, slots=True)
class LawSaid:
    """What one instrument says of the category on the day of the fact."""

    title: str
    articles: tuple[str, ...]
    condition: str
    stated: bool
    infractions: tuple[dict[str, str], ...]


def laws_of(case: CaseFile, _: Translator) -> list[LawSaid]:
    return [_law_said(told, _) for told in case.provisions]


def _law_said(told: CategoryTold, _: Translator) -> LawSaid:
    law = catalogue.instrument(told.instrument)
    return LawSaid(
        title=law.title,
        articles=told.articles,
        condition=told.condition.said(_.language) if told.condition else "",
        stated=told.stated,
        infractions=tuple(
            {
                "code": row.code,
                "text": row.text,
                "article": row.article,
                "penalties": capitalize_first(
                    "; ".join(penalty_sentence(one, law.units, _) for one in row.penalties)
                ),
            }
            for row in told.infractions
        ),
    )


def history_of(case: CaseFile, _: Translator) -> list[dict[str, str]]:
    """Every step and every act of the desk, oldest first."""
    # Of one instant, the act comes first: it is what led to the step.
    told = [(one.at, _act(one, case.municipality, _)) for one in case.acts]
    told += [(one.at, _event(one, case.municipality, _)) for one in case.events]
    return [item for _at, item in sorted(told, key=lambda pair: pair[0])]


def news_of(case: CaseFile, seen: Seen | None, _: Translator) -> list[dict[str, str]]:
    """What happened since a page was read that showed as much as ``seen`` says."""
    if seen is None:
        return []
    told = [(one.at, _event(one, case.municipality, _)) for one in case.events[seen.events :]]
    told += [(one.at, _act(one, case.municipality, _)) for one in case.acts[seen.acts :]]
    told += [(one.at, _message(one, case.municipality, _)) for one in case.messages[seen.messages :]]
    return [item for _at, item in sorted(told, key=lambda pair: pair[0])]


def _event(event: CaseEvent, municipality: str, _: Translator) -> dict[str, str]:
    title = event_title(event.kind, _) or desk_status_word(event.status, _)
    return {"title": title, "when": _when(event.at, event.by, municipality, _), "text": event.reason or ""}


def _act(act: CaseAct, municipality: str, _: Translator) -> dict[str, str]:
    return {
        "title": act_phrase(act, _),
        "when": _when(act.at, act.by, municipality, _),
        "text": act.text or "",
    }


def _message(message: CaseMessage, municipality: str, _: Translator) -> dict[str, str]:
    title = _("Mensagem da ouvidoria") if message.by else _("Mensagem da pessoa")
    return {"title": title, "when": _when(message.at, message.by, municipality, _), "text": message.text}


def _when(at: datetime, by: str | None, municipality: str, _: Translator) -> str:
    when = _.datetime(local(at, municipality))
    return f"{when} · {by}" if by else when


def words(_: Translator) -> dict[str, Any]:
    """What templates need to say a complaint."""
    municipality = member().municipality
    return {
        "article_said": lambda article: article_words(article, _),
        "status_word": lambda status: desk_status_word(status, _),
        "kind_name": lambda kind: kind_word(kind, _),
        "category_name": lambda category: category_label(category, _),
        "channel_name": lambda channel: channel_word(channel, _),
        "same_said": lambda same: ", ".join(same_phrase(one, _) for one in sorted(same, key=_by_weight)),
        "days_left": lambda days: days_left_phrase(days, _),
        "due_tag": due_tag,
        "show_name": lambda show: show_word(show, _),
        "language_called": lambda language: language_name(language, _),
        "local_day": lambda moment: local(moment, municipality).date(),
        "local_time": lambda moment: local(moment, municipality),
    }


def _by_weight(same: str) -> int:
    return ("vehicle", "stop", "hour").index(same)


def local(moment: datetime, municipality: str) -> datetime:
    return moment.astimezone(catalogue.municipality(municipality).zone)
