"""``perceptag build``: a pipeline for a language from a treebank, in one command."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated

from perceptag.building.builder import Builder
from perceptag.building.card import Figures, card_text, figures_table, measure
from perceptag.building.language_file import Language, read_language
from perceptag.building.names import read_names
from perceptag.building.treebank_folder import read_folder
from perceptag.cli.bar import Bar
from perceptag.cli.declare import Argument, Option
from perceptag.cli.options import Encoding, Json, Overwrite, Quiet, Threads
from perceptag.cli.streams import write_json, write_nothing, write_stderr, write_stdout, write_text
from perceptag.cli.training_run import Say
from perceptag.errors import DataError, SettingError
from perceptag.system.cores import cores
from perceptag.system.file_kinds import CARD as CARD_FILE
from perceptag.system.file_kinds import MODEL
from perceptag.system.given_file import FileFacts, GivenFile
from perceptag.system.plural import plural
from perceptag.system.replacing import check_output, kept_note

CARD = ".md"  # follows the name of the pipeline
PARTS = ".parts"


@dataclass(frozen=True, slots=True)
class Built:
    """A pipeline that was built."""

    pipeline: str
    sha256: str
    card: str
    layers: list[str]
    figures: Figures


def build_cli(
    language: Annotated[str, Argument("[LANG.toml]", "What to build; or --treebank and --output.")] = "",
    treebank: Annotated[str, Option("DIR", "A folder of CoNLL-U files: train, and dev if there is any.")] = "",
    output: Annotated[str, Option("--output -o OUT", "Where to write the pipeline.")] = "",
    parts: Annotated[
        str,
        Option("DIR", "Keep finished layers here, and use those that are there; default: OUT.parts, until the end."),
    ] = "",
    encoding: Encoding = "",
    threads: Threads = 0,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Build a pipeline for a language from a treebank.

    From CoNLL-U files of Universal Dependencies to one file that takes running text: sentences, tokens, words, parts of
    speech, features and lemmas, as far as the treebank has them. LANG.toml may also name data for named entities. Each
    layer learns from the predictions of the layers below it. Passes are chosen on the dev data; without any, a tenth of
    the training data is held out. OUT.md is the model card, with the scores of the CoNLL 2018 shared task; the pipeline
    contains it as well.

    An interrupted build continues when the command is given again. The same data and settings give the same file.
    """
    wanted = _wanted(language, treebank, output)
    wanted = replace(wanted, treebank=GivenFile(wanted.treebank, FileFacts(encoding)))
    _check_output(wanted, language, overwrite)
    note = write_nothing if quiet else write_stderr
    built = build(wanted, Path(parts) if parts else None, cores(threads), note, overwrite=overwrite)
    if json_:
        write_json(asdict(built))
    else:
        write_stdout(figures_table(built.figures))


def _wanted(language: str, treebank: str, output: str) -> Language:
    if language and (treebank or output):
        option = "--treebank" if treebank else "--output"
        raise SettingError(f"{option}: expected it, or {language}, which names both; found both")
    if Path(language).is_dir() and language:
        raise SettingError(f"LANG.toml: expected a file, found a folder; did you mean --treebank {language} -o OUT?")
    if language:
        return read_language(language)
    for option, value in (("--treebank", treebank), ("--output", output)):
        if not value:
            raise SettingError(f"{option}: expected it, or a file LANG.toml; found neither")
    return Language(treebank, output)


def _check_output(wanted: Language, language_file: str, overwrite: bool) -> None:
    """Refuse an output that is read, or that must not be replaced."""
    folder = Path(wanted.treebank)
    inputs = [language_file, *wanted.names, *wanted.text, *(map(str, folder.iterdir()) if folder.is_dir() else ())]
    check_output("--output", wanted.output, MODEL, inputs, overwrite=overwrite)
    check_output("--output", wanted.output + CARD, CARD_FILE, inputs, overwrite=overwrite)


def build(language: Language, parts: Path | None, threads: int, note: Say, *, overwrite: bool) -> Built:
    """Build a pipeline, and write it and its model card."""
    card = language.output + CARD
    data = read_folder(language.treebank, needs_tags=not language.names)
    names = read_names(language.names) if language.names else None
    folder = parts or Path(language.output + PARTS)
    if folder.exists() and not folder.is_dir():
        raise DataError("expected a folder for finished layers, found a file", str(folder))
    builder = Builder(language, data, folder, threads, note, names)
    note(f"{', '.join(data.files)}: {plural(len(data.train), 'sentence')} to train on, {len(data.dev)} to choose by")
    with Bar("building", builder.steps, "trainings") as bar:
        pipeline = builder.build(bar.advance)
    figures = measure(pipeline, data.dev, names)
    pipeline.card = card_text(builder, pipeline, figures)
    write_text(card, pipeline.card)
    told = "" if overwrite else kept_note(language.output)
    sha = pipeline.save(language.output, overwrite=overwrite)
    if told:
        note(told)
    if parts is None:
        builder.forget()
    note(f"saved {language.output} ({', '.join(pipeline.models)}) and {card}, sha256 {sha[:16]}")
    return Built(language.output, sha, card, list(pipeline.models), figures)
