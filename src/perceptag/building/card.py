"""The model card of a pipeline that was built from a treebank, in Markdown: what it does, from what, and how well.

Its figures are those of the CoNLL 2018 shared task, from raw text and from gold tokens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

from perceptag._version import __version__
from perceptag.building.builder import Builder
from perceptag.building.language_file import RECIPES, TOKENS
from perceptag.building.mean_tokenizer import TRAININGS
from perceptag.building.names import AS_WRITTEN, NAMES, NamesData, measure_names
from perceptag.building.treebank_folder import BLOCK, FEW
from perceptag.evaluation.shared_task import compared, is_right
from perceptag.models.model import number_of_features
from perceptag.pipeline.pipeline import Pipeline
from perceptag.system.plural import plural
from perceptag.text.sentence import Sentence
from perceptag.training.jackknife import FOLDS

RAW, GOLD = "raw text", "gold tokens"
METRICS = ("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "Names")

Figures = dict[str, dict[str, float]]  # by input and metric: F1, or accuracy where the tokens are given, in per cent


def measure(pipeline: Pipeline, gold: Sequence[Sentence], names: NamesData | None = None) -> Figures:
    """Return the figures of a pipeline on a treebank, and on sentences with names in several cases."""
    raw = pipeline.evaluate(gold, shared_task=True).counts
    named = {name if name in METRICS else name.capitalize(): round(counts.f1, 2) for name, counts in raw.items()}
    found = {RAW: named, GOLD: _on_gold_tokens(pipeline, gold)}
    for case, f1 in (measure_names(pipeline.models[NAMES], names) if names else {}).items():
        found.setdefault(GOLD if case == AS_WRITTEN else f"gold tokens, {case}", {})["Names"] = f1
    return found


def _on_gold_tokens(pipeline: Pipeline, gold: Sequence[Sentence]) -> dict[str, float]:
    names = [name for name in pipeline.names if any(v != "_" for s in gold for v in s.columns.get(name, ()))]
    expected, found = (
        compared({name: list(chain.from_iterable(s.columns[name] for s in sentences)) for name in names})
        for sentences in (gold, pipeline.tag(gold))
    )
    return {metric: _share(metric, expected[metric], found[metric]) for metric in expected}


def _share(metric: str, gold: Sequence[str], found: Sequence[str]) -> float:
    right = sum(is_right(metric, a, b) for a, b in zip(gold, found, strict=True))
    return round(100 * right / len(gold), 2)


_GIVES = {
    TOKENS: "sentences, tokens and words",
    "upos": "universal parts of speech",
    "xpos": "parts of speech of the treebank",
    "feats": "morphological features",
    "lemma": "lemmas",
    NAMES: "names",
}


def card_text(builder: Builder, pipeline: Pipeline, figures: Figures) -> str:
    """Return the model card."""
    data = builder.data
    sizes = [
        f"{plural(len(some), 'sentence')}, {plural(sum(map(len, some)), 'word')}" for some in (data.train, data.dev)
    ]
    rule = f" (cut off: every tenth document, or block of {BLOCK} sentences if there are fewer than {FEW} documents)"
    return "\n".join(
        [
            f"# {Path(builder.language.output).name}",
            "",
            f"A pipeline for running text, built by `perceptag build` (version {__version__}).",
            "",
            f"- Data: {', '.join(data.files)} of {Path(builder.language.treebank).name}.",
            f"- Training: {sizes[0]}.",
            f"- Dev: {sizes[1]}{rule if data.is_cut else ''}.",
            *_names_line(builder),
            f"- Licence: {builder.language.licence or 'that of the treebank'}.",
            "",
            "| layer | gives | recipe | reads | features |",
            "|---|---|---|---|---|",
            *(_row(builder, name, pipeline) for name in pipeline.models),
            "",
            f"Columns that a layer reads were predicted in training, by cross-validation on {FOLDS} folds. The weights",
            f"of the tokeniser are the mean of {TRAININGS} trainings.",
            "",
            *_listed("Settings that the dev data has decided:", builder.chosen),
            *_listed("What to know of the data:", builder.notes()),
            "Scores of the CoNLL 2018 shared task on the dev data: F1 from raw text, accuracy on gold tokens. The pass",
            "of each layer was chosen by the same data, so the scores are slightly high.",
            "",
            figures_table(figures),
            "",
        ]
    )


def _names_line(builder: Builder) -> list[str]:
    data = builder.names
    if data is None:
        return []
    size = f"{plural(len(data.train), 'sentence')} for training, {len(data.dev)} dev"
    return [f"- Names: {', '.join(data.files)}: {size}."]


def _listed(title: str, by_layer: Mapping[str, str]) -> list[str]:
    return [title, "", *(f"- `{name}`: {text}." for name, text in by_layer.items()), ""] if by_layer else []


def figures_table(figures: Figures) -> str:
    """Return the figures as a table in Markdown."""
    metrics = [metric for metric in METRICS if any(metric in found for found in figures.values())]
    head = [f"| from | {' | '.join(metrics)} |", "|---" * (len(metrics) + 1) + "|"]
    rows = [
        f"| {source} | {' | '.join(f'{found[metric]:.2f}' if metric in found else '–' for metric in metrics)} |"
        for source, found in figures.items()
    ]
    return "\n".join([*head, *rows])


def _row(builder: Builder, name: str, pipeline: Pipeline) -> str:
    reads = "text" if name == TOKENS else "words" if name == NAMES else ", ".join(["words", *builder.reads(name)])
    features = number_of_features(pipeline.models[name].model)
    return f"| `{name}` | {_GIVES[name]} | `{RECIPES[name]}` | {reads} | {features} |"
