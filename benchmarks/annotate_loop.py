"""How quickly a project learns, how far its estimate can be trusted, and what a model to start from is worth.

    PERCEPTAG_DATA=folder python -m benchmarks.annotate_loop [times] [pool] [judging] [versions] [start] [--runs 20]

The folder holds conll2003/eng.train and ewt/en_ewt-ud-train.conllu. All sentences are in random order.

    times     from a label to the new model, loaded and with its first proposals: CPU, and wall time through the
              process that learns, which waits for others (it is nice) and first ends the step that it is at
    pool      CPU of scoring 14,041 sentences, and of choosing among them
    judging   a simulated annotator: a fifth of the sentences at random, the others chosen; estimate against truth
    versions  what it would bring to keep a version if the estimate of the next one is lower
    start     the labels of an installed model as a column (the model `en` has not seen CoNLL-2003)
"""

from __future__ import annotations

import argparse
import os
import pickle
import queue
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from perceptag.evaluation import evaluate
from perceptag.labels.schemes import convert
from perceptag.models.kinds import make_ready
from perceptag.models.model_file import load_bytes
from perceptag.models.protocol import ReadyModel
from perceptag.project.records import LabelledSentence
from perceptag.recipe.recipe import Recipe
from perceptag.text import read_columns, read_conllu
from perceptag.workbench.findings import Near, choose
from perceptag.workbench.learning.estimating import estimate, judging, scoring_all
from perceptag.workbench.learning.learner_process import LearnerProcess
from perceptag.workbench.learning.messages import Example, Setup, Text, Trained
from perceptag.workbench.learning.pool_scoring import score_pool
from perceptag.workbench.learning.progress import curving
from perceptag.workbench.learning.project_trainer import COMPARED
from perceptag.workbench.learning.recipes import START, Start, loop_recipe
from perceptag.workbench.learning.training import Learning, finish, sentences_of, train, train_ready

DATA = Path(os.environ.get("PERCEPTAG_DATA", "data"))
SIZES = (300, 1000, 3000)
REPEATED = 7  # times that a training is measured
PROPOSED = 5  # sentences that are tagged first


def conll2003(seed: int) -> list[Example]:
    """Names, as spans."""
    read = read_columns(DATA / "conll2003" / "eng.train", ["form", "pos", "chunk", "ner"])
    return _shuffled([(s.tokens, convert(s.columns["ner"], "IOB2", "IOB1")) for s in read], seed)


def ewt(seed: int) -> list[Example]:
    """Parts of speech."""
    read = read_conllu(DATA / "ewt" / "en_ewt-ud-train.conllu")
    return _shuffled([(s.tokens, s.columns["xpos"]) for s in read], seed)


def _shuffled(pairs: list[tuple[list[str], list[str]]], seed: int) -> list[Example]:
    random.Random(seed).shuffle(pairs)
    return [Example(Text(i, tokens), labels, i, in_sample=True) for i, (tokens, labels) in enumerate(pairs, 1)]


# --- times ---


