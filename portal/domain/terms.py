"""From when until when a permit runs, by the kind of term that its instrument sets."""

from datetime import date, timedelta
from typing import NamedTuple

from portal.domain.deadlines import IsHoliday, add_days, add_months
from portal.domain.permits import EventKind, Permit
from portal.domain.rules import BarKind, Renewal, RevocationBar, Term, TermKind, issued_on


class Span(NamedTuple):
    """Both days belong to the time in which the permit may be used."""

    valid_from: date | None
    """None while nothing was issued: the permit is only asked for."""
    valid_until: date | None
    """None where the text states no term: only the paper's own date ends the permit."""

    def covers(self, day: date) -> bool:
        return (
            self.valid_from is not None
            and self.valid_from <= day
            and (self.valid_until is None or day <= self.valid_until)
        )


def span(term: Term, permit: Permit) -> Span:
    """The first and the last day of ``permit`` under ``term``, whatever its paper prints.

    A permit never runs before its act was issued. Its last day may lie before its first: a permit
    for a year that was over when the act was issued never runs at all.
    """
    payment = permit.first(EventKind.PAYMENT)
    return span_from(term, issued=issued_on(permit), paid=payment.on if payment else None, year=permit.year)


def span_from(term: Term, *, issued: date | None, paid: date | None = None, year: int | None = None) -> Span:
    """As `span`, from the three things a term may depend on.

    Args:
        issued: the day of the act; None while there is none.
        paid: the day on which the fees were paid. Where it is unknown the day of issue stands for it,
            since the act is only issued once they are.
        year: the calendar year the permit is for; the year of issue, or of payment, when it is not stated.
    """
    match term.kind:
        case TermKind.CALENDAR_YEAR:
            if year is None:
                if issued is None:
                    return Span(None, None)
                year = issued.year
            valid_from = max(date(year, 1, 1), issued) if issued else None
            return Span(valid_from, date(year, 12, 31) + timedelta(term.grace_days))
        case TermKind.UNTIL_YEAR_END_FROM_PAYMENT:
            start = paid or issued
            if start is None or issued is None:
                return Span(None, None)
            # Fees paid in December for the coming year: the year the permit is for then begins in January.
            ends = max(year or start.year, start.year)
            return Span(max(start, issued, date(ends, 1, 1)), date(ends, 12, 31) + timedelta(term.grace_days))
        case TermKind.MONTHS_FROM_ISSUE:
            if issued is None:
                return Span(None, None)
            assert term.months is not None  # the schema asks for it
            return Span(issued, add_months(issued, term.months) + timedelta(term.grace_days))
        case TermKind.NONE_IN_TEXT:
            return Span(issued, None)


def renewal_due(renewal: Renewal, valid_until: date, is_holiday: IsHoliday) -> date | None:
    """The last day on which a renewal is asked for in time; None where the text sets none.

    "At least 15 business days before" leaves 15 whole business days between the request and the last day.
    """
    if renewal.window_until is not None:
        month, day = renewal.window_until
        return date(valid_until.year, month, day)
    if renewal.days is None:
        return None
    return add_days(valid_until, -renewal.days, renewal.counted_in, is_holiday)


def renewal_is_over(term: Term, valid_until: date, on: date) -> bool:
    """Whether a renewal still undecided on a day asked for a time that is over by then.

    A permit for a calendar year is renewed for the next one. Months would only begin with the act, whenever it comes.
    """
    of_a_year = term.kind in (TermKind.CALENDAR_YEAR, TermKind.UNTIL_YEAR_END_FROM_PAYMENT)
    return of_a_year and on > date(valid_until.year + 1, 12, 31)


def barred_until(bar: RevocationBar, *, revoked_on: date, permit_year: int | None) -> date | None:
    """The last day on which the holder of a revoked permit may not come back; None where the text sets none."""
    match bar.kind:
        case BarKind.SAME_CALENDAR_YEAR:
            return date(permit_year or revoked_on.year, 12, 31)
        case BarKind.MONTHS:
            assert bar.months is not None  # the schema asks for it
            return add_months(revoked_on, bar.months)
        case BarKind.NONE_IN_TEXT:
            return None
