"""Penalties, times and limits in words: the command line and the pages say them alike."""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal

from portal.i18n import Translator
from portal.regulations.penalties import PenaltyKind, Severity
from portal.regulations.tables import FiscalUnit, Words
from portal.services.verdicts.rule_answers import (
    AuthorityTold,
    DeadlineTold,
    PenaltyTold,
    RepeatTold,
    ValidityTold,
    VehicleAgeTold,
)

Units = Iterable[FiscalUnit]


def said(words: Words | None, _: Translator) -> str:
    """A folder's own sentence in the reader's language."""
    return words.said(_.language) if words else ""


def unit_name(unit: FiscalUnit, _: Translator) -> str:
    """What stands after the number: an abbreviation stays one, and the page explains it once."""
    return unit.id if unit.id.isupper() else said(unit.name, _)


def measure(value: Decimal, unit: str | None, units: Units, _: Translator) -> str:
    """A number with its unit, such as 60 VRM, R$ 100,00 or 10 dias úteis."""
    number, count = _.number(float(value)), int(value)
    match unit:
        case "BRL":
            return _.money(float(value))
        case "days":
            return _.ngettext("%(number)s dia", "%(number)s dias", count) % {"number": number}
        case "business_days":
            return _.ngettext("%(number)s dia útil", "%(number)s dias úteis", count) % {"number": number}
        case "months":
            return _.ngettext("%(number)s mês", "%(number)s meses", count) % {"number": number}
        case "years":
            return _.ngettext("%(number)s ano", "%(number)s anos", count) % {"number": number}
    found = next((one for one in units if one.id == unit), None)
    return f"{number} {unit_name(found, _) if found else unit or ''}".strip()


def penalty_sentence(penalty: PenaltyTold, units: Units, _: Translator) -> str:
    """One penalty, without a full stop: it stands in lists."""

    def told(value: Decimal | None) -> str:
        return measure(value, penalty.unit, units, _) if value is not None else ""

    gaps = {"amount": told(penalty.amount), "least": told(penalty.min), "most": told(penalty.at_most)}
    exact, ranged, capped = (
        penalty.amount is not None,
        penalty.min is not None,
        penalty.at_most is not None,
    )
    match penalty.kind:
        case PenaltyKind.FINE if exact:
            return _("multa de %(amount)s") % gaps
        case PenaltyKind.FINE if ranged:
            return _("multa de %(least)s a %(most)s") % gaps
        case PenaltyKind.FINE if capped:
            return _("multa de até %(most)s") % gaps
        case PenaltyKind.FINE:
            return _("multa, de valor que o texto não diz")
        case PenaltyKind.DAILY_FINE if exact:
            return _("multa de %(amount)s por dia") % gaps
        case PenaltyKind.DAILY_FINE if ranged:
            return _("multa de %(least)s a %(most)s por dia") % gaps
        case PenaltyKind.DAILY_FINE:
            return _("multa por dia")
        case PenaltyKind.SUSPENSION if exact:
            return _("suspensão por %(amount)s") % gaps
        case PenaltyKind.SUSPENSION if ranged:
            return _("suspensão de %(least)s a %(most)s") % gaps
        case PenaltyKind.SUSPENSION if capped:
            return _("suspensão por até %(most)s") % gaps
        case PenaltyKind.SUSPENSION:
            return _("suspensão")
        case PenaltyKind.WARNING:
            return _("advertência por escrito")
        case PenaltyKind.IMMEDIATE_SUSPENSION:
            return _("suspensão imediata do serviço")
        case PenaltyKind.REVOCATION:
            return _("cassação da autorização")
        case PenaltyKind.EXCLUSION:
            return _("exclusão do serviço")
        case PenaltyKind.BARRED_FROM_SERVICE:
            return _("proibição de trabalhar até resolver")
        case PenaltyKind.SEIZURE:
            return _("apreensão do veículo")
        case PenaltyKind.RETENTION:
            return _("retenção do veículo")
        case PenaltyKind.REMOVAL:
            return _("remoção do veículo")
        case PenaltyKind.OFF_THE_ROAD:
            return _("retirada do veículo de circulação")
        case PenaltyKind.CANCELLATION:
            return _("cancelamento do cadastro")


