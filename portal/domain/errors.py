"""What can go wrong for a person. An error carries data, never prose: ``portal.wording.problems`` says it."""

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from portal.domain.itineraries import SourceProblem

from portal.domain.evidence import EvidenceKind
from portal.domain.registers import RowProblem


class PortalError(Exception):
    """Anything the person in front of the screen can be told about; ``code`` names it to machines."""

    code = "error"
    status = 422
    """The HTTP status with which a page, fragment or JSON answers."""


# Asking about a vehicle, a day, a town or a place


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
class UnreadableTime(PortalError):
    """No time of day such as 22:00."""

    text: str
    code = "unreadable_time"


@dataclass(eq=False)
class UnknownStop(PortalError):
    """A look-up names a stop that the town does not have."""

    stop: str
    code = "unknown_stop"


@dataclass(eq=False)
class UnknownService(PortalError):
    """A look-up names a kind of service that nobody regulates; ``known`` are all."""

    given: str
    known: tuple[str, ...]
    code = "unknown_service"


@dataclass(eq=False)
class UnreadablePosition(PortalError):
    """No pair of degrees that can be a place: words, out of range, or the 0/0 of a device that knows none."""

    text: str
    code = "unreadable_position"


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


class CardUnknown(PortalError):
    """The code of a card that nobody here signed, or of which nothing is kept: not a word of it is told."""

    code = "card_unknown"
    status = 404


@dataclass(eq=False)
class CodeElsewhere(PortalError):
    """A scanned code leads to another address than this portal's; ``host`` is whose."""

    host: str
    code = "code_elsewhere"


class CodeNotSeen(PortalError):
    """In the photo that was sent there is no code that can be read."""

    code = "code_not_seen"


class ReceiptUnknown(PortalError):
    """The code of a proof that this portal never gave, or that was changed on the way."""

    code = "receipt_unknown"
    status = 404


# Asking the law


@dataclass(eq=False)
class UnknownInstrument(PortalError):
    """No legal instrument of the catalogue has this identifier; ``known`` are all."""

    given: str
    known: tuple[str, ...]
    code = "unknown_instrument"
    status = 404


@dataclass(eq=False)
class UnknownTerm(PortalError):
    """``kind``: ``infraction``, ``permit_type``, ``matter``, ``vehicle_type``, ``deadline``, ``requirement`` or
    ``category``; ``known`` are those of the instrument asked."""

    kind: str
    given: str
    known: tuple[str, ...]
    code = "unknown_term"
    status = 404


@dataclass(eq=False)
class UnreadableYear(PortalError):
    text: str
    code = "unreadable_year"


@dataclass(eq=False)
class ParameterMissing(PortalError):
    """An address was asked without something that it cannot do without."""

    name: str
    code = "parameter_missing"


# Writing a complaint


@dataclass(eq=False)
class AnswerMissing(PortalError):
    """A question of the complaint was sent on without an answer; ``question`` is its id."""

    question: str
    code = "answer_missing"


@dataclass(eq=False)
class UnknownOption(PortalError):
    """An answer that is none of those offered."""

    question: str
    option: str
    code = "unknown_option"


@dataclass(eq=False)
class TextTooLong(PortalError):
    """Lengths in characters; ``length`` is None when the text was too big to be read at all."""

    length: int | None
    limit: int
    code = "text_too_long"


@dataclass(eq=False)
class UnreadableMoment(PortalError):
    text: str
    code = "unreadable_moment"


@dataclass(eq=False)
class MomentInFuture(PortalError):
    text: str
    code = "moment_in_future"


@dataclass(eq=False)
class FileRefused(PortalError):
    """``why``: ``empty``, ``too_large``, ``unreadable``, ``not_taken``, ``too_many_pixels``, ``too_heavy``, ``heic``,
    ``pdf_locked``, ``too_many_pages``, ``no_key``, ``none``, ``too_many``, ``not_sent``, ``not_kept``."""

    name: str
    why: str
    limit: int | None = None
    """Megabytes for ``too_large``, pages for ``too_many_pages``, files for ``too_many``."""
    kind: EvidenceKind | None = None
    """For ``too_large``: whose limit it is."""
    code = "file_refused"


