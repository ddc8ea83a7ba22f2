"""Open or create a project as the command line asks for it, with the model that it starts from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from perceptag.errors import AlreadyImportedError, DataError, ModelError, SettingError
from perceptag.foreign.file_hints import can_be_read_twice, explained, head_of, looks_like
from perceptag.foreign.intake import recognise, recognise_bytes
from perceptag.foreign.label_column import choose_label
from perceptag.foreign.read_export import TOOLS
from perceptag.labels.schemes import detect_scheme
from perceptag.models.model_classes import read_known
from perceptag.models.protocol import ReadyModel
from perceptag.pipeline.installed import installed
from perceptag.pipeline.loading import load
from perceptag.pipeline.pipeline import Pipeline
from perceptag.project.project import Project
from perceptag.project.records import Imported
from perceptag.project.source_files import TEXT, is_text
from perceptag.recipe.recipe import Recipe
from perceptag.recipe.recipe import load as load_recipe
from perceptag.server.served import written_labels
from perceptag.system.given_file import facts_of
from perceptag.text.columns import read_columns
from perceptag.text.formats import choose, stream
from perceptag.text.sentence import Sentence
from perceptag.workbench.learning.messages import COLUMN, MISSING, Setup, Text
from perceptag.workbench.learning.recipes import START, Start, loop_recipe, usable_columns
from perceptag.workbench.rule_proposals import rules_of

ENGLISH = "en"  # the installed model whose tokeniser cuts text, if none is named
LOOKED_AT = 1_000  # sentences that show which columns a model can use
SETTINGS = ("start", "classes", "recipe", "rules")


def open_start(name: str, kind: str) -> Pipeline:
    """Load a model by ``en`` or ``en:ner``: a name or a file, and perhaps the layer to end with."""
    try:
        return Start.load(name, kind).pipeline
    except (SettingError, ModelError) as error:
        told = str(error).removeprefix(f"{name}: ")
        raise SettingError(f"--model {name}: {told}") from None


def on_top_of(start: Pipeline | None, ready: ReadyModel) -> Pipeline:
    """Return the loop's model as a pipeline: on top of the model that it reads a column of, if there is one.

    Where it also reads columns of the files, which running text lacks, the pipeline has no tokeniser.
    """
    if start is None or START not in ready.input_columns():
        return Pipeline({COLUMN: ready})
    below = {layer.name: layer.ready for layer in start.layers[:-1]}
    takes_text = {"form", START, *below}.issuperset(ready.input_columns())
    named = {"tokens": start.tokenizer} if start.tokenizer is not None and takes_text else {}
    return Pipeline({**named, **below, START: start.top.ready, COLUMN: ready})


def fitting(start: Pipeline, kind: str, known: Collection[str]) -> frozenset[str] | None:
    """Return the labels of a project that a model may propose; None if its labels are of another kind."""
    labels = set(written_labels(start.top.ready.model.label_set))
    if (start.top.scheme == "none") != (kind == "tags"):
        return None
    if kind == "tags":
        return frozenset(known) if labels <= set(known) else None
    types = {label[2:] for label in labels if label != "O"} & set(known)
    return frozenset(types) if types else None


@dataclass(frozen=True, slots=True)
class ProjectRequest:
    """What the command line asks for."""

    path: str
    imports: Sequence[str] = ()
    spans: Sequence[str] = ()
    tags: Sequence[str] = ()
    columns: Sequence[str] | None = None
    label: str = ""
    format: str = ""
    comment: str = ""
    settings: dict[str, str] = field(default_factory=dict)


def open_project(wanted: ProjectRequest, tell: Callable[[str], object], *, must_exist: bool = False) -> Project:
    """Open a project, or begin a new one; take the files that are to be imported."""
    if wanted.spans and wanted.tags:
        raise SettingError("--labels and --tags: expected one of them, since a project marks spans or tags words")
    is_new = not Path(wanted.path).exists() and not must_exist
    wanted, project = _begin(wanted) if is_new else (wanted, Project.open(wanted.path))
    try:
        check_settings(wanted.settings, project.kind)
        _prepare(project, wanted, tell)
    except BaseException:
        (project.abandon if is_new else project.close)()
        raise
    return project


def check_settings(settings: dict[str, Any], kind: str) -> None:
    """Refuse a model, classes, a recipe or rules that cannot be used."""
    if settings.get("start"):
        open_start(settings["start"], kind)
    if settings.get("classes"):
        read_known(settings["classes"])
    if settings.get("rules"):
        rules_of(settings["rules"], kind)
    recipe_for(kind, (), settings)


def _in_any_folder(word: str) -> str:
    """Return what names a file from every folder, if there is such a file; else the word, such as a model's name."""
    return str(Path(word).resolve()) if Path(word).is_file() else word


def _begin(wanted: ProjectRequest) -> tuple[ProjectRequest, Project]:
    """Begin a project; if no labels are named, its first file tells their kind and their column."""
    kind = "spans" if wanted.spans else "tags" if wanted.tags else ""
    if not kind:
        kind, column = _labels_in_first_file(wanted)
        wanted = replace(wanted, label=column)
    labels = wanted.spans or wanted.tags
    return wanted, Project.create(wanted.path, kind=kind, labels=labels, column=wanted.label or COLUMN)


