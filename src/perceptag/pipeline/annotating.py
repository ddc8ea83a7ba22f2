"""Convert labelled sentences of running text to the sentences of a `Document`, when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from perceptag.errors import SettingError, brief, nearest
from perceptag.labels.schemes import type_name
from perceptag.pipeline.document import Document, DocumentSentence, DocumentSpan, DocumentToken, DocumentWord, lazy
from perceptag.pipeline.layers import Layer, usual_layer
from perceptag.text.documents import iter_documents
from perceptag.text.sentence import Sentence
from perceptag.text.text_layout import TextLayout
from perceptag.text.tokens import Passage

if TYPE_CHECKING:
    from perceptag.models.confident import Confident
    from perceptag.models.explanation import Explained
    from perceptag.pipeline.typed_text import TypedText

Sure = Mapping[str, Sequence["Confident"]]  # by layer, for each sentence


class _SentenceConfidence(NamedTuple):
    """How sure a layer is of the words and the spans of a sentence."""

    words: Sequence[float]
    spans: dict[tuple[int, int, str], float]

    @classmethod
    def of(cls, found: Confident) -> _SentenceConfidence:
        return cls(found.by_token(), {(s.start, s.end, type_name(s.label)): value for s, value in found.spans})


class LabelledText:
    """Passages with their labels, from which objects for sentences, tokens and spans are made as users ask for them.

    `typed` has the labels as numbers; without it the sentences have them.
    """

    def __init__(
        self,
        passages: Sequence[Passage],
        layers: Sequence[Layer],
        typed: TypedText | None,
        sentences: Sequence[Sentence],
        find_confidence: Callable[[Sequence[Sentence]], Sure],
    ) -> None:
        self._passages = passages
        self._found = [(passage, sentence) for passage in passages for sentence in passage.sentences]
        self._layers = layers
        self._typed = typed
        self._sentences = sentences
        self._find_confidence = find_confidence
        self._sure: Mapping[str, list[_SentenceConfidence]] | None = None

    def documents(self) -> list[Document]:
        """Return a document for each passage."""
        found: list[Document] = []
        first = 0
        for passage in self._passages:
            last = first + len(passage.sentences)
            source = (self, range(first, last))
            found.append(lazy(Document, source, text=passage.text, start=passage.start))
            first = last
        return found

    def sentence(self, number: int) -> DocumentSentence:
        """Make a sentence; its tokens and spans are made when they are asked for."""
        passage, found = self._found[number]
        text, begins = passage.between(found.start, found.end), found.starts_paragraph
        places = {"start": found.start, "end": found.end}
        return lazy(DocumentSentence, (self, number), text=text, **places, starts_paragraph=begins)

    def tokens(self, number: int) -> list[DocumentToken]:
        """Make the tokens of a sentence."""
        sentence, layout = self._labelled(number)
        each = iter(self._words(sentence, layout, number))
        return [DocumentToken(t.text, t.start, t.end, tuple(next(each) for _ in t.words)) for t in layout.tokens]

    def spans(self, number: int) -> list[DocumentSpan]:
        """Make the spans of a sentence, in the order of the layers."""
        sentence, layout = self._labelled(number)
        found: list[DocumentSpan] = []
        for layer in self._layers:
            marked = layer.spans_of(sentence)
            places = layout.places() if marked else []
            values = layer.ready.values_of(sentence) if marked else {}
            start = layout.tokens[0].start
            for a, b, label in marked:
                begin, end = places[a][0], places[b - 1][1]
                text = layout.text[begin - start : end - start]
                shown = {"layer": layer.name, "label": label, "start": a, "end": b, "text": text}
                shown |= {"start_char": begin, "end_char": end, "value": values.get((a, b, label))}
                found.append(lazy(DocumentSpan, (self, number), **shown))
        return found

    def explain(self, numbers: Sequence[int], layer: str | None) -> list[Explained]:
        """Explain the labels of a layer, by default the usual one, in some sentences."""
        from perceptag.pipeline.explaining import explain_document  # labels start without it

        last = usual_layer(self._layers).name if layer is None else layer
        names = [one.name for one in self._layers]
        if last not in names:
            raise SettingError(f"layer: expected one of {', '.join(names)}; found {brief(last)}{nearest(last, names)}")
        layers = self._layers[: names.index(last) + 1]
        every = [self._labelled(n)[0] for n in range(len(self._found))]
        groups = iter_documents(every) if layers[-1].ready.looks_at_documents() else ([one] for one in every)
        found: list[Explained] = []
        first = 0
        for group in groups:
            wanted = [n for n in range(len(group)) if first + n in numbers]
            explained = explain_document(layers, group) if wanted else []
            found += [explained[n] for n in wanted]
            first += len(group)
        return found

    def word_confidence(self, number: int, word: int) -> dict[str, float] | None:
        """The confidence of the labels of a word, by layer; None if no layer has any."""
        return {name: found[number].words[word] for name, found in self._confidence().items()} or None

    def span_confidence(self, number: int, span: DocumentSpan) -> float | None:
        """The probability that a span is right, if its layer is calibrated."""
        found = self._confidence().get(span.layer)
        return found[number].spans.get((span.start, span.end, span.label)) if found else None

    def _confidence(self) -> Mapping[str, list[_SentenceConfidence]]:
        """How sure the layers are, found once for all sentences."""
        if self._sure is None:
            sentences = self._sentences or [self._labelled(n)[0] for n in range(len(self._found))]
            found = self._find_confidence(sentences)
            self._sure = {name: list(map(_SentenceConfidence.of, own)) for name, own in found.items()}
        return self._sure

    @cached_property
    def _lists(self) -> dict[str, list[list[str]]]:
        """The words and labels of each sentence."""
        return {name: self._typed.lists(name) for name in self._typed.columns} if self._typed else {}

    def _labelled(self, number: int) -> tuple[Sentence, TextLayout]:
        """A sentence with its words and labels."""
        if self._sentences:
            layout = self._sentences[number].layout
            assert isinstance(layout, TextLayout)
            return self._sentences[number], layout
        passage, found = self._found[number]
        text = passage.between(found.start, found.end)
        places = [(token.start - found.start, token.end - found.start) for token in found.tokens]
        after = [text[end:begin] for (_, end), (begin, _) in pairwise(places)]
        layout = TextLayout(text, found.tokens, "", [*after, ""], found.starts_paragraph)
        columns = {name: lists[number] for name, lists in self._lists.items()}
        return Sentence(columns, f"character {found.start}", 0, found.starts_document, layout), layout

    def _words(self, sentence: Sentence, layout: TextLayout, number: int) -> list[DocumentWord]:
        names = [layer.name for layer in self._layers]
        texts = [word for token in layout.tokens for word in token.words]
        rows = zip(*(sentence.columns[name] for name in names), strict=True) if names else [()] * len(texts)
        return [
            DocumentWord._of(text, start, end, dict(zip(names, row, strict=True)), (self, number, place))
            for place, (text, (start, end), row) in enumerate(zip(texts, layout.places(), rows, strict=True))
        ]
