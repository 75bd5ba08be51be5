"""Articles as people cite them. What an instrument calls its parts stays in its own language."""

from functools import reduce

from portal.i18n import Translator


def article_words(article: str, _: Translator) -> str:
    """An article as the catalogue keeps it, ``art. 4º e art. 13``, its parts joined in the reader's language."""
    # Tradutores: liga dois artigos de uma norma, como em “art. 4º e art. 13”
    return reduce(
        lambda first, second: _("%(first)s e %(second)s") % {"first": first, "second": second},
        article.split(" e "),
    )
