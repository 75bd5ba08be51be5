"""What nobody would send on purpose, and what somebody would: no fault, no unbounded time, no unbounded memory.

One case of each stands in the quick suite, with few examples; ``make test-slow`` looks longer. What was found is kept
as an ordinary test where the parser is: see ``test_hostile_files.py``.
"""

import importlib.util
import io
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from flask import Flask
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from openpyxl import Workbook
from werkzeug.routing import BuildError, Rule

from portal.importing.gtfs import read_gtfs
from portal.importing.sheets import UnreadableSheet, read_lines
from portal.importing.sources import Report
from tests.architecture.test_routes import GAPS, OF_ENDPOINT, _address, _routes
from tests.conftest import leave_out
from tests.factories.feeds import FEED

SLOWEST = 10.0
"""Seconds of processor time for one answer: a hundred times what any takes, and no neighbour adds to it."""
QUICK = {"deadline": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}
TEXTS = st.one_of(
    st.sampled_from(
        [
            "",
            "BRA2E19",
            "0",
            "-1",
            "9" * 400,
            "2026-02-30",
            "\x00",
            "\ud800",
            "%",
            "%00",
            "'\"<>",
            "{{7*7}}",
            "../../etc/passwd",
            "=1+1",
            "\u202e",
            "NaN",
            "1e999",
            "a\r\nb",
            "x" * 9000,
            "skip",
            "done",
            "🚂",
        ]
    ),
    st.text(max_size=40),
)
NAMES = st.sampled_from(
    [
        "q",
        "lang",
        "data",
        "em",
        "on",
        "date",
        "at",
        "service",
        "servico",
        "lat",
        "lon",
        "limit",
        "page",
        "what",
        "question",
        "option",
        "text",
        "stop",
        "line",
        "time",
        "name",
        "email",
        "phone",
        "protocol",
        "access_key",
        "rating",
        "review",
        "reason",
        "draft",
        "csrf_token",
        "switch",
        "answers",
        "next",
        "protocolo",
        "pergunta",
    ]
)
RUNS = {"typed": 20_000, "sheets": 2_000, "feeds": 1_000, "boxes": 20_000}
SAID = st.dictionaries(NAMES, TEXTS, max_size=6)


class TestAnyAddress:
    @examples(max_examples=15, **QUICK)
    @given(data=st.data())
    def test_is_answered_in_time_and_never_with_a_fault(self, app: Flask, data: st.DataObject):
        _ask(app, data)

    @pytest.mark.slow
    @examples(max_examples=1500, **QUICK)
    @given(data=st.data())
    def test_whatever_it_is(self, app: Flask, data: st.DataObject):
        _ask(app, data)


class TestAnyForm:
    @examples(max_examples=10, **QUICK)
    @given(data=st.data())
    def test_is_answered_in_time_and_never_with_a_fault(self, app: Flask, data: st.DataObject):
        _send(app, data)

    @pytest.mark.slow
    @examples(max_examples=800, **QUICK)
    @given(data=st.data())
    def test_whatever_it_says(self, app: Flask, data: st.DataObject):
        _send(app, data)


class TestAnyFile:
    """Brought in by a clerk; what is cut, turned or put in anywhere is refused in words."""

    @examples(max_examples=15, **QUICK)
    @given(data=st.data())
    def test_is_read_or_refused(self, tmp_path: Path, data: st.DataObject):
        _read(tmp_path, data)

    @pytest.mark.slow
    @examples(max_examples=1500, **QUICK)
    @given(data=st.data())
    def test_whatever_is_in_it(self, tmp_path: Path, data: st.DataObject):
        _read(tmp_path, data)


@pytest.mark.slow
class TestTheParsers:
    @pytest.mark.parametrize(
        ("target", "runs"), [("typed", 20_000), ("sheets", 2_000), ("feeds", 1_000), ("boxes", 20_000)]
    )
    def test_hold_against_what_their_own_code_suggests(self, request, tmp_path, target, runs):
        if importlib.util.find_spec("atheris") is None:
            leave_out(request, "atheris")
        corpus = tmp_path / "corpus"
        corpus.mkdir()
        for name, seed in _seeds().items():
            (corpus / name).write_bytes(seed)
        found = subprocess.run(
            [
                sys.executable,
                "-m",
                "tests.tools.fuzz_parsers",
                target,
                str(corpus),
                f"-runs={runs}",
                "-seed=1",
                "-max_total_time=90",
                "-max_len=20000",
                "-timeout=20",
                "-rss_limit_mb=1500",
                f"-artifact_prefix={tmp_path}/",
            ],
            capture_output=True,
            timeout=300,
        )

        assert found.returncode == 0, found.stderr[-4000:].decode("utf-8", "replace")


