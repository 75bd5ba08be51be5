"""The receipt of a complaint taken at the desk, to hand over or to send by post."""

from datetime import datetime

from portal.documents.paper import Paper
from portal.i18n import Translator


def receipt_pdf(
    *,
    ombudsman: str,
    protocol: str,
    access_key: str | None,
    sentences: tuple[str, ...],
    address: str,
    at: datetime,
    _: Translator,
) -> bytes:
    """``sentences`` tell the due date and what the key is for, in the person's language."""
    paper = Paper(title=_("Recibo"), language=_.tag, at=at, footer=ombudsman)
    paper.paragraph(ombudsman)
    paper.heading(_("Recebemos a sua manifestação"))
    paper.pair(_("Protocolo"), protocol)
    if access_key:
        paper.pair(_("Chave de acesso"), access_key)
    for sentence in sentences:
        paper.paragraph(sentence)
    paper.paragraph(_("Para acompanhar: %(address)s") % {"address": address})
    return paper.write_out()
