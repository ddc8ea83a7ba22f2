"""Treebanks that tokenisers are trained on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from perceptag.cli.input_files import read_all
from perceptag.errors import SettingError
from perceptag.models.tokenizer.characters import as_characters
from perceptag.tagging.naming import format_of
from perceptag.text import Sentence
from perceptag.text.conllu import FORMAT
from perceptag.text.format import FormatLike
from perceptag.text.treebank import read_treebank


def read_characters(path: str, format_: FormatLike, what: str, note: Callable[[str], None]) -> list[Sentence]:
    """The sentences of a CoNLL-U file as characters with labels."""
    found = format_of(path, format_).name
    if found != FORMAT.name:
        raise SettingError(f"--format: a tokeniser learns from {FORMAT.name}, found {found}: {path}")
    bank = read_treebank(read_all(path, format_, None, what))
    if bank.several:
        kept = f"; the words of {bank.whole} do not spell them, so these stay whole" if bank.whole else ""
        note(f"{what}: {bank.several} tokens of several words{kept}")
    return as_characters(bank)


def refuse_columns(columns: Sequence[str] | None, label: str) -> None:
    """Refuse names of columns: a tokeniser uses the text, whatever the columns hold."""
    if columns or label:
        raise SettingError(f"{'--columns' if columns else '--label'}: a tokeniser (unit = 'text') does not use it")
