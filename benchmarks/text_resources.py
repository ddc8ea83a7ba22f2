"""What plain text and public lists can give a model of names: files for `benchmarks.text_tries`.

    python -m benchmarks.text_resources --data FOLDER --out FOLDER

Nothing is learned from labelled data. Files that exist are not made again.

all.txt                 the news and all open text (30 million words), one sentence a line, tokens separated by spaces
text.txt                the news, Wikinews and biographies of Wikipedia (13 million words), for classes and vectors
lists/NAME.txt          names that all.txt confirms, and words by their share of capitals, as `en` has them
1.classes … 3.classes   one, two and three clusterings of each of 64, 256 and 800 classes, by exchange
news.classes            one clustering of the news alone (4 million words)
vectors.npz             word vectors: counts of neighbours, PPMI, truncated singular value decomposition
means.classes           64, 256 and 800 classes by k-means of the vectors
1+means.classes …       1.classes and means.classes together, and so on
"""

from __future__ import annotations

import argparse
import gzip
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from models.name_lists import write_lists
from models.open_text import capitals, texts
from models.open_text import sentences as tokenized
from perceptag import WordClasses

TEXTS = ("wikinews_en.txt.gz", "wikipedia_featured_bios_en.txt.gz")
SIZES = (64, 256, 800)
CLUSTERINGS, MIN_COUNT, PASSES = 3, 5, 12
CONTEXTS, WINDOW, DIMENSIONS, SMOOTHING = 20_000, 2, 100, 0.75
MORE, POWERS = 20, 3  # dimensions and steps beyond those that are kept, for precise singular vectors
ROUNDS = 20  # of k-means
ENTRIES = 20_000_000  # pairs of words that are counted at once

Matrix = npt.NDArray[np.float32]


def sentences(text: Path) -> Iterator[list[str]]:
    """Yield the sentences of the plain text."""
    with text.open(encoding="utf-8") as lines:
        yield from map(str.split, lines)


def write_text(data: Path, files: Iterable[Path], target: Path) -> None:
    """Write open texts, tokenised by a rule, and the news, which are tokenised."""
    part = target.with_suffix(".part")
    with part.open("w", encoding="utf-8") as out:
        for file in files:
            with gzip.open(file, "rt", encoding="utf-8") as lines:
                out.writelines(f"{' '.join(words)}\n" for line in lines for words in tokenized(line))
        with gzip.open(data / "unlabelled/news.txt.gz", "rt", encoding="utf-8") as news:
            out.writelines(news)
    part.rename(target)


def write_all_lists(data: Path, text: Path, folder: Path) -> None:
    """Write the lists of `en`, filtered by the text."""
    folder.mkdir()
    write_lists(data, capitals(text), text, folder)


def cluster(text: Path, number: int) -> WordClasses:
    """Cluster the words by exchange for the first, second … time.

    Clustering has no seed. But words are dealt to the first classes by their number, so with one class more the search
    begins elsewhere, and ends with other classes.
    """
    sizes = [size + number - 1 for size in SIZES]
    return WordClasses.learn(sentences(text), sizes, min_count=MIN_COUNT, passes=PASSES, threads=2)


def learn_vectors(text: Path, words: tuple[str, ...]) -> Matrix:
    """Return a vector of length 1 for each word."""
    scores = ppmi(count_pairs(text, words))
    left, values = truncated_svd(scores, DIMENSIONS)
    vectors = left * np.sqrt(values)
    return unit(vectors)


def count_pairs(text: Path, words: tuple[str, ...]) -> sparse.csr_matrix:
    """Count how often each word has each of the most frequent words near it."""
    numbers = {word: number for number, word in enumerate(words)}
    counts = sparse.csr_matrix((len(words), CONTEXTS), dtype=np.float32)
    chunk: list[int] = []
    border = [-1] * WINDOW
    for sentence in sentences(text):
        chunk += [numbers.get(word, -1) for word in sentence]
        chunk += border
        if len(chunk) > ENTRIES // (2 * WINDOW):
            counts += _pairs(np.array(chunk), counts.shape)
            chunk = []
    return counts + _pairs(np.array(chunk), counts.shape)


def _pairs(ids: npt.NDArray[np.int64], shape: tuple[int, int]) -> sparse.csr_matrix:
    rows, columns = [], []
    for distance in range(1, WINDOW + 1):
        for word, near in ((ids[:-distance], ids[distance:]), (ids[distance:], ids[:-distance])):
            kept = (word >= 0) & (near >= 0) & (near < shape[1])
            rows.append(word[kept])
            columns.append(near[kept])
    ones = np.ones(sum(map(len, rows)), np.float32)
    return sparse.coo_matrix((ones, (np.concatenate(rows), np.concatenate(columns))), shape).tocsr()


