"""What a desk does with complaints: list by due date, read, answer and the steps between.

Every function takes the staff member and sees that person's municipality alone: another one's complaint does
not exist here. Each step checks the role, leaves an event that the citizen reads and an entry in the audit chain.
"""

from portal.services.casework.actions import Action
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
from portal.services.casework.evidence import evidence_of_case, open_sealed_file, thumbnail_of_case
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
from portal.services.casework.reading import (
    CaseAct,
    CaseEvent,
    CaseFile,
    CaseMessage,
    Similar,
    merge_candidates,
    prepare_forwarding,
    read_case,
)
from portal.services.casework.steps import ANSWER_LIMIT, REASON_LIMIT, Seen
from portal.services.casework.units import UnitRequest, extend_unit, forward_case, record_reply

__all__ = (
    "ANSWER_LIMIT", "PAGE", "REASON_LIMIT", "Action", "CaseAct", "CaseEvent", "CaseFile", "CaseLine", "CaseMessage",
    "CasePage", "Filters", "Seen", "Show", "Similar", "UnitRequest", "answer_case", "ask_citizen", "categories_here",
    "close_case", "colleagues_of", "dismiss_case", "evidence_of_case", "extend_deadline", "extend_unit", "forward_case",
    "grounds_of", "list_cases", "merge_candidates", "merge_case", "open_identity", "open_sealed_file",
    "prepare_forwarding", "read_case", "record_reply", "recuse", "start_review", "thumbnail_of_case", "told_identity",
)  # fmt: skip
