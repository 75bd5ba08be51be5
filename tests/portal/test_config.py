import pytest

from portal.config import ADDRESSES, PRIVATE_SETTINGS, PrivateKeyInReach, refuse_private_keys, settings


class TestThePublicPortal:
    @pytest.mark.parametrize("name", [*PRIVATE_SETTINGS, *(name.lower() for name in PRIVATE_SETTINGS)])
    def test_it_refuses_a_private_key_and_says_no_value(self, name):
        with pytest.raises(PrivateKeyInReach, match=name) as caught:
            refuse_private_keys({name: "a secret", "DATABASE_URL": "sqlite://"})
        assert "a secret" not in str(caught.value)

    def test_it_does_not_start_beside_one(self, environment, monkeypatch):
        from portal.web import create_app

        monkeypatch.setenv("NOTICE_PRIVATE_KEY", "a secret")
        with pytest.raises(PrivateKeyInReach):
            create_app()

    def test_other_settings_are_no_matter(self):
        refuse_private_keys({"SECRET_KEY": "x", "PUBLIC_KEYS": "y"})


class TestTheStateFolder:
    def test_it_tells_every_command_the_addresses_served_at(self, keys):
        (keys / ADDRESSES).write_text("PUBLIC_URL=http://127.0.0.1:8765\n")

        assert settings().public_url == "http://127.0.0.1:8765"

    def test_the_environment_comes_first(self, keys, monkeypatch):
        (keys / ADDRESSES).write_text("PUBLIC_URL=http://127.0.0.1:8765\n")
        monkeypatch.setenv("PUBLIC_URL", "https://embarque.example")

        assert settings().public_url == "https://embarque.example"
