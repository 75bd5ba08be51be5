"""/pontos, a shared location, the name of a place: where vehicles leave from and when."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.orm import Session
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, KeyboardButton, ReplyKeyboardMarkup, Update

from bot.context import BotContext
from bot.drafts import show
from bot.handlers import complaints, live
from bot.keyboards import button, column, link, pressed, short, whole
from bot.replies import nod, say
from bot.timetables import itinerary_text, list_text, nearby_text, rides_text, stop_text
from bot.towns import town_buttons, town_of
from portal import clock
from portal.config import settings
from portal.domain.errors import NothingHere
from portal.domain.geo import typed_position
from portal.regulations import catalogue
from portal.regulations.catalogue import today_in
from portal.regulations.municipalities import Municipality
from portal.services.itineraries.answers import ItineraryView, StopView
from portal.services.itineraries.departures import destinations, next_leaving
from portal.services.itineraries.places import PlaceMatch, find_places
from portal.services.itineraries.showing import list_itineraries, list_stops, nearest_boarding_points
from portal.services.itineraries.showing import show_itinerary as read_itinerary
from portal.services.itineraries.showing import show_stop as read_stop

RIDE = "ride"
MOST_CHOICES = 8
"""Buttons under one message; more than a phone shows at once helps nobody."""


async def places(update: Update, context: BotContext) -> None:
    """/pontos: the person's location, a name after the command, or a town from the list."""
    _ = context.translator
    text = " ".join(context.args or [])
    if text:
        if not await find(update, context, text):
            await say(
                update, _("Não achei nenhum lugar com esse nome. Escolha o município:"), _towns(context)
            )
        return
    if update.effective_chat and update.effective_chat.type == "private":
        here = ReplyKeyboardMarkup(
            [[KeyboardButton(_("Enviar minha localização"), request_location=True)]],
            one_time_keyboard=True,
            resize_keyboard=True,
        )
        await say(
            update, _("Toque para enviar a sua localização, ou escreva um bairro, uma praia, um ponto."), here
        )
    await say(update, _("Ou escolha o município:"), _towns(context))


async def near(update: Update, context: BotContext) -> None:
    """A shared location: the answer to “where?” in a complaint, otherwise the nearest boarding points."""
    location = update.message.location if update.message else None
    assert location  # the filter lets only locations through
    if await complaints.located(update, context, location.latitude, location.longitude):
        return
    if not (live.is_live(location) and _is_private(update) and await live.begin(update, context, location)):
        await _say_nearest(update, context, location.latitude, location.longitude)
    if context.remembered.draft:
        await show(update, context)


async def find(update: Update, context: BotContext, text: str) -> bool:
    """Answer with what is called so, or lies near a position so written; False when nothing does."""
    if here := typed_position(text):
        await _say_nearest(update, context, *here)
        return True
    towns = [town.slug for town in catalogue.municipalities()]
    if context.municipality:
        towns.sort(key=lambda slug: slug != context.municipality)
    for slug in towns:
        found = await context.run(find_places, slug, text, limit=MOST_CHOICES)
        if found:
            await _say_found(update, context, catalogue.municipality(slug), found)
            return True
    return False


async def list_of_town(update: Update, context: BotContext) -> None:
    """A town's itineraries, those authorised first, and where boarding is by the application only."""
    await nod(update)
    town = town_of(pressed(update, 2)[1])
    await context.remember(municipality=town.slug)
    await say_list(update, context, town)


async def say_list(update: Update, context: BotContext, town: Municipality) -> None:
    """The itineraries of a town with their next departures, and a button for each of them and for the stops."""
    _ = context.translator
    listed = await context.run(list_itineraries, town.slug, on=today_in(town), at=clock.now())
    buttons = [
        button(each.name_in(_.language), "itinerary", town.ibge_code, short(each.code))
        for each in listed.itineraries[:MOST_CHOICES]
    ]
    stops = await context.run(list_stops, town.slug)
    buttons += [
        _stop_button(town, stop.code, stop.name) for stop in stops.stops[: MOST_CHOICES - len(buttons) + 2]
    ]
    await say(update, list_text(listed, clock.now(), _), column(buttons) if buttons else None)


async def show_itinerary(update: Update, context: BotContext) -> None:
    await nod(update)
    _word, ibge, carried = pressed(update, 3)
    await say_itinerary(update, context, town_of(ibge), carried)


async def say_itinerary(update: Update, context: BotContext, town: Municipality, carried: str) -> None:
    """An itinerary by its code, or what `short` made of it; raises ``NothingHere``."""
    view = await context.run(_itinerary, town.slug, carried, at=clock.now())
    _ = context.translator
    ends = [_stop_button(town, stop.code, stop.name) for stop in view.summary.ends]
    other = button(_("Todos os itinerários de %(town)s") % {"town": town.name}, "list", town.ibge_code)
    address = f"{settings().public_url}/{town.slug}/itinerarios/{view.summary.code}?lang={_.tag}"
    page = link(_("Ver a página toda"), address)  # the week's timetable, its map, what to take along
    await say(update, itinerary_text(view, _), column([*ends, page, other]))


