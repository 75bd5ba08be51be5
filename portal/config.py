"""Every setting of every process, read once from the environment.

A default stands here only if it is safe in production and may be public; what is secret must be
given, and start-up says what is missing. Private keys are settings of one process each: the desk
holds the identity keys, the worker the notice key, and the public portal refuses to start beside either.

The environment comes first. What it does not say is read from ``portal.env`` in the state folder, where
``portal run`` keeps the settings of a portal on one machine, so that every command finds them too.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from time import monotonic

from pydantic import SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """What portal, bot, worker and desk share. Names in the environment are these, in capitals."""

    model_config = SettingsConfigDict(extra="ignore", frozen=True)

    database_url: str
    files_url: str
    """``file:///folder``, or an S3-compatible store: ``s3://bucket/folder?endpoint=https://…&region=…``."""
    files_key_id: str | None = None
    files_secret: SecretStr | None = None
    """How to sign in to an S3-compatible store; without them its own settings are read (``AWS_ACCESS_KEY_ID`` …)."""
    files_timeout: float = 10.0
    """Seconds after which a store that does not answer is away."""
    database_pool: int = 15
    """Connections that a process opens to PostgreSQL at most; a request waits for one for `database_timeout`."""
    database_timeout: float = 10.0
    """Seconds: to reach PostgreSQL, to wait for a free connection or a lock, and for SQLite's writer to finish."""
    redis_url: SecretStr | None = None
    """``redis://host:6379/0``, ``rediss://…`` or ``redis+unix:///path``: limits and counters of all processes
    together. Without it, and while it is away, each process counts by itself."""
    redis_timeout: float = 0.25
    """Seconds that one request waits for Redis."""
    reads_per_minute: int = 600
    """Pages and look-ups from one address; many people may share one. 0 for no limit."""
    cards_per_minute: int = 60
    """Codes of permit cards opened from one address, good and forged. 0 for no limit."""
    writes_per_minute: int = 120
    """What is sent from one address: answers, messages, sign-ins. 0 for no limit."""
    smtp_timeout: float = 30.0
    """Seconds; well within the worker's claim on a letter."""
    telegram_timeout: float = 20.0
    """Seconds for one call to Telegram; a long poll waits for so much more."""
    secret_key: SecretStr
    access_key_pepper: SecretStr
    """Keys the HMAC under which access keys are stored; `access_key_pepper_id` names it, so that it can rotate."""
    access_key_pepper_id: str = "1"
    old_access_key_peppers: SecretStr = SecretStr("")
    """``id:pepper``, with commas between: those of before a rotation, under which keys handed out then still open."""
    old_secret_keys: SecretStr = SecretStr("")
    """With commas between, the newest first: what they closed opens still, and nothing new is closed with them."""
    public_keys: Path
    """A JSON file: the ombudsman's identity key of each municipality and the worker's notice key, all public."""
    receipt_key: SecretStr | None = None
    """``id:secret`` of the HMAC in the proof of a look-up; after a rotation the older ones follow, with commas between.
    Without it no such proof is given."""
    public_url: str = "http://127.0.0.1:8000"
    desk_url: str = "http://127.0.0.1:8001"
    host: str = "127.0.0.1"
    port: int = 8000
    hosts: str = ""
    """Further names the site answers to, with commas between; behind HTTPS it answers to its own and these alone."""
    proxies: int = 0
    """How many proxies of ours stand before the portal: their word on address and scheme is taken."""
    demonstration: bool = False
    """True marks every page, first question and receipt: nothing here reaches a city hall."""
    development: bool = False
    telegram_bot_token: SecretStr | None = None
    telegram_bot_name: str | None = None
    """The bot's username, without ``@``: pages link to it, each to what it shows itself."""
    telegram_base_url: str = "https://api.telegram.org"
    telegram_webhook_url: str | None = None
    telegram_webhook_secret: SecretStr | None = None
    telegram_webhook_port: int = 8002
    """Where the bot listens, on `host`, when updates are posted to it; the proxy in front speaks HTTPS."""
    desk_mail: dict[str, str] = {}
    """Slug of a municipality: the address of its desk, for alarms of due dates; JSON in the environment."""
    telegram_bot_processes: int = 1
    """How many processes send for this bot: each keeps to its share of what Telegram takes of one."""
    smtp_url: str | None = None
    mail_from: str | None = None
    audit_anchor_file: Path | None = None
    """Where the worker adds the head of each audit log once a day: a file on a disk that only ever grows."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """The secret key and those of before, the newest first."""
        return _all_of(self.secret_key, self.old_secret_keys)

    @property
    def peppers(self) -> Mapping[str, bytes]:
        """Every pepper held by its id, the present one first."""
        pairs = [part.partition(":") for part in _parts(self.old_access_key_peppers)]
        old = {name: pepper.encode() for name, _colon, pepper in pairs}
        present = self.access_key_pepper.get_secret_value().encode()
        return {self.access_key_pepper_id: present} | {
            name: pepper for name, pepper in old.items() if name != self.access_key_pepper_id
        }


def _parts(secret: SecretStr) -> list[str]:
    return [part.strip() for part in secret.get_secret_value().split(",") if part.strip()]


def _all_of(present: SecretStr, old: SecretStr) -> tuple[str, ...]:
    return tuple(dict.fromkeys([present.get_secret_value(), *_parts(old)]))


class DeskSettings(Settings):
    """The desk alone can open identities."""

    identity_private_keys: Path
    """A JSON file: ``portal.sealing.opening`` reads it."""
    desk_secret_key: SecretStr
    old_desk_secret_keys: SecretStr = SecretStr("")
    desk_port: int = 8001
    desk_second_factor: str = "ombudsman,clerk,inspector,auditor"
    """Roles that need an authenticator beside the password, with commas between; in a demonstration none does."""

    @property
    def desk_secrets(self) -> tuple[str, ...]:
        """As ``secrets``, of the desk."""
        return _all_of(self.desk_secret_key, self.old_desk_secret_keys)


class WorkerSettings(Settings):
    """The worker alone can open delivery addresses."""

    notice_private_key: SecretStr
    """``id:base64``; after a rotation the older ones follow, with commas between."""


class AuditSettings(BaseSettings):
    """What desk and command line write the audit log with; the public portal must not be able to."""

    model_config = SettingsConfigDict(extra="ignore", frozen=True)

    audit_key: SecretStr
    """``id:secret``; after a rotation the older ones follow, with commas between."""


class CardSettings(BaseSettings):
    """What desk and command line sign permit cards with; the public portal must not be able to."""

    model_config = SettingsConfigDict(extra="ignore", frozen=True)

    card_private_keys: Path | None = None
    """A JSON file: ``portal.sealing.signing`` reads it. Without it no card is made."""


@dataclass(frozen=True, slots=True)
class AuditKeys:
    current: str
    """Id of the key that new entries are made with."""
    by_id: Mapping[str, bytes] = field(repr=False)


PLACEHOLDERS = ("change", "default", "example", "secret", "only-for-tests", "troque", "senha")
SHORTEST_SECRET = 32
"""Characters of a key of ours."""


class WeakSecrets(RuntimeError):
    """A site that people reach was started with keys that anybody may know."""


def is_weak(secret: SecretStr) -> bool:
    """Whether a key is short, all alike, or one of an example."""
    value = secret.get_secret_value()
    return (
        len(value) < SHORTEST_SECRET
        or len(set(value)) < 10
        or any(word in value.lower() for word in PLACEHOLDERS)
    )


def in_production(url: str) -> bool:
    """Whether an address is one that people reach over the network: those speak HTTPS."""
    return url.startswith("https:")


def refuse_weak_secrets(given: Settings, url: str) -> None:
    """Stop a site served at ``url`` over HTTPS whose keys are weak, or one and the same; names settings, no values."""
    if not in_production(url):
        return
    named = [(name, getattr(given, name)) for name in type(given).model_fields if name in _OWN_KEYS]
    weak = [name.upper() for name, key in named if is_weak(key)]
    if weak:
        raise WeakSecrets(f"too short, or of an example: {', '.join(weak)} (portal keys new makes them)")
    if len({key.get_secret_value() for _name, key in named}) < len(named):
        raise WeakSecrets(f"one and the same: {', '.join(name.upper() for name, _key in named)}")


_OWN_KEYS = ("secret_key", "access_key_pepper", "desk_secret_key")

PRIVATE_SETTINGS = (
    "OLD_DESK_SECRET_KEYS",
    "IDENTITY_PRIVATE_KEYS",
    "NOTICE_PRIVATE_KEY",
    "DESK_SECRET_KEY",
    "AUDIT_KEY",
    "CARD_PRIVATE_KEYS",
)


class PrivateKeyInReach(RuntimeError):
    """The public portal was started where it could read what only the desk or the worker may."""


def refuse_private_keys(environ: Mapping[str, str]) -> None:
    """Stop a public process that a private key would be given to; the message names settings, never values."""
    found = [name for name in environ if name.upper() in PRIVATE_SETTINGS]
    if found:
        raise PrivateKeyInReach(f"the public portal must not be given {', '.join(sorted(found))}")


ADDRESSES = "addresses.env"
"""Where ``portal run`` writes the addresses it serves at, so that a bot started beside it tells the right ones."""


def state_folder() -> Path:
    """Where a portal on one machine keeps its keys, database and files: PORTAL_STATE, else ``.portal``."""
    return Path(os.environ.get("PORTAL_STATE") or ".portal")


def _kept(*own: str) -> tuple[Path, ...]:
    """Files of settings in the state folder: what all processes share, then a process's ``own``."""
    return tuple(state_folder() / name for name in ("portal.env", ADDRESSES, *own))