def times(_runs: int) -> None:
    """Print how long it takes from a label to the model in use."""
    print(
        "| | sentences | CPU, s | wall, s: median | most | training alone | model, kB |\n|---|---|---|---|---|---|---|"
    )
    for title, kind, corpus in (("CoNLL-2003 names", "spans", conll2003), ("EWT tags", "tags", ewt)):
        _times_of(title, kind, corpus(1))
    print(f"\nload of the machine in the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def _times_of(title: str, kind: str, every: Sequence[Example]) -> None:
    events: queue.Queue[object] = queue.Queue()
    learner = LearnerProcess(Setup(kind, loop_recipe(kind)), lambda: [e.text for e in every], events.put)
    for size in SIZES:
        _await(events, _submit(learner, every, size))
        found = [_timed(learner, events, every, size + 1 + i) for i in range(REPEATED)]
        wall, alone, data = ([some[i] for some in found] for i in range(3))
        cpu = min(_cpu(every[:size], loop_recipe(kind)) for _ in range(3))
        times = f"{cpu:.3f} | {statistics.median(wall):.3f} | {max(wall):.3f} | {statistics.median(alone):.3f}"
        print(f"| {title} | {size} | {times} | {data[0] / 1000:.0f} |", flush=True)
    learner.close()


def _cpu(some: Sequence[Example], recipe: Recipe) -> float:
    """Return the CPU time of all that happens, here: both sides of the pipe."""
    started = time.process_time()
    message = pickle.loads(pickle.dumps(train(some, recipe)))
    make_ready(load_bytes(message)).margins([e.text.sentence() for e in some[:PROPOSED]])
    return time.process_time() - started


def _submit(learner: LearnerProcess, every: Sequence[Example], size: int) -> int:
    labelled = [
        LabelledSentence(e.text.id, [*e.text.tokens], {}, [*e.labels], e.order, e.order, e.order, 0, in_sample=True)
        for e in every[:size]
    ]
    learner.submit(labelled, upto=size)
    return size


def _await(events: queue.Queue[object], upto: int) -> Trained:
    while True:
        event = events.get(timeout=120)
        if isinstance(event, Trained) and event.upto == upto:
            return event


def _timed(
    learner: LearnerProcess, events: queue.Queue[object], every: Sequence[Example], size: int
) -> tuple[float, float, int]:
    time.sleep(0.5)  # whatever the process does when nothing is asked, a label interrupts it
    started = time.perf_counter()
    event = _await(events, _submit(learner, every, size))
    ready = make_ready(load_bytes(event.data))
    ready.margins([e.text.sentence() for e in every[size : size + PROPOSED]])
    return time.perf_counter() - started, event.seconds, len(event.data)


# --- the pool ---


def pool(_runs: int) -> None:
    """Print the CPU of scoring all sentences, and of choosing among them."""
    every, recipe = conll2003(1), loop_recipe("spans")
    for size in SIZES:
        ready = train_ready(sentences_of(every[:size], recipe), recipe)
        ids, sentences = [e.text.id for e in every], [e.text.sentence() for e in every]
        started = time.process_time()
        scored = score_pool(ready, ids, sentences)
        middle = time.process_time()
        near = Near(e.text.tokens for e in every[:size])
        indexed = time.process_time()
        choose(scored, 5, {e.text.id: e.text.tokens for e in every}, near)
        ended = time.process_time()
        print(
            f"model of {size} sentences: {len(ids)} scored in {middle - started:.2f} s of CPU, the index of labelled "
            f"ones {indexed - middle:.3f} s, five chosen in {ended - indexed:.3f} s"
        )


# --- judging ---

POOL, START_WITH, BATCH, LABELLED = 6000, 50, 25, 400
NEW = slice(8000, 11000)  # sentences outside the pool


@dataclass
class Run:
    """What one simulated project found."""

    random: float
    chosen: float  # on sentences outside the pool
    rest: float  # on what is left of the pool
    raw: float  # before the correction
    score: float
    low: float
    high: float
    biased: float
    gain: float
    gain_low: float
    gain_high: float
    more: float  # the true gain of 100 further sentences
    ece: float


def judging_table(runs: int) -> None:
    """Print, for simulated projects, the estimate and the truth."""
    found = [_simulate(seed) for seed in range(runs)]
    covered = sum(run.low <= run.chosen <= run.high for run in found)
    gained = sum(run.gain_low <= run.more <= run.gain_high for run in found)
    columns = {
        "F1 of random sentences": [run.random for run in found],
        "F1 of mixed sentences, on new text (the truth)": [run.chosen for run in found],
        "the same on the rest of the pool, without the hard ones that were chosen": [run.rest for run in found],
        "estimate before its correction": [run.raw for run in found],
        "estimate": [run.score for run in found],
        "width of its interval": [run.high - run.low for run in found],
        "biased figure": [run.biased for run in found],
        "predicted gain of the next 100": [run.gain for run in found],
        "true gain of the next 100": [run.more for run in found],
        "ECE of the confidence of spans": [run.ece for run in found],
    }
    print(f"{runs} projects of {LABELLED} labelled sentences, {POOL} in the pool\n")
    print("| | mean | least | most |\n|---|---|---|---|")
    for name, values in columns.items():
        print(f"| {name} | {statistics.mean(values):.2f} | {min(values):.2f} | {max(values):.2f} |")
    print(f"\nthe interval covers the truth in {covered} of {runs}, that of the gain the true gain in {gained}")


def _simulate(seed: int) -> Run:
    corpus, learning = conll2003(seed), Learning(loop_recipe("spans"))
    every, new = corpus[:POOL], corpus[NEW]
    labelled = _label(every, LABELLED, learning)
    more = _label(every, LABELLED + 100, learning, labelled)
    known = {e.text.id for e in labelled}
    unlabelled = [e.text.sentence() for e in every if e.text.id not in known][:COMPARED]
    judged = finish(judging(labelled, learning, unlabelled))
    curve = finish(curving(labelled, learning))
    truth, later = (_truth(some, new, learning) for some in (labelled, more))
    found, gain = judged.estimate, curve.gain
    run = Run(
        random=_truth(every[:LABELLED], new, learning),
        chosen=truth,
        rest=_truth(labelled, every, learning),
        raw=found.raw.score,
        score=found.score,
        low=found.low,
        high=found.high,
        biased=finish(scoring_all(labelled, learning)),
        gain=gain.expected,
        gain_low=gain.low,
        gain_high=gain.high,
        more=later - truth,
        ece=judged.reliability.ece if judged.reliability else 0.0,
    )
    print(f"<!-- {run} -->", flush=True)
    return run


def _label(every: Sequence[Example], wanted: int, learning: Learning, before: Sequence[Example] = ()) -> list[Example]:
    """Label sentences: the first ones at random, then a fifth at random, and the others chosen."""
    labelled = [*before] or [_labelled(e, n, in_sample=True) for n, e in enumerate(every[:START_WITH])]
    while len(labelled) < wanted:
        known = {e.text.id for e in labelled}
        rest = [e for e in every if e.text.id not in known]
        ready = train_ready(sentences_of(labelled, learning.recipe), learning.recipe)
        scored = score_pool(ready, [e.text.id for e in rest], [e.text.sentence() for e in rest])
        near = Near(e.text.tokens for e in labelled)
        few = choose(scored, BATCH - BATCH // 5, {e.text.id: e.text.tokens for e in rest}, near)
        taken = {s.id for s in few}
        chosen = [e for e in rest if e.text.id in taken]
        drawn = [e for e in rest if e.text.id not in taken][: BATCH // 5]
        labelled += [_labelled(e, len(labelled) + n, in_sample=e in drawn) for n, e in enumerate([*drawn, *chosen])]
    return _sampled(labelled, every)


def _labelled(example: Example, order: int, in_sample: bool) -> Example:
    return Example(example.text, example.labels, order, in_sample)


def _sampled(labelled: Sequence[Example], every: Sequence[Example]) -> list[Example]:
    """Mark the random sample: those before the first sentence, in random order, that is not labelled."""
    known = {e.text.id for e in labelled}
    first = next(e.text.id for e in every if e.text.id not in known)
    return [_labelled(e, e.order, in_sample=e.text.id < first) for e in labelled]


def _truth(labelled: Sequence[Example], others: Sequence[Example], learning: Learning) -> float:
    """Return the F1 of the model of some sentences on others that are not among them."""
    known = {e.text.id for e in labelled}
    rest = [e for e in others if e.text.id not in known]
    return _f1(train_ready(sentences_of(labelled, learning.recipe), learning.recipe), rest)


def _f1(ready: ReadyModel, held: Sequence[Example]) -> float:
    found = ready.tag([e.text.sentence() for e in held])
    return evaluate([list(e.labels) for e in held], found, bootstrap=0).main_score[1]


# --- versions ---

STEP = 25  # sentences between two versions


def versions_table(runs: int) -> None:
    """Print the F1 of the newest version, and of that which has the best estimate so far."""
    steps = [step for seed in range(runs) for step in _steps(seed)]
    falls = [step for step in steps if step.newest < step.before]
    said = [step for step in steps if step.estimate < step.estimate_before]
    print(f"{runs} projects of {START_WITH} to {LABELLED} random sentences, {len(steps)} new versions\n")
    print("| | versions | F1 of the newest | F1 of the one with the best estimate |\n|---|---|---|---|")
    for name, some in (("all", steps), ("whose estimate is lower than the one before", said)):
        means = [statistics.mean(getattr(step, which) for step in some) for which in ("newest", "kept")]
        print(f"| {name} | {len(some)} | {means[0]:.2f} | {means[1]:.2f} |")
    drop = max((step.before - step.newest for step in falls), default=0.0)
    print(f"\nworse than the version before: {len(falls)}, by at most {drop:.2f} F1; the estimate fell in {len(said)},")
    print(f"of which {sum(step.newest < step.before for step in said)} were worse")


@dataclass(frozen=True)
class Step:
    """A new version, the one before it, and the one with the best estimate so far: true F1 and estimates."""

    newest: float
    before: float
    kept: float
    estimate: float
    estimate_before: float


def _steps(seed: int) -> list[Step]:
    """Label random sentences: all of them judge, so that estimates are as good as they can be."""
    corpus, learning = conll2003(seed), Learning(loop_recipe("spans"))
    judged: list[tuple[float, float]] = []  # the estimate and the truth of each version
    for size in range(START_WITH, LABELLED + 1, STEP):
        found = estimate(corpus[:size], learning)
        assert found is not None
        judged.append((found.score, _truth(corpus[:size], corpus[NEW], learning)))
    return [
        Step(now[1], before[1], max(judged[: n + 1])[1], now[0], before[0])
        for n, (before, now) in enumerate(pairwise(judged), 1)
    ]


# --- a model to start from ---


def start_table(_runs: int) -> None:
    """Print F1 with and without the labels of an installed model as a column."""
    every = conll2003(1)[:7000]
    start = Start.load("en", "spans")
    texts = start.add([e.text for e in every])
    columns = [Example(text, e.labels, e.order) for text, e in zip(texts, every, strict=True)]
    held = slice(4000, 7000)
    alone = evaluate([list(e.labels) for e in every[held]], [list(t.columns[START]) for t in texts[held]], bootstrap=0)
    print(f"the model alone: {alone.main_score[1]:.1f}\n")
    print("| sentences | words | words and the model's labels |\n|---|---|---|")
    for size in (25, 50, 100, 200, 400, 1000):
        means = [
            statistics.mean(
                _f1(train_ready(sentences_of(some[first : first + size], recipe), recipe), some[held])
                for first in (0, 1000, 2000)
            )
            for some, recipe in ((every, loop_recipe("spans")), (columns, loop_recipe("spans", [START])))
        ]
        print(f"| {size} | {means[0]:.1f} | {means[1]:.1f} |", flush=True)


PARTS: dict[str, Callable[[int], None]] = {
    "times": times,
    "pool": pool,
    "judging": judging_table,
    "versions": versions_table,
    "start": start_table,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="what to measure; everything by default")
    parser.add_argument("--runs", type=int, default=20, help="simulated projects")
    given = parser.parse_args()
    for name in given.parts or PARTS:
        print(f"\n## {name}\n", flush=True)
        PARTS[name](given.runs)


if __name__ == "__main__":
    main()
