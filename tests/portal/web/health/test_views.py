import portal.config
import portal.storage.database


class TestHealth:
    def test_it_answers_once_pages_can_be_served(self, client):
        assert client.get("/healthz").status_code == 200

    def test_it_says_so_while_the_database_cannot_be_read(self, client, environment, monkeypatch):
        monkeypatch.setenv("DATABASE_URL", f"sqlite:///{environment}")  # a folder is no database
        portal.config.settings.cache_clear()
        portal.storage.database.engine.cache_clear()

        assert client.get("/healthz").status_code == 503


class TestBeingAlive:
    def test_asks_nothing_of_the_database(self, client, environment, monkeypatch):
        monkeypatch.setenv("DATABASE_URL", f"sqlite:///{environment}")
        portal.config.settings.cache_clear()
        portal.storage.database.engine.cache_clear()

        assert client.get("/livez").status_code == 200


class TestBeingReady:
    def test_tells_each_thing_it_needs(self, client):
        assert client.get("/readyz").text == "database ok\nfiles ok\n"

    def test_without_the_database_it_is_not(self, client, environment, monkeypatch):
        monkeypatch.setenv("DATABASE_URL", f"sqlite:///{environment}")
        portal.config.settings.cache_clear()
        portal.storage.database.engine.cache_clear()
        answer = client.get("/readyz")

        assert (answer.status_code, answer.text) == (503, "database away\nfiles ok\n")

    def test_without_the_store_look_ups_go_on(self, client, environment, monkeypatch):
        (environment / "files").write_text("no folder")
        answer = client.get("/readyz")

        assert (answer.status_code, answer.text) == (200, "database ok\nfiles away\n")
