"""The types of tokens: the values of the columns that rules look at, and which conditions hold for them.

Conditions are checked once for each type. A type is kept for the next time that it occurs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from perceptag import _core
from perceptag.arrays import Ints, int_view, offset_view
from perceptag.errors import DataError
from perceptag.features.attributes import Attribute
from perceptag.rules.compiled_rules import CompiledRules, FieldExpressions
from perceptag.rules.conditions import WORDS, Among, Condition, FieldReader, Like, TokenField, fields_in, holds
from perceptag.text.sentence import Sentence

MOST_TYPES = 1_000_000  # in memory; then it starts from nothing


class RuleTokenTypes:
    """Numbers of types, for a matcher of the core."""

    def __init__(
        self,
        matcher: _core.RuleMatcher,
        rules: CompiledRules,
        phrase_fields: Sequence[TokenField],
        extra: Mapping[str, Attribute],
    ) -> None:
        self.matcher = matcher
        self.phrase_fields = phrase_fields
        conditions = rules.conditions
        used = dict.fromkeys([*(field for one in conditions for field in fields_in(one)), *phrase_fields])
        self._fields = {field: place for place, field in enumerate(used)}
        self.columns = list(dict.fromkeys([WORDS, *(field.column for field in used)]))
        self._reader = FieldReader(extra)
        self._numbers: dict[tuple[str, ...], int] = {}  # types of tokens with several columns; the core has words
        # Conditions that a value decides, those that are an expression, and all others.
        by_value: dict[TokenField, dict[str, list[int]]] = {}
        by_expression: dict[TokenField, dict[str, list[int]]] = {}
        self._others: list[tuple[int, Condition]] = []
        for number, condition in enumerate(conditions):
            if isinstance(condition, Among) and condition.values is not None:
                for value in condition.values:
                    by_value.setdefault(condition.field, {}).setdefault(value, []).append(number)
            elif isinstance(condition, Like):
                by_expression.setdefault(condition.field, {}).setdefault(condition.expression, []).append(number)
            else:
                self._others.append((number, condition))
        self._by_value = list(by_value.items())
        self._expressions = [
            (field, ExpressionList(some), by_expression.get(field, {})) for field, some in rules.expressions
        ]

    def numbers_of_words(self, words: Sequence[str]) -> Ints:
        """Return the types of words, if no other column is looked at."""
        self._forget_many()
        return self._types_of([[*words]])[0]

    def _forget_many(self) -> None:
        if self.matcher.types > MOST_TYPES:
            self._numbers.clear()
            self.matcher.clear_types()

    def numbers(self, sentences: Sequence[Sentence]) -> tuple[Ints, Ints]:
        """Return the types of all tokens, and where sentences begin."""
        self._forget_many()
        if len(self.columns) == 1:
            return self._types_of([sentence.tokens for sentence in sentences])
        found: list[int] = []
        for sentence in sentences:
            keys = self._keys(sentence)
            known = [*map(self._numbers.get, keys)]
            if None in known:
                known = [self._number(key) for key in keys]
            found += known  # type: ignore[arg-type]
        return int_view(found), offset_view(map(len, sentences))

    def _types_of(self, words: list[list[str]]) -> tuple[Ints, Ints]:
        """Return the types of words that the core has or finds; the others are added."""
        found = self.matcher.types_of(words)
        if found is None:  # words that are more than plain strings, or lists that are none
            return int_view(self._number((word,)) for one in words for word in one), offset_view(map(len, words))
        types, begin, unknown = found
        for word in unknown:
            self._add((word,))
        return types, begin

    def _number(self, key: tuple[str, ...]) -> int:
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = self._add(key)
        return number

    def _keys(self, sentence: Sentence) -> list[tuple[str, ...]]:
        """Return the values of the columns of each token, which tell its type."""
        columns = [sentence.tokens if name == WORDS else sentence.columns.get(name) for name in self.columns]
        for name, column in zip(self.columns, columns, strict=True):
            if column is None:
                raise DataError(
                    f"expected the column {name!r}, which the rules look at; found {', '.join(sentence.columns)}",
                    sentence.where(),
                )
        return list(zip(*columns, strict=True))

    def _add(self, key: tuple[str, ...]) -> int:
        columns = dict(zip(self.columns, key, strict=True))
        memory: list[list[str] | None] = [None] * len(self._fields)

        def values_of(field: TokenField) -> list[str]:
            place = self._fields[field]
            found = memory[place]
            if found is None:
                found = memory[place] = self._reader.values(field, columns)
            return found

        tests: list[int] = []
        for field, numbers in self._by_value:
            for value in values_of(field):
                tests += numbers.get(value, ())
        like: set[tuple[str, str]] = set()
        for field, expressions, by_expression in self._expressions:
            for value in values_of(field):
                for expression in expressions.matching(value):
                    like.add((expression, value))
                    tests += by_expression.get(expression, ())
        tests += [n for n, condition in self._others if holds(condition, values_of, lambda e, v: (e, v) in like)]
        by_list = [" ".join(values_of(field)) for field in self.phrase_fields]
        number: int = self.matcher.add_type(columns[WORDS], tests, by_list, len(self.columns) == 1)
        return number


class ExpressionList:
    """Regular expressions, and which of them match the whole of a value."""

    def __init__(self, compiled: FieldExpressions) -> None:
        self.expressions = compiled.expressions
        self._found = _core.WholeExpressions(compiled.sets)
        for program in compiled.programs:
            self._found.add(program.nodes, program.start)

    def matching(self, value: str) -> list[str]:
        """Return the expressions that match the whole of a value."""
        return [self.expressions[number] for number in self._found.matching(value)]
