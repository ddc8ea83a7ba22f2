"""The model card of a pipeline that was built from a treebank: what it does, from what, and how well, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from perceptag._version import __version__
from perceptag.building.builder import Builder
from perceptag.building.figures import METRICS, Figures
from perceptag.building.language_file import RECIPES, TOKENS
from perceptag.building.mean_tokenizer import TRAININGS
from perceptag.building.names import NAMES
from perceptag.building.treebank_folder import BLOCK, FEW
from perceptag.models.model import number_of_features
from perceptag.pipeline.pipeline import Pipeline
from perceptag.system.plural import plural
from perceptag.training.jackknife import FOLDS

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
