"""Rules compiled: conditions on tokens, sets of characters, and programs; also as data, so that a file can have them.

Compiling the shipped rules takes longer than everything else that tagging with them needs at its start.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from perceptag.errors import ModelError, PerceptagError
from perceptag.features.attributes import Attribute, compose, is_known
from perceptag.rules.conditions import Among, Both, Condition, Either, Like, Not, TokenField, fields_in, likes_in
from perceptag.rules.pattern import MAX_DEPTH, PatternError
from perceptag.rules.programs import AT, LOOK, SPLIT, LookProgram, Program, compiled, whole
from perceptag.rules.rule_file import Rule, RuleFile, WordList
from perceptag.rules.text_patterns import LAST, CharacterSets, Ranges
from perceptag.rules.token_patterns import TokenConditions

FORM = 1  # of the data; another one is compiled again
KEYS = ("tokens", "text")  # the patterns of a rule
MAX_LEVELS = 3 * MAX_DEPTH  # of what is stored: a level of brackets may hold ``a & !b | c``


class RuleProgram(NamedTuple):
    """A compiled pattern of a rule."""

    rule: int
    key: str  # one of `KEYS`
    program: Program


class FieldExpressions(NamedTuple):
    """The regular expressions for the values of a field."""

    expressions: list[str]
    sets: list[Ranges]
    programs: list[Program]


class CompiledRules(NamedTuple):
    """What the core needs to match rules."""

    conditions: list[Condition]
    sets: list[Ranges]  # of characters
    programs: list[RuleProgram]
    expressions: list[tuple[TokenField, FieldExpressions]]


def compile_rules(file: RuleFile) -> CompiledRules:
    """Compile the rules of a file; an error names file, line, rule and place."""
    lists = {name: frozenset(words) for name, words in file.lists.items()}
    attributes = list_attributes(file.lists)
    conditions = TokenConditions(lists, partial(check_field, attributes), attributes, file.patterns)
    sets = CharacterSets(file.expressions, lists)
    parsers: dict[str, TokenConditions | CharacterSets] = dict(zip(KEYS, (conditions, sets), strict=True))
    programs = [
        RuleProgram(number, key, _program(file.rules[number], key, text, parsers[key]))
        for number, key, text in _patterns(file)
    ]
    expressions = [(field, compile_expressions(some)) for field, some in _expressions(conditions.conditions)]
    return CompiledRules(conditions.conditions, sets.sets, programs, expressions)


def _patterns(file: RuleFile) -> list[tuple[int, str, str]]:
    """Return the number of a rule, a key and a pattern, for all patterns."""
    return [
        (number, key, text) for number, rule in enumerate(file.rules) for key in KEYS for text in getattr(rule, key)
    ]


def _expressions(conditions: Sequence[Condition]) -> list[tuple[TokenField, list[str]]]:
    """Return the regular expressions of conditions, different ones, by field."""
    found: dict[TokenField, dict[str, None]] = {}
    for like in (like for one in conditions for like in likes_in(one)):
        found.setdefault(like.field, {})[like.expression] = None
    return [(field, [*some]) for field, some in found.items()]


def compile_expressions(expressions: list[str]) -> FieldExpressions:
    """Compile regular expressions for whole values."""
    sets = CharacterSets()
    programs = [whole(sets.parse(expression)) for expression in expressions]
    return FieldExpressions(expressions, sets.sets, programs)


def list_attributes(lists: Mapping[str, WordList]) -> dict[str, Attribute]:
    """Return the lists with values as attributes: the value that a list has for a word, or None."""
    valued = {name: {word: value for word, value in words.items() if value} for name, words in lists.items()}
    return {name: words.get for name, words in valued.items() if words and not is_known(name)}


def check_field(attributes: Mapping[str, Attribute], field: TokenField) -> None:
    """Refuse a field with an attribute that does not exist."""
    compose(field.attributes, attributes)


def _program(rule: Rule, key: str, text: str, parser: TokenConditions | CharacterSets) -> Program:
    try:
        return compiled(parser.parse(text))
    except PatternError as error:
        raise placed(error, rule, key, text) from error


def placed(error: PatternError, rule: Rule, key: str, text: str) -> PerceptagError:
    """Return the error about a pattern with its place."""
    before, here = text[: error.place], text[error.place : error.place + 20]
    near = f", before {here!r}" if here else ""
    return rule.where.error(f"character {len(before) + 1}{near}: {error}", rule.name, key)


# --- as data: JSON, and the nodes of all programs one after the other ---


def to_data(rules: CompiledRules, file: RuleFile) -> tuple[dict[str, Any], array[int]]:
    """Return the compiled rules of a file as data."""
    nodes = array("i")
    about = {
        "form": FORM,
        "sha256": file.digest(),
        "conditions": [_condition_data(one) for one in rules.conditions],
        "sets": rules.sets,
        "programs": [[one.rule, one.key, _program_data(one.program, nodes)] for one in rules.programs],
        "expressions": [
            [field.column, field.attributes, *some[:2], [_program_data(program, nodes) for program in some.programs]]
            for field, some in rules.expressions
        ],
    }
    return about, nodes


def from_data(about: object, nodes: Any, file: RuleFile) -> CompiledRules | None:
    """The inverse of `to_data`, checked; None if the data is of other rules or of another form."""
    if not isinstance(about, Mapping) or about.get("form") != FORM or about.get("sha256") != file.digest():
        return None
    try:
        found = CompiledRules(
            [_condition(one) for one in about["conditions"]],
            _sets(about["sets"]),
            [RuleProgram(number, key, _program_of(data, nodes)) for number, key, data in about["programs"]],
            [
                (
                    _field(column, path),
                    FieldExpressions(some, _sets(sets), [_program_of(p, nodes) for p in of]),
                )
                for column, path, some, sets, of in about["expressions"]
            ],
        )
        _check(found, file)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ModelError(
            f"compiled rules: expected conditions, sets and programs, found other data: {error}"
        ) from error
    return found


def _condition_data(one: Condition) -> list[Any]:
    if isinstance(one, Among):
        return ["among", one.field.column, one.field.attributes, None if one.values is None else sorted(one.values)]
    if isinstance(one, Like):
        return ["like", one.field.column, one.field.attributes, one.expression]
    parts = (one.part,) if isinstance(one, Not) else one.parts
    return [type(one).__name__.lower(), *map(_condition_data, parts)]


def _condition(data: Sequence[Any], levels: int = MAX_LEVELS) -> Condition:
    name, *rest = _within(data, levels)
    if name in ("among", "like"):
        column, path, value = rest
        field = _field(column, path)
        if name == "like":
            return Like(field, *_strings([value]))
        return Among(field, None if value is None else frozenset(_strings(value)))
    parts = tuple(_condition(part, levels - 1) for part in rest)
    if name == "not":
        return Not(*parts)
    joined: dict[str, type[Both | Either]] = {"both": Both, "either": Either}
    return joined[name](parts)


def _within(data: Sequence[Any], levels: int) -> Sequence[Any]:
    if not levels:
        raise ValueError("too many conditions or programs inside each other")
    return data


def _field(column: Any, path: Sequence[Any]) -> TokenField:
    _strings([column])
    return TokenField(column, tuple(_strings(path)))


def _strings(data: Sequence[Any]) -> Sequence[str]:
    if not all(isinstance(text, str) for text in data):
        raise ValueError("a column, an attribute or a value is not a text")
    return data


def _sets(data: Sequence[Any]) -> list[Ranges]:
    found = [tuple((first, last) for first, last in ranges) for ranges in data]
    if not all(
        type(first) is int is type(last) and 0 <= first <= last <= LAST for some in found for first, last in some
    ):
        raise ValueError("a set of characters is not one")
    return found


def _program_data(program: Program, nodes: array[int]) -> list[Any]:
    first = len(nodes)
    nodes.extend(program.nodes)
    looks = [[_program_data(look.program, nodes), look.behind, look.negated] for look in program.looks]
    return [first, first + len(program.nodes), program.start, *looks]


def _program_of(data: Sequence[Any], nodes: Any, levels: int = MAX_LEVELS) -> Program:
    first, last, start, *looks = _within(data, levels)
    found = [
        LookProgram(_program_of(program, nodes, levels - 1), bool(behind), bool(negated))
        for program, behind, negated in looks
    ]
    if type(start) is not int or not 0 <= start <= len(nodes):
        raise ValueError("a program has no start")
    return Program(nodes[first:last].tolist(), start, found)


def _check(rules: CompiledRules, file: RuleFile) -> None:
    """Refuse what the core does not check: other patterns than those of the file, and programs that match nothing."""
    attributes = list_attributes(file.lists)
    for field in (field for one in rules.conditions for field in fields_in(one)):
        check_field(attributes, field)
    if [(number, key) for number, key, _ in rules.programs] != [(number, key) for number, key, _ in _patterns(file)]:
        raise ValueError("programs are not those of the rules")
    for number, _, program in rules.programs:
        _check_looks(program)
        if type(number) is not int or _can_be_empty(program):
            raise ValueError("a program is not of its rule")
    if [(field, some.expressions) for field, some in rules.expressions] != _expressions(rules.conditions):
        raise ValueError("expressions are not those of the conditions")
    for _, some in rules.expressions:
        if len(some.expressions) != len(some.programs) or any(program.looks for program in some.programs):
            raise ValueError("a program is not of its expression")


def _check_looks(program: Program) -> None:
    operations = program.nodes[::3]
    wanted = [program.nodes[3 * i + 1] for i, one in enumerate(operations) if one == LOOK] if LOOK in operations else []
    if any(not 0 <= number < len(program.looks) for number in wanted):
        raise ValueError("a program asks for a look-around that is not there")
    for look in program.looks:
        _check_looks(look.program)


def _can_be_empty(program: Program) -> bool:
    """Return whether a program accepts before it reads an item, if all places that it asks for are right."""
    nodes, seen, left = program.nodes, {program.start}, [program.start]
    while left:
        node = 3 * left.pop()
        if node == 0:
            return True
        following = nodes[node + 1 : node + 3] if nodes[node] == SPLIT else nodes[node + 2 : node + 3]
        for one in following if nodes[node] in (SPLIT, AT, LOOK) else ():
            if one not in seen:
                seen.add(one)
                left.append(one)
    return False
