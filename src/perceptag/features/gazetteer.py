"""Gazetteers: the longest matches of listed phrases in a sentence, marked B- and I-.

A recipe names lists as ``gazetteer = ["city=cities.txt"]``: one phrase per line, its tokens separated by spaces.
``city~=cities.txt`` matches in any case of letters: ``new york`` and ``NEW YORK`` too. ``gazetteer = ["train"]`` uses
the chunks of the training data. Templates then use the column ``gazetteer``: ``gazetteer[0]``.

A list made from the training data would be an oracle on that data. So a training document sees only those phrases
that are also chunks in another document; tagging sees all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from perceptag.errors import ModelError, SettingError, brief
from perceptag.features.groups import Strings, add
from perceptag.labels.schemes import spans
from perceptag.text.documents import split_documents
from perceptag.text.lines import read_text
from perceptag.text.sentence import Sentence

if TYPE_CHECKING:
    from perceptag._core import PhraseTable

COLUMN = "gazetteer"
FROM_TRAINING = "train"
TEMPLATES = ("gazetteer[-1..1]",)  # for recipes that have none of their own

Phrase = tuple[str, ...]
Chunks = dict[tuple[str, Phrase], int]  # class and phrase -> the only document that has it, or SEVERAL
SEVERAL = -1


@dataclass(slots=True)
class Gazetteer:
    """Phrases by class. Matching is longest first, from left to right, separately for each class.

    Matching is case-sensitive, except for the phrases of `in_any_case`, which are in lower case.
    """

    phrases: dict[str, set[Phrase]] = field(default_factory=dict)
    # Phrases that are chunks in only one training document, which must not see them: (class, phrase) -> document.
    only_in: dict[tuple[str, Phrase], int] = field(default_factory=dict)
    in_any_case: Gazetteer | None = None
    # Phrases as a model file has them, which only native tables read: on lines, words separated by spaces.
    stored: dict[str, str] = field(default_factory=dict)
    _by_first: dict[str, dict[str, list[int]]] | None = field(default=None, init=False, repr=False, compare=False)

    def match(self, tokens: Sequence[str], document: int = -1) -> list[tuple[str, ...]]:
        """Return for each token the marks of all classes that match there. `document`: the training document it is in.

        >>> Gazetteer({"city": {("New", "York"), ("York",)}}).match(["in", "New", "York"])
        [(), ('B-city',), ('I-city',)]
        """
        self._read_stored()
        marks = self._match(tokens, document)
        if self.in_any_case is None:
            return marks
        others = self.in_any_case.match([token.lower() for token in tokens])
        return [tuple(dict.fromkeys((*some, *more))) for some, more in zip(marks, others, strict=True)]

    def _read_stored(self) -> None:
        if not self.stored:
            return
        for name, text in self.stored.items():
            self.phrases[name] = {tuple(line.split(" ")) for line in text.split("\n")} if text else set()
        self.stored, self._by_first = {}, None

    def _match(self, tokens: Sequence[str], document: int) -> list[tuple[str, ...]]:
        marks: list[tuple[str, ...]] = [()] * len(tokens)
        covered = dict.fromkeys(self.phrases, 0)  # the end of the last match of each class
        starts = self._starts()
        for t, token in enumerate(tokens):
            if token not in starts:  # by far the most frequent case
                continue
            for name, lengths in starts[token].items():
                if t < covered[name]:
                    continue
                length = self._longest(name, lengths, tokens[t : t + lengths[0]], document)
                for k in range(t, t + length):
                    marks[k] += (f"{'B' if k == t else 'I'}-{name}",)
                covered[name] = t + length
        return marks

    def _longest(self, name: str, lengths: Sequence[int], ahead: Sequence[str], document: int) -> int:
        for length in lengths:
            phrase = tuple(ahead[:length])
            if len(phrase) < length or phrase not in self.phrases[name]:
                continue
            if document < 0 or self.only_in.get((name, phrase), -1) != document:
                return length
        return 0

    def _starts(self) -> dict[str, dict[str, list[int]]]:
        """First word -> class -> the lengths of its phrases that start with that word, the longest first."""
        if self._by_first is None:
            index: dict[str, dict[str, dict[int, None]]] = {}
            for name, phrases in sorted(self.phrases.items()):
                for phrase in sorted(phrases, key=len, reverse=True):
                    index.setdefault(phrase[0], {}).setdefault(name, {})[len(phrase)] = None
            self._by_first = {word: {name: [*n] for name, n in classes.items()} for word, classes in index.items()}
        return self._by_first

    def column(self, sentences: Sequence[Sentence], training: bool = False) -> list[list[tuple[str, ...]]]:
        """Return the column ``gazetteer`` of some sentences. `training`: the gazetteer was learned from them."""
        if not training:
            return [self.match(s.tokens) for s in sentences]
        documents = enumerate(split_documents(sentences))
        return [self.match(s.tokens, number) for number, document in documents for s in document]

    def learn(self, sentences: Sequence[Sentence], labels: Sequence[Sequence[str]], scheme: str) -> None:
        """Add the chunks of the training data."""
        seen = Chunks()
        rest = iter(labels)
        for number, document in enumerate(split_documents(sentences)):
            for sentence in document:
                for span in spans(next(rest), scheme):
                    phrase = tuple(sentence.tokens[span.start : span.end])
                    key = span.label, phrase
                    seen[key] = number if seen.get(key, number) == number else SEVERAL
        self.add_chunks(seen)

    def add_chunks(self, chunks: Chunks) -> None:
        """Add chunks of the training data, each with the number of the only document that has it, or `SEVERAL`."""
        for (name, phrase), document in chunks.items():
            if document != SEVERAL and phrase not in self.phrases.get(name, ()):
                self.only_in[name, phrase] = document
            self.phrases.setdefault(name, set()).add(phrase)
        self._by_first = None

    def join(self, other: Gazetteer) -> None:
        """Add the phrases of another one."""
        self._read_stored()
        other._read_stored()
        for name, phrases in other.phrases.items():
            self.phrases.setdefault(name, set()).update(phrases)
        if other.in_any_case is not None:
            self.in_any_case = self.in_any_case or Gazetteer()
            self.in_any_case.join(other.in_any_case)
        self._by_first = None

    def to_dict(self) -> dict[str, list[list[str]]]:
        """Return the phrases, without those in any case, as JSON values in a fixed order."""
        self._read_stored()
        return {name: [list(p) for p in sorted(phrases)] for name, phrases in sorted(self.phrases.items())}

    def fill(self, table: PhraseTable) -> None:
        """Put the phrases, without those in any case, into a native table."""
        for name, text in sorted(self.stored.items()):
            table.add_text(name, text)
        for name, phrases in sorted(self.phrases.items()):
            table.add(name, phrases)

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> Gazetteer:
        """Return phrases as `stored_lists` writes them, for native tables alone."""
        return cls(stored=dict(texts))

    @classmethod
    def from_dict(cls, data: object) -> Gazetteer:
        """The inverse of `to_dict`, for tagging. It checks everything, since a model file may contain anything."""
        if not isinstance(data, Mapping) or not all(isinstance(phrases, list) for phrases in data.values()):
            raise ModelError(f"gazetteer: expected a list of phrases for each class, found {brief(data)}")
        if (texts := as_texts(data)) is not None:
            return cls.from_texts(texts)
        for phrase in (phrase for phrases in data.values() for phrase in phrases):
            if not isinstance(phrase, list) or not phrase or not all(isinstance(word, str) for word in phrase):
                raise ModelError(f"gazetteer: expected phrases as lists of words, found {brief(phrase)}")
        return cls({name: {tuple(p) for p in phrases} for name, phrases in data.items()})


def as_texts(data: Mapping[str, Any]) -> dict[str, str] | None:
    """Return phrases as `from_texts` takes them, which is quick; None if some have words that it does not take."""
    texts = {}
    for name, phrases in data.items():
        if not isinstance(phrases, list) or not set(map(type, phrases)) <= {list}:
            return None
        try:
            text = "\n".join(map(" ".join, phrases))
        except TypeError:
            return None
        words = sum(map(len, phrases))
        is_plain = text.count(" ") + text.count("\n") + 1 == words and len(text.split()) == words
        if not is_plain:
            return None
        texts[name] = text
    return texts


def with_lists(templates: Strings, groups: Strings) -> tuple[Strings, Strings]:
    """Return templates and groups with those for lists of phrases, unless some template uses the lists already."""
    return (templates, groups) if any(map(is_looked_at, templates)) else add(templates, groups, TEMPLATES, COLUMN)


def is_looked_at(template: str) -> bool:
    """Return whether a template looks at the column of the lists.

    >>> is_looked_at("form[0] gazetteer[1]"), is_looked_at("my-gazetteer[0]")
    (True, False)
    """
    return re.search(rf"(?<![\w.:-]){COLUMN}(?=[.\[])", template) is not None


def read_gazetteer(entries: Iterable[str], read: Callable[[str], str] = read_text) -> Gazetteer:
    """Read the lists that a recipe names as ``class=file``, or as ``class~=file`` for matches in any case."""
    gazetteer = Gazetteer()
    for entry in (entry for entry in entries if entry != FROM_TRAINING):
        start, equals, path = entry.partition("=")
        name = start.removesuffix("~")
        if not equals or not name or not path:
            raise SettingError(f"gazetteer: expected class=file, class~=file or {FROM_TRAINING!r}, found {entry!r}")
        phrases = _phrases(read(path))
        if name == start:
            gazetteer.join(Gazetteer({name: phrases}))
        else:
            lower = {tuple(word.lower() for word in phrase) for phrase in phrases}
            gazetteer.join(Gazetteer(in_any_case=Gazetteer({name: lower})))
    return gazetteer


def _phrases(text: str) -> set[Phrase]:
    phrases = {tuple(word for word in re.split("[ \t]+", line) if word) for line in text.split("\n")}
    phrases.discard(())
    return phrases
