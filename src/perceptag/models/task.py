"""The training task: recipe, sentences and labels, for every kind of model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import blake2b
from itertools import chain
from typing import Any

from perceptag.errors import DataError, SettingError
from perceptag.features.attributes import Attribute
from perceptag.features.class_attributes import write_out_sizes
from perceptag.features.template_checks import leave_out_missing
from perceptag.features.user_functions import UserFeature
from perceptag.labels.given import Mask
from perceptag.labels.label_names import warnings_about
from perceptag.labels.label_set import LabelSet, label_column, learn_labels
from perceptag.labels.partial import learn_partial_labels
from perceptag.learn import catalogue, users_of
from perceptag.models.model import Model
from perceptag.models.model_classes import KnownClasses, classes_of
from perceptag.recipe.auto import settle_shards
from perceptag.recipe.common_settings import SETTINGS, TEXT
from perceptag.recipe.recipe import Recipe, uses
from perceptag.text.documents import document_numbers
from perceptag.text.inputs import as_sentences
from perceptag.text.lines import read_text
from perceptag.text.odd_sentences import odd_sentences
from perceptag.text.sentence import Sentence
from perceptag.text.string_copies import with_string_copies


@dataclass(frozen=True, slots=True)
class DataFacts:
    """What training must know of its data besides what is learned from them."""

    columns: tuple[str, ...]
    sentences: int
    tokens: int
    sha256: str
    documents: int = 0

    def to_dict(self) -> dict[str, object]:
        """What the manifest of a model holds."""
        return {"sentences": self.sentences, "tokens": self.tokens, "sha256": self.sha256}


@dataclass(frozen=True, slots=True)
class Task:
    """A training problem."""

    recipe: Recipe
    train: list[Sentence]  # none of them empty; no sentences if they are elsewhere
    dev: list[Sentence] | None
    label_set: LabelSet
    threads: int
    attributes: Mapping[str, Attribute]
    functions: Mapping[str, UserFeature]  # non-local features of the user
    notes: list[str]  # what a user should know about the data before training on it
    start: Model | None = None  # an earlier model to continue from
    masks: list[list[Mask] | None] = field(default_factory=list)  # of sentences that lack labels; empty: none does
    classes: KnownClasses | None = None  # of words, for templates that look at them
    # The texts of files that the recipe names. Each is read once: a pipe can be read only once, and a file may change.
    read: Callable[[str], str] = field(default_factory=lambda: cache(read_text))
    elsewhere: DataFacts | None = None  # of training data that other processes hold
    copies: int = 0  # how many of the last training sentences are changed copies of others
    originals: Sequence[int] = ()  # of which sentences these are copies in other case

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the training data."""
        return self.elsewhere.columns if self.elsewhere else tuple(self.train[0].columns)

    def documents(self) -> list[int]:
        """The number of the document of each training sentence; a copy in other case has that of its original."""
        numbers = document_numbers(self.train[: len(self.train) - len(self.originals)])
        return [*numbers, *(numbers[original] for original in self.originals)]

    @property
    def sentences(self) -> int:
        """How many sentences training learns from."""
        return self.elsewhere.sentences if self.elsewhere else len(self.train)

    @property
    def tokens(self) -> int:
        """How many tokens they have."""
        return self.elsewhere.tokens if self.elsewhere else sum(map(len, self.train))


def make_task(
    recipe: Recipe,
    train: Sequence[Sentence],
    dev: Sequence[Sentence] | None = None,
    threads: int = 1,
    attributes: Mapping[str, Attribute] | None = None,
    functions: Mapping[str, UserFeature] | None = None,
    start: Model | None = None,
    classes: KnownClasses | None = None,
) -> Task:
    """Check the data and find the label set. `classes` replace those of the file that the recipe names."""
    if functions and not uses(recipe, "nonlocal.functions"):
        raise SettingError(
            f"functions: learner {recipe.learner!r} has no non-local features; expected one of "
            f"{', '.join(users_of('nonlocal.functions'))}"
        )
    _check_unit(recipe)
    _check_parts(recipe)
    sentences = without_empty(as_sentences(train))
    if not sentences:
        raise DataError("there is no sentence to learn from")
    heldout = _heldout(dev)
    given = len(sentences)
    copied: list[tuple[int, Sentence]] = []
    if recipe.unit != TEXT and any(recipe.case_copies.values()):
        copied = case_copies(sentences, recipe.case_copies, recipe.seed)
        sentences = [*sentences, *(copy for _, copy in copied)]
    if recipe.augment_strings:
        sentences = with_string_copies(sentences, recipe.augment_strings, recipe.seed)
    label_set, sentences, masks = _read_labels(recipe, sentences, heldout, start.label_set if start else None)
    known = classes or classes_of(recipe, start)
    recipe = settle_shards(recipe, sum(map(len, sentences)))
    recipe, left_out = fit_columns(recipe, known, list(sentences[0].columns), label_set.column)
    notes = [*left_out, *_notes(label_set, sentences[:given], recipe.unit)]
    if len(sentences) > given and recipe.augment_strings:
        share = f"{recipe.augment_strings:g}"
        notes.append(
            f"note: {len(sentences) - given} copies of sentences with addresses, dates … (augment: strings {share})"
        )
    elif len(sentences) > given:
        shares = ", ".join(f"{case} {share:g}" for case, share in recipe.case_copies.items() if share)
        notes.append(f"note: {len(sentences) - given} copies of sentences in other case (augment: {shares})")
    code = attributes or {}, functions or {}
    task = Task(recipe, sentences, heldout, label_set, threads, *code, notes, start, masks, known)
    return replace(task, copies=len(sentences) - given, originals=[original for original, _ in copied])


