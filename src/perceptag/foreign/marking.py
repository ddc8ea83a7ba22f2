"""Convert sentences to texts with character spans, for the writers of all tools.

The text of a document is put together from what its sentences know of it: the text and the offsets of JSON lines, the
white space of CoNLL-U, or else a space between words and a line end between sentences. JSON lines know only how much
white space stands between sentences: one character is a space, more are line ends, so that offsets stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from perceptag.errors import DataError, SettingError, brief
from perceptag.foreign.read_export import MISSING
from perceptag.foreign.texts import CharacterSpan
from perceptag.labels.schemes import belongs, detect_scheme, spans, type_name
from perceptag.text.conllu import ConlluLayout
from perceptag.text.documents import iter_documents
from perceptag.text.sentence import Sentence
from perceptag.text.treebank import read_treebank

Place = tuple[int, int]
_MOST_SPACE = 100  # characters between two sentences: where more are missing, a sentence is


@dataclass(slots=True)
class MarkedText:
    """The text of a document, the places of its words and sentences, and its spans."""

    text: str = ""
    words: list[Place] = field(default_factory=list)
    sentences: list[Place] = field(default_factory=list)
    spans: list[CharacterSpan] = field(default_factory=list)
    columns: dict[str, list[str]] = field(default_factory=dict)  # values of all words

    def add(self, text: str, words: Sequence[Place], sentence: Sentence, found: Iterable[Any]) -> None:
        """Add a sentence, with the white space after it."""
        start = len(self.text)
        self.text += text
        own = [(a + start, b + start) for a, b in words]
        self.words += own
        if own:
            self.sentences.append((own[0][0], own[-1][1]))
        for span in found:
            begin, end = own[span.start][0], own[span.end - 1][1]
            self.spans.append(CharacterSpan(begin, end, type_name(span.label), self.text[begin:end]))
        for name, values in sentence.columns.items():
            self.columns.setdefault(name, []).extend(values)


def marked(sentences: Sequence[Sentence], label: str) -> Iterator[MarkedText]:
    """Yield a text for each document; the labels in column `label` must be labels of spans."""
    labelled = [_known(sentence, label) for sentence in sentences if label in sentence.columns]
    scheme = detect_scheme(labelled) if labelled else "none"
    if scheme == "none":
        raise SettingError(
            f"--label: expected labels of spans, such as B-PER, in column {label!r}; found others or none"
        )
    _refuse_other_labels(sentences, label, scheme)
    for number, document in enumerate(iter_documents(sentences)):
        made = MarkedText("\n" * _leading(document[0], is_first=not number))
        for sentence, (text, words) in zip(document, _texts(document), strict=True):
            made.add(text, words, sentence, spans(_known(sentence, label), scheme))
        end = max((end for _, end in made.words), default=0)  # a last word without letters keeps its place
        made.text = made.text[:end] + made.text[end:].rstrip() + "\n" * made.text.endswith("\n\n")
        yield made


def _leading(sentence: Sentence, is_first: bool) -> int:
    """Return how many characters stand before the first sentence of a text; later texts of a file may count on."""
    record = getattr(sentence.layout, "record", None) or {}
    begin = record["offsets"][0][0] if known_text(sentence) else 0
    return begin if begin <= _MOST_SPACE and (is_first or record.get("document") != begin) else 0


def _known(sentence: Sentence, label: str) -> list[str]:
    """Return the labels of a sentence; unknown ones are O."""
    return ["O" if value == MISSING else value for value in sentence.columns.get(label, [])]


def _refuse_other_labels(sentences: Sequence[Sentence], label: str, scheme: str) -> None:
    """Refuse labels that the scheme does not have, such as 0 for O: they would become spans without a name."""
    for sentence in sentences:
        for t, value in enumerate(_known(sentence, label)):
            if not belongs(value, scheme):
                raise DataError(f"expected a label of {scheme}, such as O, found {brief(value)}", sentence.where(t))


def _texts(document: Sequence[Sentence]) -> list[tuple[str, list[Place]]]:
    """Return the text of each sentence, with what follows it, and the places of its words there."""
    if all(isinstance(sentence.layout, ConlluLayout) for sentence in document):
        found = read_treebank(document).sentences
        return [(gold.text, [place for token in gold.tokens for place in token.places]) for gold in found]
    made = [known_text(sentence) or _joined(sentence.tokens) for sentence in document]
    for n, gap in enumerate(_gaps(document)):
        if gap is not None:
            text, places = made[n]
            made[n] = (text[:-1] + (" " if gap == 1 else "\n" * gap), places)
    return made


def _gaps(document: Sequence[Sentence]) -> Iterator[int | None]:
    """Yield how many characters stand between a sentence and the next one; None if that is not known, or too many."""
    for sentence, after in pairwise(document):
        known, following = known_text(sentence), known_text(after)
        if known is None or following is None:
            yield None
            continue
        (begin, _), (start, _) = (one.layout.record["offsets"][0] for one in (sentence, after))  # type: ignore[union-attr]
        gap = start - begin - (len(known[0]) - 1)
        yield gap if 0 <= gap <= _MOST_SPACE else None


def known_text(sentence: Sentence) -> tuple[str, list[Place]] | None:
    """Return text and offsets of JSON lines if they have those of all words, as `tag` writes them."""
    record = getattr(sentence.layout, "record", None) or {}
    text, places = record.get("text"), record.get("offsets")
    if not isinstance(text, str) or not isinstance(places, list) or len(places) != len(sentence) or not places:
        return None
    if not all(isinstance(p, (list, tuple)) and len(p) == 2 and all(isinstance(n, int) for n in p) for p in places):
        return None
    begin = places[0][0]
    own = [(a - begin, b - begin) for a, b in places]
    return (f"{text}\n", own) if all(0 <= a <= b <= len(text) for a, b in own) else None


def _joined(tokens: Sequence[str]) -> tuple[str, list[Place]]:
    words: list[Place] = []
    place = 0
    for token in tokens:
        words.append((place, place + len(token)))
        place += len(token) + 1
    return " ".join(tokens) + "\n", words
