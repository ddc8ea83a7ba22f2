"""Options that several verbs share."""

from __future__ import annotations

import dataclasses
import math
from functools import partial
from typing import Annotated

from perceptag.cli import completing
from perceptag.cli.declare import Option
from perceptag.errors import SettingError
from perceptag.system.cores import cores
from perceptag.text import FORMATS, read_columns
from perceptag.text.columns import FORMAT as COLUMNS
from perceptag.text.comments import Comments
from perceptag.text.format import FormatLike
from perceptag.text.formats import by_name

ModelIn = Annotated[
    str,
    Option(
        "--model",
        "-m",
        metavar="FILE",
        help="The model: a file, or an installed one by name.",
        autocompletion=completing.models,
    ),
]
Train = Annotated[str, Option("--train", metavar="FILE", help="Sentences to learn from; '-': stdin.")]
Dev = Annotated[str, Option("--dev", metavar="FILE", help="Sentences to measure on.")]
Sets = Annotated[
    list[str] | None,
    Option(
        "--set",
        "-s",
        metavar="KEY=VALUE",
        help="Set a key of the recipe; repeatable.",
        autocompletion=completing.keys,
    ),
]
Adds = Annotated[
    list[str] | None,
    Option("--add", metavar="TEMPLATE", help="Add a template to the recipe, e.g. 'form[0] pos[1]'; repeatable."),
]
Classes = Annotated[
    str,
    Option(
        "--classes",
        metavar="FILE",
        help="Word classes, which 'perceptag classes' writes; short for --set classes=FILE.",
    ),
]
Gazetteers = Annotated[
    list[str] | None,
    Option(
        "--gazetteer",
        metavar="CLASS=FILE",
        help="Add a list of phrases, one in each line; CLASS~=FILE: in any case of letters; repeatable.",
    ),
]
Jobs = Annotated[
    int, Option("--jobs", "-j", min=0, max=1024, metavar="N", help="Training runs in parallel; 0: one per core.")
]
RecipeName = Annotated[
    str,
    Option(
        "--recipe",
        "-r",
        metavar="NAME|FILE",
        help="A recipe that 'perceptag recipes' lists, or a TOML file; auto, the default, chooses by the data.",
        autocompletion=completing.recipes,
    ),
]
Columns = Annotated[
    str,
    Option(metavar="A,B,C", help="Names of the columns of a column file, e.g. form,pos,chunk,ner."),
]
Label = Annotated[
    str,
    Option(
        metavar="NAME",
        help="The column with the labels, e.g. ner, or xpos in CoNLL-U.",
        autocompletion=completing.columns,
    ),
]
Format = Annotated[
    str,
    Option(
        "--format",
        "-f",
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)}; default: by the ending of the file's name.",
        autocompletion=completing.formats,
    ),
]
Comment = Annotated[
    str,
    Option(
        metavar="PREFIX",
        help="Lines of a column file that begin so are comments, e.g. '#'.",
    ),
]
Layer = Annotated[
    str, Option("--layer", metavar="NAME", help="Of a pipeline, use the layers up to this one; default: all.")
]
Threads = Annotated[
    int,
    Option("--threads", "-j", min=0, max=1024, metavar="N", help="Threads; 0: one per core. The results are the same."),
]
On = Annotated[
    str,
    Option(
        "--on",
        metavar="ENGINE",
        help="What carries out the work: threads, processes, ray, ray:ADDRESS. It never changes a result.",
        autocompletion=completing.engines,
        show_default=False,
    ),
]
Quiet = Annotated[bool, Option("--quiet", "-q", help="Print only errors to stderr.")]
Json = Annotated[bool, Option("--json", help="Print one JSON object to stdout.")]
AllowCode = Annotated[
    bool,
    Option("--allow-code", help="Import code of yours that the recipe or the model names."),
]
Scheme = Annotated[
    str,
    Option(
        metavar="SCHEME",
        help="auto, IOB1, IOB2, IOBES, BILOU, BMES, or none if labels are not spans.",
        autocompletion=completing.schemes,
    ),
]
Repair = Annotated[
    str,
    Option(
        metavar="POLICY",
        help="How to read labels that break the scheme: conlleval, scheme, discard, strict.",
        autocompletion=completing.policies,
    ),
]
Bootstrap = Annotated[
    int, Option(min=0, max=1_000_000, metavar="N", help="Bootstrap samples for the interval; 0: none.")
]
Seed = Annotated[int, Option(min=0, max=2**31 - 1, metavar="N", help="Seed of the random samples.")]


def comparable(number: float | None) -> float | None:
    """Refuse NaN as a limit: no comparison with it is true, so every check would pass."""
    if number is not None and math.isnan(number):
        import typer

        raise typer.BadParameter("expected a number, found nan")
    return number


def names(columns: str) -> list[str] | None:
    """The names in ``--columns a,b,c``; None if the option was not given."""
    if not columns:
        return None
    found = [name.strip() for name in columns.split(",")]
    if not all(found) or len(set(found)) != len(found):
        raise SettingError(f"--columns: expected different names separated by commas, found {columns!r}")
    return found


def file_format(name: str, comment: str) -> FormatLike:
    """The format that ``--format`` and ``--comment`` name; None if neither was given."""
    if not comment:
        return name or None
    if name and by_name(name).names_columns:
        raise SettingError(f"--comment: expected a column file, found {by_name(name).title}")
    read = partial(read_columns, comment=comment)
    Comments(comment)
    return dataclasses.replace(COLUMNS, read=read, comment=comment)


def jobs_on(on: str, jobs: int) -> int:
    """How many training runs in parallel: 0 stands for all cores of this machine, or of a cluster."""
    return jobs if on.startswith("ray") else cores(jobs)
