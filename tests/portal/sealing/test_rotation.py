"""``portal keys rotate``: what the old key closed opens still, and what comes is closed with the new one."""

import json
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

import portal.config
from portal.cli import main
from portal.config import Watch, desk_settings, settings, worker_settings
from portal.regulations import catalogue
from portal.sealing.boxes import read_header, seal
from portal.sealing.folder import make_folder, read_env
from portal.sealing.keys import read_public_keys
from portal.sealing.opening import open_sealed, read_identity_keys, read_notice_keys
from portal.sealing.rotation import KeyKind, NoSuchKey, rotate
from portal.sealing.secrets import decrypt, encrypt
from tests.conftest import _forget_settings

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
TOWN = "caraguatatuba-sp"


@pytest.fixture
def folder(environment, monkeypatch):
    """A state folder whose processes read everything in it, and nothing of it from the environment."""
    made = environment / "keys"
    make_folder(made, [town.slug for town in catalogue.municipalities()])
    for name in read_env(made / "portal.env"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PORTAL_STATE", str(made))
    monkeypatch.setattr(portal.config, "LOOK_EVERY", 0.0)
    _forget_settings()
    return made


def command(*arguments):
    result = CliRunner().invoke(main, ["keys", "rotate", *arguments, "--wait", "0"])
    assert result.exit_code == 0, result.output
    return result.output


class TestEveryKind:
    @pytest.mark.parametrize("kind", list(KeyKind))
    def test_opens_what_the_old_one_closed(self, folder, kind):
        closed = [_close(kind, turn) for turn in range(3) if turn == 0 or command(kind.value)]

        assert [_open(kind, box, turn) for turn, box in enumerate(closed)] == ["told 0", "told 1", "told 2"]
        assert len({box if isinstance(box, str) else box[:12] for box in closed}) == 3

    @pytest.mark.parametrize("kind", list(KeyKind))
    def test_is_known_to_all_before_it_is_used(self, folder, kind):
        steps = rotate(folder, kind)
        next(steps)
        _forget_settings()
        before = _close(kind, 0)
        for _ in steps:
            pass
        _forget_settings()

        assert _open(kind, before, 0) == "told 0"
        held_at_the_first_step = _close(kind, 1)
        assert held_at_the_first_step != before

    @pytest.mark.parametrize("kind", list(KeyKind))
    def test_tells_no_secret(self, folder, kind):
        told = command(kind.value)

        for name in ("portal.env", "desk.env", "worker.env"):
            for value in read_env(folder / name).values():
                for part in value.replace(":", ",").split(","):
                    assert len(part) < 20 or part not in told

    def test_leaves_the_files_to_their_owner_and_other_lines_as_they_were(self, folder):
        (folder / "desk.env").write_text("# the city's own word\n" + (folder / "desk.env").read_text())
        (folder / "desk.env").chmod(0o640)
        command("audit")

        assert (folder / "desk.env").read_text().startswith("# the city's own word\n")
        assert (folder / "desk.env").stat().st_mode & 0o777 == 0o640
        assert not list(folder.glob("*.new"))

    def test_gives_the_public_portal_no_private_key(self, folder):
        for kind in KeyKind:
            command(kind.value)

        portal.config.refuse_private_keys(read_env(folder / "portal.env"))

    def test_one_town_leaves_the_others_theirs(self, folder):
        before = json.loads((folder / "public_keys.json").read_text())["identity"]
        command("identity", "--municipality", TOWN)
        after = json.loads((folder / "public_keys.json").read_text())["identity"]

        assert {slug for slug in before if before[slug] != after[slug]} == {TOWN}

    def test_of_a_town_that_has_none_writes_nothing(self, folder):
        with pytest.raises(NoSuchKey):
            next(rotate(folder, KeyKind.IDENTITY, municipality="atlantida-xx"))


class TestARunningProcess:
    def test_notices_that_the_files_were_written_anew(self, folder):
        watch, before = Watch(), settings().secrets
        assert not watch.changed()
        command("secret")

        assert watch.changed()
        assert settings().secrets[1:] == before
        assert not watch.changed()

    def test_the_portal_goes_on_with_a_form_and_a_case_of_before(self, folder, database):
        from portal.web import create_app

        app = create_app()
        browser = app.test_client()
        page = browser.get(f"/{TOWN}/manifestacoes/nova").text
        token = page.split('name="csrf_token"')[1].split('value="')[1].split('"')[0]
        command("secret")
        answer = browser.post(
            f"/{TOWN}/manifestacoes/nova",
            data={"csrf_token": token, "question": "what", "option": "other_problem"},
        )

        assert answer.status_code == 303
        assert app.config["SECRET_KEY"] == settings().secrets[0]
        assert len(app.config["SECRETS"]) == 2

    def test_the_worker_opens_what_is_sealed_to_a_key_that_came_meanwhile(self, folder):
        from portal.worker import opener

        open_box = opener(worker_settings())
        command("notice")
        notice = read_public_keys(settings().public_keys).notice
        assert notice

        assert open_box(seal(b"told", notice, record="r"), "r") == b"told"


class TestAnAccessKey:
    def test_of_before_opens_and_lies_under_the_new_pepper_from_then_on(self, folder, database):
        from portal.domain.complaints import Identity, IdentityMode
        from portal.services.complaints import filing, intake, tracking
        from portal.services.unit_of_work import unit_of_work
        from portal.storage.complaints import find_by_protocol

        with unit_of_work(writes=True) as session:
            draft = intake.start_draft(
                session,
                municipality=TOWN,
                channel="web",
                language="pt_BR",
                now=NOW,
                prefill={"what": "other_problem", "photos": "done"},
            )
            for asked in ("vehicle", "where", "when", "story"):
                draft = intake.skip(session, draft.token, asked, now=NOW)
            receipt = filing.file_complaint(session, draft.token, Identity(IdentityMode.ANONYMOUS), now=NOW)
        watch = Watch()
        command("pepper")
        assert watch.changed()
        for pepper in ("2", "2"):
            with unit_of_work(writes=True) as session:
                case = tracking.track(session, receipt.protocol, receipt.access_key or "", now=NOW)
            assert isinstance(case, tracking.CaseView)
            with unit_of_work() as session:
                row = find_by_protocol(session, receipt.protocol)
                assert row
                assert row.access_key_pepper_id == pepper


def _close(kind, turn):
    _forget_settings()
    told = f"told {turn}"
    match kind:
        case KeyKind.IDENTITY:
            return seal(told.encode(), read_public_keys(settings().public_keys).identity[TOWN], record="r")
        case KeyKind.NOTICE:
            notice = read_public_keys(settings().public_keys).notice
            assert notice
            return seal(told.encode(), notice, record="r")
        case KeyKind.SECRET:
            return encrypt(told, settings().secrets, purpose="p", now=NOW).decode()
        case KeyKind.DESK:
            return encrypt(told, desk_settings().desk_secrets, purpose="p", now=NOW).decode()
        case KeyKind.PEPPER:
            return (
                settings().access_key_pepper_id
                + ":"
                + settings().peppers[settings().access_key_pepper_id].decode()
            )
        case KeyKind.RECEIPT:
            given = settings().receipt_key
            assert given
            return given.get_secret_value().partition(",")[0]
        case KeyKind.AUDIT:
            keys = portal.config.audit_keys()
            return keys.current + ":" + keys.by_id[keys.current].decode()


def _open(kind, box, turn):
    _forget_settings()
    match kind:
        case KeyKind.IDENTITY:
            keys = read_identity_keys(desk_settings().identity_private_keys)[TOWN]
            assert read_header(box).key_id in keys
            return open_sealed(box, keys, record="r").decode()
        case KeyKind.NOTICE:
            keys = read_notice_keys(worker_settings().notice_private_key.get_secret_value())
            return open_sealed(box, keys, record="r").decode()
        case KeyKind.SECRET:
            return decrypt(box.encode(), settings().secrets, purpose="p", now=NOW, minutes=1)
        case KeyKind.DESK:
            return decrypt(box.encode(), desk_settings().desk_secrets, purpose="p", now=NOW, minutes=1)
        case KeyKind.RECEIPT:
            given = settings().receipt_key
            assert given
            return f"told {turn}" if box in given.get_secret_value().split(",") else "lost"
        case KeyKind.PEPPER | KeyKind.AUDIT:
            held = settings().peppers if kind is KeyKind.PEPPER else portal.config.audit_keys().by_id
            name, _colon, secret = box.partition(":")
            return f"told {turn}" if held[name].decode() == secret else "lost"
