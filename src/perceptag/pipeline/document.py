"""The result of a pipeline for a text: sentences, tokens, labels and spans.

    Document ─▶ sentences ─▶ tokens ─▶ words     "didn't" is one token of two words, "did" and "n't"
                    └──────▶ spans               names, phrases: what labels such as B-PER and I-PER mark

Tokens are pieces of the text, and so are words: ``text[start:end]`` is what they are. Labels belong to words, since
these are what taggers are trained on. Most tokens are one word and have its labels; a token of several words shows
their labels joined by "+". All places are counted in characters from the beginning of the whole text. A document that
is one part of a longer text (`Pipeline.stream`) begins at `Document.start`.

Sentences, tokens, spans and confidence that a pipeline gives are made when they are first asked for: until then the
attribute has no value, and `__getattr__` asks the labelled text for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeVar

from perceptag.errors import SettingError, brief, nearest
from perceptag.pipeline.span_dicts import SPAN, span_dict
from perceptag.system.plural import plural

if TYPE_CHECKING:
    from perceptag.pipeline.annotating import LabelledText
    from perceptag.pipeline.explaining import Why

T = TypeVar("T")
WORDS, SHOWN = 6, 60  # of the beginning of a text that `repr` shows: words, characters
_OF_SPACY = {  # an attribute of spaCy's tokens: what it is called here
    **dict.fromkeys(("pos_", "pos"), "upos"),
    **dict.fromkeys(("tag_", "tag"), "xpos"),
    **dict.fromkeys(("lemma_", "lemma"), "lemma"),
    **dict.fromkeys(("ent_type_", "ent_type", "ent_iob_"), "ner"),
    **dict.fromkeys(("text_", "orth_", "text_with_ws"), "text"),
    "morph": "feats",
    "idx": "start",
}


def _hidden() -> Any:
    """A field for where missing values come from; users do not see it."""
    return field(default=None, init=False, repr=False, compare=False)


def lazy(kind: type[T], source: tuple[Any, ...], **known: object) -> T:
    """Make an object some of whose values are found in its source when they are asked for."""
    made = kind.__new__(kind)
    for name, value in (*known.items(), ("_source", source)):
        setattr(made, name, value)
    return made


class _Shown:
    """What is shown as its text, and copied and pickled with the values that users see."""

    __slots__ = ()
    text: str

    def __reduce__(self) -> tuple[Any, ...]:
        shown = [f for f in fields(self) if f.init]  # type: ignore[arg-type]
        return type(self), tuple(getattr(self, f.name) for f in shown)

    def __str__(self) -> str:
        return self.text


@dataclass(slots=True)
class DocumentWord(_Shown):
    """A word with its labels by layer; ``word.xpos`` is short for ``word.labels["xpos"]``."""

    text: str
    start: int
    end: int
    labels: dict[str, str]
    confidence: dict[str, float] | None = None  # of the labels, by layer; None: it was not asked for
    _source: tuple[LabelledText, int, int] | None = _hidden()

    @classmethod
    def _of(
        cls, text: str, start: int, end: int, labels: dict[str, str], source: tuple[LabelledText, int, int]
    ) -> DocumentWord:
        """Make a word whose confidence is found when it is asked for."""
        word = cls.__new__(cls)
        word.text, word.start, word.end, word.labels = text, start, end, labels
        word._source = source
        return word

    def __getattr__(self, name: str) -> Any:
        if name != "confidence":
            return _label(self, name)
        source, sentence, place = _known(self._source, name)
        self.confidence = source.word_confidence(sentence, place)
        return self.confidence


@dataclass(slots=True)
class DocumentToken(_Shown):
    """A token: one word, or several that are written together."""

    text: str
    start: int
    end: int
    words: tuple[DocumentWord, ...]

    @property
    def labels(self) -> dict[str, str]:
        """The labels of its word by layer; those of several words are joined by "+"."""
        first, *others = self.words
        return first.labels if not others else {n: "+".join(w.labels[n] for w in self.words) for n in first.labels}

    def __getattr__(self, name: str) -> str:
        return _label(self, name)


def _label(labelled: DocumentWord | DocumentToken, name: str) -> str:
    """The label of a layer. What copies or unpickles an object looks for names before it has set any."""
    if name.startswith("_") or name in ("labels", "words"):
        raise AttributeError(name)
    labels = labelled.labels
    if name not in labels:
        usual = _OF_SPACY.get(name, "")
        hint = f"; what spaCy calls {name} is {usual} here" if usual in (*labels, "text", "start") else ""
        raise AttributeError(f"expected one of the layers {', '.join(labels) or '(none)'}, found {name!r}{hint}")
    return labels[name]


def _known(source: T | None, name: str) -> T:
    """Where a missing value comes from. What copies an object looks for names before it has set any."""
    if source is None:
        raise AttributeError(name)
    return source


@dataclass(slots=True)
class DocumentSpan(_Shown):
    """A span of words that a layer has found, such as an entity."""

    layer: str
    label: str
    start: int  # the number of its first word in the sentence
    end: int  # the number of the word after its last
    start_char: int
    end_char: int
    text: str
    confidence: float | None = None  # the probability that it is right, if the layer is calibrated
    value: str | None = None  # the normalised value that a rule gives it, such as an ISO date
    _source: tuple[LabelledText, int] | None = _hidden()

    def __getattr__(self, name: str) -> float | None:
        if name != "confidence":
            raise AttributeError(name)
        source, sentence = _known(self._source, name)
        self.confidence = source.span_confidence(sentence, self)
        return self.confidence

    def to_dict(self) -> dict[str, Any]:
        """Return the span as JSON values, without what is not known."""
        return span_dict(getattr(self, name) for name in SPAN)

    @property
    def label_(self) -> str:
        """The label, under the name that spaCy has for it."""
        return self.label


@dataclass(slots=True, repr=False)
class DocumentSentence(_Shown):
    """A sentence: its tokens, and its spans in the order of the layers."""

    text: str  # from its first token to its last
    start: int
    end: int
    tokens: list[DocumentToken]
    spans: list[DocumentSpan] = field(default_factory=list)
    starts_paragraph: bool = False
    _source: tuple[LabelledText, int] | None = _hidden()

    def __getattr__(self, name: str) -> Any:
        if name not in ("tokens", "spans"):
            hint = "" if name.startswith("_") else "; its tokens, and those of document.tokens, have labels"
            raise AttributeError(f"a sentence of a document has no attribute {name!r}{hint}")
        source, number = _known(self._source, name)
        setattr(self, name, source.tokens(number) if name == "tokens" else source.spans(number))
        return getattr(self, name)

    @property
    def words(self) -> list[DocumentWord]:
        """The words of all its tokens."""
        return [word for token in self.tokens for word in token.words]

    def __len__(self) -> int:
        return len(self.tokens)

    def __iter__(self) -> Iterator[DocumentToken]:
        return iter(self.tokens)

    def __repr__(self) -> str:
        sizes = plural(len(self.tokens), "token", ","), plural(len(self.spans), "span", ",")
        return f"<DocumentSentence {_beginning(self.text)}: {', '.join(sizes)}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the sentence as JSON values."""
        return {
            "text": self.text,
            "start": self.start,
            "end": self.end,
            "starts_paragraph": self.starts_paragraph,
            "tokens": [_token_dict(token) for token in self.tokens],
            "spans": [span.to_dict() for span in self.spans],
        }