@dataclass(eq=False)
class FilesAway(PortalError):
    """The store of files does not answer, is full, or refuses us; everything else goes on."""

    why: str
    """For the log: the kind of failure, such as ``ENOSPC``."""
    code = "files_away"
    status = 503


class UploadLinkSpent(PortalError):
    """The link of a chat that lets one file be sent by the browser was used, is too old, or never was."""

    code = "upload_link_spent"
    status = 410


class IdentityMissing(PortalError):
    """Neither a name nor a contact, though the person chose not to be anonymous."""

    code = "identity_missing"


@dataclass(eq=False)
class UnreadableEmail(PortalError):
    text: str
    code = "unreadable_email"


@dataclass(eq=False)
class IdentityNotTaken(PortalError):
    """The municipality's ombudsman has no key to seal an identity to."""

    municipality: str
    code = "identity_not_taken"


class DraftGone(PortalError):
    """No draft of this token: it was filed, thrown away or has expired."""

    code = "draft_gone"
    status = 410


class FormExpired(PortalError):
    """The page stood open longer than its form lives, or its cookie was deleted; nothing typed is lost."""

    code = "form_expired"


# Following a complaint


@dataclass(eq=False)
class WrongPair(PortalError):
    """Protocol and key do not belong together, or there is no such protocol: nobody is told which."""

    wait: int = 0
    """Seconds asked of whoever tries on, after several wrong pairs for one protocol."""
    code = "wrong_pair"

    @property
    def status(self) -> int:  # type: ignore[override]  # a constant of the class for every other error
        return 429 if self.wait else 422


class TicketExpired(PortalError):
    """The case was opened too long ago in this browser or chat: protocol and key are asked again."""

    code = "ticket_expired"
    status = 403


class EmptyMessage(PortalError):
    code = "empty_message"


@dataclass(eq=False)
class StepNotAllowed(PortalError):
    """A complaint cannot go from one state to the other."""

    current: str
    wanted: str
    code = "step_not_allowed"
    status = 409


@dataclass(eq=False)
class StepIncomplete(PortalError):
    """A step was asked for without what it needs: ``missing`` are values of ``lifecycle.Need``."""

    move: str
    missing: tuple[str, ...]
    code = "step_incomplete"


# Answering at the desk


class NotAllowed(PortalError):
    """The staff member's role does not do this."""

    code = "not_allowed"
    status = 403


class ReasonMissing(PortalError):
    """What needs a stated reason was asked for without one."""

    code = "reason_missing"


class UnitMissing(PortalError):
    """Forwarded, but to whom is not said."""

    code = "unit_missing"


class CaseChanged(PortalError):
    """Somebody else went on with the complaint since the page was read: nothing of theirs is overwritten."""

    code = "case_changed"
    status = 409


class StoodBack(PortalError):
    """Who recused themselves from a complaint takes no further step in it."""

    code = "stood_back"
    status = 403


class GroundMissing(PortalError):
    """Dismissed, but on which legal ground is not said."""

    code = "ground_missing"


@dataclass(eq=False)
class CannotMerge(PortalError):
    """``why``: ``unknown``, ``itself``, ``ended``, ``merged`` (the other one is merged itself), ``leads`` (others are
    merged into this one) or ``other`` (not merged into the one that is answered)."""

    why: str
    code = "cannot_merge"


@dataclass(eq=False)
class ReportRefused(PortalError):
    """A yearly report: ``why`` ``published`` already, ``running`` as its year is not over, ``words`` are missing."""

    why: str
    code = "report_refused"
    status = 409


class ColleagueMissing(PortalError):
    """Handed over, but to nobody who could take it."""

    code = "colleague_missing"


@dataclass(eq=False)
class ExtensionRefused(PortalError):
    """``why``: ``extended`` already once, ``over`` as the due date has passed, ``stopped`` as none is owed, or
    ``capped``: a unit gets no time beyond the complaint's own due date."""

    why: str
    code = "extension_refused"
    status = 409


