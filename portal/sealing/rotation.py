"""New keys in a folder of secrets, while the processes that read it run.

Each rotation has two steps with a pause between: first every process learns the new key beside the old one, then it
is used. Otherwise one process would close something with a key that its neighbour does not hold yet.
"""

import json
import secrets
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

from portal.sealing.folder import (
    DESK,
    IDENTITY_KEYS,
    PORTAL,
    PUBLIC_KEYS,
    WORKER,
    new_keyed_secret,
    read_env,
    write_json,
    write_settings,
)
from portal.sealing.keys import new_key_pair


class KeyKind(StrEnum):
    IDENTITY = "identity"
    """To which identities are sealed: one pair a municipality."""
    NOTICE = "notice"
    """To which addresses of news are sealed."""
    PEPPER = "pepper"
    """Under which the hashes of access keys lie."""
    SECRET = "secret"  # noqa: S105
    """Of the portal: sessions, tickets of cases, the bot's inbox."""
    DESK = "desk"
    """Of the desk: its sessions and authenticators."""
    AUDIT = "audit"
    """Under which the audit log is chained."""
    RECEIPT = "receipt"
    """In the proofs of look-ups."""


class NoSuchKey(Exception):
    """The folder has no key of this kind, or of this municipality, to put another in the place of."""


def rotate(folder: Path, kind: KeyKind, *, municipality: str | None = None) -> Iterator[str]:
    """Make a new key the present one; the old ones stay, to open what they closed.

    Yields the new key's name once it is known and not yet used: the caller waits until every process knows it, and
    goes on. ``municipality`` narrows ``identity`` to one; otherwise each gets a new pair.

    Raises:
        NoSuchKey: nothing was written.
    """
    folder = folder.absolute()
    match kind:
        case KeyKind.IDENTITY:
            yield from _identity(folder, municipality)
        case KeyKind.NOTICE:
            yield from _notice(folder)
        case KeyKind.PEPPER:
            yield from _pepper(folder)
        case KeyKind.AUDIT:
            yield from _keyed(folder, "AUDIT_KEY", (DESK,))
        case KeyKind.RECEIPT:
            yield from _keyed(folder, "RECEIPT_KEY", (PORTAL, DESK, WORKER))
        case KeyKind.SECRET:
            yield from _secret(folder, "SECRET_KEY", "OLD_SECRET_KEYS", (PORTAL, DESK, WORKER))
        case KeyKind.DESK:
            yield from _secret(folder, "DESK_SECRET_KEY", "OLD_DESK_SECRET_KEYS", (DESK,))


def _identity(folder: Path, municipality: str | None) -> Iterator[str]:
    public = json.loads(_present(folder / PUBLIC_KEYS).read_text())
    private = json.loads(_present(folder / IDENTITY_KEYS).read_text())
    wanted = [municipality] if municipality else list(public["identity"])
    if not wanted or any(slug not in public["identity"] for slug in wanted):
        raise NoSuchKey(municipality or PUBLIC_KEYS)
    pairs = {slug: new_key_pair() for slug in wanted}
    for slug, pair in pairs.items():
        private.setdefault(slug, []).insert(0, {"id": pair.id, "key": pair.private})
    write_json(folder / IDENTITY_KEYS, private)
    yield ", ".join(f"{slug} {pair.id}" for slug, pair in pairs.items())
    for slug, pair in pairs.items():
        public["identity"][slug] = {"id": pair.id, "key": pair.public}
    write_json(folder / PUBLIC_KEYS, public)


def _notice(folder: Path) -> Iterator[str]:
    kept = read_env(_present(folder / WORKER)).get("NOTICE_PRIVATE_KEY")
    public = json.loads(_present(folder / PUBLIC_KEYS).read_text())
    if not kept:
        raise NoSuchKey("NOTICE_PRIVATE_KEY")
    pair = new_key_pair()
    write_settings(folder / WORKER, {"NOTICE_PRIVATE_KEY": f"{pair.id}:{pair.private},{kept}"})
    yield pair.id
    public["notice"] = {"id": pair.id, "key": pair.public}
    write_json(folder / PUBLIC_KEYS, public)


def _keyed(folder: Path, name: str, files: tuple[str, ...]) -> Iterator[str]:
    kept = read_env(_present(folder / files[0])).get(name)
    if not kept:
        raise NoSuchKey(name)
    new = new_keyed_secret()
    _write_everywhere(folder, files, {name: f"{kept},{new}"})
    yield new.partition(":")[0]
    _write_everywhere(folder, files, {name: f"{new},{kept}"})


def _pepper(folder: Path) -> Iterator[str]:
    given = read_env(_present(folder / PORTAL))
    if "ACCESS_KEY_PEPPER" not in given:
        raise NoSuchKey("ACCESS_KEY_PEPPER")
    kept = given.get("OLD_ACCESS_KEY_PEPPERS", "")
    present_id = given.get("ACCESS_KEY_PEPPER_ID", "1")
    used = {present_id, *(part.partition(":")[0] for part in kept.split(",") if part)}
    new_id = next(name for number in range(2, 10_000) if (name := str(number)) not in used)
    new = secrets.token_urlsafe(48)
    _write_everywhere(
        folder, (PORTAL, DESK, WORKER), {"OLD_ACCESS_KEY_PEPPERS": _joined(f"{new_id}:{new}", kept)}
    )
    yield new_id
    _write_everywhere(
        folder,
        (PORTAL, DESK, WORKER),
        {
            "ACCESS_KEY_PEPPER": new,
            "ACCESS_KEY_PEPPER_ID": new_id,
            "OLD_ACCESS_KEY_PEPPERS": _joined(f"{present_id}:{given['ACCESS_KEY_PEPPER']}", kept),
        },
    )


def _secret(folder: Path, present: str, old: str, files: tuple[str, ...]) -> Iterator[str]:
    given = read_env(_present(folder / files[0]))
    if present not in given:
        raise NoSuchKey(present)
    new = secrets.token_urlsafe(48)
    kept = given.get(old, "")
    # The oldest one names chats (see services.messages.telegram): it stands last at every moment.
    _write_everywhere(folder, files, {old: f"{new},{kept or given[present]}"})
    yield present
    _write_everywhere(folder, files, {present: new, old: _joined(given[present], kept)})


def _joined(first: str, rest: str) -> str:
    return f"{first},{rest}" if rest else first


def _write_everywhere(folder: Path, files: tuple[str, ...], changes: dict[str, str]) -> None:
    for name in files:
        if (folder / name).exists():
            write_settings(folder / name, changes)


def _present(path: Path) -> Path:
    if not path.exists():
        raise NoSuchKey(str(path))
    return path
