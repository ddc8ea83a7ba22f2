"""`WordClasses`: learn word classes from sentences, load them, save them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from perceptag.classes.clustering import PASSES, Clustering
from perceptag.classes.counting import MIN_COUNT, Counting, checked_sizes
from perceptag.errors import SettingError, brief
from perceptag.features import class_table as word_classes
from perceptag.models import class_file as classfile
from perceptag.system.file_kinds import CLASSES
from perceptag.system.plural import plural
from perceptag.system.replacing import refuse_other_kind
from perceptag.text.lines import checked_path
from perceptag.text.sentence import Sentence


@dataclass(frozen=True, eq=False, repr=False)
class WordClasses(word_classes.WordClassTable):
    """Word classes learned from plain text. Words with similar neighbours share a class.

    `sizes` are numbers of classes; every word of `words` has a class of each size. ``of(word, size)`` returns the
    class of a word, or None if no spelling of it is known; ``examples(size, number)`` the most frequent words of a
    class, as a string; ``only(sizes)`` the classes of some sizes.

    >>> text = [["the", noun, verb] for noun in ("dog", "cat", "cow") for verb in ("runs", "eats")]
    >>> classes = WordClasses.learn(text, sizes=[3])
    >>> classes.examples(3, classes.of("cow", 3))
    'cat·cow·dog'
    """

    manifest: dict[str, Any] = field(default_factory=dict)  # what the text was, and how it was clustered

    @classmethod
    def learn(
        cls,
        sentences: Iterable[Sequence[str] | Sentence],
        sizes: Sequence[int] = (64, 256, 800),
        *,
        fold: Sequence[str] = (),
        min_count: int = MIN_COUNT,
        passes: int = PASSES,
        threads: int = 1,
    ) -> WordClasses:
        """Cluster the words of sentences, reading them once.

        `fold` may have ``"digits"``, to write all digits as 0, ``"lower"``, for lower case, and ``"case"``, to find
        words in any case. Words seen less than `min_count` times get no class. The result is the same at any number of
        `threads`.
        """
        wanted = checked_sizes(sizes)
        for name, number in (("min_count", min_count), ("passes", passes), ("threads", threads)):
            if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number < 2**31:
                raise SettingError(f"{name}: expected a whole number from 1, found {brief(number)}")
        counting = Counting(fold)
        if isinstance(sentences, (str, bytes)) or not isinstance(sentences, Iterable):
            raise SettingError(f"sentences: expected lists of words, found {brief(sentences)}")
        for sentence in sentences:
            counting.add_sentence(_words(sentence))
        clustering = Clustering(counting.finish(min_count), wanted, passes)
        for _ in clustering.run(threads):
            pass
        return cls._of(clustering.result(), clustering.facts())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> WordClasses:
        """Read a class file, such as ``perceptag classes`` writes. This runs no code."""
        found = classfile.load(checked_path(path, "path"))
        return cls._of(found.classes, found.manifest)

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> str:
        """Write a class file, whole or not at all; return its SHA-256.

        An existing file is replaced only if it has word classes, or if `overwrite` is true.
        """
        target = checked_path(path, "path")
        refuse_other_kind("path", target, CLASSES, overwrite=overwrite)
        return classfile.write_classes(self, target, self.manifest)

    @classmethod
    def _of(cls, found: word_classes.WordClassTable, manifest: dict[str, Any]) -> WordClasses:
        return cls(found.sizes, found.words, found.counts, found.numbers, found.folding, manifest)

    def __repr__(self) -> str:
        """Return the sizes, and the number of words."""
        return f"<WordClasses of {plural(len(self.words), 'word')}: {', '.join(map(str, self.sizes))}>"


def _words(sentence: object) -> Sequence[str]:
    if isinstance(sentence, Sentence):
        return sentence.tokens
    if isinstance(sentence, str) or not isinstance(sentence, Sequence):
        raise SettingError(f"sentences: expected lists of words, found {brief(sentence)}")
    return sentence