def repeat_sentence(repeat: RepeatTold, units: Units, _: Translator) -> str:
    """What a repetition brings, and within which time it is one."""
    due = "; ".join(penalty_sentence(one, units, _) for one in repeat.penalties)
    if repeat.window_months is None:
        return _("De novo (o texto não diz em quanto tempo): %(penalties)s.") % {"penalties": due}
    return _.ngettext(
        "De novo em %(months)s mês: %(penalties)s.",
        "De novo em até %(months)s meses: %(penalties)s.",
        repeat.window_months,
    ) % {"months": repeat.window_months, "penalties": due}


def severity_name(severity: Severity, _: Translator) -> str:
    match severity:
        case Severity.PRIMARY:
            return _("primária")
        case Severity.LIGHT:
            return _("leve")
        case Severity.MEDIUM:
            return _("média")
        case Severity.SERIOUS:
            return _("grave")
        case Severity.VERY_SERIOUS:
            return _("gravíssima")


def validity_sentence(told: ValidityTold, _: Translator) -> str:
    if told.valid_until is None:
        return _("O texto não fixa prazo: vale a data do próprio documento.")
    if told.valid_from is None or not told.ever_valid:
        return _("Nunca chega a valer: o prazo terminaria em %(until)s.") % {
            "until": _.date(told.valid_until)
        }
    return _("Vale de %(first)s a %(last)s, com o último dia incluído.") % {
        "first": _.date(told.valid_from),
        "last": _.date(told.valid_until),
    }


def authority_sentence(told: AuthorityTold, _: Translator) -> str:
    if told.name is None:
        return _("O texto não diz quem decide isso nesse dia.")
    return f"{told.name} ({told.short})" if told.short and told.short not in told.name else told.name


def vehicle_age_sentence(told: VehicleAgeTold, _: Translator) -> str:
    if told.max_age_years is None or told.last_day is None:
        return _("O texto não fixa idade máxima para este veículo.")
    gaps = {"day": _.date(told.last_day), "years": told.max_age_years}
    if told.allowed:
        return _("Pode rodar até %(day)s: o limite é de %(years)s anos.") % gaps
    return _("Passou da idade em %(day)s: o limite é de %(years)s anos.") % gaps


def deadline_sentence(told: DeadlineTold, _: Translator) -> str:
    if told.until is None:
        return _("O texto não fixa esse prazo.")
    return _("Até %(day)s, com o último dia incluído.") % {"day": _.date(told.until)}


def standing_sentences(
    *,
    bill: bool,
    in_force: bool,
    since: date | None,
    known_from: date | None,
    known_until: date | None,
    on: date,
    _: Translator,
) -> list[str]:
    """What everybody must know before reading on: a bill, not in force, past the known text."""
    if bill:
        return [_("Isto é um projeto de lei: não está em vigor e não autoriza nem pune ninguém.")]
    told = []
    if not in_force:
        told.append(
            _("Não estava em vigor em %(day)s.") % {"day": _.date(on)}
            if since is None
            else _("Não estava em vigor em %(day)s: vale desde %(since)s.")
            % {"day": _.date(on), "since": _.date(since)}
        )
    elif known_from is not None and on < known_from:
        told.append(
            _(
                "O texto que temos é o de %(day)s em diante. Para antes, valem as redações que ele traz ao lado."
            )
            % {"day": _.date(known_from)}
        )
    if known_until is not None and on > known_until:
        told.append(
            _(
                "Conhecemos o texto até %(day)s. O que mudou depois não sabemos: vale a última redação conhecida."
            )
            % {"day": _.date(known_until)}
        )
    return told
