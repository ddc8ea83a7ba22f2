"""The texts that words are clustered by: tokens by spaces, labelled sentences, or running text and a tokeniser."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, cast

from perceptag.classes.counting import Counting
from perceptag.cli.tokenize import open_tokenizer
from perceptag.errors import SettingError
from perceptag.pipeline.installed import path_of
from perceptag.text.compressed import decompressed
from perceptag.text.formats import by_ending, by_name
from perceptag.text.lines import whole_lines
from perceptag.text.plain_text import TEXT
from perceptag.text.token_formats import form_of

_AT_ONCE = 256  # sentences between two looks at the clock

Advance = Callable[[int], None]  # is told how many bytes of all files have been read
Read = Callable[[IO[bytes], Counting], Iterator[None]]  # counts a stream; yields now and then
Reader = Callable[[str], Read]  # how to read a file of this name


def count_texts(sources: Sequence[str], counting: Counting, reader: Reader, advance: Advance) -> None:
    """Count all texts."""
    done = 0
    for source in sources:
        with decompressed(source) as stream:
            read = reader(source)
            for _ in read(cast("IO[bytes]", stream), counting):
                advance(done + stream.place())
            done += stream.place()


def reader_of(format_: str, tokenizer: str) -> Reader:
    """The way to read that the user asks for. A tokeniser is for files whose names do not say that they have tokens."""
    if format_ and tokenizer:
        raise SettingError("--format and --tokenizer: give one of them, not both")
    plain = running_text(tokenizer) if tokenizer else tokens_by_spaces
    chosen = by_format(format_) if format_ else None

    def way(source: str) -> Read:
        name = _format_of(source)
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


def running_text(model: str) -> Read:
    """A reader of text that a tokeniser cuts into sentences and words."""
    tokenizer = open_tokenizer(path_of(model))

    def tokenized(stream: IO[bytes], counting: Counting) -> Iterator[None]:
        for passage in tokenizer.stream(stream):
            for sentence in passage.sentences:
                counting.add_sentence([form_of(word) for token in sentence.tokens for word in token.words])
            yield

    return tokenized


def _format_of(source: str) -> str:
    """The format that the ending of a name means."""
    found = by_ending(source)
    return found.name if found else TEXT.name
