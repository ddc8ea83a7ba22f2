"""The interface of models that are ready to tag, and what only some kinds of them offer."""

# ruff: noqa: ARG002 - methods that are not offered do not use their arguments

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from perceptag.errors import NotOfferedError
from perceptag.features.attributes import Attribute
from perceptag.features.user_functions import UserFeature
from perceptag.text.documents import batches

if TYPE_CHECKING:
    from perceptag._core import ColumnText
    from perceptag.arrays import Ints
    from perceptag.features.dataset import SequenceReader
    from perceptag.features.fixed_encoder import TypedColumns
    from perceptag.labels.given import Given
    from perceptag.labels.schemes import Span
    from perceptag.models.explanation import Explained
    from perceptag.models.inference_order import InferenceOrder
    from perceptag.models.margins import Margins, PartScore
    from perceptag.models.model import Model
    from perceptag.text.sentence import Sentence

Attributes = Mapping[str, Attribute]
Functions = Mapping[str, UserFeature]
Ranked = list[tuple[list[str], float]]  # labellings of a sequence with their scores, the best first

SPACES = "\0spaces"  # in typed text, uint8: 1 where white space follows a word; no column can have this name
MARGINS_AT_ONCE = 10_000  # tokens: margins need the score of every label at every token


class Ability(NamedTuple):
    """Something that only some models offer, in the words of the error for the others."""

    what: str
    offered_by: str


_LOCAL = "models with weights of local features"
_CALIBRATED = "confidence, which is calibrated on held-out data, by all"
_GUIDED = "models of learner 'guided', which choose it"

ABILITIES = {
    "given": Ability("labels that are given", "models of every learner but 'chunker'"),
    "rules": Ability("labels under rules", "models that tag"),
    "suggest": Ability("rules that suggest labels", "models of every learner but 'guided'"),
    "nbest": Ability("n-best lists", "models that tag"),
    "explain": Ability("explanations", "models that tag"),
    "explain-given": Ability("explanations of labels that are given", _LOCAL),
    "order": Ability("the order of inference", _GUIDED),
    "marginals": Ability("marginals", f"models of learner 'crf' or 'maxent'; {_CALIBRATED}"),
    "span-marginals": Ability("marginals of spans", f"models of learner 'crf'; {_CALIBRATED}"),
    "probabilities": Ability("probabilities", _LOCAL),
    "top-weights": Ability("the heaviest weights of each label", _LOCAL),
    "outside-score": Ability("a score for the label O", "models that tag"),
    "parts": Ability("scores of parts of labels", "models trained with labels.parts"),
    "column-text": Ability("labels of column text", f"some {_LOCAL}"),
    "types": Ability("labels of types", f"some {_LOCAL}"),
}


class TopWeights(NamedTuple):
    """Features with their weights, from the largest absolute weight down."""

    by_label: dict[str, list[tuple[str, float]]]
    of_documents: list[tuple[str, float]]  # non-local features, if the model has any


