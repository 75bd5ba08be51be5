"""Names of the services, as a passenger knows them."""

from portal.domain.permits import Service
from portal.i18n import Translator


def service_name(service: Service, _: Translator) -> str:
    match service:
        case Service.RECREATIONAL:
            return _("Transporte recreativo (trenzinho)")
        case Service.RIDE_HAILING:
            return _("Transporte por aplicativo")
        case Service.TOURISM:
            return _("Transporte turístico")


def service_in_sentence(service: Service, _: Translator) -> str:
    """The service as it stands inside a sentence: "autorizado para …"."""
    match service:
        case Service.RECREATIONAL:
            return _("transporte recreativo")
        case Service.RIDE_HAILING:
            return _("transporte por aplicativo")
        case Service.TOURISM:
            return _("transporte turístico")
