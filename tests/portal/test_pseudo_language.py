"""Every page, message, mail and document read in the pseudo-language: whatever is plain came past the catalogues."""

import csv
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException

import portal.config
from portal import clock, demo
from portal.demo import load_demonstration
from portal.i18n import PSEUDO, translator
from portal.regulations import catalogue
from portal.services.demonstration import Case, Subject, list_cases
from portal.services.unit_of_work import unit_of_work
from portal.wording.problems import problem_sentence
from tests.architecture.test_errors import ERRORS, made
from tests.tools.sentences import outside_catalogues, sentences

NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)
_ = translator(PSEUDO)
MOST_OF_A_KIND = 8
"""Addresses of one endpoint that are read; more say the same."""
PLACES = [
    Path(demo.__file__).parent / "data" / town.slug / name
    for town in catalogue.municipalities()
    for name in ("pontos.csv", "itinerarios.csv", "lugares.csv", "recreativo.csv", "plataforma.csv")
]
NAMES = ("codigo", "pontos", "nome", "nome_en", "nome_es", "referencia", "empresa", "nome_fantasia")


def _names() -> Iterator[str]:
    """What is called the same in every language: towns and their offices, stops, itineraries, companies."""
    for town in catalogue.municipalities():
        yield from (town.name, town.ombudsman.name)
    for instrument in catalogue.instruments():
        yield from (one.name for one in instrument.authorities)
    yield from (
        "ida",
        "volta",
        "todos",
        "feriados",
        "qui",
        "sim",
        "tabelas",
    )  # cells of the town's own tables
    yield from ("Decreto nº", "Lei nº", "Lei", "art")  # an act is called what it calls itself
    yield from (
        "Carona Azul (exemplo)",
        "Vai Comigo (exemplo)",
        "Rota Fácil (exemplo)",
        "Fiscalização de transportes",
        "Centro",
    )
    for path in filter(Path.exists, PLACES):
        for row in csv.DictReader(path.read_text("utf-8").splitlines(), delimiter=";"):
            yield from (row[cell] for cell in NAMES if row.get(cell))


@pytest.fixture
def demonstration(keys: Path, database: object, monkeypatch: pytest.MonkeyPatch) -> tuple[Case, ...]:
    monkeypatch.setenv("DEVELOPMENT", "1")
    monkeypatch.setenv("DEMONSTRATION", "1")
    portal.config.settings.cache_clear()
    portal.config.desk_settings.cache_clear()
    monkeypatch.setattr(clock, "now", lambda: NOW)
    load_demonstration(now=NOW)
    with unit_of_work() as session:
        return list_cases(session)


class Reader:
    """A person who reads everything that a browser is answered."""

    def __init__(self, app: Flask, compiled_templates: object) -> None:
        app.jinja_env.bytecode_cache = compiled_templates  # type: ignore[assignment]
        app.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
        self.app = app
        self.read: dict[str, str] = {}
        with unit_of_work() as session:
            logins = [case.login for case in list_cases(session) if case.login]
        self.names = [*_names(), *logins, *(f"{login.capitalize()} (demonstração)" for login in logins)]
        self.browser = self.another()

    def another(self) -> FlaskClient:
        browser = self.app.test_client()
        browser.set_cookie("lang", PSEUDO)
        return browser

    def look(self, response: object, at: str) -> str:
        if "html" not in response.content_type:  # type: ignore[attr-defined]
            return ""
        text: str = response.text  # type: ignore[attr-defined]
        for sentence in outside_catalogues(sentences(text), self.names):
            self.read.setdefault(sentence, at)
        return text

    def walk(self, browser: FlaskClient, *begin: str, skip: str = r"$^") -> None:
        """Read the pages that ``begin``, and all that they lead to."""
        seen: set[str] = set()
        of_kind: dict[str, int] = {}
        waiting = list(begin)
        while waiting:
            path = waiting.pop()
            if path in seen or re.search(skip, path):
                continue
            seen.add(path)
            kind = self._kind(path)
            of_kind[kind] = of_kind.get(kind, 0) + 1
            if path not in begin and of_kind[kind] > MOST_OF_A_KIND:
                continue
            page = self.look(browser.get(path), path)
            waiting += [
                unescape(link) for link in re.findall(r'href="(/[^"#]*)', page) if "lang=" not in link
            ]

    def _kind(self, path: str) -> str:
        try:
            return str(self.app.url_map.bind("").match(path.split("?")[0])[0])
        except HTTPException:
            return path


def found(reader: Reader) -> list[str]:
    return [f"{at}: {sentence}" for sentence, at in reader.read.items()]


@pytest.fixture
def portal_reader(demonstration: object, compiled_templates: object) -> Reader:
    from portal.web import create_app

    return Reader(create_app(), compiled_templates)


@pytest.fixture
def desk_reader(demonstration: object, compiled_templates: object) -> Reader:
    from portal.desk import create_app

    return Reader(create_app(), compiled_templates)


