"""``perceptag check``: check labelled data before training on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

from perceptag.cli.declare import Argument, Option
from perceptag.cli.input_files import of_unknown_labels, other_first_column, single_label, taken_for_words
from perceptag.cli.options import FileOptions, Json
from perceptag.cli.streams import check_failed, write_json, write_stdout
from perceptag.cli.table import Table, render, without_folders
from perceptag.errors import DataError
from perceptag.foreign.label_column import choose_label
from perceptag.inspecting.limits import SHORTEST
from perceptag.labels.schemes import UNKNOWN
from perceptag.system.plural import plural
from perceptag.tagging.naming import format_of
from perceptag.text import Sentence
from perceptag.text.format import FormatLike
from perceptag.text.lines import name_of

if TYPE_CHECKING:  # the help does not need it
    from perceptag.inspecting.findings import Findings


class FailOn(str, Enum):
    """The severity from which the command ends with status 1."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    NEVER = "never"


def check_cli(
    files: Annotated[list[str], Argument("FILE...", "Labelled sentences; '-': stdin.")],
    reading: FileOptions,
    test: Annotated[
        list[str] | None, Option("FILE", "Test data, which must not occur in the other files; repeatable.")
    ] = None,
    fail_on: Annotated[
        FailOn, Option("SEVERITY", "Exit with status 1 at this severity: error, warning, note or never.")
    ] = FailOn.ERROR,
    shortest: Annotated[int, Option("N", "Sentences of fewer tokens may be duplicates.", min=1)] = SHORTEST,
    json_: Json = False,
) -> None:
    """Check labelled data before training on it.

    Looks for unreadable lines, broken schemes, labels with similar names, odd characters, empty and very long
    sentences, sentences that occur twice or with other labels, and test sentences that also occur in other files.

    Several files are one corpus. The exit status is 1 if a finding has at least the severity of --fail-on, and 2 if a
    file cannot be opened. The files stay as they are.
    """
    found = validate(files, test or (), reading, shortest)
    write_json(found.to_dict()) if json_ else write_stdout(found.render())
    bad = 0 if fail_on is FailOn.NEVER else found.findings.at_least(fail_on.value)
    if bad:
        findings = plural(bad, "finding")
        or_worse = "" if fail_on is FailOn.ERROR else " or worse"
        raise check_failed(f"{findings} of severity {fail_on.value}{or_worse}")


@dataclass(frozen=True, slots=True)
class Validated:
    """The data that were checked, and the findings."""

    files: tuple[str, ...]
    column: str
    sentences: int
    tokens: int
    findings: Findings

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        size = {"files": list(self.files), "label": self.column, "sentences": self.sentences, "tokens": self.tokens}
        found = [finding.to_dict() for finding in self.findings.listed()]
        return size | {"counts": self.findings.counts(), "findings": found}

    def render(self) -> str:
        """A table, the worst first, and a line that sums it up."""
        size = f"{plural(self.sentences, 'sentence', ',')}, {plural(self.tokens, 'token', ',')}"
        found = self.findings.listed()
        if not found:
            return f"{size}: nothing found{'' if self.column else '; there are words only, no labels'}"
        table = Table(["severity", "finding", "times", "first place", "what is there"], numbers=(2,))
        for finding in found:
            shown = (without_folders(text, self.files) for text in (finding.places[0], finding.message))
            table.add(finding.severity, finding.kind, f"{finding.count:,}", *shown)
        total = ", ".join(plural(n, severity, ",") for severity, n in self.findings.counts().items())
        return f"{render(table).rstrip()}\n\n{size}: {total}"


def validate(files: Sequence[str], test: Sequence[str], reading: FileOptions, shortest: int) -> Validated:
    """Read files as far as they can be read, and check their sentences."""
    from perceptag.cli.foreign_files import take_in
    from perceptag.foreign.file_hints import not_text, own_format
    from perceptag.inspecting.findings import Findings
    from perceptag.inspecting.validating import read_leniently
    from perceptag.inspecting.validating import validate as check_sentences

    findings, format_, columns = Findings(), reading.format, reading.names

    def unknown(where: str, why: str = "a span does not fit the words, so the labels are not known") -> None:
        findings.add("unknown labels", where, why, why)

    def read(path: str) -> list[Sentence]:
        taken = take_in(path, unknown) if format_ is None and columns is None else None
        if taken is not None:
            return taken
        if told := not_text(path):
            findings.add("unreadable", name_of(path), told)
            return []
        sentences = read_leniently(path, format_ or own_format(path), columns, findings)
        if columns is None and (hint := _doubt(path, format_, sentences)):
            findings.add("unreadable", name_of(path), hint, hint)
        return sentences

    parts = [[s for path in some for s in read(path)] for some in (files, test)]
    everything = [*parts[0], *parts[1]]
    if not any(map(len, everything)) and not findings.at_least("error"):
        raise DataError("there is no sentence in the data", where=files[0])
    column = _label_column(everything, reading.label, files[0], format_)
    for sentence in (unlabelled := of_unknown_labels(everything, column)):
        unknown(sentence.where(), f"all labels of the sentence are {UNKNOWN!r}, so they are not known")
    left_out = set(map(id, unlabelled))
    parts = [[s for s in part if id(s) not in left_out] for part in parts]
    if column and parts[0] and (fault := single_label(parts[0], column)):
        findings.add("single label", parts[0][0].where(), fault)
    check_sentences(parts[0], column, parts[1], shortest=shortest, findings=findings)
    tokens = sum(map(len, everything))
    return Validated((*files, *test), column, len(everything), tokens, findings)


def _doubt(path: str, format_: FormatLike, sentences: Sequence[Sentence]) -> str:
    """Say what a file seems to be whose lines cannot be read, or were read as words and seem to be something else."""
    from perceptag.foreign.file_hints import looks_like

    if format_ is None and not sentences:
        return looks_like(path)
    hint = taken_for_words(path, sentences) if format_ is None else ""
    return hint or other_first_column(path, format_, sentences)


def _label_column(sentences: Sequence[Sentence], label: str, path: str, format_: FormatLike) -> str:
    """The column of the labels; an empty string if there are words only."""
    if not sentences:
        return ""
    column = choose_label(sentences, label, format_of(path, format_))
    return column if label or len(sentences[0].columns) > 1 else ""
