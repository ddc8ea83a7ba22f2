"""What a model that is ready to tag can do, whatever its kind."""

# ruff: noqa: ARG002 - methods that are not offered do not use their arguments

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from perceptag.errors import NotOfferedError
from perceptag.features.attributes import Attribute
from perceptag.features.user_functions import UserFeature
from perceptag.text.batches import batches

if TYPE_CHECKING:
    from perceptag._core import ColumnText
    from perceptag.confidence.margins import Margins
    from perceptag.corpus.dataset import SequenceReader
    from perceptag.labels.given import Given
    from perceptag.labels.schemes import Span
    from perceptag.models.explanation import Explained
    from perceptag.models.inference_order import InferenceOrder
    from perceptag.numeric.arrays import Ints
    from perceptag.store.model import Model
    from perceptag.text.sentence import Sentence

Attributes = Mapping[str, Attribute]
Functions = Mapping[str, UserFeature]
Ranked = list[tuple[list[str], float]]  # labellings of a sequence with their scores, the best first

MARGINS_AT_ONCE = 10_000  # tokens: margins need the score of every label at every token


class TopWeights(NamedTuple):
    """Features with their weights, from the largest absolute weight down."""

    by_label: dict[str, list[tuple[str, float]]]
    of_documents: list[tuple[str, float]]  # non-local features, if the model has any


class ReadyModel(ABC):
    """A model made ready to tag. It is read-only, so any number of threads may share it.

    Every kind of model tags, knows its margins and explains its labels. What only some kinds can do raises
    `NotOfferedError` in the others.
    """

    model: Model
    reader: SequenceReader  # how it reads sentences, for everything that it does with them

    # --- what every kind does ---

    @abstractmethod
    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:
        """The labels of each sentence, as the training data writes them."""

    def tag_lists(self, sentences: list[Any], threads: int = 1) -> list[list[str]] | None:
        """The same for lists of words, or dictionaries of lists by column.

        None if they are anything else, or not sound, or if the model needs sentences.
        """
        return None

    @abstractmethod
    def margins_of_batch(self, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
        """The labels that `tag` gives, and by how much they win, in the units of the model."""

    @abstractmethod
    def explain(self, document: Sequence[Sentence]) -> Sequence[Explained]:
        """Why each sentence gets its labels. All sentences are one document, whatever document marks they have."""

    @abstractmethod
    def known_words(self) -> Container[str] | None:
        """The words of the training data, or None if the model does not know them."""

    @abstractmethod
    def set_outside_score(self, score: float) -> None:
        """Add a score to the label O at every token. Only for a model that nobody shares yet."""

    def margins(self, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
        """The margins of any number of sentences, in batches of whole documents."""
        parts = batches(sentences, MARGINS_AT_ONCE, whole_documents=True)
        return [margins for batch in parts for margins in self.margins_of_batch(batch, threads)]

    # --- what it looks at ---

    def input_columns(self) -> list[str]:
        """The columns of the training data that it needs."""
        label = self.model.label_set.column
        return [c for c in self.model.columns if c != label and c in self.reader.columns]

    def looks_at_documents(self) -> bool:
        """Whether the labels of a sentence may depend on other sentences of its document."""
        return self.reader.looks_at_documents()

    # --- what only some kinds do ---

    margins_are_log_odds = False  # whether margins are log-odds of labels, even before any calibration
    most_candidates: int | None = None  # how many labellings of a sequence it ranks; None: any number
    label_order = 1  # how many labels before a token the search looks at together with that of the token
    takes_types = False  # whether `tag_types` can be used
    takes_column_text = False  # whether `tag_column_text` can be used

    def tag_given(self, sentences: Sequence[Sentence], given: Sequence[Given], threads: int = 1) -> list[list[str]]:
        """The labels of each sentence, the best that agree with those that are given."""
        raise self._not_offered("labels that are given", "models of every learner but 'chunker'")

    def explain_given(self, document: Sequence[Sentence], given: Sequence[Given]) -> Sequence[Explained]:
        """Why the labels of `tag_given` have their scores, and what the model prefers to them."""
        raise self._not_offered("explanations of labels that are given", "models with weights of local features")

    def nbest(self, sentences: Sequence[Sentence], n: int, threads: int = 1) -> list[Ranked]:
        """The n best labellings of each sequence: a sentence, or a document if that is the unit of the model."""
        raise self._not_offered("n-best lists", "models of every learner but 'guided'")

    def marginals(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[dict[str, float]]]:
        """For each token the probability of every label."""
        raise self._not_offered(
            "marginals", "models of learner 'crf' or 'maxent'; confidence, which is calibrated on held-out data, by all"
        )

    def span_marginals(
        self, sentences: Sequence[Sentence], wanted: Sequence[Sequence[Span]], threads: int = 1
    ) -> list[list[float]]:
        """For each sentence the probability of each of the wanted spans."""
        raise self._not_offered(
            "marginals of spans", "models of learner 'crf'; confidence, which is calibrated on held-out data, by all"
        )

    def inference_orders(self, document: Sequence[Sentence]) -> list[InferenceOrder]:
        """When each token was labelled, for each sequence of one document."""
        raise self._not_offered("the order of inference", "models of learner 'guided', which choose it")

    def inference_orders_given(self, document: Sequence[Sentence], given: Sequence[Given]) -> list[InferenceOrder]:
        """The same if some labels are given."""
        raise self._not_offered("the order of inference", "models of learner 'guided', which choose it")

    def top_weights(self, n: int) -> TopWeights:
        """The `n` heaviest weights of each label, and of the non-local features."""
        raise self._not_offered("the heaviest weights of each label", "models with weights of local features")

    def tag_column_text(self, text: ColumnText, names: Sequence[str]) -> tuple[Sequence[str], Ints]:
        """Labels, and for each token of a column file, whose columns have these names, the number of its label."""
        raise self._not_offered("labels of column text", "some models with weights of local features")

    def tag_types(
        self, columns: Mapping[str, tuple[Sequence[str], Ints]], begin: Ints, threads: int = 1
    ) -> tuple[Sequence[str], Ints]:
        """Labels, and for each token the number of its label; columns are values, and for each token its value."""
        raise self._not_offered("labels of types", "some models with weights of local features")

    def _not_offered(self, what: str, offered_by: str) -> NotOfferedError:
        return NotOfferedError.by(f"a model of learner {self.model.recipe.learner!r}", what, offered_by)
