"""Migrations: bring a database up to date, and write the next step of its history."""

import click


@click.command()
@click.option("--to", "revision", default="head", show_default=True, help="The revision to reach.")
def migrate(revision: str) -> None:
    """Bring the database up to the newest tables."""
    from portal.services.schema import migrate_database

    migrate_database(revision)
    click.echo("O banco de dados está em dia.")


@click.command()
@click.argument("message")
def revision(message: str) -> None:
    """Write the migration that leads to the tables as the code has them (for developers)."""
    from portal.services.schema import write_revision

    click.echo(write_revision(message))
