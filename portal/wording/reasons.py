"""The statements behind a status and the notes beside it, each in words, with the article it rests on."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from portal.domain.verdicts import Reason
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.wording.citations import article_words


def permit_name(reason: Reason, _: Translator) -> str:
    """The other paper that a permit needs, as the municipality's folder calls it."""
    permits = catalogue.instrument(reason.instrument).permits if reason.instrument else ()
    return next((one.name.said(_.language) for one in permits if one.id == reason.data["need"]), "")


def reason_sentence(reason: Reason, _: Translator) -> str:
    """One statement behind a status, or a note beside it, in words."""
    gaps: dict[str, Any] = {
        name: _.date(value) if isinstance(value, date) else value for name, value in reason.data.items()
    }
    if "need" in reason.data:
        gaps["need"] = permit_name(reason, _)
    return _statement(reason.code, reason.data, _) % gaps


def _statement(code: str, data: Mapping[str, object], _: Translator) -> str:
    match code:
        case "valid":
            return _("Vale de %(start)s a %(until)s, o último dia incluído.")
        case "valid_without_term":
            return _("A norma não diz até quando a autorização vale.")
        case "not_yet_valid":
            return _("Só vale a partir de %(start)s.")
        case "only_requested":
            return _("Há um pedido em análise; a autorização ainda não foi emitida.")
        case "expired":
            return _("Venceu em %(until)s.")
        case "request_over":
            return _("O pedido era para até %(until)s; o cadastro não traz decisão, e esse tempo passou.")
        case "needs_other":
            return _("Também é preciso “%(need)s”, e não encontramos em vigor: um sem o outro não vale.")
        case "renewal_pending":
            return _(
                "Venceu em %(until)s. O pedido de renovação é de %(requested)s; até a decisão, não está em vigor."
            )
        case "barred":
            return _("Reprovado em vistoria em %(since)s: não pode trabalhar até ser aprovado.")
        case "unit_barred":
            return _("O veículo de placa %(plate)s foi reprovado em vistoria em %(since)s.")
        case "suspended_release":
            return _("Suspensa desde %(since)s. Só volta com nova liberação do órgão, mesmo depois do prazo.")
        case "suspended_course":
            return _("Suspensa desde %(since)s. Só volta depois do prazo e do curso exigido.")
        case "suspended_end_date" if data.get("until"):
            return _("Suspensa de %(since)s a %(until)s; volta a valer no dia seguinte.")
        case "suspended_end_date":
            return _("Suspensa desde %(since)s, sem data para terminar.")
        case "unit_suspended":
            return _("O veículo de placa %(plate)s está suspenso desde %(since)s.")
        case "cancelled":
            return _("Cancelada em %(since)s.")
        case "unit_cancelled":
            return _("A autorização do veículo de placa %(plate)s foi cancelada em %(since)s.")
        case "revoked":
            return _("Cassada em %(since)s.")
        case "revoked_bar":
            return _(
                "A mesma empresa teve a autorização %(number)s cassada em %(since)s: "
                "a norma não deixa que volte até %(until)s."
            )
        case "unit_revoked":
            return _("A autorização do veículo de placa %(plate)s foi cassada em %(since)s.")
        case "paper_and_law":
            return _(
                "O documento diz %(paper)s e a norma diz %(law)s: conta a data que vem primeiro, %(counts)s."
            )
        case "max_speed":
            return _("Nunca acima de %(kmh)s km/h.")
        case "of_a_person":
            return _("A autorização é da pessoa: confira o cartão ou o aplicativo.")
        case "not_in_force":
            return _(
                "Não há autorização em vigor. A autorização é da pessoa: confira o cartão ou o aplicativo."
            )
        case "bill":
            return _("Existe só um projeto de lei: ele não vale e não autoriza ninguém.")
        case "no_instrument":
            return _("Não conhecemos norma em vigor para este serviço.")
        case "check":
            return _.choose(data).replace("%", "%%")
    return _note(code, data, _)


def _note(code: str, data: Mapping[str, object], _: Translator) -> str:
    match code:
        case "look_alike":
            return _(
                "Havia letras de outro alfabeto ou sinais invisíveis no que foi escrito: lemos %(read)s."
            )
        case "read_as":
            return _("Lemos letra no lugar de número, ou o contrário: %(read)s. Confira.")
        case "twin":
            return _(
                "A lista traz a placa %(listed)s. Ela e %(typed)s podem ser do mesmo veículo, "
                "antes e depois da troca de placas: confira."
            )
        case "both_forms":
            return _("Procuramos também %(twin)s, que seria a mesma placa antes ou depois da troca.")
        case "outside_permit":
            return _("A placa %(plate)s não está na autorização %(number)s.")
        case "left_permit":
            return _("A placa %(plate)s saiu da autorização %(number)s em %(on)s.")
        case "joins_permit":
            return _("A placa %(plate)s só entra na autorização %(number)s em %(on)s.")
        case "text_known_until":
            return _("Só conhecemos o texto da norma até %(until)s; depois disso ela pode ter mudado.")
        case "boards_here":
            return _("%(stop)s é ponto de embarque desta autorização.")
        case "no_route":
            return _("A lista não diz o roteiro desta autorização: não dá para conferir ponto e horário.")
        case "route_unknown":
            return _(
                "Não temos o roteiro %(itinerary)s desta autorização: não dá para conferir ponto e horário."
            )
        case "no_timetable":
            return _("Não há horário publicado.")
        case "timetable_over":
            return _("Os horários deste roteiro valiam até %(until)s: não dá para conferir a hora.")
        case "no_list":
            return _("Ainda não recebemos nenhuma lista de autorizações deste município.")
        case "list_late" if data.get("days"):
            return _("A lista “%(list)s” é de %(as_of)s: tem mais de %(days)s dias, o prazo da norma.")
        case "list_late":
            return _("A lista “%(list)s” é de %(as_of)s: já devia ter chegado uma mais nova.")
        case "list_lag" if data.get("days"):
            return _(
                "As empresas entregam a lista a cada %(days)s dias: um veículo em dia pode ainda não estar nela."
            )
        case "list_lag":
            return _(
                "As empresas informam os veículos até o %(business_day)sº dia útil do mês seguinte: "
                "um veículo em dia pode ainda não estar na lista."
            )
    raise KeyError(code)


def check_sentence(check: Reason, _: Translator) -> str:
    """Something to look at before getting in, as the municipality's folder words it."""
    return reason_sentence(check, _)


def citation(reason: Reason, _: Translator) -> str:
    """The article behind a statement, as people cite it; empty where nothing is cited."""
    if reason.instrument is None:
        return ""
    title = catalogue.instrument(reason.instrument).title
    return f"{title}, {article_words(reason.article, _)}" if reason.article else title
