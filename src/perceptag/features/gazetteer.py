"""Lists of phrases as features: the longest matches of a sentence, marked B- and I-.

A recipe names lists as ``gazetteer = ["city=cities.txt"]``, one phrase a line, its tokens separated by spaces;
``gazetteer = ["train"]`` takes the chunks of the training data. Templates then use the column ``gazetteer``:
``gazetteer[0]``.

A list made from the training data would be an oracle on that data. So a training document sees only phrases
that are chunks in some other document too; at tagging all of them are seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from perceptag.errors import SettingError
from perceptag.features.document import split_documents
from perceptag.labels import spans
from perceptag.text.lines import whole_lines
from perceptag.text.sentence import Sentence

COLUMN = "gazetteer"
FROM_TRAINING = "train"

Phrase = tuple[str, ...]


@dataclass(slots=True)
class Gazetteer:
    """Phrases by class. Matching is case-sensitive, longest first, left to right, for each class by itself."""

    phrases: dict[str, set[Phrase]] = field(default_factory=dict)
    # Phrases that are chunks in one training document only, which must not see them: (class, phrase) -> document.
    only_in: dict[tuple[str, Phrase], int] = field(default_factory=dict)

    def match(self, tokens: Sequence[str], document: int = -1) -> list[tuple[str, ...]]:
        """For each token the marks of all classes that match there. `document`: the training document it is in.

        >>> Gazetteer({"city": {("New", "York"), ("York",)}}).match(["in", "New", "York"])
        [(), ('B-city',), ('I-city',)]
        """
        marks: list[list[str]] = [[] for _ in tokens]
        for name, phrases in self.phrases.items():
            longest = max(map(len, phrases), default=0)
            start = 0
            while start < len(tokens):
                length = self._longest(name, tokens, start, longest, document)
                for t in range(start, start + length):
                    marks[t].append(f"{'B' if t == start else 'I'}-{name}")
                start += max(1, length)
        return [tuple(m) for m in marks]

    def _longest(self, name: str, tokens: Sequence[str], start: int, longest: int, document: int) -> int:
        for length in range(min(longest, len(tokens) - start), 0, -1):
            phrase = tuple(tokens[start : start + length])
            if phrase in self.phrases[name] and (
                document < 0 or self.only_in.get((name, phrase), -1) != document
            ):
                return length
        return 0

    def column(self, sentences: Sequence[Sentence], training: bool = False) -> list[list[tuple[str, ...]]]:
        """The column ``gazetteer`` of some sentences; `training`: they are the sentences it was learned from."""
        if not training:
            return [self.match(s.tokens) for s in sentences]
        documents = enumerate(split_documents(sentences))
        return [self.match(s.tokens, number) for number, document in documents for s in document]

    def learn(self, sentences: Sequence[Sentence], labels: Sequence[Sequence[str]], scheme: str) -> None:
        """Add the chunks of the training data."""
        seen: dict[tuple[str, Phrase], set[int]] = {}
        rest = iter(labels)
        for number, document in enumerate(split_documents(sentences)):
            for sentence in document:
                for span in spans(next(rest), scheme):
                    phrase = tuple(sentence.tokens[span.start : span.end])
                    seen.setdefault((span.label, phrase), set()).add(number)
        for (name, phrase), documents in seen.items():
            if len(documents) == 1 and phrase not in self.phrases.get(name, ()):
                self.only_in[name, phrase] = min(documents)
            self.phrases.setdefault(name, set()).add(phrase)

    def to_dict(self) -> dict[str, list[list[str]]]:
        """As JSON can hold it, in a fixed order."""
        return {name: [list(p) for p in sorted(phrases)] for name, phrases in sorted(self.phrases.items())}

    @classmethod
    def from_dict(cls, data: Mapping[str, Iterable[Sequence[str]]]) -> Gazetteer:
        """The inverse of `to_dict`, for tagging."""
        return cls({name: {tuple(p) for p in phrases} for name, phrases in data.items()})


def read_gazetteer(entries: Iterable[str]) -> Gazetteer:
    """Read the lists that a recipe names as ``class=file``."""
    gazetteer = Gazetteer()
    for entry in entries:
        name, equals, path = entry.partition("=")
        if entry == FROM_TRAINING:
            continue
        if not equals or not name or not path:
            raise SettingError(f"gazetteer: expected class=file or {FROM_TRAINING!r}, found {entry!r}")
        gazetteer.phrases.setdefault(name, set()).update(_read(path))
    return gazetteer


def _read(path: str) -> set[Phrase]:
    text = "".join(block.text for block in whole_lines(path))
    phrases = {tuple(line.split()) for line in text.split("\n")}
    phrases.discard(())
    return phrases
