"""``perceptag tune``: random search over the ranges that a recipe declares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

from perceptag._version import __version__
from perceptag.cli.bar import Bar
from perceptag.cli.declare import Option
from perceptag.cli.input_files import notes_on_dev, read_all, read_dev
from perceptag.cli.options import AllowCode, Json, LabelledColumns, On, Overwrite, Quiet
from perceptag.cli.streams import write_json, write_nothing, write_stderr, write_stdout, write_text
from perceptag.cli.table import Table, render
from perceptag.cli.training_options import (
    Dev,
    Jobs,
    RecipeOptions,
    Train,
    jobs_on,
    parse_settings,
    read_characters,
    refuse_columns,
)
from perceptag.cli.training_run import Say
from perceptag.errors import SettingError, brief
from perceptag.foreign.label_column import choose_label
from perceptag.recipe import auto, recipe
from perceptag.recipe.common_settings import TEXT
from perceptag.recipe.recipe import Recipe
from perceptag.recipe.span_conflicts import with_settings
from perceptag.recipe.toml_writer import to_toml
from perceptag.system import plot
from perceptag.system.file_kinds import JSON_LINES, PLOT, RECIPE
from perceptag.system.journal import Journal
from perceptag.system.plural import plural
from perceptag.system.replacing import check_output
from perceptag.tagging.naming import format_of
from perceptag.text.documents import digest
from perceptag.text.sentence import Sentence
from perceptag.training.checkpoint import files_of
from perceptag.training.fit import Code, make_plan
from perceptag.trials.random_search import MAX_TRIALS, Factor, Settings, draw, load_space, possible, what_mattered
from perceptag.trials.runs import run_trials


def tune_cli(
    train_file: Train,
    dev_file: Dev,
    reading: LabelledColumns,
    chosen: RecipeOptions,
    trials: Annotated[
        int, Option("N", "Number of trials, including the unchanged recipe.", min=1, max=MAX_TRIALS)
    ] = 20,
    out: Annotated[str, Option("--output -o OUT.toml", "Where to write the best recipe.")] = "tuned.toml",
    seed: Annotated[int, Option("N", "Seed of the random settings.", min=0, max=2**31 - 1)] = 0,
    jobs: Jobs = 0,
    on: On = "",
    overwrite: Overwrite = False,
    allow_code: AllowCode = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Search for better settings.

    Random search: trains with settings drawn from the recipe's table [tune], and keeps those that score best on the
    dev data. Writes the best recipe to OUT.toml, a plot of what mattered to OUT.svg, and every finished trial to
    OUT.journal: an interrupted search continues where it stopped.
    """
    inputs = [train_file, dev_file, chosen.recipe_name]
    check_outputs(out, inputs, overwrite)
    data = read_pair(train_file, dev_file, reading, chosen)
    space, left_out = possible(data.space, data.recipe, data.train, data.recipe.labels_column)
    data = replace(data, space=space)
    note = write_nothing if quiet else write_stderr
    for line in (*data.notes, *left_out):
        note(line)
    found = tune(
        data, trials=trials, seed=seed, out=out, jobs=jobs_on(on, jobs), on=on, allow_code=allow_code, note=note
    )
    write_json(found.to_dict()) if json_ else write_stdout(found.render())


def check_outputs(out: str, inputs: Sequence[str], overwrite: bool) -> None:
    """Refuse a name of the recipe to write by which it, or a file beside it, would replace what is not its kind."""
    if Path(out).suffix != ".toml":
        raise SettingError(f"--output: expected a name that ends in .toml, found {out!r}")
    for ending, kind in {".toml": RECIPE, ".svg": PLOT, ".journal": JSON_LINES}.items():
        check_output("--output", str(Path(out).with_suffix(ending)), kind, inputs, overwrite=overwrite)


@dataclass(frozen=True, slots=True)
class Pair:
    """Training and dev data, and the recipe to start from."""

    recipe: Recipe
    space: dict[str, list[Any]]
    train: list[Sentence]
    dev: list[Sentence]
    notes: list[str]


def read_pair(train: str, dev: str, reading: LabelledColumns, named: RecipeOptions) -> Pair:
    """Read both files and find the recipe: the named one, or what ``auto`` chooses, with the user's settings."""
    name, format_, columns, label = named.recipe_name or auto.NAME, reading.format, reading.names, reading.label
    settings = parse_settings(named.settings or [])
    plan = make_plan(recipe.load(name), settings, code=Code(imports_learner=False))
    if plan.recipe.unit == TEXT:
        refuse_columns(columns, label)
        sentences, heldout = (read_characters([f], format_, f, write_nothing) for f in (train, dev))
        column = ""
    else:
        sentences = read_all(train, format_, columns, "training")
        column = choose_label(sentences, label or plan.recipe.labels_column, format_of(train, format_))
        heldout = read_dev(dev, format_, columns, sentences, column)
    resolved = plan.resolve(sentences, column)
    chosen, choice = resolved.recipe, resolved.choice
    notes = notes_on_dev(sentences, heldout, column)
    notes += ["\n  ".join([f"recipe: {chosen.name}, chosen by the data", *choice.reasons])] if choice else []
    space = load_space(choice.recipe.name if choice else name, chosen)
    fixed = [key.replace("_", ".") for key in settings]  # what the user has set is not varied
    varied = {key: values for key, values in space.items() if key.replace("_", ".") not in fixed}
    return Pair(chosen, varied, sentences, heldout, notes)


