"""What a notice says: that there is news, and nothing of the complaint itself."""

from portal.i18n import Translator


def news_subject(protocol: str, _: Translator) -> str:
    return _("Há novidade na manifestação %(protocol)s") % {"protocol": protocol}


def news_text(protocol: str, address: str, _: Translator) -> str:
    """The same words by mail and by Telegram; the link carries no key."""
    return _(
        "Há novidade na manifestação %(protocol)s.\n\n"
        "Para ler, abra %(address)s e digite o protocolo e a sua chave de acesso."
    ) % {"protocol": protocol, "address": address}
