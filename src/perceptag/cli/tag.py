"""``perceptag tag``: tag a file or a stream."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Annotated, Any

from perceptag.cli import bar, completing
from perceptag.cli.bar import Bar
from perceptag.cli.declare import Argument, Option
from perceptag.cli.meant import meant
from perceptag.cli.options import (
    AllowCode,
    Layer,
    Lines,
    ModelIn,
    Overwrite,
    Quiet,
    RuleOptions,
    RulesIn,
    TextOptions,
    Threads,
)
from perceptag.cli.streams import write_losses, write_nothing, write_stderr
from perceptag.cli.text_lists import (
    TextListError,
    as_json_lines,
    hint_on_texts,
    is_json_stream,
    is_list,
    refuse_table,
    way_in,
)
from perceptag.errors import DataError, SettingError, brief
from perceptag.models.list_memory import MAX_NBEST
from perceptag.pipeline.installed import path_of
from perceptag.pipeline.pipeline import Pipeline
from perceptag.system.cores import cores
from perceptag.system.file_kinds import COLUMNS, LABELLED_COLUMNS
from perceptag.system.given_file import GivenFile, facts_of
from perceptag.system.output_files import is_stdout
from perceptag.system.plural import plural
from perceptag.system.replacing import check_output, is_same_file, refuse_input
from perceptag.tagging.job import BATCH, TagFileOptions, written_format
from perceptag.tagging.tag_file import open_pipeline, tag_file, written_layer
from perceptag.text.format import FormatLike
from perceptag.text.lines import Source, keeps_encoding

TABLES = (".csv", ".xls", ".xlsx", ".ods", ".html", ".docx", ".pdf", ".ann")  # names of what `tag` does not write


@dataclass(eq=False, repr=False)
class FolderOptions:
    """How many files are tagged into a folder."""

    out_dir: Annotated[str | None, Option("DIR", "Tag many files, in parts, each into a file of its name in DIR.")] = (
        None
    )
    on: Annotated[
        str,
        Option(
            "ENGINE",
            "With --out-dir: where to run: threads, processes, ray, ray:ADDRESS; default: threads. The results are the "
            "same.",
            complete=completing.engines,
        ),
    ] = ""
    part_size: Annotated[float, Option("MB", "With --out-dir: size of a part.", min=0.001, max=4096)] = 4.0
    as_parts: Annotated[bool, Option("--parts", "With --out-dir: leave the output in parts.")] = False


@dataclass(eq=False, repr=False)
class LabelOptions:
    """The labels to find, and what is written beside them."""

    replace: Annotated[
        bool, Option("--replace", "Replace the label column even if it seems to hold something else.")
    ] = False
    keep_given: Annotated[bool, Option("--keep-given", "Keep existing labels; label only tokens with '_'.")] = False
    nbest: Annotated[int | None, Option("N", "Write the N best labellings with scores.", min=1, max=MAX_NBEST)] = None
    confidence: Annotated[
        bool, Option("--confidence", "Add the probability that each label, or its span, is right.")
    ] = False
    min_confidence: Annotated[
        float, Option("P", "Below this confidence, spans become O and other labels '_'.", min=0, max=1)
    ] = 0.0
    batch: Annotated[
        int, Option("N", "Tokens per batch; 1: answer each sentence, or paragraph of text, at once.", min=1)
    ] = BATCH
    documents: Annotated[
        str,
        Option(
            "END",
            "What ends a document of running text: mark, blank-line, or a number of sentences; default: mark, with "
            "--batch 1 blank-line.",
        ),
    ] = ""


def tag_cli(
    *,
    model: ModelIn = "",
    rule_file: RulesIn = "",
    reading: TextOptions,
    lines: Lines = "",
    sources: Annotated[
        list[str] | None, Argument("[IN]...", "The file to tag; default: stdin. With --out-dir: files and patterns.")
    ] = None,
    output: Annotated[str, Option("--output -o OUT", "Where to write; default: stdout.")] = "-",
    folder: FolderOptions,
    in_place: Annotated[bool, Option("--in-place", "Overwrite the input file.")] = False,
    to: Annotated[
        str,
        Option(
            "FORMAT",
            "columns, conllu, jsonl, parquet, text, inline; default: as the input; for text: columns.",
            complete=completing.formats,
        ),
    ] = "",
    pretty: Annotated[
        bool, Option("--pretty", "Write for reading: spans in colour on a terminal, else in brackets.")
    ] = False,
    layer: Layer = "",
    how: LabelOptions,
    threads: Threads = 0,
    overwrite: Overwrite = False,
    allow_code: AllowCode = False,
    quiet: Quiet = False,
) -> None:
    """Tag a file or a stream.

    Adds the label column, or replaces an existing one; --keep-given keeps its labels, and finds the best ones for
    tokens with '_'. A column file must have the columns of the training data, with or without the labels.

    With a pipeline that starts with a tokeniser, or with --tokenizer, standard input and .txt files are running text,
    unless --format or --columns says otherwise. Every layer adds a column; in CoNLL-U it goes into the column of its
    name, else into misc (NER=B-PER). Lists of texts and tables of words are tagged as JSON lines.

    --confidence needs a calibrated model: trained with --dev. --rules adds the spans that the rules of a file find;
    without --model the rules are the tagger.

    Running text is one document up to a mark, a blank line with a form feed (Ctrl-L), or 100,000 tokens. With --batch 1
    each paragraph is answered when its blank line arrives.

    --out-dir tags many files, or very large ones, on all cores or, with --on ray, on a cluster. Each output is the same
    as without it. An interrupted command continues where it stopped.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy would start threads for algebra that tagging has none of
    options: dict[str, Any] = {**reading.arguments, "to": to or None, **vars(how)}
    if pretty and to:
        raise SettingError(f"--pretty: expected no --to, since it is a format of its own; found {to!r}")
    note = write_losses if quiet else write_stderr
    opening: dict[str, Any] = {"layer": layer, "allow_code": allow_code, "note": note}
    if folder.out_dir is not None:
        _refuse_with_folder(folder.out_dir, reading, rule_file, lines)
        for option, given in {"--pretty": pretty, "--output": output != "-", "--in-place": in_place}.items():
            if given:
                raise SettingError(f"--out-dir and {option}: give one of them, not both")
        _tag_into_folder(model, sources or [], folder, threads, {**opening, "overwrite": overwrite, **options})
        return
    source = _only(sources or [GivenFile("-", reading.facts)], folder, model or rule_file)
    target = _target(source, output, in_place, to)
    is_seen = is_stdout(target) and sys.stdout.isatty()  # the output itself shows how far it is
    shown = bar.reading("tagging", source, hide=is_seen)
    if source == "-" and not (reading.format or reading.columns) and is_json_stream():
        options["format"] = "jsonl"
    with shown, _recognised(source, reading) as has_list:
        opening |= {"rule_file": rule_file, "tokenizer": reading.tokenizer, "pretty": pretty}
        opening |= {"lines": lines, "threads": cores(threads), "overwrite": overwrite or in_place}
        tokens = tag(model, source, target, has_list=has_list and not in_place, **opening, **options)
    if target != "-":
        note(f"tagged {plural(tokens, 'token')}: {target}")


