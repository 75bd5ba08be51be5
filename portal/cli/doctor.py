"""``portal doctor``: what is wrong with this portal and what to do about it, in plain sentences."""

import os
import shutil
import smtplib
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import StrEnum
from pathlib import Path
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo

import click
import httpx
from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from portal import clock
from portal.config import Settings, is_weak, settings, state_folder
from portal.domain.errors import FilesAway
from portal.files.store import LocalFiles, file_store
from portal.i18n import Translator, negotiate, translator
from portal.limiting import Limiter
from portal.regulations import catalogue
from portal.sealing.keys import read_public_keys
from portal.services.checkup import Facts, look_over
from portal.services.people import audit
from portal.services.unit_of_work import unit_of_work

LITTLE_ROOM, NO_ROOM = 2 * 1024**3, 256 * 1024**2
"""Bytes free on a disk below which it is worth a word, and below which filing will soon fail."""
SILENT = timedelta(minutes=5)
"""A worker does something every minute."""
LATE = timedelta(minutes=30)
OLD_BACKUP = timedelta(hours=26)
OLD_LIST = timedelta(days=60)
SLOW_CLOCK = timedelta(seconds=30)
SECRET_FILES = ("portal.env", "desk.env", "worker.env", "identity_private_keys.json")


class Level(StrEnum):
    OK = "ok"
    WARNING = "atenção"
    WRONG = "ERRADO"


@dataclass(frozen=True, slots=True)
class Finding:
    level: Level
    what: str
    todo: str = ""


Check = Callable[[Settings, Translator], Iterator[Finding]]


@click.command()
@click.option("--offline", is_flag=True, help="Ask neither the mail server nor Telegram.")
def doctor(offline: bool) -> None:
    """Look at settings, keys, database, disk, files, Redis, mail, bot, clock, worker, lists, log and backups.

    Exits 0 when all is well, 1 when something is worth a word, 2 when something is wrong.
    """
    _ = translator(negotiate(os.environ.get("LC_ALL"), os.environ.get("LANG")))
    found = list(look_at_everything(_, offline=offline))
    for finding in found:
        click.echo(f"[{finding.level}] {finding.what}")
        if finding.todo:
            click.echo(f"    → {finding.todo}")
    levels = {finding.level for finding in found}
    raise SystemExit(2 if Level.WRONG in levels else 1 if Level.WARNING in levels else 0)


def look_at_everything(_: Translator, *, offline: bool) -> Iterator[Finding]:
    """Every check in turn; one that breaks is told of as broken, and the others go on."""
    try:
        given = settings()
    except ValidationError as wrong:
        names = sorted({str(fault["loc"][0]).upper() for fault in wrong.errors() if fault["loc"]})
        yield Finding(
            Level.WRONG,
            _("Faltam ajustes, ou estão errados: %(names)s.") % {"names": ", ".join(names)},
            _("Dê-os no ambiente ou em %(folder)s/portal.env; `portal keys new` cria os segredos.")
            % {"folder": state_folder()},
        )
        return
    yield Finding(Level.OK, _("Os ajustes estão completos."))
    checks: list[Check] = [_keys, _database, _disk, _files, _redis, _zones]
    if not offline:
        checks += [_mail, _telegram]
    for check in checks:
        try:
            yield from check(given, _)
        except Exception as error:
            told = {"what": check.__name__.strip("_"), "error": type(error).__name__}
            yield Finding(Level.WRONG, _("Não deu para examinar “%(what)s”: %(error)s.") % told)


