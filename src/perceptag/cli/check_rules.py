"""``perceptag check --rules``: check rules on a corpus."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated

from perceptag.cli.declare import Argument, Option
from perceptag.cli.input_files import read_all
from perceptag.cli.options import AllowCode, Json, RulesIn, TextOptions
from perceptag.cli.streams import write_json, write_stderr, write_stdout
from perceptag.cli.table import Table, render
from perceptag.foreign.label_column import choose_label
from perceptag.labels.schemes import is_chunk_set
from perceptag.pipeline.rule_layers import rules_alone
from perceptag.rules.rules import Rules
from perceptag.system.platform.machine import resident_bytes
from perceptag.system.plural import plural
from perceptag.tagging.naming import format_of
from perceptag.tagging.running_text import ENDING, read_sentences, surely_columns
from perceptag.tagging.tag_file import open_pipeline
from perceptag.text.plain_text import TEXT
from perceptag.text.raw_text import read_blocks
from perceptag.text.sentence import Sentence

if TYPE_CHECKING:  # the help does not need it
    from perceptag.inspecting.rule_check import RuleFigures, RuleReport


def check_rules_cli(
    rules_file: RulesIn,
    corpus: Annotated[str, Argument("CORPUS", "Sentences, with or without labels, or text (.txt).")],
    reading: TextOptions,
    model: Annotated[str, Option("--model -m FILE", "Also count the spans that this model finds by itself.")] = "",
    allow_code: AllowCode = False,
    json_: Json = False,
) -> None:
    """Check rules on a corpus.

    Shows for each rule how often it fires and where. If the corpus has span labels, it shows how many of the spans
    have the same label there; with --model, how many of them the model finds by itself. Rules that never fire and
    pairs of rules that contradict each other are listed, each with an example.
    """
    from perceptag.inspecting.rule_check import check_rules

    before = resident_bytes() or 0
    rules = Rules.load(rules_file)
    if rules.phrases and before and not json_:
        taken = max((resident_bytes() or 0) - before, 0) / 1e6
        write_stderr(f"{rules_file}: {plural(rules.phrases, 'phrase')}, {taken:.0f} MB of memory")
    sentences = _read(rules, corpus, reading)
    report = check_rules(
        rules, sentences, _gold(sentences, corpus, reading), _found(model, rules, sentences, allow_code)
    )
    write_json(report.to_dict()) if json_ else write_stdout(show(report))
    if rules.inside_token:
        write_stderr(f"note: {rules.inside_token}")


def _read(rules: Rules, corpus: str, reading: TextOptions) -> list[Sentence]:
    if _is_text(corpus, reading):
        return list(read_sentences(rules_alone(rules, reading.tokenizer), corpus, TEXT))
    return read_all(corpus, reading.format, reading.names, "given")


def _is_text(corpus: str, reading: TextOptions) -> bool:
    """Whether the corpus is running text: --format says so, or a name in .txt, unless its lines are columns."""
    if reading.format or reading.columns or not corpus.endswith(ENDING):
        return reading.format == TEXT.name
    return not surely_columns("".join(islice(read_blocks(corpus), 1)))


def _gold(sentences: list[Sentence], corpus: str, reading: TextOptions) -> list[list[str]] | None:
    """The labels of the corpus, if they mark spans."""
    if not reading.label and len(sentences[0].columns) < 2:
        return None
    column = choose_label(sentences, reading.label, format_of(corpus, reading.format))
    labels = [sentence.columns[column] for sentence in sentences]
    return labels if is_chunk_set({label: 1 for one in labels for label in one}) else None


def _found(model: str, rules: Rules, sentences: list[Sentence], allow_code: bool) -> list[list[str]] | None:
    if not model:
        return None
    opened = open_pipeline(model, allow_code=allow_code)
    layer = rules.column if rules.column in opened.names else opened.top.name
    return [sentence.columns[layer] for sentence in opened.tag(sentences)]


def show(report: RuleReport) -> str:
    """The figures as a table, and what is wrong with the rules."""
    compared = [*(["right", "precision"] if report.gold else []), *(["repeats the model"] if report.model else [])]
    table = Table(["rule", "label", "fires", "chosen", *compared, "examples"], numbers=range(2, 4 + len(compared)))
    for one in report.rules:
        table.add(
            one.rule, one.label, str(one.fires), str(one.chosen), *_compared(one, report), "; ".join(one.examples)
        )
    lines = [render(table, f"{plural(len(report.rules), 'rule')} on {plural(report.sentences, 'sentence')}")]
    if report.never:
        lines.append(f"never fired: {', '.join(one.rule for one in report.never)}")
    if report.repeating:
        lines.append(f"found by the model, too, each time: {', '.join(one.rule for one in report.repeating)}")
    return "\n".join([*lines, *report.contradictions])


def _compared(one: RuleFigures, report: RuleReport) -> list[str]:
    precision = f"{100 * one.right / one.chosen:.1f} %" if one.chosen else "-"
    return [*([str(one.right), precision] if report.gold else []), *([str(one.repeats)] if report.model else [])]
