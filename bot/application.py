"""The bot's table of contents: everything it answers, in the order in which it is tried."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from telegram import BotCommand, BotCommandScopeAllGroupChats, MenuButtonCommands, Update
from telegram.ext import (
    Application,
    BaseHandler,
    CallbackQueryHandler,
    ChatMemberHandler,
    CommandHandler,
    ContextTypes,
    InlineQueryHandler,
    MessageHandler,
    TypeHandler,
    filters,
)
from telegram.request import BaseRequest

from bot import menu
from bot.context import BotApplication, BotContext
from bot.errors import on_error
from bot.handlers import (
    cards,
    complaints,
    consent,
    fallback,
    farewell,
    groups,
    inline,
    itineraries,
    language,
    live,
    photos,
    rights,
    start,
    texts,
    tracking,
    verification,
    wishes,
)
from bot.keyboards import pressed
from bot.sending import PatientLimiter
from portal.config import Settings
from portal.i18n import LANGUAGES, SOURCE, translator

Callback = Callable[[Update, BotContext], Coroutine[Any, Any, None]]
Handler = BaseHandler[Update, BotContext, None]

NEW = filters.UpdateType.MESSAGE
EDITED = filters.UpdateType.EDITED_MESSAGE
PRIVATE = filters.ChatType.PRIVATE
FILES = (
    filters.PHOTO | filters.Document.ALL | filters.VOICE | filters.AUDIO | filters.VIDEO | filters.VIDEO_NOTE
)


def build_application(
    settings: Settings,
    *,
    token: str | None = None,
    request: BaseRequest | None = None,
    limiter: PatientLimiter | None = None,
) -> BotApplication:
    """The application with every handler, neither started nor connected.

    Args:
        token: of the bot; by default the one in the settings.
        request: how Telegram is reached; by default over HTTPS. The terminal and the tests give their own.
        limiter: by default Telegram's limits, shared by the processes that the settings tell of.
    """
    if token is None:
        assert settings.telegram_bot_token, "a bot needs TELEGRAM_BOT_TOKEN"
        token = settings.telegram_bot_token.get_secret_value()
    builder = (
        Application.builder()
        .token(token)
        .updater(None)  # updates come through the inbox
        .context_types(ContextTypes(context=BotContext))
        .rate_limiter(limiter or PatientLimiter(processes=settings.telegram_bot_processes))
        .base_url(settings.telegram_base_url + "/bot")
        .base_file_url(settings.telegram_base_url + "/file/bot")
    )
    if request:
        builder = builder.request(request).get_updates_request(request)
    else:
        patience = settings.telegram_timeout
        builder = builder.connect_timeout(patience).read_timeout(patience).write_timeout(patience)
    application: BotApplication = builder.build()  # type: ignore[assignment]
    application.add_handlers(handlers())
    application.add_error_handler(on_error)
    return application


class Buttons(CallbackQueryHandler[BotContext, None]):
    """Every button of the bot: its first word names who answers, one look instead of a pattern each."""

    def __init__(self, by_word: Mapping[str, Callback], *, otherwise: Callback) -> None:
        super().__init__(self._press)
        self.by_word, self._otherwise = by_word, otherwise

    async def _press(self, update: Update, context: BotContext) -> None:
        word = pressed(update, 1)[0]
        await self.by_word.get(word, self._otherwise)(update, context)


def handlers() -> list[Handler]:
    return [
        # In a group: verdicts and timetables only; whatever is about a case goes to the private chat.
        *_in_groups(),
        # What always works, in the middle of anything.
        _command(start.welcome, "inicio", "start"),
        _command(start.help_, "ajuda", "help"),
        _command(cards.verify, "verificar"),
        _command(itineraries.places, "pontos"),
        _command(complaints.begin, "reclamar"),
        _command(tracking.track, "acompanhar"),
        _command(language.ask, "idioma"),
        _command(complaints.cancel, "cancelar"),
        _command(farewell.stop, "parar"),
        _command(farewell.erase, "apagar"),
        # Buttons, by the first word of what they carry.
        Buttons(
            {
                "menu": start.choose,
                "lang": language.choose,
                "erase": farewell.confirm,
                "town": verification.choose_town,
                verification.PROOF: verification.prove_look_up,
                "itinerary": itineraries.show_itinerary,
                "stop": itineraries.show_stop,
                itineraries.RIDE: itineraries.show_rides,
                "list": itineraries.list_of_town,
                "live": live.choose,
                "rights": rights.choose,
                "wish": wishes.choose,
                complaints.CHOOSE: complaints.choose_town,
                complaints.MOVE: complaints.choose_town,
                "draft-elsewhere": complaints.elsewhere,
                "tell": complaints.from_verdict,
                "q": complaints.press,
                photos.REMOVE: photos.remove,
                photos.USE: photos.use,
                "case": tracking.choose,
                consent.WORD: consent.choose,
            },
            otherwise=fallback.old_button,
        ),
        # What people send.
        MessageHandler(NEW & filters.TEXT & ~filters.COMMAND, texts.read),
        MessageHandler(NEW & filters.LOCATION, itineraries.near),
        MessageHandler(NEW & FILES, photos.photo),
        MessageHandler(NEW & filters.CONTACT, fallback.contact),
        MessageHandler(EDITED & PRIVATE & (filters.TEXT | filters.CAPTION), texts.edited),
        MessageHandler(EDITED & PRIVATE & filters.LOCATION, live.moved),
        MessageHandler(NEW & PRIVATE & filters.COMMAND, fallback.unknown_command),
        MessageHandler(NEW & PRIVATE & ~filters.StatusUpdate.ALL, fallback.cannot_read),
        InlineQueryHandler(inline.answer),
        ChatMemberHandler(farewell.blocked, ChatMemberHandler.MY_CHAT_MEMBER),
        TypeHandler(Update, fallback.ignore),
    ]


async def introduce(application: BotApplication) -> None:
    """Tell Telegram commands and descriptions in every language, so that nobody has to learn one."""
    bot = application.bot
    for language_ in LANGUAGES:
        _ = translator(language_)
        code = None if language_ == SOURCE else language_
        commands = [BotCommand(name, words) for name, words in menu.described(_)]
        in_groups = [each for each in commands if each.command in menu.IN_GROUPS]
        await bot.set_my_commands(commands, language_code=code)
        await bot.set_my_commands(in_groups, scope=BotCommandScopeAllGroupChats(), language_code=code)
        await bot.set_my_description(menu.description(_), language_code=code)
        await bot.set_my_short_description(menu.short_description(_), language_code=code)
    await bot.set_chat_menu_button(menu_button=MenuButtonCommands())


def _in_groups() -> list[Handler]:
    group = NEW & filters.ChatType.GROUPS
    return [
        CommandHandler("verificar", cards.verify, filters=group),
        CommandHandler("pontos", itineraries.places, filters=group),
        CommandHandler([*menu.COMMANDS, "start", "help"], groups.go_private, filters=group),
        MessageHandler(group & ~filters.COMMAND, groups.read),
        MessageHandler(EDITED & filters.ChatType.GROUPS & (filters.TEXT | filters.CAPTION), groups.read),
        groups.PrivateButton(groups.hint),
    ]


def _command(callback: Callback, *names: str) -> Handler:
    return CommandHandler(list(names), callback, filters=NEW & PRIVATE)
