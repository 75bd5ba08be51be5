"""What an inspector is shown of a complaint whose author left a telephone number in it."""

import pytest

from portal.services.unit_of_work import unit_of_work
from portal.storage.complaints import ComplaintMessageRow, ComplaintRow
from tests.factories.complaints import put_complaint
from tests.factories.evidence import jpeg, put_evidence
from tests.portal.desk.conftest import NOW

PHONE = "99744-1029"


@pytest.fixture
def protocol(database) -> str:
    with unit_of_work(writes=True) as session:
        case = put_complaint(
            session,
            story=f"Lotado. Me liguem: 12 {PHONE}",
            facts={
                "vehicle": {"kind": "typed", "text": "BRA2E19"},
                "where": {"kind": "typed", "text": f"Rua das Flores, tel {PHONE}"},
            },
        )
        session.add(ComplaintMessageRow(complaint_id=case.id, at=NOW, sender="citizen", text=PHONE))
        return case.protocol


def test_the_ombudsman_reads_it_and_the_inspector_does_not(ana, sign_in, protocol):
    address = f"/mesa/manifestacoes/{protocol}"
    assert ana.get(address).text.count(PHONE) == 3

    page = sign_in("davi").get(address).text
    assert PHONE not in page
    assert "BRA2E19" in page
    assert "Lotado." in page


def test_a_search_that_could_spell_it_out_says_why_it_finds_nothing(sign_in, protocol):
    page = sign_in("davi").get("/mesa/?busca=99744").text

    assert protocol not in page
    assert "só a ouvidoria procura" in page


def test_of_the_files_an_inspector_gets_what_was_passed_on(ana, sign_in, protocol):
    with unit_of_work(writes=True) as session:
        case = session.query(ComplaintRow).filter_by(protocol=protocol).one()
        kept, passed = (put_evidence(session, case, jpeg()).token for _ in range(2))
    address = f"/mesa/manifestacoes/{protocol}"
    ana.post(f"{address}/encaminhamento", data={"unit": "Fiscalização", "files": [passed]})
    davi = sign_in("davi")

    page = davi.get(address).text
    assert passed in page
    assert kept not in page
    for path in ("", "/miniatura"):
        assert davi.get(f"{address}/anexos/{passed}{path}").status_code == 200
        assert davi.get(f"{address}/anexos/{kept}{path}").status_code == 404
        assert ana.get(f"{address}/anexos/{kept}{path}").status_code == 200
