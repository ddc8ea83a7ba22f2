"""From a `Doc` of spaCy to sentences, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from spacy.tokens import Doc, Span, Token
from spacy.vocab import Vocab

from perceptag.errors import DataError, SettingError, brief
from perceptag.labels.schemes import convert, detect_scheme
from perceptag.text.inputs import as_list, as_sentences
from perceptag.text.sentence import Sentence
from perceptag.text.text_layout import TextLayout

FORM, LABEL = "form", "label"
NER = "ner"  # stands for the entities; other columns are attributes of tokens, such as tag_


def sentences_in(doc: Doc) -> list[Span]:
    """Return the sentences that spaCy has found, or the whole document as one."""
    if not len(doc):
        return []
    return list(doc.sents) if doc.has_annotation("SENT_START") else [doc[:]]


def to_sentences(
    docs: Iterable[Doc], labels: str | None = None, columns: Mapping[str, str] | None = None, *, spaces: bool = True
) -> list[Sentence]:
    """Return the sentences of documents; where no component has cut a document into sentences, it is one.

    `labels`: an attribute of tokens, such as ``tag_``, or ``ner`` for entities as B-TYPE and I-TYPE; the column
    ``label`` then has their values. `columns`: further columns, such as ``{"pos": "tag_"}``. With ``spaces=False``
    tokens of white space are left out.
    """
    if not isinstance(columns or {}, Mapping):
        raise SettingError(f"columns: expected a dictionary, such as {{'pos': 'tag_'}}, found {brief(columns)}")
    if labels and LABEL in (columns or {}):
        raise SettingError(f"columns: expected further columns, found {LABEL!r}, which is that of `labels`")
    wanted = {**(columns or {}), **({LABEL: labels} if labels else {})}
    readers = {name: _reader(attribute) for name, attribute in wanted.items()}
    return [sentence for i, doc in enumerate(_checked(docs)) for sentence in _of_doc(doc, readers, f"doc {i}", spaces)]


def _checked(docs: Iterable[Doc]) -> list[Doc]:
    expected = "a list of documents of spaCy"
    if isinstance(docs, Doc):
        raise DataError(f"expected {expected}, found one document: give [doc]")
    for i, doc in enumerate(found := as_list(docs, expected)):
        if not isinstance(doc, Doc):
            raise DataError(f"expected a document of spaCy, found {brief(doc)}", f"doc {i}")
    return found


def _of_doc(doc: Doc, readers: Mapping[str, Callable[[Token], str]], where: str, spaces: bool) -> Iterable[Sentence]:
    for number, whole in enumerate(sentences_in(doc)):
        span = [token for token in whole if spaces or not token.is_space]
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
    if value and not isinstance(value, str):
        raise DataError(
            f"column {name!r}: expected an attribute that is text, such as 'tag_', found one that is {brief(value)}",
            where,
        )
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
    given = as_sentences(sentences)
    words = [word for values in _column(given, FORM) for word in values]
    starts = [t == 0 for sentence in given for t in range(len(sentence))]
    doc = Doc(vocab, words=words, spaces=_spaces(given), sent_starts=starts)
    if labels is not None:
        found = _column(given, labels)
        set_labels(doc, [y for one in (_iob2(found) if attribute == NER else found) for y in one], attribute)
    return doc


def _column(sentences: Iterable[Sentence], name: str) -> list[list[str]]:
    """Return the values of a column; words must not be empty, since a `Doc` cannot hold empty ones."""
    for sentence in sentences:
        if name not in sentence.columns:
            raise DataError(f"expected column {name!r}, found {', '.join(sentence.columns)}", sentence.where())
        if name == FORM and not all(sentence.columns[name]):
            raise DataError("expected words, found an empty one", sentence.where(sentence.columns[name].index("")))
    return [sentence.columns[name] for sentence in sentences]


def _iob2(found: list[list[str]]) -> list[list[str]]:
    if not any(found):
        return found
    scheme = detect_scheme(found)
    if scheme == "none":
        raise SettingError("labels: expected labels of spans, such as B-PER, for the attribute 'ner'; found others")
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


def on_tokens(doc: Doc, labels: list[str], attribute: str) -> list[str]:
    """Return the labels of words for all tokens; white space has none, and for ``ner`` that of a name around it."""
    rest = iter(labels)
    found = ["" if token.is_space else next(rest) for token in doc]
    if attribute == NER:
        following = "O"
        for i, label in reversed(list(enumerate(found))):
            found[i] = following = label or (following if following.startswith("I-") else "O")
    return found


def set_labels(doc: Doc, labels: list[str], attribute: str) -> None:
    """Give each token its label, if that is not empty; for ``ner``, the labels are those of IOB2.

    Entities that a document has already stay, and new ones that overlap them are left out, as with components of spaCy.
    """
    if attribute == NER:
        kept = list(doc.ents)
        taken = {t for span in kept for t in range(span.start, span.end)}
        new = [span for span in _entities(doc, labels) if taken.isdisjoint(range(span.start, span.end))]
        doc.set_ents([*kept, *new], default="outside")
        return
    for token, label in zip(doc, labels, strict=True):
        if label:
            _set(token, attribute, label)


def _set(token: Token, attribute: str, label: str) -> None:
    try:
        setattr(token, attribute, label)
    except (ValueError, AttributeError) as error:
        raise DataError(f"expected a label that {attribute} of spaCy can hold, found {brief(label)}: {error}") from None


def _entities(doc: Doc, labels: list[str]) -> list[Any]:
    from perceptag.labels.schemes import spans

    return [Span(doc, span.start, span.end, label=span.label) for span in spans(labels, "IOB2")]
