"""/verificar, and any plate somebody sends: what the register says, in the words of the site."""

from datetime import datetime

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update

from bot.context import BotContext
from bot.drafts import place_said, show
from bot.keyboards import button, column, link, pressed, short
from bot.replies import nod, say
from bot.towns import town_of
from portal import clock
from portal.config import settings
from portal.domain import deep_links
from portal.domain.permits import Status
from portal.domain.verdicts import Verdict
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.regulations.municipalities import Municipality
from portal.sealing.proofs import proof_keys
from portal.services.unit_of_work import reading, unit_of_work
from portal.services.verdicts.circumstances import Place, judge_now
from portal.services.verdicts.proofs import prove
from portal.services.verdicts.verification import ABSENT, verify_everywhere, verify_permit
from portal.wording.reasons import check_sentence, reason_sentence
from portal.wording.verdict_card import elsewhere_sentence, kerb_advice, list_sentences, next_steps
from portal.wording.verdicts import verdict_sentence

MOST_NEAR_MISSES = 2
PROOF = "proof"
"""First word of the button that asks for a proof of the look-up."""
MOST_CHECKS = 5
"""Lines that a phone shows beside a verdict; the others stand under “Seus direitos”, one tap away."""


async def verify(update: Update, context: BotContext) -> None:
    """/verificar ABC1D23; without a plate it asks for one."""
    query = " ".join(context.args or [])
    if not query:
        _ = context.translator
        await say(update, _("Envie a placa do veículo, como ABC1D23, ou o número da autorização."))
        return
    await answer(update, context, query)


async def choose_town(update: Update, context: BotContext) -> None:
    """A button that asks for the same vehicle in one town."""
    await nod(update)
    _word, ibge, query = pressed(update, 3)
    if ibge:
        await context.remember(municipality=town_of(ibge).slug)
    await answer(update, context, query)


async def prove_look_up(update: Update, context: BotContext) -> None:
    """A button under a verdict: the same answer once more, with an address where anybody checks that it was given."""
    await nod(update)
    _word, ibge, query = pressed(update, 3)
    town, now = town_of(ibge), clock.now()
    on = town.civil_day(now)
    verdict = await context.run(verify_permit, town.slug, query, on=on, now=now)
    code = prove(verdict, proof_keys(settings()))
    _ = context.translator
    lines = [
        _("Comprovante de consulta") + f"\n{verdict_sentence(verdict, _)}",
        "\n".join(list_sentences(verdict.lists, _)),
        _("Consulta de %(moment)s.") % {"moment": _.datetime(now.astimezone(town.zone))},
        f"{settings().public_url.rstrip('/')}/comprovante/{code.replace('-', '')}",
        _("Qualquer pessoa confere este código aqui no portal."),
    ]
    await say(update, "\n\n".join(line for line in lines if line))


async def answer(update: Update, context: BotContext, query: str) -> None:
    """Say what the registers hold of a vehicle; then go on with whatever was in progress."""
    await say_verdict(update, context, query)
    if _in_a_complaint(update, context):
        await show(update, context)


async def say_verdict(update: Update, context: BotContext, query: str) -> None:
    """The town that knows the vehicle speaks first, else the remembered one; raises ``UnreadableQuery``.

    In the middle of a complaint it is said in short and without buttons, as the question comes again under it.
    """
    _ = context.translator
    verdicts = await context.look(
        verdicts_now, query, now=clock.now(), first=context.municipality, place=await place_said(context)
    )
    known = [verdict for verdict in verdicts if verdict.status not in ABSENT]
    if _in_a_complaint(update, context):
        await say(update, "\n\n".join(brief(verdict, _) for verdict in known or verdicts[:1]))
        return
    if known:
        await context.remember(municipality=known[0].municipality)
        shown = known
    elif context.municipality or len(verdicts) == 1:
        shown = list(verdicts[:1])
    else:
        choices = _choices(verdicts[0], _, town=None, tells=_tells(update, context))
        await say(update, _nowhere(verdicts, _), choices)
        return
    texts = [card(shown[0], _), *(verdict_sentence(verdict, _) for verdict in shown[1:])]
    town = catalogue.municipality(shown[0].municipality)
    await say(update, "\n\n".join(texts), _choices(shown[0], _, town=town, tells=_tells(update, context)))


def brief(verdict: Verdict, _: Translator) -> str:
    """The verdict in a few lines: sentence, advice at the kerb, reasons, which list."""
    lines = [verdict_sentence(verdict, _), kerb_advice(verdict, _)]
    lines += [reason_sentence(note, _) for note in verdict.notes]
    lines += list_sentences(verdict.lists, _)
    return "\n".join(line for line in lines if line)


