"""What the bot writes, and the mails and papers beside it, read in the pseudo-language."""

from datetime import UTC, date, datetime

import pytest

from portal.documents.letter import Letter, letter_pdf
from portal.documents.paper import Paper
from portal.documents.receipt import receipt_pdf
from portal.i18n import PSEUDO, translator
from portal.regulations import catalogue
from portal.services.messages import telegram as conversation
from portal.services.unit_of_work import unit_of_work
from portal.wording.complaints import due_sentence, key_sentence, receipt_text
from portal.wording.desk import alarm_subject, alarm_text
from portal.wording.notices import anchor_subject, anchor_text, news_subject, news_text
from tests.bot.town import PLATE, TOWN
from tests.tools.sentences import outside_catalogues

_ = translator(PSEUDO)
NAMES = (
    "Praça Doutor Cândido Mota – Ponto Turístico Nº 2", "📍 Praça Doutor Cândido Mota – Ponto Tur…",
    "Terminal_Norte (A) *Praia*", "Centro – Praia", "Indaiá",
    "centro-praia", "Português", "English", "Español", "Idioma", "Language", "Ana", "Lei", "Decreto", "art", "nº",
)  # fmt: skip
SAID = (
    "/inicio", "/ajuda", "/pontos", "/acompanhar", "/idioma", "/parar", "/apagar", "/cancelar", "/nada",
    f"/verificar {PLATE}", "/verificar ZZX0A00", "/verificar X", "oi", "Praça", "Indaiá", "socorro",
    "quero um humano", "é seguro?", "obrigado",
)  # fmt: skip


@pytest.fixture
def reader(bot, at_two):
    """Somebody whose chat speaks the pseudo-language, and everything that it is told."""
    ana = bot.person("Ana")
    ana.says("/inicio")
    with unit_of_work(writes=True) as session:
        conversation.remember(session, ana.id, {"language": PSEUDO})
    return ana


def told(person, begin):
    for call in person.world.sent("sendMessage")[begin:]:
        yield call.params.get("text") or ""
    for message in person.messages[1:]:  # the first greeted in the language of the telephone
        yield from message.buttons


class TestTheBot:
    def test_says_nothing_outside_the_catalogues(self, reader):
        begin = len(reader.world.sent("sendMessage"))
        for words in SAID:
            reader.says(words)
        reader.says("/reclamar")
        for _turn in range(12):
            buttons = [one for one in reader.last_message.buttons if not one.startswith("‹")]
            if not buttons:
                break
            reader.presses(buttons[0] if len(buttons) < 4 else buttons[-2])

        texts = [
            line
            for text in told(reader, begin)
            for line in text.splitlines()
            if "[" in line or "]" not in line
        ]
        plain = outside_catalogues(texts, names())
        assert not plain, "\n".join(plain)


class TestMails:
    def test_are_of_the_catalogues_alone(self):
        day, address = date(2026, 11, 30), "https://exemplo.br/acompanhar"
        said = [
            news_subject("7K3M-9QXT-4B2C", _),
            news_text("7K3M-9QXT-4B2C", address, _),
            anchor_subject("Caraguatatuba", _),
            anchor_text("0123", _),
            alarm_subject("7K3M-9QXT-4B2C", day, _),
            alarm_text("7K3M-9QXT-4B2C", day, True, address, _),
            receipt_text("7K3M-9QXT-4B2C", None, day, "art. 16", address, _),
            due_sentence(day, "art. 16", _),
            key_sentence(_),
        ]
        assert outside_catalogues(said, [*names(), "verify-log", "anchor"]) == []


class TestPapers:
    @pytest.fixture
    def written(self, monkeypatch):
        """Every text that is put on a sheet."""
        texts: list[str] = []
        lines, cell = Paper._lines, Paper.cell

        def noted_lines(paper, text, height):
            texts.append(text)
            lines(paper, text, height)

        def noted_cell(paper, width, height=None, text="", **more):
            texts.append(text)
            return cell(paper, width, height, text, **more)

        monkeypatch.setattr(Paper, "_lines", noted_lines)
        monkeypatch.setattr(Paper, "cell", noted_cell)
        return texts

    def test_are_of_the_catalogues_alone(self, written):
        at = datetime(2026, 11, 30, 12, tzinfo=UTC)
        receipt_pdf(
            ombudsman="OUVIDORIA", protocol="7K3M-9QXT-4B2C", access_key=None, sentences=(key_sentence(_),),
            address="https://exemplo.br", at=at, _=_,
        )  # fmt: skip
        letter_pdf(
            Letter(
                municipality="CARAGUATATUBA", ombudsman="OUVIDORIA", unit="SEMOB", protocol="7K3M-9QXT-4B2C",
                asked_at=at, due_on=at.date(), due_article="art. 16", competence="art. 3", facts=(), copy="",
                question="?", files=(),
            ),
            _,
        )  # fmt: skip
        assert len(written) > 10
        assert outside_catalogues(written, names()) == []


def names():
    for town in catalogue.municipalities():
        yield from (town.name, town.ombudsman.name, town.slug)
        for rules in catalogue.instruments_of(town.slug):
            yield rules.title
    yield from (*NAMES, TOWN)
