"""Choose a recipe by the data, and give the reasons.

    labels are not spans ─────────────────────────────▶ pos      tags of tokens
    spans cover much of the text ─────────────────────▶ chunk    phrases
    spans are few and far between ────────────────────▶ ner      names, with features of whole documents
    lists of features in place of words ──────────────▶ pos or chunk, with these features

Then the recipe is adapted to the columns (which one holds the part of speech?) and to the size of the data: with a lot
of data, training must end in reasonable time and fit into memory.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from perceptag.errors import DataError, SettingError
from perceptag.features import gazetteer
from perceptag.features.attributes import is_known
from perceptag.features.document_columns import COLUMNS as DOCUMENT_COLUMNS
from perceptag.features.groups import Strings, join, split
from perceptag.features.template import expand, is_name
from perceptag.features.template_checks import rename_column
from perceptag.labels.label_set import label_column
from perceptag.labels.partial import complete_runs
from perceptag.learn import catalogue
from perceptag.learn.learner import Learner
from perceptag.recipe.recipe import FOR_TEMPLATES, Recipe, check_used, load, uses
from perceptag.recipe.span_conflicts import TRANSITIONS, with_settings
from perceptag.recipe.survey import AFTER, CHUNKS, OPEN, TAGS, Survey, survey
from perceptag.system.plural import plural
from perceptag.text import feature_lists
from perceptag.text.conllu import CONLLU_COLUMNS
from perceptag.text.sentence import Sentence

NAME = "auto"
MOSTLY_OUTSIDE = 0.6  # share of tokens outside spans: 44 % for noun phrases (CoNLL-2000), 83 % for names (CoNLL-2003)
LARGE, HUGE = 1_000_000, 20_000_000  # tokens
LONGEST = 1000  # the largest average number of sentences in a document
COSTLY = ("pairs", "long-affixes", "endings", "five-pos", "document")  # groups that are left out for huge data
POS_NAMES = ("pos", "tag", "postag", "pos_tag", "xpos", "upos")
CHUNK_NAMES = ("chunk", "chunks")


@dataclass(frozen=True, slots=True)
class RecipeChoice:
    """A recipe and the reasons for it, one sentence each."""

    recipe: Recipe
    reasons: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the choice for the manifest of a model."""
        return {"recipe": self.recipe.name, "reasons": list(self.reasons)}


def fitted(
    wanted: Recipe, settings: Mapping[str, object], sentences: Sequence[Sentence]
) -> tuple[Recipe, RecipeChoice | None]:
    """Return a recipe that has the user's settings (`changed`); for ``auto``, the one that fits the data, with them."""
    if wanted.name != NAME or not any(map(len, sentences)):
        return wanted, None
    has_lists = feature_lists.are_in(sentences)
    if not has_lists:
        check_words(sentences)
    column, missing = label_column(sentences, wanted.labels_column), wanted.labels_missing
    labelled = complete_runs(sentences, column, missing) if missing else sentences
    seen = survey(labelled, column, wanted.labels_keep)
    return fitted_to(seen, settings, _choose_for_lists(seen, sentences) if has_lists else None)


def fitted_to(
    seen: Survey, settings: Mapping[str, object], choice: RecipeChoice | None = None
) -> tuple[Recipe, RecipeChoice]:
    """Return the recipe that fits surveyed data, with the user's settings."""
    choice = choice or choose(seen, settings)
    chosen = with_settings(choice.recipe, settings)
    check_used(chosen, settings)
    return chosen, choice


def check_words(sentences: Sequence[Sentence]) -> None:
    """Refuse data without words, in terms of the data: the user of ``auto`` has written no template."""
    for sentence in sentences:
        if len(sentence) and "form" not in sentence.columns:
            found = ", ".join(sentence.columns)
            raise DataError(f"expected a column called form, which holds the words, found {found}", sentence.where())


