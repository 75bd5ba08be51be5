"""A live location: how far it is from the published route, in one message that is edited as the person moves.

Nothing of the way is kept: only which message is followed, which answer is edited and which route was chosen.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from telegram import InlineKeyboardMarkup, Location, Message, Update
from telegram.error import BadRequest

from bot.context import BotContext
from bot.keyboards import button, column, pressed, short
from bot.replies import nod, say
from bot.towns import town_of
from portal import clock
from portal.domain.errors import UnreadablePosition
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.services.itineraries.routes import RouteDistance, error_of, nearest_routes
from portal.wording.itineraries import distance_from_route_sentence


async def begin(update: Update, context: BotContext, location: Location) -> bool:
    """Follow a live location that has just been shared; False where no route is published."""
    message = update.message
    assert message  # the filter lets only messages through
    found = await context.run(
        nearest_routes, location.latitude, location.longitude, at=clock.now(), limit=OFFERED
    )
    if not found:
        return False
    _ = context.translator
    text = _text(found, None, location, _)
    sent = await say(update, text, _choices(found, found[0], location, _))
    if sent:
        await context.remember(live={"message": message.message_id, "answer": sent.message_id, "route": None})
    return True


async def moved(update: Update, context: BotContext) -> None:
    """The person has moved, or stopped sharing: the one answer says so; of any other location nothing is said."""
    message, followed = update.edited_message, context.remembered.live
    location = message.location if message else None
    if message is None or location is None or not followed or followed["message"] != message.message_id:
        return
    _ = context.translator
    if not is_live(location):  # sharing has ended
        await context.remember(live=None)
        await _edit(
            message, followed, _("A localização ao vivo terminou. Nada do caminho foi guardado."), None
        )
        return
    try:
        found = await context.run(
            nearest_routes, location.latitude, location.longitude, at=clock.now(), limit=MOST_ROUTES
        )
    except UnreadablePosition:
        return
    if not found:
        text, choices = _("Aqui não há roteiro publicado por perto."), None
    else:
        route = _chosen(found, followed)
        text = _text(found, followed, location, _)
        choices = _choices(found[:OFFERED], route, location, _)
    if not await _edit(message, followed, text, choices):
        await context.remember(live=None)


async def choose(update: Update, context: BotContext) -> None:
    """Another route to measure against, from the next position on."""
    _word, ibge, carried = pressed(update, 3)
    town = town_of(ibge)
    _ = context.translator
    followed = context.remembered.live
    if not followed:
        await nod(update, _("A localização ao vivo terminou. Nada do caminho foi guardado."))
        return
    await nod(update, _("Certo: meço por esse itinerário a partir da próxima posição."))
    await context.remember(live={**followed, "route": [town.slug, carried]})


def is_live(location: Location) -> bool:
    """Whether a location goes on telling where the person is."""
    return "live_period" in location.to_dict()  # the attribute itself warns of a change of its type


OFFERED = 4
MOST_ROUTES = 200
"""Routes of a town among which the chosen one is looked for."""


def _chosen(found: Sequence[RouteDistance], followed: Mapping[str, Any] | None) -> RouteDistance:
    wanted = followed["route"] if followed else None
    if wanted:
        for each in found:
            if [each.municipality, short(each.code)] == list(wanted):
                return each
    return found[0]


def _text(
    found: Sequence[RouteDistance], followed: Mapping[str, Any] | None, location: Location, _: Translator
) -> str:
    route = _chosen(found, followed)
    said = distance_from_route_sentence(route, error_of(location.horizontal_accuracy), _)
    moment = clock.now().astimezone(catalogue.municipality(route.municipality).zone)
    return "\n\n".join(
        [said, _("Posição das %(time)s; esta mensagem se atualiza.") % {"time": _.time(moment)}]
    )


def _choices(
    found: Sequence[RouteDistance], route: RouteDistance, location: Location, _: Translator
) -> InlineKeyboardMarkup:
    """The route itself, other routes to measure against and, only beyond the error, the ombudsman."""
    ibge = catalogue.municipality(route.municipality).ibge_code
    buttons = [button(_("Ver roteiro e horários"), "itinerary", ibge, short(route.code))]
    buttons += [
        button(_("Medir por: %(name)s") % {"name": each.name_in(_.language)}, "live", ibge, short(each.code))
        for each in found
        if each.code != route.code
    ]
    if route.drawn and route.metres > error_of(location.horizontal_accuracy):
        buttons.append(button(_("Algo errado? Avise a ouvidoria"), "wish", "complain:off_route"))
    return column(buttons)


async def _edit(
    message: Message, followed: Mapping[str, Any], text: str, choices: InlineKeyboardMarkup | None
) -> bool:
    """Put a new text into the answer; False once it is gone."""
    try:
        await message.get_bot().edit_message_text(
            text, chat_id=message.chat_id, message_id=followed["answer"], reply_markup=choices
        )
    except BadRequest as error:
        return "not modified" in error.message.lower()
    return True
