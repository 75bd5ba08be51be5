"""Parts of a page that say the same to everybody, such as its footer: rendered once, and then kept.

Never an answer: what is kept depends on the law, the town, the language and the templates alone.
"""

from collections.abc import Callable, Hashable
from functools import lru_cache

from flask import Flask
from markupsafe import Markup

from portal.pages.exchange import asked
from portal.pages.languages import current_translator
from portal.regulations import catalogue

MOST_KEPT = 2000


def keep_parts(app: Flask) -> None:
    """Give templates ``kept_part`` and ``once``.

    ``{% call kept_part("footer", town.slug) %}…{% endcall %}``: the name and everything else that the part depends
    on, apart from its language, which is always part of the key.

    ``{% set icon = once(macro) %}``: a macro that depends on nothing but its arguments.
    """
    parts: dict[tuple[Hashable, ...], Markup] = {}

    def kept_part(*key: Hashable, caller: Callable[[], Markup]) -> Markup:
        request = asked()
        spoken = current_translator()
        whole = (key, spoken, request.explicit_language, catalogue.current())
        part = parts.get(whole)
        if part is None:
            part = caller()
            if not app.debug:  # who is at work on a template wants to see it change
                if len(parts) >= MOST_KEPT:
                    parts.clear()
                parts[whole] = part
        return part

    app.jinja_env.globals.update(
        kept_part=kept_part, once=lru_cache(maxsize=500, typed=True)
    )  # Markup is not the text it equals