@dataclass(eq=False)
class IdentityNotHere(PortalError):
    """``why``: ``anonymous``, or ``key`` when no key of this desk opens it."""

    why: str
    code = "identity_not_here"
    status = 409


@dataclass(eq=False)
class ConsentMissing(PortalError):
    """``state`` of the request: ``asked`` as nobody has answered, ``refused``, or ``told`` as it was used up."""

    state: str
    code = "consent_missing"
    status = 409


class RecipientMissing(PortalError):
    """To whom an identity is to be told is not said."""

    code = "recipient_missing"


class OrderNumberMissing(PortalError):
    """An identity is to be told by order of a court, without the order's number."""

    code = "order_number_missing"


@dataclass(eq=False)
class LoginTaken(PortalError):
    login: str
    code = "login_taken"


@dataclass(eq=False)
class PasswordTooShort(PortalError):
    characters: int
    """The fewest that are accepted."""
    code = "password_too_short"


# Keeping the register


@dataclass(eq=False)
class NoSuchPermit(PortalError):
    number: str
    code = "no_such_permit"
    status = 404


@dataclass(eq=False)
class CardRefused(PortalError):
    """``why``: ``no_layout`` as no text in force says that one is displayed, ``no_key``, ``not_in_force``,
    ``which_vehicle`` as each has its own, ``ended`` already, ``no_such_card``."""

    why: str
    code = "card_refused"
    status = 409


@dataclass(eq=False)
class SeveralPermits(PortalError):
    """More than one permit bears this number; ``choices`` are their services, types and years."""

    number: str
    choices: tuple[str, ...]
    code = "several_permits"
    status = 409


@dataclass(eq=False)
class PermitRefused(PortalError):
    """A permit that was typed cannot be taken: every fault, by column, and the permit that is there already."""

    problems: tuple[RowProblem, ...]
    exists: int | None = None
    code = "permit_refused"

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(problem.column or "" for problem in self.problems)


@dataclass(eq=False)
class ActRefused(PortalError):
    """An act that a permit cannot have. ``field`` is the box of the form at fault; ``day`` the day it is about.

    ``why``: ``in_future``, ``far``, ``no_day``, ``not_a_day``, ``not_a_number``, ``unknown_act``,
    ``act_in_future``, ``no_end``, ``ends_before_start``, ``whole_only``, ``no_such_unit``, ``twice``,
    ``issued_already``, ``before_issue``, ``nothing_suspended``, ``long_act_number``, ``no_act_number``,
    ``personal_number``, ``not_a_plate``, ``plate_here``, ``last_unit``, ``no_vehicle``,
    ``gone`` (the act was taken back meanwhile).
    """

    why: str
    field: str
    day: date | None = None
    text: str = ""
    limit: int | None = None
    code = "act_refused"


@dataclass(eq=False)
class PublicationRefused(PortalError):
    """``why``: ``rows`` (some were refused, and leaving them out was not asked for), ``gone`` (published, thrown
    away or undone meanwhile), ``nothing`` (no publication can be undone), ``empty`` (no permit was read),
    ``busy`` (another file of the town is being published or undone)."""

    why: str
    code = "publication_refused"
    status = 409


# Bringing a feed in


@dataclass(eq=False)
class EntryRefused(PortalError):
    """A row of stops, itineraries or departures that the checks of a file refuse; nothing of it is shown."""

    sheet: str
    entry: int
    problems: "tuple[SourceProblem, ...]"
    """Those whose line is ``entry`` are of this row, others of rows that refer to it."""
    code = "entry_refused"


@dataclass(eq=False)
class ListKeptElsewhere(PortalError):
    """A list that comes from a feed or is boarded by application alone: no form changes it."""

    kind: str
    source: str
    code = "list_kept_elsewhere"
    status = 409


@dataclass(eq=False)
class ImportOvertaken(PortalError):
    """Another import of the same feed began while this one was being staged."""

    run: int
    code = "import_overtaken"
    status = 409
