from io import BytesIO

import pytest
from PIL import Image

from portal.sealing.boxes import seal
from portal.sealing.keys import PublicKey
from portal.sealing.opening import private_key
from portal.services.people import audit
from portal.services.unit_of_work import unit_of_work
from portal.storage.drafts import evidence_record
from tests.factories.complaints import put_complaint
from tests.factories.evidence import put_evidence
from tests.portal.desk.conftest import TOWN


def pixels():
    out = BytesIO()
    Image.new("RGB", (1600, 1200), "navy").save(out, "JPEG")
    return out.getvalue()


class TestAPhoto:
    @pytest.fixture
    def photo(self, database):
        with unit_of_work(writes=True) as session:
            case = put_complaint(session)
            row = put_evidence(session, case, pixels(), mismatches=["date", "place"])
            return f"/mesa/manifestacoes/{case.protocol}", f"/anexos/{row.token}"

    def test_is_shown_small(self, ana, photo):
        case, file = photo
        assert f'src="{case}{file}/miniatura"' in ana.get(case).text
        small = ana.get(f"{case}{file}/miniatura")
        assert Image.open(BytesIO(small.data)).size == (320, 240)
        assert small.headers["Content-Disposition"].startswith("attachment")

    def test_whose_date_and_place_disagreed_says_so(self, ana, photo):
        page = ana.get(photo[0]).text
        assert "A data gravada no arquivo não combinava" in page
        assert "O lugar gravado no arquivo não combinava" in page

    def test_is_handed_out_so_that_no_browser_runs_it(self, ana, photo):
        answer = ana.get("".join(photo))
        assert answer.headers["Content-Disposition"].startswith("attachment")
        assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
        assert answer.headers.getlist("X-Content-Type-Options") == ["nosniff"]
        assert answer.headers["Cache-Control"] == "no-store"

    def test_of_another_town_is_not_there(self, sign_in, photo):
        assert sign_in("bia").get("".join(photo) + "/miniatura").status_code == 404


class TestASealedRecording:
    @pytest.fixture
    def sealed(self, database, identity_pair):
        key = PublicKey(identity_pair.id, private_key(identity_pair.private).public_key())
        stored_as = "5" * 32
        with unit_of_work(writes=True) as session:
            case = put_complaint(session)
            row = put_evidence(
                session, case, seal(b"a film", key, record=evidence_record(stored_as)), stored_as=stored_as,
                name="video-1.mp4", kind="video", media_type="video/mp4", sealed_to=key.id,
            )  # fmt: skip
            return f"/mesa/manifestacoes/{case.protocol}", f"/anexos/{row.token}"

    def test_is_opened_by_the_ombudsman_and_that_is_logged(self, ana, sealed):
        assert "Abrir o arquivo lacrado" in ana.get(sealed[0]).text
        answer = ana.post("".join(sealed) + "/abrir")
        assert (answer.status_code, answer.data, answer.mimetype) == (200, b"a film", "video/mp4")
        assert answer.headers["Content-Disposition"].startswith("attachment")
        with unit_of_work() as session:
            assert "evidence.opened" in [
                entry.action for entry in audit.history_of(session, TOWN, "complaint:1")
            ]

    def test_is_nothing_that_a_plain_download_hands_out(self, ana, sealed):
        assert ana.get("".join(sealed)).status_code == 404
        assert ana.get("".join(sealed) + "/miniatura").status_code == 404

    @pytest.mark.parametrize(("who", "status"), [("caio", 403), ("davi", 403), ("bia", 404)])
    def test_stays_shut_for_everybody_else(self, sign_in, sealed, who, status):
        assert sign_in(who).post("".join(sealed) + "/abrir").status_code == status

    def test_is_no_business_of_the_others_page(self, sign_in, sealed):
        page = sign_in("davi").get(sealed[0]).text
        assert "Abrir o arquivo lacrado" not in page
        assert sealed[1] not in page
