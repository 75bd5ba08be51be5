"""What can go wrong for a person. An error carries data, never prose: ``portal.wording.problems`` says it."""

from dataclasses import dataclass


class PortalError(Exception):
    """Anything the person in front of the screen can be told about; ``code`` names it to machines."""

    code = "error"
    status = 422
    """The HTTP status with which a page, fragment or JSON answers."""


@dataclass(eq=False)  # equality would cost the hash that tracebacks need
class UnreadableQuery(PortalError):
    """Neither a plate nor a permit number; ``why`` is ``length``, ``foreign``, ``empty`` or ``unreadable``."""

    query: str
    why: str = "unreadable"
    code = "unreadable_query"


@dataclass(eq=False)
class UnreadableDate(PortalError):
    text: str
    code = "unreadable_date"


@dataclass(eq=False)
class DateOutOfReach(PortalError):
    """The public ``on`` reaches back twelve months, and not into the future beyond the next calendar year."""

    text: str
    code = "date_out_of_reach"


@dataclass(eq=False)
class UnknownMunicipality(PortalError):
    slug: str
    code = "unknown_municipality"
    status = 404


@dataclass(eq=False)
class NothingHere(PortalError):
    """An itinerary, stop or case that does not exist, or that this person may not see."""

    what: str
    code = "not_found"
    status = 404


@dataclass(eq=False)
class UnreadablePosition(PortalError):
    """No pair of degrees that can be a place: words, out of range, or the 0/0 of a device that knows none."""

    text: str
    code = "unreadable_position"


@dataclass(eq=False)
class ImportOvertaken(PortalError):
    """Another import of the same feed began while this one was being staged."""

    run: int
    code = "import_overtaken"
    status = 409
