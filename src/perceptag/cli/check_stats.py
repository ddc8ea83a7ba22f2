"""``perceptag check --stats``: show statistics of labelled data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from perceptag.cli.declare import Argument, Option
from perceptag.cli.input_files import read_all
from perceptag.cli.options import Json, LabelledColumns
from perceptag.cli.streams import write_json, write_stdout
from perceptag.cli.table import Table, render, short_names, tabled
from perceptag.foreign.label_column import choose_label
from perceptag.tagging.naming import format_of

if TYPE_CHECKING:  # the help does not need it
    from perceptag.inspecting.statistics import Statistics


def check_stats_cli(
    files: Annotated[list[str], Argument("FILE...", "Sentences, with or without labels.")],
    reading: LabelledColumns,
    limit: Annotated[int, Option("--top N", "Labels, types and words to list in each table; 0: all.", min=0)] = 20,
    json_: Json = False,
) -> None:
    """Show statistics of labelled data.

    Counts documents, sentences, tokens, words, labels, spans and their lengths, and words with several labels. Of
    several files, give the training data first: words that do not occur in it count as unknown.
    """
    found = stats(files, reading, limit)
    write_json({"files": [s.to_dict() for s in found]}) if json_ else write_stdout(show(found, limit))


def stats(files: Sequence[str], reading: LabelledColumns, limit: int) -> list[Statistics]:
    """The figures of each file; those after the first are compared with its words."""
    from perceptag.inspecting.statistics import statistics, words_of

    format_, label = reading.format, reading.label
    found: list[Statistics] = []
    known: set[str] | None = None
    for path in files:
        sentences = read_all(path, format_, reading.names, "given")
        has_labels = label or len(sentences[0].columns) > 1
        column = choose_label(sentences, label, format_of(path, format_)) if has_labels else ""
        many = limit or len(words_of(sentences))
        found.append(statistics(sentences, column, name=path, known=known, examples=many))
        known = words_of(sentences) if known is None else known
    return found


def show(found: Sequence[Statistics], limit: int) -> str:
    """All tables."""
    short = short_names([s.name for s in found])
    found = [replace(s, name=short[s.name]) for s in found]
    parts = [_sizes(found)]
    if any(s.spans for s in found):
        counts = [{kind: some.count for kind, some in one.spans.items()} for one in found]
        parts += [_counts("spans", counts, found, limit), *(_lengths(s, limit, len(found)) for s in found if s.spans)]
    if any(s.labels for s in found):
        parts += [
            _counts("labels", [one.labels for one in found], found, limit),
            _ambiguity(found),
            *(_words(s, len(found)) for s in found[:1]),
        ]
    return "\n".join(part for part in parts if part)


def _sizes(found: Sequence[Statistics]) -> str:
    head = ["file", "documents", "sentences", "tokens", "words", "tokens a sentence", "longest"]
    several = len(found) > 1
    unknown = ["unknown tokens", "unknown words"] if several else []
    table = Table([*head, *unknown], numbers=range(1, len(head) + len(unknown)))
    for s in found:
        cells = [f"{n:,}" for n in (s.documents, s.sentences, s.tokens, s.words)]
        cells += [f"{s.tokens / s.sentences:.1f}", f"{s.longest:,}"]
        if several:
            cells += [_share(s.unknown.tokens, s.tokens), _share(s.unknown.words, s.words)] if s.unknown else ["", ""]
        table.add(s.name, *cells)
    return render(table, f"sizes; unknown: not in {found[0].name}" if several else "sizes")


def _counts(what: str, counts: Sequence[dict[str, int]], found: Sequence[Statistics], limit: int) -> str:
    """A table with the count and the share of each name in each file."""
    head = [what.removesuffix("s")]
    for s in found:
        head += [s.name if len(found) > 1 else "times", "share"]
    table = Table(head, numbers=range(1, len(head)))
    every = list(dict.fromkeys(name for some in counts for name in some))
    for name in every[: limit or None]:
        cells = []
        for some in counts:
            cells += [f"{some.get(name, 0):,}", _share(some.get(name, 0), sum(some.values()))]
        table.add(name, *cells)
    shown = f"{what}: {len(every)}" if len(every) <= (limit or len(every)) else f"{what}: {limit} of {len(every)}"
    return render(table, shown)


def _lengths(s: Statistics, limit: int, files: int) -> str:
    from perceptag.inspecting.statistics import LENGTHS

    head = ["span", *(f"{length} tokens" if length != "1" else "1 token" for length in LENGTHS), "mean", "longest"]
    table = Table(head, numbers=range(1, len(head)))
    for kind, some in list(s.spans.items())[: limit or None]:
        shares = [_share(some.lengths[length], some.count) for length in LENGTHS]
        table.add(kind, *shares, f"{some.mean:.2f}", str(some.longest))
    return render(table, "lengths of spans" + (f" in {s.name}" if files > 1 else ""))


def _ambiguity(found: Sequence[Statistics]) -> str:
    head = ["file", "words with several labels", "their tokens", "tokens with the usual label of their word"]
    table = Table(head, numbers=(1, 2, 3))
    for s in found:
        if s.ambiguity:
            a = s.ambiguity
            table.add(s.name, _share(a.words, s.words), _share(a.tokens, s.tokens), _share(a.usual, s.tokens))
    return render(table, "ambiguity")


def _words(s: Statistics, files: int) -> str:
    if not s.ambiguity or not s.ambiguity.examples:
        return ""
    found = s.ambiguity.examples
    rows = [(word, ", ".join(f"{label} {times:,}" for label, times in labels.items())) for word, labels in found]
    title = "the most ambiguous words" + (f" of {s.name}" if files > 1 else "")
    return tabled(["word", "labels"], rows, title)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else ""
