"""Restore running text from CoNLL-U sentences, with the offsets of their tokens.

    tokens   the words, and the multiword tokens (lines ``3-4``) in place of their words
    gaps     SpacesAfter, or else what ``# text`` has there, or else SpaceAfter=No or one space
    "\\n\\n"   before a sentence that starts a paragraph (``# newpar``) or a document, unless the gap has a line end

The words of a multiword token may spell it (``did`` + ``n't``) or not (French ``au`` is ``à`` + ``le``). Only those
that do can be found in text: `Treebank.whole` counts the others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from perceptag.errors import DataError, SettingError, brief
from perceptag.text.conllu import ConlluLayout, read_conllu
from perceptag.text.conllu_spaces import features_of, unescape
from perceptag.text.inputs import as_sentences
from perceptag.text.lines import Source
from perceptag.text.sentence import Sentence
from perceptag.text.tokens import Passage, TextSentence, Token

_STARTS_PARAGRAPH = re.compile(r"#[ \t]*new(?:par|doc)(?:[ \t]|$)")
_TEXT = re.compile(r"#[ \t]*text[ \t]*=[ \t]*(.*)", re.DOTALL)
_SPACE = re.compile(r"\s*")
LINE_END = r"(?:\r\n|\r(?!\n)|\n)"
_LINE_END = re.compile(LINE_END)
BLANK_LINE = re.compile(rf"{LINE_END}[^\S\r\n]*{LINE_END}\s*")


@dataclass(slots=True)
class GoldSentence:
    """A sentence with the gap after it, and where its words stand in the columns of the file."""

    tokens: list[Token]  # offsets count from the beginning of the sentence
    text: str  # with the gap after the last token
    sentence: Sentence
    starts_paragraph: bool


@dataclass(slots=True)
class Treebank:
    """Running text with gold tokens, words and sentences."""

    sentences: list[GoldSentence] = field(default_factory=list)
    several: int = 0  # multiword tokens
    whole: int = 0  # those whose words do not spell them

    def passage(self) -> Passage:
        """Return the whole text."""
        found: list[TextSentence] = []
        place = 0
        for gold in self.sentences:
            tokens = [Token(t.text, t.start + place, t.end + place, t.words) for t in gold.tokens]
            found.append(TextSentence(tokens, gold.starts_paragraph, gold.sentence.starts_document))
            place += len(gold.text)
        return Passage("".join(gold.text for gold in self.sentences), 0, found)


def given_treebank(data: Source | Iterable[Sentence], argument: str) -> Treebank:
    """Read a treebank that a user gives as a file or as sentences; `argument` is its name in messages."""
    if isinstance(data, (str, os.PathLike)) or hasattr(data, "read"):
        return read_treebank(read_conllu(data))  # type: ignore[arg-type]  # it has `read`, so it is a stream
    if not isinstance(data, Iterable):
        raise SettingError(f"{argument}: expected a path or sentences of CoNLL-U, found {brief(data)}")
    sentences = list(data)
    for sentence in sentences:
        if not isinstance(sentence, Sentence) or "form" not in sentence.columns:
            raise SettingError(f"{argument}: expected sentences of CoNLL-U, found {brief(sentence)}")
    return read_treebank(as_sentences(sentences))


def read_treebank(sentences: Iterable[Sentence]) -> Treebank:
    """Put the text of sentences together."""
    bank = Treebank()
    for sentence in sentences:
        text, tokens = _placed(sentence, list(_surface(sentence)))
        bank.sentences.append(GoldSentence(tokens, text, sentence, _starts_paragraph(sentence)))
        bank.several += sum(len(token.words) > 1 for token in tokens)
        bank.whole += sum(not token.is_spelt for token in tokens)
    for gold, following in zip(bank.sentences, bank.sentences[1:], strict=False):
        end = gold.tokens[-1].end
        if following.starts_paragraph and not _LINE_END.search(gold.text, end):
            gold.text = gold.text[:end] + "\n\n"
    return bank


@dataclass(slots=True)
class _Surface:
    """A token as the file has it."""

    form: str
    words: tuple[str, ...]
    misc: dict[str, str]
    number: int  # of its first word, for messages


def _surface(sentence: Sentence) -> Iterator[_Surface]:
    """The tokens of a sentence: single words, and ranges of them."""
    forms = sentence.columns["form"]
    misc = sentence.columns.get("misc", ["_"] * len(forms))
    ranges = dict(_ranges(sentence))
    word = 0
    while word < len(forms):
        end, form, features = ranges.get(word, (word + 1, forms[word], misc[word]))
        known = features_of(features)
        surface = unescape(known["SpacesInToken"]) if "SpacesInToken" in known else form
        if not surface or surface[0].isspace() or surface[-1].isspace():
            raise DataError(f"expected a token without white space around it, found {surface!r}", sentence.where(word))
        yield _Surface(surface, tuple(forms[word:end]) if end > word + 1 else (surface,), known, word)
        word = end


def _ranges(sentence: Sentence) -> Iterator[tuple[int, tuple[int, str, str]]]:
    """For the first word of each multiword token: the word after its last, its form and its misc."""
    layout = sentence.layout
    for before, row in layout.extra if isinstance(layout, ConlluLayout) else ():
        number, *fields = row.split("\t")
        _, dash, last = number.partition("-")
        if dash and not row.startswith("#"):
            yield before, (int(last), fields[0], fields[-1])


def _placed(sentence: Sentence, surface: Sequence[_Surface]) -> tuple[str, list[Token]]:
    """Return the text of a sentence and its tokens."""
    inner = _gaps_of_text(sentence, surface)
    parts = [_white(unescape(surface[0].misc.get("SpacesBefore", "")), sentence, 0)]
    tokens: list[Token] = []
    place = len(parts[0])
    for number, token in enumerate(surface):
        tokens.append(Token(token.form, place, place + len(token.form), token.words))
        gap = _white(_gap(token.misc, inner[number] if inner else None), sentence, token.number)
        parts += [token.form, gap]
        place += len(token.form) + len(gap)
    return "".join(parts), tokens


def _gap(misc: dict[str, str], in_text: str | None) -> str:
    if "SpacesAfter" in misc:
        return unescape(misc["SpacesAfter"])
    if in_text is not None:
        return in_text
    return "" if misc.get("SpaceAfter") == "No" else " "


def _white(gap: str, sentence: Sentence, word: int) -> str:
    if gap and not gap.isspace():
        raise DataError(f"SpacesAfter, SpacesBefore: expected white space, found {gap!r}", sentence.where(word))
    return gap


def _gaps_of_text(sentence: Sentence, surface: Sequence[_Surface]) -> list[str | None] | None:
    """Return the gap in ``# text`` after each token; None after the last, and without such a comment."""
    text = next((match[1] for row in comments_of(sentence) if (match := _TEXT.fullmatch(row))), None)
    if text is None:
        return None
    gaps: list[str | None] = []
    text, place = text.strip(), 0
    for token in surface:
        place = _behind(text, place, token.form)
        if place < 0:
            raise DataError(
                f"# text: expected the token {token.form!r} in it, found {text!r}", sentence.where(token.number)
            )
        gap = _SPACE.match(text, place)
        assert gap is not None  # it may be empty
        gaps.append(gap[0])
        place = gap.end()
    if place < len(text):
        raise DataError(f"# text: expected the end of the sentence, found {text[place:]!r}", sentence.where())
    return [*gaps[:-1], None]


def _behind(text: str, place: int, form: str) -> int:
    """Match a token at a position and return its end, or -1. White space inside it may differ."""
    if text.startswith(form, place):
        return place + len(form)
    found = re.compile(r"\s+".join(map(re.escape, form.split()))).match(text, place)
    return found.end() if found else -1


def comments_of(sentence: Sentence) -> list[str]:
    """Return the comments before the first word."""
    layout = sentence.layout
    extra = layout.extra if isinstance(layout, ConlluLayout) else ()
    return [row for before, row in extra if before == 0 and row.startswith("#")]


def _starts_paragraph(sentence: Sentence) -> bool:
    return sentence.starts_document or any(map(_STARTS_PARAGRAPH.match, comments_of(sentence)))
