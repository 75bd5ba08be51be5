"""The catalogues: whole, reviewed and up to date, so that nobody meets half a translation."""

import re
from pathlib import Path

import pytest
from babel.messages import Catalog, Message
from babel.messages.frontend import CommandLineInterface
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po

from portal.i18n import CATALOGUES, LANGUAGES, SOURCE

TRANSLATED = [language for language in LANGUAGES if language != SOURCE]
GAP = re.compile(r"%\(\w+\)s")
COMMAND = re.compile(r"(?<![\w.:/])/[a-z]+\b")
PAIRS = (("“", "”"), ("«", "»"), ("(", ")"), ("[", "]"))
EXTRACT = (
    "pybabel -q extract --omit-header --no-wrap --add-location=file --sort-by-file --add-comments=Tradutores:"
)


@pytest.fixture(scope="module", params=TRANSLATED)
def language(request):
    return request.param


@pytest.fixture(scope="module")
def catalogue(language):
    with (CATALOGUES / language / "LC_MESSAGES" / "messages.po").open("rb") as source:
        return read_po(source, locale=language, abort_invalid=True)


class TestACatalogue:
    def test_every_message_is_translated(self, catalogue):
        assert [m.id for m in messages(catalogue) if not all(translations(m))] == []

    def test_no_translation_awaits_review(self, catalogue):
        assert [m.id for m in messages(catalogue) if m.fuzzy] == []

    def test_it_has_the_messages_of_the_template(self, catalogue):
        with (CATALOGUES / "messages.pot").open("rb") as source:
            template = read_po(source)
        assert {m.id for m in messages(catalogue)} == {m.id for m in messages(template)}

    def test_only_reviewed_messages_equal_their_source(self, language, catalogue):
        """One a line in ``same_in_translation.<language>.txt``; a line that is no longer true fails as well."""
        reviewed = Path(__file__).with_name(f"same_in_translation.{language}.txt")
        same = {sources(m)[0] for m in messages(catalogue) if set(sources(m)) & set(translations(m))}
        assert sorted(same) == sorted(filter(None, reviewed.read_text("utf-8").splitlines()))

    def test_the_gaps_are_those_of_the_source(self, catalogue):
        assert that_differ(catalogue, GAP) == []

    def test_the_commands_of_the_bot_are_those_of_the_source(self, catalogue):
        assert that_differ(catalogue, COMMAND) == []

    def test_what_is_counted_has_every_plural_of_the_language(self, language, catalogue):
        forms = get_plural(language).num_plurals
        assert [m.id for m in messages(catalogue) if m.pluralizable and len(translations(m)) != forms] == []

    def test_quotation_marks_and_brackets_open_and_close(self, catalogue):
        said = [text for m in messages(catalogue) for text in translations(m)]
        assert [
            text for text in said if any(text.count(one) != text.count(other) for one, other in PAIRS)
        ] == []


class TestTheTemplate:
    @pytest.fixture
    def now(self, tmp_path, monkeypatch):
        """The same extraction as ``make messages``."""
        monkeypatch.chdir(CATALOGUES.parent)
        now = tmp_path / "messages.pot"
        CommandLineInterface().run([*EXTRACT.split(), "-F", "translations/babel.cfg", "-o", str(now), "."])
        return now

    def test_it_holds_every_sentence_of_the_code(self, now):
        stale = "translations/messages.pot is stale: run 'make messages'"
        assert now.read_text("utf-8") == (CATALOGUES / "messages.pot").read_text("utf-8"), stale

    def test_singular_and_plural_have_the_same_gaps(self, now):
        """A language may use its singular for 0, or for 21."""
        with now.open("rb") as source:
            counted = [m for m in messages(read_po(source)) if m.pluralizable]
        assert [m.id for m in counted if len({frozenset(GAP.findall(one)) for one in m.id}) > 1] == []


def messages(catalogue: Catalog) -> list[Message]:
    return [message for message in catalogue if message.id]


def sources(message: Message) -> tuple[str, ...]:
    return tuple(message.id) if message.pluralizable else (message.id,)


def translations(message: Message) -> tuple[str, ...]:
    return tuple(message.string) if message.pluralizable else (message.string,)


def that_differ(catalogue: Catalog, pattern: re.Pattern[str]) -> list[str]:
    """Translations where what matches ``pattern`` is not what the source has."""
    return [
        said
        for m in messages(catalogue)
        for said in translations(m)
        if sorted(pattern.findall(said)) != sorted(pattern.findall(sources(m)[-1]))
    ]
