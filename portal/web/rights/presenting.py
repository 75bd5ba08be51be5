"""From an instrument as it stands to what the page lists."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from portal.i18n import Translator
from portal.regulations.schema import Requirement, RequirementKind
from portal.services.verdicts.rule_answers import (
    CategoryTold,
    GroupTold,
    InfractionTold,
    InstrumentTold,
    PenaltyTold,
    RepeatTold,
)
from portal.wording.categories import category_label


@lru_cache(maxsize=2048)
def anchor_of(article: str) -> str:
    """Where an article stands on the page: ``art. 11, § 1º`` is ``art-11-p-1``."""
    plain = unicodedata.normalize("NFKD", article.replace("º", "").replace("ª", "").replace("§", " p "))
    return re.sub(r"[^a-z0-9]+", "-", plain.encode("ascii", "ignore").decode().lower()).strip("-")


class Anchors:
    """Gives each article's name to the first row that cites it: an id may stand once on a page."""

    def __init__(self) -> None:
        self._claimed: set[str] = set()

    def claim(self, article: str) -> str:
        name = anchor_of(article)
        if name in self._claimed:
            return ""
        self._claimed.add(name)
        return name


@dataclass(frozen=True, slots=True)
class RowShown:
    told: InfractionTold
    penalties: tuple[PenaltyTold, ...]
    """Only where they differ from those of the group."""
    repeat: RepeatTold | None
    """Only where it differs too."""
    silent: bool
    """The text says nothing of a repetition, though it does of the rest of the group."""
    labels: tuple[str, ...]
    """The kinds of complaint it belongs to, in everyday words."""


@dataclass(frozen=True, slots=True)
class GroupShown:
    group: GroupTold
    rows: tuple[RowShown, ...]


MOST_LABELS = 5
"""A row that punishes nearly everything would list every kind of complaint and tell nothing."""


def groups_shown(law: InstrumentTold, kinds: Iterable[CategoryTold], _: Translator) -> list[GroupShown]:
    """The infractions by group, so that a penalty common to a group is said once."""
    labels: dict[str, list[str]] = {}
    for kind in kinds:
        for row in kind.infractions:
            labels.setdefault(row.code, []).append(category_label(kind.category, _))
    shown = []
    for group in law.groups:
        rows = [
            RowShown(
                row,
                penalties=row.penalties if row.penalties != group.penalties else (),
                repeat=row.repeat if row.repeat != group.repeat else None,
                silent=row.repeat is None and group.repeat is not None,
                labels=tuple(labels.get(row.code, ()))
                if len(labels.get(row.code, ())) <= MOST_LABELS
                else (),
            )
            for row in law.infractions
            if row.group == group.id
        ]
        if rows:
            shown.append(GroupShown(group, tuple(rows)))
    return shown


def requirements_shown(law: InstrumentTold) -> list[tuple[RequirementKind, list[Requirement]]]:
    """What the text asks for beyond the checklist, by kind; the application comes with the permit."""
    return [
        (kind, rows)
        for kind in RequirementKind
        if kind is not RequirementKind.APPLICATION
        and (rows := [row for row in law.requirements if row.kind is kind and not row.check])
    ]