def ppmi(counts: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return the positive pointwise mutual information of words and their neighbours."""
    found = counts.tocoo()
    near = np.asarray(counts.sum(axis=0)).ravel() ** SMOOTHING
    word = np.asarray(counts.sum(axis=1)).ravel()
    with np.errstate(divide="ignore"):
        values = np.log(found.data * near.sum() / (word[found.row] * near[found.col]))
    kept = values > 0
    entries = (values[kept].astype(np.float32), (found.row[kept], found.col[kept]))
    return sparse.coo_matrix(entries, counts.shape).tocsr()


def truncated_svd(scores: sparse.csr_matrix, rank: int) -> tuple[Matrix, Matrix]:
    """Return the first left singular vectors and singular values (Halko, Martinsson and Tropp 2011)."""
    draw = np.random.default_rng(0).standard_normal((scores.shape[1], rank + MORE), np.float32)
    basis = np.linalg.qr(scores @ draw)[0]
    for _ in range(POWERS):
        basis = np.linalg.qr(scores @ np.linalg.qr(scores.T @ basis)[0])[0]
    left, values, _ = np.linalg.svd((scores.T @ basis).T, full_matrices=False)
    return (basis @ left)[:, :rank].astype(np.float32), values[:rank].astype(np.float32)


def unit(vectors: Matrix) -> Matrix:
    """Return the vectors with length 1; those of length 0 stay."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(length == 0, 1, length)).astype(np.float32)


def k_means(vectors: Matrix, k: int) -> npt.NDArray[np.int32]:
    """Return the cluster of each vector, by the largest cosine."""
    centres = vectors[np.random.default_rng(k).choice(min(len(vectors), 20 * k), k, replace=False)]
    for _ in range(ROUNDS):
        nearest = np.argmax(vectors @ centres.T, axis=1)
        sums = sparse.coo_matrix((np.ones(len(nearest), np.float32), (nearest, np.arange(len(nearest))))).tocsr()
        fresh = unit(np.asarray(sums @ vectors))
        centres[: len(fresh)] = np.where(np.linalg.norm(fresh, axis=1, keepdims=True) > 0, fresh, centres[: len(fresh)])
    found: npt.NDArray[np.int32] = np.argmax(vectors @ centres.T, axis=1).astype(np.int32)
    return found


def with_means(known: WordClasses, vectors: Matrix) -> WordClasses:
    """Return classes of vectors. Sizes are the numbers before 64, 256 and 800, so that both files can be joined."""
    numbers = np.stack([k_means(vectors, size - 1) for size in SIZES], axis=1)
    return WordClasses(tuple(size - 1 for size in SIZES), known.words, known.counts, numbers, known.folding)


def joined(first: WordClasses, second: WordClasses) -> WordClasses:
    """Return both classes of the same words."""
    sizes, numbers = (*first.sizes, *second.sizes), np.concatenate([first.numbers, second.numbers], axis=1)
    order = np.argsort(sizes)
    return WordClasses(tuple(sorted(sizes)), first.words, first.counts, numbers[:, order], first.folding)


def main() -> None:
    """Make what is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    out: Path = given.out
    out.mkdir(exist_ok=True)

    def make(name: str, action: Callable[[Path], Any]) -> Path:
        if not (out / name).exists():
            started = time.process_time()
            action(out / name)
            print(f"{name}: {time.process_time() - started:.0f} s of CPU time", flush=True)
        return out / name

    files = texts(given.data)
    everything = make("all.txt", lambda path: write_text(given.data, files, path))
    make("lists", lambda path: write_all_lists(given.data, everything, path))
    some = [file for file in files if file.name in TEXTS]
    text = make("text.txt", lambda path: write_text(given.data, some, path))
    first = WordClasses.load(make("1.classes", lambda path: cluster(text, 1).save(path)))
    news = make("news.txt", lambda path: write_text(given.data, [], path))
    make("news.classes", lambda path: cluster(news, 1).save(path))
    file = make("vectors.npz", lambda path: np.savez(path, vectors=learn_vectors(text, first.words)))
    vectors = np.load(file)["vectors"]
    means = WordClasses.load(make("means.classes", lambda path: with_means(first, vectors).save(path)))
    known = [first]
    for number in range(2, CLUSTERINGS + 1):
        file = make(f"{number}.classes", partial(_write_more, known[-1], text, number))
        known.append(WordClasses.load(file))
    for number, classes in enumerate(known, 1):
        make(f"{number}+means.classes", partial(_write_joined, classes, means))


def _write_more(known: WordClasses, text: Path, number: int, path: Path) -> None:
    _write_joined(known, cluster(text, number), path)


def _write_joined(first: WordClasses, second: WordClasses, path: Path) -> None:
    joined(first, second).save(path)


if __name__ == "__main__":
    main()
