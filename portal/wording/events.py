"""Events of a complaint that leave its state as it is, as its author and the desk read them."""

from portal.domain.complaints import EventKind
from portal.i18n import Translator


def event_title(kind: EventKind, _: Translator) -> str | None:
    """What the event is called; None for a step, which is called by the state it leads to."""
    match kind:
        case EventKind.EXTENSION:
            return _("Prazo prorrogado")
        case EventKind.IDENTITY_OPENED:
            return _("A ouvidoria abriu a identidade")
        case EventKind.CONSENT_ASKED:
            return _("A ouvidoria pede para passar a identidade")
        case EventKind.CONSENT_GIVEN:
            return _("Autorização dada para passar a identidade")
        case EventKind.CONSENT_REFUSED:
            return _("Autorização negada para passar a identidade")
        case EventKind.IDENTITY_TOLD:
            return _("Identidade passada com autorização")
        case EventKind.IDENTITY_ORDERED:
            return _("Identidade passada por ordem judicial")
        case EventKind.DATA_ASKED:
            return _("Pedido dos próprios dados")
        case EventKind.DATA_READY:
            return _("Dados entregues")
        case EventKind.DISPOSAL_PUT_OFF:
            return _("Eliminação adiada por fatos novos")
    return None