@pytest.mark.slow
class TestTheDescription:
    def test_of_the_api_holds_for_whatever_it_allows_and_what_it_does_not(self, app: Flask):
        schemathesis = pytest.importorskip("schemathesis")
        from schemathesis.checks import not_a_server_error
        from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

        description = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
        tried = set()
        for found in description.get_all_operations():
            operation = found.ok()

            @examples(max_examples=15, **QUICK)
            @given(case=operation.as_strategy())
            def ask(case):
                began = time.process_time()
                answer = case.call(headers={"Accept-Encoding": "identity"})  # its client unpacks nothing
                assert time.process_time() - began < SLOWEST
                case.validate_response(
                    answer, checks=[not_a_server_error, response_schema_conformance, status_code_conformance]
                )

            ask()
            tried.add(operation.path)

        assert len(tried) > 10


def _ask(app: Flask, data: st.DataObject) -> None:
    rule = data.draw(st.sampled_from(_routes(app, "GET")))
    _assert_answered(app, data, rule, "GET", query_string=data.draw(SAID))


def _send(app: Flask, data: st.DataObject) -> None:
    rule = data.draw(st.sampled_from(_routes(app, "POST")))
    form: dict[str, object] = dict(data.draw(SAID))
    if data.draw(st.booleans()):
        form["photos"] = (io.BytesIO(data.draw(st.sampled_from(list(_seeds().values())))[:500]), "x.jpg")
    _assert_answered(app, data, rule, "POST", form=form)


def _assert_answered(app: Flask, data: st.DataObject, rule: Rule, method: str, **said: object) -> None:
    known = GAPS | OF_ENDPOINT.get(rule.endpoint, {})
    gaps = {name: data.draw(st.one_of(st.just(known[name]), TEXTS)) for name in sorted(rule.arguments)}
    try:
        address = app.url_map.bind("").build(rule.endpoint, gaps, method=method)
    except (BuildError, ValueError, TypeError, UnicodeError):
        address = _address(app, rule)
    app.config["PROPAGATE_EXCEPTIONS"] = False
    for name, value in list(said.items()):
        if isinstance(value, dict):  # half a character is sent as a browser never would
            said[name] = {
                key: one.encode("utf-8", "replace").decode() if isinstance(one, str) else one
                for key, one in value.items()
            }
    sent = {("data" if name == "form" else name): value for name, value in said.items()}
    began = time.process_time()
    answer = app.test_client().open(address.partition("?")[0] or "/", method=method, **sent)

    assert answer.status_code < 500, (method, address, said)
    assert time.process_time() - began < SLOWEST, (method, address, said)


def _seeds() -> dict[str, bytes]:
    feed, book, sheet = io.BytesIO(), Workbook(), io.BytesIO()
    with zipfile.ZipFile(feed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in FEED.items():
            archive.writestr(name, text)
    assert book.active is not None
    for row in (["numero", "placa", "validade"], ["2026/0001", "BRA2E19", "31/12/2026"]):
        book.active.append(row)
    book.save(sheet)
    return {
        "feed.zip": feed.getvalue(),
        "list.xlsx": sheet.getvalue(),
        "list.csv": "número;placa;validade\n2026/0001;BRA2E19;31/12/2026\n".encode("latin-1"),
    }


SEEDS = _seeds()


def _read(folder: Path, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(SEEDS)))
    content = bytearray(SEEDS[name])
    for _change in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        match data.draw(st.sampled_from(["put", "turn", "cut", "again"])):
            case "put":
                content[at:at] = data.draw(st.binary(max_size=12))
            case "turn":
                content[at : at + 4] = data.draw(st.binary(min_size=4, max_size=4))
            case "cut":
                del content[at : at + data.draw(st.integers(0, 200))]
            case "again":
                content += content[at : at + 300]
    path = folder / name
    path.write_bytes(content)
    began = time.process_time()
    if name == "feed.zip":
        read_gtfs(path, Report())
    else:
        try:
            for _line in read_lines(path, lambda cells: sum(1 for cell in cells if cell)):
                pass
        except UnreadableSheet:
            pass
    assert time.process_time() - began < SLOWEST
