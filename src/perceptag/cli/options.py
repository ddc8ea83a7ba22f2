"""Options of commands that read or tag files; those of training and scoring are in `training_options.py`."""

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from perceptag.cli import completing
from perceptag.cli.declare import GENERAL, Argument, Option
from perceptag.errors import SettingError
from perceptag.system.given_file import FileFacts
from perceptag.text import FORMATS, read_columns
from perceptag.text.columns import FORMAT as COLUMNS
from perceptag.text.comments import Comments
from perceptag.text.format import FormatLike
from perceptag.text.formats import by_name

if TYPE_CHECKING:  # the help does not need it
    from perceptag.pipeline.pipeline import Pipeline

INPUT = "Input files"

ModelIn = Annotated[
    str, Option("--model -m FILE", "The model: a file, or the name of an installed one.", complete=completing.models)
]
RulesIn = Annotated[str, Option("--rules FILE", "Rules: a TOML file, or patterns of spaCy's EntityRuler (.jsonl).")]
Columns = Annotated[
    str, Option("A,B,C", "Names of the columns of a column file, e.g. form,pos,chunk,ner.", group=INPUT)
]
Label = Annotated[
    str,
    Option(
        "NAME", "The column with the labels, e.g. ner, or xpos in CoNLL-U.", complete=completing.columns, group=INPUT
    ),
]
Format = Annotated[
    str,
    Option(
        "--format -f FORMAT",
        f"{', '.join(FORMATS)}; default: by the file name extension.",
        complete=completing.formats,
        group=INPUT,
    ),
]
Comment = Annotated[
    str, Option("PREFIX", "Lines of a column file that start with this are comments, e.g. '#'.", group=INPUT)
]
Encoding = Annotated[
    str,
    Option(
        "NAME",
        "Encoding of the input files: utf-8, latin-1, cp1252, utf-16. Default: auto (UTF-8, or UTF-16 by its mark).",
        group=INPUT,
    ),
]
TokenizerIn = Annotated[
    str,
    Option("--tokenizer MODEL", "A tokeniser for texts without tokens: a file, or a name; default: en.", group=INPUT),
]
LabelNames = Annotated[
    str, Option("A,B,C", "Names of labels given as numbers, from 0, e.g. O,B-PER,I-PER.", group=INPUT)
]
TextIn = Annotated[
    str, Option("--text NAME", "The column of a table, or the key of JSON records, that has the texts.", group=INPUT)
]
Layer = Annotated[str, Option("--layer NAME", "Of a pipeline, use the layers up to this one; default: all.")]
Threads = Annotated[
    int,
    Option("--threads -j N", "Threads; 0: one per core. The results are the same.", min=0, max=1024, group=GENERAL),
]
On = Annotated[
    str,
    Option(
        "--on ENGINE",
        "Where to run: threads, processes, ray, ray:ADDRESS; default: processes. The results are the same.",
        complete=completing.engines,
        group=GENERAL,
    ),
]
Quiet = Annotated[bool, Option("--quiet -q", "Print only errors, and notes on what is lost, to stderr.", group=GENERAL)]
Json = Annotated[bool, Option("--json", "Print one JSON object to stdout.", group=GENERAL)]
RawNames = Annotated[bool, Option("--raw", "Name features as templates do, not in plain words.")]
AllowCode = Annotated[
    bool, Option("--allow-code", "Import your own code that the recipe or the model names.", group=GENERAL)
]
Overwrite = Annotated[
    bool, Option("--overwrite", "Replace an existing file even if it is of another kind.", group=GENERAL)
]
Seed = Annotated[int, Option("N", "Seed of the random samples.", min=0, max=2**31 - 1)]
Gold = Annotated[str, Argument("GOLD", "Sentences with gold labels; '-': stdin.")]
Lines = Annotated[
    str,
    Option(
        "space|sentence|paragraph",
        "What a line end means in running text; default, auto: white space in wrapped text; bullets and "
        "headings are paragraphs.",
        complete=completing.line_ends,
        group=INPUT,
    ),
]


