"""The letter with which an ombudsman asks a unit of the administration: facts and a copy, and no identity."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from portal.documents.paper import Paper
from portal.i18n import Translator


@dataclass(frozen=True, slots=True)
class Letter:
    """What a letter says; every text in it went through the masking of what tells who wrote it."""

    municipality: str
    ombudsman: str
    unit: str
    protocol: str
    asked_at: datetime
    """In the municipality's own zone."""
    due_on: date
    due_article: str
    competence: str
    """Which provision makes it this unit's matter; empty where none does."""
    facts: Sequence[tuple[str, str]]
    copy: str
    question: str
    files: Sequence[str]
    """Names of the files that go along."""


def letter_pdf(letter: Letter, _: Translator) -> bytes:
    paper = Paper(
        title=_("Ofício da ouvidoria: protocolo %(protocol)s") % {"protocol": letter.protocol},
        language=_.tag,
        at=letter.asked_at,
        footer=_("%(ombudsman)s · protocolo %(protocol)s")
        % {"ombudsman": letter.ombudsman, "protocol": letter.protocol},
    )
    paper.paragraph(f"{letter.municipality}\n{letter.ombudsman}")
    paper.heading(_("Ofício da ouvidoria: protocolo %(protocol)s") % {"protocol": letter.protocol})
    paper.paragraph(_.date(letter.asked_at.date()))
    paper.pair(_("A"), letter.unit)
    if letter.competence:
        paper.pair(_("Competência"), letter.competence)
    paper.paragraph(
        _(
            "A ouvidoria pede informações sobre a manifestação abaixo. O prazo para responder é %(date)s "
            "(%(article)s); pode ser prorrogado uma vez, com justificativa, dentro do prazo da manifestação."
        )
        % {"date": _.date(letter.due_on), "article": letter.due_article}
    )
    if letter.question:
        paper.pair(_("O que se pergunta"), letter.question)
    paper.heading(_("O que foi relatado"), level=2)
    for name, value in letter.facts:
        paper.pair(name, value)
    paper.pair(_("Relato"), letter.copy or _("A pessoa não escreveu um relato."))
    paper.pair(_("Anexos que acompanham"), "\n".join(letter.files) or _("Nenhum."))
    paper.paragraph(
        _(
            "Este ofício não traz a identidade de quem relatou, e ela não deve ser procurada: "
            "Lei nº 13.460/2017, art. 10, § 7º, e Lei nº 13.608/2018, art. 4º-B."
        )
    )
    return paper.write_out()
