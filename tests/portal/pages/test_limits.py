"""Who asks too often waits, and nobody else."""

import pytest

from portal.config import settings
from portal.pages.limits import daily_name, source_of
from portal.web import create_app


@pytest.fixture
def ask(database, monkeypatch):
    """A browser behind our proxy; ``come_from`` another address is another person."""
    for name, value in {"PROXIES": "1", "READS_PER_MINUTE": "3", "WRITES_PER_MINUTE": "1"}.items():
        monkeypatch.setenv(name, value)
    settings.cache_clear()
    app = create_app()
    app.config.update(TESTING=True)
    made = app.test_client()
    return lambda address, path="/", **more: made.open(path, headers={"X-Forwarded-For": address}, **more)


class TestALimit:
    def test_is_a_sentence_and_when_to_come_back(self, ask):
        answers = [ask("203.0.113.7") for _time in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert 1 <= int(answers[3].headers["Retry-After"]) <= 120
        assert "Muitos pedidos em pouco tempo" in answers[3].text
        assert ask("203.0.113.8").status_code == 200

    def test_of_what_is_sent_is_its_own(self, ask):
        first, second = (ask("203.0.113.9", "/acompanhar", method="POST") for _time in range(2))
        assert (first.status_code != 429, second.status_code) == (True, 429)
        assert ask("203.0.113.9").status_code == 200

    def test_counts_neither_health_nor_this_very_machine(self, ask):
        assert {ask("203.0.113.10", "/healthz").status_code for _time in range(5)} == {200}
        assert {ask("127.0.0.1").status_code for _time in range(5)} == {200}


class TestASource:
    @pytest.mark.parametrize(
        ("address", "source"),
        [
            ("203.0.113.7", "203.0.113.7"),
            ("::ffff:203.0.113.7", "203.0.113.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:0db8:0001:0002"),
            ("127.0.0.1", None),
            ("::1", None),
            ("unix:", None),
        ],
    )
    def test_is_a_subscriber(self, address, source):
        assert source_of(address) == source

    def test_stands_nowhere_as_an_address(self):
        name = daily_name("203.0.113.7", b"secret")
        assert name != daily_name("203.0.113.7", b"another secret")
        assert name == daily_name("203.0.113.7", b"secret")
