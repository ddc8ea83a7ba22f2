"""Column names and format of the file being tagged."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from perceptag.errors import DataError
from perceptag.models.kinds import RULES
from perceptag.models.model import Model
from perceptag.pipeline.pipeline import Pipeline
from perceptag.system.plural import plural
from perceptag.text.format import Format, FormatLike
from perceptag.text.formats import FORMATS, by_ending, choose
from perceptag.text.lines import Source, name_of


def format_of(path: Source, format_: FormatLike, model: Model | None = None) -> Format:
    """The format that the user named, or that the file's name implies, or that the model was trained on."""
    if not format_ and by_ending(path) is None and model is not None:
        trained = (f for f in FORMATS.values() if f.columns and f.columns == tuple(model.columns))
        return next(trained, choose(None, path))
    return choose(format_, path)


def columns_of(opened: Pipeline) -> list[str]:
    """The columns of the training data without those of rules; of several models, those that they need and give."""
    learned = [layer for layer in opened.layers if layer.ready.model.facts.get("kind") != RULES]
    if len(learned) == 1 and learned[0] is opened.top:
        given = {layer.name for layer in opened.layers} - {opened.top.name}
        return [column for column in opened.top.ready.model.columns if column not in given]
    return list(opened.top.ready.model.columns) if len(opened.layers) == 1 else [*opened.inputs, *opened.names]


def trained_columns(opened: Pipeline, label: str) -> list[str]:
    """The columns of the training data. The label column is called `label`, unless another column has that name."""
    columns = columns_of(opened)
    own = opened.top.name if opened.top.name in columns else opened.top.ready.model.label_set.column
    return columns if label in columns else [label if c == own else c for c in columns]


def naming_for_tagging(opened: Pipeline, label: str, source: Source) -> Callable[[int], list[str]]:
    """Name the columns of a column file after those that the model was trained on.

    The file may have all of them, with or without the labels. Columns at the end that the model does not use may be
    missing. If the model comes from a format with columns of its own, such as CoNLL-U, a column file with fewer columns
    only has those that the model needs in their places: its second column is hardly lemmas, so it gets another name.
    """
    trained = trained_columns(opened, label)
    inputs = [c for c in trained if c != label]
    needed = opened.inputs
    missing = next((rules for layer in opened.layers if (rules := layer.ready.model.from_rules) in needed), "")

    def name(count: int) -> list[str]:
        if count == len(trained):
            return trained
        if missing and count < len(trained):
            raise DataError(
                f"expected {listed(trained)}, found {count}; column {missing!r} is what rules found in training: "
                "--rules FILE gives it, with the same rules",
                name_of(source),
            )
        if count < len(trained) and set(needed) <= set(inputs[:count]):
            known = max(map(inputs.index, needed)) + 1 if _are_of_a_format(opened) else count
            return [*inputs[:known], *(f"column{number}" for number in range(known + 1, count + 1))]
        error = wrong_width(f"{listed(trained)} or the same without {label}", count, name_of(source))
        if opened.tokenizer is None and count > len(trained):
            raise DataError(f"{error}; if this is running text, 'perceptag tag --tokenizer en' cuts it into tokens")
        if count == 1 and len(trained) > 2:
            raise DataError(f"{error}; a model of '--recipe basic-ner' looks at words alone")
        raise error

    return name


def _are_of_a_format(opened: Pipeline) -> bool:
    """Return whether the columns of the training data begin as those of a format, and are not the user's own."""
    columns = tuple(columns_of(opened))
    return any(one.columns and one.columns == columns[: len(one.columns)] for one in FORMATS.values())


def listed(columns: Sequence[str]) -> str:
    """Say which columns were there in training."""
    return f"{plural(len(columns), 'column')} as in training ({', '.join(columns)})"


def wrong_width(expected: str, count: int, source: str) -> DataError:
    """Return the error for a file with another number of columns than expected."""
    return DataError(f"expected {expected}, found {count}; name them with --columns", source)
