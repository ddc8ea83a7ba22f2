"""The tagger: train it, tag with it, ask it why.

>>> X = [["the", "dog", "barks"], ["a", "cat", "sleeps"]]
>>> y = [["DT", "NN", "VBZ"], ["DT", "NN", "VBZ"]]
>>> tagger = Tagger(recipe="collins-pos", epochs=3).fit(X, y)
>>> tagger.predict([["the", "cat", "barks"]])
[['DT', 'NN', 'VBZ']]
"""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from perceptag.arrays import whole_number
from perceptag.errors import ModelError, SettingError
from perceptag.evaluation import Report, evaluate
from perceptag.evaluation.reliability import Reliability
from perceptag.features.attributes import Attribute
from perceptag.features.user_functions import UserFeature
from perceptag.labels.given import GivenLabels
from perceptag.labels.label_spellings import note_on_spelling
from perceptag.labels.schemes import Span, spans
from perceptag.models import calibration
from perceptag.models import model_file as modelfile
from perceptag.models.calibration import Calibration
from perceptag.models.confident import (
    Confident,
    calibrate,
    calibration_of,
    measure,
    with_confidence,
    with_part_confidence,
)
from perceptag.models.explanation import Explained
from perceptag.models.kinds import make_ready, save
from perceptag.models.list_memory import MAX_NBEST, too_few_candidates
from perceptag.models.model import Model
from perceptag.models.protocol import ReadyModel
from perceptag.models.span_rules import with_rules
from perceptag.recipe import auto
from perceptag.recipe.recipe import Recipe, check_names
from perceptag.system.file_kinds import MODEL
from perceptag.system.memory import no_search_for_cycles
from perceptag.system.replacing import refuse_other_kind
from perceptag.text import inputs
from perceptag.text.lines import checked_path
from perceptag.text.sentence import Sentence
from perceptag.training.estimator import RecipeEstimator
from perceptag.training.fit import Code, Plan, Resolved, calibrated_on_dev, make_plan
from perceptag.training.outside import adjust
from perceptag.training.pass_table import Callback, checked_callbacks, checked_verbose, printer, run_passes
from perceptag.training.train import Training

if TYPE_CHECKING:
    from perceptag.models.inference_order import InferenceOrder
    from perceptag.models.margins import PartScore
    from perceptag.rules.spans import RuleSpan

LABEL_COLUMN = "label"
WARNING = "warning: "  # what notes on faults of the data begin with
MAX_THREADS = 1024


