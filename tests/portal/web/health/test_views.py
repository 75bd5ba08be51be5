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