@dataclass(slots=True, repr=False)
class Document(_Shown):
    """A text with its sentences; `len` and iteration are over the sentences.

    ``len(document.tokens)`` is the number of tokens.
    """

    text: str
    sentences: list[DocumentSentence] = field(default_factory=list)
    start: int = 0  # the place of this text in the whole
    _source: tuple[LabelledText, range] | None = _hidden()

    def __getattr__(self, name: str) -> list[DocumentSentence]:
        if name != "sentences":
            hint = "" if name.startswith("_") else "; it has text, sentences, tokens, words and spans"
            raise AttributeError(f"a document has no attribute {name!r}{hint}")
        source, numbers = _known(self._source, name)
        self.sentences = [source.sentence(number) for number in numbers]
        return self.sentences

    @property
    def tokens(self) -> list[DocumentToken]:
        """The tokens of all sentences."""
        return [token for sentence in self.sentences for token in sentence.tokens]

    @property
    def words(self) -> list[DocumentWord]:
        """The words of all sentences."""
        return [word for sentence in self.sentences for word in sentence.words]

    @property
    def spans(self) -> list[DocumentSpan]:
        """The spans of all sentences, in the order of the text."""
        found = [span for sentence in self.sentences for span in sentence.spans]
        return sorted(found, key=lambda span: (span.start_char, -span.end_char))

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[DocumentSentence]:
        return iter(self.sentences)

    def __repr__(self) -> str:
        sizes = {"sentence": len(self), "token": len(self.tokens), "span": len(self.spans)}
        counts = ", ".join(plural(count, what, ",") for what, count in sizes.items())
        return f"<Document {_beginning(self.text)}: {counts}>"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        sentences = [sentence.to_dict() for sentence in self.sentences]
        return {"text": self.text, "start": self.start, "sentences": sentences}

    def explain(self, word: str | None = None, *, layer: str | None = None) -> Why:
        """Explain the labels of a layer: of the first word or span with this text, or of all sentences.

        Of a span of several words the first one is explained. `layer` is by default that of entities, or of tags.
        """
        from perceptag.pipeline.explaining import Why  # only explanations need it

        if self._source is None:
            raise SettingError("explain: this document is a copy without its models; nlp.explain(doc.text) explains it")
        source, numbers = self._source
        if word is None:
            return Why(tuple(source.explain(numbers, layer)))
        place, token = self._find(word)
        return Why(tuple(source.explain([numbers[place]], layer)), token + 1)

    def _find(self, text: str) -> tuple[int, int]:
        """Return the number of a sentence, and of the first word in it that has a text or begins a span that has it."""
        known: list[str] = []
        for number, sentence in enumerate(self.sentences):
            words = {word.text: place for place, word in reversed([*enumerate(sentence.words)])}
            places = {span.text: span.start for span in reversed(sentence.spans)} | words
            if text in places:
                return number, places[text]
            known += places
        raise SettingError(f"word: expected a word or a span of the text, found {brief(text)}{nearest(text, known)}")

    @property
    def ents(self) -> list[DocumentSpan]:
        """The spans, under the name that spaCy has for them."""
        return self.spans

    @property
    def sents(self) -> list[DocumentSentence]:
        """The sentences, under the name that spaCy has for them."""
        return self.sentences

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON values, as `to_dict` does; ``json.dumps`` makes a string of them."""
        return self.to_dict()

    def _repr_html_(self) -> str:
        """The text with its spans marked, for notebooks; of spans that overlap, those that begin first."""
        from perceptag.system.html import marked_html

        places = [(s.start_char - self.start, s.end_char - self.start, s.label, _tip(s)) for s in self.spans]
        return marked_html(self.text, places)


def _beginning(text: str) -> str:
    """The first words of a text, in quotation marks.

    >>> _beginning("one two  three four five six seven"), _beginning("")
    ("'one two three four five six …'", "''")
    """
    words = text[:SHOWN].split()[:WORDS]
    short = " ".join(words)
    return repr(short if short == " ".join(text[: SHOWN + 1].split()) else f"{short} …")


def _tip(span: DocumentSpan) -> str:
    return span.layer if span.confidence is None else f"{span.layer}, confidence {span.confidence:.2f}"


def _token_dict(token: DocumentToken) -> dict[str, Any]:
    return {"text": token.text, "start": token.start, "end": token.end, "words": [_word_dict(w) for w in token.words]}


def _word_dict(word: DocumentWord) -> dict[str, Any]:
    found: dict[str, Any] = {"text": word.text, "start": word.start, "end": word.end, "labels": dict(word.labels)}
    return found | {"confidence": dict(word.confidence)} if word.confidence else found