@dataclass(eq=False, repr=False)
class RuleOptions:
    """The rules for strings and line ends of a tokeniser, whatever it has learned."""

    never_split: Annotated[
        list[str] | None, Option("FILE", "Strings, one per line, that are one token; repeatable.", group=INPUT)
    ] = None
    always_split: Annotated[
        list[str] | None,
        Option("FILE", "Strings with spaces where they are split, such as 'can not'; repeatable.", group=INPUT),
    ] = None
    lines: Lines = ""

    @property
    def is_given(self) -> bool:
        """Whether any of them was given."""
        return bool(self.files or self.lines)

    @property
    def files(self) -> list[str]:
        """The files with strings."""
        return [*(self.never_split or ()), *(self.always_split or ())]

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of `with_rules`, read from the files."""
        from perceptag.models.tokenizer.user_rules import read_rules  # other commands need not wait for it

        try:
            rules = read_rules(self.never_split or (), self.always_split or (), self.lines)
        except SettingError as error:
            raise SettingError(f"--{error}") from None
        return {"never_split": rules.never, "always_split": rules.always, "lines": self.lines or None}

    def put_into(self, opened: "Pipeline") -> "Pipeline":
        """Return the pipeline with these rules in its tokeniser."""
        if opened.tokenizer is None:
            option = "--never-split" if self.never_split else "--always-split" if self.always_split else "--lines"
            raise SettingError(f"{option}: expected a pipeline that begins with a tokeniser, found none")
        return opened.with_rules(**self.arguments)


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in ``O,B-PER``, or in a list as JSON or Python writes it."""
    if text.strip()[:1] not in ("[", "(", "{"):
        return tuple(name.strip() for name in text.split(",")) if text else ()
    from perceptag.foreign.table_rows import literal  # names are seldom given

    names = literal(text.strip(), "--label-names")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise SettingError(f"--label-names: expected names, such as O,B-PER,I-PER, or a list of them, found {text!r}")
    return tuple(names)


@dataclass(eq=False, repr=False)
class ColumnOptions:
    """How a file is read."""

    columns: Columns = ""
    format_: Format = ""
    comment: Comment = ""
    encoding: Encoding = ""

    @property
    def facts(self) -> FileFacts:
        """The facts that the user gives about the content of the files."""
        return FileFacts(self.encoding)

    @property
    def names(self) -> list[str] | None:
        """The names in ``--columns a,b,c``; None if the option was not given."""
        if not self.columns:
            return None
        found = [name.strip() for name in self.columns.split(",")]
        if not all(found) or len(set(found)) != len(found):
            raise SettingError(f"--columns: expected different names separated by commas, found {self.columns!r}")
        return found

    @property
    def format(self) -> FormatLike:
        """The format that ``--format`` and ``--comment`` name; None if neither was given."""
        if not self.comment:
            return self.format_ or None
        if self.format_ and by_name(self.format_).names_columns:
            raise SettingError(f"--comment: expected a column file, found {by_name(self.format_).title}")
        Comments(self.comment)
        return replace(COLUMNS, read=partial(read_columns, comment=self.comment), comment=self.comment)


@dataclass(eq=False, repr=False)
class LabelledColumns(ColumnOptions):
    """How a file with labels is read."""

    label: Label = ""

    @property
    def facts(self) -> FileFacts:
        return replace(super().facts, label=self.label)

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of functions that read labelled files."""
        return {"format": self.format, "columns": self.names, "label": self.label}


@dataclass(eq=False, repr=False)
class TextOptions(LabelledColumns):
    """How a file is read that may have texts without tokens."""

    tokenizer: TokenizerIn = ""
    text: TextIn = ""

    @property
    def facts(self) -> FileFacts:
        return replace(super().facts, tokenizer=self.tokenizer, text=self.text)


@dataclass(eq=False, repr=False)
class FileOptions(TextOptions):
    """How a file with labels is read that another tool may have written."""

    label_names: LabelNames = ""

    @property
    def facts(self) -> FileFacts:
        return replace(super().facts, label_names=names_in(self.label_names))