class ReadyModel(ABC):
    """A model made ready to tag. It is read-only, so any number of threads may share it.

    Every kind of model tags and knows its margins. What only some models can do is in `offers`; the others raise
    `NotOfferedError` for it.
    """

    offers: frozenset[str] = frozenset()  # of `ABILITIES`
    model: Model
    reader: SequenceReader  # how it reads sentences, for everything that it does with them

    # --- what every kind does ---

    @abstractmethod
    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:
        """The labels of each sentence, as the training data writes them."""

    def tag_lists(
        self, sentences: list[Any], threads: int = 1, numbers_are_features: bool | None = None
    ) -> list[list[str]] | None:
        """The same for lists of words, or dictionaries of lists by column.

        With `numbers_are_features`, for lists of tokens that are dictionaries or lists of features, and numbers other
        than 0 and 1 are among these or not. None if the sentences are anything else, or not sound, or if the model
        needs `Sentence` objects.
        """
        return None

    @abstractmethod
    def margins_of_batch(self, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
        """The labels that `tag` gives, and by how much they win, in the units of the model."""

    @abstractmethod
    def known_words(self) -> Container[str] | None:
        """The words of the training data, or None if the model does not know them."""

    def margins(self, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
        """The margins of any number of sentences, in batches of whole documents."""
        parts = batches(sentences, MARGINS_AT_ONCE, whole_documents=True)
        return [margins for batch in parts for margins in self.margins_of_batch(batch, threads)]

    def values_of(self, sentence: Sentence) -> Mapping[tuple[int, int, str], str]:
        """The normalised values of its spans by start, end and label; only rules have them."""
        return {}

    # --- what it looks at ---

    def input_columns(self) -> list[str]:
        """The columns of the training data that it needs."""
        label = self.model.label_set.column
        return [c for c in self.model.columns if c != label and c in self.reader.columns]

    def looks_at_documents(self) -> bool:
        """Whether the labels of a sentence may depend on other sentences of its document."""
        return self.reader.looks_at_documents()

    # --- what only some models offer ---

    def require(self, ability: str) -> None:
        """Refuse an ability that the model does not have."""
        if ability not in self.offers:
            raise self.not_offered(ability)

    def not_offered(self, ability: str) -> NotOfferedError:
        """Return the error for an ability that the model does not have."""
        return NotOfferedError.by(f"a model of learner {self.model.recipe.learner!r}", *ABILITIES[ability])

    margins_are_log_odds = False  # whether margins are log-odds of labels, even before any calibration
    most_candidates: int | None = None  # how many labellings of a sequence it ranks; None: any number
    label_order = 1  # how many labels before a token the search looks at together with that of the token
    takes_types = False  # whether `tag_types` can be used
    sees_spaces = False  # whether `tag_types` wants the column `SPACES`
    takes_typed_text = False  # whether it can be used with documents
    has_margins = True  # whether it knows by how much its labels win, which confidence is made of
    notes: Sequence[str] = ()  # what users should know of its rules after it has tagged
    takes_column_text = False  # whether `tag_column_text` can be used

    def tag_given(self, sentences: Sequence[Sentence], given: Sequence[Given], threads: int = 1) -> list[list[str]]:
        """The labels of each sentence, the best that agree with those that are given."""
        raise self.not_offered("given")

    def explain(self, document: Sequence[Sentence]) -> Sequence[Explained]:
        """Why each sentence gets its labels. All sentences are one document, whatever document marks they have."""
        raise self.not_offered("explain")

    def explain_given(self, document: Sequence[Sentence], given: Sequence[Given]) -> Sequence[Explained]:
        """Why the labels of `tag_given` have their scores, and what the model prefers to them."""
        raise self.not_offered("explain-given")

    def nbest(self, sentences: Sequence[Sentence], n: int, threads: int = 1) -> list[Ranked]:
        """The n best labellings of each sequence: a sentence, or a document if that is the unit of the model."""
        raise self.not_offered("nbest")

    def marginals(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[dict[str, float]]]:
        """For each token the probability of every label."""
        raise self.not_offered("marginals")

    def span_marginals(
        self, sentences: Sequence[Sentence], wanted: Sequence[Sequence[Span]], threads: int = 1
    ) -> list[list[float]]:
        """For each sentence the probability of each of the wanted spans."""
        raise self.not_offered("span-marginals")

    def part_scores(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[list[PartScore]]]:
        """The parts of the label of each token, and by how much each of them wins."""
        raise self.not_offered("parts")

    def inference_orders(self, document: Sequence[Sentence]) -> list[InferenceOrder]:
        """When each token was labelled, for each sequence of one document."""
        raise self.not_offered("order")

    def inference_orders_given(self, document: Sequence[Sentence], given: Sequence[Given]) -> list[InferenceOrder]:
        """The same if some labels are given."""
        raise self.not_offered("order")

    def top_weights(self, n: int) -> TopWeights:
        """The `n` heaviest weights of each label, and of the non-local features."""
        raise self.not_offered("top-weights")

    def set_outside_score(self, score: float) -> None:
        """Add a score to the label O at every token. Only before the model is shared by threads."""
        raise self.not_offered("outside-score")

    def labels_by_outside_score(
        self, sentences: Sequence[Sentence], threads: int = 1
    ) -> Callable[[float], list[list[str]]]:
        """Return a function that sets a score of O and returns the labels of these sentences under it."""

        def labels(score: float) -> list[list[str]]:
            self.set_outside_score(score)
            return self.tag(sentences, threads)

        return labels

    def tag_column_text(self, text: ColumnText, names: Sequence[str]) -> tuple[Sequence[str], Ints]:
        """Tag lines of a column file with columns `names`.

        Return the label names, and an index into them for each token.
        """
        raise self.not_offered("column-text")

    def tag_types(
        self, columns: TypedColumns, begin: Ints, threads: int = 1, documents: Ints | None = None
    ) -> tuple[Sequence[str], Ints]:
        """Labels, and for each token the number of its label; columns are values, and for each token its value.

        `documents` has the offsets of documents among sentences; by default each sentence is one.
        """
        raise self.not_offered("types")
