"""The clerk's tables of stops, itineraries and departures, as the desk's forms and histories call them."""

from portal.domain.itineraries import Sheet
from portal.i18n import Translator


def sheet_name(sheet: Sheet, _: Translator) -> str:
    match sheet:
        case Sheet.STOPS:
            return _("Pontos")
        case Sheet.ITINERARIES:
            return _("Itinerários")
        case Sheet.DEPARTURES:
            return _("Partidas")


def new_row_words(sheet: Sheet, _: Translator) -> str:
    match sheet:
        case Sheet.STOPS:
            return _("Novo ponto")
        case Sheet.ITINERARIES:
            return _("Novo itinerário")
        case Sheet.DEPARTURES:
            return _("Novas partidas")


def column_name(column: str, _: Translator) -> str:
    """A column of the files, as the label of its box."""
    return {
        "codigo": _("Código"),
        "nome": _("Nome"),
        "nome_en": _("Nome em inglês"),
        "nome_es": _("Nome em espanhol"),
        "latitude": _("Latitude"),
        "longitude": _("Longitude"),
        "acessivel": _("Acessível a cadeira de rodas"),
        "referencia": _("Referência"),
        "embarque": _("Embarque permitido"),
        "pontos": _("Pontos da ida"),
        "volta": _("Volta"),
        "tarifa": _("Tarifa"),
        "duracao_min": _("Duração em minutos"),
        "valido_de": _("Vale de"),
        "valido_ate": _("Vale até"),
        "itinerario": _("Itinerário"),
        "sentido": _("Sentido"),
        "dias": _("Dias"),
        "horarios": _("Horários"),
        "de": _("De"),
        "ate": _("Até"),
        "exceto": _("Menos nas datas"),
        "inclui": _("Também nas datas"),
    }[column]


def column_hint(column: str, _: Translator) -> str:
    """How a cell is written; empty where its name says it all."""
    return {
        "codigo": _("Curto e sem espaços: aparece no endereço da página."),
        "latitude": _("Em graus, como -23,6200"),
        "longitude": _("Em graus, como -45,4100"),
        "referencia": _("O que há ao lado, como “em frente à igreja”"),
        "pontos": _("Códigos na ordem da viagem, como matriz > praia > mirante"),
        "volta": _("“sim” para o mesmo caminho de volta, ou os códigos"),
        "tarifa": _("Em reais, como 25,00"),
        "dias": _("Como seg-sex, sab dom, todos, feriados, seg-sex menos feriados"),
        "horarios": _("Como 10:00 10:30 24:15, ou 10:00-18:00/30 para cada 30 minutos"),
        "exceto": _("Datas com espaço entre elas, como 24/12/2026 31/12/2026"),
        "inclui": _("Datas com espaço entre elas, como 24/12/2026 31/12/2026"),
    }.get(column, "")


def action_words(action: str, who: str, _: Translator) -> str:
    """What made a version of a row, and who."""
    said = {"who": who}
    match action:
        case "imported":
            return _("Veio do arquivo %(who)s") % said
        case "created":
            return _("Criado por %(who)s") % said
        case "ended":
            return _("Encerrado por %(who)s") % said
        case _:
            return _("Alterado por %(who)s") % said


def change_words(column: str, before: str, after: str, _: Translator) -> str:
    """One cell of a change."""
    said = {"name": column_name(column, _), "before": before, "after": after}
    if not before:
        return _("%(name)s: %(after)s") % said
    if not after:
        return _("%(name)s: deixou de ser %(before)s") % said
    return _("%(name)s: %(before)s, agora %(after)s") % said
