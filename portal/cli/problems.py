"""What goes wrong, said at the command line as everywhere else."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import click

from portal.domain.errors import PortalError
from portal.i18n import Translator
from portal.wording.problems import problem_sentence


@contextmanager
def problems_said(_: Translator, *, as_json: bool = False) -> Iterator[None]:
    """Words on the standard error, or JSON on the output; either way the exit code is 1."""
    try:
        yield
    except PortalError as problem:
        sentence = problem_sentence(problem, _)
        if not as_json:
            raise click.ClickException(sentence) from problem
        body = {"error": {"code": problem.code, "message": sentence}}
        click.echo(json.dumps(body, ensure_ascii=False))
        raise SystemExit(1) from problem
