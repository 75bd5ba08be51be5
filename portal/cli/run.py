"""``portal run``: the whole service on one machine, with all its state in one folder."""

import os
import socket
from collections.abc import Mapping
from datetime import date
from itertools import groupby
from pathlib import Path

import click

from portal import clock
from portal.cli.processes import ProcessEnded, Program, python, run_together
from portal.config import ADDRESSES, PRIVATE_SETTINGS, settings, state_folder
from portal.demo import load_demonstration
from portal.i18n import Translator, negotiate, translator
from portal.regulations import catalogue
from portal.sealing.folder import (
    add_audit_key,
    add_card_keys,
    add_municipalities,
    add_receipt_key,
    make_folder,
)
from portal.services.demonstration import list_cases
from portal.services.schema import migrate_database
from portal.services.unit_of_work import unit_of_work
from portal.wording.demonstration import case_address, case_bot_phrase, case_title, subject_name

KEPT_FROM_THE_PUBLIC = (*PRIVATE_SETTINGS, "TELEGRAM_BOT_TOKEN", "TELEGRAM_WEBHOOK_SECRET", "SMTP_URL")
"""What no process is given but the one that needs it."""
FEW_ARENAS = {"MALLOC_ARENA_MAX": "2"}
"""For glibc: with an arena for each thread a process holds ten megabytes more, which nobody uses again."""


@click.command()
@click.option("--host", envvar="HOST", default="127.0.0.1", show_default=True)
@click.option("--port", envvar="PORT", default=8000, show_default=True, help="The desk takes the next one.")
def run(host: str, port: int) -> None:
    """Serve portal, desk and worker (and the bot, with TELEGRAM_BOT_TOKEN) with the demonstration, until Ctrl-C."""
    _ = translator(negotiate(os.environ.get("LC_ALL"), os.environ.get("LANG")))
    for wanted in (port, port + 1):
        if not _is_free(host, wanted):
            raise click.ClickException(
                _("A porta %(port)s já está em uso. Escolha outra: make run PORT=8765") % {"port": wanted}
            )
    state = state_folder().absolute()
    _prepare(state, _)
    addresses = _Addresses(host, port)
    (state / ADDRESSES).write_text(f"PUBLIC_URL={addresses.portal}\nDESK_URL={addresses.desk}\n")
    try:
        run_together(
            _programs(state, addresses, os.environ), when_serving=lambda: click.echo(_welcome(addresses, _))
        )
    except ProcessEnded as ended:
        raise click.ClickException(
            _(
                "O processo “%(name)s” terminou sozinho (código %(code)s) e tudo foi encerrado. O motivo está acima."
            )
            % {"name": ended.name, "code": ended.code}
        ) from None


