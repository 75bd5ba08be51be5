"""Ready answers, one an outcome: offered to the ombudsman in the citizen's language, to be completed by hand."""

from dataclasses import dataclass

from portal.i18n import Translator


@dataclass(frozen=True, slots=True)
class ReadyAnswer:
    outcome: str
    label: str
    """What happened, in the staff member's language."""
    text: str
    """In the citizen's language; what stands in brackets is still to be written."""


OUTCOMES = ("confirmed", "not_confirmed", "not_enough", "other_body", "suggestion", "praise")


def ready_answers(_: Translator, citizen: Translator) -> tuple[ReadyAnswer, ...]:
    """Every outcome, worded for the citizen; ``_`` is the language of who answers."""
    return tuple(ReadyAnswer(one, outcome_label(one, _), outcome_text(one, citizen)) for one in OUTCOMES)


def outcome_label(outcome: str, _: Translator) -> str:
    match outcome:
        case "confirmed":
            return _("Confirmada, com providência")
        case "not_confirmed":
            return _("Apurada e não confirmada")
        case "not_enough":
            return _("Faltam elementos para apurar")
        case "other_body":
            return _("É de outro órgão")
        case "suggestion":
            return _("Sugestão recebida")
        case "praise":
            return _("Elogio recebido")
    raise KeyError(outcome)


def outcome_text(outcome: str, _: Translator) -> str:
    gap = gap_mark(_)
    match outcome:
        case "confirmed":
            return _(
                "Apuramos o que você relatou e confirmamos a irregularidade. A providência tomada foi: %(gap)s."
            ) % {"gap": gap}
        case "not_confirmed":
            return _(
                "Apuramos o que você relatou e não encontramos irregularidade. O que verificamos: %(gap)s. "
                "Se tiver mais informações, peça a revisão ou escreva de novo."
            ) % {"gap": gap}
        case "not_enough":
            return _(
                "Com as informações que temos não foi possível apurar. O que faltou: %(gap)s. "
                "O seu relato fica registrado e ajuda a planejar a fiscalização."
            ) % {"gap": gap}
        case "other_body":
            return _("Este assunto é de outro órgão: %(gap)s. Explicamos abaixo como falar com ele.") % {
                "gap": gap
            }
        case "suggestion":
            return _("Agradecemos a sua sugestão. Ela foi levada a: %(gap)s.") % {"gap": gap}
        case "praise":
            return _("Agradecemos o seu elogio. Ele foi levado a: %(gap)s.") % {"gap": gap}
    raise KeyError(outcome)


def gap_mark(_: Translator) -> str:
    """What is still to be written; an answer that holds it is not sent."""
    return _("[complete aqui]")
