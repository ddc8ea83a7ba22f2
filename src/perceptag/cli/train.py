"""``perceptag train``: from labelled files to a model."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from perceptag.cli.bar import Bar
from perceptag.cli.declare import Option
from perceptag.cli.input_files import (
    choose_label,
    naming_for_scoring,
    notes_on_dev,
    read_all,
    read_dev,
    refuse_same_file,
    refuse_single_label,
)
from perceptag.cli.lower_layers import open_layer, predict_layers
from perceptag.cli.options import AllowCode, FileOptions, Json, Quiet, RuleOptions, RulesIn, Threads
from perceptag.cli.streams import refuse_json_behind, write_json, write_nothing, write_stderr
from perceptag.cli.training_options import Classes, Gazetteers, RecipeOptions, Train, read_characters, refuse_columns
from perceptag.cli.training_run import Keeping, Run, Say, TrainingResult, before_first_pass, carry_out, checkpoint_of
from perceptag.errors import DataError, ModelError, SettingError
from perceptag.models import model_file as modelfile
from perceptag.models.model import Model
from perceptag.models.model_classes import check_continued
from perceptag.models.rules.ruled_model import check_labels
from perceptag.pipeline.installed import path_of
from perceptag.recipe import auto, recipe
from perceptag.recipe import recipe_files as files
from perceptag.recipe.recipe import TEXT, Recipe, uses
from perceptag.rules.feature_column import template_of, with_rule_column
from perceptag.rules.rules import Rules
from perceptag.system.cores import cores
from perceptag.system.interrupts import INTERRUPTED
from perceptag.system.output_files import followed
from perceptag.tagging.naming import format_of
from perceptag.text.format import FormatLike, Names
from perceptag.text.sentence import Sentence
from perceptag.training.checkpoint import files_of
from perceptag.training.fit import Code, Plan, make_plan, recipe_of
from perceptag.training.jackknife import FOLDS, LowerLayer
from perceptag.training.pass_table import PassTable
from perceptag.training.train import PassReport, Training
from perceptag.training.vote_weights import OpenVotes


def train_cli(
    train_file: Train,
    model: Annotated[str, Option("--model -m OUT", "Where to write the model.")],
    reading: FileOptions,
    chosen: RecipeOptions,
    rules: RuleOptions,
    from_: Annotated[str, Option("MODEL", "Continue from this model, with its recipe unless --recipe is given.")] = "",
    layers: Annotated[
        list[str] | None,
        Option(
            "--layer [NAME=]MODEL",
            "Replace a column by the predictions of this model, as in a pipeline; repeatable, in order.",
        ),
    ] = None,
    layer_folds: Annotated[int, Option("K", "Folds of the training data for --layer.", min=2, max=1000)] = FOLDS,
    dev_file: Annotated[str, Option("--dev FILE", "Held-out sentences to choose the best pass by.")] = "",
    no_dev: Annotated[bool, Option("--no-dev", "Train without dev data, without a note about it.")] = False,
    classes: Classes = "",
    gazetteers: Gazetteers = None,
    rule_file: RulesIn = "",
    epochs: Annotated[int | None, Option("N", "Number of passes; short for --set epochs=N.", min=1)] = None,
    seed: Annotated[int | None, Option("N", "Seed of the random numbers.", min=0, max=2**31 - 1)] = None,
    threads: Threads = 0,
    on: Annotated[
        str,
        Option(
            "ENGINE",
            "Read the files in parts and train on threads, processes, ray, ray:ADDRESS or ray://HOST:PORT; "
            "--train may be a pattern. It never changes the model.",
        ),
    ] = "",
    resume: Annotated[bool, Option("--resume", "Continue from OUT.checkpoint if it exists.")] = False,
    restart: Annotated[bool, Option("--restart", "Start again, and replace OUT.checkpoint if it exists.")] = False,
    overwrite: Annotated[
        bool, Option("--overwrite", "Replace an existing model without keeping it as OUT.bak.")
    ] = False,
    checkpoint_every: Annotated[
        int | None, Option("N", "Passes between checkpoints; 0: none. Default: at most 2 % of the time.", min=0)
    ] = None,
    allow_code: AllowCode = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Train a model.

    The labels are in the last column, or in the column that --label names. In CoNLL-U they are in upos, in xpos if upos
    is empty, or in misc (NER=B-PER) if both are. Exports of annotation tools, tables with a header and other files are
    recognised by their content; texts without tokens are cut by --tokenizer.

    Ctrl-C saves the best pass so far, once the first pass has ended. The same command with --resume continues the run;
    the model is that of an uninterrupted run, bit for bit. If an earlier run left a checkpoint, add --resume or
    --restart. A model that is replaced is kept as OUT.bak.

    --from starts a new run with the features, labels and weights of an earlier model; the new data may add to them.

    --classes and --gazetteer add features: word classes that 'perceptag classes' learned from plain text, and lists of
    phrases. The recipes auto, pos, chunk and ner have templates for them.

    --rules adds the spans that rules find as a column, and a template for it: the model learns what they are worth. To
    tag with the model, give the rules again, or put both into a pipeline. Rules for the column of the labels
    (`column` in the rule file) are not learned from: if they suggest labels without a weight, the best one on dev data
    is shown.

    --layer is for models that read the labels of another (jackknifing): the recipe of that model is trained on all
    folds of the training data but one, and its predictions on that one fill the column. On the dev data the model
    itself predicts.

    --on is for a recipe with shards (--set shards=64): data that do not fit into memory, or training on several
    machines. The same data, recipe and shards give the same model, bit for bit, with and without it.
    """
    if no_dev and dev_file:
        raise SettingError("--no-dev and --dev: give one of them, not both")
    for option in (o for o, given in (("--from", from_), ("--layer", layers), ("--rules", rule_file)) if on and given):
        raise SettingError(f"{option} and --on: give one of them, not both; {option} needs all sentences in memory")
    if on and reading.encoding not in ("", "auto"):
        raise SettingError("--encoding and --on: give one of them, not both; parts of files are read as UTF-8")
    if json_:
        refuse_json_behind("--model", model)
    if chosen.recipe_name:
        check_target(model, str(files.find(chosen.recipe_name)))
    start = modelfile.load(path_of(from_)) if from_ else None
    base = recipe_of(start) if start and not chosen.recipe_name else recipe.load(chosen.recipe_name or auto.NAME)
    found = Rules.load(rule_file) if rule_file else None
    changed = parse_settings(
        chosen.settings or [], epochs=epochs, seed=seed, add=chosen.added or None, classes=classes or None
    )
    if found and isinstance(changed.get("add"), str):
        raise SettingError("--rules and --set add: give one of them, not both; --add adds further templates")
    changed |= rules.settings()
    changed |= {"add_gazetteer": tuple(gazetteers)} if gazetteers else {}
    note = write_nothing if quiet else write_stderr
    if not dev_file and not no_dev:
        note("note: no --dev data to choose the best pass by")
    outcome = train(
        base,
        train_file,
        model,
        settings=changed,
        dev=dev_file or None,
        **reading.arguments,
        threads=cores(threads),
        on=on,
        workers=threads,
        start=(from_, start) if start else None,
        layers=[open_layer(word, allow_code=allow_code) for word in layers or []],
        folds=layer_folds,
        rules=found,
        keeping=Keeping(resume, restart, checkpoint_every, overwrite),
        allow_code=allow_code,
        note=note,
        run=lambda training: _passes(training, quiet),
    )
    if json_:
        write_json(outcome.to_dict())
    if outcome.interrupted:
        raise SystemExit(INTERRUPTED)