class _Addresses:
    """Where each process listens, and the addresses to tell people."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port, self.desk_port = host, port, port + 1
        self.portal = os.environ.get("PUBLIC_URL") or self._url(host, port)
        self.desk = os.environ.get("DESK_URL") or self._url(host, port + 1)
        reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  # only when asked for
        self.portal_health = self._url(reachable, port) + "/healthz"
        self.desk_health = self._url(reachable, port + 1) + "/mesa/"

    @staticmethod
    def _url(host: str, port: int) -> str:
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _is_free(host: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _prepare(state: Path, _: Translator) -> None:
    """Keys, settings, tables and the demonstration: what is there already stays as it is."""
    towns = [municipality.slug for municipality in catalogue.municipalities()]
    portal_env = state / "portal.env"
    if not portal_env.exists():
        click.echo(_("Criando chaves e banco de dados em %(folder)s") % {"folder": state})
        make_folder(state, towns)
        with portal_env.open("a") as file:
            file.write(
                f"DATABASE_URL=sqlite:///{state / 'portal.db'}\n"
                f"FILES_URL=file://{state / 'files'}\n"
                "DEMONSTRATION=true\n"
            )
    add_municipalities(state, towns)
    add_audit_key(state)
    add_receipt_key(state)
    add_card_keys(state, towns)
    settings.cache_clear()
    migrate_database()
    if settings().demonstration:
        with unit_of_work() as session:
            loaded = list_cases(session)
        if not loaded:
            click.echo(_("Carregando a demonstração"))
            load_demonstration(now=clock.now())


def _programs(state: Path, addresses: _Addresses, environ: Mapping[str, str]) -> list[Program]:
    # What stands in the files of the folder each process reads there itself, and anew after `portal keys rotate`.
    private = {name: environ[name] for name in KEPT_FROM_THE_PUBLIC if environ.get(name)}
    public = {name: value for name, value in environ.items() if name not in KEPT_FROM_THE_PUBLIC}
    shared = (
        FEW_ARENAS
        | public
        | {"PORTAL_STATE": str(state), "PUBLIC_URL": addresses.portal, "DESK_URL": addresses.desk}
        | {"HOST": addresses.host, "PORT": str(addresses.port), "DESK_PORT": str(addresses.desk_port)}
    )
    desk = shared | _only(
        private,
        "DESK_SECRET_KEY",
        "OLD_DESK_SECRET_KEYS",
        "IDENTITY_PRIVATE_KEYS",
        "AUDIT_KEY",
        "CARD_PRIVATE_KEYS",
    )
    worker = shared | _only(
        private, "NOTICE_PRIVATE_KEY", "SMTP_URL", "TELEGRAM_BOT_TOKEN", "TELEGRAM_WEBHOOK_SECRET"
    )
    if environ.get("TELEGRAM_BOT_TOKEN"):
        # The bot works the outbox too: there is one sender towards Telegram.
        background = Program("bot", python("-m", "bot"), worker, again=True)
    else:
        background = Program("worker", python("-m", "portal.worker"), worker, again=True)
    return [
        Program(
            "portal",
            _served("portal.web:create_app", addresses.host, addresses.port),
            shared,
            addresses.portal_health,
        ),
        Program(
            "desk",
            _served("portal.desk:create_app", addresses.host, addresses.desk_port),
            desk,
            addresses.desk_health,
        ),
        background,
    ]


def _only(given: Mapping[str, str], *names: str) -> dict[str, str]:
    return {name: given[name] for name in names if name in given}


def _served(factory: str, host: str, port: int) -> list[str]:
    """One process an app is what a town needs; no access log, since addresses hold plates."""
    options = "--interface wsgi --factory --workers 1 --blocking-threads 4 --no-ws --log-level warning"
    return python("-m", "granian", *options.split(), "--host", host, "--port", str(port), factory)


def _welcome(addresses: _Addresses, _: Translator) -> str:
    """Every address, and in a demonstration every case with its link, what to write to the bot, and the logins."""
    lines = [
        "",
        _("Portal no ar: %(url)s") % {"url": f"{addresses.portal}/"},
        _("Mesa da ouvidoria: %(url)s") % {"url": f"{addresses.desk}/mesa/"},
    ]
    if os.environ.get("TELEGRAM_BOT_TOKEN"):
        lines.append(_("Robô no ar, no Telegram."))
    lines.append(_("Robô no terminal: %(command)s") % {"command": ".venv/bin/python -m bot --console"})
    with unit_of_work() as session:
        cases = list_cases(session)
    if cases:
        lines += [
            "",
            _("Demonstração: nada chega a uma prefeitura. O que experimentar:"),
            f"{addresses.portal}/demonstracao",
        ]
    for subject, some in groupby(cases, lambda case: case.subject):
        lines += ["", subject_name(subject, _)]
        for case in some:
            lines.append(f"  {case_title(case, _)}")
            if case.login:
                access = {"login": case.login, "password": case.password}
                lines.append("      " + _("entra com %(login)s, senha %(password)s") % access)
            else:
                lines.append(f"      {addresses.portal}{case_address(case)}   {case_bot_phrase(case)}")
    if cases and (loaded_on := cases[0].loaded_on) and loaded_on != clock.now().date().isoformat():
        day = _.date(date.fromisoformat(loaded_on))
        lines += [
            "",
            _("As datas dos casos partem de %(day)s. Para recomeçar hoje, apague a pasta .portal.")
            % {"day": day},
        ]
    return "\n".join([*lines, "", _("Ctrl-C encerra tudo.")])
