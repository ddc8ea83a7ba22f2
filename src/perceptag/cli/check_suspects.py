"""``perceptag check --suspects``: find labels that are probably wrong."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from perceptag.cli.bar import Bar
from perceptag.cli.declare import Argument, Option
from perceptag.cli.input_files import read_all
from perceptag.cli.options import Json, LabelledColumns, Quiet, RawNames, Threads
from perceptag.cli.streams import write_json, write_nothing, write_stderr, write_stdout
from perceptag.cli.table import Table, render, without_folders
from perceptag.errors import DataError, SettingError, nearest
from perceptag.foreign.label_column import choose_label
from perceptag.inspecting.inconsistent import Inconsistencies, Inconsistency, inconsistent
from perceptag.inspecting.regions import in_context, shown_spans
from perceptag.inspecting.suspects import FOLDS, Suspected, TooLittleDataError, suspects
from perceptag.models.explanation import Contribution, named_features
from perceptag.system.cores import cores
from perceptag.tagging.naming import format_of
from perceptag.text.format import FormatLike
from perceptag.text.sentence import Sentence

KINDS = ("errors", "inconsistent")
REASONS = 2  # features that are shown
PLACES = 3  # of words with one label


@dataclass
class Suggestions:
    """The findings of each kind; None if there was no search for it, or too little data."""

    files: tuple[str, ...]
    column: str
    sentences: list[Sentence]
    errors: Suspected | None = None
    inconsistent: Inconsistencies | None = None

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON. Sentences and tokens are counted from 0, lines from 1."""
        found: dict[str, Any] = {"files": list(self.files), "label": self.column, "sentences": len(self.sentences)}
        if self.errors is not None:
            doubts = [self._placed(suspect.to_dict(), suspect.start) for suspect in self.errors.suspects]
            found["errors"] = {"total": self.errors.total, "items": doubts}
        if self.inconsistent is not None:
            groups = [self._with_places(group) for group in self.inconsistent.groups]
            found["inconsistent"] = {"total": self.inconsistent.total, "items": groups}
        return found

    def render(self, *, raw: bool = False) -> str:
        """The tables of all kinds that were looked for; `raw`: with the names of features, not in plain words."""
        parts = []
        if self.errors is not None:
            parts.append(self._errors(self.errors, raw))
        if self.inconsistent is not None:
            parts.append(self._inconsistent(self.inconsistent, raw))
        return "\n".join(parts)

    # --- tables ---

    def _errors(self, found: Suspected, raw: bool) -> str:
        table = Table(["place", "words", "given", "suggested", "confidence", "because of"], numbers=(4,))
        for suspect in found.suspects:
            place = self.sentences[suspect.sentence].tokens, suspect.start, suspect.end
            table.add(
                self._place(suspect.sentence, suspect.start),
                in_context(*place),
                shown_spans(suspect.given, *place),
                shown_spans(suspect.suggested, *place),
                _confidence(suspect.confidence),
                _features(suspect.for_suggested, raw),
            )
        return _titled("labels that models doubt", found.total, table)

    def _inconsistent(self, found: Inconsistencies, raw: bool) -> str:
        table = Table(["words", "label", "times", "places", "because of"], numbers=(2,))
        for group in found.groups:
            for i, side in enumerate(group.sides):
                words = " ".join(group.words) if i == 0 else ""
                places = joined([self._place(use.sentence, use.start) for use in side.examples[:PLACES]])
                table.add(words, side.label, str(side.count), places, _features(side.reasons, raw))
        return _titled("the same words with different labels", found.total, table, len(found.groups))

    # --- places and words ---

    def _place(self, sentence: int, token: int) -> str:
        """The place of a token for a table."""
        return without_folders(self.sentences[sentence].where(token), self.files)

    def _placed(self, item: dict[str, Any], token: int) -> dict[str, Any]:
        number = item["sentence"]
        return {"where": self.sentences[number].where(token), "tokens": self.sentences[number].tokens} | item

    def _with_places(self, group: Inconsistency) -> dict[str, Any]:
        item = group.to_dict()
        for side, shown in zip(group.sides, item["sides"], strict=True):
            for use, example in zip(side.examples, shown["examples"], strict=True):
                example["where"] = self.sentences[use.sentence].where(use.start)
        return item