FOR_TOKENIZERS = ("augment_strings", *(name for name in SETTINGS if name.startswith("tokens_")))


def _check_unit(recipe: Recipe) -> None:
    """Refuse settings of tokenisers for other models."""
    for name in FOR_TOKENIZERS if recipe.unit != TEXT else ():
        if getattr(recipe, name) != SETTINGS[name].default:
            raise SettingError(f"{SETTINGS[name].key}: only a tokeniser (unit = 'text') uses it")


def begin_task(
    recipe: Recipe,
    first: Sentence,
    dev: Sequence[Sentence] | None,
    threads: int,
    attributes: Mapping[str, Attribute],
) -> Task:
    """The task of training data that other processes hold, as far as the first sentence tells."""
    _check_parts(recipe)
    heldout, known = _heldout(dev), classes_of(recipe, None)
    column = label_column([first], recipe.labels_column)
    recipe, notes = fit_columns(recipe, known, list(first.columns), column)
    labels, facts = LabelSet((), "none", "none", column), DataFacts(tuple(first.columns), 0, 0, "")
    return Task(recipe, [], heldout, labels, threads, attributes, {}, notes, classes=known, elsewhere=facts)


def _heldout(dev: Sequence[Sentence] | None) -> list[Sentence] | None:
    """The dev sentences that have tokens; an error if there is none."""
    if dev is None:
        return None
    found = without_empty(as_sentences(dev))
    if not found:
        raise DataError("there is no sentence to measure on (dev)")
    return found


def fit_columns(
    recipe: Recipe, known: KnownClasses | None, columns: Sequence[str], label: str
) -> tuple[Recipe, list[str]]:
    """The recipe with templates for the columns of the data and for the word classes, and notes about the others."""
    others = [column for column in columns if column != label]
    return _without_missing_columns(_with_sizes(recipe, known, others), others)


def label_settings(recipe: Recipe) -> dict[str, Any]:
    """What the recipe says about the scheme of the labels, as the arguments of `choose_schemes`."""
    return {"keep": recipe.labels_keep, "scheme": recipe.labels_scheme, "repair": recipe.labels_repair}


def find_labels(recipe: Recipe, sentences: Sequence[Sentence]) -> LabelSet:
    """The label set of the training data, as the recipe asks for it."""
    return _read_labels(recipe, list(sentences), None, None)[0]


def _read_labels(
    recipe: Recipe, sentences: list[Sentence], dev: Sequence[Sentence] | None, earlier: LabelSet | None
) -> tuple[LabelSet, list[Sentence], list[list[Mask] | None]]:
    """The label set, the sentences with labels everywhere, and what is known about those that lacked some."""
    settings: dict[str, Any] = {
        **label_settings(recipe),
        "column": recipe.labels_column,
        "constrain": recipe.constrain,
        "earlier": earlier,
    }
    if not recipe.labels_missing:
        return learn_labels(sentences, **settings), sentences, []
    _check_partial(recipe, dev)
    label_set, filled, masks = learn_partial_labels(sentences, recipe.labels_missing, settings)
    return label_set, filled, masks


def _check_parts(recipe: Recipe) -> None:
    """Refuse labels with parts where the learner has weights for whole labels only."""
    learner = recipe.declaration
    if recipe.labels_parts and (learner.kind != "linear" or learner.epoch is None or recipe.unit == TEXT):
        able = ", ".join(name for name, one in catalogue().items() if one.kind == "linear" and one.epoch is not None)
        found = "a tokeniser" if recipe.unit == TEXT else f"learner {recipe.learner!r}"
        raise SettingError(f"labels.parts: {found} has weights for whole labels only; expected one of {able}")