def train(
    recipe: Recipe,
    train: str,
    model: str,
    *,
    settings: Mapping[str, object] | None = None,
    dev: str | None = None,
    format: FormatLike = None,  # noqa: A002
    columns: Sequence[str] | None = None,
    label: str = "",
    threads: int = 1,
    on: str = "",
    workers: int = 0,
    start: tuple[str, Model] | None = None,
    layers: Sequence[LowerLayer] = (),
    folds: int = FOLDS,
    rules: Rules | None = None,
    keeping: Keeping = Keeping(),  # noqa: B008 - it never changes
    allow_code: bool = False,
    note: Say = write_nothing,
    run: Run = Training.run,
) -> TrainingResult:
    """Train by a recipe, changed by `settings`, on the file `train` and write `model`.

    An interrupt saves the best pass so far. `start` is the file of an earlier model and the model itself, to continue
    from; columns and labels keep the names that they have there. `on` names an engine, which has this many `workers`.
    """
    source, earlier = start or (None, None)
    # Settings are checked before any file is read.
    by: dict[str, Any] = {"code": Code(allowed=allow_code), "start": earlier, "threads": threads, "note": note}
    plan = make_plan(recipe, _with_template(settings, rules), **by)
    check_target(model, train, dev, source, *files_of(plan.recipe))
    if earlier and plan.settings.get("classes"):
        check_continued(earlier, plan.recipe.classes)
    keeping.check(model)
    if on:
        from perceptag.cli.train_on import SpreadFiles, train_on  # which few commands need

        _note_on_seed(plan.recipe, plan.settings, note)
        spread = SpreadFiles(on, workers, train, dev, format, columns, label)
        return train_on(spread, plan, model, keeping=keeping, run=run, describe=_summary)
    data = _read(plan, train, dev, format, columns, label)
    if layers:
        data = data.with_layers(layers, folds, threads, note)
    if rules:
        check_target(model, rules.file.path)
    votes = OpenVotes(rules, data.dev) if rules and rules.column == data.column else None
    if votes:
        plan = make_plan(recipe, settings, **by)
    elif rules:
        data = data.with_rules(rules)
    for line in notes_on_dev(data.train, data.dev or []):
        note(line)
    with _telling_interrupts(model, note):
        resolved = plan.resolve(data.train, data.column)
    check_target(model, *files_of(resolved.recipe))
    if resolved.choice is not None:
        note("\n  ".join([f"recipe: {resolved.recipe.name}, chosen by the data", *resolved.choice.reasons]))
    _note_on_seed(resolved.recipe, plan.settings, note)
    with _blaming(source), _telling_interrupts(model, note):
        training = plan.begin(resolved, data.train, data.dev, checkpoint=checkpoint_of(model) if keeping.resume else "")
    if layers:
        training.chosen["layers"] = [layer.facts(folds) for layer in layers]
    if rules:
        training.chosen["rules"] = {"name": rules.column, "sha256": rules.file.digest()}
    if rules and votes:
        check_labels(rules, training.task.label_set)
    for line in (*_summary(training), *training.task.notes):
        note(line)
    return carry_out(training, model, run, keeping=keeping, note=note, votes=votes)