def _keys(given: Settings, _: Translator) -> Iterator[Finding]:
    for name, value in (("SECRET_KEY", given.secret_key), ("ACCESS_KEY_PEPPER", given.access_key_pepper)):
        if is_weak(value):
            yield Finding(
                Level.WRONG,
                _("%(name)s é curto ou parece de exemplo.") % {"name": name},
                _(
                    "Crie um com `portal keys new PASTA`. Com outro ACCESS_KEY_PEPPER as chaves já dadas não entram."
                ),
            )
    loose = [
        path
        for name in SECRET_FILES
        if (path := state_folder() / name).exists() and stat.S_IMODE(path.stat().st_mode) & 0o077
    ]
    for path in loose:
        yield Finding(
            Level.WRONG,
            _("Outros usuários desta máquina podem ler %(path)s.") % {"path": path},
            f"chmod 600 {path}",
        )
    try:
        keys = read_public_keys(given.public_keys)
    except (OSError, ValueError) as error:
        yield Finding(
            Level.WRONG,
            _("As chaves públicas (%(path)s) não se leem: %(error)s.")
            % {"path": given.public_keys, "error": type(error).__name__},
            _("Sem elas só entram manifestações anônimas. `portal keys new PASTA` as cria."),
        )
        return
    without = [town.slug for town in catalogue.municipalities() if town.slug not in keys.identity]
    if without:
        yield Finding(
            Level.WARNING,
            _("Municípios sem chave de identidade: %(names)s.") % {"names": ", ".join(without)},
            _("`portal keys add PASTA` dá uma a cada um; até lá só recebem manifestações anônimas."),
        )
    if not loose and not without:
        yield Finding(Level.OK, _("As chaves estão no lugar e fechadas."))


def _database(given: Settings, _: Translator) -> Iterator[Finding]:
    now = clock.now()
    try:
        with unit_of_work() as session:
            facts = look_over(session, now=now)
    except SQLAlchemyError as error:
        yield Finding(
            Level.WRONG,
            _("O banco de dados não responde: %(error)s.") % {"error": type(error).__name__},
            _("Confira DATABASE_URL, se o servidor está no ar e se esta conta pode entrar."),
        )
        return
    if not facts.up_to_date:
        yield Finding(
            Level.WRONG,
            _("As tabelas estão no passo %(at)s e o programa quer o %(wanted)s.")
            % {"at": facts.revision or "0", "wanted": facts.newest},
            _("Rode `portal migrate`."),
        )
        return
    yield Finding(Level.OK, _("O banco de dados (%(kind)s) responde e está em dia.") % {"kind": facts.kind})
    yield from _worker(facts, now, _)
    yield from _lists(facts, now, _)
    yield from _log(_)
    yield _backup(facts, now, _)


def _worker(facts: Facts, now: datetime, _: Translator) -> Iterator[Finding]:
    if facts.worked_at is None or now - facts.worked_at > SILENT:
        when = _.datetime(facts.worked_at) if facts.worked_at else _("nunca")
        yield Finding(
            Level.WRONG,
            _("Nenhum worker deu sinal (último: %(when)s): avisos não saem e prazos não correm.")
            % {"when": when},
            _("Ligue o processo worker (ou o robô, que o traz dentro): `systemctl start embarque-worker`."),
        )
    else:
        yield Finding(Level.OK, _("O worker está trabalhando."))
    for name, failure in facts.failing:
        yield Finding(
            Level.WRONG,
            _("A tarefa “%(name)s” falha: %(failure)s.") % {"name": name, "failure": failure},
            _("O registro (journal) do worker diz desde quando; ela é tentada de novo a cada minuto."),
        )
    if facts.due_since and now - facts.due_since > LATE:
        yield Finding(
            Level.WARNING,
            _.ngettext(
                "%(count)s entrega espera desde %(when)s.",
                "%(count)s entregas esperam desde %(when)s.",
                facts.due,
            )
            % {"count": facts.due, "when": _.datetime(facts.due_since)},
            _("Falta quem as envie: SMTP_URL e MAIL_FROM para cartas, o robô para o Telegram."),
        )
    if facts.given_up:
        yield Finding(
            Level.WARNING,
            _.ngettext(
                "%(count)s entrega foi dada por perdida.",
                "%(count)s entregas foram dadas por perdidas.",
                facts.given_up,
            )
            % {"count": facts.given_up},
            _("A mesa as mostra em “Avisos não entregues”, com o que fazer."),
        )