def changed(recipe: Recipe, settings: Mapping[str, object]) -> Recipe:
    """Return the recipe with the user's settings, as far as they can be checked before the data is known."""
    known = {key: value for key, value in settings.items() if recipe.name != NAME or key not in FOR_TEMPLATES}
    wanted = with_settings(recipe, known)
    if recipe.name != NAME:
        check_used(wanted, known)
    return wanted


def choose(seen: Survey, settings: Mapping[str, object] | None = None) -> RecipeChoice:
    """Choose a recipe by a survey of the data. `settings` are the user's own, which will override it."""
    reasons: list[str] = []
    recipe = _spelt_out(_task(seen, reasons), seen)
    recipe = _columns(recipe, seen, _added(settings), reasons)
    if _has_nonlocal_features(recipe.learner):
        recipe = _documents(recipe, seen, (settings or {}).get("learner", ""), reasons)
    return RecipeChoice(_size(recipe, seen, reasons), tuple(reasons))


def _choose_for_lists(seen: Survey, sentences: Sequence[Sentence]) -> RecipeChoice:
    """Choose a recipe for data with lists of features. They say all that there is to say about a token."""
    has_spans = seen.scheme != "none"
    reasons = [f"the tokens have lists of features; the labels are {'spans' if has_spans else 'no spans'}"]
    recipe = for_lists(load("chunk" if has_spans else "pos"), feature_lists.have_amounts(sentences))
    return RecipeChoice(_size(recipe, seen, reasons), tuple(reasons))


def _task(seen: Survey, reasons: list[str]) -> Recipe:
    if seen.scheme == "none":
        reasons.append(f"the labels, {_count(seen.labels, 'different one')}, are not spans: each is a token's own")
        return load("pos")
    share = f"{100 * seen.outside:.0f} % of the tokens are outside"
    kinds = f"spans of {_count(len(seen.types), 'type')} in {seen.scheme}"
    name = "ner" if seen.outside > MOSTLY_OUTSIDE else "chunk"
    reasons.append(f"{kinds}, and {share}, as with {'names' if name == 'ner' else 'phrases'}")
    return load(name)


# --- columns ---


def _added(settings: Mapping[str, object] | None) -> set[str]:
    """Return the templates that the user adds, such as those of the column of rules, written out."""
    given = (settings or {}).get("add")
    listed = given if isinstance(given, (list, tuple)) else [given]
    return {one for text in listed if isinstance(text, str) for one in expand(text)}


def _columns(recipe: Recipe, seen: Survey, added: Collection[str], reasons: list[str]) -> Recipe:
    """Let the templates use the columns with parts of speech and chunks, and further columns that hold tags."""
    usable = {} if _is_conllu(seen) and recipe.name == "pos" else dict(seen.columns)
    roles = {}
    for role, names, kind in (("pos", POS_NAMES, TAGS), ("chunk", CHUNK_NAMES, CHUNKS)):
        found = _find(names, kind, usable) if role in recipe.optional else ""
        if found:
            roles[role] = found
            del usable[found]
            if found != role:
                reasons.append(f"column {found!r} is taken for {'parts of speech' if role == 'pos' else 'chunks'}")
    recipe = _rename(recipe, roles)
    if _is_conllu(seen):
        return recipe
    ignored = {c: _why_not(c, kind, seen) for c, kind in usable.items()}
    further = [c for c, why in ignored.items() if not why]
    if further:
        reasons.append(f"further columns with few values are looked at too: {', '.join(further)}")
    reasons += [f"column {c!r} is not looked at: {why}" for c, why in ignored.items() if why]
    return _look_at(recipe, further, added)


def _why_not(column: str, kind: str, seen: Survey) -> str:
    """Why no template looks at a column; empty: templates can."""
    if kind in (OPEN, AFTER):
        return "it has too many values" if kind == OPEN else "it stands after the labels"
    if column in (*DOCUMENT_COLUMNS, *gazetteer.COLUMNS):
        return "perceptag computes a column of that name"
    return (
        ""
        if is_name(column, seen.columns)
        else "its name cannot be written in a template; a name of letters and digits can"
    )


