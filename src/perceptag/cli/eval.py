"""``perceptag eval``: score a model on labelled data, or predicted labels against gold labels."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

from perceptag.cli.bar import Bar
from perceptag.cli.declare import Argument, Option
from perceptag.cli.input_files import naming_for_scoring, read_all, with_whole_labels
from perceptag.cli.meant import is_model_name, meant
from perceptag.cli.options import AllowCode, Gold, Json, LabelledColumns, Layer, ModelIn, Quiet, Threads
from perceptag.cli.predicted_files import read_systems
from perceptag.cli.streams import check_failed, write_json, write_nothing, write_stderr, write_stdout
from perceptag.cli.table import is_terminal
from perceptag.cli.tag_with_bar import margins_of_all, tag_all
from perceptag.cli.training_options import FailBelow, Repair
from perceptag.errors import DataError, ModelError, SettingError, nearest
from perceptag.evaluation import Report, evaluate
from perceptag.evaluation.tokens import TokenReport
from perceptag.foreign.label_column import choose_label, usual_label
from perceptag.labels.label_set import LabelSet, labels_of
from perceptag.labels.schemes import split_label
from perceptag.models.confident import calibration_of, measure
from perceptag.pipeline.installed import path_of
from perceptag.pipeline.pipeline import Pipeline
from perceptag.system.cores import cores
from perceptag.system.visible import visible_lines
from perceptag.tagging.naming import trained_columns
from perceptag.tagging.tag_file import open_pipeline
from perceptag.text import Sentence

MOST = 0.5  # with a larger share of unknown labels the column or the model is probably the wrong one


def eval_cli(
    gold: Gold,
    reading: LabelledColumns,
    predicted: Annotated[
        str, Argument("[PRED]", "Without --model: the same with predicted labels; if missing, GOLD has both.")
    ] = "",
    model: ModelIn = "",
    strict: Annotated[
        bool, Option("--strict", "Refuse gold labels that the model does not know; else they count as missed.")
    ] = False,
    confidence: Annotated[bool, Option("--confidence", "Also show how well the confidence is calibrated.")] = False,
    raw: Annotated[
        bool, Option("--raw", "Score tokens, sentences, words and labels on the running text of a CoNLL-U file.")
    ] = False,
    layer: Layer = "",
    threads: Threads = 0,
    repair: Repair = "conlleval",
    fail_below: FailBelow = None,
    allow_code: AllowCode = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Score a model, or predicted labels, on labelled data.

    Shows accuracy, also of known and unknown words, and precision, recall and F1 of spans as conlleval counts them.

    With --model, it tags the data. Without, it compares two files with the same tokens, or the last two columns of one
    file: gold labels, then predicted labels. In two files the labels are in the last column, or in that of --label.

    A pipeline is scored by its last layer, or by the one that --layer names; the layers below predict the columns that
    it reads.

    With --raw, a tokeniser, or a pipeline that starts with one, gets the running text of a CoNLL-U file. Tokens,
    sentences and words are scored as in the CoNLL 2018 shared task, and so are layers named after columns of the
    file, such as upos and xpos.
    """
    note = write_nothing if quiet else write_stderr
    if not model:
        given = {"strict": strict, "confidence": confidence, "raw": raw, "layer": layer}
        _refuse_without_model([gold, predicted], [name for name, value in given.items() if value])
        _show(
            evaluate(*read_systems(gold, [predicted] if predicted else [], reading, note), repair=repair),
            fail_below,
            json_,
        )
        return
    if predicted:
        raise SettingError(f"{predicted}: expected one file with gold labels, which --model tags; found a second one")
    if raw:
        _refuse_with_raw(reading, layer, confidence or fail_below is not None)
        found = eval_raw(model, gold, allow_code=allow_code)
        write_json(found.to_dict()) if json_ else write_stdout(found.render())
        return
    opened = open_pipeline(model, allow_code=allow_code, layer=layer)
    if len(opened.layers) > 1 and not layer:
        note(f"note: {opened.top.name}, the last layer, is scored; --layer chooses another one")
    sentences, label_set = read_gold(opened, gold, reading)
    check_labels(label_set, sentences, 0.0 if strict else 1.0, note)
    report = eval_(opened, sentences, label_set, repair, cores(threads), confidence)
    _show(report, fail_below, json_)


def _refuse_without_model(files: Sequence[str], options: Sequence[str]) -> None:
    """Refuse a model among the files, and options that need one."""
    for path in files:
        hint = meant(path, ["--model"]) if is_model_name(path) or not Path(path).exists() else ""
        if hint:
            raise SettingError(f"{path}: expected labelled sentences, found a model{hint}")
    if options:
        raise SettingError(f"--{options[0]}: expected --model, which predicts the labels; found none")


def _refuse_with_raw(reading: LabelledColumns, layer: str, is_one_score: bool) -> None:
    """Refuse options that --raw cannot take."""
    if is_one_score:
        raise SettingError("--raw: several scores, so neither --confidence nor --fail-below")
    if reading.format not in (None, "", "conllu"):
        raise SettingError(f"--raw: expected --format conllu, which has the running text; found {reading.format!r}")
    for option, value in {"layer": layer, **vars(reading)}.items():
        if value and option != "format_":
            raise SettingError(f"--raw: the whole pipeline is scored on running text, so not with --{option}")