def _lists(facts: Facts, now: datetime, _: Translator) -> Iterator[Finding]:
    for one in facts.lists:
        age = now.date() - one.as_of
        if age > OLD_LIST:
            yield Finding(
                Level.WARNING,
                _("A lista “%(source)s” (%(town)s, %(service)s) é de %(day)s: %(days)s dias.")
                % {
                    "source": one.source, "town": one.municipality, "service": one.service,
                    "day": _.date(one.as_of), "days": age.days,
                },
                _("Peça a lista nova e traga-a com `portal import permits`."),
            )  # fmt: skip
    if not facts.lists:
        yield Finding(
            Level.WARNING,
            _("Nenhuma lista de autorizações: toda consulta responde que não há o que consultar."),
            _("Traga o cadastro com `portal import permits`."),
        )


def _log(_: Translator) -> Iterator[Finding]:
    whole = True
    for town in catalogue.municipalities():
        try:
            with unit_of_work() as session:
                found = audit.verify_log(session, town.slug)
        except (ValueError, ValidationError):  # this account may not hold its key
            yield Finding(
                Level.OK,
                _("A corrente do registro da mesa não foi conferida: AUDIT_KEY não está nesta conta."),
            )
            return
        if not found.whole:
            whole = False
            yield Finding(
                Level.WRONG,
                _("O registro da mesa de %(town)s foi mexido na entrada %(entry)s.")
                % {"town": town.slug, "entry": found.broken_at},
                _("Não apague nada; compare com as âncoras: `portal desk verify-log --anchor ARQUIVO`."),
            )
    if whole:
        yield Finding(Level.OK, _("As correntes do registro da mesa estão inteiras."))


def _backup(facts: Facts, now: datetime, _: Translator) -> Finding:
    if facts.backed_up_at and now - facts.backed_up_at <= OLD_BACKUP:
        return Finding(Level.OK, _("Última cópia: %(when)s.") % {"when": _.datetime(facts.backed_up_at)})
    when = _.datetime(facts.backed_up_at) if facts.backed_up_at else _("nunca")
    return Finding(
        Level.WARNING,
        _("A última cópia de segurança é velha (%(when)s).") % {"when": when},
        _("`portal backup PASTA` a cada noite, e a pasta em outro lugar; o portal continua no ar."),
    )


def _disk(given: Settings, _: Translator) -> Iterator[Finding]:
    places = {state_folder()}
    store = file_store(given.files_url)
    if isinstance(store, LocalFiles):
        places.add(store.folder)
    if given.database_url.startswith("sqlite"):
        places.add(Path(given.database_url.partition("///")[2]).parent)
    told: set[int] = set()
    for place in sorted(places):
        there = next((one for one in (place, *place.absolute().parents) if one.exists()), Path("/"))
        room, device = shutil.disk_usage(there), os.stat(there).st_dev
        if device in told:
            continue
        told.add(device)
        gigabytes = _.number(round(room.free / 1024**3, 1))
        if room.free >= LITTLE_ROOM:
            yield Finding(
                Level.OK, _("Disco de %(place)s: %(free)s GB livres.") % {"place": there, "free": gigabytes}
            )
            continue
        yield Finding(
            Level.WRONG if room.free < NO_ROOM else Level.WARNING,
            _("Disco de %(place)s: só %(free)s GB livres.") % {"place": there, "free": gigabytes},
            _("Abra espaço: cheio, as consultas continuam, mas nenhuma manifestação é recebida."),
        )


def _files(given: Settings, _: Translator) -> Iterator[Finding]:
    """Puts a file, reads it and forgets it."""
    store, name = file_store(given.files_url), "d0c70a" + "0" * 26
    try:
        store.put(name, b"portal doctor")
        whole = store.get(name) == b"portal doctor"
        store.delete(name)
    except (FilesAway, FileNotFoundError) as away:
        yield Finding(
            Level.WRONG,
            _("O armazenamento de arquivos não guarda: %(error)s.")
            % {"error": away.why if isinstance(away, FilesAway) else "FileNotFoundError"},
            _("Confira FILES_URL, FILES_KEY_ID e FILES_SECRET, o balde ou a pasta, e se há espaço."),
        )
        return
    yield Finding(
        Level.OK if whole else Level.WRONG,
        _("O armazenamento de arquivos guarda e devolve.")
        if whole
        else _("O armazenamento devolve outra coisa do que recebeu."),
    )


