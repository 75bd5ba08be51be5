import pytest

from portal.services.people.audit import history_of
from portal.services.unit_of_work import unit_of_work
from portal.storage.outbox import PENDING, OutboxRow
from tests.portal.desk.conftest import NOW, TOWN

PROTOCOL = "7K3M-9QXT-4B2C"


@pytest.fixture
def letter(desk) -> int:
    with unit_of_work(writes=True) as session:
        row = OutboxRow(
            kind="mail",
            payload={"protocol": PROTOCOL, "language": "pt_BR"},
            sealed=b"maria@example.org, sealed",
            municipality=TOWN,
            state="dead",
            attempts=12,
            failure="Undeliverable",
            created_at=NOW,
            due_at=NOW,
        )
        session.add(row)
        session.flush()
        return row.id


def read(number):
    with unit_of_work() as session:
        return session.get(OutboxRow, number)


class TestWhatCouldNotBeDelivered:
    def test_is_told_without_anybodys_address(self, ana, letter):
        page = ana.get("/mesa/avisos/").text

        assert PROTOCOL in page
        assert "Foram 12 tentativas." in page
        assert "maria" not in page

    def test_is_tried_again_with_all_the_patience(self, ana, letter):
        assert ana.post(f"/mesa/avisos/{letter}/de-novo").status_code == 303

        row = read(letter)
        assert (row.state, row.attempts, row.failure) == (PENDING, 0, None)
        assert "Todos os avisos foram entregues" in ana.get("/mesa/avisos/").text

    def test_is_dropped_for_a_reason_that_the_log_binds(self, ana, letter):
        assert ana.post(f"/mesa/avisos/{letter}/desistir", data={"reason": " "}).status_code == 422
        assert read(letter) is not None

        ana.post(f"/mesa/avisos/{letter}/desistir", data={"reason": "A pessoa ligou."})

        assert read(letter) is None
        with unit_of_work() as session:
            (entry,) = history_of(session, TOWN, f"delivery:{letter}")
        assert entry.action == "delivery.dropped"
        assert entry.reason.startswith("hmac:")

    def test_what_still_waits_is_none_of_it(self, ana, letter):
        ana.post(f"/mesa/avisos/{letter}/de-novo")

        assert ana.post(f"/mesa/avisos/{letter}/desistir", data={"reason": "Não."}).status_code == 404
