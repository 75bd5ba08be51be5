"""What the import of a register says to the clerk: each refused row with its line, its column and the reason."""

import re
from datetime import date

from portal.domain.registers import RowProblem
from portal.domain.verdicts import Reason
from portal.i18n import Translator
from portal.wording.imports import common_reason, place_sentence


def row_problem_sentence(problem: RowProblem, _: Translator) -> str:
    """Where, and why, in words."""
    reason = problem_reason(problem, _)
    if not problem.file:  # typed, not read from a file
        return _("Campo %(field)s: %(reason)s") % {"field": problem.column, "reason": reason}
    return place_sentence(problem.file, problem.line, problem.column, reason, _)


def missing_sentence(count: int, _: Translator) -> str:
    """How many permits a list no longer names."""
    return _.ngettext(
        "%(num)s autorização do cadastro não está mais na lista.",
        "%(num)s autorizações do cadastro não estão mais na lista.",
        count,
    ) % {"num": _.number(count)}


def problem_reason(problem: RowProblem, _: Translator) -> str:
    if problem.code == "missing_column" and problem.column == "servico":
        return _("a planilha não diz o serviço de cada linha: escolha o serviço ao enviar.")
    if (common := common_reason(problem.code, problem.value, _)) is not None:
        return common
    value = {"value": problem.value or ""}
    match problem.code:
        case "other_format":
            return _("não é CSV nem XLSX: abra-o no programa de planilhas e salve como CSV ou XLSX.")
        case "formula":
            return _("há uma fórmula no lugar do texto.")
        case "no_header":
            return _("não achamos a linha com os nomes das colunas, como “placa” e “numero”.")
        case "too_long":
            return _("“%(value)s…” é comprido demais.") % value
        case "no_plate":
            return _("“%(value)s” não é uma placa.") % value
        case "no_permit_number":
            return _("“%(value)s” não serve de número: seria lido como placa, ou não tem algarismos.") % value
        case "personal_number":
            return _("há onze algarismos seguidos, que podem ser um CPF: não entram no cadastro.")
        case "name_left_out":
            return _("o nome traz onze algarismos, que podem ser um CPF: ficou de fora.")
        case "unknown_service":
            return _("“%(value)s” não é um serviço: recreativo, aplicativo ou turismo.") % value
        case "unknown_type":
            return _("nenhuma norma do município conhece o tipo de autorização “%(value)s”.") % value
        case "unknown_region":
            return _("“%(value)s” não diz se é a região central ou outra.") % value
        case "itinerary_left_out":
            return _("o itinerário deve ser um código, sem espaços: ficou de fora.")
        case "act_left_out":
            return _("não parece o número de um ato, como “Portaria 12/2026”: ficou de fora.")
        case "unknown_role":
            return _("“%(value)s” não é um papel de veículo: veículo, trator ou reboque.") % value
        case "unknown_holder":
            return _("“%(value)s” não diz se o titular é empresa ou pessoa física.") % value
        case "unknown_event":
            return _("“%(value)s” não é um acontecimento conhecido, como emissao ou suspensao.") % value
        case "event_without_permit":
            return _("a autorização “%(value)s” não está no cadastro deste arquivo.") % value
        case "plate_not_in_permit":
            return _("a placa “%(value)s” não está nesta autorização.") % value
        case "contradicts_permit":
            return _("outra linha da mesma autorização diz outra coisa.")
        case "two_of_one_plate":
            return _("a placa “%(value)s” já apareceu nesta autorização, com outros dados.") % value
        case "position_taken":
            return _("a posição %(value)s já é de outro veículo da autorização.") % value
        case "permit_exists":
            return _("a autorização %(value)s já está no cadastro.") % value
        case "in_future":
            return _("%(day)s ainda não chegou: só se registra o que já aconteceu.") % _days(problem, _)
        case "far":
            return _("%(day)s está longe demais. Confira o ano.") % _days(problem, _)
        case "doubled_row":
            return _("a placa “%(value)s” já apareceu nesta autorização: vale a primeira vez.") % value
    return _against_law(problem, _)


def _days(problem: RowProblem, _: Translator) -> dict[str, str]:
    return {name: _.date(day) for name, value in problem.data.items() if (day := _as_day(value))}


def _against_law(problem: RowProblem, _: Translator) -> str:
    return contradiction_sentence(Reason(problem.code, data=problem.data), _)


def contradiction_sentence(reason: Reason, _: Translator) -> str:
    """What in a register contradicts the law, with both sides; the article stands beside it."""
    gaps = {name: _.date(day) if (day := _as_day(value)) else value for name, value in reason.data.items()}
    return _contradiction(reason.code, _) % gaps


def _contradiction(code: str, _: Translator) -> str:
    match code:
        case "speed_above_law":
            return _("o cadastro diz %(told)s km/h e a norma permite até %(law)s km/h.")
        case "paper_beyond_law":
            return _(
                "o documento vai até %(paper)s e a norma só até %(law)s: conta a data que vem primeiro, %(law)s."
            )
        case "never_valid":
            return _("foi emitida em %(issued)s, depois do último dia da norma, %(law)s: nunca vale.")
        case "vehicle_too_old":
            return _("%(plate)s é de %(year)s: a norma aceita até %(law)s anos, que acabaram em %(until)s.")
        case "too_many_seats":
            return _("%(plate)s tem %(told)s lugares e a norma aceita até %(law)s passageiros.")
        case "too_many_vehicles":
            return _("a autorização tem %(told)s veículos e a norma aceita até %(law)s.")
        case "beyond_permits_in_central_region":
            return _("é a autorização nº %(told)s da região central, e a norma aceita até %(law)s.")
        case "beyond_drivers_per_vehicle":
            return _("este veículo está em %(told)s autorizações, e a norma aceita até %(law)s.")
        case "barred_holder":
            return _(
                "%(plate)s é da autorização %(number)s, cassada em %(revoked)s: a titular não pode voltar até "
                "%(until)s. Confira se a titular é a mesma."
            )
        case "bill_permit":
            return _("existe só um projeto de lei para este serviço: a autorização não vale.")
    raise ValueError(code)


def _as_day(value: object) -> date | None:
    """A day, also as the report keeps it."""
    if isinstance(value, date):
        return value
    if isinstance(value, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        return date.fromisoformat(value)
    return None