async def show_stop(update: Update, context: BotContext) -> None:
    await nod(update)
    _word, ibge, carried = pressed(update, 3)
    await say_stop(update, context, town_of(ibge), carried)


async def say_stop(update: Update, context: BotContext, town: Municipality, carried: str) -> None:
    """A stop by its code, or what `short` made of it, and where it is on the map; raises ``NothingHere``."""
    view = await context.run(_stop, town.slug, carried, at=clock.now())
    _ = context.translator
    routes = [
        button(each.name_in(_.language), "itinerary", town.ibge_code, short(each.code))
        for each in view.itineraries[:MOST_CHOICES]
    ]
    ahead = await context.run(destinations, town.slug, view.stop.code, at=clock.now())
    rides = [
        button(f"→ {each.name}", RIDE, town.ibge_code, short(view.stop.code), short(each.code))
        for each in ahead[:MOST_CHOICES]
    ]
    choices = [*rides, *routes]
    await say(update, stop_text(view, _), column(choices) if choices else None)
    if update.effective_chat:
        await update.effective_chat.send_location(view.stop.latitude, view.stop.longitude)


async def show_rides(update: Update, context: BotContext) -> None:
    """From the stop that was shown to another: what leaves next, and when it arrives."""
    await nod(update)
    _word, ibge, carried, carried_to = pressed(update, 4)
    town, now = town_of(ibge), clock.now()
    view = await context.run(_stop, town.slug, carried, at=now)
    ahead = await context.run(destinations, town.slug, view.stop.code, at=now)
    to = next((each for each in ahead if short(each.code) == carried_to), None)
    if to is None:
        raise NothingHere(carried_to)
    found = await context.run(next_leaving, town.slug, at=now, stop=view.stop.code, to=to.code)
    _ = context.translator
    back = _stop_button(town, view.stop.code, view.stop.name)
    await say(update, rides_text(view, to, found, _), column([back]))


async def _say_nearest(update: Update, context: BotContext, latitude: float, longitude: float) -> None:
    _ = context.translator
    found = await context.run(nearest_boarding_points, latitude, longitude, at=clock.now())
    if not found:
        await say(update, _("Não há ponto de embarque perto daí. Escolha um município:"), _towns(context))
        return
    here = catalogue.municipality(found[0].stop.municipality)
    if context.municipality is None:
        await context.remember(municipality=here.slug)
    buttons = [
        _stop_button(catalogue.municipality(each.stop.municipality), each.stop.code, each.stop.name)
        for each in found
    ]
    if (
        context.municipality != here.slug
    ):  # remembered is another: this one is proposed, never put in its place
        words = _("Passar a falar de %(town)s") % {"town": f"{here.name} – {here.state}"}
        buttons.append(button(words, "list", here.ibge_code))
    await say(update, nearby_text(found, clock.now(), _), column(buttons))


async def _say_found(
    update: Update, context: BotContext, town: Municipality, found: Sequence[PlaceMatch]
) -> None:
    """One neighbourhood or sight: the points around it. One match: itself. Otherwise one button for each."""
    _ = context.translator
    first = found[0]
    if first.target == "place" and first.latitude is not None and first.longitude is not None:
        await say(update, _("Perto de %(place)s:") % {"place": first.name})
        await _say_nearest(update, context, first.latitude, first.longitude)
        return
    if len(found) == 1 and first.code and not first.by_slip:
        show = say_itinerary if first.target == "itinerary" else say_stop
        await show(update, context, town, first.code)
        return
    buttons: list[InlineKeyboardButton] = []
    for match in found:
        if match.target == "itinerary" and match.code:
            buttons.append(button(match.name_in(_.language), "itinerary", town.ibge_code, short(match.code)))
        elif match.target == "stop" and match.code:
            buttons.append(_stop_button(town, match.code, match.name))
    words = _("Você quis dizer…") if first.by_slip else _("Encontrei em %(town)s:") % {"town": town.name}
    await say(update, words, column(buttons))


def _itinerary(session: Session, municipality: str, carried: str, *, at: datetime) -> ItineraryView:
    if carried.startswith("~"):
        listed = list_itineraries(session, municipality, on=today_in(municipality))
        carried = _known(carried, [each.code for each in listed.itineraries])
    return read_itinerary(session, municipality, carried, at=at)


def _stop(session: Session, municipality: str, carried: str, *, at: datetime) -> StopView:
    if carried.startswith("~"):
        first = list_stops(session, municipality)
        codes = [stop.code for stop in first.stops]
        for page in range(2, first.pages + 1):
            codes += [stop.code for stop in list_stops(session, municipality, page=page).stops]
        carried = _known(carried, codes)
    return read_stop(session, municipality, carried, at=at)


def _known(carried: str, codes: list[str]) -> str:
    code = whole(carried, codes)
    if code is None:
        raise NothingHere(carried)
    return code


def _stop_button(town: Municipality, code: str, name: str) -> InlineKeyboardButton:
    return button(f"📍 {name}", "stop", town.ibge_code, short(code))


def _is_private(update: Update) -> bool:
    return update.effective_chat is not None and update.effective_chat.type == "private"


def _towns(context: BotContext) -> InlineKeyboardMarkup:
    return column(town_buttons("list", first=context.municipality))
