"""The folder of secrets of one machine: made once, never overwritten, read by nobody else on it.

``portal.env``, ``desk.env`` and ``worker.env`` hold the settings of one process each, as KEY=VALUE lines; the
public portal's holds no private key.
"""

import json
import os
import secrets
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from portal.sealing.keys import KeyPair, new_key_pair
from portal.sealing.signing import new_signing_pair

PORTAL, DESK, WORKER = "portal.env", "desk.env", "worker.env"
PUBLIC_KEYS, IDENTITY_KEYS = "public_keys.json", "identity_private_keys.json"
CARD_KEYS = "card_private_keys.json"


class SecretsExist(Exception):
    """Making new secrets over old ones would lock away every identity sealed so far."""


def make_folder(folder: Path, municipalities: Iterable[str]) -> None:
    """Create the secrets of a machine that serves these municipalities, each file for its owner alone (0600).

    Raises:
        SecretsExist: one of the files is there already; nothing was written.
    """
    folder = folder.absolute()
    for name in (PORTAL, DESK, WORKER, PUBLIC_KEYS, IDENTITY_KEYS, CARD_KEYS):
        if (folder / name).exists():
            raise SecretsExist(str(folder / name))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    notice = new_key_pair()
    pairs = {slug: new_key_pair() for slug in municipalities}
    shared = {
        "SECRET_KEY": secrets.token_urlsafe(48),
        "ACCESS_KEY_PEPPER": secrets.token_urlsafe(48),
        "ACCESS_KEY_PEPPER_ID": "1",
        "RECEIPT_KEY": new_keyed_secret(),
        "PUBLIC_KEYS": str(folder / PUBLIC_KEYS),
    }
    write_json(folder / PUBLIC_KEYS, {"identity": {}, "notice": {"id": notice.id, "key": notice.public}})
    write_json(folder / IDENTITY_KEYS, {})
    _add_pairs(folder, pairs)
    _write_env(folder / PORTAL, shared)
    _write_env(
        folder / DESK,
        {
            **shared,
            "DESK_SECRET_KEY": secrets.token_urlsafe(48),
            "AUDIT_KEY": new_keyed_secret(),
            "IDENTITY_PRIVATE_KEYS": str(folder / IDENTITY_KEYS),
            "CARD_PRIVATE_KEYS": str(folder / CARD_KEYS),
        },
    )
    add_card_keys(folder, pairs)
    _write_env(folder / WORKER, {**shared, "NOTICE_PRIVATE_KEY": f"{notice.id}:{notice.private}"})


def new_keyed_secret() -> str:
    """``id:secret``, as ``AUDIT_KEY`` and ``RECEIPT_KEY`` take it."""
    return f"{secrets.token_hex(4)}:{secrets.token_urlsafe(48)}"


def add_audit_key(folder: Path) -> bool:
    """Give a folder that was made before the audit log had a key one; False when it has one."""
    return _add_secret(folder / DESK, "AUDIT_KEY")


def add_receipt_key(folder: Path) -> None:
    """Give a folder that was made before look-ups were proved their key, the same to every process."""
    files = [folder / name for name in (PORTAL, DESK, WORKER) if (folder / name).exists()]
    known = (read_env(path).get("RECEIPT_KEY") for path in files)
    secret = next((one for one in known if one), None) or new_keyed_secret()
    for path in files:
        _add_secret(path, "RECEIPT_KEY", secret)


def _add_secret(path: Path, name: str, secret: str | None = None) -> bool:
    kept = read_env(path)
    if name in kept:
        return False
    # Added at the end: whatever else somebody wrote into the file stays as it is.
    text = path.read_text()
    _write(
        path,
        text + ("" if not text or text.endswith("\n") else "\n") + f"{name}={secret or new_keyed_secret()}\n",
    )
    return True


def add_card_keys(folder: Path, municipalities: Iterable[str]) -> tuple[str, ...]:
    """Give a key for permit cards to each municipality that has none yet; answers which ones got it."""
    known = _read_json(folder / CARD_KEYS)
    added = tuple(slug for slug in municipalities if slug not in known)
    for slug in added:
        rotate_card_key(folder, slug)
    if (folder / DESK).exists():
        _add_secret(folder / DESK, "CARD_PRIVATE_KEYS", str((folder / CARD_KEYS).absolute()))
    return added


def rotate_card_key(folder: Path, municipality: str, *, disown: bool = False) -> None:
    """From now on a town's cards are signed with a new key.

    Cards that were printed stay good, as the public half of the old key is kept. ``disown`` drops it, for a key that
    fell into other hands: then every card printed so far is unknown, and is to be printed anew.
    """
    private, public = new_signing_pair()
    private_keys, public_keys = _read_json(folder / CARD_KEYS), _read_json(folder / PUBLIC_KEYS)
    cards = public_keys.setdefault("cards", {})
    # Public first: a card must never be signed that nobody can check.
    cards[municipality] = [{"key": public}, *([] if disown else cards.get(municipality, []))]
    write_json(folder / PUBLIC_KEYS, public_keys)
    private_keys[municipality] = [{"key": private}]
    write_json(folder / CARD_KEYS, private_keys)


def add_municipalities(folder: Path, municipalities: Iterable[str]) -> tuple[str, ...]:
    """Give an identity key to each municipality that has none yet; answers which ones got it."""
    known = json.loads((folder / PUBLIC_KEYS).read_text())["identity"]
    pairs = {slug: new_key_pair() for slug in municipalities if slug not in known}
    if pairs:
        _add_pairs(folder, pairs)
    return tuple(pairs)


def read_env(path: Path) -> dict[str, str]:
    """The settings in a file of this folder."""
    lines = (line.partition("=") for line in path.read_text().splitlines() if line and line[0] != "#")
    return {name: value for name, _equals, value in lines}


def _add_pairs(folder: Path, pairs: dict[str, KeyPair]) -> None:
    public = json.loads((folder / PUBLIC_KEYS).read_text())
    private = json.loads((folder / IDENTITY_KEYS).read_text())
    for slug, pair in pairs.items():
        private.setdefault(slug, []).insert(0, {"id": pair.id, "key": pair.private})
        public["identity"][slug] = {"id": pair.id, "key": pair.public}
    # Private first: a box must never be sealed to a key that was lost on the way.
    write_json(folder / IDENTITY_KEYS, private)
    write_json(folder / PUBLIC_KEYS, public)


def _read_json(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return found


def _write_env(path: Path, values: dict[str, str]) -> None:
    _write(path, "".join(f"{name}={value}\n" for name, value in values.items()))


def write_settings(path: Path, changes: dict[str, str]) -> None:
    """Put these settings in a file of this folder; its other lines, a person's words among them, stay as they are."""
    lines, left = [], dict(changes)
    for line in path.read_text().splitlines():
        name = line.partition("=")[0]
        if name in changes:
            if name in left:
                lines.append(f"{name}={left.pop(name)}")
            continue
        lines.append(line)
    lines += [f"{name}={value}" for name, value in left.items()]
    _write(path, "".join(f"{line}\n" for line in lines))


def write_json(path: Path, content: object) -> None:
    _write(path, json.dumps(content, indent=2) + "\n")


def _write(path: Path, text: str) -> None:
    beside = path.with_name(path.name + ".new")
    beside.unlink(missing_ok=True)
    before = path.stat() if path.exists() else None
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        if before:  # the account of one process owns it, and it must be able to read it still
            if (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
                os.fchown(file.fileno(), before.st_uid, before.st_gid)
            os.fchmod(file.fileno(), stat.S_IMODE(before.st_mode))
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
