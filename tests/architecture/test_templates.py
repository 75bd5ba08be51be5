"""Every template compiles, and none carries what the content security policy forbids."""

import re

import pytest

from portal.pages import TEMPLATES

NAMES = sorted(
    str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*") if path.suffix in (".html", ".txt")
)


@pytest.mark.parametrize("name", NAMES)
def test_compiles(app, name):
    app.jinja_env.get_template(name)


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith(".html")])
def test_has_no_inline_style_or_script(name):
    text = (TEMPLATES / name).read_text()

    assert not re.search(r"<style|<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=|hx-on|javascript:", text)
