"""Small texts for clustering."""

from __future__ import annotations

import random
from collections.abc import Sequence

from perceptag.classes.clustering import Clustering
from perceptag.classes.counting import Counted, Counting

Text = Sequence[Sequence[str]]


def count(text: Text, min_count: int = 1, **settings: object) -> Counted:
    """Count sentences."""
    counting = Counting(**settings)  # type: ignore[arg-type]
    for sentence in text:
        counting.add_sentence(sentence)
    return counting.finish(min_count)


def random_text(seed: int, sentences: int, words: int = 40) -> list[list[str]]:
    """Sentences in which a word prefers some successors, so that there is something to learn."""
    rng = random.Random(seed)
    text = []
    for _ in range(sentences):
        word, sentence = rng.randrange(words), []
        for _ in range(rng.randrange(1, 12)):
            sentence.append(f"w{word}")
            word = (3 * word + rng.choice([0, 1, 1, 2, rng.randrange(words)])) % words
        text.append(sentence)
    return text


def clustered(text: Text, *sizes: int, min_count: int = 1, passes: int = 30, threads: int = 1) -> Clustering:
    """Cluster sentences to the end."""
    clustering = Clustering(count(text, min_count), sizes, passes)
    for _ in clustering.run(threads):
        pass
    return clustering
