"""Templates as each language speaks them: compiled once a language, with their sentences as constants.

A page says some fifty sentences, and nearly all of them are known when its template is compiled. Looked up as it is
rendered, they cost more than everything that is particular to the page.
"""

import re
from collections.abc import MutableMapping
from typing import Any, cast

from flask import has_request_context
from flask.templating import Environment
from jinja2 import BytecodeCache, Template, nodes
from jinja2.bccache import Bucket
from jinja2.environment import TemplateModule
from jinja2.runtime import Context
from jinja2.visitor import NodeTransformer

from portal.i18n import Translator, translator
from portal.pages.languages import current_translator


class SpokenTemplates(Environment):
    """Hands out each template in the language of the request; outside of one, its sentences are looked up."""

    speaker: Translator | None = None
    _speaking: dict[str, "SpokenTemplates"] = {}  # noqa: RUF012  # each app sets its own

    def in_language(self, language: str) -> "SpokenTemplates":
        """The same templates, compiled for one language."""
        if "_speaking" not in self.__dict__:
            self._speaking = {}
        found = self._speaking.get(language)
        if found is None:
            found = self.overlay(
                bytecode_cache=self.bytecode_cache and _InLanguage(self.bytecode_cache, language),
            )
            found.speaker = translator(language)
            self._speaking[language] = found
        return found

    def _load_template(self, name: str, globals: MutableMapping[str, Any] | None) -> Template:
        if self.speaker is None and has_request_context():
            return self.in_language(current_translator().language)._load_template(name, globals)
        return super()._load_template(name, globals)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        escaped = self.autoescape(name) if callable(self.autoescape) else self.autoescape
        if self.speaker is not None and escaped:
            _Sentences(self.speaker).visit(tree)
        return tree

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        # No template of ours has globals of its own, so that all share one plain dictionary: a ChainMap of two is
        # searched at every import of a macro and copied at every page.
        return super().make_globals(d) if d else self.globals


class Component(Template):
    """A template whose macros are imported once, and not compared with each context anew: all see the same globals."""

    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:
        if self._module is None:
            self._module = self.make_module()
        return self._module


_GAP = re.compile(r"%(?:\((\w+)\)s|(%))")


class _Sentences(NodeTransformer):
    """Puts the words of one language in the place of ``_("…")``; what fills a gap stands between them."""

    def __init__(self, speaker: Translator) -> None:
        self.speaker = speaker

    def visit_Call(self, node: nodes.Call) -> nodes.Node:
        self.generic_visit(node)
        if not (
            isinstance(node.node, nodes.Name)
            and node.node.name == "_"
            and len(node.args) == 1
            and isinstance(node.args[0], nodes.Const)
            and node.dyn_args is None
            and node.dyn_kwargs is None
        ):
            return node
        gaps = {pair.key: pair.value for pair in node.kwargs}
        said = self.speaker.gettext(node.args[0].value)
        parts: list[nodes.Expr] = []
        words, end = "", 0
        for found in _GAP.finditer(said):
            words += said[end : found.start()]
            end = found.end()
            if found[2]:
                words += "%"
            elif found[1] in gaps:
                parts += [nodes.TemplateData(words), gaps[found[1]]]
                words = ""
            else:
                return node  # whoever renders it hears of the missing gap
        if "%" in _GAP.sub("", said):
            return node
        parts.append(nodes.TemplateData(words + said[end:]))
        whole = parts[0] if len(parts) == 1 else nodes.Concat(parts)
        whole.set_environment(cast(Environment, node.environment))
        return whole.set_lineno(node.lineno, override=True)

    def visit_Output(self, node: nodes.Output) -> nodes.Node:
        self.generic_visit(node)
        node.nodes = [part for child in node.nodes for part in _apart(child)]
        return node


def _apart(said: nodes.Expr) -> list[nodes.Expr]:
    """What is joined only to be written is written part by part: each is escaped alike."""
    return [one for part in said.nodes for one in _apart(part)] if isinstance(said, nodes.Concat) else [said]


class _InLanguage(BytecodeCache):
    """Compiled templates of one language, kept in a cache that does not know of languages."""

    def __init__(self, inner: BytecodeCache, language: str) -> None:
        self.inner, self.language = inner, language

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return f"{super().get_cache_key(name, filename)}-{self.language}"

    def load_bytecode(self, bucket: Bucket) -> None:
        self.inner.load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.inner.dump_bytecode(bucket)
