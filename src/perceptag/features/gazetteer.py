"""Gazetteers: the longest matches of listed phrases in a sentence, marked B- and I-.

A recipe names lists as ``gazetteer = ["city=cities.txt"]``: one phrase per line, its tokens separated by spaces.
``city~=cities.txt`` matches in any case of letters: ``new york`` and ``NEW YORK`` too. ``gazetteer = ["train"]`` uses
the chunks of the training data, ``"train~"`` in any case of letters. Templates then use the column ``gazetteer``:
``gazetteer[0]``. The column ``gazetteer_bilu`` has the same matches with L- for the last of several words and U- for
the only word of a match, as in Ratinov and Roth (2009).

A list made from the training data would be an oracle on that data. So a training document sees only those phrases
that are also chunks in another document; tagging sees all of them. A copy of a sentence in other case (`augment`)
counts as part of its original's document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from perceptag.errors import DataError, ModelError, SettingError, brief
from perceptag.features.groups import Strings, add
from perceptag.labels.schemes import spans
from perceptag.text.lines import OTHER_ENCODING, read_text
from perceptag.text.sentence import Sentence

if TYPE_CHECKING:
    from perceptag._core import PhraseTable

COLUMN, POSITIONS = "gazetteer", "gazetteer_bilu"
COLUMNS = (COLUMN, POSITIONS)
FROM_TRAINING, FROM_TRAINING_IN_ANY_CASE = "train", "train~"
LIST_POSITIONS = {"I": "inside a phrase of", "L": "at the end of a phrase of"}
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

    def match(self, tokens: Sequence[str], document: int = -1, column: str = COLUMN) -> list[tuple[str, ...]]:
        """Return for each token the marks of all classes that match there. `document`: the training document it is in.

        >>> lists = Gazetteer({"city": {("New", "York"), ("York",)}})
        >>> lists.match(["New", "York"])
        [('B-city',), ('I-city',)]
        >>> lists.match(["New", "York", "York"], column="gazetteer_bilu")
        [('B-city',), ('L-city',), ('U-city',)]
        """
        self._read_stored()
        marks = self._match(tokens, document, column)
        if self.in_any_case is None:
            return marks
        others = self.in_any_case.match([token.lower() for token in tokens], document, column)
        return [tuple(dict.fromkeys((*some, *more))) for some, more in zip(marks, others, strict=True)]

    def _read_stored(self) -> None:
        if not self.stored:
            return
        for name, text in self.stored.items():
            phrases = (tuple(line.split(" ")) for line in text.split("\n")) if text else ()
            self.phrases.setdefault(name, set()).update(phrases)
        self.stored, self._by_first = {}, None

    def _match(self, tokens: Sequence[str], document: int, column: str) -> list[tuple[str, ...]]:
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
                for k, letter in enumerate(positions(length, column), t):
                    marks[k] += (f"{letter}-{name}",)
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

    def column(
        self, sentences: Sequence[Sentence], documents: Sequence[int] | None = None, column: str = COLUMN
    ) -> list[list[tuple[str, ...]]]:
        """Return a column of marks. `documents`: those that `learn` got, if the gazetteer has learned the sentences."""
        numbers = [-1] * len(sentences) if documents is None else documents
        return [self.match(s.tokens, number, column) for s, number in zip(sentences, numbers, strict=True)]

    def learn(
        self, sentences: Iterable[Sequence[str]], labels: Iterable[Sequence[str]], scheme: str, documents: Iterable[int]
    ) -> None:
        """Add the chunks of training sentences; `documents` has the number of the document of each."""
        seen = Chunks()
        for tokens, own, number in zip(sentences, labels, documents, strict=True):
            for span in spans(own, scheme):
                key = span.label, tuple(tokens[span.start : span.end])
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
        lines = sum(text.count("\n") + 1 for text in self.stored.values())
        table.reserve(lines, lines + sum(text.count(" ") for text in self.stored.values()))
        for name in sorted({*self.stored, *self.phrases}):
            if name in self.stored:
                table.add_text(name, self.stored[name])
            if name in self.phrases:
                table.add(name, self.phrases[name])

    @classmethod
    def from_dict(cls, data: object) -> Gazetteer:
        """The inverse of `to_dict`, for tagging. It checks everything, since a model file may contain anything."""
        if not isinstance(data, Mapping) or not all(isinstance(phrases, list) for phrases in data.values()):
            raise ModelError(f"gazetteer: expected a list of phrases for each class, found {brief(data)}")
        if (texts := as_texts(data)) is not None:
            return cls(stored=texts)
        for phrase in (phrase for phrases in data.values() for phrase in phrases):
            if not isinstance(phrase, list) or not phrase or not all(isinstance(word, str) for word in phrase):
                raise ModelError(f"gazetteer: expected phrases as lists of words, found {brief(phrase)}")
        return cls({name: {tuple(p) for p in phrases} for name, phrases in data.items()})


def positions(length: int, column: str = COLUMN) -> str:
    """Return the letters that a column has for the words of a match.

    >>> positions(3), positions(3, "gazetteer_bilu"), positions(1, "gazetteer_bilu")
    ('BII', 'BIL', 'U')
    """
    if column == POSITIONS and length == 1:
        return "U"
    last = "L" if column == POSITIONS else "I"
    return ("B" + "I" * (length - 2) + last)[:length]


def list_meaning(mark: str) -> str:
    """Return what a mark of the columns of lists says.

    >>> list_meaning("B-places"), list_meaning("I-places"), list_meaning("L-places")
    ('in the list of places', 'inside a phrase of the list of places', 'at the end of a phrase of the list of places')
    """
    letter, _, name = mark.partition("-")
    return f"{LIST_POSITIONS.get(letter, 'in')} the list of {name}" if name else ""


def as_texts(data: Mapping[str, Any]) -> dict[str, str] | None:
    """Return phrases as `stored` has them, which is quick; None if some have words that it does not take."""
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
    """Return whether a template looks at a column of the lists.

    >>> is_looked_at("form[0] gazetteer[1]"), is_looked_at("gazetteer_bilu[0]"), is_looked_at("my-gazetteer[0]")
    (True, True, False)
    """
    return re.search(rf"(?<![\w.:-])({'|'.join(COLUMNS)})(?=[.\[])", template) is not None


def read_gazetteer(entries: Iterable[str], read: Callable[[str], str] = read_text) -> Gazetteer:
    """Read the lists that a recipe names as ``class=file``, or as ``class~=file`` for matches in any case."""
    gazetteer = Gazetteer()
    for entry in (entry for entry in entries if entry not in (FROM_TRAINING, FROM_TRAINING_IN_ANY_CASE)):
        start, path = class_and_file(entry)
        name = start.removesuffix("~")
        try:
            phrases = _phrases(read(path))
        except DataError as error:  # --encoding is that of the sentences
            hint = "lists are read as UTF-8: 'iconv -f latin1 -t utf-8 LIST > NEW' converts one"
            raise DataError(str(error).replace(OTHER_ENCODING, hint)) from None
        if not phrases:
            raise DataError("expected phrases, one in a line, found none", where=path)
        if name == start:
            gazetteer.join(Gazetteer({name: phrases}))
        else:
            lower = {tuple(word.lower() for word in phrase) for phrase in phrases}
            gazetteer.join(Gazetteer(in_any_case=Gazetteer({name: lower})))
    return gazetteer


def class_and_file(entry: str) -> tuple[str, str]:
    """Take an entry such as ``city~=cities.txt`` apart.

    >>> class_and_file("city~=cities.txt")
    ('city~', 'cities.txt')
    """
    start, equals, path = entry.partition("=")
    if not equals or not start.removesuffix("~") or not path:
        raise SettingError(
            f"gazetteer: expected class=file, class~=file, {FROM_TRAINING!r} or {FROM_TRAINING_IN_ANY_CASE!r}, "
            f"found {entry!r}"
        )
    return start, path


def _phrases(text: str) -> set[Phrase]:
    phrases = {tuple(word for word in re.split("[ \t]+", line) if word) for line in text.split("\n")}
    phrases.discard(())
    return phrases
