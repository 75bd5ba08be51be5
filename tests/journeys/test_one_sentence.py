"""Every status is told in the same words on page, fragment, JSON, command line and bot."""

import html

import pytest
from click.testing import CliRunner

from portal import clock
from portal.cli import main
from portal.config import settings
from portal.demo import load_demonstration
from portal.domain.permits import Status
from portal.i18n import LANGUAGES, translator
from portal.regulations import catalogue
from portal.services.demonstration import Subject, list_cases
from portal.services.unit_of_work import unit_of_work
from portal.services.verdicts.circumstances import judge_here, read_circumstances
from portal.services.verdicts.verification import verify_permit
from portal.wording.verdicts import verdict_sentence
from tests.telegram.driving import answering_at_once
from tests.telegram.world import World


@pytest.fixture(params=LANGUAGES)
def told(request, keys, client, monkeypatch):
    """For every vehicle of the demonstration: its verdict, its sentence and what each surface said."""
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now)
    load_demonstration(now=now)
    language = translator(request.param)
    with unit_of_work() as session:
        cases = [case for case in list_cases(session) if case.subject is Subject.VEHICLE]
        verdicts = [_verdict(session, case, now) for case in cases]
    ask = Surfaces(client, language.tag)
    world = World()
    with answering_at_once(settings(), world):
        person = world.person("Ana", language=language.tag)
        return [
            (verdict, verdict_sentence(verdict, language), ask.all(verdict) | {"bot": _bot(person, verdict)})
            for verdict in verdicts
        ]


class TestOneSentence:
    def test_it_is_the_same_on_every_surface(self, told):
        missing = {
            (verdict.municipality, verdict.asked, str(verdict.status), surface): sentence
            for verdict, sentence, surfaces in told
            for surface, said in surfaces.items()
            # A plate that another town knows: there the bot lets that town speak, and says where.
            if sentence not in said and not (surface == "bot" and verdict.elsewhere)
        }
        assert not missing
        assert {verdict.status for verdict, _sentence, _surfaces in told} == set(Status)


class Surfaces:
    """A vehicle asked for in one town for this very hour, as the chat does, everywhere but in the bot."""

    def __init__(self, client, tag):
        self.client = client
        self.tag = tag

    def all(self, verdict):
        town, query = verdict.municipality, {"q": verdict.query, "at": "now", "lang": self.tag}
        page = self.client.get(f"/{town}/verificar", query_string=query)
        fragment = self.client.get(f"/{town}/verificar", query_string=query, headers={"HX-Request": "true"})
        answer = self.client.get(f"/api/v1/{town}/verify", query_string=query)
        line = CliRunner().invoke(main, ["verify", town, verdict.query, "--at", "now", "--lang", self.tag])
        assert (page.status_code, fragment.status_code, answer.status_code, line.exit_code) == (
            200,
            200,
            200,
            0,
        )
        assert answer.json["status"] == verdict.status
        assert "<html" in page.text
        assert "<html" not in fragment.text
        return {
            "page": html.unescape(page.text),
            "fragment": html.unescape(fragment.text),
            "JSON": answer.json["sentence"],
            "command line": line.output,
        }


def _bot(person, verdict):
    """Asked with the button of a town, as a person who lives there would."""
    person.says("/start")
    ibge = catalogue.municipality(verdict.municipality).ibge_code
    person.presses_data(f"town|{ibge}|{verdict.query}")
    return person.read()


def _verdict(session, case, now):
    today = now.astimezone(catalogue.municipality(case.municipality).zone).date()
    verdict = verify_permit(session, case.municipality, case.query, on=today, now=now)
    here = read_circumstances(case.municipality, stop=None, at="now", service=None, now=now)
    return judge_here(session, verdict, here)
