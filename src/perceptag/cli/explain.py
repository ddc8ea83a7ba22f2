"""``perceptag explain``: show why a sentence gets its labels."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Annotated, Any

from perceptag.cli.declare import Argument, Option
from perceptag.cli.options import AllowCode, ColumnOptions, Json, Layer, ModelIn, RawNames, RulesIn
from perceptag.cli.streams import write_json, write_stderr, write_stdout
from perceptag.cli.table import is_terminal
from perceptag.errors import SettingError
from perceptag.models.explanation import TOP, Explained, Explanation
from perceptag.models.protocol import ReadyModel
from perceptag.pipeline.explaining import explain_document, find_sentence
from perceptag.pipeline.pipeline import Pipeline
from perceptag.pipeline.text_documents import checked_text
from perceptag.system.visible import visible_lines
from perceptag.tagging.naming import naming_for_tagging
from perceptag.tagging.running_text import input_format, read_sentences
from perceptag.tagging.tag_file import open_pipeline
from perceptag.text import Sentence
from perceptag.text.documents import as_document
from perceptag.text.format import FormatLike
from perceptag.text.formats import stream
from perceptag.text.plain_text import TEXT
from perceptag.text.text_layout import sentences_of


def explain_cli(
    model: ModelIn,
    reading: ColumnOptions,
    tokens: Annotated[
        list[str] | None,
        Argument(
            '["TOKEN TOKEN ..."]',
            "Text, if the model has a tokeniser; else tokens separated by spaces, with further columns "
            "after slashes: dog/NN.",
        ),
    ] = None,
    source: Annotated[str, Option("--input -i FILE", "A file instead of tokens; default without tokens: stdin.")] = "",
    sentence: Annotated[int, Option("N", "Number of the sentence in the file.", min=1)] = 1,
    token: Annotated[int | None, Option("I", "Only token I, counted from 1.", min=1)] = None,
    top: Annotated[int, Option("N", "Features to list for each token; 0: all.", min=0)] = TOP,
    raw: RawNames = False,
    order: Annotated[
        bool, Option("--order", "Show the order in which the tokens were labelled (learner guided).")
    ] = False,
    layer: Layer = "",
    rule_file: RulesIn = "",
    allow_code: AllowCode = False,
    json_: Json = False,
) -> None:
    """Show why a sentence gets its labels.

    Shows what each feature contributes to the label of a token and to the runner-up, and the margin between the two.
    A sentence of a file is explained in its document; non-local features come last. --order shows the order of
    decisions in the sentence, or in its document if the model labels documents as one sequence. With --rules, and for a
    pipeline that has rules for the labels of this layer, the rules are listed as features are.
    """
    if not tokens and not source and not sys.stdin.isatty():
        source = "-"
    if bool(tokens) == bool(source):
        found = "both" if tokens else "neither"
        raise SettingError(f'explain: expected tokens ("The dog barks") or a file (--input FILE), found {found}')
    _note_on_file(tokens or [])
    opened = open_pipeline(model, allow_code=allow_code, layer=layer, rules=rule_file)
    document, number = prepare(opened, " ".join(tokens or []), source, sentence, reading)
    if order:
        show_order(opened.top.ready, document, number, json_)
        return
    explanation = explain_document(opened.layers, document, argument="--layer")[number]
    if token is not None and token > len(explanation.tokens):
        raise SettingError(f"--token: expected a number from 1 to {len(explanation.tokens)}, found {token}")
    if json_:
        write_json(to_json(explanation, token))
    else:
        write_stdout(explanation.render(token, top=top, terminal=is_terminal(), raw=raw))


def _note_on_file(tokens: Sequence[str]) -> None:
    """Tell a user who names a file that it was taken as a word."""
    if len(tokens) == 1 and os.path.isfile(tokens[0]):  # noqa: PTH113 - it may be any text
        write_stderr(
            f"note: {tokens[0]} is taken as a word; it is also a file: --input {tokens[0]} explains a sentence of it"
        )


def prepare(
    opened: Pipeline, tokens: str, source: str, sentence: int, reading: ColumnOptions
) -> tuple[list[Sentence], int]:
    """The document and the place in it, from 0, of `tokens` or of number `sentence` of the file `source`."""
    if source:
        sentences = _sentences(opened, source, reading.format, reading.names)
        document, number = find_sentence(sentences, sentence, source)
    elif opened.tokenizer is not None:
        found = sentences_of(opened.tokenizer.tokenize(checked_text(tokens)))
        document, number = find_sentence(as_document(found), sentence, "the text")
    else:
        document, number = [parse_tokens(tokens, opened.inputs)], 0
    opened.add_lower(document)
    return document, number


def _sentences(opened: Pipeline, source: str, format_: FormatLike, columns: Sequence[str] | None) -> Iterable[Sentence]:
    if input_format(opened, source, format_, columns) is TEXT:
        return read_sentences(opened, source, TEXT)
    named = columns or naming_for_tagging(opened, opened.top.name, source)
    return stream(source, format_, named)


def show_order(ready: ReadyModel, document: list[Sentence], number: int, json_: bool) -> None:
    """Show when each token was labelled: in one sentence, or in the whole document if that is one sequence."""
    orders = ready.inference_orders(document)
    found = orders[number if len(orders) == len(document) else 0]
    if json_:
        write_json(found.to_dict())
    else:
        write_stdout(visible_lines(found.render()))


def parse_tokens(text: str, wanted: Sequence[str]) -> Sentence:
    """Tokens from one line. If the model uses several columns, a token is ``word/POS``, split from the right."""
    rows = [word.rsplit("/", len(wanted) - 1) for word in text.split()]
    if not rows:
        raise SettingError("explain: expected at least one token, found none")
    for word, row in zip(text.split(), rows, strict=True):
        if len(row) != len(wanted) or not all(row):
            raise SettingError(
                f"explain: expected each token as {'/'.join(wanted)}, the columns that the model uses, found {word!r}"
            )
        if any("\ud800" <= c <= "\udfff" for c in word):
            raise SettingError(f"explain: the token {word!r} is not valid UTF-8")
    return Sentence({name: [row[i] for row in rows] for i, name in enumerate(wanted)})


def to_json(explanation: Explained, token: int | None) -> dict[str, Any]:
    """An explanation; the details of tokens, or of the one that is asked for, are numbered from 1."""
    if not isinstance(explanation, Explanation):
        return explanation.to_dict()
    chosen = range(len(explanation.tokens)) if token is None else [token - 1]
    details = [{"number": t + 1, **asdict(explanation.details[t])} for t in chosen]
    return {**replace(explanation, details=()).to_dict(), "details": details}