def _check_partial(recipe: Recipe, dev: Sequence[Sentence] | None) -> None:
    """Refuse what needs the labels of all tokens."""
    if not recipe.declaration.partial:
        able = ", ".join(name for name, learner in catalogue().items() if learner.partial)
        raise SettingError(
            f"labels.missing: learner {recipe.learner!r} needs the labels of all tokens; expected one of {able}"
        )
    if recipe.support != "all":
        raise SettingError("labels.missing: expected support = 'all', since any label may be the missing one")
    if recipe.tag_dictionary:
        raise SettingError("labels.missing: tag_dictionary needs the labels of all tokens; leave out one of the two")
    for sentence in dev or ():
        labels = sentence.columns.get(recipe.labels_column or list(sentence.columns)[-1], [])
        if recipe.labels_missing in labels:
            where = sentence.where(labels.index(recipe.labels_missing))
            raise DataError(f"expected a label, as on every token of dev data, found {recipe.labels_missing!r}", where)


def _with_sizes(recipe: Recipe, known: KnownClasses | None, columns: Sequence[str]) -> Recipe:
    """The recipe with ``classN`` written out, for the sizes of the word classes."""
    if known is None:
        return recipe
    templates, groups = write_out_sizes(recipe.templates, recipe.groups, known.classes.sizes, columns)
    return replace(recipe, templates=templates, groups=groups)


def _without_missing_columns(recipe: Recipe, columns: Sequence[str]) -> tuple[Recipe, list[str]]:
    """The recipe without templates that use optional columns which the data lacks, and notes about them."""
    templates, groups, notes = leave_out_missing(recipe.templates, recipe.groups, recipe.optional, columns)
    return replace(recipe, templates=templates, groups=groups), notes


def without_empty(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences that have tokens. If an empty one starts a document, the next one starts it instead."""
    kept = []
    starts = False
    for sentence in sentences:
        starts = starts or sentence.starts_document
        if len(sentence):
            kept.append(replace(sentence, starts_document=True) if starts else sentence)
            starts = False
    return kept


def _notes(label_set: LabelSet, sentences: Sequence[Sentence], unit: str) -> list[str]:
    labels = chain.from_iterable(s.columns[label_set.column] for s in sentences)
    notes = [f"warning: {fault}" for fault in odd_sentences(sentences)] if unit != TEXT else []
    notes += [] if label_set.is_open else warnings_about(Counter(labels))
    broken = list(label_set.complaints(sentences))
    return [*notes, note_on_broken(label_set, len(broken), *broken[0])] if broken else notes


def note_on_broken(label_set: LabelSet, count: int, where: str, complaint: str) -> str:
    """What a user should know about labels that break their scheme."""
    kept = label_set.inner == label_set.outer and not label_set.repair
    what = "kept as they are" if kept else "read as conlleval reads them"
    return f"labels that break {label_set.outer}: {count}, {what}; the first at {where}: {complaint}"


# Copies of training sentences in other case, for models that also know *berlin* and *PARIS*: a share of the sentences
# is copied in lower case, in upper case and in title case, as in headlines. The seed and the position of a sentence
# decide whether it is copied. Each copy is a document of its own, behind all sentences, and has the labels of its
# original. Mayhew, Tsygankova and Roth (2019), "ner and pos when nothing is capitalized", compare this with others.

FORM = "form"


def _title(word: str) -> str:
    return word[:1].upper() + word[1:]


CASES: dict[str, Callable[[str], str]] = {"lower": str.lower, "upper": str.upper, "title": _title}


def case_copies(sentences: Sequence[Sentence], shares: Mapping[str, float], seed: int) -> list[tuple[int, Sentence]]:
    """Return copies, each with the number of its original: ``{"lower": 0.5}`` copies every other one in lower case."""
    return [
        (number, copy)
        for case, change in CASES.items()
        if shares.get(case)
        for number, sentence in enumerate(sentences)
        if is_chosen(seed, case, number, shares[case]) and (copy := _changed(sentence, change)) is not None
    ]


def is_chosen(seed: int, case: str, number: int, share: float) -> bool:
    """Decide by a hash of seed, case and position, so that a larger share keeps the copies of a smaller one."""
    drawn = blake2b(f"{seed} {case} {number}".encode(), digest_size=8).digest()
    return int.from_bytes(drawn, "big") < share * 2**64


def _changed(sentence: Sentence, change: Callable[[str], str]) -> Sentence | None:
    """Return a copy with other words; None if it would be the same."""
    column = FORM if FORM in sentence.columns else next(iter(sentence.columns))
    words = list(sentence.columns[column])
    others = [change(word) for word in words]
    return None if others == words else Sentence({**sentence.columns, column: others}, starts_document=True)
