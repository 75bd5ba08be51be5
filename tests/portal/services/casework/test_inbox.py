"""The inbox narrowed: by state, category, kind, service, fast lane, one's own; searched in any spelling."""

import pytest

from portal.domain.complaints import ComplaintKind, ComplaintStatus
from portal.domain.permits import Service
from portal.services import casework
from portal.services.casework import PAGE, Filters, Show
from portal.storage.complaints import ComplaintRow
from tests.factories.complaints import put_complaint
from tests.portal.services.casework.conftest import ELSEWHERE, NOW, TODAY


def found(session, staff, show=Show.ALL, **wanted):
    page = casework.list_cases(session, staff, today=TODAY, show=show, filters=Filters(**wanted))
    assert page.found == len(page.lines)
    return {line.protocol for line in page.lines}


class TestFilters:
    @pytest.mark.parametrize(
        ("wanted", "told"),
        [
            ({"status": ComplaintStatus.FORWARDED}, {"status": "forwarded"}),
            ({"category": "noise"}, {"category": "noise"}),
            ({"kind": ComplaintKind.PRAISE}, {"kind": "elogio"}),
            ({"service": Service("recreativo")}, {"service": "recreativo"}),
        ],
    )
    def test_each(self, session, ana, wanted, told):
        put_complaint(session, service="aplicativo")
        one = put_complaint(session, **told)

        assert found(session, ana, **wanted) == {one.protocol}

    def test_together(self, session, ana):
        put_complaint(session, category="noise")
        put_complaint(session, kind="elogio")
        both = put_complaint(session, category="noise", kind="elogio")

        assert found(session, ana, category="noise", kind=ComplaintKind.PRAISE) == {both.protocol}

    def test_a_state_that_a_list_never_shows_finds_nothing_there(self, session, ana):
        put_complaint(session, status="answered")

        assert found(session, ana, Show.OPEN, status=ComplaintStatus.ANSWERED) == set()
        assert len(found(session, ana, Show.ALL, status=ComplaintStatus.ANSWERED)) == 1

    def test_ones_own_is_what_one_took_up(self, session, ana, case):
        put_complaint(session)
        casework.start_review(session, ana, case.protocol, now=NOW)

        assert found(session, ana, Show.MINE) == {case.protocol}

    def test_the_counts_stay_those_of_the_whole_lists(self, session, ana):
        put_complaint(session, category="noise")
        put_complaint(session)

        page = casework.list_cases(session, ana, today=TODAY, filters=Filters(category="noise"))
        assert (page.found, page.counts[Show.OPEN]) == (1, 2)

    def test_pages_of_what_was_found(self, session, ana):
        for _ in range(PAGE + 2):
            put_complaint(session, category="noise")
            put_complaint(session)

        page = casework.list_cases(session, ana, today=TODAY, filters=Filters(category="noise"), page=2)
        assert (page.pages, len(page.lines), page.found) == (2, 2, PAGE + 2)

    @pytest.mark.parametrize("given", [{"status": "x", "kind": "y", "service": "z"}, {}, {"search": "  "}])
    def test_what_an_address_does_not_know_asks_for_anything(self, given):
        assert Filters.read(given) == Filters()


class TestSearching:
    @pytest.fixture
    def told(self, session):
        return put_complaint(
            session,
            story="Não parou na Praça São João e o motorista gritou conosco.",
            plate_key="BRA2419",
            facts={
                "vehicle": {"kind": "typed", "text": "BRA2E19"},
                "where": {"kind": "typed", "text": "Av. Geraldo Nogueira, nº 100"},
            },
        )

    @pytest.mark.parametrize(
        "search",
        [
            "praca sao joao",
            "PRAÇA SÃO JOÃO",
            "gritou motorista",
            "joao",
            "geraldo 100",
            "BRA2E19",
            "bra-2e19",
            "bra2419",
            "motor",
        ],
    )
    def test_in_any_spelling(self, session, ana, told, search):
        put_complaint(session, story="Outra coisa.", facts={})

        assert found(session, ana, search=search) == {told.protocol}

    def test_by_protocol_with_hyphens_without_and_in_part(self, session, ana, told):
        put_complaint(session)

        for search in (
            told.protocol,
            told.protocol.lower(),
            told.protocol.replace("-", ""),
            told.protocol[:9],
        ):
            assert told.protocol in found(session, ana, search=search)

    @pytest.mark.parametrize("search", ["xyz", "praca matriz", "'; DROP TABLE", "%%gritei"])
    def test_what_is_not_there_is_not_found(self, session, ana, told, search):
        assert found(session, ana, search=search) == set()

    def test_nothing_of_another_town(self, session, ana):
        put_complaint(session, municipality=ELSEWHERE, story="Segredo de outra cidade")

        assert found(session, ana, search="segredo") == set()

    def test_an_account_that_is_erased_is_found_no_more(self, session, ana, told):
        row = session.get(ComplaintRow, told.id)
        row.story, row.facts = None, {}
        session.flush()

        assert found(session, ana, search="gritou") == set()
        assert "gritou" not in row.search_text