@lru_cache
def settings() -> Settings:
    return Settings(_env_file=_kept())  # type: ignore[call-arg]


@lru_cache
def desk_settings() -> DeskSettings:
    return DeskSettings(_env_file=_kept("desk.env"))  # type: ignore[call-arg]


@lru_cache
def worker_settings() -> WorkerSettings:
    return WorkerSettings(_env_file=_kept("worker.env"))  # type: ignore[call-arg]


@lru_cache
def card_settings() -> CardSettings:
    return CardSettings(_env_file=_kept("desk.env"))  # type: ignore[call-arg]


@lru_cache
def audit_keys() -> AuditKeys:
    """The keys of the audit log; raises ``ValueError`` when there is none, or one without an id or a secret."""
    given = AuditSettings(_env_file=_kept("desk.env"))  # type: ignore[call-arg]
    pairs = [part.partition(":") for part in given.audit_key.get_secret_value().split(",")]
    if any(not identifier or not secret for identifier, _colon, secret in pairs):
        raise ValueError("AUDIT_KEY: each key is id:secret")
    return AuditKeys(pairs[0][0], {identifier: secret.encode() for identifier, _colon, secret in pairs})


LOOK_EVERY = 2.0
"""Seconds between two looks at whether the files of settings were written anew, as by ``portal keys rotate``."""


class Watch:
    """Notices that files of settings, or a further one, were written anew; a look costs nothing in between."""

    def __init__(self, *further: Path) -> None:
        self._further = further
        self._seen = self._look()
        self._next = monotonic() + LOOK_EVERY

    def changed(self) -> bool:
        """Whether they are others than before; settings are then read anew by whoever asks for them."""
        if monotonic() < self._next:
            return False
        self._next = monotonic() + LOOK_EVERY
        found = self._look()
        if found == self._seen:
            return False
        self._seen = found
        for cached in (settings, desk_settings, worker_settings, audit_keys):
            cached.cache_clear()
        return True

    def _look(self) -> list[tuple[int, int] | None]:
        return [_stamp(path) for path in (*_kept("desk.env", "worker.env"), *self._further)]


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino
