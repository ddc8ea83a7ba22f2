"""Scores are those of conlleval, on valid label sequences and on any others.

The oracle below was written from the published rules of the CoNLL shared tasks (which labels start and end a chunk),
as sets of spans with their types. It shares no line with `perceptag.evaluate`, which goes token by token. A second
opinion comes from seqeval, whose default mode follows conlleval. The Perl script itself is used if `CONLLEVAL` names
it.
"""

from __future__ import annotations

import importlib.util
import os
import random
import shutil
import subprocess
from collections.abc import Sequence

from perceptag import evaluate
from trust.counts import Tallies, Tally, not_run

Corpus = list[list[str]]
TYPES = ("PER", "LOC", "X-Y")


def check(quick: bool) -> Tallies:
    """Compare scores of random sequences with those of three other programs."""
    number = 1_000 if quick else 10_000
    yield against_the_oracle(number)
    yield against_seqeval(number)
    yield against_the_script(number)


def random_pair(rng: random.Random) -> tuple[Corpus, Corpus]:
    """Return gold and predicted labels of a few sentences: well-formed or not, similar or not."""
    prefixes = rng.choice(["BI", "BI", "I", "BIES", "BIES"])
    types = TYPES[: rng.randint(1, 3)]

    def label() -> str:
        return "O" if rng.random() < 0.3 else f"{rng.choice(prefixes)}-{rng.choice(types)}"

    gold = [[label() for _ in range(rng.randint(1, 9))] for _ in range(rng.randint(1, 4))]
    noise = rng.choice([0.0, 0.1, 0.5, 1.0])
    return gold, [[label() if rng.random() < noise else y for y in labels] for labels in gold]


# --- the oracle ---


def _parts(label: str) -> tuple[str, str]:
    return ("O", "") if label == "O" else (label[0], label[2:])


# The pairs of neighbouring prefixes between which a chunk of one type ends and another of that type starts. It is a
# peculiarity of the script that E B, S S and the like are not among them.
_BOUNDARIES = {"BB", "IB", "EE", "EI"}


def _is_boundary(before: tuple[str, str], now: tuple[str, str]) -> bool:
    """Return whether a chunk may start or end between two tokens: the types differ, or one side is outside."""
    return before[1] != now[1] or before[0] + now[0] in _BOUNDARIES


def oracle_spans(labels: Sequence[str]) -> set[tuple[int, int, str]]:
    """Return first token, last token and type of every chunk."""
    parts = [("O", ""), *map(_parts, labels), ("O", "")]
    found = set()
    begun = -1
    for t in range(1, len(parts)):
        if _is_boundary(parts[t - 1], parts[t]):
            if parts[t - 1][0] != "O":
                found.add((begun, t - 1, parts[t - 1][1]))
            begun = t
    return found


def oracle(gold: Corpus, predicted: Corpus) -> tuple[float, ...]:
    """Return correct, predicted and gold chunks, precision, recall, F1 and accuracy."""
    g = {(n, *span) for n, labels in enumerate(gold) for span in oracle_spans(labels)}
    p = {(n, *span) for n, labels in enumerate(predicted) for span in oracle_spans(labels)}
    precision = 100 * len(g & p) / len(p) if p else 0.0
    recall = 100 * len(g & p) / len(g) if g else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    pairs = [(a, b) for x, y in zip(gold, predicted, strict=True) for a, b in zip(x, y, strict=True)]
    return len(g & p), len(p), len(g), precision, recall, f1, 100 * sum(a == b for a, b in pairs) / len(pairs)


def ours(gold: Corpus, predicted: Corpus) -> tuple[float, ...] | None:
    """Return the same figures by perceptag."""
    report = evaluate(gold, predicted, scheme="IOB2", bootstrap=0)
    c = report.chunks
    assert c is not None
    return c.correct, c.predicted, c.gold, c.precision, c.recall, c.f1, report.accuracy


def against_the_oracle(number: int) -> Tally:
    """Compare all digits of the overall figures."""
    tally = Tally("figures equal those of an independent count")
    rng = random.Random(1)
    for _ in range(number):
        gold, predicted = random_pair(rng)
        mine, other = ours(gold, predicted), oracle(gold, predicted)
        tally.check(mine == other, f"{gold} {predicted}: {mine}, expected {other}")
    return tally


# --- second opinions ---


def against_seqeval(number: int) -> Tally:
    """Compare on IOB labels only: there its default mode is that of conlleval."""
    what = "F1, precision and recall equal those of seqeval (IOB)"
    if importlib.util.find_spec("seqeval") is None:
        return not_run(what, "seqeval is not installed (pip install -e '.[trust]')")
    from seqeval.metrics.sequence_labeling import precision_recall_fscore_support

    tally = Tally(what)
    rng = random.Random(2)
    while tally.tried < number:
        gold, predicted = random_pair(rng)
        if any(y[0] in "ES" for labels in (*gold, *predicted) for y in labels):
            continue
        mine = ours(gold, predicted)
        assert mine is not None
        theirs = precision_recall_fscore_support(gold, predicted, average="micro", zero_division=0)[:3]
        close = all(abs(100 * float(a) - b) < 1e-9 for a, b in zip(theirs, mine[3:6], strict=True))
        tally.check(close, f"{gold} {predicted}: {mine}, seqeval {theirs}")
    return tally


def against_the_script(number: int) -> Tally:
    """Compare everything that the script prints, if there is one."""
    what = "the printed lines equal those of conlleval"
    script = os.environ.get("CONLLEVAL", "")
    if not script or shutil.which("perl") is None:
        return not_run(what, "CONLLEVAL does not name the Perl script" if not script else "no perl")
    tally = Tally(what)
    rng = random.Random(3)
    for _ in range(number):
        gold, predicted = random_pair(rng)
        sentences = [
            "".join(f"w {a} {b}\n" for a, b in zip(x, y, strict=True)) for x, y in zip(gold, predicted, strict=True)
        ]
        done = subprocess.run(["perl", script], input="\n".join(sentences), capture_output=True, text=True, check=True)
        printed = done.stdout.rstrip("\n").split("\n")
        mine = evaluate(gold, predicted, scheme="IOB2", bootstrap=0).render().split("\n")[: len(printed)]
        tally.check(mine == printed, f"{gold} {predicted}:\n{mine}\n{printed}")
    return tally
