"""The types of tokens: the values of the columns that rules look at, and which conditions hold for them.

Conditions are checked once for each type. A type is kept for the next time that it occurs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from perceptag import _core
from perceptag.errors import DataError
from perceptag.features.attributes import Attribute
from perceptag.rules.conditions import (
    WORDS,
    Among,
    Condition,
    FieldReader,
    Like,
    TokenField,
    fields_in,
    holds,
    likes_in,
)
from perceptag.rules.programs import whole
from perceptag.rules.text_patterns import CharacterSets
from perceptag.text.sentence import Sentence

MOST_TYPES = 1_000_000  # in memory; then it starts from nothing


class RuleTokenTypes:
    """Numbers of types, for a matcher of the core."""

    def __init__(
        self,
        matcher: _core.RuleMatcher,
        conditions: Sequence[Condition],
        tries: Sequence[TokenField],
        extra: Mapping[str, Attribute],
    ) -> None:
        self.matcher = matcher
        self.tries = tries
        used = [field for condition in conditions for field in fields_in(condition)]
        self.columns = list(dict.fromkeys([WORDS, *(field.column for field in (*used, *tries))]))
        self._reader = FieldReader(extra)
        self._numbers: dict[object, int] = {}
        # Conditions that a value decides, those that are an expression, and all others.
        self._by_value: dict[TokenField, dict[str, list[int]]] = {}
        self._by_expression: dict[tuple[TokenField, str], list[int]] = {}
        self._others: list[tuple[int, Condition]] = []
        for number, condition in enumerate(conditions):
            self._sort_in(number, condition)
        likes = dict.fromkeys((like.field, like.expression) for one in conditions for like in likes_in(one))
        self._expressions = {
            field: ExpressionList([expression for other, expression in likes if other == field]) for field, _ in likes
        }

    def _sort_in(self, number: int, condition: Condition) -> None:
        if isinstance(condition, Among) and condition.values is not None:
            numbers = self._by_value.setdefault(condition.field, {})
            for value in condition.values:
                numbers.setdefault(value, []).append(number)
        elif isinstance(condition, Like):
            self._by_expression.setdefault((condition.field, condition.expression), []).append(number)
        else:
            self._others.append((number, condition))

    def numbers_of_words(self, words: Sequence[str]) -> list[int]:
        """Return the types of words, if no other column is looked at."""
        self._forget_many()
        return [self._number(word) for word in words]

    def _forget_many(self) -> None:
        if len(self._numbers) > MOST_TYPES:
            self._numbers.clear()
            self.matcher.clear_types()

    def numbers(self, sentences: Sequence[Sentence]) -> list[int]:
        """Return the types of all tokens."""
        self._forget_many()
        found: list[int] = []
        for sentence in sentences:
            keys = self._keys(sentence)
            known = [*map(self._numbers.get, keys)]
            if None in known:
                known = [self._number(key) for key in keys]
            found += known  # type: ignore[arg-type]
        return found

    def _number(self, key: object) -> int:
        number = self._numbers.get(key)
        return self._add(key) if number is None else number

    def _keys(self, sentence: Sentence) -> Sequence[object]:
        """Return what tells the types of the tokens of a sentence: a word, or a tuple of column values."""
        if len(self.columns) == 1:
            return sentence.tokens
        columns = [sentence.tokens if name == WORDS else sentence.columns.get(name) for name in self.columns]
        for name, column in zip(self.columns, columns, strict=True):
            if column is None:
                raise DataError(
                    f"expected the column {name!r}, which the rules look at; found {', '.join(sentence.columns)}",
                    sentence.where(),
                )
        return list(zip(*columns, strict=True))

    def _add(self, key: object) -> int:
        values = (key,) if isinstance(key, str) else key
        columns: dict[str, str] = dict(zip(self.columns, values, strict=True))  # type: ignore[call-overload]
        memory: dict[TokenField, list[str]] = {}

        def values_of(field: TokenField) -> list[str]:
            if field not in memory:
                memory[field] = self._reader.values(field, columns)
            return memory[field]

        tests = [
            number
            for field, numbers in self._by_value.items()
            for value in values_of(field)
            for number in numbers.get(value, ())
        ]
        found = [
            (field, expression, value)
            for field, expressions in self._expressions.items()
            for value in values_of(field)
            for expression in expressions.matching(value)
        ]
        like = {(expression, value) for _, expression, value in found}
        for key_of_test in dict.fromkeys((field, expression) for field, expression, _ in found):
            tests += self._by_expression.get(key_of_test, ())
        tests += [n for n, condition in self._others if holds(condition, values_of, lambda e, v: (e, v) in like)]
        by_trie = [" ".join(values_of(field)) for field in self.tries]
        number: int = self.matcher.add_type(columns[WORDS], tests, by_trie)
        self._numbers[key] = number
        return number


class ExpressionList:
    """Regular expressions, and which of them match the whole of a value."""

    def __init__(self, expressions: Sequence[str]) -> None:
        self.expressions = expressions
        sets = CharacterSets()
        programs = [whole(sets.parse(expression)) for expression in expressions]
        self._found = _core.WholeExpressions(sets.sets)
        for program in programs:
            self._found.add(program.nodes, program.start)

    def matching(self, value: str) -> list[str]:
        """Return the expressions that match the whole of a value."""
        return [self.expressions[number] for number in self._found.matching(value)]
