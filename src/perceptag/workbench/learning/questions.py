"""Questions that the server asks the process that learns. Each is answered in steps, between trainings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from perceptag.errors import PerceptagError, SettingError, brief
from perceptag.models.kinds import make_ready
from perceptag.models.model_file import load_bytes, to_bytes
from perceptag.recipe import auto
from perceptag.recipe.recipe import load
from perceptag.text.sentence import Sentence
from perceptag.training.fit import make_plan
from perceptag.training.train import Training
from perceptag.workbench.learning.estimating import Estimate, remaking, score_on
from perceptag.workbench.learning.label_issues import KINDS, issues
from perceptag.workbench.learning.messages import Answer, Ask, Example, LabelChange, Setup, changes
from perceptag.workbench.learning.pool_scoring import SLICE
from perceptag.workbench.learning.training import Learning, Steps, sentences_of

Between = Callable[[], None]  # called between the parts of long work, so that new labels can be learned


class QuestionContext(Protocol):
    """What questions are about."""

    @property
    def learning(self) -> Learning: ...
    @property
    def examples(self) -> list[Example]: ...
    def pool_ids(self) -> list[int]: ...
    def sentences(self, ids: Sequence[int]) -> list[Sentence]: ...
    def with_start(self, examples: Sequence[Example]) -> list[Example]: ...
    def as_it_was(self, setup: Setup) -> QuestionContext: ...


def answer(worker: QuestionContext, question: Ask, between: Between) -> Steps[Answer]:
    """Answer a question; an error is an answer too."""
    known: dict[str, Callable[..., Steps[Any]]] = {
        "compare": compare,
        "issues": find_issues,
        "remake": remake,
        "score": score,
        "train": train_with,
    }
    number, what = question.number, question.what
    try:
        if what not in known:
            raise SettingError(f"question: expected one of {', '.join(known)}, found {brief(what)}")
        value = yield from known[what](worker, between, **question.arguments)
        return Answer(number, value)
    except PerceptagError as error:
        return Answer(number, error=str(error))
    except Exception as error:
        return Answer(number, error=f"{type(error).__name__}: {error}")


def compare(worker: QuestionContext, _between: Between, before: bytes, after: bytes) -> Steps[list[LabelChange]]:
    """Return the sentences of the pool that two models label differently."""
    models = [make_ready(load_bytes(data)) for data in (before, after)]
    ids, found = worker.pool_ids(), list[LabelChange]()
    for start in range(0, len(ids), SLICE):
        part = ids[start : start + SLICE]
        sentences = worker.sentences(part)
        first, second = (dict(zip(part, model.tag(sentences), strict=True)) for model in models)
        found += changes(first, second)
        yield
    return found


def find_issues(worker: QuestionContext, between: Between, kind: str) -> Steps[dict[str, Any]]:
    """Return labels that deserve a second look."""
    if kind not in KINDS:
        raise SettingError(f"kind: expected one of {', '.join(KINDS)}, found {brief(kind)}")
    yield
    return issues(worker.examples, kind, between)


def remake(
    worker: QuestionContext,
    _between: Between,
    examples: Sequence[Example],
    calibration: Sequence[Example] = (),
    setup: Setup | None = None,
) -> Steps[bytes]:
    """Return the model of an earlier version again, bit for bit: of its examples, and of those of its calibration.

    `setup`: how it was trained, if that was not as it is now.
    """
    then = worker if setup is None else worker.as_it_was(setup)
    return (yield from remaking(then.learning, then.with_start(examples), then.with_start(calibration)))


def score(worker: QuestionContext, _between: Between, data: bytes, examples: Sequence[Example]) -> Steps[Estimate]:
    """Return what a model scores on examples that it was not trained on, such as the sealed ones."""
    yield
    return score_on(make_ready(load_bytes(data)), worker.with_start(examples), worker.learning.scheme)


def train_with(
    worker: QuestionContext, between: Between, recipe: str = auto.NAME, examples: Sequence[Example] | None = None
) -> Steps[bytes]:
    """Return a model of another recipe, which may take long; new labels are learned between its passes.

    It is trained on these examples, or else on all that are known now.
    """
    learning = worker.learning
    known = worker.examples if examples is None else worker.with_start(examples)
    sentences = sentences_of(known, learning.recipe)
    plan = make_plan(load(recipe), {"seed": learning.seed}, note=lambda _: between())
    resolved = plan.resolve(sentences, learning.recipe.labels_column)
    yield

    def make(*arguments: Any, **named: Any) -> Training:
        between()
        return Training(*arguments, **named)

    training = plan.begin(resolved, sentences, make=make)
    for _ in training.run():
        yield
    return to_bytes(training.model())[0]
