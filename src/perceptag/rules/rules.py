"""Rules ready to match: a tagger of their own, and what they say about the spans of a sentence."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import Any, cast

from perceptag import _core
from perceptag.arrays import Ints
from perceptag.errors import DataError, SettingError, brief
from perceptag.rules.compiled_rules import CompiledRules, compile_rules, list_attributes
from perceptag.rules.conditions import WORDS, TokenField, field_of
from perceptag.rules.contradictions import contradictions, inside_token, told
from perceptag.rules.overlaps import Match, without_overlaps
from perceptag.rules.programs import LOOK, Program
from perceptag.rules.rule_file import Rule, RuleFile, parse_rule_file, read_rule_file
from perceptag.rules.spans import RuleSpan
from perceptag.rules.token_types import RuleTokenTypes
from perceptag.rules.values import VALUES
from perceptag.text.inputs import as_sentences
from perceptag.text.lines import checked_path
from perceptag.text.sentence import Sentence
from perceptag.text.word_spacing import spaces_after, text_of

_KINDS = {TokenField(WORDS, ()): 0, TokenField(WORDS, ("lower",)): 1}  # as PhraseList::By of the core numbers them
_OTHER = 2
LABELLING = ("force", "suggest", "feature")  # what rules say that find spans


class Rules:
    """Rules of a file, compiled. They may be shared by any number of threads, which then take turns.

    >>> rules = Rules.parse('''
    ... [[rule]]
    ... label = "ORDER"
    ... tokens = '"order"i "no"i? "."? [shape ~ /d+/]'
    ... ''')
    >>> rules(["My", "order", "no", ".", "4711"])
    [RuleSpan(start=1, end=5, label='ORDER', say='force', weight=0.0, rule='ORDER-1', value=None)]
    """

    def __init__(self, file: RuleFile, compiled: CompiledRules | None = None) -> None:
        if not isinstance(file, RuleFile):
            raise SettingError(f"Rules: expected Rules.load(path) or Rules.parse(text), found {brief(file)}")
        self.file = file
        self.rules = file.rules
        self.steps = 0  # of the automata, in all matching so far
        self.contradiction = ""  # the first one that was met, in words
        self.inside_token = ""  # the same for a phrase that is only a part of a token
        self._lock = Lock()
        self._priorities = [rule.priority for rule in self.rules]
        found = compiled or compile_rules(file)
        lists_of_phrases = list(dict.fromkeys(_list_of(rule) for rule in self.rules if rule.phrases))
        kinds = [(_KINDS.get(field, _OTHER), expands) for field, expands in lists_of_phrases]
        self._matcher = _core.RuleMatcher(len(found.conditions), found.sets, kinds)
        for number, key, program in found.programs:
            self._add(program, key, number)
        self._has_text = any(rule.text for rule in self.rules)
        self.phrases = sum(self._add_phrases(rule, number, lists_of_phrases) for number, rule in enumerate(self.rules))
        fields = [field for field, _ in lists_of_phrases]
        self._types = RuleTokenTypes(self._matcher, found, fields, list_attributes(file.lists))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Rules:
        """Read a rule file, and the files of phrases that it names."""
        return cls(read_rule_file(checked_path(path, "path")))

    @classmethod
    def parse(cls, text: str, path: str = "rules") -> Rules:
        """Make rules of the text of a rule file that names no other files."""
        if not isinstance(text, str):
            raise SettingError(f"text: expected a string, found {brief(text)}")

        def refuse(name: str) -> str:
            raise SettingError(f"{path}: expected a rule file without files, found {name!r}")

        return cls(parse_rule_file(text, path, refuse))

    @property
    def column(self) -> str:
        """The column that the rules give."""
        return self.file.column

    @property
    def columns(self) -> list[str]:
        """The columns that the rules look at."""
        return self._types.columns

    @property
    def labels(self) -> list[str]:
        """The labels of the rules, in the order of the file."""
        return list(dict.fromkeys(rule.label for rule in self.rules))

    def __call__(self, sentence: Sentence | Sequence[str]) -> list[RuleSpan]:
        """Return the spans of a sentence, or of a list of tokens, without overlaps, from left to right."""
        return self.labelled([sentence])[0]

    def labelled(self, sentences: Iterable[object]) -> list[list[RuleSpan]]:
        """Return the spans that the rules give as a tagger: no overlaps, and none that a rule forbids.

        Sentences may be token lists, as for `perceptag.Tagger.predict`; so they may for the other methods.
        """
        given = _sentences(sentences)
        return [self._chosen(one, matches) for one, matches in zip(given, self.matches(given), strict=True)]

    def constraints(self, sentences: Iterable[object]) -> list[list[RuleSpan]]:
        """Return what the rules say to a model: forced spans without overlaps, and all others that match."""
        given = _sentences(sentences)
        return [self._said(one, matches) for one, matches in zip(given, self.matches(given), strict=True)]

    def tag(self, sentences: Iterable[object]) -> list[list[str]]:
        """Return the labels of each sentence in IOB2."""
        given = _sentences(sentences)
        return [iob2(len(one), spans) for one, spans in zip(given, self.labelled(given), strict=True)]

    def matches(self, sentences: Iterable[object]) -> list[list[Match]]:
        """Return for each sentence the longest match of each rule from each token, in order."""
        given = _sentences(sentences)
        with self._lock:
            types, begin = self._types.numbers(given)
            spaces = b"".join(map(spaces_after, given)) if self._has_text else b"\x01" * len(types)
            return self._match(types, begin, memoryview(spaces), lambda s, start, end: text_of(given[s], start, end))

    def spans_of_words(self, words: Sequence[str], numbers: Ints, begin: Ints, spaces: Any) -> list[list[Match]]:
        """Return the matches of each sentence that label it, without overlaps, for rules that look at words alone.

        `words` are the different words, `numbers` says which one each token is, `begin` where each sentence begins, and
        `spaces` is 1 for a token that white space follows. Rules that contradict each other are a DataError.
        """
        with self._lock:
            types = cast("Ints", _core.take(self._types.numbers_of_words(words), numbers))

            def told(sentence: int, start: int, end: int) -> str:
                return "".join(words[n] for n in numbers[begin[sentence] + start : begin[sentence] + end])

            found = self._match(types, begin, spaces, told)
        if any(True for matches in found for _ in contradictions(matches, self.rules)):
            raise DataError("rules: some contradict each other")
        return [self._labelling(matches) if matches else matches for matches in found]

    def _match(self, types: Ints, begin: Ints, spaces: Any, words: Callable[[int, int, int], str]) -> list[list[Match]]:
        """Return the matches of each sentence in order; `words` are those of a span of a sentence."""
        rows, inside, steps = self._matcher.match(types, begin, spaces)
        self.steps += steps
        if len(inside) and not self.inside_token:
            sentence, start, end, number = inside[:4].tolist()
            self.inside_token = inside_token(self.rules[number], words(sentence, start, end))
        found: list[list[Match]] = [[] for _ in range(len(begin) - 1)]
        each = iter(rows.tolist())
        for sentence, start, end, rule in zip(each, each, each, each, strict=True):
            found[sentence].append((start, end, rule))
        return found

    @property
    def notes(self) -> list[str]:
        """What users should know of the rules after they have matched: of each kind of problem the first."""
        return [note for note in (self.contradiction, self.inside_token) if note]

    def _chosen(self, sentence: Sentence, matches: Sequence[Match]) -> list[RuleSpan]:
        if not matches:
            return []
        self._note_contradiction(sentence, matches)
        return self._spans(self._labelling(matches), sentence)

    def _labelling(self, matches: Sequence[Match]) -> list[Match]:
        """Return the matches that label a sentence: no overlaps, and none that a rule forbids."""
        said = [(match, self.rules[match[2]]) for match in matches]
        forbidden = {(start, end, rule.label) for (start, end, _), rule in said if rule.say == "forbid"}
        kept = [
            match
            for match, rule in said
            if rule.say in LABELLING and (rule.say == "force" or (*match[:2], rule.label) not in forbidden)
        ]
        return without_overlaps(kept, self._priorities)

    def _said(self, sentence: Sentence, matches: Sequence[Match]) -> list[RuleSpan]:
        self._note_contradiction(sentence, matches)
        forced = [match for match in matches if self.rules[match[2]].say == "force"]
        others = [match for match in matches if self.rules[match[2]].say != "force"]
        return self._spans(sorted([*without_overlaps(forced, self._priorities), *others]), sentence)

    def _note_contradiction(self, sentence: Sentence, matches: Sequence[Match]) -> None:
        for one, other in () if self.contradiction else contradictions(matches, self.rules):
            words = text_of(sentence, one[0], one[1])
            self.contradiction = told(self.rules[one[2]], self.rules[other[2]], words)
            return

    def _spans(self, matches: Sequence[Match], sentence: Sentence) -> list[RuleSpan]:
        spaces = spaces_after(sentence) if any(self.rules[number].value for *_, number in matches) else b""
        found = []
        for start, end, number in matches:
            rule, value = self.rules[number], None
            if rule.value:
                value = VALUES[rule.value](text_of(sentence, start, end, spaces), self.file.lists)
            found.append(RuleSpan(start, end, rule.label, rule.say, rule.weight, rule.name, value))
        return found

    def _add(self, program: Program, key: str, number: int) -> None:
        if key == "tokens":
            self._matcher.add_token_program(self._linked(program), program.start, number)
        else:
            self._matcher.add_text_program(program.nodes, program.start, number, self.rules[number].expands)

    def _linked(self, program: Program) -> list[int]:
        """Return the nodes of a program with the numbers that the core has for its look-arounds."""
        numbers = [
            self._matcher.add_look(self._linked(look.program), look.program.start, look.behind, look.negated)
            for look in program.looks
        ]
        nodes = list(program.nodes)
        for i in range(0, len(nodes), 3):
            if nodes[i] == LOOK:
                nodes[i + 1] = numbers[nodes[i + 1]]
        return nodes

    def _add_phrases(self, rule: Rule, number: int, lists: Sequence[tuple[TokenField, bool]]) -> int:
        if not rule.phrases:
            return 0
        field, expands = _list_of(rule)
        text = "\n".join(rule.phrases)
        if field.attributes == ("lower",):
            text = text.lower()
        added, too_long, line = self._matcher.add_phrases(lists.index((field, expands)), text, number)
        if too_long:
            raise rule.where.error(
                f"expected phrases of at most 100 words and signs; found {too_long} longer ones, the first is number "
                f"{line}",
                rule.name,
                "phrases",
            )
        return int(added)


def _sentences(given: Iterable[object]) -> Sequence[Sentence]:
    """Return what users give as sentences; sentences as they are."""
    if isinstance(given, list) and all(isinstance(sentence, Sentence) for sentence in given):
        return given
    return as_sentences(given)


def iob2(size: int, spans: Iterable[RuleSpan]) -> list[str]:
    """Return the labels of spans that do not overlap."""
    labels = ["O"] * size
    for span in spans:
        labels[span.start : span.end] = [f"B-{span.label}", *[f"I-{span.label}"] * (span.end - span.start - 1)]
    return labels


def _list_of(rule: Rule) -> tuple[TokenField, bool]:
    """Return what the phrases of a rule are compared with, and whether matches are expanded to whole tokens."""
    field = field_of(rule.by)
    if field.attributes not in ((), ("lower",)):
        raise rule.where.error(f"expected a column, or lower; found {rule.by!r}", rule.name, "by")
    return field, rule.expands