def _refuse_with_folder(folder: str, reading: TextOptions, rule_file: str, lines: str) -> None:
    """Refuse what the workers that tag into a folder cannot do."""
    if lines:
        raise SettingError("--lines: --out-dir takes it inside a pipeline: 'perceptag pipeline MODEL --lines …'")
    if not folder:
        raise SettingError("--out-dir: expected the name of a folder, found ''")
    if reading.encoding not in ("", "auto"):
        raise SettingError("--encoding and --out-dir: give one of them, not both; parts of files are read as UTF-8")
    if rule_file:
        raise SettingError("--rules: --out-dir takes rules inside a pipeline: 'perceptag pipeline MODEL --rules FILE'")
    if reading.tokenizer:
        raise SettingError(
            "--tokenizer: --out-dir takes a tokeniser inside a pipeline: 'perceptag pipeline TOKENIZER MODEL'"
        )


def _tag_into_folder(
    model: str, sources: list[str], folder: FolderOptions, workers: int, options: dict[str, Any]
) -> None:
    from perceptag.cluster.parts import expand  # a single file need not wait for it
    from perceptag.cluster.tagging import tag_files

    if not sources or "-" in sources:
        raise SettingError("--out-dir: expected names of files or patterns, found standard input")
    paths = expand(sources)
    lists = [path for path in paths if _is_list(path, options["format"])]
    target = folder.out_dir or ""
    options |= {"on": folder.on or "threads", "workers": workers, "as_parts": folder.as_parts}
    if lists:
        options["note"](_noted(lists))
    with Bar("tagging", None, "parts") as shown:
        options |= {"part_bytes": round(folder.part_size * 1e6), "progress": shown.show if bar.is_wanted() else None}
        done = tag_files(model, paths, target, lists=lists, read_list=as_json_lines, **options)
    options["note"](f"tagged {done.told()}: {target}")


def _noted(lists: list[str]) -> str:
    """Say of files that they are lists of texts."""
    others = f" and {plural(len(lists) - 1, 'other file')}" if len(lists) > 1 else ""
    return f"note: {lists[0]}{others}: {'lists' if others else 'a list'} of texts; each of them is a document"


def _only(sources: list[str], folder: FolderOptions, model: str) -> str:
    """The one file to tag without --out-dir."""
    if folder.on or folder.as_parts:
        raise SettingError(f"{'--on' if folder.on else '--parts'}: expected --out-dir DIR, for the tagged files")
    if len(sources) > 1:
        hint = "" if model else next(filter(None, (meant(word, ["--model"]) for word in sources)), "")
        raise SettingError(f"expected one file, or --out-dir DIR for several; found {len(sources)} files{hint}")
    if not model and (hint := meant(sources[0], ["--model"])):
        raise SettingError(f"--model: expected a model, found none{hint}")
    exists = os.path.exists(sources[0])  # noqa: PTH110 - text may be longer than a name can be, an error of `Path`
    if sources[0] != "-" and any(map(str.isspace, sources[0])) and not exists:
        raise SettingError(f"{brief(sources[0])}: expected a file, found none; text itself comes from standard input")
    if Path(sources[0]).is_dir():
        raise SettingError(f"{sources[0]} is a folder: expected a file, or '{sources[0]}/*.txt' with --out-dir DIR")
    return sources[0]


