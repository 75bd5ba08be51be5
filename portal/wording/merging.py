"""Why two complaints cannot be read together."""

from portal.domain.errors import CannotMerge
from portal.i18n import Translator


def cannot_merge_sentence(problem: CannotMerge, _: Translator) -> str:
    match problem.why:
        case "itself":
            return _("Esse é o protocolo desta mesma manifestação.")
        case "ended":
            return _("A outra manifestação já não espera resposta.")
        case "merged":
            return _("A outra manifestação já está reunida a uma terceira: reúna a essa.")
        case "leads":
            return _("Outras manifestações estão reunidas a esta: reúna a outra a esta.")
        case "other":
            return _("Uma das manifestações marcadas não está reunida a esta.")
    return _("Não há nenhuma manifestação deste município com esse protocolo.")