def _redis(given: Settings, _: Translator) -> Iterator[Finding]:
    if given.redis_url is None:
        yield Finding(Level.OK, _("Sem Redis: cada processo conta os limites por si."))
    elif Limiter(given.redis_url.get_secret_value(), timeout=given.redis_timeout).shares():
        yield Finding(Level.OK, _("O Redis responde."))
    else:
        yield Finding(
            Level.WARNING,
            _("O Redis não responde: cada processo conta os limites por si, e o resto continua."),
            _("Confira REDIS_URL e o servidor. Quando voltar, nada precisa ser feito."),
        )


def _zones(_given: Settings, _: Translator) -> Iterator[Finding]:
    now = clock.now()
    for town in catalogue.municipalities():
        ZoneInfo(town.zone.key)
    told = _.datetime(now.astimezone(catalogue.municipalities()[0].zone))
    yield Finding(Level.OK, _("Fusos de todos os municípios conhecidos; agora são %(now)s.") % {"now": told})


def _mail(given: Settings, _: Translator) -> Iterator[Finding]:
    address = given.smtp_url
    if not address:
        yield Finding(
            Level.WARNING,
            _("Sem SMTP_URL nesta conta: nenhum aviso sai por e-mail."),
            _("Dê SMTP_URL e MAIL_FROM ao worker."),
        )
        return
    parts = urlsplit(address)
    kind = smtplib.SMTP_SSL if parts.scheme == "smtps" else smtplib.SMTP
    try:
        with kind(
            parts.hostname or "localhost", parts.port or (465 if parts.scheme == "smtps" else 25), timeout=10
        ) as server:
            if parts.scheme == "smtp" and "starttls" in parts.query:
                server.starttls()
            if parts.username:
                server.login(unquote(parts.username), unquote(parts.password or ""))
            server.noop()
    except (OSError, smtplib.SMTPException) as error:
        yield Finding(
            Level.WRONG,
            _("O servidor de e-mail não atende: %(error)s.") % {"error": type(error).__name__},
            _("Confira SMTP_URL. Os avisos esperam e saem quando ele voltar (por até 14 horas)."),
        )
        return
    yield Finding(Level.OK, _("O servidor de e-mail atende."))


def _telegram(given: Settings, _: Translator) -> Iterator[Finding]:
    token = given.telegram_bot_token
    if token is None:
        yield Finding(Level.OK, _("Sem TELEGRAM_BOT_TOKEN nesta conta: o robô não foi examinado."))
        return
    try:
        address = f"{given.telegram_base_url}/bot{token.get_secret_value()}/getMe"
        answer = httpx.get(address, timeout=given.telegram_timeout)
        known = answer.json()
    except (httpx.HTTPError, ValueError) as error:
        yield Finding(
            Level.WARNING,
            _("O Telegram não responde: %(error)s.") % {"error": type(error).__name__},
            _("As mensagens esperam e saem quando ele voltar."),
        )
        return
    if not known.get("ok"):
        yield Finding(
            Level.WRONG, _("O Telegram não conhece este TELEGRAM_BOT_TOKEN."), _("Peça outro ao @BotFather.")
        )
        return
    name = str(known["result"].get("username"))
    if given.telegram_bot_name and given.telegram_bot_name.lower() != name.lower():
        yield Finding(
            Level.WARNING,
            _("O robô se chama @%(name)s, e TELEGRAM_BOT_NAME diz outro nome: as páginas levam a ele.")
            % {"name": name},
        )
    yield Finding(Level.OK, _("O robô é @%(name)s.") % {"name": name})
    if told := answer.headers.get("Date"):
        yield from _clock(parsedate_to_datetime(told), _)


def _clock(there: datetime, _: Translator) -> Iterator[Finding]:
    if abs(clock.now() - there) > SLOW_CLOCK:
        yield Finding(
            Level.WRONG,
            _("O relógio desta máquina difere do de fora em mais de %(seconds)s segundos.")
            % {"seconds": SLOW_CLOCK.seconds},
            _("Ligue a sincronização: `timedatectl set-ntp true`. Prazos e códigos dependem dele."),
        )
