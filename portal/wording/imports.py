"""What an import says to the clerk who runs it."""

from portal.domain.itineraries import SourceProblem
from portal.i18n import Translator


def place_sentence(file: str, line: int | None, field: str | None, reason: str, _: Translator) -> str:
    """Where something is wrong in a file, and the reason."""
    where: dict[str, object] = {"file": file, "line": line, "field": field, "reason": reason}
    if line is not None and field:
        return _("%(file)s, linha %(line)s, campo %(field)s: %(reason)s") % where
    if line is not None:
        return _("%(file)s, linha %(line)s: %(reason)s") % where
    if field:
        return _("%(file)s, campo %(field)s: %(reason)s") % where
    return _("%(file)s: %(reason)s") % where


def common_reason(code: str, value: str | None, _: Translator) -> str | None:
    """What any file can suffer from, a feed or a register; None for what only one of them knows."""
    told = {"value": value or ""}
    match code:
        case "encrypted":
            return _("está protegido por senha.")
        case "too_large":
            return _("fica grande demais quando aberto.")
        case "empty_file":
            return _("está vazio.")
        case "unreadable_file":
            return _("está corrompido.")
        case "null_character":
            return _("a linha tem um caractere nulo.")
        case "missing_column":
            return _("a coluna obrigatória não existe.")
        case "row_too_long":
            return _("a linha tem mais valores que colunas.")
        case "missing_value":
            return _("o valor obrigatório está vazio.")
        case "no_number":
            return _("“%(value)s” não é um número permitido aqui.") % told
        case "no_date":
            return _("“%(value)s” não é uma data.") % told
        case "ends_before_start":
            return _("o fim vem antes do começo.")
    return None


def count_words(what: str, count: int, _: Translator) -> str:
    """What was read of a feed, or would change, with its number."""
    match what:
        case "stops":
            told = _.ngettext("%(num)s ponto", "%(num)s pontos", count)
        case "itineraries":
            told = _.ngettext("%(num)s itinerário", "%(num)s itinerários", count)
        case "trips":
            told = _.ngettext("%(num)s viagem", "%(num)s viagens", count)
        case "places":
            told = _.ngettext("%(num)s lugar", "%(num)s lugares", count)
        case "stops_added":
            told = _.ngettext("%(num)s ponto novo", "%(num)s pontos novos", count)
        case "stops_removed":
            told = _.ngettext("%(num)s ponto a menos", "%(num)s pontos a menos", count)
        case "itineraries_added":
            told = _.ngettext("%(num)s itinerário novo", "%(num)s itinerários novos", count)
        case "itineraries_removed":
            told = _.ngettext("%(num)s itinerário a menos", "%(num)s itinerários a menos", count)
        case _other:
            raise ValueError(what)
    return told % {"num": _.number(count)}


def source_problem_sentence(problem: SourceProblem, _: Translator) -> str:
    """The file, line and field of a problem, and the reason."""
    return place_sentence(problem.file, problem.line, problem.field, problem_reason(problem, _), _)


def problem_reason(problem: SourceProblem, _: Translator) -> str:
    """Why a row, field or file is refused, or what was made of it."""
    if (common := common_reason(problem.code, problem.value, _)) is not None:
        return common
    value = {"value": problem.value or ""}
    match problem.code:
        case "no_zip":
            return _("não é um arquivo zip.")
        case "too_many_files":
            return _("tem arquivos demais: %(value)s.") % value
        case "missing_file":
            return _("o arquivo é obrigatório e não está na pasta.")
        case "missing_calendar":
            return _("falta calendar.txt ou calendar_dates.txt.")
        case "not_utf8":
            return _("não está em UTF-8.")
        case "no_csv":
            return _("não é uma tabela CSV: %(value)s.") % value
        case "row_too_short":
            return _("a linha tem menos valores que colunas: os que faltam ficam vazios.")
        case "duplicate" if problem.fatal:
            return _("“%(value)s” já apareceu antes, com outros dados.") % value
        case "duplicate":
            return _("“%(value)s” já apareceu antes: vale a primeira vez.") % value
        case "unknown_reference":
            return _("“%(value)s” não existe na outra tabela.") % value
        case "not_a_stop":
            return _("“%(value)s” não é um ponto onde o veículo para.") % value
        case "no_position":
            return _("“%(value)s” não é uma posição possível, em graus.") % value
        case "position_slip":
            return (
                _(
                    "“%(value)s” fica fora do estado: latitude e longitude trocadas, ou falta o sinal de menos?"
                )
                % value
            )
        case "decimal_comma":
            return _("“%(value)s” tem vírgula decimal: lida como ponto. Confira.") % value
        case "outside_state":
            return _("“%(value)s” fica fora do estado: confira.") % value
        case "no_zone":
            return _("“%(value)s” não é um fuso horário, como America/Sao_Paulo.") % value
        case "two_zones":
            return _("há mais de um fuso horário: cada linha segue o de sua empresa.")
        case "no_flag":
            return _("“%(value)s” não é um dos valores permitidos.") % value
        case "no_time":
            return _("“%(value)s” não é um horário.") % value
        case "no_days":
            return _("“%(value)s” não diz os dias, como “seg-sex” ou “sab dom feriados”.") % value
        case "no_way":
            return _("“%(value)s” não é um sentido deste itinerário: ida ou volta.") % value
        case "time_goes_back":
            return _("o horário volta no tempo em relação à parada anterior.")
        case "past_midnight":
            return _("o relógio recomeça à meia-noite: lido como a madrugada seguinte.")
        case "one_time_only":
            return _("só há chegada ou só há saída: a mesma hora vale para as duas.")
        case "untimed_trip":
            return _("a viagem não tem horário.")
        case "flexible":
            return _("parada a pedido, sem lugar fixo: deixada de fora.")
        case "unused_trip":
            return _("a viagem “%(value)s” tem menos de duas paradas: deixada de fora.") % value
        case "unused_route":
            return _("a linha “%(value)s” não tem viagens: deixada de fora.") % value
        case "unused_stops":
            return _("pontos por onde nenhuma viagem passa, deixados de fora: %(value)s.") % value
        case "no_trips":
            return _("nenhuma viagem pode ser usada.")
        case "too_few_stops":
            return _("“%(value)s” tem menos de dois pontos.") % value
        case "stop_in_use":
            return _("o itinerário “%(value)s” ainda passa por este ponto depois desse dia.") % value
        case "no_line_here":
            return _("nenhuma linha passa por %(value)s.") % value
    raise ValueError(problem.code)
