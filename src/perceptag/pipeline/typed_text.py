"""Running text as numbers: the number of each word among the different words, and of each label among the labels.

Words are looked at once for all layers, and no layer sees an object for each token:

    text ─▶ TokenPlaces ─▶ numbers of words ─▶ layer ─▶ numbers of labels ─▶ layer ─▶ …
                           different words ─▶ type ids of a layer
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, cast

from perceptag import _core
from perceptag.arrays import Ints
from perceptag.errors import DataError
from perceptag.features.document_columns import document_offsets
from perceptag.models.protocol import SPACES
from perceptag.pipeline.layers import WORDS, Layer
from perceptag.text.token_formats import form_of
from perceptag.text.token_places import TokenPlaces
from perceptag.text.tokens import SentencePlaces, TextSentence


class TypedText(NamedTuple):
    """Sentences of running text with the labels of layers."""

    begin: Ints  # [sentences + 1] where each sentence begins, counted in words
    columns: dict[str, tuple[Sequence[str], Ints]]  # by name: values, and for each word the number of its value
    spaces: Ints  # uint8: for each word 1 if white space follows it, and else 0

    def lists(self, name: str) -> list[list[str]]:
        """Return the values of a column for each sentence."""
        values, numbers = self.columns[name]
        return _core.name_lists(tuple(values), numbers, self.begin)


def takes_typed_text(layers: Sequence[Layer]) -> bool:
    """Return whether all layers can label running text as numbers."""
    return all(layer.ready.takes_typed_text for layer in layers)


def label_typed(
    sentences: Sequence[TextSentence], layers: Sequence[Layer], threads: int, spell: Callable[[str], str] = form_of
) -> TypedText | None:
    """Label sentences that a tokeniser has found; None if something needs an object for each sentence.

    `spell` gives words as models see them.
    That is so if sentences come from elsewhere, and if the code of a user refuses a word, whose place the error names.
    """
    places = [sentence.places for sentence in sentences]
    if not places or not all(places) or not takes_typed_text(layers):
        return None
    found = _words(list(filter(None, places)), spell)
    documents = document_offsets([sentence.starts_document for sentence in sentences])
    try:
        for layer in layers:
            columns = found.columns | ({SPACES: (("", " "), found.spaces)} if layer.ready.sees_spaces else {})
            found.columns[layer.name] = layer.ready.tag_types(columns, found.begin, threads, documents)
    except DataError:
        return None
    return found


def _words(places: Sequence[SentencePlaces], spell: Callable[[str], str]) -> TypedText:
    distinct = _core.DistinctWords()
    begin, numbers, spaces = array("i", [0]), array("i"), array("B")
    for of, sentences in _neighbours(places):
        first, end = of.first_word(sentences[0].first), of.first_word(sentences[-1].last)
        done = len(numbers) - first
        begin.extend(done + of.first_word(sentence.last) for sentence in sentences)
        starts, ends = of.word_begin[first:end], of.word_end[first:end]
        numbers.frombytes(distinct.add(of.text, starts, ends).tobytes())
        behind = of.word_begin[end] if end < of.words else len(of.text)
        spaces.frombytes(_core.spaces_behind(starts, ends, behind).tobytes())
    values = [spell(word) for word in distinct.words]
    columns: dict[str, tuple[Sequence[str], Ints]] = {WORDS: (values, _view(numbers))}
    return TypedText(_view(begin), columns, _view(spaces))


def _view(numbers: array[int]) -> Ints:
    return cast("Ints", memoryview(numbers))


def _neighbours(places: Sequence[SentencePlaces]) -> Iterator[tuple[TokenPlaces, list[SentencePlaces]]]:
    """Yield runs of sentences that follow each other in the same text."""
    run: list[SentencePlaces] = []
    for place in places:
        if run and (place.of is not run[-1].of or place.first != run[-1].last):
            yield run[0].of, run
            run = []
        run.append(place)
    if run:
        yield run[0].of, run
