"""Check labelled data before a model learns from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from perceptag.corpus.label_names import misspelt_labels, too_many_labels
from perceptag.inspecting.characters import check_characters
from perceptag.inspecting.findings import Findings, plural
from perceptag.inspecting.limits import LONGEST, SHORTEST
from perceptag.inspecting.repeats import check_repeats
from perceptag.review.scheme import scheme_faults
from perceptag.text.sentence import Sentence

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
    """Look at sentences with labels in `column`, and add what is wrong with them to `findings`.

    `test` is looked at in the same way; what is in both, or only there, is found too. Without labels the column is an
    empty string.
    """
    found = Findings() if findings is None else findings
    everything = [*train, *test]
    _check_sizes(everything, longest, found)
    if not any(map(len, everything)):
        return found
    _check_columns(everything, found)
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
        if len(sentence) > longest:
            message = f"{len(sentence):,} tokens, more than {longest:,}: is a blank line missing?"
            findings.add("long sentence", sentence.where(), message)


def _check_columns(sentences: Sequence[Sentence], findings: Findings) -> None:
    """Look for sentences with other columns than the first one."""
    expected = list(sentences[0].columns)
    for sentence in sentences:
        if list(sentence.columns) != expected:
            message = f"expected {', '.join(expected)}, found {', '.join(sentence.columns)}"
            findings.add("other columns", sentence.where(), message, message)


def _check_missing(sentences: Sequence[Sentence], column: str, findings: Findings) -> None:
    """Look for tokens without a label, which CoNLL-U writes as an underscore. If most have it, it is a label."""
    places = [(s, t) for s in sentences for t, label in enumerate(s.columns[column]) if label == MISSING]
    if 2 * len(places) < sum(map(len, sentences)):
        for sentence, t in places:
            findings.add("missing label", sentence.where(t), f"{sentence.tokens[t]!r} has the label {MISSING!r}")


def _check_labels(sentences: Sequence[Sentence], column: str, findings: Findings) -> None:
    for fault in scheme_faults(sentences, column):
        message = f"{fault.fault} ({fault.scheme}): expected {fault.expected}"
        findings.add("broken scheme", sentences[fault.sentence].where(fault.token), message)
    if many := too_many_labels(Counter(label for sentence in sentences for label in sentence.columns[column])):
        findings.add("many labels", sentences[0].where(), many)
        return  # thousands of findings about single labels would bury this one
    for label in misspelt_labels(sentences, column):
        message = f"{label.name} ({plural(label.count, 'time')}): {label.meant} ({label.meant_count:,})?"
        for number, token in label.places:
            findings.add("similar labels", sentences[number].where(token), message, label.name)


def _check_new_labels(train: Sequence[Sentence], test: Sequence[Sentence], column: str, findings: Findings) -> None:
    known = {label for sentence in train for label in sentence.columns.get(column, ())}
    counts = Counter(label for sentence in test for label in sentence.columns.get(column, ()) if label not in known)
    for label, times in counts.items():
        message = f"{label} ({plural(times, 'time')}): a model cannot learn it"
        findings.add("label only in test", _first(test, column, {label}), message, label, times)


def _first(sentences: Sequence[Sentence], column: str, labels: set[str]) -> str:
    """Return the first place of one of some labels."""
    places = ((s, t) for s in sentences for t, label in enumerate(s.columns.get(column, ())) if label in labels)
    sentence, t = next(places)
    return sentence.where(t)