class Tagger(RecipeEstimator):
    """A sequence labeller that follows the conventions of scikit-learn.

    Parameters
    ----------
    recipe : name of a shipped recipe, path of a recipe file, or a `Recipe`; "auto" chooses one that fits the data
    attributes : functions of your own that templates may name, ``{"name": function}``
    functions : non-local features of your own, ``{"name": function}``; see `UserFeature`
    allow_code : import the functions that the recipe or the model names as ``name=module:function``
    threads : how many threads training and tagging may use; they never change the result
    warm_start : let `fit` continue from the model that the tagger has, as `perceptag train --from` does
    verbose : 1 lets `fit` print a line for each pass to stderr, as `perceptag train` does; in a notebook it draws a
        curve instead, which grows with each pass
    overrides : any key of the recipe, e.g. ``epochs=5``; ``labels_keep`` stands for ``labels.keep``;
        ``learner`` may be a `perceptag.Learner` of your own; ``add=["form[-3]"]`` adds templates,
        ``add_gazetteer=["city=cities.txt"]`` lists of phrases, ``without=["form"]`` leaves groups of templates out

    A trained tagger is read-only and may be shared by any number of threads.
    """

    _not_keys: tuple[str, ...] = ("recipe", "attributes", "functions", "allow_code", "threads", "warm_start", "verbose")

    def __init__(
        self,
        recipe: str | Recipe = auto.NAME,
        *,
        attributes: Mapping[str, Attribute] | None = None,
        functions: Mapping[str, UserFeature] | None = None,
        allow_code: bool = False,
        threads: int = 1,
        warm_start: bool = False,
        verbose: int = 0,
        **overrides: Any,
    ) -> None:
        self.recipe = recipe
        self.attributes = attributes
        self.functions = functions
        self.allow_code = allow_code
        self.threads = threads
        self.warm_start = warm_start
        self.verbose = verbose
        self.overrides = overrides
        check_names(recipe, overrides)

    def _sentences(self, X: Iterable[object]) -> list[Sentence]:
        return inputs.as_sentences(X)

    def _threads(self) -> int:
        return whole_number("threads", self.threads, 1, MAX_THREADS)

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickled tagger holds its arguments and the bytes of its model file, which are checked when it is read."""
        data = modelfile.to_bytes(self.model_)[0] if hasattr(self, "model_") else None
        return _restore, (self.get_params(), data, type(self))

    def fit(
        self,
        X: Iterable[object],
        y: Sequence[Sequence[str]] | None = None,
        *,
        dev: tuple[Iterable[object], Sequence[Sequence[str]]] | list[Sentence] | None = None,
        callbacks: Sequence[Callback] = (),
    ) -> Tagger:
        """Train on token lists `X` with label lists `y`, or on sentences that have a label column.

        With `dev` the best pass is kept and the model is calibrated on it (`predict_confidence`); otherwise the
        last pass becomes the model, unless the recipe chooses on folds of little data (`inner_folds`). With
        `warm_start` a tagger that has a model continues from it: features and labels that the model knows keep their
        weights, and new ones start at zero.

        `callbacks` are functions that get a `perceptag.training.train.PassReport` after each pass; if one returns True,
        training ends and the model is that of the passes so far. Ctrl-C does the same once a pass has ended, and then
        raises `KeyboardInterrupt` again; before that, the tagger stays as it was.
        """
        from perceptag.labels.label_names import swapped  # tagging does not need it

        checked_verbose(self.verbose)
        checked_callbacks(callbacks)
        plan = self._plan()
        column = plan.recipe.labels_column or (LABEL_COLUMN if y is not None else "")
        with no_search_for_cycles():
            train, held = inputs.labelled(self._training_sentences(X), y, column), inputs.heldout(dev, column)
        if y is not None and (told := swapped(train, column)):
            warnings.warn(told, stacklevel=2)
        # A callback may want to stop after any pass.
        training = plan.begin(self._resolve(plan, train, column), train, held, may_run_ahead=not callbacks)
        noted = (note.removeprefix(WARNING) for note in training.task.notes if note.startswith(WARNING))
        for fault in (*noted, *_doubtful_labels(training)):
            warnings.warn(fault, stacklevel=2)
        try:
            run_passes(training, self.verbose, callbacks)
        except KeyboardInterrupt:
            if training.reports:
                training.leave_out_choices()  # who interrupts does not want to wait
                self._keep(training)
            raise
        self._keep(training)
        return self

    def _plan(self) -> Plan:
        """How `fit` trains. ``auto`` with an earlier model stands for the recipe of that model."""
        start, base = self._start(), self._base()
        return make_plan(
            start.recipe if start is not None and base.name == auto.NAME else base,
            self.overrides,
            code=self._code,
            start=start,
            threads=self._threads(),
            note=printer(self.verbose),
        )

    def _start(self) -> Model | None:
        """The model that training continues from."""
        return getattr(self, "model_", None) if self.warm_start else None

    def _resolve(self, plan: Plan, train: Sequence[Sentence], column: str) -> Resolved:
        return plan.resolve(train, column)

    def _training_sentences(self, X: Iterable[object]) -> list[Sentence]:
        return self._sentences(X)

    def _keep(self, training: Training) -> None:
        self._set_model(training.model())
        self.model_ = calibrated_on_dev(self.ready_model, training.task)

    def _set_model(self, model: Model) -> None:
        self.model_ = model
        self._ready_model = make_ready(model, *self._code.of(model.recipe))

    def calibrate(self, X: Iterable[object], y: Sequence[Sequence[str]], *, beta: float | None = None) -> Tagger:
        """Learn from held-out sentences how often labels and spans are right; `predict_confidence` needs it.

        With `beta`, precision is first set against recall: the score of the label O is chosen for the best F of spans,
        with recall counted `beta` times as much as precision.
        """
        self._check_model()
        data = inputs.with_labels(self._sentences(X), y, self.model_.label_set.column)
        if beta is not None:
            own = make_ready(self.model_, *self._code.of(self.model_.recipe))  # others may share the one that is there
            self._set_model(adjust(own, data, own.model.label_set.gold(data), beta, self._threads()))
        self.model_ = calibrate(self.model_, self.ready_model.margins(data, self._threads()), data)
        return self

    @property
    def _code(self) -> Code:
        """The user's code: given to the constructor, or imported if that is allowed."""
        return Code(self.attributes, self.functions, self.allow_code)

    def _repr_html_(self) -> str:
        """All that is known of the model, for notebooks."""
        from perceptag.models.model_html import tagger_html  # only notebooks ask for it
        from perceptag.system.html import lines_html

        if not hasattr(self, "model_"):
            return lines_html([repr(self)])
        return tagger_html(type(self).__name__, self.model_, self.ready_model.input_columns())

    def _check_model(self) -> None:
        if not hasattr(self, "model_"):
            raise SettingError("this tagger has no model yet: call fit() first, or Tagger.load()")

    @property
    def ready_model(self) -> ReadyModel:
        """The model that does the work: the other methods ask it to tag, to rank and to explain."""
        self._check_model()
        return self._ready_model

    # --- using it ---

    @property
    def labels_(self) -> list[str]:
        """The labels that `predict` may give, sorted; of a model of lemmas, the edit scripts that make them."""
        return GivenLabels(self.ready_model.model.label_set, constrained=False).writable()

    def predict(
        self,
        X: Iterable[object],
        given: Sequence[Sequence[str | None]] | None = None,
        rules: Sequence[Sequence[RuleSpan]] | None = None,
    ) -> list[list[str]]:
        """Return a list of labels for each token list, or for each sentence with all columns that the model uses.

        `given`: labels that are kept, for each token a label or None. The rest is the best labelling that agrees.
        `rules`: for each sentence what rules say about its spans; the labels are the best that satisfy them.
        """
        if rules is not None:
            if given is not None:
                raise SettingError("rules: expected rules or given labels, found both")
            return self.ready_model.tag(self.with_rules(X, rules), self._threads())
        ready, threads = self.ready_model, self._threads()
        if given is None and type(X) is list:
            found = self._tag_lists(X)
            if found is not None:
                return found
        sentences = self._sentences(X)
        if given is not None:
            return ready.tag_given(sentences, inputs.checked_given(sentences, given), threads)
        return ready.tag(sentences, threads)

    def _tag_lists(self, X: list[Any]) -> list[list[str]] | None:
        """The labels of plain lists, without an object for each sentence; None if they are anything else."""
        return self.ready_model.tag_lists(X, self._threads())

    def with_rules(self, X: Iterable[object], rules: Sequence[Sequence[RuleSpan]]) -> list[Sentence]:
        """Attach rules about spans to sentences; every method that takes these sentences respects the rules.

        A rule that says "force" decides the labels of a span, "forbid" keeps a label from it, "suggest" raises the
        score of labellings that have it, by a weight in units of the model's typical margin. The search is exact.
        """
        return with_rules(self.ready_model, self._sentences(X), rules, self.model_)

    def predict_nbest(self, X: Iterable[object], n: int) -> list[list[tuple[list[str], float]]]:
        """Return the n best labellings of each sentence with their scores, the best first.

        The first is what `predict` gives. A sentence with fewer than n labellings gets all of them. The search is
        exact, unless the recipe sets a beam. A model that takes whole documents as sequences (`unit`) ranks the
        labellings of each document. A model with non-local features ranks the labellings that it chooses from,
        `nbest_tagging` of them, by all features, given the labels of the other sentences of the document. A model of
        learner ``guided`` has the hypotheses that its search ends with, `beam` at most; they differ in the two labels
        at the beginning or at the end of the sentence.
        """
        n = whole_number("n", n, 1, MAX_NBEST)
        most = self.ready_model.most_candidates
        if most is not None and n > most:
            warnings.warn(too_few_candidates(n, most, self.model_.recipe.learner), stacklevel=2)
        return self.ready_model.nbest(self._sentences(X), n, self._threads())

    def predict_spans(self, X: Iterable[object]) -> list[list[Span]]:
        """Return the spans (start, end, label) of each sentence."""
        self._check_spans()
        return [spans(sentence, self.model_.label_set.outer) for sentence in self.predict(X)]

    def predict_confidence(self, X: Iterable[object]) -> list[list[float]]:
        """Return for each token the probability that its label, the one that `predict` gives, is right.

        The model must be calibrated: by `fit` with `dev`, or by `calibrate`.
        """
        return [confident.tokens for confident in self._confident(X)]

    def predict_parts(self, X: Iterable[object]) -> list[list[list[PartScore]]]:
        """Return for each token the parts of its label, each with its margin and the probability that it is right.

        Only for models with parts (`labels_parts`). The probability is None unless the model is calibrated; it is what
        calibration has learned about whole labels that win by as much.
        """
        found = self.ready_model.part_scores(self._sentences(X), self._threads())
        return with_part_confidence(calibration.unpack(self.model_), found)

    def predict_confident_spans(self, X: Iterable[object]) -> list[list[tuple[Span, float]]]:
        """Return the spans of each sentence, each with the probability that its type and both boundaries are right."""
        self._check_spans()
        return [confident.spans for confident in self._confident(X)]

    def reliability(self, X: Iterable[object], y: Sequence[Sequence[str]]) -> Reliability:
        """Measure how well confidence is calibrated: that of spans, or of tokens if labels are not spans."""
        self._check_model()
        labels = self.model_.label_set
        data = inputs.with_labels(self._sentences(X), y, labels.column)
        found = self.ready_model.margins(data, self._threads())
        return measure(self._calibration(), found, labels.gold(data), labels.outer)

    def _confident(self, X: Iterable[object]) -> Iterator[Confident]:
        return with_confidence(self._calibration(), self.ready_model.margins(self._sentences(X), self._threads()))

    def _calibration(self) -> Calibration:
        self._check_model()
        return calibration_of(self.model_, self.ready_model.margins_are_log_odds)

    def _check_spans(self) -> None:
        self._check_model()
        if self.model_.label_set.outer == "none":
            raise SettingError("the labels of this model are not spans")

    def predict_marginals(self, X: Iterable[object]) -> list[list[dict[str, float]]]:
        """Return for each token the probability of every label; only for models that give some, such as `crf`."""
        return self.ready_model.marginals(self._sentences(X), self._threads())

    def predict_span_marginals(
        self, X: Iterable[object], spans: Sequence[Sequence[Span]] | None = None
    ) -> list[list[tuple[Span, float]]]:
        """Return spans of each sentence, each with the probability that exactly this span is in the labelling.

        Without `spans`, these are the spans of the best labelling. Probabilities are exact: sums over all labellings.
        """
        ready, sentences = self.ready_model, self._sentences(X)
        wanted = self.predict_spans(sentences) if spans is None else spans
        inputs.check_spans(sentences, wanted)
        found = ready.span_marginals(sentences, wanted, self._threads())
        return [list(zip(some, p, strict=True)) for some, p in zip(wanted, found, strict=True)]

    def evaluate(self, X: Iterable[object], y: Sequence[Sequence[str]]) -> Report:
        """Tag `X` and compare with `y`: accuracy, spans, known and unknown words, interval."""
        sentences, gold = self._with_gold(X, y)
        predicted = self.ready_model.tag(sentences, self._threads())
        return evaluate(gold, predicted, tokens=[s.tokens for s in sentences], known=self.ready_model.known_words())

    def score(self, X: Iterable[object], y: Sequence[Sequence[str]]) -> float:
        """Return F1 of spans, or accuracy if the labels are not spans; from 0 to 1, as scikit-learn expects."""
        sentences, gold = self._with_gold(X, y)
        return evaluate(gold, self.ready_model.tag(sentences, self._threads()), bootstrap=0).main_score[1] / 100

    def _with_gold(self, X: Iterable[object], y: Sequence[Sequence[str]]) -> tuple[list[Sentence], list[list[str]]]:
        sentences = self._sentences(X)
        return sentences, inputs.checked_labels(sentences, y)

    def explain(self, tokens: object) -> Explained:
        """Explain why a sentence gets its labels: what each feature contributes, and the margin to the best rival.

        The sentence is a document of its own. ``explain(tokens).render()`` is what `perceptag explain` prints.
        """
        return self.explain_document([tokens])[0]

    def explain_document(self, X: Iterable[object]) -> list[Explained]:
        """Explain all sentences of one document, each with the labels that `predict` gives it there."""
        return list(self.ready_model.explain(self._sentences(X)))

    def inference_order(self, tokens: object) -> InferenceOrder:
        """Return when each token of a sentence was labelled; only for models of learner ``guided``.

        The sentence is a document of its own.
        """
        return self.inference_orders([tokens])[0]

    def inference_orders(self, X: Iterable[object]) -> list[InferenceOrder]:
        """Return when each token was labelled, for all sentences of one document.

        A model that takes whole documents as sequences (`unit`) labels a document in one order: the list has one entry.
        """
        return self.ready_model.inference_orders(self._sentences(X))

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> str:
        """Write the model to a file, atomically and once it is sure to load again; return its SHA-256.

        An existing model is replaced, and kept as PATH.bak. With `overwrite` any file is, and nothing is kept.
        """
        self._check_model()
        target = checked_path(path, "path")
        refuse_other_kind("path", target, MODEL, overwrite=overwrite)
        return save(self.model_, target, *self._code.of(self.model_.recipe), keeps_old=not overwrite)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        attributes: Mapping[str, Attribute] | None = None,
        functions: Mapping[str, UserFeature] | None = None,
        allow_code: bool = False,
        threads: int = 1,
    ) -> Tagger:
        """Read a model file. This runs no code.

        If the model names code of your own, give it as `attributes` and `functions`, or let perceptag import it with
        `allow_code`.
        """
        model = modelfile.load_single(checked_path(path, "path"))
        tagger = cls(model.recipe, attributes=attributes, functions=functions, allow_code=allow_code, threads=threads)
        try:
            tagger._set_model(model)
        except (ModelError, SettingError) as error:
            error.args = (f"{path}: {error}",)
            raise
        return tagger


def _doubtful_labels(training: Training) -> Iterator[str]:
    """Yield a warning if there is only one label, and if labels of spans are in another spelling."""
    names, is_open = training.task.label_set.names, training.task.label_set.is_open
    if len(names) == 1 and not is_open and training.task.tokens > 1:
        yield f"y: expected at least two labels, found only {names[0]!r}: the tagger can give no other"
    labels = chain.from_iterable(sentence.columns[training.task.label_set.column] for sentence in training.task.train)
    if not is_open and (spelling := note_on_spelling(Counter(labels))):
        yield f"y: {spelling}"


def _restore(params: dict[str, Any], data: bytes | None, kind: type[Tagger] = Tagger) -> Tagger:
    tagger = kind(**params)
    if data is not None:
        tagger._set_model(modelfile.load_bytes(data))
    return tagger
