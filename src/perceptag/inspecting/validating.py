"""Check labelled data before a model learns from it: sizes, columns, labels, odd characters, repeated sentences.

A reader refuses a file at its first fault. Here the fault becomes a finding, the paragraph with it is made blank, which
leaves the numbers of all other lines as they are, and the file is read again.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from perceptag.errors import DataError, brief
from perceptag.inspecting.findings import Findings
from perceptag.inspecting.labelled import scheme_faults
from perceptag.inspecting.limits import LONGEST, SHORTEST
from perceptag.labels.label_names import misspelt_labels, too_many_labels
from perceptag.labels.label_spellings import note_on_spelling
from perceptag.system.plural import plural
from perceptag.text.comments import comment_rows
from perceptag.text.format import Format, Names
from perceptag.text.formats import choose
from perceptag.text.lines import BYTE_ORDER_MARK, Source
from perceptag.text.sentence import Sentence
from perceptag.text.verbatim import NamedBytes, read_bytes

MOST_FAULTS = 20  # after these, the rest of a file is not read: its format is probably another
_MARK = b"-DOCSTART-"


def read_leniently(
    source: Source, format_: Format | str | None, columns: Names | None, findings: Findings
) -> list[Sentence]:
    """Return the sentences of a file that can be read, and add what is wrong with the others to `findings`."""
    told = choose(format_, source)
    if not told.unit:
        return list(told.read(source, columns))
    file = read_bytes(source)
    _look_at_bytes(file, findings)
    return _read_around_faults(file, told, columns, findings)


def _read_around_faults(file: NamedBytes, format_: Format, columns: Names | None, findings: Findings) -> list[Sentence]:
    lines = file.getvalue().splitlines(keepends=True)
    for fault in range(1, MOST_FAULTS + 1):
        sentences: list[Sentence] = []
        try:
            for sentence in format_.read(NamedBytes(b"".join(lines), file.name), columns):
                sentences.append(sentence)  # noqa: PERF402 - those before a fault are kept
            return sentences
        except DataError as error:
            line = _line_in(error.where, file.name)
            if not line:
                raise
            message = str(error).removeprefix(f"{error.where}: ")
            findings.add("unreadable", error.where, message, re.split(", found|: ", message)[0])
            if fault == MOST_FAULTS:
                findings.add("unreadable", error.where, "the rest of the file was not looked at", "rest")
            for number in _paragraph(lines, line - 1, format_):
                lines[number] = b"\n"
    return sentences


def _line_in(where: str, name: str) -> int:
    """Return the line that an error names, or 0 if it is about the whole file."""
    match = re.fullmatch(re.escape(name) + r":(\d+)", where)
    return int(match[1]) if match else 0


def _paragraph(lines: list[bytes], number: int, format_: Format) -> Iterator[int]:
    """Yield the numbers, from 0, of the lines of the sentence with this line. Marks of documents are left out."""
    if format_.unit == "line":
        yield number
        return
    first, end = number, number + 1
    while first > 0 and lines[first - 1].strip():
        first -= 1
    while end < len(lines) and lines[end].strip():
        end += 1
    yield from (n for n in range(first, end) if n == number or not lines[n].startswith(_MARK))


def _look_at_bytes(file: NamedBytes, findings: Findings) -> None:
    """Look for what readers accept without a word: a byte order mark, two kinds of line ends, a mark at the end."""
    data = file.getvalue()
    if data.startswith(BYTE_ORDER_MARK):
        findings.add("byte order mark", f"{file.name}:1", "the file begins with U+FEFF, which is not read")
    lines = data.removeprefix(BYTE_ORDER_MARK).splitlines(keepends=True)
    _look_at_ends(lines, file.name, findings)
    mark = 0  # the line of a mark that no sentence has followed yet
    for number, line in enumerate([*lines, _MARK], 1):
        if line.startswith(_MARK):
            if mark:
                findings.add("empty document", f"{file.name}:{mark}", "no sentence follows this mark of a document")
            mark = number
        elif line.strip():
            mark = 0


def _look_at_ends(lines: list[bytes], name: str, findings: Findings) -> None:
    ends = [_END_NAMES.get(line[len(line.rstrip(b"\r\n")) :][-2:], "LF") for line in lines]
    counts = Counter(ends[:-1])
    if len(counts) > 1:
        rarest = min(counts, key=counts.__getitem__)
        told = " and ".join(f"{end} ({times:,})" for end, times in counts.most_common())
        findings.add("mixed line ends", f"{name}:{ends.index(rarest) + 1}", told, times=counts[rarest])


_END_NAMES = {b"\r\n": "CRLF", b"\n": "LF", b"\r": "CR"}


MISSING = "_"


def validate(
    train: Sequence[Sentence],
    column: str,
    test: Sequence[Sentence] = (),
    *,
    longest: int = LONGEST,
    shortest: int = SHORTEST,
    findings: Findings | None = None,
) -> Findings:
    """Check sentences with labels in `column`, and add what is wrong with them to `findings`.

    `test` is checked in the same way. Sentences that are in both, and labels that are only in `test`, are reported too.
    If the sentences have no labels, `column` is an empty string.
    """
    found = Findings() if findings is None else findings
    everything = [*train, *test]
    _check_sizes(everything, longest, found)
    if not any(map(len, everything)):
        return found
    _check_columns(everything, found)
    _check_comments(everything, found)
    tokens = "form" if "form" in everything[0].columns else next(iter(everything[0].columns))
    check_characters(everything, dict.fromkeys([tokens, column]), found)
    if column:
        labelled = [s for s in everything if column in s.columns]
        _check_missing(labelled, column, found)
        _check_labels(labelled, column, found)
        _check_new_labels(train, test, column, found)
    check_repeats(train, test, column, shortest, found)
    return found


def _check_sizes(sentences: Sequence[Sentence], longest: int, findings: Findings) -> None:
    for sentence in sentences:
        if not len(sentence):
            findings.add("empty sentence", sentence.where(), "a sentence without tokens")
        for t in (t for t, token in enumerate(sentence.columns.get("form", ())) if not token):
            findings.add("empty token", sentence.where(t), "a token without characters")
        if len(sentence) > longest:
            message = f"{plural(len(sentence), 'token', ',')}, more than {longest:,}: is a blank line missing?"
            findings.add("long sentence", sentence.where(), message)


def _check_columns(sentences: Sequence[Sentence], findings: Findings) -> None:
    """Look for sentences with other columns than the first one."""
    expected = list(sentences[0].columns)
    for sentence in sentences:
        if list(sentence.columns) != expected:
            message = f"expected {', '.join(expected)}, found {', '.join(sentence.columns)}"
            findings.add("other columns", sentence.where(), message, message)


def _check_comments(sentences: Sequence[Sentence], findings: Findings) -> None:
    for sentence, t in comment_rows(sentences):
        row = " ".join(values[t] for values in sentence.columns.values())
        findings.add("comment", sentence.where(t), f"{brief(row)} is read as a token: --comment '#' skips such lines")


def _check_missing(sentences: Sequence[Sentence], column: str, findings: Findings) -> None:
    """Look for tokens without a label, which CoNLL-U writes as an underscore. If most have it, it is a label."""
    places = [(s, t) for s in sentences for t, label in enumerate(s.columns[column]) if label == MISSING]
    if 2 * len(places) < sum(map(len, sentences)):
        for sentence, t in places:
            findings.add("missing label", sentence.where(t), f"{sentence.tokens[t]!r} has the label {MISSING!r}")


def _check_labels(sentences: Sequence[Sentence], column: str, findings: Findings) -> None:
    for fault in scheme_faults(sentences, column):
        scheme = "" if fault.fault.endswith(fault.scheme) else f" ({fault.scheme})"
        message = f"{fault.fault}{scheme}: expected {fault.expected}"
        findings.add("broken scheme", sentences[fault.sentence].where(fault.token), message)
    counts = Counter(label for sentence in sentences for label in sentence.columns[column])
    if many := too_many_labels(counts):
        findings.add("many labels", sentences[0].where(), many)
        return  # thousands of findings about single labels would bury this one
    if note := note_on_spelling(counts):
        findings.add("other spelling", sentences[0].where(), note)
    for label in misspelt_labels(sentences, column):
        message = f"{label.name} ({plural(label.count, 'time', ',')}): {label.meant} ({label.meant_count:,})?"
        for number, token in label.places:
            findings.add("similar labels", sentences[number].where(token), message, label.name)


def _check_new_labels(train: Sequence[Sentence], test: Sequence[Sentence], column: str, findings: Findings) -> None:
    known = {label for sentence in train for label in sentence.columns.get(column, ())}
    counts = Counter(label for sentence in test for label in sentence.columns.get(column, ()) if label not in known)
    for label, times in counts.items():
        message = f"{label} ({plural(times, 'time', ',')}): a model cannot learn it"
        findings.add("label only in test", _first(test, column, {label}), message, label, times)


def _first(sentences: Sequence[Sentence], column: str, labels: set[str]) -> str:
    """Return the first place of one of some labels."""
    places = ((s, t) for s in sentences for t, label in enumerate(s.columns.get(column, ())) if label in labels)
    sentence, t = next(places)
    return sentence.where(t)


# The joiners U+200C and U+200D are missing here on purpose: Persian and the scripts of India need them.
_INVISIBLE = frozenset("\u00ad\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff")
_SEPARATORS = frozenset("\u2028\u2029")


def check_characters(sentences: Sequence[Sentence], columns: Iterable[str], findings: Findings) -> None:
    """Look at the values of some columns."""
    names = list(columns)
    for sentence, t, value in _unusual(sentences, names):
        for character in dict.fromkeys(value):
            if kind := odd(character):
                name = f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()
                findings.add(kind, sentence.where(t), f"{name} in {brief(value)}", name)
    _check_forms(sentences, names, findings)


def _unusual(sentences: Iterable[Sentence], columns: Sequence[str]) -> Iterator[tuple[Sentence, int, str]]:
    """Yield values with characters that are not printable ASCII, and their places."""
    for sentence in sentences:
        for name in columns:
            values = sentence.columns.get(name, ())
            whole = "".join(values)
            if not whole.isascii() or not whole.isprintable():
                yield from ((sentence, t, v) for t, v in enumerate(values) if not (v.isascii() and v.isprintable()))


@cache  # texts have few distinct characters
def odd(character: str) -> str:
    """Return the kind of finding that a character is, or an empty string.

    >>> odd("\\u00a0"), odd("\\t"), odd("a")
    ('odd space', 'control character', '')
    """
    category = unicodedata.category(character)
    if category == "Cc" or character in _SEPARATORS:
        return "control character"
    if category == "Zs":
        return "" if character == " " else "odd space"
    if character == "\ufffd":
        return "replacement character"
    return "invisible character" if character in _INVISIBLE else ""


def _check_forms(sentences: Sequence[Sentence], columns: Sequence[str], findings: Findings) -> None:
    """Look for letters that are written as two characters (NFD), where others are written as one (NFC)."""
    places: dict[str, list[tuple[str, str]]] = {"two": [], "one": []}
    for sentence, t, value in _unusual(sentences, columns):
        if not unicodedata.is_normalized("NFC", value):
            places["two"].append((sentence.where(t), value))
        elif not unicodedata.is_normalized("NFD", value):
            places["one"].append((sentence.where(t), value))
    if not places["two"]:
        return
    where, value = places["two"][0]
    found = f"{ascii(value)[:60]}: letter and accent are two characters (NFD)"
    if not places["one"]:
        findings.add("decomposed letters", where, f"{found} in all such words", times=len(places["two"]))
        return
    few, many = sorted(places.values(), key=len)
    many_are = "NFC" if many is places["one"] else "NFD"
    message = f"{found} in {plural(len(places['two']), 'word', ',')}, one (NFC) in {len(places['one']):,}"
    findings.add("mixed Unicode forms", few[0][0], f"{message}; {many_are} is usual here", times=len(few))


Words = tuple[str, ...]

MOST_SHOWN = 40  # characters of a sentence


def check_repeats(
    train: Sequence[Sentence], test: Sequence[Sentence], column: str, shortest: int, findings: Findings
) -> None:
    """Look for sentences with the same words. Those shorter than `shortest` tokens may repeat with the same labels."""
    in_train, in_test = by_words(train), by_words(test)
    for words in {**in_train, **in_test}:
        learned, measured = in_train.get(words, []), in_test.get(words, [])
        _check_same_labels(words, [*learned, *measured], column, findings)
        if len(words) >= shortest:
            _check_same(words, learned, column, findings)
            _check_same(words, measured, column, findings)
            for sentence in measured if learned else ():
                message = f"{_quoted(words)} is also at {learned[0].where()}"
                findings.add("in train and test", sentence.where(), message)


def by_words(sentences: Sequence[Sentence]) -> dict[Words, list[Sentence]]:
    """Return the sentences with the same words, in their order. Empty ones are left out."""
    found: dict[Words, list[Sentence]] = defaultdict(list)
    for sentence in sentences:
        if len(sentence):
            found[tuple(sentence.tokens)].append(sentence)
    return dict(found)


def _check_same(words: Words, same: Sequence[Sentence], column: str, findings: Findings) -> None:
    """Look for sentences with the labels of the first one."""
    for sentence in same[1:]:
        if sentence.columns.get(column) == same[0].columns.get(column):
            findings.add("repeated sentence", sentence.where(), f"{_quoted(words)} is also at {same[0].where()}")


def _check_same_labels(words: Words, same: Sequence[Sentence], column: str, findings: Findings) -> None:
    """Look for a token of one sentence that has another label in the first one."""
    if not column or len(same) < 2 or any(column not in sentence.columns for sentence in same):
        return
    first = same[0]
    for sentence in same[1:]:
        pairs = zip(first.columns[column], sentence.columns[column], strict=True)
        for t, (here, there) in enumerate(pairs):
            if here != there:
                message = f"{words[t]!r} is {there}, but {here} at {first.where(t)}, in {_quoted(words)}"
                findings.add("other labels for the same sentence", sentence.where(t), message)
                break


def _quoted(words: Words) -> str:
    text = " ".join(words)
    return repr(text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…")
