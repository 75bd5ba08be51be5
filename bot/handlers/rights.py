"""Your rights: what to check and what the law of the town says, in the words of the site's page."""

from telegram import InlineKeyboardButton, Update

from bot.context import BotContext
from bot.keyboards import button, column, link, pressed
from bot.replies import nod, say
from bot.towns import town_buttons, town_of
from portal.config import settings
from portal.domain.errors import NothingHere
from portal.domain.permits import Service
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.regulations.catalogue import today_in
from portal.regulations.municipalities import Municipality
from portal.services.verdicts.rule_answers import Rights
from portal.services.verdicts.rules import rights_of
from portal.wording.citations import article_words
from portal.wording.rights import answer_sentence
from portal.wording.rules import standing_sentences
from portal.wording.services import service_name


async def ask(update: Update, context: BotContext) -> None:
    """The services of the town spoken about; without one, the town is asked for."""
    _ = context.translator
    if context.municipality is None:
        await say(update, _("Em qual município?"), column(town_buttons("rights")))
        return
    await _ask_service(update, context, catalogue.municipality(context.municipality))


async def choose(update: Update, context: BotContext) -> None:
    """A button with a town, and perhaps a service."""
    await nod(update)
    _word, ibge, carried = pressed(update, 3)
    town = town_of(ibge)
    if not carried:
        await context.remember(municipality=town.slug)
        await _ask_service(update, context, town)
        return
    try:
        found = rights_of(town.slug, Service(carried), on=today_in(town))
    except ValueError:
        raise NothingHere("service") from None
    _ = context.translator
    address = f"{settings().public_url}/{town.slug}/direitos/{carried}?lang={_.tag}"
    choices = [
        link(_("Ver a página toda"), address),
        button(_("Falar com a ouvidoria"), "menu", "reclamar"),
        *_services(town, _, besides=found.service),
    ]
    await say(update, rights_text(found, _), column(choices))


async def _ask_service(update: Update, context: BotContext, town: Municipality) -> None:
    _ = context.translator
    text = _("Seus direitos em %(town)s: em qual serviço?") % {"town": f"{town.name} – {town.state}"}
    other = button(_("É em outro município"), "wish", "town-rights")
    await say(update, text, column([*_services(town, _), other]))


async def ask_town(update: Update, context: BotContext) -> None:
    _ = context.translator
    await say(update, _("Em qual município?"), column(town_buttons("rights", first=context.municipality)))


def rights_text(found: Rights, _: Translator) -> str:
    """What to check, where to board, what becomes of a complaint; the rest stands on the page."""
    law = found.law
    blocks = [_("Seus direitos: %(service)s") % {"service": service_name(found.service, _)}]
    if law is None:
        blocks.append(_("Não conhecemos norma municipal em vigor para este serviço."))
        blocks.append(_("A ouvidoria recebe a sua manifestação do mesmo jeito."))
        return "\n\n".join(blocks)
    blocks += [law.about.said(_.language), law.title]
    blocks += standing_sentences(
        bill=law.bill,
        in_force=law.in_force,
        since=law.in_force_from if found.on < law.in_force_from else None,
        known_from=law.text_known.from_,
        known_until=law.text_known.until,
        on=found.on,
        _=_,
    )
    checks = [each for each in law.requirements if each.check]
    for heading, rows in ((_("O que conferir"), checks), (_("Onde se embarca"), law.boarding)):
        if rows:
            lines = [f"• {each.words.said(_.language)} ({article_words(each.article, _)})" for each in rows]
            blocks.append("\n".join([heading, *lines]))
    if found.answer:
        blocks.append(answer_sentence(found.answer, _))
    return "\n\n".join(blocks)


def _services(
    town: Municipality, _: Translator, *, besides: Service | None = None
) -> list[InlineKeyboardButton]:
    return [
        button(service_name(service, _), "rights", town.ibge_code, service.value)
        for service in town.services
        if service is not besides
    ]
