"""The menu: what the bot can do, one button each."""

from telegram import InlineKeyboardMarkup

from bot.keyboards import button, column
from portal.i18n import Translator

COMMANDS = (
    "inicio",
    "verificar",
    "pontos",
    "reclamar",
    "acompanhar",
    "idioma",
    "cancelar",
    "parar",
    "apagar",
    "ajuda",
)


IN_GROUPS = ("verificar", "pontos")
"""What is answered before everybody; the rest is between the bot and one person."""


def description(_: Translator) -> str:
    """What stands in an empty chat, before anything is said; at most 512 characters."""
    return _(
        "Envie a placa e eu digo se o transporte é autorizado. Envie sua localização e eu mostro de onde sai e a que "
        "horas. E levo sua manifestação à ouvidoria, anônima se você quiser. Em perigo, ligue 190."
    )


def short_description(_: Translator) -> str:
    """What stands on the bot's profile and beside a shared link; at most 120 characters."""
    return _("Transporte autorizado? De onde sai? Fale com a ouvidoria.")


def main(_: Translator) -> InlineKeyboardMarkup:
    return column(
        [
            button(_("Verificar um veículo"), "menu", "verificar"),
            button(_("Pontos e horários"), "menu", "pontos"),
            button(_("Denunciar transporte sem autorização"), "menu", "denunciar"),
            button(_("Reclamar, sugerir ou elogiar"), "menu", "reclamar"),
            button(_("Acompanhar manifestação"), "menu", "acompanhar"),
            button(_("Seus direitos"), "menu", "direitos"),
            button(_("Idioma · Language"), "menu", "idioma"),
        ]
    )


def emergency_numbers(_: Translator) -> str:
    """Whom to call in danger, before anything is told to the bot."""
    return _("190 polícia · 192 SAMU · 180 violência contra a mulher · 100 direitos humanos")


def described(_: Translator) -> list[tuple[str, str]]:
    """Each command with what Telegram writes beside it."""
    says = {
        "inicio": _("Menu"),
        "verificar": _("Verificar um veículo"),
        "pontos": _("Pontos e horários"),
        "reclamar": _("Reclamar, sugerir ou elogiar"),
        "acompanhar": _("Acompanhar manifestação"),
        "idioma": _("Idioma · Language"),
        "cancelar": _("Cancelar o que está em andamento"),
        "parar": _("Parar de receber avisos"),
        "apagar": _("Apagar o que o robô sabe de mim"),
        "ajuda": _("Ajuda"),
    }
    return [(name, says[name]) for name in COMMANDS]
