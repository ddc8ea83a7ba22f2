"""Writers of tokenised text.

columns   a word on each line, a blank line after each sentence; white space inside a word becomes "_"
conllu    CoNLL-U; from the column misc the text can be put together again (`perceptag.text.treebank`)
jsonl     a JSON object for each sentence, with the places of the tokens in the text
text      a sentence on each line, tokens separated by spaces; white space inside a token becomes "_"
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

from perceptag.errors import SettingError, brief, nearest
from perceptag.system.output_files import Target, text_writer
from perceptag.text.compressed import open_output
from perceptag.text.conllu_spaces import escape
from perceptag.text.tokens import Passage, TextSentence, Token

_EMPTY = "\t_" * 7  # the columns between form and misc


def write_tokens(passages: Iterable[Passage], target: Target, format: str) -> int:  # noqa: A002
    """Write consecutive parts of a document; return the number of tokens."""
    lines = writer_of(format)
    tokens = 0
    with open_output(target) as stream:
        put = text_writer(stream)
        for passage in passages:
            put("".join(lines(passage)))
            tokens += sum(len(sentence.tokens) for sentence in passage.sentences)
    return tokens


def writer_of(name: str) -> Callable[[Passage], Iterator[str]]:
    """Return the writer of a format for the sentences of a passage."""
    if name not in WRITERS:
        known = (*WRITERS, "parquet")  # which `perceptag.text.parquet` writes
        raise SettingError(f"--to: expected {', '.join(known)}, found {brief(name)}{nearest(name, known)}")
    return WRITERS[name]


def columns(passage: Passage) -> Iterator[str]:
    """Write words on lines of their own."""
    for sentence in passage.sentences:
        words = [word for token in sentence.tokens for word in token.words]
        yield "\n".join(map(without_space, words)) + "\n\n"


def plain_text(passage: Passage) -> Iterator[str]:
    """Write sentences on lines of their own."""
    for sentence in passage.sentences:
        yield " ".join(without_space(token.text) for token in sentence.tokens) + "\n"


def without_space(text: str) -> str:
    """Return a form for a file whose columns are separated by spaces: white space inside it becomes "_"."""
    parts = text.split()
    return text if len(parts) == 1 else "_".join(parts)


def jsonl(passage: Passage) -> Iterator[str]:
    """Write sentences as JSON objects."""
    for sentence in passage.sentences:
        tokens = sentence.tokens
        record: dict[str, object] = {
            "text": passage.between(tokens[0].start, tokens[-1].end),
            "tokens": [token.text for token in tokens],
            "offsets": [(token.start, token.end) for token in tokens],
        }
        if any(len(token.words) > 1 for token in tokens):
            record["words"] = [token.words for token in tokens]
        if sentence.starts_paragraph:
            record["paragraph"] = True
        yield json.dumps(record, ensure_ascii=False) + "\n"


# --- CoNLL-U ---


def conllu(passage: Passage) -> Iterator[str]:
    """Write sentences with ``# newdoc``, ``# newpar``, ``# text``, and white space in misc."""
    before, *after = passage.gaps()
    gaps = iter(after)
    for sentence in passage.sentences:
        rows = _comments(passage, sentence)
        word = 1
        for token in sentence.tokens:
            misc = misc_of(token, before, next(gaps))
            before = ""
            if len(token.words) > 1:
                rows.append(f"{word}-{word + len(token.words) - 1}\t{form_of(token.text)}{_EMPTY}\t{misc}")
                misc = "_"
            for form in token.words:
                rows.append(f"{word}\t{form_of(form)}{_EMPTY}\t{misc}")
                word += 1
        yield "\n".join(rows) + "\n\n"


def misc_of(token: Token, before: str, after: str) -> str:
    """Return the white space around and inside a token, as the column misc has it."""
    if after == " " and not before and token.text.isalnum():
        return "_"  # most tokens
    entries = [f"SpacesBefore={escape(before)}"] if before else []
    if form_of(token.text) != token.text:
        entries.append(f"SpacesInToken={escape(token.text)}")
    if not after:
        entries.append("SpaceAfter=No")
    elif after != " ":
        entries.append(f"SpacesAfter={escape(after)}")
    return "|".join(entries) or "_"


def form_of(text: str) -> str:
    """Return a form on one line: any white space inside it becomes one space."""
    return text if text.isalnum() else " ".join(text.split())


def _comments(passage: Passage, sentence: TextSentence) -> list[str]:
    text = passage.between(sentence.tokens[0].start, sentence.tokens[-1].end)
    marks = ["# newdoc"] if sentence.starts_document else []
    marks += ["# newpar"] if sentence.starts_paragraph else []
    return [*marks, "# text = " + " ".join(text.split())]


WRITERS = {"columns": columns, "conllu": conllu, "jsonl": jsonl, "text": plain_text}
