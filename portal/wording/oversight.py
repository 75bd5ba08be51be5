"""What the page of the state of the service says of lists, imports and ages."""

from datetime import timedelta

from portal.i18n import Translator
from portal.services.oversight import LastImport, ListAge
from portal.wording.services import service_name
from portal.wording.verdict_card import list_name


def list_words(one: ListAge, _: Translator) -> str:
    """Whose list it is and of what."""
    match one.kind:
        case "itineraries" if one.source == "places":
            return _("Nomes de lugares")
        case "itineraries":
            # A feed is named after its service where nobody gave it a name of its own.
            named = service_name(one.service, _) if one.service and one.source == one.service else one.source
            return _("Itinerários: %(source)s") % {"source": named}
        case _kind if one.service:
            return f"{list_name(one.source, _)} · {service_name(one.service, _)}"
    return list_name(one.source, _)


def import_words(one: LastImport, _: Translator) -> str:
    """What became of the last reading of a file."""
    match one.state:
        case "merged":
            return _("Publicado.")
        case "staged":
            return _("Lido; espera alguém publicar.")
        case "publishing" | "staging":
            return _("Em andamento.")
        case "undoing" | "undone":
            return _("Desfeito.")
        case "refused" | "failed":
            return _("Recusado: nada mudou.")
        case "unchanged":
            return _("Igual ao que já estava publicado.")
    return _("Descartado.")


def age_words(age: timedelta, _: Translator) -> str:
    """How long ago, in the largest unit that says enough."""
    minutes = max(0, int(age.total_seconds() // 60))
    if minutes < 1:
        return _("agora há pouco")
    if minutes < 120:
        return _.ngettext("há %(num)s minuto", "há %(num)s minutos", minutes) % {"num": _.number(minutes)}
    hours = minutes // 60
    if hours < 48:
        return _.ngettext("há %(num)s hora", "há %(num)s horas", hours) % {"num": _.number(hours)}
    days = hours // 24
    return _.ngettext("há %(num)s dia", "há %(num)s dias", days) % {"num": _.number(days)}
