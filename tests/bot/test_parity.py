"""Bot and site ask and do the same, shown by walking both; `docs/parity.md` is written from the table here."""

import csv
import re
from pathlib import Path

import pytest

from bot import menu
from bot.application import Buttons, handlers
from bot.handlers.wishes import PLACES
from bot.questions import question_text
from portal.domain.questionnaire import QUESTIONS, Kind, options_of
from portal.i18n import translator
from portal.services.complaints import intake
from portal.services.complaints.intake import circumstances
from portal.services.unit_of_work import unit_of_work
from portal.wording.questionnaire import option_label, question_title
from tests.bot.handlers.test_complaints import begin
from tests.bot.town import NOW, TOWN
from tests.portal.web.complaints.test_views import Citizen

TABLE = Path(__file__).with_name("parity.csv")
PAGE = Path(__file__).parents[2] / "docs" / "parity.md"
_ = translator("pt_BR")

# What a person wants; where the site does it (endpoint); what does it in the chat (a command, a place of the phrase
# tables, a button's first word, or a kind of message); the API's endpoint; and the counter of the ombudsman's office.
# A reason in brackets stands where a channel does not do it.
FUNCTIONS = [tuple(row) for row in csv.reader(TABLE.read_text().splitlines()[1:], delimiter=";")]
NO_FUNCTION = re.compile(
    r"(api|static|vendor|favicon|health|demonstration|notices|tiles)\b|home\.(robots|ombudsman|itineraries)"
    r"|cards\.scan_photo|receipts\.|take_along\.|tourist\.|uploads\.|yearly\.|own_rights\.|complaints\.(begin|keep_key|receipt)|tracking\."
    r"|offline\.(manifest|service_worker)|finishing\.(ask$|finished)|.*_json$"
)
"""Parts of functions above, other doors to them, and what serves the machinery."""


class TestTheQuestions:
    def test_are_equal_in_bot_and_site_with_their_options(self, bot, at_two, keys, client):
        citizen = Citizen(client)
        ana = bot.person("Ana")
        begin(ana)
        ana.presses("Veículo lotado")
        citizen.send(option="overcrowding")
        asked = []
        while citizen.question != "identity":
            title = citizen.text.split("<h1", 1)[1].split(">", 1)[1].split("</h1>", 1)[0].strip()
            assert title in ana.last_message.text
            assert title == question_title(question_of(citizen.question), _)
            here = question_of(citizen.question)
            for option in options_of(here, circumstances(TOWN, now=NOW)):
                assert option_label(here, option, _) in ana.last_message.buttons
                # The page has fields for a day and an hour, where the chat reads what is written.
                assert here.kind is Kind.MOMENT or f'value="{option}"' in citizen.text
            asked.append(citizen.question)
            citizen.send(option="unknown")
            ana.presses("Não sei")
        assert question_title(question_of("identity"), _) in ana.last_message.text
        assert asked == [each.id for each in QUESTIONS if each.id in ("vehicle", "where", "when")]

    @pytest.mark.parametrize("language", ["pt_BR", "en", "es"])
    def test_every_one_has_its_words_in_the_chat(self, bot, at_two, keys, language):
        words = translator(language)
        with unit_of_work(writes=True) as session:
            draft = intake.start_draft(
                session,
                municipality=TOWN,
                channel="telegram",
                language=language,
                now=NOW,
                prefill={"what": "overcrowding"},
            )
            draft = intake.skip(session, draft.token, draft.question.id, now=NOW)
        assert question_title(draft.question, words) in question_text(draft, words)


class TestTheFunctions:
    def test_of_the_site_are_all_in_the_table(self, app):
        named = {function[1] for function in FUNCTIONS} | {function[3] for function in FUNCTIONS}
        unnamed = {
            rule.endpoint
            for rule in app.url_map.iter_rules()
            if rule.endpoint not in named and not NO_FUNCTION.match(rule.endpoint)
        }
        assert unnamed == set()

    @pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function[0])
    def test_is_done_where_the_table_says(self, app, function):
        _name, web, chat, api, _counter = function
        known = {rule.endpoint for rule in app.url_map.iter_rules()}
        for endpoint in (web, api):
            assert endpoint.startswith("(") or endpoint in known
        words = {word for each in handlers() if isinstance(each, Buttons) for word in each.by_word}
        assert (
            chat.startswith("(")
            or chat.removeprefix("/") in menu.COMMANDS
            or chat in PLACES | words | {"inline", "file"}
            or chat.startswith("complain:")
        )

    def test_of_the_counter_are_pages_of_the_desk_or_the_site(self, app, environment, monkeypatch):
        from portal.desk import create_app

        (environment / "identity.json").write_text("{}")
        monkeypatch.setenv("IDENTITY_PRIVATE_KEYS", str(environment / "identity.json"))
        monkeypatch.setenv("DESK_SECRET_KEY", "only-for-tests-" + "2" * 32)
        pages = (*create_app().url_map.iter_rules(), *app.url_map.iter_rules())
        named = {function[4] for function in FUNCTIONS if not function[4].startswith("(")}
        assert named
        assert named <= {rule.endpoint for rule in pages}

    def test_and_the_page_says_the_same(self):
        rows = [
            "# What each channel does",
            "",
            "Written by `tests/bot/test_parity.py` from `tests/bot/parity.csv`; it also walks bot and site from the",
            "one questionnaire and finds their questions equal. Each cell names what does it: an endpoint of the site",
            "or the API; in the chat a command, a place of the phrase tables, the first word of a button or a kind of",
            "message; a page of the desk's counter. Plain words say why a channel does not.",
            "",
            "| Function | Site | Bot | API | Counter |",
            "|---|---|---|---|---|",
            *(f"| {name} | {' | '.join(cell(each) for each in where)} |" for name, *where in FUNCTIONS),
            "",
        ]
        written, before = "\n".join(rows), PAGE.read_text() if PAGE.exists() else ""
        if written != before:
            PAGE.write_text(written)
        assert written == before, "docs/parity.md was stale: it has been written anew"


def cell(what: str) -> str:
    return what[1:-1] if what.startswith("(") else f"`{what}`"


def question_of(question_id: str):
    return next(each for each in QUESTIONS if each.id == question_id)
