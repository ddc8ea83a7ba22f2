"""From a `Doc` of spaCy to sentences, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from spacy.tokens import Doc, Span, Token
from spacy.vocab import Vocab

from perceptag.errors import DataError, SettingError, brief
from perceptag.labels.schemes import convert, detect_scheme
from perceptag.text.running import TextLayout
from perceptag.text.sentence import Sentence

FORM, LABEL = "form", "label"
NER = "ner"  # stands for the entities; other columns are attributes of tokens, such as tag_


def sentences_in(doc: Doc) -> list[Span]:
    """Return the sentences that spaCy has found, or the whole document as one."""
    if not len(doc):
        return []
    return list(doc.sents) if doc.has_annotation("SENT_START") else [doc[:]]


def to_sentences(
    docs: Iterable[Doc], labels: str | None = None, columns: Mapping[str, str] | None = None
) -> list[Sentence]:
    """Return the sentences of documents; where no component has cut a document into sentences, it is one.

    `labels`: an attribute of tokens, such as ``tag_``, or ``ner`` for entities as B-TYPE and I-TYPE; the column
    ``label`` then has their values. `columns`: further columns, such as ``{"pos": "tag_"}``.
    """
    wanted = {**(columns or {}), **({LABEL: labels} if labels else {})}
    readers = {name: _reader(attribute) for name, attribute in wanted.items()}
    return [sentence for i, doc in enumerate(docs) for sentence in _of_doc(doc, readers, f"doc {i}")]


def _of_doc(doc: Doc, readers: Mapping[str, Callable[[Token], str]], where: str) -> Iterable[Sentence]:
    for number, span in enumerate(sentences_in(doc)):
        columns = {FORM: [token.text for token in span]}
        for name, read in readers.items():
            columns[name] = [_value(token, name, read, where) for token in span]
        yield Sentence(columns, f"{where}, sentence {number}", starts_document=not number)


def _reader(attribute: str) -> Callable[[Token], str]:
    if attribute == NER:
        return _entity
    if not isinstance(attribute, str) or not isinstance(getattr(Token, attribute, None), type(Token.tag_)):
        raise SettingError(
            f"expected an attribute of tokens of spaCy such as 'tag_', or 'ner', found {brief(attribute)}"
        )
    return lambda token: getattr(token, attribute)


def _entity(token: Token) -> str:
    return f"{token.ent_iob_}-{token.ent_type_}" if token.ent_iob_ in ("B", "I") else token.ent_iob_


def _value(token: Token, name: str, read: Callable[[Token], str], where: str) -> str:
    value = read(token)
    if not value:
        raise DataError(
            f"column {name!r}: expected a value for {brief(token.text)}, found none", f"{where}, token {token.i}"
        )
    return value


def to_doc(sentences: Iterable[Sentence], vocab: Vocab, labels: str | None = None, attribute: str = "tag_") -> Doc:
    """Return a document of these sentences.

    `labels` names a column. With the attribute ``ner`` its labels become entities; else each becomes the attribute of
    its token. White space is that of the text, if the sentences were read from one; else one space is after each word.
    """
    given = list(sentences)
    words = [word for sentence in given for word in sentence.columns[FORM]]
    starts = [t == 0 for sentence in given for t in range(len(sentence))]
    doc = Doc(vocab, words=words, spaces=_spaces(given), sent_starts=starts)
    if labels is not None:
        found = [sentence.columns[labels] for sentence in given]
        set_labels(doc, [y for one in (_iob2(found) if attribute == NER else found) for y in one], attribute)
    return doc


def _iob2(found: list[list[str]]) -> list[list[str]]:
    scheme = detect_scheme(found)
    return [convert(labels, "IOB2", scheme) for labels in found]


def _spaces(sentences: Iterable[Sentence]) -> list[bool]:
    """Return whether white space is after each word."""
    spaces: list[bool] = []
    for sentence in sentences:
        if isinstance(sentence.layout, TextLayout):
            for token, after in zip(sentence.layout.tokens, sentence.layout.after, strict=True):
                spaces += [*[False] * (len(token.words) - 1), bool(after)]
        else:
            spaces += [True] * len(sentence)
    return spaces


def set_labels(doc: Doc, labels: list[str], attribute: str) -> None:
    """Give each token its label; for ``ner``, the labels are those of IOB2."""
    if attribute == NER:
        doc.set_ents(_entities(doc, labels), default="outside")
        return
    for token, label in zip(doc, labels, strict=True):
        _set(token, attribute, label)


def _set(token: Token, attribute: str, label: str) -> None:
    try:
        setattr(token, attribute, label)
    except (ValueError, AttributeError) as error:
        raise DataError(f"expected a label that {attribute} of spaCy can hold, found {brief(label)}: {error}") from None


def _entities(doc: Doc, labels: list[str]) -> list[Any]:
    from perceptag.labels.schemes import spans

    return [Span(doc, span.start, span.end, label=span.label) for span in spans(labels, "IOB2")]
