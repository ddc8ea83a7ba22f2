"""Split running text into sentences, and into documents for models that look at whole documents.

A text is one document up to a mark, which is a blank line with a form feed, or up to `LONGEST` tokens; the next
sentence begins another. So memory is bounded, and a text gives the same labels whether it is read all at once or in
parts. A user may want shorter documents, such as paragraphs, which are labelled when they are there (`DocumentRule`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from perceptag.errors import DataError, SettingError, brief
from perceptag.text.inputs import is_frame
from perceptag.text.lines import Source
from perceptag.text.raw_text import document_mark, parts, read_blocks
from perceptag.text.tokens import Passage, joined

if TYPE_CHECKING:
    from perceptag.models.tokenizer.model import TokenizerModel

LONGEST = 100_000  # tokens of a document
MARK, BLANK = "mark", "blank-line"  # what ends a document, in the words of users


def checked_text(text: object, where: str = "text") -> str:
    """Return a text; refuse anything else, and characters that no file can hold. `where` is for messages."""
    if not isinstance(text, str):
        hint = "; nlp.pipe(texts) takes several texts" if isinstance(text, Iterable) and where == "text" else ""
        if isinstance(text, (bytes, bytearray)):
            hint = "; text.decode('utf-8') makes a string of bytes"
        raise SettingError(f"{where}: expected a string, found {brief(text)}{hint}")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        found = f"the lone surrogate U+{ord(text[error.start]):04X}"
        raise DataError(f"expected text, found {found} at character {error.start}", where) from None
    if "\0" in text:
        raise DataError(f"expected text, found a NUL character at character {text.index(chr(0))}", where)
    return text


def listed_texts(texts: object) -> Iterable[object]:
    """Return several texts as they were given; refuse one text, a dictionary and a table."""
    if is_frame(texts):
        found = f"a {type(texts).__name__}; perceptag.tables.tag takes tables"
        raise SettingError(f"texts: expected a list of strings, found {found}")
    if isinstance(texts, (str, bytes, Mapping)) or not isinstance(texts, Iterable):
        raise SettingError(f"texts: expected a list of strings, found {brief(texts)}")
    return texts


class DocumentRule(NamedTuple):
    """What ends a document of running text, besides a mark and `LONGEST` tokens."""

    paragraphs: bool = False  # a blank line does
    sentences: int = 0  # so many sentences do; 0: no number of them
    at_once: bool = False  # a paragraph does not wait for the next one


MARKED = DocumentRule()


def document_rule(documents: object) -> DocumentRule:
    """Return the rule that a user means: ``mark``, ``blank-line``, or a number of sentences."""
    if documents in (None, "", MARK):
        return MARKED
    if isinstance(documents, DocumentRule):
        return documents
    if documents == BLANK:
        return DocumentRule(paragraphs=True, at_once=True)
    number = int(documents) if isinstance(documents, str) and documents.isascii() and documents.isdigit() else documents
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise SettingError(f"documents: expected {MARK}, {BLANK} or a number of sentences, found {brief(documents)}")
    return DocumentRule(sentences=number, at_once=True)


def read_passages(tokenizer: TokenizerModel, source: Source, rule: DocumentRule = MARKED) -> Iterator[Passage]:
    """Tokenise a file or a stream, as its parts come."""
    return passages(tokenizer, read_blocks(source), rule)


def passages(tokenizer: TokenizerModel, blocks: Iterable[str], rule: DocumentRule = MARKED) -> Iterator[Passage]:
    """Tokenise a stream of text, and mark the sentences with which documents begin."""
    place = 0
    documents = _Documents(rule)
    for part in parts(blocks, rule.at_once, tokenizer.rules.lines == "paragraph"):
        passage = tokenizer.tokenize_part(part, place)
        place += len(part)
        documents.mark(passage)
        yield passage


@dataclass(slots=True)
class _Documents:
    """Finds where documents begin, passage by passage."""

    rule: DocumentRule
    sentences: int = 0  # of the document so far
    tokens: int = 0
    has_ended: bool = True  # the next sentence begins a document

    def mark(self, passage: Passage) -> None:
        """Mark the sentences with which documents begin, and the passage if a document ends with it."""
        place = passage.start
        for sentence in passage.sentences:
            gap = passage.between(place, sentence.start)
            if self._ends(gap, is_paragraph=sentence.starts_paragraph):
                sentence.starts_document, self.sentences, self.tokens = True, 0, 0
            self.has_ended = False
            self.sentences += 1
            self.tokens += len(sentence)
            place = sentence.end
        gap = passage.between(place, passage.start + len(passage.text))
        self.has_ended = passage.ends_document = self._ends(gap, is_paragraph=bool(passage.sentences))

    def _ends(self, gap: str, is_paragraph: bool) -> bool:
        """Whether the document so far ends with this white space after its last sentence."""
        is_full = self.tokens >= LONGEST or 0 < self.rule.sentences <= self.sentences
        return self.has_ended or is_full or (self.rule.paragraphs and is_paragraph) or document_mark(gap) is not None


def whole_documents(found: Iterable[Passage]) -> Iterator[Passage]:
    """Put passages together so that each is one document."""
    held: list[Passage] = []
    for passage in found:
        for piece in _cut_at_documents(passage):
            if held and piece.sentences and piece.sentences[0].starts_document and any(p.sentences for p in held):
                yield joined(held)
                held = []
            held.append(piece)
        if passage.ends_document and any(p.sentences for p in held):
            yield joined(held)
            held = []
    if held:
        yield joined(held)


def _cut_at_documents(passage: Passage) -> Iterator[Passage]:
    begin, first = passage.start, 0
    for number, sentence in enumerate(passage.sentences):
        if number and sentence.starts_document:
            end = sentence.start
            yield Passage(passage.between(begin, end), begin, passage.sentences[first:number])
            begin, first = end, number
    end = passage.start + len(passage.text)
    yield Passage(passage.between(begin, end), begin, passage.sentences[first:])
