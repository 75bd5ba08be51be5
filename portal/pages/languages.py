"""The language of a request: explicit ``?lang=``, then the cookie, then what the browser accepts."""

from typing import Any

from flask import Flask, g, request

from portal.i18n import Translator, language_of, negotiate, translator

COOKIE = "lang"


def current_translator() -> Translator:
    """The translator of this request; a view passes it on to ``portal.wording``."""
    if "translator" not in g:
        explicit = request.args.get("lang")
        g.explicit_language = language_of(explicit)
        accepted = [tag for tag, _quality in request.accept_languages]
        g.translator = translator(negotiate(explicit, request.cookies.get(COOKIE), accepted=accepted))
    return g.translator  # type: ignore[no-any-return]


def speak_languages(app: Flask) -> None:
    """Give templates ``_``, ``ngettext`` and ``translator``, and keep an explicit language in every link."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        lambda message: current_translator()(message),  # noqa: PLW0108  # the language is asked anew each time
        lambda singular, plural, n: current_translator().ngettext(singular, plural, n),
        newstyle=True,
    )

    @app.context_processor
    def _translator() -> dict[str, Any]:
        return {"translator": current_translator()}

    @app.url_defaults
    def _keep_language(endpoint: str, values: dict[str, Any]) -> None:
        if g and g.get("explicit_language") and endpoint not in ("static", "vendor"):
            values.setdefault("lang", translator(g.explicit_language).tag)
