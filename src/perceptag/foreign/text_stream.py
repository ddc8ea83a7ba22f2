"""JSON lines of texts as JSON lines of sentences, one after the other as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from perceptag.errors import DataError, LostLabel
from perceptag.foreign import bare_texts
from perceptag.foreign.json_records import Record, record_in, with_text_under
from perceptag.foreign.read_export import Tokenize, as_jsonl, sentences_in
from perceptag.foreign.texts import keys_of
from perceptag.text.lines import Source, name_of, whole_lines


class SentenceStream:
    """A stream of bytes: the sentences of a line are there when the line is."""

    def __init__(
        self, source: Source, tokenize: Tokenize, text_key: str = "", note: Callable[[str], object] = str
    ) -> None:
        """`text_key`: the key of the texts, if the user names it; then other keys may be labels. `note` gets losses."""
        self.name = name_of(source)
        self._source, self._tokenize, self._key, self._note = source, tokenize, text_key, note
        self._lines = self.texts()

    def read(self, size: int = -1) -> bytes:
        """Return the sentences of the next text, or of all texts; nothing at the end."""
        return b"".join(self._lines) if size < 0 else next(self._lines, b"")

    def texts(self) -> Iterator[bytes]:
        """Yield the sentences of each text."""
        lost: dict[str, None] = {}
        for number, record in enumerate(self._records()):
            [text] = bare_texts.read([record])
            lost |= dict.fromkeys(text.left_out)
            made = list(sentences_in(text, number, self._tokenize, []))
            if made:
                yield as_jsonl(made)
            else:
                self._note(LostLabel(f"note: {text.where}: left out: a text without words"))
        if lost:
            told = f"left out, since sentences have no place for it: {', '.join(map(repr, lost))}"
            self._note(LostLabel(f"note: {told}"))

    def _records(self) -> Iterator[Record]:
        for block in whole_lines(self._source):
            for number, line in enumerate(block.text.split("\n"), block.line):
                if line.strip():
                    found = record_in(line, f"{block.source}:{number}")
                    yield _with_text(found, self._key) if self._key else _bare(found)


def _with_text(record: Record, key: str) -> Record:
    if named := with_text_under([record], key):
        return named[0]
    raise DataError(f"--text: expected a key {key!r}, found {keys_of(record.value)}", record.where)


def _bare(record: Record) -> Record:
    if bare_texts.has_lists(record.value):
        raise DataError("expected a text without labels, as before, found lists or objects", record.where)
    return record
