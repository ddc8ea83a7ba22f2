"""Options of commands that train or score; apart, since `tag` need not wait for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

from perceptag.cli import completing
from perceptag.cli.declare import GENERAL, Option
from perceptag.cli.input_files import read_all
from perceptag.errors import SettingError
from perceptag.models.tokenizer.characters import as_characters
from perceptag.recipe import recipe_files
from perceptag.system.cores import cores
from perceptag.system.plural import plural
from perceptag.tagging.naming import format_of
from perceptag.text import Sentence
from perceptag.text.conllu import FORMAT
from perceptag.text.format import FormatLike
from perceptag.text.treebank import read_treebank

SCORING, RECIPE = "Scoring", "Recipe"

Train = Annotated[str, Option("--train FILE", "Sentences to learn from; '-': stdin.")]
Dev = Annotated[str, Option("--dev FILE", "Sentences to measure on.")]
Sets = Annotated[
    list[str] | None,
    Option("--set -s KEY=VALUE", "Set a key of the recipe; repeatable.", complete=completing.keys, group=RECIPE),
]
Adds = Annotated[
    list[str] | None,
    Option("--add TEMPLATE", "Add a template to the recipe, e.g. 'form[0] pos[1]'; repeatable.", group=RECIPE),
]
Gazetteers = Annotated[
    list[str] | None,
    Option(
        "--gazetteer CLASS=FILE",
        "Add a list of phrases, one per line; CLASS~=FILE ignores case; repeatable.",
        group=RECIPE,
    ),
]
Epochs = Annotated[
    int | None, Option("N", "Number of passes; short for --set epochs=N; default: that of the recipe.", min=1)
]
RecipeSeed = Annotated[
    int | None, Option("N", "Seed; short for --set seed=N; default: that of the recipe.", min=0, max=2**31 - 1)
]
Jobs = Annotated[
    int, Option("--jobs -j N", "Training runs in parallel; 0: one per core.", min=0, max=1024, group=GENERAL)
]
RecipeName = Annotated[
    str,
    Option(
        "--recipe -r NAME|FILE",
        "A recipe listed by 'perceptag list', or a TOML file; auto, the default, chooses by the data.",
        complete=completing.recipes,
        group=RECIPE,
    ),
]
Repair = Annotated[
    str,
    Option(
        "POLICY",
        "How to read labels that break the scheme: conlleval, scheme, discard, strict.",
        complete=completing.policies,
        group=SCORING,
    ),
]
FailBelow = Annotated[
    float | None, Option("X", "Exit with status 1 if the score (F1, or accuracy) is below X per cent.", group=SCORING)
]


@dataclass(eq=False, repr=False)
class RecipeOptions:
    """A recipe and settings of it."""

    recipe_name: RecipeName = ""
    settings: Sets = None

    def files(self) -> list[str]:
        """The file of the recipe, if one is named."""
        return [str(recipe_files.find(self.recipe_name))] if self.recipe_name else []


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


def jobs_on(on: str, jobs: int) -> int:
    """How many training runs in parallel: 0 stands for all cores of this machine, or of a cluster."""
    return jobs if on.startswith("ray") else cores(jobs)


def read_characters(
    paths: Sequence[str], format_: FormatLike, what: str, note: Callable[[str], None]
) -> list[Sentence]:
    """The sentences of CoNLL-U files as characters with labels."""
    for path in paths:
        if (found := format_of(path, format_).name) != FORMAT.name:
            raise SettingError(f"--format: a tokeniser learns from {FORMAT.name}, found {found}: {path}")
    bank = read_treebank([sentence for path in paths for sentence in read_all(path, format_, None, what)])
    if bank.several:
        kept = f"; the words of {bank.whole} do not spell them, so they are in a dictionary" if bank.whole else ""
        note(f"{what}: {plural(bank.several, 'token')} of several words{kept}")
    return as_characters(bank)


def refuse_columns(columns: Sequence[str] | None, label: str) -> None:
    """Refuse names of columns: a tokeniser uses the text, whatever the columns hold."""
    if columns or label:
        raise SettingError(f"{'--columns' if columns else '--label'}: a tokeniser (unit = 'text') does not use it")
