import pytest
from pydantic import SecretStr

from portal.config import (
    ADDRESSES,
    PRIVATE_SETTINGS,
    PrivateKeyInReach,
    WeakSecrets,
    refuse_private_keys,
    refuse_weak_secrets,
    settings,
)


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


class TestASiteThatPeopleReach:
    """Over HTTPS, that is; tried out on one machine anything goes."""

    GOOD = "Zk3vQ9xT7mW1pL5rN8sB2dF6hJ4gC0yU"

    @pytest.mark.parametrize(
        "secret", ["", "abc1", "x" * 60, "change-me-" + GOOD, "only-for-tests-" + "0" * 32, GOOD[:31]]
    )
    def test_does_not_start_with_a_key_that_anybody_may_know(self, environment, monkeypatch, secret):
        from portal.web import create_app

        monkeypatch.setenv("PUBLIC_URL", "https://embarque.example")
        monkeypatch.setenv("SECRET_KEY", secret)
        monkeypatch.setenv("ACCESS_KEY_PEPPER", self.GOOD)
        settings.cache_clear()
        with pytest.raises(WeakSecrets, match="SECRET_KEY") as caught:
            create_app()
        assert not secret or secret not in str(caught.value)

    def test_nor_with_one_key_for_two_things(self, environment):
        both = {name: SecretStr(self.GOOD) for name in ("secret_key", "access_key_pepper")}
        with pytest.raises(WeakSecrets, match="one and the same"):
            refuse_weak_secrets(settings().model_copy(update=both), "https://embarque.example")

    def test_starts_with_the_keys_that_the_command_makes(self, keys):
        refuse_weak_secrets(settings(), "https://embarque.example")


class TestTheStateFolder:
    def test_it_tells_every_command_the_addresses_served_at(self, keys):
        (keys / ADDRESSES).write_text("PUBLIC_URL=http://127.0.0.1:8765\n")

        assert settings().public_url == "http://127.0.0.1:8765"

    def test_the_environment_comes_first(self, keys, monkeypatch):
        (keys / ADDRESSES).write_text("PUBLIC_URL=http://127.0.0.1:8765\n")
        monkeypatch.setenv("PUBLIC_URL", "https://embarque.example")

        assert settings().public_url == "https://embarque.example"
