"""Staff of a desk."""

import secrets
from pathlib import Path

import click

from portal import clock
from portal.cli.problems import problems_said
from portal.domain.staff import Role
from portal.i18n import SOURCE, translator
from portal.regulations import catalogue
from portal.services.people import audit, staff
from portal.services.people.anchors import read_anchors
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


@desk.command("reset")
@click.option("--login", required=True)
@click.option("--password-file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--generate-password", is_flag=True, help="Make one up and print it once.")
def reset(login: str, password_file: Path | None, generate_password: bool) -> None:
    """For a lost password or telephone: new password, no authenticator, signed out everywhere, no wait."""
    password = _password(password_file, generate_password)
    with problems_said(translator(SOURCE)), unit_of_work(writes=True) as session:
        member = staff.reset(session, login, password, now=clock.now())
    if member is None:
        raise _nobody(login)
    click.echo(f"{member.login} enrols an authenticator at the next sign-in, where the role asks for one.")
    if generate_password:
        click.echo(f"password: {password}")


@desk.command("list")
@click.option("--municipality", metavar="SLUG", help="All of them by default.")
def list_users(municipality: str | None) -> None:
    """Who has a login: town, login, role, and whether an authenticator is enrolled."""
    with unit_of_work() as session:
        lines = staff.list_staff(session, municipality)
    for line in lines:
        state = "authenticator" if line.has_authenticator else "password only"
        state = state if line.active else "disabled"
        click.echo(f"{line.member.municipality}\t{line.member.login}\t{line.member.role}\t{state}")


@desk.command("disable")
@click.option("--login", required=True)
def disable(login: str) -> None:
    """End a person's access at once; what they did stays in the log."""
    _set_allowed(login, False)


@desk.command("enable")
@click.option("--login", required=True)
def enable(login: str) -> None:
    """Give a disabled person the access back."""
    _set_allowed(login, True)


def _set_allowed(login: str, allowed: bool) -> None:
    with unit_of_work(writes=True) as session:
        member = staff.set_allowed(session, login, allowed, now=clock.now())
    if member is None:
        raise _nobody(login)
    click.echo(
        f"{member.login} {'may' if allowed else 'may no longer'} sign in to the desk of {member.municipality}."
    )


def _nobody(login: str) -> click.ClickException:
    return click.ClickException(f"nobody has the login {login}")


@desk.command("verify-log")
@click.option("--municipality", metavar="SLUG", help="All of them by default.")
@click.option(
    "--anchor",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="A file of anchors that was kept elsewhere, or the text of the letters that carried them.",
)
def verify_log(municipality: str | None, anchor: Path | None) -> None:
    """Prove that no entry was changed, cut or re-ordered; exits 1 and names the entry at which it was."""
    slugs = [municipality] if municipality else [town.slug for town in catalogue.municipalities()]
    anchors = read_anchors(anchor.read_text()) if anchor else ()
    broken = False
    for slug in slugs:
        with unit_of_work() as session:
            found = audit.verify_log(session, slug, anchors)
        broken = broken or not found.whole
        click.echo(f"{slug}: {_verified(found, sum(one.municipality == slug for one in anchors))}")
    if broken:
        raise SystemExit(1)


def _verified(found: audit.Verified, anchors: int) -> str:
    if found.broken_at is not None:
        return f"broken at entry {found.broken_at}"
    if found.missed_anchor is not None:
        return f"not the log that was anchored at entry {found.missed_anchor}"
    said = f"whole, {found.entries} entries"
    if anchors:
        said += f", {anchors} anchors agree"
    if found.unkeyed:
        said += f"; the first {found.unkeyed} are older than the log's key"
    return said


def _password(file: Path | None, generate: bool) -> str:
    if generate:
        return secrets.token_urlsafe(15)
    if file:
        return file.read_text().strip("\r\n")
    asked: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return asked
