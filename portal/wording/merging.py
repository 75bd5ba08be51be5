"""Two complaints about one fact: what their author reads, and why they cannot be read together."""

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


def merged_text(_: Translator) -> str:
    """What the author of a complaint joined to another reads, unless the ombudsman writes something else."""
    return _("É o mesmo fato de outra manifestação que já recebemos, e as duas são apuradas juntas.")
