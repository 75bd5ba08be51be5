"""The command line: one module a subject, listed here."""

import click

from portal.cli import desk, keys, rules, schema


@click.group()
def main() -> None:
    """Embarque Legal: verify, find where to board, be heard."""


main.add_command(desk.desk)
main.add_command(keys.keys)
main.add_command(rules.rules)
main.add_command(schema.migrate)
main.add_command(schema.revision)
