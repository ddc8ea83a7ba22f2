"""``perceptag classes``: learn word classes from plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Annotated, Any, cast

from perceptag.classes import class_checkpoint as checkpoint
from perceptag.classes.clustering import ClassPass, Clustering
from perceptag.classes.counting import MIN_COUNT, Counted, Counting, checked_sizes
from perceptag.cli.bar import BYTES, Bar
from perceptag.cli.declare import Argument, Option
from perceptag.cli.options import Encoding, Json, Overwrite, Quiet, Threads
from perceptag.cli.streams import refuse_json_behind, write_json, write_nothing, write_stderr
from perceptag.cli.tokenizers import open_tokenizer
from perceptag.cli.training_run import Keeping, Say, check_target, checkpoint_of
from perceptag.errors import DataError, SettingError
from perceptag.models.class_file import write_classes
from perceptag.pipeline.installed import path_of
from perceptag.system.cores import cores
from perceptag.system.file_kinds import CLASSES
from perceptag.system.given_file import FileFacts, GivenFile
from perceptag.system.interrupts import INTERRUPTED
from perceptag.system.memory import no_search_for_cycles
from perceptag.system.plural import plural
from perceptag.tagging.running_text import look_for_columns
from perceptag.text.compressed import decompressed
from perceptag.text.formats import by_ending, by_name
from perceptag.text.lines import whole_lines
from perceptag.text.plain_text import TEXT
from perceptag.text.token_formats import form_of


@dataclass(eq=False, repr=False)
class ClassOptions:
    """How texts are read, counted and clustered."""

    sizes: Annotated[str, Option("N,N,...", "Numbers of classes; each word gets one class of each size.")] = (
        "64,256,800"
    )
    fold: Annotated[
        list[str] | None,
        Option("WHAT", "digits: replace by 0; lower: lower case; case: find words in any case; repeatable."),
    ] = None
    min_count: Annotated[int, Option("N", "Rarer words get no class.", min=1, max=2**31)] = MIN_COUNT
    tokenizer: Annotated[
        str, Option("MODEL", "For running text: a tokeniser or a pipeline, a file or an installed model.")
    ] = ""
    format_: Annotated[
        str,
        Option(
            "--format -f FORMAT",
            "text (sentences on lines, tokens separated by spaces), columns, conllu, jsonl; default: by the file name.",
        ),
    ] = ""
    encoding: Encoding = ""
    threads: Threads = 0


def classes_cli(
    texts: Annotated[list[str], Argument("TEXT...", "Files of text, gzipped or not; '-': stdin.")],
    output: Annotated[str, Option("--output -o OUT", "Where to write the classes.")],
    how: ClassOptions,
    resume: Annotated[bool, Option("--resume", "Continue from OUT.checkpoint if it exists.")] = False,
    restart: Annotated[bool, Option("--restart", "Start again, and replace OUT.checkpoint if it exists.")] = False,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Learn word classes from plain text.

    Words with similar neighbours get the same class. Ctrl-C keeps a checkpoint of the last complete passes. The same
    command with --resume counts the text again and continues; the file is that of an uninterrupted run.
    """
    if json_:
        refuse_json_behind("--output", output)
    outcome = classes(texts, output, how, Keeping(resume, restart, overwrite), quiet)
    if json_:
        write_json(outcome)
    if outcome["interrupted"]:
        raise SystemExit(INTERRUPTED)


def parse_sizes(text: str) -> tuple[int, ...]:
    """The numbers in ``--sizes 64,256``."""
    try:
        numbers = [int(word) for word in text.split(",")]
    except ValueError:
        raise SettingError(f"--sizes: expected whole numbers separated by commas, found {text!r}") from None
    with _named_as_option():
        return checked_sizes(numbers)


@contextmanager
def _named_as_option() -> Iterator[None]:
    """Let a message name an option, such as ``--sizes``, and not the argument of a function."""
    try:
        yield
    except (DataError, SettingError) as error:
        raise type(error)(f"--{error}") from None


