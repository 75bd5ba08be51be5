"""Who may enter which page of the desk: two tables, read before any view runs.

What a view shows is still checked by its service. A view that no line is about is the ombudsman's alone.
"""

from collections.abc import Mapping

from portal.domain.staff import Role

EVERYBODY = frozenset(Role)
OMBUDSMAN = frozenset({Role.OMBUDSMAN})
CLERK = frozenset({Role.CLERK})
READS_CASES = frozenset({Role.OMBUDSMAN, Role.INSPECTOR})
READS_REGISTER = frozenset({Role.OMBUDSMAN, Role.CLERK})
RUNS_SERVICE = frozenset({Role.OMBUDSMAN, Role.CLERK, Role.AUDITOR})
READS_LOG = frozenset({Role.OMBUDSMAN, Role.AUDITOR})

MAY_READ: Mapping[str, frozenset[Role]] = {
    "sign_in": EVERYBODY,
    "account": EVERYBODY,
    "cases.show_list": READS_CASES,
    "cases.show_case": READS_CASES,
    "cases.download_evidence": READS_CASES,
    "evidence.thumbnail": READS_CASES,
    "register": READS_REGISTER,
    "register.new_permit": CLERK,
    "publishing": READS_REGISTER,
    "timetables": READS_REGISTER,
    "log": READS_LOG,
    "state": RUNS_SERVICE,
    "reports": READS_LOG,
    "reports.cases_file": OMBUDSMAN,
}
"""GET, by view or by blueprint; the view's own line comes first."""

MAY_WRITE: Mapping[str, frozenset[Role]] = {
    "sign_in": EVERYBODY,
    "account": EVERYBODY,
    "register": CLERK,
    "permit_cards": CLERK,
    "publishing": CLERK,
    "timetables": CLERK,
}
"""POST."""

HOME: Mapping[Role, str] = {
    Role.OMBUDSMAN: "cases.show_list",
    Role.INSPECTOR: "cases.show_list",
    Role.CLERK: "register.find",
    Role.AUDITOR: "log.show",
}
"""Where each begins."""


def who_may(endpoint: str, method: str) -> frozenset[Role]:
    """The roles that a view is for."""
    table = MAY_READ if method in ("GET", "HEAD", "OPTIONS") else MAY_WRITE
    return table.get(endpoint) or table.get(endpoint.rpartition(".")[0]) or OMBUDSMAN