def _confidence(share: float | None) -> str:
    """A share with two digits; nothing is certain."""
    return "" if share is None else "> 0.99" if share > 0.995 else f"{share:.2f}"


def _features(found: Sequence[Contribution], raw: bool) -> str:
    return "; ".join(named_features(found[:REASONS], raw=raw))


def joined(places: Sequence[str]) -> str:
    """Places in one line; a file is named once for all lines that follow each other.

    >>> joined(["a.txt:3", "a.txt:14", "b.txt:9"])
    'a.txt:3, 14, b.txt:9'
    """
    shown, before = [], ""
    for place in places:
        name, _, line = place.rpartition(":")
        shown.append(line if name and name == before else place)
        before = name
    return ", ".join(shown)


def _titled(title: str, total: int, table: Table, listed: int | None = None) -> str:
    """A table under its title, which says how many there are; without rows, only that there are none."""
    if not total:
        return f"{title}: none\n"
    count = len(table.rows) if listed is None else listed
    return render(table, f"{title}: {f'the first {count} of {total}' if count < total else total}")


@dataclass(eq=False, repr=False)
class SuspectOptions:
    """The kinds to look for, and how many of each to show."""

    kind: Annotated[str, Option("A,B", f"What to look for: some of {', '.join(KINDS)}; default: all.")] = ""
    limit: Annotated[int, Option("--top N", "Findings of each kind to show, the likeliest first; 0: all.", min=0)] = 20
    threads: Threads = 0

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds in ``--kind a,b``; all if the option was not given."""
        wanted = [word.strip() for word in self.kind.split(",")] if self.kind else KINDS
        for word in wanted:
            if word not in KINDS:
                raise SettingError(f"--kind: expected some of {', '.join(KINDS)}, found {word!r}{nearest(word, KINDS)}")
        return tuple(kind for kind in KINDS if kind in wanted)


def check_suspects_cli(
    files: Annotated[list[str], Argument("FILE...", "Labelled sentences; '-': stdin.")],
    reading: LabelledColumns,
    how: SuspectOptions,
    raw: RawNames = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Find labels that are probably wrong.

    Shows labels that models trained on the other documents doubt (errors), and the same words with different labels
    (inconsistent). Correct first what 'perceptag check' finds, such as misspelt labels: other findings may follow.

    Several files are one corpus. The files stay as they are.
    """
    found = suggest(files, reading, how, write_nothing if quiet else write_stderr)
    write_json(found.to_dict()) if json_ else write_stdout(found.render(raw=raw))


def suggest(
    files: Sequence[str], reading: LabelledColumns, how: SuspectOptions, note: Callable[[str], None]
) -> Suggestions:
    """Look for wrong labels in some files, which are one corpus; note what needs more data."""
    kinds, limit = how.kinds, how.limit
    sentences = read_files(files, reading.format, reading.names)
    column = choose_label(sentences, reading.label, format_of(files[0], reading.format))
    if len(sentences[0].columns) < 2:
        raise DataError(f"expected words and labels, found only one column ({column})", sentences[0].where())
    found = Suggestions(tuple(files), column, sentences)
    with_models: dict[str, Any] = {"limit": limit, "threads": cores(how.threads)}
    if "errors" in kinds:
        try:
            with Bar("looking for errors", FOLDS, "models") as bar:
                found.errors = suspects(sentences, column, progress=bar.show, note=note, **with_models)
        except TooLittleDataError as error:
            note(f"note: {error}")
    if "inconsistent" in kinds:
        found.inconsistent = inconsistent(sentences, column, **with_models)
    return found


def read_files(files: Sequence[str], format_: FormatLike, columns: Sequence[str] | None) -> list[Sentence]:
    """The sentences of all files; each file has the same columns, and its first sentence is in no earlier document."""
    read = [read_all(path, format_, columns, "labelled") for path in files]
    expected = list(read[0][0].columns)
    for sentences in read[1:]:
        if list(sentences[0].columns) != expected:
            found = ", ".join(sentences[0].columns)
            raise DataError(
                f"expected the columns of {files[0]} ({', '.join(expected)}), found {found}", sentences[0].where()
            )
    if any(sentence.starts_document for sentences in read for sentence in sentences):
        read = [[dataclasses.replace(s[0], starts_document=True), *s[1:]] for s in read]
    return [sentence for sentences in read for sentence in sentences]