class _Data(NamedTuple):
    """The sentences of a training command, and the column of the labels."""

    train: list[Sentence]
    dev: list[Sentence] | None
    column: str

    def with_layers(self, layers: Sequence[LowerLayer], folds: int, threads: int, note: Say) -> _Data:
        """The same with columns that lower models predict."""
        return _Data(*predict_layers(layers, self.train, self.dev, self.column, folds, threads, note), self.column)

    def with_rules(self, rules: Rules) -> _Data:
        """The same with the column of some rules."""
        train, dev = with_rule_column(rules, self.train, self.column), self.dev
        return _Data(train, with_rule_column(rules, dev, self.column) if dev else dev, self.column)


def _with_template(settings: Mapping[str, object] | None, rules: Rules | None) -> dict[str, object]:
    """The settings with the template of the column that rules give."""
    given = dict(settings or {})
    added = given.get("add")
    return (
        given | {"add": [*(added if isinstance(added, (list, tuple)) else []), template_of(rules)]} if rules else given
    )


def _read(
    plan: Plan, train: str, dev: str | None, format_: FormatLike, columns: Sequence[str] | None, label: str
) -> _Data:
    """Read the training file and the dev file. A model that training continues from names columns and labels."""
    if plan.recipe.unit == TEXT:
        refuse_columns(columns, label)
        characters = read_characters(train, format_, "training", plan.note)
        return _Data(characters, read_characters(dev, format_, "dev", plan.note) if dev else None, "")
    sentences = read_all(train, format_, columns or _naming(plan.start, train), "training")
    wanted = label or plan.recipe.labels_column or (plan.start.label_set.column if plan.start else "")
    column = choose_label(sentences, wanted, format_of(train, format_))
    refuse_single_label(sentences, column)
    heldout = read_dev(dev, format_, columns or _naming(plan.start, dev), sentences) if dev else None
    return _Data(sentences, heldout, column)


