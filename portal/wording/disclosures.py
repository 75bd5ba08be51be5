"""What person and desk read of a wish to tell an identity."""

from zoneinfo import ZoneInfo

from portal.i18n import Translator
from portal.services.complaints.disclosures import IdentityRequest, State


def consent_question(request: IdentityRequest, _: Translator) -> str:
    """What the person is asked, on the page and in the bot."""
    return _("A ouvidoria pede para passar o seu nome e contato a: %(recipient)s. Motivo: %(purpose)s") % {
        "recipient": request.recipient,
        "purpose": request.purpose,
    }


def consent_hint(_: Translator) -> str:
    return _("Só passa se você autorizar. A manifestação segue do mesmo jeito se você não autorizar.")


def state_phrase(request: IdentityRequest, zone: ZoneInfo, _: Translator) -> str:
    """How far it is."""
    match request.state:
        case State.ASKED:
            return _("Sem resposta ainda")
        case State.GRANTED:
            return _("A pessoa autorizou")
        case State.REFUSED:
            return _("A pessoa não autorizou")
        case State.TOLD:
            assert request.told_at
            when = _.datetime(request.told_at.astimezone(zone))
            if request.order_number:
                return _("Passada em %(when)s, pela ordem judicial %(number)s") % {
                    "when": when,
                    "number": request.order_number,
                }
            return _("Passada em %(when)s, com autorização") % {"when": when}


def decided_sentence(request: IdentityRequest, _: Translator) -> str:
    """Said right after the person decided."""
    if request.state is State.GRANTED:
        return _("Anotamos: você autoriza. Até a ouvidoria passar, você pode mudar de ideia.")
    return _("Anotamos: você não autoriza. A sua identidade fica na ouvidoria.")
