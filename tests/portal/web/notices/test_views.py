import pytest

from portal.config import settings
from portal.domain.permits import Status
from portal.web import create_app


@pytest.mark.parametrize("path", ["/sobre", "/privacidade", "/acessibilidade"])
def test_says_it_on_a_page_of_its_own(client, path):
    assert client.get(path).status_code == 200


class TestTheComponents:
    def test_are_shown_in_every_state_to_a_developer(self, database):
        given = settings().model_copy(update={"development": True})

        page = create_app(given).test_client().get("/_components").text

        assert all(f"verdict--{status}" in page for status in Status)

    def test_and_to_nobody_else(self, client):
        assert client.get("/_components").status_code == 404
