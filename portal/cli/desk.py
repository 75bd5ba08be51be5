"""Staff of a desk."""

import secrets
from pathlib import Path

import click

from portal import clock
from portal.cli.problems import problems_said
from portal.domain.staff import Role
from portal.i18n import SOURCE, translator
from portal.regulations import catalogue
from portal.services import staff
from portal.services.audit import verify_chain
from portal.services.unit_of_work import unit_of_work


@click.group()
def desk() -> None:
    """Staff members and the audit log of each municipality's desk."""


@desk.command("add-user")
@click.option("--municipality", required=True, metavar="SLUG")
@click.option("--login", required=True)
@click.option("--name", help="As colleagues see it; the login by default.")
@click.option("--role", type=click.Choice([role.value for role in Role]), default=Role.OMBUDSMAN.value)
@click.option("--password-file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--generate-password", is_flag=True, help="Make one up and print it once.")
def add_user(
    municipality: str,
    login: str,
    name: str | None,
    role: str,
    password_file: Path | None,
    generate_password: bool,
) -> None:
    """Give a person a login; the password is asked for unless an option says otherwise."""
    password = _password(password_file, generate_password)
    with problems_said(translator(SOURCE)), unit_of_work(writes=True) as session:
        member = staff.add_staff(
            session,
            municipality=municipality,
            login=login,
            name=name or login,
            role=Role(role),
            password=password,
            now=clock.now(),
        )
    click.echo(f"{member.login} ({member.role}) may sign in to the desk of {member.municipality}.")
    if generate_password:
        click.echo(f"password: {password}")


@desk.command("set-password")
@click.option("--login", required=True)
@click.option("--password-file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--generate-password", is_flag=True, help="Make one up and print it once.")
def set_password(login: str, password_file: Path | None, generate_password: bool) -> None:
    """Change a password and sign that person out everywhere."""
    password = _password(password_file, generate_password)
    with problems_said(translator(SOURCE)), unit_of_work(writes=True) as session:
        member = staff.change_password(session, login, password, now=clock.now())
    if member is None:
        raise click.ClickException(f"nobody has the login {login}")
    if generate_password:
        click.echo(f"password: {password}")


@desk.command("verify-log")
@click.option("--municipality", metavar="SLUG", help="All of them by default.")
def verify_log(municipality: str | None) -> None:
    """Check the audit chain; exits 1 and names the entry at which it is broken."""
    slugs = [municipality] if municipality else [town.slug for town in catalogue.municipalities()]
    broken = False
    for slug in slugs:
        with unit_of_work() as session:
            entry = verify_chain(session, slug)
        broken = broken or entry is not None
        click.echo(f"{slug}: {'whole' if entry is None else f'broken at entry {entry}'}")
    if broken:
        raise SystemExit(1)


def _password(file: Path | None, generate: bool) -> str:
    if generate:
        return secrets.token_urlsafe(15)
    if file:
        return file.read_text().strip("\r\n")
    asked: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return asked
