"""What a desk does with complaints: list by due date, read, answer and the steps between.

Every function takes the staff member and sees that person's municipality alone: another one's complaint does
not exist here. Each step checks the role, leaves an event that the citizen reads and an entry in the audit chain.
"""

from portal.services.casework.actions import Action
from portal.services.casework.alarms import DESK_MAIL, Alarm, alarms_now, desk_address, raise_alarms
from portal.services.casework.answering import (
    answer_case,
    ask_citizen,
    close_case,
    colleagues_of,
    dismiss_case,
    grounds_of,
    merge_case,
    recuse,
    start_review,
)
from portal.services.casework.counter import CHANNELS, Taken, read_answers, take_complaint
from portal.services.casework.evidence import evidence_of_case
from portal.services.casework.extending import extend_deadline
from portal.services.casework.identity import open_identity, told_identity
from portal.services.casework.inbox import (
    PAGE,
    CaseLine,
    CasePage,
    Filters,
    Show,
    categories_here,
    list_cases,
)
from portal.services.casework.presence import Colleague, colleague_at, note_visit
from portal.services.casework.reading import (
    CaseAct,
    CaseEvent,
    CaseFile,
    CaseMessage,
    CaseTold,
    Similar,
    cases_of_year,
    merge_candidates,
    prepare_forwarding,
    read_case,
    vehicle_told,
)
from portal.services.casework.reports import (
    PARTS,
    WORDS_LIMIT,
    YearlyReport,
    public_report,
    public_years,
    publish_report,
    read_report,
    write_report,
)
from portal.services.casework.statistics import Statistics, Table, statistics_of
from portal.services.casework.steps import ANSWER_LIMIT, REASON_LIMIT, Seen
from portal.services.casework.units import (
    COPY_LIMIT,
    UNIT_LIMIT,
    UnitRequest,
    extend_unit,
    forward_case,
    record_reply,
)

__all__ = (
    "ANSWER_LIMIT",
    "CHANNELS",
    "COPY_LIMIT",
    "DESK_MAIL",
    "PAGE",
    "PARTS",
    "REASON_LIMIT",
    "UNIT_LIMIT",
    "WORDS_LIMIT",
    "Action",
    "Alarm",
    "CaseAct",
    "CaseEvent",
    "CaseFile",
    "CaseLine",
    "CaseMessage",
    "CasePage",
    "CaseTold",
    "Colleague",
    "Filters",
    "Seen",
    "Show",
    "Similar",
    "Statistics",
    "Table",
    "Taken",
    "UnitRequest",
    "YearlyReport",
    "alarms_now",
    "answer_case",
    "ask_citizen",
    "cases_of_year",
    "categories_here",
    "close_case",
    "colleague_at",
    "colleagues_of",
    "desk_address",
    "dismiss_case",
    "evidence_of_case",
    "extend_deadline",
    "extend_unit",
    "forward_case",
    "grounds_of",
    "list_cases",
    "merge_candidates",
    "merge_case",
    "note_visit",
    "open_identity",
    "prepare_forwarding",
    "public_report",
    "public_years",
    "publish_report",
    "raise_alarms",
    "read_answers",
    "read_case",
    "read_report",
    "record_reply",
    "recuse",
    "start_review",
    "statistics_of",
    "take_complaint",
    "told_identity",
    "vehicle_told",
    "write_report",
)
