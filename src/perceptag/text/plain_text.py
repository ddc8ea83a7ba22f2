"""Plain text formats: running text, and words with labels appended; only some commands use them.

    text     Angela Merkel didn't visit Paris.           read with a tokeniser; written with spaces between the tokens
    inline   Angela/B-PER Merkel/I-PER did/O n't/O …     written only: sentences on lines, the last column after "/"

White space inside a token is written as "_".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any

from perceptag.errors import DataError, SettingError
from perceptag.system import file_kinds
from perceptag.system.output_files import Target, text_writer
from perceptag.text.compressed import open_output
from perceptag.text.format import Format, Names
from perceptag.text.lines import Source
from perceptag.text.sentence import Sentence
from perceptag.text.text_layout import TextLayout
from perceptag.text.token_formats import without_space


def read_text(source: Source, columns: Names | None = None) -> Iterator[Sentence]:
    """Refuse: text has no sentences before a tokeniser has found them."""
    del columns
    raise SettingError(
        f"format text: {source}: running text is read by 'tag' and 'explain', with a pipeline that begins with a "
        "tokeniser; this needs a file of sentences"
    )


def read_inline(source: Source, columns: Names | None = None) -> Iterator[Sentence]:
    """Refuse: a slash may be part of a word or of a label."""
    del columns
    expected = "columns, conllu, jsonl, parquet or text"
    raise SettingError(f"format inline: {source}: it is for output only; expected {expected}, or no --format")


def write_text(sentences: Iterable[Sentence], target: Target) -> None:
    """Write a sentence on each line, with spaces between its tokens, and without labels."""
    with open_output(target, TEXT.kind) as stream:
        _write_lines(sentences, stream, _tokens)


def write_inline(sentences: Iterable[Sentence], target: Target) -> None:
    """Write a sentence on each line, with the value of the last column behind each word."""
    with open_output(target, INLINE.kind) as stream:
        _write_lines(sentences, stream, _labelled)


def _write_lines(sentences: Iterable[Sentence], stream: IO[Any], items: Callable[[Sentence], Iterable[str]]) -> None:
    put = text_writer(stream)
    for sentence in sentences:
        put(" ".join(map(without_space, items(sentence))) + "\n")


def _tokens(sentence: Sentence) -> Iterable[str]:
    layout = sentence.layout
    return [token.text for token in layout.tokens] if isinstance(layout, TextLayout) else sentence.tokens


def _labelled(sentence: Sentence) -> Iterable[str]:
    *others, labels = sentence.columns.values()
    if not others:
        raise DataError(f"format inline: expected labels, found only {', '.join(sentence.columns)}", sentence.where())
    return [f"{word}/{label}" for word, label in zip(sentence.tokens, labels, strict=True)]


TEXT = Format(name="text", title="running text", read=read_text, write=write_text)
INLINE = Format(
    name="inline",
    kind=file_kinds.INLINE,
    title="text with labels",
    read=read_inline,
    write=write_inline,
    shows_last=True,
)