def _is_conllu(seen: Survey) -> bool:
    """Return whether the data is CoNLL-U. Its columns are annotation, which new text does not have."""
    return len(set(CONLLU_COLUMNS) & set(seen.columns)) > len(CONLLU_COLUMNS) / 2


def _find(names: Sequence[str], kind: str, columns: Mapping[str, str]) -> str:
    """Return the column that has one of these names, or else the first unnamed one of this kind."""
    for name in names:
        if name in columns:
            return name
    return next((c for c, found in columns.items() if found == kind and c[:1] == "c" and c[1:].isdecimal()), "")


def _spelt_out(recipe: Recipe, seen: Survey) -> Recipe:
    """Return the recipe with ``form.lower`` for ``lower`` where a column of the data has the name of that attribute."""
    names = {c: f"form.{c}" for c in seen.columns if is_known(c)}
    if not names:
        return recipe
    parts = split(recipe.templates, recipe.groups)
    written = {g: _written_out(some, names) for g, some in parts.items()}
    found = _with_templates(recipe, written, _written_out(recipe.class_templates, names))
    return found.replace({"spans.templates": [rename_column(t, names) for t in recipe.spans_templates]})


def _written_out(templates: Strings, names: Mapping[str, str]) -> list[str]:
    return [rename_column(one, names) for template in templates for one in expand(template)]


def _with_templates(recipe: Recipe, parts: Mapping[str, Sequence[str]], for_classes: Sequence[str]) -> Recipe:
    """Return the recipe with other templates, and others for word classes."""
    templates, groups = join(parts)
    return recipe.replace({"templates": templates, "groups": groups, "class_templates": list(for_classes)})


def _rename(recipe: Recipe, roles: Mapping[str, str]) -> Recipe:
    """Return the recipe with its columns renamed to those of the data."""
    parts, further = split(recipe.templates, recipe.groups), recipe.class_templates
    renamed = {group: [rename_column(t, roles) for t in some] for group, some in parts.items()}
    optional = [roles.get(column, column) for column in recipe.optional]
    found = _with_templates(recipe, renamed, [rename_column(t, roles) for t in further])
    return found.replace({"optional": optional})


def _look_at(recipe: Recipe, columns: Sequence[str], added: Collection[str] = ()) -> Recipe:
    """Return the recipe with a group of templates for further columns, without those that the user adds."""
    if not columns:
        return recipe
    parts = split(recipe.templates, recipe.groups)
    window = [t for c in columns for t in (f"{c}[-2..2]", f"{c}[-1] {c}[0]", f"{c}[0] {c}[1]", f"form[0] {c}[0]")]
    if any(set(expand(t)) & set(added) for t in window):  # else they stay in their short form
        window = [one for t in window for one in expand(t) if one not in added]
    return _with_templates(recipe, {"columns": window, **parts}, recipe.class_templates)


# --- documents and size ---


def _has_nonlocal_features(learner: object) -> bool:
    known = learner if isinstance(learner, Learner) else catalogue().get(str(learner))
    return known is not None and any(setting.key == "nonlocal.features" for setting in known.settings)


def _documents(recipe: Recipe, seen: Survey, learner: object, reasons: list[str]) -> Recipe:
    """Keep non-local features unless documents are too long. Without marks, each sentence is a document."""
    if learner and not _has_nonlocal_features(learner):
        why = f"learner {getattr(learner, 'name', learner)!r} was asked for"
    elif seen.documents == 1:
        why = "all of the data is one document"
    elif seen.sentences > LONGEST * seen.documents > 0:
        why = f"the documents have {plural(seen.sentences // seen.documents, 'sentence')} on average"
    elif seen.tokens > LARGE:
        why = f"{seen.tokens} tokens are many"
    else:
        marked = f"{seen.documents} are marked" if seen.documents else "none is marked, so each sentence is one"
        reasons.append(f"features of whole documents; {marked}")
        return recipe
    reasons.append(f"no features of whole documents: {why}")
    return recipe.replace({"learner": "margin", "nonlocal.features": ()})


