"""The features of the chunker as strings, as Carreras, Màrquez & Padró (2003), section 4, describe them; slow.

Departures, where the paper says nothing: positions outside the sentence have the feature ``outside``; type patterns
fire only for runs inside the sentence; the windows of a phrase contain the predicates of single words.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from perceptag.features.predicates import affixes, orthographic, word_type

INNER_PATTERNS = (2, 3, 4)


@dataclass(frozen=True, slots=True)
class ChunkFeatures:
    """The features, with the resources they need besides the sentence."""

    functional: Collection[str] = ()
    gazetteer: Mapping[tuple[str, ...], Collection[str]] = field(default_factory=dict)  # phrase -> categories
    word_window: int = 3
    phrase_window: int = 3

    def predicates(self, token: Mapping[str, str]) -> list[str]:
        """Return all predicates of one token; `token` has its form, its word (form or lemma) and further columns."""
        form = token["form"]
        further = [f"{name}={value}" for name, value in token.items() if name not in ("form", "word")]
        return [f"form={token['word']}", *orthographic(form, self.functional), *affixes(form), *further]

    def at(self, tokens: Sequence[Mapping[str, str]], i: int, offset: int) -> list[str]:
        """Return the predicates of token i + offset, with the offset in their names."""
        if not 0 <= i + offset < len(tokens):
            return [f"outside[{offset}]"]
        named = [p.partition("=") for p in self.predicates(tokens[i + offset])]
        return [f"{name}[{offset}]{equals}{value}" for name, equals, value in named]

    def word(self, tokens: Sequence[Mapping[str, str]], i: int) -> set[str]:
        """Return the instance of a word: a window of predicates, and the patterns of all runs in it around the word."""
        width = self.word_window
        found = {p for offset in range(-width, width + 1) for p in self.at(tokens, i, offset)}
        for first in range(max(-width, -i), 1):
            for last in range(min(width, len(tokens) - 1 - i) + 1):
                found.add(f"pattern[{first}..{last}]={self.pattern(tokens[i + first : i + last + 1])}")
        return found

    def pattern(self, tokens: Sequence[Mapping[str, str]]) -> str:
        """Return the word types of a run."""
        return "".join(word_type(token["form"], self.functional) for token in tokens)

    def phrase(self, tokens: Sequence[Mapping[str, str]], s: int, e: int, left: Sequence[str | None]) -> set[str]:
        """Return the instance of a phrase: its context, its words as a bag, the whole phrase, the gazetteer."""
        width = self.phrase_window
        found = {f"s.{p}" for offset in range(-width, 1) for p in self.at(tokens, s, offset)}
        found |= {f"e.{p}" for offset in range(width + 1) for p in self.at(tokens, e, offset)}
        found |= {f"left[-{d}]={k}" for d, k in enumerate(left, 1) if k is not None}
        inner = tokens[s : e + 1]
        for token in inner:
            found |= {f"in.form={token['word']}", *(f"in.{a}" for a in affixes(token["form"]))}
        for size in INNER_PATTERNS:
            found |= {f"in.pattern={self.pattern(inner[i : i + size])}" for i in range(len(inner) - size + 1)}
        words = tuple(token["word"] for token in inner)
        found |= {f"phrase={' '.join(words)}", f"phrase.pattern={self.pattern(inner)}"}
        found |= {f"gazetteer={k}" for k in self.gazetteer.get(words, ())}
        in_entries = {word: set[str]() for word in words}
        for entry, categories in self.gazetteer.items():
            for word in entry:
                if word in in_entries:
                    in_entries[word].update(categories)
        return found | {f"gazetteer.word={k}" for categories in in_entries.values() for k in categories}
