class TestHealth:
    def test_it_answers_once_pages_can_be_served(self, client):
        assert client.get("/healthz").status_code == 200

    def test_it_says_so_while_the_database_cannot_be_read(self, client, database, environment, monkeypatch):
        database.dispose()
        (environment / "portal.db").write_bytes(b"this is no database" * 100)

        assert client.get("/healthz").status_code == 503
