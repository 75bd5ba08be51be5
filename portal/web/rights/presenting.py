"""From an instrument as it stands to what the page lists."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from portal.i18n import Translator
from portal.regulations.schema import Group, Requirement, RequirementKind
from portal.services.rule_answers import CategoryTold, InfractionTold, InstrumentTold, PenaltyTold, RepeatTold
from portal.wording.categories import category_label


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
    labels: tuple[str, ...]
    """The kinds of complaint it belongs to, in everyday words."""


@dataclass(frozen=True, slots=True)
class GroupShown:
    group: Group
    penalties: tuple[PenaltyTold, ...]
    """What most of its rows cost."""
    repeat: RepeatTold | None
    rows: tuple[RowShown, ...]


def groups_shown(law: InstrumentTold, kinds: Iterable[CategoryTold], _: Translator) -> list[GroupShown]:
    """The infractions by group, so that a penalty common to a group is said once."""
    labels: dict[str, list[str]] = {}
    for kind in kinds:
        for row in kind.infractions:
            labels.setdefault(row.code, []).append(category_label(kind.category, _))
    found = []
    for group in law.groups:
        rows = [row for row in law.infractions if row.group == group.id]
        if not rows:
            continue
        penalties = Counter(row.penalties for row in rows).most_common(1)[0][0]
        repeat = Counter(row.repeat for row in rows).most_common(1)[0][0]
        found.append(
            GroupShown(
                group,
                penalties,
                repeat,
                tuple(
                    RowShown(
                        row,
                        row.penalties if row.penalties != penalties else (),
                        row.repeat if row.repeat != repeat else None,
                        tuple(labels.get(row.code, ())),
                    )
                    for row in rows
                ),
            )
        )
    return found


def requirements_shown(law: InstrumentTold) -> list[tuple[RequirementKind, list[Requirement]]]:
    """What the text asks for beyond the checklist, by kind; the application comes with the permit."""
    return [
        (kind, rows)
        for kind in RequirementKind
        if kind is not RequirementKind.APPLICATION
        and (rows := [row for row in law.requirements if row.kind is kind and not row.check])
    ]
