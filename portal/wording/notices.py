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


def anchor_subject(town: str, _: Translator) -> str:
    return _("Âncora do registro de atos de %(town)s") % {"town": town}


def anchor_text(line: str, _: Translator) -> str:
    """The letter that proves, should it ever be needed, that the log of today was not changed later."""
    return _(
        "Guarde esta mensagem. "
        "Com a linha abaixo se prova que o registro de atos da mesa não foi alterado depois de hoje:\n\n"
        "%(line)s\n\n"
        "Para conferir: portal desk verify-log --anchor ARQUIVO"
    ) % {"line": line}


def channel_word(kind: str, _: Translator) -> str:
    """The way a notice goes, as the desk reads it."""
    match kind:
        case "mail":
            return _("E-mail")
        case "telegram":
            return _("Telegram")
        case "anchor":
            return _("Âncora do registro de atos")
    return kind


def failure_phrase(failure: str, _: Translator) -> str:
    """What the last try came to; the error itself may hold an address, so only its kind is known."""
    match failure:
        case "Undeliverable":
            return _("O endereço não existe mais ou recusa os avisos.")
        case "UnreadableBox":
            return _("Nenhuma chave do serviço de entrega abre o endereço.")
    return _("O outro lado não respondeu (%(error)s).") % {"error": failure or "?"}
