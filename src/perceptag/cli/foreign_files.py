"""Files of other tools on the command line: read them, and say what was recognised, taken and lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from perceptag.cli import bar
from perceptag.cli.streams import write_stderr
from perceptag.errors import LostLabel, SettingError
from perceptag.foreign.as_sentences import as_sentences, is_known, notes_on_unmarked
from perceptag.foreign.intake import described, named, recognise, summed_up
from perceptag.foreign.read_export import ForeignFile, Tokenize, words_of
from perceptag.foreign.texts import UNMARKED, ForeignSentence, ForeignToken
from perceptag.pipeline.installed import path_of
from perceptag.system.given_file import FileFacts, facts_of
from perceptag.text.lines import name_of
from perceptag.text.sentence import Sentence

ENGLISH = "en"  # the installed model that cuts text, if none is named
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")


def take_in(
    path: str, on_loss: Callable[[str], None] | None = None, *, keeps_unknown: bool = False
) -> list[Sentence] | None:
    """Return the sentences of another tool's file whose labels are known; None if the file is not of another tool.

    `on_loss` is told where each of the others is; without it the user is told how many there are. With `keeps_unknown`
    they are there, too, and have ``_`` for labels that are not known.
    """
    found = read_foreign_file(path)
    if found is None:
        return None
    facts = facts_of(path)
    sentences = as_sentences(found, facts.unlabelled)
    if keeps_unknown or facts.unlabelled == "missing" or not any("label" in s.columns for s in sentences):
        return sentences
    kept = [s for s, origin in zip(sentences, found.sentences, strict=True) if is_known(origin)]
    lost = [origin.where for origin in found.sentences if not is_known(origin)]
    if on_loss:
        for where in lost:
            on_loss(where)
    elif lost:
        many = "1 sentence" if len(lost) == 1 else f"{len(lost)} of {len(sentences)} sentences"
        write_stderr(f"warning: {name_of(path)}: {many} left out, whose labels are not known; first: {lost[0]}")
    return kept


def read_foreign_file(path: str, tool: str = "") -> ForeignFile | None:
    """Read the file of another tool, and tell what was recognised; None if it is not of another tool."""
    recognised = named(tool, path) if tool else recognise(path)
    if recognised is None:
        return None
    facts = facts_of(path)
    name = facts.tokenizer or ENGLISH
    found = recognised.read(cutter(name, is_default=not facts.tokenizer), False)
    is_default = found.is_cut and not facts.tokenizer
    tell(
        [
            described(name_of(path), recognised.title, found, name)
            + (" ('perceptag convert --tokenizer' names another)" if is_default else "")
        ]
    )
    tell(notes_of(found, facts))
    if is_default and has_no_spaces(found.sentences):
        what = f"the texts have words without spaces between them, which {name} does not cut"
        tell([f"{what}: 'perceptag convert --tokenizer' names another"])
    return found


def has_no_spaces(sentences: Sequence[ForeignSentence]) -> bool:
    """Whether most letters are of scripts that put no spaces between words: Thai, Chinese, Japanese."""
    letters = "".join(token for sentence in sentences for token in sentence.tokens)
    return 2 * len(_UNSPACED.findall(letters)) > len(letters)


def notes_of(found: ForeignFile, facts: FileFacts) -> list[str]:
    """Return notes for the user, each kind once."""
    told = [note for note in found.notes if not note.endswith(UNMARKED)]
    return [*notes_on_unmarked(found.sentences, facts.unlabelled), *summed_up(told)]


def tell(notes: Iterable[str]) -> None:
    """Write notes; with --quiet only those on what is lost."""
    for note in notes:
        if isinstance(note, LostLabel) or not bar.is_quiet():
            write_stderr(f"note: {note}")


def cutter(name: str, is_default: bool = False) -> Tokenize:
    """Return a function that cuts texts; the tokeniser is loaded when the first text comes."""

    @cache
    def opened() -> Tokenize:
        from perceptag.cli.tokenizers import open_tokenizer  # most files have tokens

        try:
            return words_of(open_tokenizer(path_of(name)))
        except SettingError as error:
            if not is_default:
                raise
            raise SettingError(f"texts without tokens: expected --tokenizer MODEL; {error}") from None

    def tokenize(text: str) -> Sequence[Sequence[ForeignToken]]:
        return opened()(text)

    return tokenize
