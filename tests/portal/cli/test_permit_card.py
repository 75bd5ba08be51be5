"""`portal permit card` and the keys it signs with, over a state folder as ``portal run`` makes it."""

from datetime import UTC, date, datetime

import pypdfium2
import pytest
import zxingcpp
from click.testing import CliRunner

from portal import clock
from portal.cli import main
from portal.domain.permits import EventKind, HolderKind, Service
from portal.sealing.folder import CARD_KEYS, DESK, PORTAL, add_card_keys, add_receipt_key, read_env
from portal.services.unit_of_work import unit_of_work
from tests.factories.permits import happened, put_permit

HILLS, PLATEAU = "chapada-dos-guimaraes-mt", "sao-joao-da-boa-vista-sp"
NOW = datetime(2026, 11, 30, 15, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def drivers(keys, database, monkeypatch):
    """A driver's permit in either town; the keys are those of the state folder."""
    monkeypatch.setattr(clock, "now", lambda: NOW)
    with unit_of_work(writes=True) as session:
        for town, plate in ((HILLS, "BRA7C07"), (PLATEAU, "BRA0J11")):
            put_permit(
                session, town, number="2026/0007", plate=plate, service=Service.RIDE_HAILING, permit_type="driver",
                holder_kind=HolderKind.NATURAL_PERSON, year=2026, trade_name="Maria de Souza Exemplo",
                events=(
                    happened(EventKind.PAYMENT, date(2026, 2, 1)),
                    happened(EventKind.ISSUE, date(2026, 2, 2)),
                ),
            )  # fmt: skip


def run(*words: str):
    return CliRunner().invoke(main, words)


def printed(town: str, folder) -> tuple[pypdfium2.PdfPage, str]:
    made = run("permit", "card", "make", town, "2026/0007")
    assert made.exit_code == 0, made.output
    file = folder / "card.pdf"
    told = run("permit", "card", "print", town, "2026/0007", made.output.split("\t")[0], str(file))
    assert told.exit_code == 0, told.output
    return pypdfium2.PdfDocument(file)[0], told.output


def millimetres(page: pypdfium2.PdfPage) -> list[int]:
    return [round(side / 72 * 25.4) for side in page.get_size()]


class TestTheStickerOfADashboard:
    def test_has_number_validity_and_a_place_for_the_ombudsmans_phone(self, tmp_path):
        page, told = printed(HILLS, tmp_path)

        words = page.get_textpage().get_text_range()
        assert millimetres(page) == [120, 80]
        for said in ("2026/0007", "31/12/2026", "OUVIDORIA", "BRA7C07", "Secretaria Municipal de Finanças"):
            assert said in words
        assert "Maria" not in words
        assert "left blank" in told
        assert zxingcpp.read_barcode(page.render(scale=3).to_pil()) is not None


class TestTheSealOfAWindscreen:
    def test_is_eight_by_eight_and_is_read_from_its_picture(self, tmp_path):
        page, _told = printed(PLATEAU, tmp_path)

        words = page.get_textpage().get_text_range()
        assert millimetres(page) == [80, 80]
        assert "02/02/2027" in words
        assert "BRA0J11" in words
        assert "Maria" not in words
        # As an old phone photographs it: small, grey and a little blurred.
        picture = page.render(scale=1.5).to_pil().convert("L")
        assert zxingcpp.read_barcode(picture) is not None

    def test_is_not_made_where_no_text_asks_for_one(self):
        with unit_of_work(writes=True) as session:
            put_permit(
                session, "caraguatatuba-sp", number="2026/0009", service=Service.RIDE_HAILING, permit_type="driver",
                holder_kind=HolderKind.NATURAL_PERSON,
            )  # fmt: skip
        refused = run("permit", "card", "make", "caraguatatuba-sp", "2026/0009")

        assert refused.exit_code == 1
        assert "Nenhuma norma em vigor" in refused.output


class TestTheList:
    def test_tells_what_counts_and_what_was_taken_back(self):
        number = run("permit", "card", "make", HILLS, "2026/0007").output.split("\t")[0]
        run("permit", "card", "make", HILLS, "2026/0007")
        told = run("permit", "card", "list", HILLS, "2026/0007").output.splitlines()
        assert [line.split("\t")[4] for line in told] == ["in use", "replaced"]
        assert run("permit", "card", "revoke", HILLS, "2026/0007", number).exit_code == 1


class TestTheKeys:
    def test_are_where_the_public_process_is_not(self, keys):
        assert "CARD_PRIVATE_KEYS" in read_env(keys / DESK)
        assert "CARD_PRIVATE_KEYS" not in read_env(keys / PORTAL)
        assert "RECEIPT_KEY" in read_env(keys / PORTAL)

    def test_are_rotated_by_a_command(self, keys):
        before = (keys / CARD_KEYS).read_text()

        assert run("keys", "rotate-cards", str(keys), HILLS).exit_code == 0
        assert (keys / CARD_KEYS).read_text() != before
        assert run("keys", "rotate-cards", str(keys), "nowhere-xx").exit_code == 1

    def test_join_a_folder_that_was_made_before_there_were_cards(self, keys):
        (keys / CARD_KEYS).unlink()
        for name in (PORTAL, DESK):
            kept = [
                line
                for line in (keys / name).read_text().splitlines()
                if "CARD_" not in line and "RECEIPT" not in line
            ]
            (keys / name).write_text("\n".join(kept) + "\n")

        assert set(add_card_keys(keys, [HILLS, PLATEAU])) == {HILLS, PLATEAU}
        add_receipt_key(keys)

        assert read_env(keys / PORTAL)["RECEIPT_KEY"] == read_env(keys / DESK)["RECEIPT_KEY"]
        assert read_env(keys / DESK)["CARD_PRIVATE_KEYS"].endswith(CARD_KEYS)
        assert add_card_keys(keys, [HILLS]) == ()
