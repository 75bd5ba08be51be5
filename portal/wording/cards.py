"""Cards of permits: what is said of one that was scanned, and what is printed on it."""

from portal.domain.cards import CardState
from portal.domain.errors import CardRefused
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.regulations.schema import CardField
from portal.services.cards.making import CardSheet
from portal.services.cards.opening import OpenedCard


def card_refused_sentence(problem: CardRefused, _: Translator) -> str:
    match problem.why:
        case "no_layout":
            return _("Nenhuma norma em vigor aqui pede um cartão para este tipo de autorização.")
        case "no_key":
            return _("Este município ainda não tem a chave dos cartões. Peça a quem cuida do servidor.")
        case "not_in_force":
            return _("Só se faz cartão de uma autorização em vigor, ou que já tem dia para começar.")
        case "which_vehicle":
            return _("Escolha o veículo: cada um tem o seu cartão.")
        case "ended":
            return _("Este cartão já não vale.")
    return _("Este cartão não existe.")


def card_word(state: CardState, _: Translator) -> str:
    """The word that stands largest when a genuine card is not to be trusted."""
    match state:
        case CardState.REPLACED:
            return _("Cartão trocado por outro")
        case CardState.REVOKED:
            return _("Cartão cancelado")
        case CardState.RENEWED:
            return _("Cartão antigo")
        case CardState.LEFT:
            return _("Cartão de outro veículo")
    return _("Cartão em uso")


def card_sentence(state: CardState, _: Translator) -> str:
    """What became of a card, and what to do."""
    match state:
        case CardState.REPLACED:
            return _("A prefeitura fez outro cartão no lugar deste. Confira pela placa.")
        case CardState.REVOKED:
            return _("A prefeitura cancelou este cartão. Confira pela placa.")
        case CardState.RENEWED:
            return _("Este cartão é de uma autorização que terminou; há outra em vigor. Confira pela placa.")
        case CardState.LEFT:
            return _("O veículo deste cartão saiu da autorização. Confira pela placa.")
    return _("Este cartão é o que está em uso.")


def compare_sentence(card: OpenedCard, _: Translator) -> str:
    """Asks to compare: a code that was copied says the same as the one it was copied from."""
    if not card.plates:
        return ""
    return _(
        "O código é deste veículo: %(plates)s. Confira se é a placa à sua frente; se não for, não embarque."
    ) % {"plates": ", ".join(card.plates)}


def moved_account(card: OpenedCard, plate: str | None, _: Translator) -> str:
    """What the ombudsman reads of a card that sits on another vehicle, as the person may change it."""
    gaps = {"plates": ", ".join(card.plates), "issue": card.issue, "plate": plate or ""}
    if plate:
        return (
            _("O adesivo no veículo %(plate)s é do veículo %(plates)s (cartão nº %(issue)s): parece trocado.")
            % gaps
        )
    return (
        _("O adesivo é do veículo %(plates)s (cartão nº %(issue)s), e a placa à minha frente é outra.") % gaps
    )


def field_name(field: CardField, _: Translator) -> str:
    """Beside what is printed on a card."""
    match field:
        case CardField.AUTHORITY:
            return _("Órgão")
        case CardField.CAPACITY:
            return _("Lotação")
        case CardField.HOLDER:
            return _("Empresa")
        case CardField.ITINERARY:
            return _("Roteiro")
        case CardField.NUMBER:
            return _("Autorização nº")
        case CardField.OMBUDSMAN_PHONE:
            return _("Ouvidoria")
        case CardField.PLATES:
            return _("Placa")
        case CardField.SPEED:
            return _("Velocidade máxima")
    return _("Válida até")


def field_value(field: CardField, sheet: CardSheet, _: Translator) -> str | None:
    """What stands there; None where the register does not know it."""
    match field:
        case CardField.AUTHORITY:
            return sheet.authority
        case CardField.CAPACITY:
            return _.number(sheet.capacity) if sheet.capacity else None
        case CardField.HOLDER:
            return sheet.trade_name
        case CardField.ITINERARY:
            return _itinerary(sheet, _)
        case CardField.NUMBER:
            return sheet.number
        case CardField.OMBUDSMAN_PHONE:
            return catalogue.municipality(sheet.municipality).ombudsman.phone
        case CardField.PLATES:
            return ", ".join(unit.plate for unit in sheet.units)
        case CardField.SPEED:
            return _("%(kmh)s km/h") % {"kmh": sheet.max_speed_kmh} if sheet.max_speed_kmh else None
    return _.date(sheet.term.valid_until) if sheet.term.valid_until else None


def missing_fields(sheet: CardSheet, _: Translator) -> tuple[str, ...]:
    """What the text wants on a card and nobody has said yet, each by its name."""
    return tuple(
        field_name(field, _) for field in sheet.layout.prints if field_value(field, sheet, _) is None
    )


def _itinerary(sheet: CardSheet, _: Translator) -> str | None:
    if sheet.itinerary is None:
        return None
    if len(sheet.ends) < 2:
        return sheet.itinerary
    gaps = {"name": sheet.itinerary, "first": sheet.ends[0], "last": sheet.ends[-1]}
    return _("%(name)s: de %(first)s a %(last)s") % gaps