class TestThePortal:
    def test_its_main_pages_say_nothing_outside_the_catalogues(
        self, monkeypatch, database, compiled_templates
    ):
        """Without the demonstration, which the slow tests walk whole."""
        monkeypatch.setenv("DEVELOPMENT", "1")
        portal.config.settings.cache_clear()
        from portal.web import create_app

        reader = Reader(create_app(), compiled_templates)
        town = "/caraguatatuba-sp"
        for path in (
            "/",
            f"{town}/",
            f"{town}/verificar?q=ZZX0A00",
            f"{town}/pontos",
            f"{town}/manifestacoes/nova",
            "/nada",
        ):
            answer = reader.browser.get(path)
            assert answer.headers["Content-Language"] == PSEUDO
            reader.look(answer, path)

        assert not found(reader), "\n".join(found(reader))

    @pytest.mark.slow
    def test_says_nothing_outside_the_catalogues(
        self, portal_reader: Reader, demonstration: tuple[Case, ...]
    ):
        verdicts = [
            f"/{case.municipality}/verificar?q={case.query}"
            for case in demonstration
            if case.subject is Subject.VEHICLE
        ]
        wrong = (
            "/nada",
            "/verificar?q=X",
            "/caraguatatuba-sp/verificar?q=ZZX0A00&on=31",
            "/verificar?q=ZZX0A00",
        )

        portal_reader.walk(
            portal_reader.browser,
            "/",
            "/demonstracao",
            *verdicts,
            *wrong,
            skip="/_components|/(static|vendor)/",
        )

        assert not found(portal_reader), "\n".join(found(portal_reader))

    @pytest.mark.slow
    def test_nor_in_any_question_refusal_receipt_and_case(
        self, portal_reader: Reader, demonstration: tuple[Case, ...]
    ):
        new = "/caraguatatuba-sp/manifestacoes/nova"
        for category in ("overcrowding", "harassment", "lost_property", "praise", "unauthorized_transport"):
            self._complain(portal_reader, new, category)
        for case in demonstration:
            if case.subject is Subject.COMPLAINT:
                browser = portal_reader.another()
                keys = {"protocol": case.protocol, "access_key": case.access_key}
                portal_reader.look(browser.post("/acompanhar", data=keys, follow_redirects=True), case.code)
                for act in ("mensagem", "revisao", "retirada"):
                    portal_reader.look(browser.post(f"/acompanhar/{act}", data={"text": ""}), case.code)
        portal_reader.look(portal_reader.browser.post("/acompanhar", data={"protocol": "x"}), "/acompanhar")

        assert not found(portal_reader), "\n".join(found(portal_reader))

    def _complain(self, reader: Reader, new: str, category: str) -> None:
        browser = reader.another()
        page = reader.look(browser.get(new), new)
        for _turn in range(12):
            asked = re.findall(r'name="question" value="(\w+)"', page)
            if not asked:
                break
            given = {
                "question": asked[-1],
                "draft": (re.findall(r'name="draft" value="([^"]*)"', page) or [""])[-1],
                "option": "",
            }
            reader.look(browser.post(new, data=given), f"{category}: {asked[-1]} refused")
            option = {"what": category, "when": "now", "photos": "done", "identity": "anonymous"}.get(
                asked[-1], "skip"
            )
            response = browser.post(new, data={**given, "option": option}, follow_redirects=True)
            if response.status_code == 422 or f'value="{asked[-1]}"' in response.text:
                response = browser.post(new, data={**given, "option": "unknown"}, follow_redirects=True)
            page = reader.look(response, f"{category}: after {asked[-1]}")
        for beside in ("story", "photos"):
            reader.look(browser.get(f"{new}?pergunta={beside}"), f"{category}: {beside}")


@pytest.mark.slow
class TestTheDesk:
    def test_says_nothing_outside_the_catalogues(self, desk_reader: Reader, demonstration: tuple[Case, ...]):
        desk_reader.walk(desk_reader.browser, "/mesa/entrar", "/mesa/nada")
        for case in demonstration:
            if case.subject is Subject.STAFF:
                browser = desk_reader.another()
                browser.post("/mesa/entrar", data={"login": case.login, "password": case.password})
                desk_reader.walk(browser, "/mesa/", "/mesa/estatisticas", skip="/(static|vendor)/")

        assert not found(desk_reader), "\n".join(found(desk_reader))


class TestTheLanguageItself:
    def test_is_offered_to_developers_alone(self, client):
        assert client.get(f"/sobre?lang={PSEUDO}").headers["Content-Language"] == "pt-BR"
        client.set_cookie("lang", PSEUDO)
        assert client.get("/sobre").headers["Content-Language"] == "pt-BR"

    def test_keeps_what_does_something_and_is_much_longer(self):
        said = _("Confira <b>%(plate)s</b> em https://exemplo.br ou com /ajuda.")

        assert all(part in said for part in ("<b>%(plate)s</b>", "https://exemplo.br", "/ajuda"))
        assert len(_("Confira a placa antes de embarcar.")) >= 1.3 * len("Confira a placa antes de embarcar.")


class TestErrors:
    def test_of_ours_come_from_the_catalogue(self):
        assert outside_catalogues([problem_sentence(made(kind), _) for kind in ERRORS], ["x"]) == []
