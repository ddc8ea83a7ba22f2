"""Write sentences into CoNLL-U: ``# text``, and in misc the white space after each word and further columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise

from perceptag.foreign.marking import known_text
from perceptag.text.conllu import FORMAT, with_comments, with_feature
from perceptag.text.conllu_spaces import escape
from perceptag.text.sentence import Sentence
from perceptag.text.token_formats import form_of

POS = "pos"  # a column of tags that CoNLL-U has two columns for
UNIVERSAL = frozenset(
    [
        *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ"),
        *("SYM", "VERB", "X", "_"),
    ]
)


def in_conllu(sentences: Sequence[Sentence], label: str = "") -> Iterator[Sentence]:
    """Yield sentences that CoNLL-U can hold. The column `label` stays as it is, for the caller."""
    for sentence in with_text(sentences if label == POS else _with_tags(sentences)):
        yield in_misc(sentence, label)


def _with_tags(sentences: Sequence[Sentence]) -> Sequence[Sentence]:
    """Call a column ``pos`` by its name in CoNLL-U: upos if all its tags are universal ones, else xpos."""
    tags = {tag for sentence in sentences for tag in sentence.columns.get(POS, ())}
    name = "upos" if tags <= UNIVERSAL else "xpos"
    if not tags or any(name in sentence.columns for sentence in sentences):
        return sentences
    renamed = ({name if key == POS else key: values for key, values in s.columns.items()} for s in sentences)
    return [replace(sentence, columns=columns) for sentence, columns in zip(sentences, renamed, strict=True)]


def in_misc(sentence: Sentence, label: str = "") -> Sentence:
    """Return a sentence whose columns that CoNLL-U does not have are in misc. The column `label` stays as it is."""
    assert FORMAT.with_labels is not None
    for name in [name for name in sentence.columns if name not in FORMAT.columns and name != label]:
        sentence = FORMAT.with_labels(sentence, name, sentence.columns[name])
    return sentence


def with_text(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Yield sentences of JSON lines that know their text with comments and misc for it; others stay as they are.

    A sentence is yielded when the next one is known, which may follow it without a space.
    """
    for sentence, after in pairwise(chain(sentences, [None])):
        assert sentence is not None, "only the last one has none after it"
        known = known_text(sentence)
        if known is None:
            yield sentence
            continue
        text, words = known
        gaps: list[str | None] = [text[end:start] for (_, end), (start, _) in pairwise(words)]
        gaps.append("" if after and not after.starts_document and _touch(sentence, after) else None)
        no_space = ["No" if gap == "" else None for gap in gaps]
        others = [escape(gap) if gap not in (None, "", " ") else None for gap in gaps]
        made = with_feature(with_feature(sentence, "SpaceAfter", no_space), "SpacesAfter", others)
        yield with_comments(made, [f"# text = {form_of(text.rstrip())}"])


def _touch(sentence: Sentence, after: Sentence) -> bool:
    """Return whether nothing stands between two sentences of a text."""
    ends, starts = (getattr(s.layout, "record", None) or {} for s in (sentence, after))
    return bool(starts.get("offsets")) and ends["offsets"][-1][1] == starts["offsets"][0][0]