def classes(texts: Sequence[str], output: str, how: ClassOptions, keeping: Keeping, quiet: bool) -> dict[str, Any]:
    """Count the texts, cluster their words and write the classes; return what happened, for JSON."""
    note = write_nothing if quiet else write_stderr
    sizes, read = parse_sizes(how.sizes), reader_of(how.format_, how.tokenizer)
    with _named_as_option():
        counting = Counting(how.fold or ())
    inputs = [*texts, how.tokenizer and path_of(how.tokenizer)]
    check_target(output, inputs, "--output", CLASSES, overwrite=keeping.overwrite)
    keeping.check(output)
    given = [GivenFile(text, FileFacts(how.encoding)) for text in texts]
    counted = _count(given, counting, read, how.min_count)
    for line in _summary(counted):
        note(line)
    with _named_as_option():
        clustering = Clustering(counted, sizes)
    saving = Saving(clustering, checkpoint_of(output), keeping.every_of(output) != 0, note)
    saving.begin(keeping)
    if not _run(clustering, cores(how.threads), saving, quiet):
        saving.interrupted()
        return {"output": output, "sha256": None, "interrupted": True, **counted.facts}
    sha = write_classes(clustering.result(), output, clustering.facts())
    saving.remove()
    note(f"saved {output}, sha256 {sha[:16]}")
    return {"output": output, "sha256": sha, "interrupted": False, "sizes": list(sizes), **clustering.facts()}


def _count(texts: Sequence[str], counting: Counting, read: Reader, min_count: int) -> Counted:
    with no_search_for_cycles(), Bar("counting", size_of(texts), BYTES) as bar:
        count_texts(texts, counting, read, bar)
    try:
        return counting.finish(min_count)
    except DataError as error:
        raise DataError(str(error), where=", ".join("<stdin>" if text == "-" else text for text in texts)) from None


def _summary(counted: Counted) -> list[str]:
    facts, words = counted.facts, len(counted.counts)
    lines = [
        f"text: {plural(facts['sentences'], 'sentence')}, {plural(facts['tokens'], 'word')}, "
        f"{facts['types']} different ones, {words} of them seen {facts['min_count']} times or more"
    ]
    if facts["tokens"] == facts["sentences"]:
        lines.append(
            "note: every sentence is a single word, so words have no neighbours to be classified by; a text needs a "
            "sentence on each line, and --format columns reads one word on each line"
        )
    if facts["dropped_words"]:
        lines.append(f"note: {facts['dropped_words']} rare words were dropped to save memory while counting")
    if facts["dropped_bigrams"]:
        lines.append(f"note: {facts['dropped_bigrams']} rare bigrams were dropped to save memory")
    return lines


def _run(clustering: Clustering, threads: int, saving: Saving, quiet: bool) -> bool:
    """Run all passes; return False if the user interrupted."""
    words, most = len(clustering.counted.counts), clustering.most_passes
    try:
        with closing(clustering.run(threads)) as passes:
            for _ in _shown(passes, words, most, len(clustering.sizes), quiet):
                saving.after_pass()
    except KeyboardInterrupt:
        return False
    return True


@dataclass
class Saving:
    """The checkpoint of a run, in one file."""

    clustering: Clustering
    path: str
    is_wanted: bool
    note: Say
    _is_there: bool = False  # whether this run wrote, resumed or replaces the file

    def begin(self, keeping: Keeping) -> None:
        """Continue from the checkpoint of an earlier run, or let it be replaced."""
        exists = Path(self.path).is_file()
        if keeping.resume and not exists:
            self.note(f"note: there is no {self.path}, so clustering starts from the beginning")
        elif keeping.resume:
            checkpoint.restore(self.clustering, self.path)
            self.note(f"resumed from {self.path}: {self._passes()}")
        elif keeping.restart and exists:
            self.note(f"note: {self.path} of an earlier run is replaced")
        self._is_there = exists and (keeping.resume or keeping.restart)

    def _passes(self) -> str:
        done = self.clustering.progress.items()
        return ", ".join(
            f"{plural(len(progress.passes), 'pass')} of {plural(size, 'class')}" for size, progress in done
        )

    def after_pass(self) -> None:
        """Write a checkpoint. If that fails the work continues without."""
        if not self.is_wanted:
            return
        try:
            checkpoint.write(self.clustering, self.path)
            self._is_there = True
        except DataError as error:
            self.note(f"warning: no more checkpoints in this run: {error}")
            self.is_wanted = False

    def interrupted(self) -> None:
        """Tell the user how to continue."""
        if self._is_there:
            self.note(f"interrupted: --resume continues from {self.path}: {self._passes()}")
        else:
            self.note("interrupted before the first pass had ended: nothing was saved")

    def remove(self) -> None:
        """Delete the checkpoint once the classes are saved."""
        if self._is_there:
            Path(self.path).unlink(missing_ok=True)