def _size(recipe: Recipe, seen: Survey, reasons: list[str]) -> Recipe:
    """Fewer passes and smaller models for much data."""
    if seen.tokens <= LARGE:
        return recipe
    settings: dict[str, object] = {"support": "gold", "cutoff": 2, "epochs": min(recipe.epochs, 8)}
    if uses(recipe, "dropout"):
        settings["dropout"] = 0  # it takes memory, and helps with less data
    if recipe.spans_longest:
        settings["spans.longest"] = 0  # the same, and shards do not go with it
    if _mixes(recipe):
        settings["shards"] = 0  # `settle_shards` finds their number
    if seen.tokens > HUGE:
        costly = [g for g in split(recipe.templates, recipe.groups) if g in COSTLY]
        settings |= {"cutoff": 3, "epochs": 5, "learner": "perceptron", "without": costly}
    changed = ", ".join(f"{key}={','.join(v) if isinstance(v, list) else v}" for key, v in settings.items() if v)
    reasons.append(f"{seen.tokens} tokens: {changed}")
    return recipe.replace(settings)


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def for_lists(recipe: Recipe, has_numbers: bool) -> Recipe:
    """Return the recipe with templates that look at every feature of a token, and at nothing else."""
    # With every feature and its label: the features of CRFsuite.
    templates = (f"{feature_lists.COLUMN}.{'valued' if has_numbers else 'each'}[0]", TRANSITIONS)
    return recipe.replace({"templates": templates, "optional": (), "gazetteer": (), "tag_dictionary": 0})


def takes_numbers(recipe: Recipe) -> bool:
    """Return whether templates of the recipe use numeric features."""
    return any(f"{feature_lists.COLUMN}.valued[" in template for template in recipe.templates)


MUCH = 50_000  # tokens from which shards pay and cost no accuracy: docs/measurements/benchmarks.md
FOR_MUCH = 8


def settle_shards(recipe: Recipe, tokens: int) -> Recipe:
    """Return the recipe with a number of shards, if it leaves that to the size of the data (0).

    The number of threads has no part in it, so the model does not depend on the machine.
    """
    if recipe.own["shards"]:
        return recipe
    several = recipe.replace({"shards": FOR_MUCH if tokens >= MUCH and _mixes(recipe) else 1})
    return recipe.replace({"shards": 1}) if _refusal(several) or recipe.spans_longest else several


def are_mixed(recipe: Recipe) -> bool:
    """Return whether the weights of shards are mixed; shards of a `crf` only add their gradients."""
    return number_of_shards(recipe) > 1 and _mixes(recipe)


def _mixes(recipe: Recipe) -> bool:
    """Return whether the learner may learn each shard on its own."""
    return uses(recipe, "shards") and recipe.declaration.epoch is not None


def number_of_shards(recipe: Recipe) -> int:
    """Return the number of shards, 1 if the learner does not know them; refuse settings that do not go with several."""
    if refusal := _refusal(recipe):
        raise SettingError(refusal)
    return max(1, int(recipe.own["shards"])) if uses(recipe, "shards") else 1


def _refusal(recipe: Recipe) -> str | None:
    """Why the recipe cannot have several shards, if it asks for them."""
    if not uses(recipe, "shards") or recipe.own["shards"] < 2:
        return None
    if recipe.weights == "voted":
        return "shards: expected 1 with weights = 'voted': the vectors of shards cannot vote"
    if uses(recipe, "bpm") and recipe.own["bpm"]:
        return "shards: expected 1 with bpm, whose runs see all data one after the other"
    if uses(recipe, "orders") and recipe.own["orders"] > 1:
        return "shards: expected 1 with several orders, each of which sees all data"
    return None
