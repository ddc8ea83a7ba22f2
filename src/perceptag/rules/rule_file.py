"""Rule files: TOML with lists of words and a table for each rule.

    column = "values"                   # the column that the rules give; default: rules

    [lists]
    months = ["january", "february"]    # words; or a table, with a value for each word
    cities = { file = "cities.txt" }    # one on each line

    [patterns]
    amount = '[shape ~ /d+/]'           # used in others as <amount>

    [expressions]
    amount = '\\d+([.,]\\d+)?'          # used in other regular expressions as (?&amount), as are lists

    [[rule]]
    name = "order"
    label = "ORDER"
    say = "force"                       # force, suggest (with weight = 1.5; without it, 1), forbid or feature
    priority = 0
    tokens = '"order"i [shape ~ /d+/]'  # a pattern over tokens, or several
    text = '\\d{4}-\\d{2}-\\d{2}'         # a regular expression over the text, or several
    phrases = ["New York"]              # or { file = "phrases.txt" }, or { list = "cities" }
    by = "lower"                        # what of a word phrases are compared with; default: form
    align = "expand"                    # a match inside a token takes the whole token; default, strict: it is none
    value = "number"                    # how a normalised value is made of the words

A rule has one of `tokens`, `text` and `phrases`, or several of them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

from perceptag.errors import DataError, brief, nearest
from perceptag.rules.spacy_patterns import is_spacy_file, rule_text
from perceptag.rules.values import VALUES, wrong_list
from perceptag.system.toml import place_in_toml, read_toml
from perceptag.text.lines import read_text

SAYS = ("force", "suggest", "forbid", "feature")
ALIGN = ("strict", "expand")
COLUMN = "rules"
MAX_BYTES = 16 << 20  # of a rule file; lists of phrases have files of their own, of any size
MAX_RULES = 100_000
_SHIPPED = Path(__file__).parent / "shipped"
_FILE_KEYS = ("column", "description", "lists", "patterns", "expressions", "rule")
_RULE_KEYS = ("name", "label", "say", "weight", "priority", "tokens", "text", "phrases", "by", "align", "value")
_NAME = re.compile(r"[\w.:+-]{1,100}")
_LABEL = re.compile(r"\S{1,200}")
_IN_SCHEME = re.compile(r"[BI]-[A-Z_]+")  # as in data; names such as B-52 and I-beam are kinds

WordList = dict[str, str]  # words with their values; "" if they have none


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as the file has it."""

    name: str
    label: str
    where: RulePlace
    say: str = "force"
    weight: float = 0.0
    priority: int = 0
    tokens: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()  # lines, with any number of phrases in each
    by: str = "form"
    value: str = ""
    expands: bool = False  # whether a match that begins or ends inside a token takes the whole token
    is_open: bool = False  # a suggestion whose weight the file leaves open; it counts as 1


@dataclass(frozen=True, slots=True)
class RulePlace:
    """Where a rule is: its file, the line of its table, and the lines of its keys."""

    path: str
    line: int
    keys: Mapping[str, int] = field(default_factory=dict)

    def error(self, message: str, rule: str, key: str = "") -> DataError:
        """Return the error for a key of the rule."""
        what = f"rule {rule!r}: {key}: {message}" if key else f"rule {rule!r}: {message}"
        return DataError(what, self.line_of(key))

    def line_of(self, key: str = "") -> str:
        """Return the file and the line of a key, or of the rule."""
        line = self.keys.get(key, self.line)
        return f"{self.path}:{line}" if line else self.path


@dataclass(slots=True)
class RuleFile:
    """The content of a rule file and of the files that it names."""

    path: str
    text: str
    rules: list[Rule]
    lists: dict[str, WordList]
    patterns: dict[str, str]  # named ones, which others refer to
    expressions: dict[str, str]
    column: str = COLUMN
    files: dict[str, str] = field(default_factory=dict)  # the texts of files that it names

    def digest(self) -> str:
        """Return the SHA-256 of the file and of the files that it names."""
        texts = [self.text, *(text for _, text in sorted(self.files.items()))]
        return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def read_rule_file(path: str) -> RuleFile:
    """Read a rule file, or the shipped one of this name, and the files that it names, relative to its folder."""
    if not Path(path).exists() and path in shipped():
        path = str(_SHIPPED / f"{path}.toml")
    folder, text = Path(path).parent, read_text(path)
    if is_spacy_file(path):
        text = rule_text(text, path)
    return parse_rule_file(text, path, lambda name: read_text(str(folder / name)))


def shipped() -> list[str]:
    """Return the names of the rule files that come with perceptag: languages whose values they find."""
    return sorted(path.stem for path in _SHIPPED.glob("*.toml"))


