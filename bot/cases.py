"""A case and a receipt as messages."""

import logging

from telegram import Bot, InputFile
from telegram.error import BadRequest

from bot.replies import split
from portal.config import settings
from portal.domain.complaints import Sender
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.services.complaints.filing import Receipt
from portal.services.complaints.tracking import CaseView
from portal.wording.categories import category_label
from portal.wording.complaints import (
    case_sentence,
    case_status_word,
    demonstration_sentence,
    key_sentence,
    pause_sentence,
    rating_question,
    rating_word,
    receipt_text,
)
from portal.wording.events import event_title
from portal.wording.evidence import files_kept
from portal.wording.questionnaire import beyond_sentences, urgent_sentences

log = logging.getLogger(__name__)

MOST_CAPTION = 1000
"""Characters under a file; Telegram takes a few more."""


def receipt_message(receipt: Receipt, _: Translator) -> str:
    """What a person takes home: protocol, key, the legal date, and how to come back."""
    address = f"{settings().public_url}/acompanhar"
    blocks = [
        _("Recebemos a sua manifestação."),
        receipt_text(
            receipt.protocol, receipt.access_key, receipt.due_on, receipt.due_article, address, _
        ).strip(),
        key_sentence(_),
        *urgent_sentences(receipt.municipality, receipt.category, receipt.filed_at.date(), _),
        *beyond_sentences(receipt.municipality, {"here": {"kind": receipt.here}}, _),
        in_the_chat(_),
    ]
    if settings().demonstration:
        blocks.append(demonstration_sentence(_))
    return "\n\n".join(blocks)


def in_the_chat(_: Translator) -> str:
    """How a case is opened without leaving the chat."""
    return _("Aqui no chat: /acompanhar com o protocolo e a chave.")


async def send_receipt(bot: Bot, chat_id: int, receipt: Receipt, _: Translator) -> None:
    """The receipt as a file to keep, with the same words under it, in one message: neither comes without the other."""
    text = receipt_message(receipt, _)
    document = InputFile(text.encode(), filename=f"{receipt.protocol}.txt")
    try:
        if len(text) <= MOST_CAPTION:
            await bot.send_document(chat_id, document, caption=text)
            return
    except BadRequest:
        log.warning("a receipt could not be sent as a file")
    for page in split(text):
        await bot.send_message(chat_id, page)


def reply_prompt(protocol: str, _: Translator) -> str:
    """What a message to the ombudsman is written in reply to: its words alone say which case that is."""
    return _(
        "Responda a esta mensagem com texto ou arquivos: vão para a ouvidoria, na manifestação %(protocol)s. "
        "Para desistir, /cancelar."
    ) % {"protocol": protocol}


def review_prompt(protocol: str, _: Translator) -> str:
    """What a request for a review is written in reply to."""
    return _(
        "Responda a esta mensagem com o que faltou: peço a revisão da manifestação %(protocol)s, uma vez só. "
        "Para desistir, /cancelar."
    ) % {"protocol": protocol}


def withdraw_question(protocol: str, _: Translator) -> str:
    return _("Retirar a manifestação %(protocol)s? Não dá para desfazer.") % {"protocol": protocol}


def case_text(case: CaseView, _: Translator) -> str:
    """A case as its author sees it: the state with its next date, then what was written to and fro."""
    town = catalogue.municipality(case.municipality)
    blocks = [
        _("Protocolo: %(protocol)s") % {"protocol": case.protocol},
        f"{case_status_word(case.status, _)}\n{case_sentence(case, _)}",
        f"{category_label(case.category, _)} · {town.name} – {town.state}",
    ]
    if pause := pause_sentence(case.paused_days, _):
        blocks.append(pause)
    for event in case.events:
        if event.reason:
            day = _.date(town.civil_day(event.at))
            title = event_title(event.kind, _) or case_status_word(event.status, _)
            blocks.append(f"{day} · {title}\n{event.reason}")
    for message in case.messages:
        who = _("Ouvidoria") if message.sender is Sender.OMBUDSMAN else _("Você")
        if message.is_answer:
            who = _("Resposta da ouvidoria")
        blocks.append(f"{who}, {_.datetime(message.at.astimezone(town.zone))}\n{message.text}")
    if case.files:
        blocks.append(files_kept(len(case.files), _))
    if case.rating:
        blocks.append(_("A sua avaliação: %(rating)s") % {"rating": rating_word(case.rating, _)})
    elif case.can_rate:
        blocks.append(rating_question(_))
    return "\n\n".join(blocks)
