"""Sentences and text files: readers, writers, formats, checks of user input."""

from perceptag.text.columns import read_columns, write_columns
from perceptag.text.compressed import open_output
from perceptag.text.conllu import CONLLU_COLUMNS, read_conllu, write_conllu
from perceptag.text.formats import FORMATS, detect_format, read, write
from perceptag.text.jsonl import read_jsonl, write_jsonl
from perceptag.text.sentence import Sentence, from_tokens

__all__ = [
    "CONLLU_COLUMNS",
    "FORMATS",
    "Sentence",
    "detect_format",
    "from_tokens",
    "open_output",
    "read",
    "read_columns",
    "read_conllu",
    "read_jsonl",
    "write",
    "write_columns",
    "write_conllu",
    "write_jsonl",
]