def parse_rule_file(text: str, path: str, read: Callable[[str], str]) -> RuleFile:
    """Make a rule file of its text; `read` returns the text of a file that it names."""
    if len(text) > MAX_BYTES:
        raise DataError(
            f"expected a rule file of at most {MAX_BYTES >> 20} MB, found {len(text) / (1 << 20):.0f} MB; "
            'put phrases into a file of their own, one on each line: phrases = { file = "phrases.txt" }',
            path,
        )
    return _Parser(path, text, read).parse()


class _Parser:
    def __init__(self, path: str, text: str, read: Callable[[str], str]) -> None:
        self.path, self.text, self.read = path, text, read
        self.files: dict[str, str] = {}

    def parse(self) -> RuleFile:
        tables = _toml(self.text, self.path)
        for key in tables:
            _check_key(key, _FILE_KEYS, "a rule file", self._line_of(key))
        column = tables.get("column", COLUMN)
        if not isinstance(column, str) or not _NAME.fullmatch(column):
            raise DataError(
                f"column: expected a name of letters, digits and _.:+-; found {brief(column)}", self._line_of("column")
            )
        found = tables.get("lists", {})
        if not isinstance(found, Mapping):
            raise DataError(f"lists: expected a table, found {brief(found)}", self._line_of("lists"))
        lists = {str(name): self._words(str(name), words) for name, words in found.items()}
        patterns, expressions = self._named(tables, "patterns"), self._named(tables, "expressions")
        rules = tables.get("rule", [])
        if not isinstance(rules, list) or not all(isinstance(rule, Mapping) for rule in rules):
            raise DataError(f"rule: expected tables [[rule]], found {brief(rules)}", self._line_of("rule"))
        if not 1 <= len(rules) <= MAX_RULES:
            raise DataError(f"expected 1 to {MAX_RULES} rules, each a table [[rule]]; found {len(rules)}", self.path)
        places = _places(self.text, self.path)
        if len(places) != len(rules):  # written in another way, such as rule = [{…}]
            places = [RulePlace(self.path, 0)] * len(rules)
        made = [self._rule(rule, number, places[number], lists) for number, rule in enumerate(rules)]
        _check_names(made)
        return RuleFile(self.path, self.text, made, lists, patterns, expressions, column, self.files)

    def _line_of(self, key: str) -> str:
        """Return the place of a key or a table of the file: its path, with the line if it is found."""
        lines = enumerate(self.text.split("\n"), 1)
        written = re.compile(rf"\s*\[*\s*\"?{re.escape(key)}\"?\s*(\.|\]|=)")
        return next((f"{self.path}:{number}" for number, line in lines if written.match(line)), self.path)

    def _named(self, tables: Mapping[str, Any], key: str) -> dict[str, str]:
        found = tables.get(key, {})
        if not isinstance(found, Mapping) or not all(isinstance(one, str) for one in found.values()):
            raise DataError(f"{key}: expected a table of names and patterns, found {brief(found)}", self._line_of(key))
        return dict(found)

    def _words(self, name: str, words: Any) -> WordList:
        """Return the words of a list with their values."""
        if isinstance(words, Mapping) and set(words) == {"file"}:
            lines = (line.partition("\t") for line in self._file(words["file"]).splitlines())
            return {word.strip(): value.strip() for word, _, value in lines if word.strip()}
        if isinstance(words, list) and all(isinstance(word, str) for word in words):
            return dict.fromkeys(words, "")
        if isinstance(words, Mapping) and all(isinstance(v, (str, int, float)) for v in words.values()):
            return {word: str(value) for word, value in words.items()}
        raise DataError(
            f"lists: {name}: expected a list of words, a table of words with values, or {{ file = … }}; "
            f"found {brief(words)}",
            self._line_of(name),
        )

    def _file(self, name: Any) -> str:
        if not isinstance(name, str) or not name or PurePath(name).is_absolute() or ".." in PurePath(name).parts:
            raise DataError(f"file: expected a file below the folder of the rule file, found {brief(name)}", self.path)
        if name not in self.files:
            self.files[name] = self.read(name)
        return self.files[name]

    def _rule(self, table: Mapping[str, Any], number: int, place: RulePlace, lists: dict[str, WordList]) -> Rule:
        label = table.get("label")
        for key in table:
            _check_key(key, _RULE_KEYS, f"rule {table.get('name', number + 1)!r}: a rule", place.line_of(key))
        name = table.get("name", f"{label}-{number + 1}" if isinstance(label, str) else f"rule-{number + 1}")
        for key, value, form in (("label", label, _LABEL), ("name", name, _NAME)):
            if not isinstance(value, str) or not form.fullmatch(value):
                raise place.error(f"expected a word, found {brief(value)}", str(name), key)
        assert isinstance(label, str)
        if _IN_SCHEME.fullmatch(label):
            raise place.error(
                f"expected {label[2:]}, to which B- and I- are added; found {label!r}", str(name), "label"
            )
        say, weight = self._saying(table, name, place)
        priority = table.get("priority", 0)
        if not isinstance(priority, int) or isinstance(priority, bool):
            raise place.error(f"expected a whole number, found {brief(priority)}", name, "priority")
        found = Rule(
            name,
            label,
            place,
            say,
            weight,
            priority,
            self._patterns(table, name, place, "tokens"),
            self._patterns(table, name, place, "text"),
            self._phrases(table, name, place, lists),
            self._text_of(table, name, place, "by", "form"),
            self._text_of(table, name, place, "value", ""),
            self._text_of(table, name, place, "align", ALIGN[0]) == ALIGN[1],
            is_open=say == "suggest" and "weight" not in table,
        )
        align = table.get("align", ALIGN[0])
        if align not in ALIGN:
            known = f"{' or '.join(ALIGN)}; found {brief(align)}{nearest(align, ALIGN)}"
            raise place.error(f"expected {known}", name, "align")
        if found.value and found.value not in VALUES:
            known = f"{', '.join(VALUES)}; found {found.value!r}{nearest(found.value, VALUES)}"
            raise place.error(f"expected one of {known}", name, "value")
        if wrong := wrong_list(found.value, lists):
            raise place.error(wrong, name, "value")
        if not (found.tokens or found.text or found.phrases):
            raise place.error("expected tokens, text or phrases, found none of them", name)
        return found

    def _saying(self, table: Mapping[str, Any], name: str, place: RulePlace) -> tuple[str, float]:
        say, weight = table.get("say", SAYS[0]), table.get("weight")
        if say not in SAYS:
            raise place.error(f"expected one of {', '.join(SAYS)}; found {brief(say)}{nearest(say, SAYS)}", name, "say")
        if weight is not None and say != "suggest":
            raise place.error(f'only rules with say = "suggest" have one, found say = {brief(say)}', name, "weight")
        is_number = isinstance(weight, (int, float)) and not isinstance(weight, bool) and abs(weight) <= 1e6
        if weight is not None and not is_number:
            raise place.error(f"expected a number up to 1000000, found {brief(weight)}", name, "weight")
        return say, float(1.0 if weight is None else weight) if say == "suggest" else 0.0

    def _patterns(self, table: Mapping[str, Any], name: str, place: RulePlace, key: str) -> tuple[str, ...]:
        found = table.get(key, [])
        found = [found] if isinstance(found, str) else found
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
            raise place.error(f"expected a pattern or a list of patterns, found {brief(found)}", name, key)
        return tuple(found)

    def _phrases(
        self, table: Mapping[str, Any], name: str, place: RulePlace, lists: dict[str, WordList]
    ) -> tuple[str, ...]:
        found = table.get("phrases", [])
        if isinstance(found, Mapping) and set(found) == {"file"}:
            try:
                return (self._file(found["file"]),)
            except DataError as error:
                raise place.error(str(error), name, "phrases") from error
        if isinstance(found, Mapping) and set(found) == {"list"}:
            if found["list"] not in lists:
                raise place.error(
                    f"expected a list of the file ({', '.join(lists) or 'no list'}), found {brief(found['list'])}",
                    name,
                    "phrases",
                )
            found = list(lists[found["list"]])
        if isinstance(found, list) and all(isinstance(one, str) for one in found):
            return tuple(found)
        raise place.error(
            f"expected a list of phrases, {{ file = … }} or {{ list = … }}; found {brief(found)}", name, "phrases"
        )

    def _text_of(self, table: Mapping[str, Any], name: str, place: RulePlace, key: str, usual: str) -> str:
        found = table.get(key, usual)
        if not isinstance(found, str) or (not found and usual):
            raise place.error(f"expected a name, found {brief(found)}", name, key)
        return found


def _check_key(key: str, known: tuple[str, ...], what: str, where: str) -> None:
    if key not in known:
        raise DataError(f"{what} has no key {key!r}; expected {', '.join(known)}{nearest(key, known)}", where)


def _toml(text: str, path: str) -> dict[str, Any]:
    try:
        return read_toml(text)
    except ValueError as error:
        raise DataError(f"expected TOML: {error}", place_in_toml(error, path)) from error


def _places(text: str, path: str) -> list[RulePlace]:
    """Return the places of the tables [[rule]] and of their keys; the parser of TOML does not tell them."""
    found: list[tuple[int, dict[str, int]]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if re.match(r"\s*\[\[\s*rule\s*\]\]", line):
            found.append((number, {}))
        elif found and (key := re.match(r"\s*([\w-]+)\s*=", line)):
            found[-1][1].setdefault(key[1], number)
    return [RulePlace(path, line, keys) for line, keys in found]


def _check_names(rules: list[Rule]) -> None:
    seen: dict[str, Rule] = {}
    for rule in rules:
        if rule.name in seen:
            other = seen[rule.name].where.line
            raise rule.where.error(f"expected different names of rules, found this one in line {other} too", rule.name)
        seen[rule.name] = rule