def _show(report: Report, at_least: float | None, json_: bool) -> None:
    """Print the lines of conlleval, on a terminal a table; end with status 1 if the score is lower than accepted."""
    if json_:
        write_json(report.to_dict())
    else:
        write_stdout(report.render_for_terminal() if is_terminal() else visible_lines(report.render()))
    name, value = report.main_score
    if at_least is not None and value < at_least:
        raise check_failed(f"{name} {value:.2f} is below {at_least:g}")


def eval_raw(model: str, gold: str, *, allow_code: bool = False) -> TokenReport:
    """Run a pipeline on the text of a CoNLL-U file; score tokens, sentences, words, and labels that the file has."""
    path = path_of(model)
    opened = Pipeline.load(path, allow_code=allow_code)
    if opened.tokenizer is None:
        raise ModelError(f"{path}: --raw: expected a tokeniser or a pipeline that begins with one, found neither")
    with Bar("tagging the text"):
        found = opened.evaluate(gold)
    if not found.counts["tokens"].gold:
        raise DataError("there is no sentence in the gold data", gold)
    return found


def eval_(
    opened: Pipeline,
    sentences: Sequence[Sentence],
    label_set: LabelSet,
    repair: str,
    threads: int,
    confidence: bool,
) -> Report:
    """Tag sentences and score the labels against their own."""
    ready, gold = opened.top.ready, written_gold(label_set, sentences)
    tokens, known_words = [s.tokens for s in sentences], ready.known_words()
    predicted = tag_all(opened, sentences, threads)
    report = evaluate(gold, predicted, tokens=tokens, known=known_words, repair=repair)
    if not confidence:
        return report
    known, found = calibration_of(ready.model, ready.margins_are_log_odds), margins_of_all(ready, sentences, threads)
    return dataclasses.replace(report, reliability=measure(known, found, label_set.gold(sentences), label_set.outer))


def written_gold(label_set: LabelSet, sentences: Sequence[Sentence]) -> list[list[str]]:
    """Return the gold labels in the scheme of the file, so that a report can name it; `evaluate` converts them."""
    return label_set.gold(sentences) if label_set.keep else [labels_of(s, label_set.column) for s in sentences]


def read_gold(opened: Pipeline, path: str, reading: LabelledColumns) -> tuple[list[Sentence], LabelSet]:
    """The sentences of a file with labels that the last layer should give, and the label set with their column."""
    fewer = [*opened.inputs, opened.top.name] if len(opened.layers) > 1 else []  # without those that are predicted
    columns, rules = trained_columns(opened, opened.top.name), opened.top.ready.model.from_rules
    named = naming_for_scoring(columns, opened.top.name, path, fewer, rules)
    sentences = read_all(path, reading.format, reading.names or named, "gold")
    _refuse_missing_rules(opened, sentences[0])
    column = choose_label(sentences, reading.label or usual_label(sentences, opened.top.name))
    sentences = with_whole_labels(sentences, column, path)
    return sentences, dataclasses.replace(opened.top.ready.model.label_set, column=column)


def _refuse_missing_rules(opened: Pipeline, sentence: Sentence) -> None:
    """Refuse sentences without the column that rules gave in training, and say what gives it."""
    column = opened.top.ready.model.from_rules
    if column in opened.inputs and column not in sentence.columns:
        hint = "'perceptag pipeline MODEL --rules FILE -o OUT' makes a model that has the rules"
        raise DataError(f"expected the column {column!r}, which rules gave in training; {hint}", sentence.where())


def check_labels(
    label_set: LabelSet, sentences: Sequence[Sentence], allowed: float, note: Callable[[str], None]
) -> None:
    """Say how many gold labels the model can never give. If their share is above `allowed`, refuse them.

    Test sets of large label sets often have labels that the training data lacks.
    For chunks only the type matters: a model that has seen ``B-LST`` knows ``I-LST`` too. Any string may be a lemma.
    """
    if label_set.is_open:
        return
    known = set(label_set.names)
    if label_set.outer != "none":
        kinds = {split_label(label)[1] for label in known if label != "O"}
        known = {"O", *(f"{tag}-{kind}" if kind else tag for kind in kinds for tag in "BIESLUM")}
    unknown = [
        (sentence.where(t), label)
        for sentence, labels in zip(sentences, label_set.gold(sentences), strict=True)
        for t, label in enumerate(labels)
        if label not in known
    ]
    if not unknown:
        return
    where, label = unknown[0]
    tokens = sum(map(len, sentences))
    message = f"unknown label {label!r}, which the model never gives{nearest(label, label_set.names)}"
    share = f"{len(unknown)} of {tokens} tokens have such labels"
    doubt = ": wrong column or model?" if len(unknown) > MOST * tokens else ""
    if len(unknown) > allowed * tokens:
        raise DataError(f"{message} ({share}{doubt})", where)
    note(f"warning: {where}: {message} ({share} and count as missed{doubt})")
