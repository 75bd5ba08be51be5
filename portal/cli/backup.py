"""``portal backup`` and ``portal restore``: everything put aside while it runs, and brought back."""

import os
from pathlib import Path

import click

from portal import clock
from portal.config import state_folder
from portal.domain.errors import FilesAway
from portal.i18n import Translator, negotiate, translator
from portal.services import backups
from portal.services.backups import CopyRefused, Manifest, NoBackup, WouldReplace


@click.command()
@click.argument("target", type=click.Path(path_type=Path))
@click.option(
    "--keys", is_flag=True, help="Put the secrets in too: whoever has the backup then reads everything."
)
def backup(target: Path, keys: bool) -> None:
    """Put database and files aside in a new folder TARGET, or in one file when it ends in .tar, and read it through."""
    _ = _translator()
    try:
        made = backups.make_backup(target, now=clock.now(), keys_from=state_folder() if keys else None)
    except FileExistsError:
        raise click.ClickException(
            _("%(path)s já existe e não é apagado: dê outro nome.") % {"path": target}
        ) from None
    except (NoBackup, CopyRefused) as failed:
        raise click.ClickException(_("A cópia não deu certo: %(why)s") % {"why": failed}) from None
    except FilesAway as away:
        raise click.ClickException(
            _("Os arquivos não estão ao alcance: %(why)s") % {"why": away.why}
        ) from None
    click.echo(_("Cópia feita e relida: %(path)s") % {"path": target})
    click.echo(_holds(made, _))
    if made.keys:
        click.echo(_("As chaves estão nela: quem a tiver lê tudo. Guarde-a fechada."))
    else:
        click.echo(
            _(
                "As chaves NÃO estão nela. Sem elas as identidades não se abrem e ninguém entra com a chave de acesso: "
                "guarde-as à parte (--keys as inclui)."
            )
        )
    if made.lost:
        click.echo(
            _("Faltam no armazenamento, embora o banco os cite:") + " " + ", ".join(made.lost), err=True
        )
        raise SystemExit(1)


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.option(
    "--replace", is_flag=True, help="Replace what the database holds; otherwise only an empty one is filled."
)
@click.option("--check", is_flag=True, help="Only read the backup through.")
def restore(source: Path, replace: bool, check: bool) -> None:
    """Bring the backup SOURCE back into the database and the files of the settings, also while they are in use."""
    _ = _translator()
    try:
        with backups.opened(source) as folder:
            told = backups.read_backup(folder) if check else backups.restore_backup(folder, replace=replace)
    except NoBackup as wrong:
        raise click.ClickException(_("Não é uma cópia inteira: %(why)s") % {"why": wrong}) from None
    except WouldReplace:
        raise click.ClickException(
            _("O banco de dados não está vazio, e nada foi mudado. Para pôr a cópia no lugar dele: --replace")
        ) from None
    except CopyRefused as failed:
        raise click.ClickException(
            _("Nada foi mudado no banco de dados: %(why)s") % {"why": failed}
        ) from None
    except FilesAway as away:
        raise click.ClickException(
            _("Os arquivos não estão ao alcance: %(why)s") % {"why": away.why}
        ) from None
    click.echo(_("Cópia inteira.") if check else _("Cópia de volta: banco de dados e arquivos."))
    click.echo(_holds(told, _))
    for what in backups.sealed_elsewhere(told):
        click.echo(_foreign(what, _), err=True)


def _holds(made: Manifest, _: Translator) -> str:
    return _("De %(moment)s: %(complaints)s manifestações, %(permits)s autorizações, %(files)s arquivos.") % {
        "moment": made.made_at[:16].replace("T", " ") + " UTC",
        "complaints": _.number(made.rows.get("complaints", 0)),
        "permits": _.number(made.rows.get("permits", 0)),
        "files": _.number(len(made.files)),
    }


def _foreign(what: str, _: Translator) -> str:
    match what:
        case "pepper":
            return _("Atenção: as chaves de acesso desta cópia foram guardadas com outro ACCESS_KEY_PEPPER.")
        case "notice":
            return _("Atenção: os avisos desta cópia foram lacrados com outra chave do processo worker.")
        case town:
            return _("Atenção: as identidades de %(town)s foram lacradas com outra chave.") % {"town": town}


def _translator() -> Translator:
    return translator(negotiate(os.environ.get("LC_ALL"), os.environ.get("LANG")))