def _shown(passes: Iterable[ClassPass], words: int, most: int, sizes: int, quiet: bool) -> Iterator[ClassPass]:
    """Show each pass; the caller gets it. There are at most `most` for each of the `sizes`."""
    done: dict[int, int] = {}
    with Bar("clustering", most * sizes, "passes") as bar:
        for report in passes:
            done[report.size] = most if report.is_last else report.number
            bar.done = sum(done.values())
            bar.what = f"{report.size} classes, {report.moved} of {words} words moved"
            if report.is_last and not quiet:
                write_stderr(_line(report))
            yield report


def _line(report: ClassPass) -> str:
    """One size in a line."""
    passes = plural(report.number, "pass")
    return f"{plural(report.size, 'class')}: {passes}, {-report.likelihood:.3f} bits for each word"


_AT_ONCE = 256  # sentences between two looks at the clock

Read = Callable[[IO[bytes], Counting], Iterator[None]]  # counts a stream; yields now and then
Reader = Callable[[str], Read]  # how to read a file of this name


def count_texts(sources: Sequence[str], counting: Counting, reader: Reader, bar: Bar) -> None:
    """Count all texts; the bar shows how many bytes have been read."""
    done = 0
    for source in sources:
        with decompressed(source) as stream:
            read = reader(source)
            for _ in read(cast("IO[bytes]", stream), counting):
                bar.done = done + stream.place()
            done += stream.place()


def reader_of(format_: str, tokenizer: str) -> Reader:
    """The way to read that the user asks for. A tokeniser is for files whose names do not say that they have tokens."""
    if format_ and tokenizer:
        raise SettingError("--format and --tokenizer: give one of them, not both")
    plain = running_text(tokenizer) if tokenizer else _text_by_spaces
    chosen = by_format(format_) if format_ else None

    def way(source: str) -> Read:
        found = by_ending(source)
        name = found.name if found else TEXT.name
        return chosen or (plain if name == TEXT.name else by_format(name))

    return way


def size_of(sources: Sequence[str]) -> int | None:
    """The bytes of all files; None if one of them is not a regular file."""
    if not all(Path(source).is_file() for source in sources):
        return None
    return sum(Path(source).stat().st_size for source in sources)


def by_format(name: str) -> Read:
    """A reader of tokens by spaces, for "text", or of labelled sentences."""
    if name == TEXT.name:
        return tokens_by_spaces
    format_ = by_name(name)

    def labelled(stream: IO[bytes], counting: Counting) -> Iterator[None]:
        for number, sentence in enumerate(format_.read(stream, None)):
            counting.add_sentence(sentence.tokens)
            if number % _AT_ONCE == 0:
                yield

    return labelled


def tokens_by_spaces(stream: IO[bytes], counting: Counting) -> Iterator[None]:
    """Count sentences on lines, with spaces between the words."""
    for block in whole_lines(stream):
        counting.add_text(block.text)
        yield


def _text_by_spaces(stream: IO[bytes], counting: Counting) -> Iterator[None]:
    """Do the same for a file that is taken as text by its name: refuse columns, whose labels would be words."""
    for number, block in enumerate(whole_lines(stream)):
        if number == 0:
            look_for_columns(block.text, block.source, write_nothing)
        counting.add_text(block.text)
        yield


def running_text(model: str) -> Read:
    """A reader of text that a tokeniser cuts into sentences and words."""
    tokenizer = open_tokenizer(path_of(model))

    def tokenized(stream: IO[bytes], counting: Counting) -> Iterator[None]:
        for passage in tokenizer.stream(stream):
            for sentence in passage.sentences:
                counting.add_sentence([form_of(word) for token in sentence.tokens for word in token.words])
            yield

    return tokenized
