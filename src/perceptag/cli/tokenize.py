"""``perceptag tokenize``: split running text into sentences, tokens and words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from perceptag.cli import completing
from perceptag.cli.declare import Argument, Option
from perceptag.cli.options import Encoding, Overwrite, Quiet, RuleOptions
from perceptag.cli.streams import write_stderr
from perceptag.cli.text_lists import refuse_table
from perceptag.cli.tokenizers import open_tokenizer
from perceptag.pipeline.installed import path_of
from perceptag.system.given_file import FileFacts, GivenFile
from perceptag.system.memory import no_search_for_cycles
from perceptag.system.plural import plural
from perceptag.system.replacing import check_output
from perceptag.text import FORMATS
from perceptag.text.formats import detect_format
from perceptag.text.parquet import FORMAT, write_passages
from perceptag.text.token_formats import WRITERS, write_tokens, writer_of

COLUMNS, PARQUET = "columns", FORMAT.name
ENGLISH = "en"


def tokenize_cli(
    rules: RuleOptions,
    model: Annotated[
        str,
        Option(
            "--model -m FILE",
            "The model: a file, or the name of an installed one; default: en.",
            complete=completing.models,
        ),
    ] = ENGLISH,
    source: Annotated[str, Argument("[IN]", "The text; default: stdin.")] = "-",
    output: Annotated[str, Option("--output -o OUT", "Where to write; default: stdout.")] = "-",
    to: Annotated[
        str,
        Option(
            "FORMAT",
            "columns: one word per line; conllu; jsonl, parquet: with offsets; text: one sentence per "
            "line, tokens separated by spaces. Default: by the file name extension of OUT, or columns.",
            complete=completing.token_formats,
        ),
    ] = "",
    encoding: Encoding = "",
    overwrite: Overwrite = False,
    quiet: Quiet = False,
) -> None:
    """Split running text into sentences, tokens and words.

    The model comes from 'perceptag train --recipe tokenize', or is a pipeline that starts with such a model. A blank
    line ends a paragraph and a sentence. Line ends of wrapped text are white space, except before a bullet and after a
    heading; --lines changes that. Offsets count characters of the text, without a byte order mark.
    """
    tokens = tokenize(model, GivenFile(source, FileFacts(encoding)), output, to=to, rules=rules, overwrite=overwrite)
    if not quiet and output != "-":
        write_stderr(f"found {plural(tokens, 'token')}: {output}")


def tokenize(
    model: str,
    source: str = "-",
    target: str = "-",
    *,
    to: str = "",
    rules: RuleOptions | None = None,
    overwrite: bool = False,
) -> int:
    """Tokenise `source` into `target` with the model in a file; return the number of tokens."""
    to = to or _format_of(target)
    if to != PARQUET:
        writer_of(to)  # an unknown format is refused before anything is read
    if source != "-" and Path(source).is_file():
        refuse_table(source)
    path = path_of(model)
    inputs = [path, source, *(rules.files if rules else ())]
    check_output("--output", target, FORMATS[to].kind, inputs, overwrite=overwrite)
    with no_search_for_cycles():
        opened = open_tokenizer(path)
        passages = (opened.with_rules(**rules.arguments) if rules and rules.is_given else opened).stream(source)
        return write_passages(passages, target) if to == PARQUET else write_tokens(passages, target, to)


def _format_of(target: str) -> str:
    """Return the format of a file extension, or columns if tokens cannot be written in it."""
    found = detect_format(target)
    return found if found in (*WRITERS, PARQUET) else COLUMNS
