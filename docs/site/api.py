"""The API reference on the site: the names of docs/api_reference.py as objects that can be found and linked to."""

from __future__ import annotations

import builtins
import collections.abc
import typing
from collections.abc import Iterator

from docutils.nodes import Element
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

import api_reference
from api_reference import Entry

PAGE = "docs/guide/api-reference"
_DIRECTIVES = {"protocol": "class", "classmethod": "method"}
# Types that signatures name and the reference does not describe: those of other libraries, and of the inside.
_OF_OTHERS = {*vars(builtins), *typing.__all__, *collections.abc.__all__, "PathLike"}
_OF_OTHERS |= {"DataFrame", "Doc", "Example", "Vocab"}
_INSIDE = {
    "Amounts", "Array", "Bins", "Column", "Component", "DocumentRule", "Errors", "Features", "Finished", "Format",
    "Bytes", "CompiledRules", "PartScore", "RuleFile", "RuleSpan", "SentencePlaces",
    "InferenceStep", "Ints", "KnownClasses", "Layer", "LearnerSettings", "Longs", "Model", "PartStream", "PhraseReason",
    "ReadyModel", "SentenceLayout", "SentenceList", "State", "Summary", "Tagged", "TokenizerModel", "Tried",
    "WordReason",
}  # fmt: skip


def reference() -> str:
    """Markdown with a heading and an object for each name."""
    parts = [api_reference.HEAD]
    for title, entries in api_reference.sections().items():
        if title == "Other libraries":
            entries += [entry for library in api_reference.OF_LIBRARIES for entry in api_reference.of_library(library)]
        parts.append(f"## {title}\n")
        parts += [part for entry in entries for part in (f"### {entry.name}\n", *_object(entry, "::::"))]
    return "\n".join(parts)


def _object(entry: Entry, fence: str, owner: str = "") -> Iterator[str]:
    """The directive that describes a name; those of its members, which it owns, are inside."""
    name = owner.rpartition(".")[2]
    signature = entry.signature[entry.signature.index(f"{name}.") + len(name) + 1 :] if owner else entry.signature
    result = f" -> {owner if entry.result == name else entry.result}" if entry.is_called and entry.result else ""
    # Sphinx reads a signature as Python.
    yield f"{fence}{{py:{_DIRECTIVES.get(entry.kind, entry.kind)}}} {signature.replace('…', '...')}{result}"
    yield from _options(entry)
    yield f"\n{entry.text}\n"
    if entry.kind == "exception":
        yield f"A kind of `{entry.result}`.\n"
    if entry.raises:
        yield f"Raises {entry.raises}.\n"
    for member in entry.members:
        yield from _object(member, fence[:-1], entry.path)
    yield f"{fence}\n"


def _options(entry: Entry) -> Iterator[str]:
    if entry.path.startswith("perceptag"):
        yield ":no-contents-entry:"  # its heading is there
    if entry.kind == "property":
        yield f":type: {entry.result}"
    if entry.kind == "type":
        yield f":canonical: {entry.result}"
    if entry.kind == "classmethod":
        yield ":classmethod:"


def _write(_app: Sphinx, docname: str, source: list[str]) -> None:
    if docname == PAGE:
        source[0] = reference()


def _resolve(_app: Sphinx, env: BuildEnvironment, node: pending_xref, text: Element) -> Element | None:
    """Types stand in signatures by their last name alone: link to the object of that name, if it is described."""
    if node.get("refdomain") != "py":
        return None
    name = node["reftarget"].rpartition(".")[2]
    for path, found in env.domains.python_domain.objects.items():
        if path.rpartition(".")[2] == name and found.objtype in ("class", "exception", "type"):
            return env.domains.python_domain.resolve_xref(env, node["refdoc"], _app.builder, "class", path, node, text)
    return text if name in _OF_OTHERS | _INSIDE else None


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", _write)
    app.connect("missing-reference", _resolve)
    app.connect("env-get-outdated", lambda *_: [PAGE])
    return {"parallel_read_safe": True, "parallel_write_safe": True}
