"""INCEpTION's external recommender.

    POST /adapters/inception/TOKEN/predict   {metadata, document: {xmi}, typeSystem} → {document: XMI with predictions}
    POST /adapters/inception/TOKEN/train     {metadata, documents: [{xmi}], typeSystem} → 204

The protocol is that of https://github.com/inception-project/inception-external-recommender (ariadne/protocol.py,
ariadne/server.py). INCEpTION sends no header with a token, so the address has it. Only sentences with a label are
learned from: INCEpTION does not say which of the others have been reviewed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from perceptag.server.access import require
from perceptag.server.problems import HttpProblem, too_much
from perceptag.server.request_body import BodyKey, parse_json, read_keys
from perceptag.server.routes import endpoint, json_reply, read_body
from perceptag.workbench.adapters.keeping import (
    AnnotationIndex,
    Cut,
    ToolLabels,
    keep,
    labels_of,
    marks_of,
    proposals_for,
)
from perceptag.workbench.adapters.safe_xml import parse_xml
from perceptag.workbench.adapters.xmi import SCORE, SENTENCE, TOKEN, Annotation, XmiDocument
from perceptag.workbench.bench import BenchEndpoints

DOCUMENTS = 1_000  # of a request
LAYER = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")  # a name with its package
_TYPES = "{http://uima.apache.org/resourceSpecifier}"
ASKED = {
    "metadata": BodyKey(dict, "an object with layer and feature"),
    "document": BodyKey(dict, "an object with xmi"),
    "documents": BodyKey(list, "a list of objects with xmi", (), lambda v: all(isinstance(one, dict) for one in v)),
    "typeSystem": BodyKey(str, "a type system in XML", ""),
}


class InceptionRoutes(BenchEndpoints):
    """Answers INCEpTION."""

    @endpoint("POST /adapters/inception/{token}/predict")
    async def predict(self, request: Request) -> Response:
        """Propose labels for a document."""
        require(request, "read")
        keys, layer, feature = await self._asked(request)
        xmi = _xmi(keys["document"] or {})

        def work() -> dict[str, str]:
            document = XmiDocument(xmi)
            has_score = has_feature(keys["typeSystem"], layer, f"{feature}{SCORE}")
            document.add(layer, feature, self._predicted(document, has_score))
            return {"document": document.to_text()}

        return json_reply(await self.bench.service.in_thread(work))

    def _predicted(self, document: XmiDocument, has_score: bool) -> Iterator[Annotation]:
        cuts = list(cuts_of(document))
        for cut, proposal in zip(cuts, proposals_for(self.bench, cuts), strict=True):
            for mark in marks_of(cut, proposal):
                yield mark if has_score else Annotation(mark.begin, mark.end, mark.label)

    @endpoint("POST /adapters/inception/{token}/train")
    async def train(self, request: Request) -> Response:
        """Keep the labels of documents, and learn from them."""
        person = require(request, "annotate")
        keys, layer, feature = await self._asked(request)
        if len(keys["documents"]) > DOCUMENTS:
            raise too_much("documents", DOCUMENTS, len(keys["documents"]))
        texts = [_xmi(one) for one in keys["documents"]]
        found = await self.bench.service.in_thread(
            lambda: [k for xmi in texts for k in self._kept(xmi, layer, feature)]
        )
        await keep(self.bench, found, "inception", person)
        return Response(b"", 204)

    def _kept(self, xmi: str, layer: str, feature: str) -> Iterator[ToolLabels]:
        document = XmiDocument(xmi)
        marked = AnnotationIndex(a for a in document.annotations(layer, feature) if a.label)
        for cut in cuts_of(document):
            here = marked.inside(cut)
            labels = labels_of(cut, here, self.bench.project.kind) if here else None
            if labels is not None:
                yield ToolLabels(cut.tokens, labels)

    async def _asked(self, request: Request) -> tuple[dict[str, Any], str, str]:
        data = await read_body(self.bench.service, request, "application/json")
        body = parse_json(data)
        known = {name: body[name] for name in ASKED if name in body} if isinstance(body, dict) else body
        keys = read_keys(known, ASKED)
        metadata = keys["metadata"] or {}
        layer, feature = metadata.get("layer"), metadata.get("feature")
        if not isinstance(layer, str) or not isinstance(feature, str) or not layer or not feature:
            raise HttpProblem(422, "metadata: expected the names of a layer and a feature, found none")
        if not LAYER.fullmatch(layer):
            raise HttpProblem(422, f"metadata: expected the name of a layer, found {layer[:60]!r}")
        if not feature.isidentifier():
            raise HttpProblem(422, f"metadata: expected the name of a feature, found {feature[:60]!r}")
        return keys, layer, feature


def _xmi(document: dict[str, Any]) -> str:
    found = document.get("xmi")
    if not isinstance(found, str):
        raise HttpProblem(422, "document: expected the key xmi with a text, found none")
    return found


def cuts_of(document: XmiDocument) -> Iterator[Cut]:
    """Yield the sentences of a document."""
    tokens = [a for a in document.annotations(TOKEN) if a.begin < a.end]
    place = 0
    for sentence in document.annotations(SENTENCE):
        while place < len(tokens) and tokens[place].begin < sentence.begin:
            place += 1
        first = place
        while place < len(tokens) and tokens[place].end <= sentence.end:
            place += 1
        own = [(a.begin, a.end) for a in tokens[first:place]]
        yield Cut([document.text[begin:end] for begin, end in own], own)


def has_feature(types: str, layer: str, feature: str) -> bool:
    """Return whether a type system has a feature, without which INCEpTION cannot read it."""
    if not types:
        return False
    for one in parse_xml(types, "typeSystem").iter(f"{_TYPES}typeDescription"):
        if one.findtext(f"{_TYPES}name") == layer:
            return any(f.findtext(f"{_TYPES}name") == feature for f in one.iter(f"{_TYPES}featureDescription"))
    return False
