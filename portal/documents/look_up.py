"""The proof of a look-up on paper, with the code by which anybody checks it."""

from datetime import datetime

from portal.documents.codes import draw_code
from portal.documents.paper import FAMILY, Paper
from portal.i18n import Translator
from portal.services.verdicts.proofs import CheckedProof
from portal.wording.proofs import answered_sentence, limit_sentence, list_told, proof_title, proof_word

SIDE = 46
"""Millimetres of the code."""


def look_up_pdf(proof: CheckedProof, *, address: str, at: datetime, _: Translator) -> bytes:
    """``address`` is where the proof is checked; ``at`` is when it is printed, in the municipality's own zone."""
    paper = Paper(title=proof_title(_), language=_.tag, at=at, footer=f"Embarque Legal · {proof.code}")
    paper.heading(proof_title(_))
    paper.paragraph(answered_sentence(proof, _))
    paper.set_font(FAMILY, "B", 22)
    paper.multi_cell(0, 11, proof_word(proof.look_up, _), align="L", new_x="LMARGIN", new_y="NEXT")
    paper.ln(2)
    paper.set_font(FAMILY, size=10)
    paper.pair(_("Consultado"), proof.look_up.asked)
    paper.pair(_("Situação em"), _.date(proof.look_up.on))
    if proof.look_up.lists:
        paper.pair(_("Listas"), "\n".join(list_told(one, _) for one in proof.look_up.lists))
    for permit in proof.permits:
        if permit.number:
            until = _.date(permit.valid_until) if permit.valid_until else "–"
            paper.pair(
                _("Autorização %(number)s") % {"number": permit.number}, _("até %(date)s") % {"date": until}
            )
    paper.paragraph(limit_sentence(_))
    paper.heading(_("Como conferir"), level=2)
    paper.paragraph(_("Leia o código, ou digite-o em %(address)s") % {"address": address.rsplit("/", 1)[0]})
    top = paper.get_y()
    draw_code(paper, address, paper.l_margin - 2, top, SIDE)
    paper.set_xy(paper.l_margin + SIDE + 4, top + 8)
    paper.set_font(FAMILY, "B", 13)
    groups = proof.code.split("-")
    for start in range(0, len(groups), 5):
        paper.set_x(paper.l_margin + SIDE + 4)
        paper.cell(0, 8, " ".join(groups[start : start + 5]), new_x="LMARGIN", new_y="NEXT")
    return paper.write_out()
