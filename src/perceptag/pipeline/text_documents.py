"""Split running text into sentences, and into documents for models that look at whole documents.

A text is one document up to `LONGEST` tokens; the next sentence begins another. So memory is bounded, and a text gives
the same labels whether it is read all at once or part by part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from perceptag.errors import DataError, SettingError, brief
from perceptag.text.lines import Source
from perceptag.text.raw_text import parts, read_blocks
from perceptag.text.tokens import Passage, joined

if TYPE_CHECKING:
    from perceptag.models.tokenizer.model import TokenizerModel

LONGEST = 100_000  # tokens of a document


def checked_text(text: object, where: str = "text") -> str:
    """Return a text; refuse anything else, and characters that no file can hold. `where` is for messages."""
    if not isinstance(text, str):
        several = "; nlp.pipe(texts) takes several texts" if isinstance(text, Iterable) and where == "text" else ""
        raise SettingError(f"{where}: expected a string, found {brief(text)}{several}")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        found = f"the lone surrogate U+{ord(text[error.start]):04X}"
        raise DataError(f"expected text, found {found} at character {error.start}", where) from None
    if "\0" in text:
        raise DataError(f"expected text, found a NUL character at character {text.index(chr(0))}", where)
    return text


def read_passages(tokenizer: TokenizerModel, source: Source) -> Iterator[Passage]:
    """Tokenise a file or a stream, as its parts come."""
    return passages(tokenizer, read_blocks(source))


def passages(tokenizer: TokenizerModel, blocks: Iterable[str]) -> Iterator[Passage]:
    """Tokenise a stream of text, and mark the sentences with which documents begin."""
    place = 0
    size = LONGEST  # of the document so far: the first sentence begins one
    for part in parts(blocks):
        passage = tokenizer.tokenize_part(part, place)
        place += len(part)
        for sentence in passage.sentences:
            if size >= LONGEST:
                sentence.starts_document, size = True, 0
            size += len(sentence.tokens)
        yield passage


def whole_documents(found: Iterable[Passage]) -> Iterator[Passage]:
    """Put passages together so that each is one document."""
    held: list[Passage] = []
    for passage in found:
        for piece in _cut_at_documents(passage):
            if held and piece.sentences and piece.sentences[0].starts_document and any(p.sentences for p in held):
                yield joined(held)
                held = []
            held.append(piece)
    if held:
        yield joined(held)


def _cut_at_documents(passage: Passage) -> Iterator[Passage]:
    begin, first = passage.start, 0
    for number, sentence in enumerate(passage.sentences):
        if number and sentence.starts_document:
            end = sentence.tokens[0].start
            yield Passage(passage.between(begin, end), begin, passage.sentences[first:number])
            begin, first = end, number
    end = passage.start + len(passage.text)
    yield Passage(passage.between(begin, end), begin, passage.sentences[first:])
