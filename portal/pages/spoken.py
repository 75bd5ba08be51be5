"""Templates as each language speaks them: compiled once a language, with their sentences as constants.

A page says some fifty sentences, and nearly all of them are known when its template is compiled. Looked up as it is
rendered, they cost more than everything that is particular to the page.
"""

import re
from collections.abc import Callable, MutableMapping
from keyword import iskeyword
from typing import Any, cast

from flask import has_request_context
from flask.templating import Environment
from jinja2 import BytecodeCache, Template, nodes
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.runtime import Context, markup_join
from jinja2.utils import _PassArg
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

from portal.i18n import Translator, translator
from portal.pages.languages import current_translator


class SpokenTemplates(Environment):
    """Hands out each template in the language of the request; outside of one, its sentences are looked up."""

    speaker: Translator | None = None
    _speaking: dict[str, "SpokenTemplates"]
    _ready: dict[str, Template]

    def in_language(self, language: str) -> "SpokenTemplates":
        """The same templates, compiled for one language."""
        if "_speaking" not in self.__dict__:
            self._speaking = {}
        found = self._speaking.get(language)
        if found is None:
            speaker = translator(language)
            kept = self.bytecode_cache
            found = self.overlay(bytecode_cache=_InLanguage(kept, language) if kept else None)
            found.speaker = speaker
            found.filters = {
                name: _bound(said.said, speaker) if isinstance(said, Spoken) else said
                for name, said in self.filters.items()
            }
            found._ready = {}
            self._speaking[language] = found
        return found

    def _load_template(self, name: str, globals: MutableMapping[str, Any] | None) -> Template:
        if self.speaker is None:
            if not has_request_context():
                return super()._load_template(name, globals)
            return self.in_language(current_translator().language)._load_template(name, globals)
        # Jinja's own cache counts who was used last, under a lock: for each component of each page.
        ready = self._ready.get(name)
        if ready is None or self.auto_reload:
            ready = self._ready[name] = super()._load_template(name, globals)
        return ready

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


class Spoken:
    """A filter whose function takes the translator last: ``said(value, …, translator)``."""

    def __init__(self, said: Callable[..., Any]) -> None:
        self.said = said

    def __call__(self, *args: Any) -> Any:
        return self.said(*args, current_translator())


def _bound(said: Callable[..., Any], speaker: Translator) -> Callable[..., Any]:
    """A spoken filter in one language: nothing is left to find out."""
    return lambda *args: said(*args, speaker)


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


class _Code(CodeGenerator):
    """Writes pages as Jinja does, without what only templates of others need."""

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        # Jinja asks every function at every call whether it wants the context: ours say so by their name.
        called = node.node
        known: Any = self.environment.globals.get(called.name) if isinstance(called, nodes.Name) else None
        keywords = any(iskeyword(pair.key) for pair in node.kwargs)
        if _PassArg.from_obj(known) or node.dyn_args or node.dyn_kwargs or keywords:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(called, frame)
        self.write("(")
        for given in (*node.args, *node.kwargs):
            self.visit(given, frame)
            self.write(", ")
        self.write("caller=caller)" if forward_caller else ")")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        # Jinja's way, which also looks for an item of that name, is only gone where there is no such attribute.
        named = node.node
        while isinstance(named, nodes.Getattr):
            named = named.node
        if not isinstance(named, nodes.Name):  # what has to be found out first is found out once
            super().visit_Getattr(node, frame)
            return
        self.write("(l_got if (l_got := getattr(")
        self.visit(node.node, frame)
        self.write(f", {node.attr!r}, missing)) is not missing else ")
        super().visit_Getattr(node, frame)
        self.write(")")

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super().visit_Concat(node, frame)
            return
        self.write("environment.joined((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile and finalize.src is None:
            self.write("environment.escaped(")
        else:
            super()._output_child_pre(node, frame, finalize)


_SPECIAL = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#39;", '"': "&#34;"})


def escaped(value: Any) -> str:
    """As markupsafe's ``escape``; text that is only joined to its neighbours need not become a `Markup` first."""
    kind = type(value)
    if kind is str:
        return value.translate(_SPECIAL)  # type: ignore[no-any-return]
    return value if kind is Markup else escape(value)


def joined(parts: tuple[Any, ...]) -> str:
    """As Jinja's ``markup_join``: nearly always text and nothing else, such as the parts of an address."""
    for part in parts:
        if type(part) is not str:
            return markup_join(parts)
    return "".join(parts)


SpokenTemplates.code_generator_class = _Code
SpokenTemplates.escaped = staticmethod(escaped)  # type: ignore[attr-defined]
SpokenTemplates.joined = staticmethod(joined)  # type: ignore[attr-defined]


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
