"""The settings that every recipe has, whatever its learner: names, defaults, limits, and what each is for."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TypeVar

from perceptag.learn.learner import MOST, Setting

UNITS = ("sentence", "document")
TEXT = "text"  # a unit as well: a tokeniser, whose sequences are the characters of sentences
# Of a recipe file: the field `labels_keep` is the key ``labels.keep``.
TABLES = ("labels", "augment", "tokens", "spans")
T = TypeVar("T")

# Features of whole spans, unless a recipe names others. Those of parts of speech are left out if the data has none.
SPAN_TEMPLATES = (
    "length",
    "shortshape[all]",
    "shortshape[first-1] shortshape[all]",
    "shortshape[all] shortshape[last+1]",
    "shortshape[first-1] shortshape[all] shortshape[last+1]",
    "lower[all]",
    "lower[first-1]",
    "lower[last+1]",
    "lower[first-1] lower[last+1]",
    "lower[first-1] shortshape[all]",
    "shortshape[all] lower[last+1]",
    "lower[first-1] length",
    "lower[last+1] length",
    "lower[first] length",
    "lower[last] length",
    "lower[first] shortshape[all]",
    "lower[last] shortshape[all]",
    "pos[all]",
    "pos[first-1] pos[all] pos[last+1]",
    "lower[any]",
    "lower.suffix3[any]",
    "lower[first-1] lower[last]",
    "lower[first] lower[last+1]",
)


def _setting(default: T, text: str, least: float | None = None, most: float = MOST, choices: tuple[str, ...] = ()) -> T:
    """Declare a setting of every recipe."""
    described = Setting("", default, text, least=least, most=most, choices=choices)  # type: ignore[arg-type]  # Value
    return dataclasses.field(default=default, metadata={"setting": described})


# Only `Recipe` has objects, and methods of its own for all of them: making these too would take time at every start.
@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)
class CommonSettings:
    """The settings that a recipe of any learner has."""

    name: str = _setting("", "the name of the recipe; for a recipe file, the name of the file")
    description: str = _setting("", "what the recipe is for")
    citation: str = _setting("", "where the recipe comes from")
    learner: str = _setting("perceptron", "how weights are learned; 'module:NAME' is one of your own")
    weights: str = _setting(
        "averaged",
        "which weights become the model; voted: several vectors, one vote each; best: averaged or last, by dev data",
        choices=("averaged", "last", "voted", "best"),
    )
    epochs: int = _setting(10, "the number of passes", least=1)
    later_passes: bool = _setting(
        False, "whether dev data choose averaged weights only from the second half of the passes"
    )
    shuffle: bool = _setting(False, "whether to shuffle the sentences in each pass")
    seed: int = _setting(0, "the seed of all random numbers", least=0)
    support: str = _setting(
        "gold", "which labels a feature may carry: those seen with it, or all", choices=("gold", "all")
    )
    cutoff: int = _setting(0, "drop features that are seen less often than this", least=0)
    features: str = _setting("", "take templates, attributes and gazetteer from the recipe of this name")
    templates: tuple[str, ...] = _setting(
        (), "the features; in groups: a table [templates] with one list for each name"
    )
    groups: tuple[str, ...] = _setting((), 'names for runs of templates, "words=9" for the first nine')
    optional: tuple[str, ...] = _setting((), "columns whose templates are left out where the data has no such column")
    tag_dictionary: int = _setting(0, "words seen at least this often take only labels seen with them; 0: off", least=0)
    spans_longest: int = _setting(
        0,
        "features of whole spans, for spans of at most this number of words; 0: none",
        least=0,
        most=64,
    )
    spans_templates: tuple[str, ...] = _setting((), "the features of whole spans; empty: a built-in list")
    constrain: bool = _setting(False, "decode only label sequences that the scheme allows")
    labels_column: str = _setting("", "which column holds the labels; empty: the last one")
    labels_keep: tuple[str, ...] = _setting((), "keep only spans of these types; empty: all")
    labels_scheme: str = _setting(
        "auto",
        "the scheme inside the model; auto: IOB2 for IOB1 data, else as in the data; edits: edit scripts that turn the "
        "word into the label, a lemma",
        choices=("auto", "IOB1", "IOB2", "IOBES", "none", "edits"),
    )
    labels_repair: bool = _setting(False, "repair label sequences that break the scheme of the data")
    labels_missing: str = _setting(
        "", "the value of the label column that marks an unknown label, such as '_'; empty: none"
    )
    labels_parts: str = _setting(
        "",
        "separator of the parts of labels, such as '|': weights for parts and whole labels; empty: whole labels only",
    )
    labels_pairs: bool = _setting(False, "weights for every two parts of a label together, too")
    attributes: tuple[str, ...] = _setting((), 'attributes of your own: "name=module:function"')
    gazetteer: tuple[str, ...] = _setting(
        (),
        'lists of phrases: "class=file"; "class~=file": in any case of letters; "train": spans of the training data; '
        '"train~": in any case',
    )
    classes: str = _setting(
        "", "a file of word classes, which 'perceptag classes' writes, for templates with class64 …"
    )
    class_templates: tuple[str, ...] = _setting(
        (), "templates that are added where there are word classes; classN stands for every size of the file"
    )
    unit: str = _setting(
        "sentence",
        "what is one sequence: a sentence, a whole document, or the characters of a sentence (text: a tokeniser)",
        choices=(*UNITS, TEXT),
    )
    tolerance: float = _setting(
        0.0, "stop when the training error changes by less than this share in 3 passes; 0: never", least=0
    )
    recall: float = _setting(
        0.0,
        "choose outside_score on dev data for the best F of spans, recall counted this many times as much as "
        "precision; 0: no choice",
        least=0,
        most=100,
    )
    outside_score: float = _setting(
        0.0,
        "added to the score of the label O at every token; below 0: more spans, above 0: fewer",
        least=-1e6,
        most=1e6,
    )
    margins: int = _setting(
        1,
        "how many margins to try in short runs, each a tenth of the one before; 1: only the given one",
        least=1,
        most=6,
    )
    inner_folds: int = _setting(
        0,
        "without dev data, if there is little data: make all choices on this number of folds; 0: no choice",
        least=0,
        most=20,
    )
    augment_lower: float = _setting(
        0.0, "the share of training sentences that are also learned in lower case", least=0, most=1
    )
    augment_upper: float = _setting(0.0, "the same in upper case", least=0, most=1)
    augment_title: float = _setting(
        0.0, "the same with a capital at the beginning of every word, as in headlines", least=0, most=1
    )
    augment_strings: float = _setting(
        0.0,
        "for tokenisers: the share of training sentences that are also learned with an address, a handle, a date, an "
        "amount or a file name in them",
        least=0,
        most=1,
    )
    tokens_patterns: bool = _setting(
        False,
        "for tokenisers: features for the kind of a string (address, date …), and for open brackets and quotes",
    )
    tokens_text: tuple[str, ...] = _setting(
        (), "files of plain text that tell a tokeniser how words are written, and which are abbreviations"
    )
    tokens_abbreviations: tuple[str, ...] = _setting((), "files with an abbreviation on each line, for tokenisers")


def _described(field: dataclasses.Field[object]) -> Setting:
    table, _, name = field.name.partition("_")
    setting: Setting = field.metadata["setting"]
    return dataclasses.replace(setting, key=f"{table}.{name}" if table in TABLES else field.name)


# By their names in Python.
SETTINGS = {field.name: _described(field) for field in dataclasses.fields(CommonSettings)}
