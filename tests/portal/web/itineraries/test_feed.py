import io
import zipfile

import pytest

from portal.services.unit_of_work import unit_of_work
from tests.factories.feeds import TOWN, bring_in_orla

FEED = f"/{TOWN}/gtfs.zip"


@pytest.fixture
def orla(database, tmp_path):
    with unit_of_work(writes=True) as session:
        bring_in_orla(session, tmp_path / "orla")


class TestTheFeedOfATown:
    def test_is_a_zip_that_anybody_may_keep_for_an_hour(self, client, orla):
        answer = client.get(FEED, buffered=True)

        assert (answer.status_code, answer.mimetype) == (200, "application/zip")
        assert answer.headers["Cache-Control"] == "public, max-age=3600"
        assert "Vary" not in answer.headers, "it speaks no language: one copy serves everybody"
        with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
            assert "stop_times.txt" in archive.namelist()

    def test_is_not_sent_again_while_it_is_as_before(self, client, orla):
        first = client.get(FEED, buffered=True)

        again = client.get(FEED, headers={"If-None-Match": first.headers["ETag"]})
        packed = client.get(FEED, headers={"If-None-Match": f"W/{first.headers['ETag']}"})
        since = client.get(FEED, headers={"If-Modified-Since": first.headers["Last-Modified"]})

        assert (again.status_code, again.data) == (304, b"")
        assert (packed.status_code, since.status_code) == (304, 304)

    def test_a_town_without_one_is_not_found(self, client, orla):
        assert client.get("/santa-rita-pb/gtfs.zip").status_code == 404
