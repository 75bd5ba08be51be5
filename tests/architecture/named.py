"""Tests that a document names."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]


def stands(file: str, *names: str) -> bool:
    """Whether a file of tests has the class and function of these names; a class has its bases' functions too."""
    path = ROOT / file
    tree = ast.parse(path.read_text()) if path.is_file() else ast.Module([], [])
    body = tree.body
    for name in names:
        found = [one for one in body if getattr(one, "name", None) == name]
        if not found:
            return False
        body = list(getattr(found[0], "body", []))
        for base in getattr(found[0], "bases", []):
            body += [
                one
                for known in tree.body
                if getattr(known, "name", None) == getattr(base, "id", None)
                for one in getattr(known, "body", [])
            ]
    return bool(body)
