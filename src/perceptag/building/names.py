"""The names of a language: sentences with labelled names, and word classes of plain text.

A file has a word and its label on each line, with a tab between them; or, as Universal NER releases it, number, word
and label first, with comments. Files without marks of documents (``-DOCSTART-``, ``# newdoc``) have a document in each
sentence. Without dev data every tenth document is cut off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from perceptag.building.treebank_folder import TENTH, named
from perceptag.errors import DataError
from perceptag.evaluation.scoring import evaluate
from perceptag.models.protocol import ReadyModel
from perceptag.models.tokenizer.model import TokenizerModel
from perceptag.text.character_classes import LOWER, UPPER, class_of
from perceptag.text.columns import ColumnLayout, read_columns
from perceptag.text.documents import split_documents
from perceptag.text.lines import whole_lines
from perceptag.text.sentence import Sentence
from perceptag.word_classes import WordClasses

NAMES = "ner"  # the layer and its column
FORM = "form"
CLASSES = "text.classes"  # the name that a model has for classes of this build
SIZES, FOLD, MIN_COUNT = (64, 256, 1000), ("case",), 3
WORDS_IN_CLASS = 2  # at least, on average
AS_WRITTEN = "as written"
CASES: dict[str, Callable[[str], str]] = {AS_WRITTEN: str, "lower case": str.lower, "upper case": str.upper}
FEWEST = 2 * TENTH  # documents of data without dev data


@dataclass(frozen=True, slots=True)
class NamesData:
    """Sentences with names, in columns `FORM` and `NAMES`."""

    train: list[Sentence]
    dev: list[Sentence]
    files: tuple[str, ...]

    @property
    def has_case(self) -> bool:
        """Whether most letters are those of a script with capitals."""
        kinds = [class_of(word[0]) for sentence in self.train for word in sentence.columns[FORM]]
        letters = sum(word[0].isalpha() for sentence in self.train for word in sentence.columns[FORM])
        return 2 * sum(kind in (UPPER, LOWER) for kind in kinds) > letters


def read_names(files: Sequence[str]) -> NamesData:
    """Read files with names; those with ``dev`` in their names are dev data."""
    dev = named(files, "dev")
    train = [file for file in files if file not in dev and file not in named(files, "test")]
    if not train:
        raise DataError(f"expected a file with training data, found {', '.join(files) or 'none'}", "names")
    sentences = list(chain.from_iterable(map(_read, train)))
    heldout = list(chain.from_iterable(map(_read, dev)))
    if not heldout:
        documents = split_documents(sentences)
        if len(documents) < FEWEST:
            raise DataError(
                f"expected dev data, or {FEWEST} documents to cut some off, found {len(documents)}", train[0]
            )
        sentences = [s for number, some in enumerate(documents, 1) if number % TENTH for s in some]
        heldout = [s for number, some in enumerate(documents, 1) if not number % TENTH for s in some]
    return NamesData(sentences, heldout, tuple(Path(file).name for file in (*train, *dev)))


def _read(file: str) -> list[Sentence]:
    found = list(_sentences(file))
    if sum(sentence.starts_document for sentence in found) < 2:
        found = [Sentence(s.columns, s.source, s.line, True) for s in found]
    if not any(label != "O" for sentence in found for label in sentence.columns[NAMES]):
        raise DataError("expected labels such as B-PER, found none", file)
    return found


def _sentences(file: str) -> Iterator[Sentence]:
    """Yield the sentences of a file; the first token decides where words and labels are."""

    def columns(count: int) -> Sequence[str]:
        if count == 2:
            return (FORM, NAMES)
        if count < 3:
            raise DataError("expected a word and its label, with a tab between them, found one column", file)
        return ("number", FORM, NAMES, *(f"c{number}" for number in range(3, count)))

    for sentence in read_columns(file, columns, separator="\t", comment="#"):
        layout = sentence.layout
        comments = [row for _, row in layout.comments] if isinstance(layout, ColumnLayout) else []
        starts = sentence.starts_document or any(row.startswith("# newdoc") for row in comments)
        kept = {name: sentence.columns[name] for name in (FORM, NAMES)}
        yield Sentence(kept, sentence.source, sentence.line, starts)


def learn_classes(tokenizer: TokenizerModel, texts: Iterable[str], data: NamesData, threads: int) -> WordClasses | None:
    """Learn word classes of files of plain text, and of the training data; None if they have too few words."""
    sentences = [*_words(tokenizer, texts), *(sentence.columns[FORM] for sentence in data.train)]
    counts = Counter(word.lower() for words in sentences for word in words)
    frequent = sum(count >= MIN_COUNT for count in counts.values())
    sizes = [size for size in SIZES if WORDS_IN_CLASS * size <= frequent]
    fold = FOLD if data.has_case else ()
    return WordClasses.learn(sentences, sizes, fold=fold, min_count=MIN_COUNT, threads=threads) if sizes else None


def _words(tokenizer: TokenizerModel, texts: Iterable[str]) -> Iterator[list[str]]:
    for path in texts:
        for block in whole_lines(path):
            for sentence in tokenizer.tokenize(block.text.replace("\n", "\n\n")).sentences:
                yield [word for token in sentence.tokens for word in token.words]


def measure_names(ready: ReadyModel, data: NamesData) -> dict[str, float]:
    """Return F1 of names in the dev data, by case of letters."""
    gold = [sentence.columns[NAMES] for sentence in data.dev]
    found = {}
    for case, change in CASES.items():
        if case != AS_WRITTEN and not data.has_case:
            continue
        sentences = [
            Sentence({FORM: [*map(change, s.columns[FORM])]}, starts_document=s.starts_document) for s in data.dev
        ]
        f1 = evaluate(gold, ready.tag(sentences), scheme="IOB2", bootstrap=0).f1
        assert f1 is not None  # the scheme has chunks
        found[case] = round(f1, 2)
    return found