@dataclass(frozen=True, slots=True)
class Tuned:
    """The result of a search: every trial, the best one first, and which settings mattered."""

    out: str
    trials: list[dict[str, Any]]
    factors: list[Factor]

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return {"recipe": self.out, "trials": self.trials, "what_mattered": [asdict(f) for f in self.factors]}

    def render(self) -> str:
        """As tables."""
        trials = Table(["trial", "dev", "pass", "settings"], numbers=(0, 1, 2))
        for t in self.trials:
            trials.add(str(t["trial"]), f"{t['score']:.2f}", str(t["epoch"]), t["error"] or _told(t["settings"]))
        mattered = Table(["setting", "spread", "mean dev score by value (trials)"], numbers=(1,))
        for f in self.factors:
            levels = "  ".join(f"{level.value}: {level.mean:.2f} ({level.trials})" for level in f.levels)
            mattered.add(f.key, f"{f.spread:.2f}", levels)
        return f"{render(trials, 'trials')}\n{render(mattered, 'what mattered')}\nsaved {self.out}"


def _told(settings: Settings) -> str:
    return " ".join(f"{k}={','.join(v) if isinstance(v, list) else v}" for k, v in settings.items()) or "the recipe"


def tune(
    data: Pair,
    *,
    trials: int,
    seed: int,
    out: str,
    jobs: int = 1,
    on: str = "",
    allow_code: bool = False,
    note: Say = write_nothing,
) -> Tuned:
    """Run the trials that the journal does not have yet; write the winner, the plot and the journal."""
    drawn = draw(data.space, trials, seed)
    journal = Journal(str(Path(out).with_suffix(".journal")), work_of(data, tune=data.space, seed=seed))
    done = {entry["trial"]: entry for entry in journal.open(lambda entry: _fault(entry, drawn))}
    if done:
        note(f"{journal.path}: already done: {plural(len(done), 'trial')}")
    rest = {i: with_settings(data.recipe, settings) for i, settings in enumerate(drawn) if i not in done}
    running = run_trials(rest, data.train, data.dev, jobs, on=on, allow_code=allow_code)
    with Bar("trials", len(drawn), done=len(done)) as bar:
        for number, trial in running:
            entry = {"trial": number, "settings": drawn[number], "score": trial.score, "epoch": trial.epoch}
            journal.add(entry | {"error": trial.error})
            done[number] = entry | {"error": trial.error}
            bar.advance()
            note(f"trial {number}: {trial.error or f'{trial.score:.2f}'}  {_told(drawn[number])}")
    ranked = sorted((done[i] for i in range(len(drawn))), key=lambda t: (-t["score"], t["trial"]))
    if ranked[0]["error"]:
        raise SettingError(f"no trial could be trained: {ranked[0]['error']}")
    factors = what_mattered(data.space, [(t["settings"], t["score"]) for t in ranked if not t["error"]])
    write_text(out, _winner(data.recipe, ranked))
    write_text(str(Path(out).with_suffix(".svg")), draw_factors(factors))
    return Tuned(out, ranked, factors)


def _fault(entry: dict[str, Any], drawn: Sequence[Settings]) -> str:
    """Why a line of the journal cannot be the result of a trial; empty if it can."""
    kinds = {"trial": int, "settings": dict, "score": float, "epoch": int, "error": str}
    for key, kind in kinds.items():
        if type(entry.get(key)) is not kind:
            return f"{key}: expected {kind.__name__}, found {brief(entry.get(key))}"
    if not 0 <= entry["score"] <= 100:  # refuses NaN too, which Python's JSON reads
        return f"score: expected a number from 0 to 100, found {entry['score']}"
    number = entry["trial"]
    if number < 0 or (number < len(drawn) and entry["settings"] != drawn[number]):
        return f"trial {number}: expected the settings that were drawn for it, found {brief(entry['settings'])}"
    return ""


def work_of(data: Pair, **more: object) -> dict[str, Any]:
    """Return all that trials depend on, and `more`: a journal is continued only for the same work."""
    settings = {k: v for k, v in data.recipe.to_dict().items() if k not in ("description", "citation")}
    files = [path for path in files_of(data.recipe) if Path(path).is_file()]
    return {
        "perceptag": __version__,
        "recipe": settings,
        **more,
        "train": digest(data.train),
        "dev": digest(data.dev),
        **({"files": {path: sha256(Path(path).read_bytes()).hexdigest() for path in files}} if files else {}),
    }


def _winner(base: Recipe, ranked: Sequence[dict[str, Any]]) -> str:
    """The recipe of the best trial, with what it changed."""
    best = ranked[0]
    before = base.to_dict()
    start = next(t["score"] for t in ranked if t["trial"] == 0)
    changed = {k: f"was {before.get(k)}" for k, v in best["settings"].items() if k != "without" and before.get(k) != v}
    left_out = best["settings"].get("without")
    head = [
        f"{base.name or 'a recipe'} with the settings of the best of {plural(len(ranked), 'trial')}: "
        f"{best['score']:.2f} on dev,",
        f"where the recipe as it was gives {start:.2f}. The labels are in a column of any name (--label).",
        *([f"Left out: the templates {', '.join(left_out)}."] if left_out else []),
    ]
    chosen = with_settings(base, {**best["settings"], "labels.column": ""})
    return to_toml(chosen, changed, head)


def draw_factors(factors: Sequence[Factor]) -> str:
    """A plot of what mattered: for each value of a setting, how far its trials are from the mean of all trials."""
    bars = [
        (f"{f.key} = {level.value}" if not f.key.startswith("group ") else f"{f.key} {level.value}", level.mean - mean)
        for f in factors
        for mean in [sum(x.mean * x.trials for x in f.levels) / max(1, sum(x.trials for x in f.levels))]
        for level in f.levels
    ]
    title = "What mattered: mean dev score of the trials with a value, against all trials"
    return plot.bars([name for name, _ in bars], [value for _, value in bars], title=title, x="points")
