"""Files that go with a complaint: what is taken, why one is not, what it said of itself."""

from datetime import datetime

from portal.domain.errors import FileRefused
from portal.domain.evidence import FILE_LIMIT, MEGABYTES, EvidenceKind
from portal.i18n import Translator


def kinds_sentence(_: Translator) -> str:
    """What can be sent, with the limit of each kind."""
    return _(
        "Até %(count)s arquivos: fotos (JPEG, PNG, WebP ou HEIC, até %(photo)s MB cada), PDF (até %(document)s MB), "
        "áudio (até %(audio)s MB) ou vídeo curto (até %(video)s MB)."
    ) % {
        "count": _.number(FILE_LIMIT),
        "photo": _.number(MEGABYTES[EvidenceKind.PHOTO]),
        "document": _.number(MEGABYTES[EvidenceKind.DOCUMENT]),
        "audio": _.number(MEGABYTES[EvidenceKind.AUDIO]),
        "video": _.number(MEGABYTES[EvidenceKind.VIDEO]),
    }


def cleaning_sentence(_: Translator) -> str:
    """What becomes of what a file says of its sender."""
    return _(
        "Apagamos dos arquivos o lugar, a data e o aparelho. À ouvidoria dizemos só se a data ou o lugar não combinam "
        "com o que você contou."
    )


def bystanders_sentence(_: Translator) -> str:
    return _(
        "Pense em quem aparece: mostre o veículo e a placa, e evite rostos, crianças e vozes de quem não tem a ver."
    )


def files_kept(count: int, _: Translator) -> str:
    if not count:
        return _("Nenhum arquivo")
    return _.ngettext("%(count)s arquivo guardado", "%(count)s arquivos guardados", count) % {
        "count": _.number(count)
    }


def sealed_sentence(name: str, _: Translator) -> str:
    """Told to the person when a recording could not be cleaned."""
    return _(
        "Não deu para apagar os dados escondidos de “%(name)s”. Lacramos o arquivo: só a ouvidoria consegue abrir. "
        "Se preferir, tire-o."
    ) % {"name": name}


def sealed_for_good_sentence(name: str, _: Translator) -> str:
    """The same of a file that lies with a filed complaint, from which nothing is taken out again."""
    return _(
        "Não deu para apagar os dados escondidos de “%(name)s”. Lacramos o arquivo: só a ouvidoria consegue abrir."
    ) % {"name": name}


def too_big_for_a_case(name: str, limit: int, address: str, _: Translator) -> str:
    """``limit`` in megabytes, ``address`` of the page where a filed complaint is opened with its key."""
    return _(
        "O Telegram só me entrega arquivos de até %(limit)s MB. Envie “%(name)s” pelo site, com o protocolo e a "
        "chave: %(address)s"
    ) % {"limit": _.number(limit), "name": name, "address": address}


def too_big_for_telegram(name: str, limit: int, address: str, _: Translator) -> str:
    """``limit`` in megabytes, ``address`` of the page that takes the file for this complaint alone."""
    return _(
        "O Telegram só me entrega arquivos de até %(limit)s MB. Envie “%(name)s” por este endereço, que vale por um "
        "dia e só para esta manifestação:\n%(address)s\nDepois volte aqui e continue."
    ) % {"limit": _.number(limit), "name": name, "address": address}


def moment_offer(moment: datetime, _: Translator) -> str:
    """A file's own date, offered as the answer to "when"; ``moment`` in the municipality's zone."""
    return _("O arquivo diz %(moment)s: usar?") % {"moment": _.datetime(moment)}


def place_offer(_: Translator) -> str:
    return _("O arquivo diz onde foi feito: usar esse lugar?")


def nothing_told(_: Translator) -> str:
    """Absence is said aloud: the person need not wonder whether it was read."""
    return _("O arquivo não traz data nem lugar: vale o que você respondeu.")


def refusal_sentence(problem: FileRefused, _: Translator) -> str:
    """Why a file is not taken, and what to do instead; the others stay."""
    name, limit = problem.name, problem.limit
    match problem.why:
        case "not_sent":
            return _("Ao trocar o idioma, os arquivos escolhidos não foram enviados. Escolha-os de novo.")
        case "empty":
            return _("Arquivo vazio: “%(name)s”. Os outros continuam aqui.") % {"name": name}
        case "too_large":
            return _too_large(problem, _)
        case "too_many_pixels":
            return _(
                "“%(name)s” é uma imagem grande demais. Envie uma cópia menor ou uma captura de tela."
            ) % {"name": name}
        case "too_heavy":
            return _(
                "“%(name)s” ocupa memória ou tempo demais ao abrir. Envie uma cópia menor ou uma captura de tela."
            ) % {"name": name}
        case "heic":
            return _(
                "“%(name)s” está no formato HEIC do iPhone, que não abrimos aqui. "
                "Envie uma captura de tela da foto, ou escolha “Mais compatível” nos ajustes da câmera."
            ) % {"name": name}
        case "not_taken":
            return _("“%(name)s” não é um arquivo que recebemos. Envie foto, PDF, áudio ou vídeo.") % {
                "name": name
            }
        case "pdf_locked":
            return _("“%(name)s” tem senha. Envie uma cópia sem senha, ou fotos das páginas.") % {
                "name": name
            }
        case "too_many_pages":
            return _("“%(name)s” passa de %(limit)s páginas. Envie só as que importam.") % {
                "name": name,
                "limit": _.number(limit or 0),
            }
        case "not_kept":
            return _(
                "Não deu para guardar “%(name)s” agora; o resto continua aqui. Tente de novo daqui a pouco, "
                "ou siga sem o arquivo."
            ) % {"name": name}
        case "none":
            return _("Escolha um arquivo antes de enviar.")
        case "no_key":
            return _(
                "Não deu para apagar os dados escondidos de “%(name)s”, e por isso não o guardamos. Grave de novo em "
                "outro formato ou conte por escrito."
            ) % {"name": name}
        case "too_many":
            return _("Cabem até %(limit)s arquivos. Tire um para pôr outro.") % {
                "limit": _.number(limit or 0)
            }
        case _why:
            return _(
                "Não conseguimos abrir “%(name)s”: o arquivo está com defeito. Envie de novo ou escolha outro."
            ) % {"name": name}


def _too_large(problem: FileRefused, _: Translator) -> str:
    gaps = {"name": problem.name, "limit": _.number(problem.limit or 0)}
    match problem.kind:
        case EvidenceKind.PHOTO:
            return _("“%(name)s” passa de %(limit)s MB. Envie uma foto menor.") % gaps
        case EvidenceKind.DOCUMENT:
            return _("“%(name)s” passa de %(limit)s MB. Envie um PDF menor, ou fotos das páginas.") % gaps
        case EvidenceKind.AUDIO:
            return _("“%(name)s” passa de %(limit)s MB. Envie um áudio mais curto.") % gaps
        case _kind:
            return _("“%(name)s” passa de %(limit)s MB. Envie um vídeo mais curto.") % gaps