@contextmanager
def _recognised(source: str, reading: TextOptions) -> Iterator[bool]:
    """Tell whether a file is a list of texts. Refuse those of other tools, and say what makes sentences of them."""
    has_list = (source != "-" or not reading.columns) and _is_list(source, reading.format)
    hint = hint_on_texts(source) if source == "-" else ""  # before it is read
    try:
        yield has_list
    except TextListError:
        raise
    except DataError as error:
        if _is_unnamed(source, reading.format):
            raise _explained(error, source) from None
        is_unread = hint and "'tokens'" in str(error)  # other errors are of a record, not of all
        raise (DataError(f"{error}; {hint}") if is_unread else error) from None


def _is_unnamed(source: str, format_: FormatLike) -> bool:
    """Return whether a file must show by itself what it is."""
    return not format_ and source != "-" and Path(source).is_file()


def _is_list(source: str, format_: FormatLike) -> bool:
    """Return whether a file is a list of texts or of words. Refuse other tables."""
    if is_list(source, format_):
        return True
    if not format_ and (source == "-" or Path(source).is_file()):
        refuse_table(source, "; --format columns takes the header as a word")
    return False


def _explained(error: DataError, source: str) -> DataError:
    """An error about the content of a file, with what else the file looks like."""
    from perceptag.foreign.file_hints import explained
    from perceptag.foreign.intake import recognise

    try:
        found = recognise(source)
    except DataError:
        found = None
    ways = [way_in(found.title, source) if found else "", "" if facts_of(source).text else hint_on_texts(source)]
    return explained(error, "; ".join(filter(None, ways)))


def _target(source: str, output: str, in_place: bool, to: str) -> str:
    """Where the tagged text goes. The file that it comes from is replaced only if that is asked for."""
    if not to and PurePath(output).suffix.lower() in TABLES:
        raise SettingError(f"--output: {output}: tag writes no such files: --to names a format, such as --to columns")
    is_same = output != "-" and is_same_file(output, source)
    if is_same and not in_place:
        raise SettingError(f"--output: {output} is the file to tag; --in-place lets it be replaced")
    if in_place and source == "-":
        raise SettingError("--in-place: expected a file to tag, found standard input")
    if in_place and not keeps_encoding(source):
        raise SettingError("--in-place: expected a file in UTF-8, as output is; --output writes another file")
    if in_place and output != "-" and not is_same:
        raise SettingError("--in-place and --output: give one of them, not both")
    if not in_place:
        refuse_input("--output", output, [source])
    return source if in_place else output


def _without_lemmas(opened: Pipeline) -> Pipeline:
    """The pipeline up to its last layer that does not give lemmas, which would stand behind every word."""
    names = [layer.name for layer in opened.layers if not layer.ready.model.label_set.is_open]
    return opened.upto(names[-1]) if names else opened


def _pretty_format(opened: Pipeline) -> FormatLike:
    from perceptag.tagging.pretty import pretty_format

    return pretty_format([layer.name for layer in opened.layers[:-1] if layer.scheme != "none"])


def tag(
    model: str,
    source: str = "-",
    target: str = "-",
    *,
    layer: str = "",
    rule_file: str = "",
    tokenizer: str = "",
    allow_code: bool = False,
    note: Callable[[str], object] = write_nothing,
    lines: str = "",
    pretty: bool = False,
    overwrite: bool = False,
    has_list: bool = False,
    **options: Any,
) -> int:
    """Tag `source` into `target` with the model in a file, with rules, or with both; return the number of tokens.

    `has_list`: the file is a list of texts or of words, which are tagged as JSON lines.
    """
    refuse_input("--output", target, [model and path_of(model), rule_file, tokenizer])
    opened = open_pipeline(model, allow_code=allow_code, layer=layer, rules=rule_file, tokenizer=tokenizer)
    if lines:
        opened = RuleOptions(lines=lines).put_into(opened)
    if last := written_layer(opened, layer, options.get("to")):
        opened = opened.upto(last)
    if pretty:
        opened = opened if layer else _without_lemmas(opened)
        options["to"] = _pretty_format(opened)
    texts: Source = source
    if has_list:
        texts, options["format"] = as_json_lines(source, opened, note), "jsonl"
    chosen = TagFileOptions(**options)
    kind = written_format(opened, texts, target, chosen).kind
    check_output("--output", target, LABELLED_COLUMNS if kind is COLUMNS else kind, overwrite=overwrite)
    return tag_file(opened, texts, target, chosen, note=note)
