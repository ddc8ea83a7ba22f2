"""Labels in the column misc of CoNLL-U, such as ``NER=B-PER``, as a column of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from perceptag.labels.schemes import detect_scheme
from perceptag.text.conllu import ConlluLayout, with_feature
from perceptag.text.conllu_spaces import features_of, unescape
from perceptag.text.sentence import Sentence

_USUAL = ("NER", "LABEL", "ENTITY", "TAG")
_NOT_LABELS = ("SpaceAfter", "SpacesAfter", "SpacesBefore", "SpacesInToken", "Translit", "Gloss", "LTranslit", "MSeg")


def column_from_misc(sentences: Sequence[Sentence], wanted: str = "") -> str:
    """Add the labels in misc as a column, and take them out of misc; return its name, or "" if there are none.

    `wanted` names them; without it, they are those with a usual name, or else the first that are labels of spans. Names
    are compared without regard to case.
    """
    if not sentences or not isinstance(sentences[0].layout, ConlluLayout):
        return ""
    counts = Counter(name for s in sentences for misc in s.columns.get("misc", ()) for name in features_of(misc))
    if wanted:
        name = next((name for name in counts if name.casefold() == wanted.casefold()), "")
    else:
        name = next((name for name in _USUAL if name in counts), "") or _spans_in(sentences, counts)
    if not name:
        return ""
    column = wanted or name.lower()
    _add(sentences, name, column)
    return column


def _spans_in(sentences: Sequence[Sentence], counts: Counter[str]) -> str:
    for name in (name for name, _ in counts.most_common() if name not in _NOT_LABELS):
        values = [_values(sentence, name) for sentence in sentences]
        if detect_scheme([[value or "O" for value in some] for some in values]) != "none":
            return name
    return ""


def _values(sentence: Sentence, name: str) -> list[str | None]:
    found = (features_of(misc).get(name) for misc in sentence.columns["misc"])
    return [None if value is None else unescape(value) for value in found]


def _add(sentences: Sequence[Sentence], name: str, column: str) -> None:
    """Tokens that have no label are outside if the others have labels of spans; else their label is '_'."""
    found = [_values(sentence, name) for sentence in sentences]
    is_spans = detect_scheme([[value or "O" for value in some] for some in found]) != "none"
    for sentence, values in zip(sentences, found, strict=True):
        rest = with_feature(sentence, name, [None] * len(sentence)).columns["misc"]
        labels = [value if value is not None else "O" if is_spans else "_" for value in values]
        sentence.columns = {**sentence.columns, "misc": rest, column: labels}
