"""``perceptag suggest``: find labels that are probably wrong."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Annotated

from perceptag.cli import completing
from perceptag.cli.bar import Bar
from perceptag.cli.declare import Argument, Option
from perceptag.cli.input_files import choose_label, read_all
from perceptag.cli.options import FileOptions, Json, Quiet, Threads
from perceptag.cli.streams import write_json, write_nothing, write_stderr, write_stdout
from perceptag.cli.suggestions import KINDS, Suggestions
from perceptag.errors import DataError, SettingError, nearest
from perceptag.review.crossed import FOLDS
from perceptag.review.inconsistent import inconsistent
from perceptag.review.names import misspelt_labels
from perceptag.review.scheme import scheme_faults
from perceptag.review.suspects import MOST_FOLDS, TooLittleDataError, suspects
from perceptag.system.cores import cores
from perceptag.tagging.naming import format_of
from perceptag.text import Sentence
from perceptag.text.format import FormatLike


def suggest_cli(
    files: Annotated[list[str], Argument("FILE...", "Labelled sentences; '-': stdin.")],
    reading: FileOptions,
    kind: Annotated[str, Option("A,B", f"What to look for: some of {', '.join(KINDS)}; default: all.")] = "",
    limit: Annotated[int, Option("N", "Findings of each kind to show, the likeliest first; 0: all.", min=0)] = 20,
    folds: Annotated[int, Option("N", "Folds of the cross-validation.", min=2, max=MOST_FOLDS)] = FOLDS,
    recipe: Annotated[
        str,
        Option("--recipe -r NAME|FILE", "The recipe of its models; default: a quick one.", complete=completing.recipes),
    ] = "",
    threads: Threads = 0,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Find labels that are probably wrong.

    Shows label names that look misspelt (labels), labels that break the scheme (scheme), labels that models trained on
    the other documents doubt (errors), and the same words with different labels (inconsistent).

    Several files are one corpus. The files stay as they are.
    """
    found = suggest(
        files,
        **reading.arguments,
        kinds=chosen_kinds(kind),
        limit=limit,
        folds=folds,
        recipe=recipe,
        threads=cores(threads),
        note=write_nothing if quiet else write_stderr,
    )
    write_json(found.to_dict()) if json_ else write_stdout(found.render())


def chosen_kinds(text: str) -> tuple[str, ...]:
    """The kinds in ``--kind a,b``; all if the option was not given."""
    wanted = [word.strip() for word in text.split(",")] if text else KINDS
    for word in wanted:
        if word not in KINDS:
            raise SettingError(f"--kind: expected some of {', '.join(KINDS)}, found {word!r}{nearest(word, KINDS)}")
    return tuple(kind for kind in KINDS if kind in wanted)


def suggest(
    files: Sequence[str],
    *,
    format: FormatLike = None,  # noqa: A002
    columns: Sequence[str] | None = None,
    label: str = "",
    kinds: Sequence[str] = KINDS,
    limit: int = 20,
    folds: int = FOLDS,
    recipe: str = "",
    threads: int = 1,
    note: Callable[[str], None] = write_nothing,
) -> Suggestions:
    """Look for wrong labels in some files, which are one corpus. What cannot be done with so little data is noted."""
    sentences = read_files(files, format, columns)
    column = choose_label(sentences, label, format_of(files[0], format))
    if len(sentences[0].columns) < 2:
        raise DataError(f"expected words and labels, found only one column ({column})", sentences[0].where())
    found = Suggestions(tuple(files), column, sentences, tuple(kinds))
    if "labels" in kinds:
        found.labels = misspelt_labels(sentences, column)
    if "scheme" in kinds:
        found.scheme = scheme_faults(sentences, column)
    if "errors" in kinds:
        try:
            with Bar("looking for errors", folds, "models") as bar:
                found.errors = suspects(
                    sentences,
                    column,
                    recipe=recipe,
                    folds=folds,
                    limit=limit,
                    threads=threads,
                    progress=bar.show,
                    note=note,
                )
        except TooLittleDataError as error:
            note(f"note: {error}")
    if "inconsistent" in kinds:
        found.inconsistent = inconsistent(sentences, column, recipe=recipe, limit=limit, threads=threads)
    return found.limited(limit)


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
