"""Convert labelled sentences of running text to the sentences of a `Document`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from perceptag.models.confident import Confident
from perceptag.pipeline.document import DocumentSentence, DocumentSpan, DocumentToken, DocumentWord
from perceptag.pipeline.layers import Layer
from perceptag.text.sentence import Sentence
from perceptag.text.text_layout import TextLayout

Sure = Mapping[str, Sequence[Confident]]  # by layer, for each sentence


def annotated(sentences: Sequence[Sentence], layers: Sequence[Layer], sure: Sure) -> list[DocumentSentence]:
    """Return sentences with tokens, words and spans."""
    return [
        _sentence(sentence, layers, {name: found[number] for name, found in sure.items()})
        for number, sentence in enumerate(sentences)
    ]


def _sentence(sentence: Sentence, layers: Sequence[Layer], sure: Mapping[str, Confident]) -> DocumentSentence:
    layout = sentence.layout
    assert isinstance(layout, TextLayout)
    start = layout.tokens[0].start
    words = _words(sentence, layout, [layer.name for layer in layers], sure)
    each = iter(words)
    tokens = [DocumentToken(t.text, t.start, t.end, tuple(next(each) for _ in t.words)) for t in layout.tokens]
    spans = [span for layer in layers for span in _spans(sentence, layer, words, sure.get(layer.name))]
    for span in spans:
        span.text = layout.text[span.start_char - start : span.end_char - start]
    end = layout.tokens[-1].end
    return DocumentSentence(layout.text, start, end, tokens, spans, layout.starts_paragraph)


def _words(
    sentence: Sentence, layout: TextLayout, names: Sequence[str], sure: Mapping[str, Confident]
) -> list[DocumentWord]:
    texts = [word for token in layout.tokens for word in token.words]
    rows = zip(*(sentence.columns[name] for name in names), strict=True) if names else [()] * len(texts)
    words = [
        DocumentWord(text, start, end, dict(zip(names, row, strict=True)))
        for text, (start, end), row in zip(texts, layout.places(), rows, strict=True)
    ]
    for name, confident in sure.items():
        for word, value in zip(words, confident.by_token(), strict=True):
            word.confidence = {**(word.confidence or {}), name: value}
    return words


def _spans(
    sentence: Sentence, layer: Layer, words: Sequence[DocumentWord], confident: Confident | None
) -> list[DocumentSpan]:
    known = {(s.start, s.end, s.label): value for s, value in confident.spans} if confident else {}
    return [
        DocumentSpan(layer.name, label, a, b, words[a].start, words[b - 1].end, "", known.get((a, b, label)))
        for a, b, label in layer.spans_of(sentence)
    ]