def _note_on_seed(recipe: Recipe, settings: Mapping[str, object], note: Say) -> None:
    if "seed" in settings and not _is_random(recipe):
        note("note: --seed has no effect: nothing is random in this recipe unless --set shuffle=true")


def _is_random(recipe: Recipe) -> bool:
    """Whether the seed changes the order of sentences, the first runs, or the phrases that a chunker sees."""
    has_runs = uses(recipe, "bpm") and recipe.own["bpm"] > 0
    hides_phrases = uses(recipe, "chunker.visible") and 0 < recipe.own["chunker.visible"] < 100
    return recipe.shuffle or has_runs or hides_phrases


def _naming(model: Model | None, source: str) -> Names | None:
    """Without --columns, the columns of the model that training continues from."""
    return None if model is None else naming_for_scoring(model.columns, source)


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


def parse_settings(settings: Sequence[str], **others: object) -> dict[str, object]:
    """The keys and values of ``key=value`` settings, and of others that are not None."""
    changed: dict[str, object] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not key.strip():
            raise SettingError(f"--set: expected KEY=VALUE, found {setting!r}")
        changed[key.strip()] = value.strip()
    for key in (key for key, value in others.items() if value is not None and key in changed):
        raise SettingError(f"--{key} and --set {key}: give one of them, not both")
    return changed | {key: value for key, value in others.items() if value is not None}


def check_target(path: str, *inputs: str | None, option: str = "--model") -> None:
    """Refuse at once a path that cannot be written, or that is one of the inputs: training may take hours."""
    target = Path(path)
    if path == "-":
        return
    for output in (path, checkpoint_of(path)):
        refuse_same_file(option, output, inputs)
    if target.is_dir():
        raise DataError("cannot write: Is a directory", where=path)
    folder = followed(path).parent
    if not folder.is_dir():
        raise DataError(f"cannot write: there is no folder {str(folder)!r}", where=path)
    if not os.access(target if target.exists() else folder, os.W_OK):
        raise DataError("cannot write: Permission denied", where=path)


def _summary(training: Training) -> list[str]:
    task = training.task
    labels = f"{len(task.label_set.names)} labels from column {task.label_set.column!r}"
    inside = "" if task.label_set.inner == task.label_set.outer else f", {task.label_set.inner} inside the model"
    scheme = "" if task.label_set.outer == "none" else f", {task.label_set.outer}{inside}"
    tokens = "characters" if task.recipe.unit == TEXT else "tokens"
    sizes = [f"train: {task.sentences} sentences, {task.tokens} {tokens}"]
    if task.dev is not None:
        sizes.append(f"dev: {len(task.dev)} sentences, {sum(map(len, task.dev))} {tokens}")
    return ["; ".join([*sizes, labels + scheme])]


def _passes(training: Training, quiet: bool) -> Iterator[PassReport]:
    """Run all passes and show each; the caller gets the reports."""
    if quiet:
        yield from training.run()
        return
    table = PassTable(training)
    write_stderr(table.head())
    for report in training.reported:
        write_stderr(table.line(report))
    with Bar("training", table.epochs, "passes", done=len(training.reported)) as bar:
        for report in training.run():
            bar.advance()
            write_stderr(table.line(report))
            yield report
