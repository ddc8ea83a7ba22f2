"""The corpus that comes with the package keeps the promises of its README."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from shipped_corpus import CORPUS, DATA, DOCUMENTS, SENTENCES, SPLITS, TOKENS, Sentence, Token, spans


def words(text: str) -> set[str]:
    return set(text.split())


PTB = words(
    "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH "
    "VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB # $ `` '' -LRB- -RRB- , . :"
)
PUNCTUATION = {"``", "''", "-LRB-", "-RRB-", ",", ".", ":"}
CHUNK_TYPES = words("NP VP PP ADVP ADJP SBAR PRT CONJP INTJ LST UCP")
ENTITY_TYPES = {"PER", "LOC", "ORG", "MISC"}
# Closed classes: every tag that a word may have outside names, and, for the tags in SHUT, every word of the tag.
CLOSED = {
    word: words(tags)
    for listed, tags in {
        "the a an this these those every each another any some": "DT",
        "no": "DT RB",
        "all both half": "DT PDT NN",
        "that": "DT IN WDT",
        "i you he she it we they me him us them herself mine ours": "PRP",
        "my your his its our their": "PRP$",
        "her": "PRP PRP$",
        "who what": "WP",
        "which": "WDT",
        "whose": "WP$",
        "when where why how": "WRB",
        "and or but &": "CC",
        "to": "TO",
        "of from with at by for into onto during without between among against within since until "
        "after before because if unless while although though than like near despite through across along "
        "below above under inside outside beside": "IN",
        "as": "IN RB",
        "on in off over out up down around about past": "IN RB RP",
        "not n't never also then now still already here again hardly only": "RB JJ",
        "there": "EX RB",
        "will would can could must should might": "MD",
        "may": "MD NNP",
        "is was are were be been being am": "VBZ VBD VBP VB VBN VBG",
        "has have had": "VBZ VBP VB VBD VBN",
        "do does did": "VB VBP VBZ VBD",
        "said": "VBD",
        "nobody somebody someone anybody anyone everybody everyone": "NN",
        "nothing something anything everything none": "NN",
    }.items()
    for word in words(listed)
}
SHUT = {
    "MD": "will would can could must should might may",
    "PRP": "i you he she it we they me him us them herself her mine ours",
    "PRP$": "my your his her its our their",
    "WP": "who what",
    "WDT": "which that",
    "WP$": "whose",
    "WRB": "when where why how",
    "EX": "there",
    "TO": "to",
    "POS": "'s '",
    "CC": "and or but &",
    "PDT": "all",
    "DT": "the a an this that these those every each another any some no all both",
    "RP": "in on off over out up down around away",
    "$": "$",
    ",": ",",
    ".": ".",
    ":": ": ; --",
    "``": "``",
    "''": "''",
    "-LRB-": "-lrb-",
    "-RRB-": "-rrb-",
}
NUMBER_WORDS = words(
    "one two three four five six seven eight nine ten eleven twelve fifteen sixteen twenty sixty sixty-one "
    "hundred million billion"
)
NUMBER_PREPOSITIONS = words("at than as up to between")
CONJUNCTIONS = {"rather than", "but not"}
PLURALS = words("people men women children grandchildren police fish carp aircraft")
CALENDAR = words(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July "
    "August September October November December Nov. Aug."
)
NOT_NAMES = CALENDAR | {"Mayor", "Hurricane", "Parliament"}  # proper nouns that are not entities


def show(sentence: Sentence) -> str:
    return " ".join(f"{t.form}/{t.pos}/{t.chunk}/{t.ner}" for t in sentence)


@pytest.mark.parametrize("split", SPLITS)
def test_file_format(split: str) -> None:
    raw = (DATA / f"{split}.txt").read_bytes()
    assert b"\r" not in raw and b"\t" not in raw and not raw.startswith(b"\xef\xbb\xbf")
    text = raw.decode("utf-8")
    assert text.endswith("\n") and "\n\n\n" not in text and not text.startswith("\n")
    lines = text.split("\n")
    assert lines[:2] == ["-DOCSTART- -X- O O", ""]
    for number, line in enumerate(lines, 1):
        if line:
            assert re.fullmatch(r"\S+ \S+ \S+ \S+", line), f"{split}.txt:{number}: {line!r}"
        if line.startswith("-DOCSTART-"):
            assert line == "-DOCSTART- -X- O O" and lines[number] == "", f"{split}.txt:{number}"


def test_sizes() -> None:
    assert len(DOCUMENTS) >= 42
    assert len(SENTENCES) >= 330
    assert 14 <= len(TOKENS) / len(SENTENCES) <= 22
    assert all(len(document) >= 5 for document in DOCUMENTS)
    for split, low, high in (("train", 0.65, 0.75), ("dev", 0.12, 0.18), ("test", 0.12, 0.18)):
        assert low <= len(CORPUS[split]) / len(DOCUMENTS) <= high, split


def test_readme_tells_the_sizes() -> None:
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    for name, documents in (*CORPUS.items(), ("all", DOCUMENTS)):
        sentences = [s for d in documents for s in d]
        tokens = sum(len(s) for s in sentences)
        names = sum(len(spans(s, "ner")) for s in sentences)
        numbers = (len(documents), len(sentences), tokens, names)
        cell = f"`{name}.txt`" if name in CORPUS else name
        assert "| " + " | ".join([cell, *(f"{n:,}" for n in numbers)]) + " |" in readme, (name, numbers)


@pytest.mark.parametrize(("column", "types"), [("chunk", CHUNK_TYPES), ("ner", ENTITY_TYPES)])
def test_iob2(column: str, types: set[str]) -> None:
    for sentence in SENTENCES:
        previous = "O"
        for token in sentence:
            label = getattr(token, column)
            if label != "O":
                assert re.fullmatch(r"[BI]-[A-Z]+", label) and label[2:] in types, show(sentence)
            if label[0] == "I":
                assert previous != "O" and previous[2:] == label[2:], show(sentence)
            previous = label


def test_tags_and_closed_classes() -> None:
    shut = {tag: words(listed) for tag, listed in SHUT.items()}
    for sentence in SENTENCES:
        for token in sentence:
            form, lower, pos = token.form, token.form.lower(), token.pos
            context = f"{form}/{pos} in: {show(sentence)}"
            assert pos in PTB, context
            named = token.ner != "O" and pos in {"NNP", "NNPS"}
            if lower in CLOSED and not named:
                assert pos in CLOSED[lower], context
            if pos in shut:
                assert lower in shut[pos], context
            if pos in {"NNP", "NNPS"}:
                assert form[0].isupper() or form == "de", context
            if pos == "CD":
                assert re.fullmatch(r"\d[\d.,:-]*", form) or lower in NUMBER_WORDS, context
            if re.fullmatch(r"\d[\d.,:-]*", form):
                assert pos in {"CD", "LS"}, context
            if lower in NUMBER_WORDS and not named:
                assert pos == "CD" or (lower == "one" and pos == "NN"), context
            if pos == "VBG":
                assert lower.endswith("ing"), context
            if pos in {"VBZ", "NNS"}:
                assert lower.endswith("s") or lower in PLURALS, context
            if form == "%":
                assert pos == "NN", context
            if form in CALENDAR and pos != "MD":
                assert pos == "NNP", context


def test_capitals_inside_a_sentence_are_names() -> None:
    """No name is missed: a proper noun outside entities is a date, a title or listed; and the reverse."""
    for sentence in SENTENCES:
        for i, token in enumerate(sentence):
            if token.pos in {"NNP", "NNPS"} and token.ner == "O":
                assert token.form in NOT_NAMES, f"{token.form} in: {show(sentence)}"
            opens = i == 0 or sentence[i - 1].form in {"``", ":"}
            if token.form[0].isupper() and token.ner == "O" and not opens and token.form != "I":
                assert token.pos == "NNP" or token.form.startswith("-"), f"{token.form} in: {show(sentence)}"
            if token.ner != "O" and token.form[0].isupper():
                assert token.pos in {"NNP", "NNPS", "JJ"} or token.form == "The", show(sentence)
                if token.pos == "JJ":
                    assert token.ner == "B-MISC", show(sentence)


def test_chunks_fit_the_tags() -> None:
    finite = {"VBD", "VBZ", "VBP", "MD"}
    for sentence in SENTENCES:
        for token, following in pairwise([*sentence, Token("", "", "O", "O")]):
            context = f"{token.form} in: {show(sentence)}"
            kind = token.chunk[2:]
            assert (token.chunk == "O") >= (token.pos in PUNCTUATION), context
            if token.pos in finite | {"VB"}:
                assert kind == "VP", context
            if token.pos in {"IN", "TO"} and kind == "NP":  # `more than 200`, `up to 90`
                assert token.form.lower() in NUMBER_PREPOSITIONS, context
            if token.pos in {"NN", "NNS", "NNP", "NNPS", "PRP", "PRP$", "CD", "WP", "WDT", "WP$", "EX", "$"}:
                assert kind == "NP" or token.form == "order", context  # `in order to` opens a clause
            if token.pos == "POS":
                assert token.chunk == "B-NP" and following.chunk == "I-NP", context
            assert (token.pos == "RP") == (kind == "PRT"), context
            if token.chunk == "O":
                assert token.pos in PUNCTUATION | {"CC"} or token.form == "not", context
        for start, end, kind in spans(sentence, "chunk"):
            tags = [token.pos for token in sentence[start:end]]
            inside = f"{kind} {tags} in: {show(sentence)}"
            if kind == "VP":
                assert any(tag.startswith("VB") or tag == "MD" for tag in tags), inside
            elif kind == "PP":
                assert tags[-1] in {"IN", "TO", "VBG", "VBN"}, inside
            elif kind == "SBAR":
                assert tags[0] in {"IN", "RB"}, inside
            elif kind == "ADVP":
                assert tags[-1] in {"RB", "RBR", "RBS", "WRB"} or sentence[end - 1].form == "all", inside
            elif kind == "ADJP":
                assert tags[-1] in {"JJ", "JJR", "VBN"} or sentence[end - 1].form == "about", inside
            elif kind == "CONJP":
                assert sentence[start].form + " " + sentence[end - 1].form in CONJUNCTIONS, inside
            elif kind == "LST":
                assert tags == ["LS"], inside
            elif kind == "NP":
                assert tags[-1] not in {"DT", "PRP$", "POS"} or len(tags) == 1 or tags[-2] == "RB", inside


def test_names_lie_in_noun_phrases() -> None:
    """A name begins in an NP and stays in it, except for the preposition inside `University of Bern`."""
    for sentence in SENTENCES:
        for start, end, _ in spans(sentence, "ner"):
            context = f"{[t.form for t in sentence[start:end]]} in: {show(sentence)}"
            assert sentence[start].chunk[2:] == sentence[end - 1].chunk[2:] == "NP", context
            assert sentence[start].form[0].isupper() and sentence[end - 1].form[0].isupper(), context
            assert start == 0 or sentence[start - 1].ner == "O", context  # no two names touch
            for before, token in pairwise(sentence[start:end]):
                if token.chunk[2:] == "PP":
                    assert token.pos == "IN", context
                else:
                    assert token.chunk == "I-NP" or before.chunk == "B-PP", context


def test_quotes_and_brackets_pair_up() -> None:
    for sentence in SENTENCES:
        forms = [token.form for token in sentence]
        for left, right in (("``", "''"), ("-LRB-", "-RRB-")):
            marks = [form for form in forms if form in {left, right}]
            assert marks == [left, right] * forms.count(left), show(sentence)
        assert not set(forms) & {'"', "(", ")", "“", "”"}, show(sentence)