def _labels_in_first_file(wanted: ProjectRequest) -> tuple[str, str]:
    """Return what the labels of the first file are, and their column: that of --label, or the one `train` takes."""
    if wanted.imports and not wanted.format and wanted.columns is None and _is_foreign(wanted.imports[0]):
        return "spans", wanted.label
    sentences = _first_sentences(wanted)
    if sentences and len(sentences[0].columns) > 1:
        column = choose_label(sentences, wanted.label, choose(wanted.format or None, wanted.imports[0]))
        values = [sentence.columns.get(column, []) for sentence in sentences]
        if any(value != MISSING for some in values for value in some):
            return ("tags" if detect_scheme(values) == "none" else "spans"), column
    raise SettingError(
        f"{wanted.path}: expected --labels (types of spans) or --tags (of words) for a new project, "
        "or --import of a file with labels"
    )


def _first_sentences(wanted: ProjectRequest) -> list[Sentence]:
    """Read the beginning of the first file; a text has no labels, so nothing is read of it."""
    if not wanted.imports or _is_text(wanted.imports[0], wanted):
        return []
    path, columns = wanted.imports[0], list(wanted.columns) if wanted.columns is not None else None
    try:
        found = (
            read_columns(path, columns, comment=wanted.comment)
            if wanted.comment
            else stream(path, wanted.format or None, columns=columns)
        )
        return [s for s in islice(found, LOOKED_AT) if len(s)]
    except DataError as error:
        hint = "" if wanted.format or wanted.columns else looks_like(path)
        raise explained(error, hint) from None


def _prepare(project: Project, wanted: ProjectRequest, tell: Callable[[str], object]) -> None:
    if (wanted.spans and project.kind != "spans") or (wanted.tags and project.kind != "tags"):
        raise SettingError(f"{wanted.path}: expected labels of a project for {project.kind}, found the other kind")
    for name in [*wanted.spans, *wanted.tags]:
        project.add_label(name)
    for name in SETTINGS:
        if wanted.settings.get(name):
            project.set_setting(name, _in_any_folder(wanted.settings[name]))
    for path in wanted.imports:
        try:
            found = import_into(project, path, wanted)
        except AlreadyImportedError:  # the same command a second time, as a service that starts again gives it
            tell(f"{path}: in the project already, so it is not imported again")
            continue
        ending = "" if found.sentences == 1 else "s"
        tell(f"{path}: {found.sentences} sentence{ending}, {found.labelled} of them labelled")
        for note in found.notes:
            tell(note if note.startswith(path) else f"{path}: {note}")


def import_into(
    project: Project, source: str | bytes, wanted: ProjectRequest, *, name: str = "", again: bool = False, who: str = ""
) -> Imported:
    """Import a file, or its bytes."""
    named = facts_of(source).tokenizer
    is_foreign = wanted.format in TOOLS or (not wanted.format and _is_foreign(source, name))
    needs_tokens = is_foreign or _is_text(source, wanted, name)
    return project.import_file(
        source,
        name=name,
        format=wanted.format or None,
        columns=list(wanted.columns) if wanted.columns is not None else None,
        label=wanted.label or None,
        comment=wanted.comment,
        tokenizer=load(named) if named else text_cutter(project) if needs_tokens else None,
        again=again,
        who=who,
    )


def _is_foreign(source: str | bytes, name: str = "") -> bool:
    """Return whether this is of another tool, whose texts may have no tokens."""
    found = recognise_bytes(source, name) if isinstance(source, bytes) else recognise(source)
    return found is not None


def _is_text(source: str | bytes, wanted: ProjectRequest, name: str = "") -> bool:
    """Return whether this is running text, by its format or by its content."""
    if wanted.format == TEXT:
        return True
    head = source if isinstance(source, bytes) else head_of(source) if can_be_read_twice(source) else b""
    return is_text(head, name or str(source), wanted.format, wanted.columns)


def text_cutter(project: Project) -> Pipeline | None:
    """Return what cuts text into tokens: the model that the project began with, or else the English one."""
    name = project.settings.get("start")
    if name and (found := open_start(name, project.kind)).tokenizer is not None:
        return found
    return load(ENGLISH) if ENGLISH in {one.name for one in installed()} else None


# --- how the loop learns ---


def recipe_for(kind: str, columns: Sequence[str], settings: dict[str, Any]) -> Recipe:
    """Return the recipe of the loop."""
    if settings.get("recipe"):
        return load_recipe(settings["recipe"]).replace({"labels.column": COLUMN})
    return loop_recipe(kind, columns, settings.get("classes") or "")


def setup_of(project: Project) -> Setup:
    """Return what the learner needs to know. Which columns it looks at is decided once, and kept."""
    settings = project.settings
    if "columns" not in settings and (entries := project.find(0, LOOKED_AT)[1]):
        found = usable_columns([Text(one.id, one.tokens, one.columns).sentence() for one in entries])
        project.set_setting("columns", found)
    columns, start = list(project.settings.get("columns", [])), settings.get("start") or ""
    recipe = recipe_for(project.kind, [*columns, *([START] if start else [])], settings)
    return Setup(project.kind, recipe, seed=0, start=start, columns=tuple(columns))


def start_of(project: Project) -> Pipeline | None:
    """Return the model that the project began with."""
    name = project.settings.get("start")
    return open_start(name, project.kind) if name else None
