"""What the workshop hands back: a file made anew, or why there is none."""

from dataclasses import dataclass

from portal.domain.evidence import EvidenceKind


class Refusal(Exception):
    """A file that is not taken; ``why`` is one of ``FileRefused``."""

    def __init__(self, why: str, limit: int | None = None) -> None:
        super().__init__(why)
        self.why, self.limit = why, limit


class CannotClean(Exception):
    """A recording that plays, but whose metadata cannot all be taken out."""


@dataclass(frozen=True, slots=True)
class Made:
    """A file made anew. ``taken_at`` and ``position`` are what the old one said: for asking, not for keeping."""

    kind: EvidenceKind
    media_type: str
    data: bytes
    width: int = 0
    height: int = 0
    seconds: int | None = None
    taken_at: str | None = None
    """ISO 8601; without an offset it is the clock of the camera."""
    position: tuple[float, float] | None = None
    """Degrees north and east."""
    clean: bool = True
    """False for a recording whose metadata stays: only the ombudsman may have it."""
