"""``perceptag tokenize``: split running text into sentences, tokens and words."""

from __future__ import annotations

from typing import Annotated

from perceptag.cli import completing
from perceptag.cli.declare import Argument, Option
from perceptag.cli.input_files import check_text_output
from perceptag.cli.options import Encoding, Quiet, RuleOptions, facts_from
from perceptag.cli.streams import write_stderr
from perceptag.cli.tokenizers import open_tokenizer
from perceptag.pipeline.installed import path_of
from perceptag.system.given_file import GivenFile
from perceptag.system.memory import no_search_for_cycles
from perceptag.text.parquet import FORMAT, write_passages
from perceptag.text.token_formats import write_tokens, writer_of

PARQUET = FORMAT.name
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
            "columns: one word on each line; conllu; jsonl, parquet: with offsets; text: one sentence on each "
            "line, tokens separated by spaces.",
        ),
    ] = "columns",
    encoding: Encoding = "",
    quiet: Quiet = False,
) -> None:
    """Split running text into sentences, tokens and words.

    The model comes from 'perceptag train --recipe tokenize', or is a pipeline that starts with such a model. A blank
    line ends a paragraph and a sentence. Line ends of wrapped text are white space, except before a bullet and behind a
    heading; --lines changes that. Offsets count characters of the text, without a byte order mark.
    """
    tokens = tokenize(model, GivenFile(source, facts_from(encoding)), output, to=to, rules=rules)
    if not quiet and output != "-":
        write_stderr(f"found {tokens} tokens: {output}")


def tokenize(
    model: str, source: str = "-", target: str = "-", *, to: str = "columns", rules: RuleOptions | None = None
) -> int:
    """Tokenise `source` into `target` with the model in a file; return the number of tokens."""
    if to != PARQUET:
        writer_of(to)  # an unknown format is refused before anything is read
    path = path_of(model)
    check_text_output("--output", target, [path, source, *(rules.files if rules else ())])
    with no_search_for_cycles():
        opened = open_tokenizer(path)
        passages = (opened.with_rules(**rules.arguments) if rules and rules.is_given else opened).stream(source)
        return write_passages(passages, target) if to == PARQUET else write_tokens(passages, target, to)
