"""Templates of one language say what they would say if each sentence were looked up as they are rendered."""

import pytest
from flask import render_template
from jinja2 import DictLoader
from markupsafe import Markup

WORDS = {
    "plain.html": '{{ _("Voltar") }}',
    "gap.html": '{{ _("Consultar %(plate)s", plate=typed) }}',
    "argument.html": (
        "{% macro said(what) %}<b>{{ what }}</b>{% endmacro %}"
        '{{ said(_("Consultar %(plate)s", plate=typed)) }}'
    ),
    "chosen.html": '{{ _("Voltar") if typed else _("Consultar") }}',
    "attribute.html": (
        '{{ _("Voltar") }} {{ thing.here }}|{{ thing.absent }}|{{ thing.absent or "nothing" }}|{{ thing.item }}'
    ),
    "called.html": (
        '{{ once(shout)("a") }}{{ thing.count("x", more=2) }}'
        '{{ ngettext("%(num)s passageiro", "%(num)s passageiros", 2) }}'
    ),
    "joined.html": ('<a href="{{ "/" ~ typed ~ "/" ~ 3 }}">{% set both = typed ~ marked %}{{ both }}</a>'),
}


class Thing(dict):  # type: ignore[type-arg]
    here = "<here>"

    def count(self, what: str, more: int = 0) -> str:
        return f"{what}{more}"


@pytest.fixture
def shown(app):
    app.jinja_env.loader = DictLoader(WORDS)
    app.jinja_env.bytecode_cache = None

    def show(name: str, lang: str) -> str:
        with app.test_request_context(f"/?lang={lang}"):
            return render_template(
                name, typed="<BRA>", marked=Markup("<i>"), thing=Thing(item="&"), shout=str.upper
            )

    return show


class TestASentenceOfATemplate:
    def test_is_said_in_the_language_of_the_request(self, shown):
        assert [shown("plain.html", lang) for lang in ("pt-BR", "es", "pt-BR")] == [
            "Voltar",
            "Volver",
            "Voltar",
        ]

    def test_has_its_gaps_filled_and_what_fills_them_escaped(self, shown):
        assert shown("gap.html", "pt-BR") == "Consultar &lt;BRA&gt;"

    def test_is_escaped_once_where_it_is_handed_on(self, shown):
        assert shown("argument.html", "pt-BR") == "<b>Consultar &lt;BRA&gt;</b>"

    def test_may_be_one_of_two(self, shown):
        assert shown("chosen.html", "es") == "Volver"


class TestWhatATemplateAsksOfAThing:
    def test_is_an_attribute_or_an_item_or_nothing(self, shown):
        assert shown("attribute.html", "pt-BR") == "Voltar &lt;here&gt;||nothing|&amp;"

    def test_may_be_a_call(self, shown):
        assert shown("called.html", "pt-BR") == "Ax22 passageiros"

    def test_joins_text_and_escapes_it(self, shown):
        assert shown("joined.html", "pt-BR") == '<a href="/&lt;BRA&gt;/3">&lt;BRA&gt;<i></a>'
