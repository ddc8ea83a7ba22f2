"""``perceptag inspect A B``: show what differs between two models and their labels."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from perceptag.cli.input_files import read_all
from perceptag.cli.options import LabelledColumns
from perceptag.cli.table import Table, render, without_folders
from perceptag.cli.tag_with_bar import tag_all
from perceptag.errors import SettingError
from perceptag.inspecting.regions import in_context, shown_spans
from perceptag.pipeline.pipeline import Pipeline
from perceptag.system.memory import no_search_for_cycles
from perceptag.system.plural import plural
from perceptag.system.visible import visible
from perceptag.tagging.naming import naming_for_tagging
from perceptag.tagging.tag_file import open_pipeline
from perceptag.text import Sentence
from perceptag.text.format import FormatLike

if TYPE_CHECKING:  # the help does not need it
    from perceptag.inspecting.differences import Changed, Features, LabelDiff, ModelDiff


def difference(
    models: tuple[str, str],
    source: str,
    reading: LabelledColumns,
    layer: str,
    top: int,
    *,
    threads: int,
    allow_code: bool,
) -> Difference:
    """Compare two models and, if there is a file, the labels that they give to it."""
    from perceptag.inspecting.differences import diff_models

    if source == "-":
        raise SettingError("FILE: expected a file, which both models read; found standard input")
    opened = [open_pipeline(model, allow_code=allow_code, layer=layer) for model in models]
    with no_search_for_cycles():
        found = Difference(models, diff_models(opened[0].top.ready, opened[1].top.ready, top))
    if not source:
        return found
    sentences, labels = diff_file(opened, source, reading.format, reading.names, reading.label, threads)
    return dataclasses.replace(found, sentences=sentences, labels=labels)


def diff_file(
    opened: Sequence[Pipeline],
    source: str,
    format_: FormatLike,
    columns: Sequence[str] | None,
    label: str,
    threads: int,
) -> tuple[list[Sentence], LabelDiff]:
    """Tag a file with two pipelines and compare their labels."""
    from perceptag.inspecting.differences import diff_labels

    tagged, gold = [], None
    for pipeline in opened:
        named = columns or naming_for_tagging(pipeline, label or pipeline.top.name, source)
        sentences = read_all(source, format_, named, "given")
        if gold is None:
            gold = gold_of(pipeline, sentences, label)
        tagged.append(tag_all(pipeline, sentences, threads))
    return sentences, diff_labels(tagged[0], tagged[1], gold)


def gold_of(opened: Pipeline, sentences: Sequence[Sentence], label: str) -> list[list[str]] | None:
    """The right labels, if the file has them: a column that is there in every sentence, and filled."""
    column = label or opened.top.name
    if not all(column in s.columns for s in sentences):
        if label:
            raise SettingError(f"--label: there is no column {label!r} in every sentence of the file")
        return None
    if all(value == "_" for s in sentences for value in s.columns[column]):
        return None
    label_set = dataclasses.replace(opened.top.ready.model.label_set, column=column)
    return label_set.gold(sentences)


@dataclass(frozen=True, slots=True)
class Difference:
    """The differences between two models and, if there was a file, between their labels."""

    names: tuple[str, str]
    models: ModelDiff
    sentences: Sequence[Sentence] = ()
    labels: LabelDiff | None = None

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        found = {"a": self.names[0], "b": self.names[1], "models": self.models.to_dict()}
        return found | {"labels": self.labels.to_dict() if self.labels else None}

    def render(self, top: int) -> str:
        """Everything as text."""
        lines = [f"a: {self.names[0]}", f"b: {self.names[1]}", "", *_model_lines(self.models, top)]
        if self.labels:
            lines += ["", *self._label_lines(self.labels, top)]
        return "\n".join(lines)

    def _label_lines(self, found: LabelDiff, top: int) -> list[str]:
        of = f"{plural(found.sentences, 'sentence', ',')}, {plural(found.tokens, 'token', ',')}"
        judged = "; ".join(f"{name}: {times:,}" for name, times in found.verdicts.items())
        lines = [f"changes of {found.unit}: {len(found.changed):,} in {of}" + (f" ({judged})" if judged else "")]
        lines += [found.comparison.render()] if found.comparison else []
        if not found.changed:
            return lines
        pairs = Table(["a", "b", "times"], (2,), [(a, b, f"{times:,}") for a, b, times in found.pairs[: top or None]])
        head = ["place", "words", "a", "b", *(["right", "b is"] if found.verdicts else [])]
        examples = Table(head, rows=[self._example(changed) for changed in found.changed[: top or None]])
        return [*lines, "", render(pairs, "labels that change"), render(examples, "examples")]

    def _example(self, changed: Changed) -> tuple[str, ...]:
        sentence = self.sentences[changed.sentence]
        tokens, start, end = sentence.tokens, changed.start, changed.end
        given = [changed.a, changed.b, *([] if changed.right is None else [changed.right])]
        sides = [shown_spans(side, tokens, start, end) for side in given]
        place = without_folders(sentence.where(start), [sentence.source])
        return (place, in_context(tokens, start, end), *sides, *([changed.verdict] if changed.verdict else []))


def _model_lines(found: ModelDiff, top: int) -> list[str]:
    lines = []
    if found.kinds[0] != found.kinds[1]:
        lines.append(f"kinds: {found.kinds[0]} and {found.kinds[1]}")
    if found.recipe:
        rows = [(key, *("" if x is None else str(x) for x in sides)) for key, sides in found.recipe.items()]
        lines.append(render(Table(["recipe key", "a", "b"], rows=rows)).rstrip())
    else:
        lines.append("recipe: the same keys")
    lines += [*_only("templates", found.templates, top), *_only("labels", found.labels, top)]
    if found.features is None or found.changes is None:
        return [*lines, "weights: not compared, since a model of this kind has no weights with names"]
    lines += _feature_lines(found.features)
    if not found.changes:
        return [*lines, "weights: the same"]
    rows = [(c.label or "(document)", f"{c.a:+.2f}", f"{c.b:+.2f}", c.feature) for c in found.changes]
    table = Table(["label", "a", "b", "feature"], (1, 2), rows)
    return [*lines, "", render(table, "weights that change most").rstrip()]


def _only(what: str, sides: tuple[list[str], list[str]], top: int) -> list[str]:
    if not any(sides):
        return [f"{what}: the same"]
    lines = []
    for side, some in zip("ab", sides, strict=True):
        if some:
            more = ", …" if top and len(some) > top else ""
            lines.append(f"{what} only in {side}: {len(some)}: {', '.join(some[: top or None])}{more}")
    return [visible(line) for line in lines]


def _feature_lines(found: Features) -> list[str]:
    size = f"{found.a:,} in a, {found.b:,} in b, {found.common:,} in both"
    lines = [f"features with a weight: {size}"]
    for side, some, total in (("a", found.only_a, found.a), ("b", found.only_b, found.b)):
        if some:
            lines.append(f"  only in {side}: {total - found.common:,}, the heaviest: {', '.join(some)}")
    return [visible(line) for line in lines]
