"""The rights page: rules of permits in whole sentences, and the names of what its sections list."""

import datetime as dt

from portal.domain.deadlines import AnswerTime
from portal.domain.permits import HolderKind
from portal.domain.rules import BarKind, DayKind, SuspensionEnd, TermKind
from portal.i18n import Translator
from portal.regulations.permit_types import (
    InspectionRule,
    MonthDay,
    PlatformListRule,
    RenewalRule,
    RevocationRule,
    SpeedRule,
    SuspensionRule,
    TermRule,
)
from portal.regulations.schema import AgeCount, Matter, RequirementKind, VehicleLimit


def term_sentence(term: TermRule, _: Translator) -> str:
    """How long a permit runs."""
    match term.kind:
        case TermKind.CALENDAR_YEAR:
            told = _("Vale de 1º de janeiro a 31 de dezembro do ano para o qual foi dada.")
        case TermKind.UNTIL_YEAR_END_FROM_PAYMENT:
            told = _("Vale do pagamento das taxas até 31 de dezembro do mesmo ano.")
        case TermKind.NONE_IN_TEXT:
            told = _("O texto não fixa prazo: vale a data do próprio documento.")
        case TermKind.MONTHS_FROM_ISSUE:
            months = term.months or 0
            if months % 12 == 0:
                told = _.ngettext(
                    "Vale por %(years)s ano desde a emissão.",
                    "Vale por %(years)s anos desde a emissão.",
                    months // 12,
                ) % {"years": months // 12}
            else:
                told = _.ngettext(
                    "Vale por %(months)s mês desde a emissão.",
                    "Vale por %(months)s meses desde a emissão.",
                    months,
                ) % {"months": months}
    if not term.grace_days:
        return told
    longer = _.ngettext(
        "Vencida, vale por mais %(days)s dia.", "Vencida, vale por mais %(days)s dias.", term.grace_days
    )
    return f"{told} {longer % {'days': term.grace_days}}"


def renewal_sentence(renewal: RenewalRule, _: Translator) -> str:
    if renewal.window_from and renewal.window_until:
        return _("O pedido é feito de %(first)s a %(last)s de cada ano.") % {
            "first": _day_of_year(renewal.window_from, _),
            "last": _day_of_year(renewal.window_until, _),
        }
    days = renewal.days_before or 0
    if renewal.counted_in is DayKind.BUSINESS:
        return _.ngettext(
            "A renovação é pedida ao menos %(days)s dia útil antes do vencimento.",
            "A renovação é pedida ao menos %(days)s dias úteis antes do vencimento.",
            days,
        ) % {"days": days}
    return _.ngettext(
        "A renovação é pedida ao menos %(days)s dia antes do vencimento.",
        "A renovação é pedida ao menos %(days)s dias antes do vencimento.",
        days,
    ) % {"days": days}


def _day_of_year(day: MonthDay, _: Translator) -> str:
    return _.day_of_year(dt.date(2000, day.month, day.day))


def suspension_sentence(suspension: SuspensionRule, _: Translator) -> str:
    """How a suspension ends, and how long it may last."""
    match suspension.ends_by:
        case SuspensionEnd.RELEASE:
            told = _("Suspensa, só volta com nova liberação do órgão.")
        case SuspensionEnd.END_DATE:
            told = _("Suspensa, volta a valer quando termina o prazo.")
        case SuspensionEnd.COURSE:
            told = _("Suspensa, volta depois do prazo e de um curso.")
    if suspension.max_days is None:
        return told
    if suspension.counted_in is DayKind.BUSINESS:
        most = _.ngettext(
            "A suspensão dura no máximo %(days)s dia útil.",
            "A suspensão dura no máximo %(days)s dias úteis.",
            suspension.max_days,
        )
    else:
        most = _.ngettext(
            "A suspensão dura no máximo %(days)s dia.",
            "A suspensão dura no máximo %(days)s dias.",
            suspension.max_days,
        )
    return f"{told} {most % {'days': suspension.max_days}}"


def revocation_sentence(revocation: RevocationRule, _: Translator) -> str:
    match revocation.bar:
        case BarKind.SAME_CALENDAR_YEAR:
            return _("Cassada, quem a tinha não volta a trabalhar no ano a que ela se referia.")
        case BarKind.NONE_IN_TEXT:
            return _("Pode ser cassada; o texto não diz por quanto tempo isso impede um novo pedido.")
        case BarKind.MONTHS:
            months = revocation.months or 0
            if months % 12:
                return _.ngettext(
                    "Cassada, só se pede outra depois de %(months)s mês.",
                    "Cassada, só se pede outra depois de %(months)s meses.",
                    months,
                ) % {"months": months}
            years = months // 12
            return _.ngettext(
                "Cassada, só se pede outra depois de %(years)s ano.",
                "Cassada, só se pede outra depois de %(years)s anos.",
                years,
            ) % {"years": years}


def inspection_sentence(inspection: InspectionRule, _: Translator) -> str:
    told = _("Veículo reprovado na vistoria não trabalha.")
    if inspection.mend_days:
        more = _.ngettext(
            "Há %(days)s dia para regularizar.",
            "Há %(days)s dias para regularizar.",
            inspection.mend_days,
        )
        told = f"{told} {more % {'days': inspection.mend_days}}"
    return told


def platform_list_sentence(listing: PlatformListRule, _: Translator) -> str:
    if listing.every_days is not None:
        return _("A empresa do aplicativo entrega a lista de veículos a cada %(days)s dias.") % {
            "days": listing.every_days
        }
    return _(
        "A empresa do aplicativo informa os veículos que trabalharam no mês "
        "até o %(business_day)sº dia útil do mês seguinte."
    ) % {"business_day": listing.business_day_of_next_month}


def speed_sentence(speed: SpeedRule, _: Translator) -> str:
    return _("A velocidade nunca passa de %(kmh)s km/h.") % {"kmh": speed.kmh}


def holder_sentence(holder: HolderKind, _: Translator) -> str:
    if holder is HolderKind.COMPANY:
        return _("O titular é uma empresa.")
    return _("O titular é a pessoa que dirige: os dados dela não são públicos.")


def vehicle_limit_sentences(limit: VehicleLimit, _: Translator) -> list[str]:
    """Age, people, doors, air conditioning and inspections, each a sentence."""
    told = []
    if limit.max_age_years is not None:
        gaps = {"years": limit.max_age_years}
        if limit.age_counted_from is AgeCount.MODEL_YEAR:
            told.append(_("No máximo %(years)s anos, contados do ano modelo.") % gaps)
        else:
            told.append(_("No máximo %(years)s anos, contados do ano de fabricação.") % gaps)
    if limit.max_people is not None:
        told.append(_("No máximo %(people)s pessoas, com quem dirige.") % {"people": limit.max_people})
    if limit.max_seats is not None:
        told.append(_("No máximo %(seats)s lugares.") % {"seats": limit.max_seats})
    if limit.doors is not None:
        told.append(_("%(doors)s portas.") % {"doors": limit.doors})
    if limit.air_conditioning:
        told.append(_("Ar-condicionado."))
    if limit.inspection_every_months is not None:
        told.append(_("Vistoria a cada %(months)s meses.") % {"months": limit.inspection_every_months})
    if limit.inspection_every_months_once_older is not None:
        told.append(
            _("A partir de %(age)s anos, vistoria a cada %(months)s meses.")
            % {"age": limit.once_older_from_age, "months": limit.inspection_every_months_once_older}
        )
    return told


def vehicle_type_name(vehicle_type: str, _: Translator) -> str:
    """The types that texts tell apart; a type we do not know is a vehicle."""
    match vehicle_type:
        case "recreational":
            return _("Veículo recreativo")
        case "car":
            return _("Automóvel")
        case "bus":
            return _("Ônibus")
        case "minibus":
            return _("Micro-ônibus")
        case "utility":
            return _("Utilitário")
    return _("Veículo")


def requirement_heading(kind: RequirementKind, _: Translator) -> str:
    match kind:
        case RequirementKind.DISPLAY:
            return _("À vista no veículo")
        case RequirementKind.TICKET:
            return _("Ingresso e recibo")
        case RequirementKind.CAPACITY:
            return _("Lotação")
        case RequirementKind.SPEED:
            return _("Velocidade")
        case RequirementKind.BOARDING:
            return _("Embarque, roteiro e horário")
        case RequirementKind.VEHICLE:
            return _("O veículo")
        case RequirementKind.DRIVER:
            return _("Quem dirige")
        case RequirementKind.DOCUMENT:
            return _("Documentos")
        case RequirementKind.PLATFORM:
            return _("A empresa do aplicativo")
        case RequirementKind.APPLICATION:
            return _("O que o pedido de autorização exige")
        case RequirementKind.CONDUCT:
            return _("Durante a viagem")
        case RequirementKind.ACCESSIBILITY:
            return _("Acessibilidade")


def matter_name(matter: Matter, _: Translator) -> str:
    match matter:
        case Matter.LICENSING:
            return _("Dá a autorização")
        case Matter.INSPECTION:
            return _("Fiscaliza")
        case Matter.UNAUTHORISED_TRANSPORT:
            return _("Apura transporte sem autorização")
        case Matter.IMMEDIATE_PROCEDURE:
            return _("Abre o procedimento imediato")
        case Matter.VEHICLE_INSPECTION:
            return _("Faz a vistoria")
        case Matter.NOTIFICATION:
            return _("Notifica")
        case Matter.JUDGMENT:
            return _("Julga a defesa")
        case Matter.APPEAL:
            return _("Julga o recurso")
        case Matter.PLATFORM_LIST:
            return _("Recebe a lista das empresas")
        case Matter.LOST_PROPERTY:
            return _("Recebe aviso de objeto perdido")
        case Matter.SUGGESTIONS_AND_REPORTS:
            return _("Recebe sugestões e denúncias")
        case Matter.FEES:
            return _("Fixa as taxas")
        case Matter.TAXES:
            return _("Cobra os tributos")


def repetition_sentence(counts: str | None, _: Translator) -> str:
    """Which earlier infraction makes a repetition; nothing where the text does not say."""
    match counts:
        case "same_infraction":
            return _("Conta como repetição a mesma infração.")
        case "same_group":
            return _("Conta como repetição outra infração do mesmo grupo.")
        case "any_infraction":
            return _("Conta como repetição qualquer outra infração.")
    return ""


def answer_sentence(time: AnswerTime, _: Translator) -> str:
    """The ombudsman's own clock."""
    return _(
        "A ouvidoria responde em até %(days)s dias, que ela pode prorrogar uma vez por mais %(more)s, "
        "dizendo o motivo."
    ) % {"days": time.days, "more": time.extension_days}


def target_sentence(hours: int | None, _: Translator) -> str:
    if hours is None:
        return _("O texto não fixa quantas horas isso leva, e a prefeitura não anuncia meta própria.")
    return _.ngettext(
        "Meta da própria prefeitura, que nenhuma norma fixa: %(hours)s hora.",
        "Meta da própria prefeitura, que nenhuma norma fixa: %(hours)s horas.",
        hours,
    ) % {"hours": hours}