def verdicts_now(query: str, *, now: datetime, first: str | None, place: Place | None) -> tuple[Verdict, ...]:
    """Every town's verdict: read by the quick look that pages have, and judged at this hour where one is green."""
    with reading() as reader:
        verdicts = verify_everywhere(reader, query, now=now, first=first)
    if not any(verdict.status is Status.AUTHORIZED for verdict in verdicts):
        return verdicts
    with unit_of_work() as session:
        return judge_now(session, verdicts, now=now, place=place)


def card(verdict: Verdict, _: Translator) -> str:
    """The verdict as one message: sentence, advice at the kerb, what to check, reasons, which list."""
    lines = [verdict_sentence(verdict, _)]
    if advice := kerb_advice(verdict, _):
        lines.append(advice)
    lines += [reason_sentence(note, _) for note in verdict.notes]
    lines += [
        elsewhere_sentence(town, status, verdict, _)
        for town, status in verdict.elsewhere
        if verdict.status in ABSENT or town != verdict.municipality
    ]
    if verdict.checks:
        checks = "\n".join(f"• {check_sentence(check, _)}" for check in verdict.checks[:MOST_CHECKS])
        lines.append(_("Confira antes de embarcar:") + "\n" + checks)
    lines += [step.text for step in next_steps(verdict, _) if step.kind in ("number", "registers")]
    lines.append("\n".join(list_sentences(verdict.lists, _)))
    zone = catalogue.municipality(verdict.municipality).zone
    lines.append(_("Consulta de %(moment)s.") % {"moment": _.datetime(verdict.computed_at.astimezone(zone))})
    return "\n\n".join(line for line in lines if line)


def _nowhere(verdicts: tuple[Verdict, ...], _: Translator) -> str:
    """No town is remembered and none knows the vehicle: each says so in one line."""
    lines = [verdict_sentence(verdict, _) for verdict in verdicts]
    if advice := kerb_advice(verdicts[0], _):
        lines.append(advice)
    return "\n\n".join(lines)


def choices(
    update: Update, context: BotContext, verdict: Verdict, town: Municipality
) -> InlineKeyboardMarkup:
    """The buttons under a verdict of one town."""
    return _choices(verdict, context.translator, town=town, tells=_tells(update, context))


def _tells(update: Update, context: BotContext) -> str | None:
    """Before others, the address of the bot, where a complaint is begun in private; None in a private chat."""
    return None if _is_private(update) else f"https://t.me/{context.bot.username}?start="


def _choices(
    verdict: Verdict, _: Translator, *, town: Municipality | None, tells: str | None
) -> InlineKeyboardMarkup:
    """What to do next, one button each, at most two near misses among them; without a town it is asked later."""
    where = str(town.ibge_code) if town else ""
    buttons: list[InlineKeyboardButton] = []
    near_misses = 0
    for step in next_steps(verdict, _):
        match step.kind:
            case "itinerary":
                buttons.append(button(step.text, "itinerary", where, short(step.target or "")))
            case "itineraries" if town:
                buttons.append(button(step.text, "list", where))
            case "itineraries":
                buttons.append(button(step.text, "menu", "pontos"))
            case "tell" if tells:
                carried = deep_links.payload(
                    deep_links.COMPLAIN,
                    town=town.ibge_code if town else None,
                    what=_carried(verdict.asked) or None,
                )
                buttons.append(link(step.text, tells + carried))
            case "tell":
                buttons.append(button(step.text, "tell", where, _carried(verdict.asked)))
            case "near_miss" if near_misses < MOST_NEAR_MISSES:
                near_misses += 1
                buttons.append(button(step.text, "town", "", step.target or ""))
    if town and not tells and _carried(verdict.asked) and proof_keys(settings()):
        words = _("Guardar um comprovante desta consulta")
        buttons.append(button(words, PROOF, where, _carried(verdict.asked)))
    if town and not tells and len(verdict.checks) > MOST_CHECKS:
        service = verdict.permits[0].service if verdict.permits else ""
        buttons.append(button(_("Seus direitos"), "rights", where, service))
    return column(buttons)


def _carried(asked: str) -> str:
    """What was asked, if a button can carry it; an odd permit number is asked for again."""
    return asked if short(asked) == asked else ""


def _in_a_complaint(update: Update, context: BotContext) -> bool:
    return bool(context.remembered.draft) and _is_private(update)


def _is_private(update: Update) -> bool:
    return update.effective_chat is not None and update.effective_chat.type == "private"
