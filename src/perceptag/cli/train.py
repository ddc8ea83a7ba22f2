"""``perceptag train``: from labelled files to a model."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple

from perceptag.cli.declare import Option
from perceptag.cli.input_files import (
    LABEL,
    naming_for_scoring,
    notes_on_comments,
    notes_on_dev,
    read_all,
    read_dev,
    refuse_single_label,
    with_known_labels,
    with_labels,
)
from perceptag.cli.lower_layers import name_and_path, open_layer
from perceptag.cli.options import AllowCode, FileOptions, Json, Quiet, RulesIn, Threads
from perceptag.cli.streams import refuse_json_behind, write_json, write_nothing, write_stderr
from perceptag.cli.training_options import (
    Adds,
    Epochs,
    Gazetteers,
    RecipeOptions,
    RecipeSeed,
    Train,
    parse_settings,
    read_characters,
    refuse_columns,
)
from perceptag.cli.training_run import (
    Keeping,
    Run,
    Say,
    TrainingFiles,
    TrainingResult,
    before_first_pass,
    carry_out,
    check_target,
    checkpoint_of,
    notes_on_recipe,
    passes,
    refuse_inputs,
    summary,
)
from perceptag.errors import ModelError, SettingError
from perceptag.features.gazetteer import class_and_file
from perceptag.foreign.label_column import choose_label
from perceptag.models import model_file as modelfile
from perceptag.models.model import Model
from perceptag.models.model_classes import check_continued
from perceptag.models.rules.ruled_model import check_labels
from perceptag.pipeline.installed import path_of
from perceptag.recipe import auto, recipe
from perceptag.recipe.common_settings import TEXT
from perceptag.recipe.recipe import Recipe
from perceptag.rules.feature_column import template_of, with_rule_column
from perceptag.rules.rules import Rules
from perceptag.system.cores import cores
from perceptag.system.interrupts import INTERRUPTED
from perceptag.tagging.naming import format_of
from perceptag.text.format import Names
from perceptag.text.lines import refuse_missing
from perceptag.text.sentence import Sentence
from perceptag.training.checkpoint import files_of
from perceptag.training.fit import Code, Plan, make_plan
from perceptag.training.jackknife import FOLDS, LowerLayer, with_predicted
from perceptag.training.train import Training
from perceptag.training.vote_weights import OpenVotes


@dataclass(eq=False, repr=False)
class TrainOptions:
    """The start of a training, its sources besides the labels, and its engine."""

    from_: Annotated[str, Option("MODEL", "Continue from this model, with its recipe unless --recipe is given.")] = ""
    layers: Annotated[
        list[str] | None,
        Option(
            "--layer [NAME=]MODEL",
            "Replace a column by the predictions of this model, as in a pipeline; repeatable, in order.",
        ),
    ] = None
    layer_folds: Annotated[int, Option("K", "Folds of the training data for --layer.", min=2, max=1000)] = FOLDS
    dev_file: Annotated[str, Option("--dev FILE", "Held-out sentences to choose the best pass by.")] = ""
    no_dev: Annotated[bool, Option("--no-dev", "Train without dev data, without a note about it.")] = False
    added: Adds = None
    gazetteers: Gazetteers = None
    rule_file: RulesIn = ""
    epochs: Epochs = None
    seed: RecipeSeed = None
    threads: Threads = 0
    on: Annotated[
        str,
        Option(
            "ENGINE",
            "Read the files in parts and train on threads, processes, ray, ray:ADDRESS or ray://HOST:PORT; "
            "--train may be a pattern.",
        ),
    ] = ""

    def check(self, encoding: str) -> None:
        """Refuse options that exclude each other."""
        if self.no_dev and self.dev_file:
            raise SettingError("--no-dev and --dev: give one of them, not both")
        if self.on and encoding not in ("", "auto"):
            raise SettingError("--encoding and --on: give one of them, not both; parts of files are read as UTF-8")

    def files(self) -> list[str]:
        """The files that are read besides the training data."""
        named = [name_and_path(word)[1] for word in (*(self.layers or ()), *(self.gazetteers or ()))]
        return [self.dev_file, self.from_ and path_of(self.from_), self.rule_file, *named]

    def settings(self, chosen: RecipeOptions) -> dict[str, object]:
        """The settings of the recipe that options change."""
        others = {
            "epochs": self.epochs,
            "seed": self.seed,
            "add": self.added or None,
        }
        changed = parse_settings(chosen.settings or [], **others)
        if self.rule_file and isinstance(changed.get("add"), str):
            raise SettingError("--rules and --set add: give one of them, not both; --add adds further templates")
        return changed | ({"add_gazetteer": tuple(self.gazetteers)} if self.gazetteers else {})


def train_cli(
    train_file: Train,
    model: Annotated[str, Option("--model -m OUT", "Where to write the model.")],
    reading: FileOptions,
    chosen: RecipeOptions,
    how: TrainOptions,
    keeping: Keeping,
    allow_code: AllowCode = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Train a model.

    The labels are in the last column, or in the column that --label names. Exports of annotation tools, tables with a
    header and other files are recognised by their content; texts are tokenised by --tokenizer.

    Ctrl-C saves the best pass so far. The same command with --resume continues the run; the model is that of an
    uninterrupted run, bit for bit. A model that is replaced is kept as OUT.bak. --from starts a new run with the
    features, labels and weights of an earlier model; the new data may add to them.

    --rules adds the spans that rules find as a column, and a template for it; tagging needs the rules again. Rules for
    the column of the labels are not learned from: the best weight for them on dev data is shown.

    --layer fills a column with the predictions of another model: on each fold of the training data, by its recipe
    trained on the other folds; on the dev data, by the model itself.

    --on is for data that do not fit into memory, or training on several machines. It never changes the model.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy would start threads, which wait in loops for algebra
    how.check(reading.encoding)
    if json_:
        refuse_json_behind("--model", model)
    check_target(model, [train_file, *how.files(), *chosen.files()], overwrite=keeping.overwrite)
    start = modelfile.load(path_of(how.from_)) if how.from_ else None
    base = start.recipe if start and not chosen.recipe_name else recipe.load(chosen.recipe_name or auto.NAME)
    found = Rules.load(how.rule_file) if how.rule_file else None
    changed = how.settings(chosen)
    note = write_nothing if quiet else write_stderr
    if not how.dev_file and not how.no_dev:
        note("note: no --dev data to choose the best pass by")
    outcome = train(
        base,
        TrainingFiles(train_file, how.dev_file or None, **reading.arguments, on=how.on, workers=how.threads),
        model,
        settings=changed,
        threads=cores(how.threads),
        start=(how.from_, start) if start else None,
        layers=[open_layer(word, allow_code=allow_code) for word in how.layers or []],
        folds=how.layer_folds,
        rules=found,
        keeping=keeping,
        allow_code=allow_code,
        note=note,
        run=lambda training: passes(training, quiet),
    )
    if json_:
        write_json(outcome.to_dict())
    if outcome.interrupted:
        raise SystemExit(INTERRUPTED)


def train(
    recipe: Recipe,
    files: TrainingFiles,
    model: str,
    *,
    settings: Mapping[str, object] | None = None,
    threads: int = 1,
    start: tuple[str, Model] | None = None,
    layers: Sequence[LowerLayer] = (),
    folds: int = FOLDS,
    rules: Rules | None = None,
    keeping: Keeping = Keeping(),  # noqa: B008 - it never changes
    allow_code: bool = False,
    note: Say = write_nothing,
    run: Run = Training.run,
) -> TrainingResult:
    """Train by a recipe, changed by `settings`, and write `model`; an interrupt saves the best pass so far.

    `start`: the file of an earlier model and the model itself; columns and labels keep the names that they have there.
    """
    source, earlier = start or (None, None)
    # Settings are checked before any file is read.
    by: dict[str, Any] = {"code": Code(allowed=allow_code), "start": earlier, "threads": threads, "note": note}
    plan = _make_plan(recipe, _with_template(settings, rules), files, by)
    check_target(model, [files.train, files.dev, source, *files_of(plan.recipe)], overwrite=keeping.overwrite)
    refuse_missing(_other_files(plan, files))
    if earlier and plan.settings.get("classes"):
        check_continued(earlier, plan.recipe.classes)
    keeping.check(model)
    if files.on:
        from perceptag.cli.train_on import train_on  # which few commands need

        needing_all = {"--layer": layers, "--rules": rules, "--from": earlier}
        option = next((option for option, given in needing_all.items() if given), "")
        if done := train_on(files, plan, model, keeping, run, summary, option):
            return done
    data = _read(plan, files)
    if layers:
        data = data.with_layers(layers, folds, threads, note)
    if rules:
        refuse_inputs(model, [rules.file.path])
    votes = OpenVotes(rules, data.dev) if rules and rules.column == data.column else None
    if votes:
        plan = _make_plan(recipe, settings, files, by)
    elif rules:
        data = data.with_rules(rules)
    for line in notes_on_dev(data.train, data.dev or [], data.column):
        note(line)
    with _blaming(source):
        training = _begin(plan, data, model, checkpoint_of(model) if keeping.resume else "")
    if layers:
        training.chosen["layers"] = [layer.facts(folds) for layer in layers]
    if rules:
        training.chosen["rules"] = {"name": rules.column, "sha256": rules.file.digest()}
    if rules and votes:
        check_labels(rules, training.task.label_set)
    for line in (*summary(training), *training.task.notes):
        note(line)
    return carry_out(training, model, run, keeping=keeping, note=note, votes=votes)


def _make_plan(
    recipe: Recipe, settings: Mapping[str, object] | None, files: TrainingFiles, by: Mapping[str, Any]
) -> Plan:
    """The plan of a training, with the engine that --on names."""
    plan = make_plan(recipe, settings, **by)
    if not files.on:
        return plan
    from perceptag.cli.train_on import engine_of  # which few commands need

    return replace(plan, on=engine_of(files))


def _other_files(plan: Plan, files: TrainingFiles) -> list[str]:
    """The files that are read after the training data, but not patterns of names."""
    given, dev = plan.settings, files.dev or ""
    added = given.get("add_gazetteer") or ()
    classes = given.get("classes")
    return [
        *([] if any(mark in dev for mark in "*?[") else [dev]),
        *([class_and_file(str(entry))[1] for entry in added] if isinstance(added, tuple) else []),
        *([classes] if isinstance(classes, str) else []),
        *files_of(plan.recipe),
    ]


class _Data(NamedTuple):
    """The sentences of a training command, and the column of the labels."""

    train: list[Sentence]
    dev: list[Sentence] | None
    column: str

    def with_layers(self, layers: Sequence[LowerLayer], folds: int, threads: int, note: Say) -> _Data:
        """The same with columns that lower models predict."""
        for layer in layers:
            if layer.column == (self.column or layer.column):
                raise SettingError(f"--layer: expected a column other than the labels to learn, found {layer.column!r}")
        predicted = with_predicted(layers, self.train, self.dev, folds=folds, threads=threads, note=note)
        return _Data(*predicted, self.column)

    def with_rules(self, rules: Rules) -> _Data:
        """The same with the column of some rules."""
        train, dev = with_rule_column(rules, self.train, self.column), self.dev
        return _Data(train, with_rule_column(rules, dev, self.column) if dev else dev, self.column)


def _begin(plan: Plan, data: _Data, model: str, checkpoint: str) -> Training:
    """Find the recipe, make the choices that it leaves open, and say what was chosen."""
    with _telling_interrupts(model, plan.note):
        resolved = plan.resolve(data.train, data.column)
    refuse_inputs(model, files_of(resolved.recipe))
    for line in notes_on_recipe(resolved, plan.settings):
        plan.note(line)
    with _telling_interrupts(model, plan.note):
        return plan.begin(resolved, data.train, data.dev, checkpoint=checkpoint)


def _with_template(settings: Mapping[str, object] | None, rules: Rules | None) -> dict[str, object]:
    """The settings with the template of the column that rules give."""
    given = dict(settings or {})
    added = given.get("add")
    return (
        given | {"add": [*(added if isinstance(added, (list, tuple)) else []), template_of(rules)]} if rules else given
    )


def _read(plan: Plan, files: TrainingFiles) -> _Data:
    """Read the training file and the dev file. A model that training continues from names columns and labels."""
    train, dev, format_ = files.train, files.dev, files.format
    if plan.recipe.unit == TEXT:
        refuse_columns(files.columns, files.label)
        characters = read_characters(_training_files(files), format_, "training", plan.note)
        return _Data(characters, read_characters([dev], format_, "dev", plan.note) if dev else None, "")
    sentences = _read_training(files, files.columns or _naming(plan.start, train))
    wanted = files.label or plan.recipe.labels_column or (plan.start.label_set.column if plan.start else "")
    sentences, notes = with_labels(sentences) if wanted in ("", LABEL) else (sentences, [])
    column = choose_label(sentences, wanted, format_of(train, format_))
    if not (plan.settings.get("labels_missing") or plan.recipe.labels_missing):
        sentences, more = with_known_labels(sentences, column)
        notes += more
    for line in (*notes, *notes_on_comments(sentences)):
        plan.note(line)
    refuse_single_label(sentences, column)
    heldout = read_dev(dev, format_, files.columns or _naming(plan.start, dev), sentences, column) if dev else None
    return _Data(sentences, heldout, column)


def _read_training(files: TrainingFiles, columns: Names | None) -> list[Sentence]:
    """The training sentences of all files."""
    first, *others = paths = _training_files(files)
    if not others:
        return read_all(first, files.format, columns, "training")
    from perceptag.cluster.one_place import gather

    return gather(paths, files.format, columns)


def _training_files(files: TrainingFiles) -> list[str]:
    """The file of the training data, or with --on all files that a pattern finds."""
    if not files.on:
        return [files.train]
    from perceptag.cluster.parts import expand

    return expand([files.train])


def _naming(model: Model | None, source: str) -> Names | None:
    """Without --columns, the columns of the model that training continues from."""
    if model is None:
        return None
    return naming_for_scoring(model.columns, model.label_set.column, source, from_rules=model.from_rules)


@contextmanager
def _telling_interrupts(model: str, note: Say) -> Iterator[None]:
    """If the user interrupts the choices before the first pass, say what there is."""
    try:
        yield
    except KeyboardInterrupt:
        note(before_first_pass(model))
        raise


@contextmanager
def _blaming(source: str | None) -> Iterator[None]:
    """If something is wrong with the model that training continues from, name its file."""
    try:
        yield
    except ModelError as error:
        raise ModelError(f"{source}: {error}" if source else str(error)) from error
