from portal.config import settings
from portal.web import create_app


def test_a_demonstration_says_so_on_every_page(database):
    given = settings().model_copy(update={"demonstration": True})
    client = create_app(given).test_client()

    for path in ("/", "/caraguatatuba-sp/", "/sobre", "/nada"):
        assert "Demonstração" in client.get(path).text


def test_a_real_site_does_not(client):
    assert "Demonstração" not in client.get("/").text
