"""Copies of training sentences of a tokeniser with strings in them that few treebanks have enough of.

Addresses, handles, dates, amounts, file names and the like follow rules of writing, not of a language. A share of the
paragraphs is copied, since a sentence without its neighbours would teach that no sentence follows; each sentence of a
copy has one such string at one place between two tokens. A copy is a document of its own behind all sentences. The seed
and the position of a paragraph decide whether it is copied; with the position of a sentence in it, what is put where.

A pattern spells a string: ``9`` is any digit, ``a`` any small letter, ``{name}`` one of the values below, ``|`` a place
where the string is cut into tokens, and ``\\`` takes the next character as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b

from perceptag.text.documents import split_documents
from perceptag.text.sentence import Sentence

PATTERNS: dict[str, tuple[str, ...]] = {
    "address": ("https://{word}.{domain}/{word}", "http://www.{word}.{domain}", "https://t.co/{code}",
        "www.{word}.{domain}", "www.{word}-{word}.{domain}/{word}/{word}.html",
        "https://{word}.{domain}/{word}-{word}-{word}", "https://www.{word}.{domain}/{word}?{word}=99&{word}={word}-9",
        "http://{word}.{domain}:9999/{word}/#{word}", "https://{word}.{domain}/wiki/{Word}_({word})", "{word}.{domain}",
        "{word}.{domain}/{word}"),
    "mail": ("{word}@{word}.{domain}", "{word}.{word}@{word}.{domain}", "{word}99@{word}-{word}.{domain}",
        "{word}_{word}@{word}.{word}.{domain}", "<|{word}.{word}@{word}.{domain}|>"),
    "handle": ("@{word}", "@{word}99", "@{word}_{word}", "@{Word}{Word}", "@{Word}9", "@{word}|:", "@{word}99|'s"),
    "hashtag": ("#{word}", "#{Word}{Word}", "#{word}9999", "#{Word}9", "#{word}_{word}", "#{word}|#{Word}"),
    "date": ("9999-99-99", "99/99/9999", "9/9/99", "99.99.9999", "99-99-9999", "9999/99/99", "9999-99-99T99:99:99Z",
        "99:99", "9:99", "99:99:99", "9:99|pm", "9|{noon}", "9999-99"),
    "amount": ("$|9.99", "$|99", "$|9,999.99", "€|99", "£|9.9", "99|%", "9.9|%", "9,999,999", "-9.9", "99|kg",
        "9.9|km"),
    "file": ("{word}.{ending}", "{word}_{word}.{ending}", "{word}-v9.{ending}", "{Word}99.{ending}",
        "{word}-{word}.{ending}", "{word}_9999-99-99.{ending}", "/{word}/{word}/{word}.{ending}", "/{word}/{word}",
        "~/{word}/{word}", "C:\\\\{Word}\\\\{word}.{ending}"),
    "version": ("9.9.9", "v9.9.9", "v9.9", "99.9.99", "{word}==9.9.9", "{word}-{word}==9.9.9", "{word}>=9.9"),
    "phone": ("+99", "999-999-9999", "+9-999-999-9999", "999.999.9999", "+99999999999", "(|9|)|99", "(|999|)|999-9999"),
    "emoji": ("{emoji}", "{emoji}{emoji}", "{word}|{emoji}", "{word}|{emoji}{emoji}", "!|{emoji}"),
    "markup": ("<b>|{Word}|</b>", "<i>|{word}|</i>", "<br>", "<p>|{Word}", "{Word}|</p>", "{word}|<br/>"),
}  # fmt: skip
VALUES: dict[str, tuple[str, ...]] = {
    "domain": ("com", "org", "net", "edu", "gov", "co.uk", "de", "io", "fr", "info", "ai", "eu", "com.au", "me"),
    "ending": ("txt", "pdf", "doc", "docx", "xls", "xlsx", "csv", "html", "py", "zip", "jpg", "png", "mp3", "md",
        "json"),
    "emoji": ("😭", "😂", "❤️", "🔥", "👍", "🎉", "😍", "🙏🏽", "🤔", "✨", "👩‍💻", "🇬🇧"),
    "noon": ("am", "pm", "AM", "PM"),
    "consonant": ("b", "c", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "st", "tr", "ch"),
    "vowel": ("a", "e", "i", "o", "u", "ea", "oo", "er", "an", "in", "on"),
}  # fmt: skip
AROUND = ("{}", "{}", "{}", "{}", "{}", "{}", "{}|,", "{}|)", "(|{}|)", '"|{}|"')
_BETWEEN, _SENTENCE, _TOKEN, _INSIDE = "between", "sentence", "token", "inside"


class _Draws:
    """Numbers that depend on the seed and the position of a sentence alone."""

    def __init__(self, seed: int, number: int) -> None:
        self._start = f"{seed} string {number}"
        self._count = 0

    def below(self, most: int) -> int:
        """Draw a number from 0 to most - 1."""
        digest = blake2b(f"{self._start} {self._count}".encode(), digest_size=8).digest()
        self._count += 1
        return int.from_bytes(digest, "big") * most >> 64

    def one_of(self, values: Sequence[str]) -> str:
        """Draw one of some values."""
        return values[self.below(len(values))]


def with_string_copies(sentences: Sequence[Sentence], share: float, seed: int) -> list[Sentence]:
    """Return sentences of characters, and behind them copies of a share of their paragraphs, with strings in them."""
    copies: list[Sentence] = []
    for number, paragraph in enumerate(split_documents(sentences)):
        draws = _Draws(seed, number)
        if draws.below(1 << 63) < share * (1 << 63):
            found = [_copy(sentence, _tokens(draws), draws) for sentence in paragraph]
            found[0].starts_document = True
            copies += [*found[:-1], _ended(found[-1])]
    return [*sentences[:-1], _ended(sentences[-1]), *copies] if copies else list(sentences)


def _tokens(draws: _Draws) -> list[str]:
    """Draw a string, cut into its tokens."""
    kind = draws.one_of(tuple(PATTERNS))
    spelt = "".join(_spelt(draws.one_of(PATTERNS[kind]), draws))
    return draws.one_of(AROUND).format(spelt).split("|")


def _spelt(pattern: str, draws: _Draws) -> Iterator[str]:
    place = 0
    while place < len(pattern):
        c = pattern[place]
        if c == "{":
            end = pattern.index("}", place)
            yield _value(pattern[place + 1 : end], draws)
            place = end
        elif c == "\\":
            place += 1
            yield pattern[place]
        else:
            yield str(draws.below(10)) if c == "9" else c
        place += 1


def _value(name: str, draws: _Draws) -> str:
    if name in VALUES:
        return draws.one_of(VALUES[name])
    if name == "code":
        return "".join(draws.one_of("abcdefghkmnpqrstuvwxyzABCDEFGHKLMNPQRSTUVWXYZ23456789") for _ in range(10))
    syllables = 1 + draws.below(3)
    word = "".join(draws.one_of(VALUES[part]) for _ in range(syllables) for part in ("consonant", "vowel"))
    return word.capitalize() if name == "Word" else word


def _copy(sentence: Sentence, tokens: Sequence[str], draws: _Draws) -> Sentence:
    """Put a string before one of the tokens that follow white space, or before the mark at the end."""
    characters, labels = list(sentence.columns["form"]), list(sentence.columns["label"])
    places = [t for t, label in enumerate(labels) if label == _SENTENCE or _follows_space(labels, t)]
    last = max(t for t, label in enumerate(labels) if label in (_SENTENCE, _TOKEN))
    ends = last and not characters[last].isalnum() and labels[last - 1] != _BETWEEN
    place = draws.one_of([*map(str, places), *([str(last)] * 2 if ends else [])])
    at = int(place)
    is_end = at == last and at not in places
    new = "".join(tokens)
    marks = [label for token in tokens for label in (_TOKEN, *[_INSIDE] * (len(token) - 1))]
    if labels[at] == _SENTENCE:
        labels[at], marks[0] = _TOKEN, _SENTENCE
    text, kinds = ([" ", *new], [_BETWEEN, *marks]) if is_end else ([*new, " "], [*marks, _BETWEEN])
    characters[at:at], labels[at:at] = text, kinds
    return Sentence({"form": characters, "label": labels})


def _follows_space(labels: Sequence[str], t: int) -> bool:
    return labels[t] == _TOKEN and labels[t - 1] == _BETWEEN


def _ended(sentence: Sentence) -> Sentence:
    """Return a sentence with a blank line behind it."""
    form, labels = list(sentence.columns["form"]), list(sentence.columns["label"])
    return Sentence(
        {"form": [*form, "\n", "\n"], "label": [*labels, _BETWEEN, _BETWEEN]},
        sentence.source,
        sentence.line,
        sentence.starts_document,
        sentence.layout,
    )
