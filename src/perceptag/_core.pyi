"""The native kernels of perceptag."""

from collections.abc import (
    Callable,
    Iterable,
    Iterator,
    Sequence as _Sequence
)
from typing import Annotated, Any, overload

import numpy
import numpy.typing
from numpy.typing import NDArray


class LimitExceeded(ValueError):
    pass

BLOCKS: int = 5

SPAN_BLOCK: int = 5

LONGEST_SPAN: int = 64

FEW_LABELS: int = 64

def is_plain(block: int) -> bool:
    """
    Whether the weights of a block are those of transitions, which look at nothing but labels.
    """

def order_of(block: int) -> int:
    """How many labels before the current one the weights of a block look at."""

def plain_block(order: int) -> int:
    """The block of the transitions of an order."""

def combinations(order: int, labels: int) -> int:
    """How many combinations of labels features of an order are crossed with."""

def label_codes(ids: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], labels: int) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
    """
    The numbers of combinations of labels: ids [order + 1, n] has the earliest label first, as `Weights.owners`.
    """

def build_commit() -> str:
    """The commit that was built, or an empty string."""

def build_compiler() -> str:
    """The compiler and its version."""

def cpu_instructions() -> str:
    """The instructions that hot loops use on this CPU."""

class TypeTable:
    """The types of one column, each with a row of attribute values."""

    def __init__(self, attributes: int) -> None: ...

    def add(self, row: _Sequence[int]) -> int: ...

    def add_bag(self, values: _Sequence[int], amounts: _Sequence[float] = []) -> int:
        """
        Store several values, and what each counts; the number that stands for them in a row.
        """

    def row(self, type: int) -> list[int]:
        """The attribute values of a type."""

    def __len__(self) -> int: ...

class FeatureIndex:
    """From attribute values at a position to rows of weights."""

    def __init__(self, templates: _Sequence[tuple[_Sequence[tuple[int, int, int]], int]], padding: int, vocabularies: _Sequence[_Sequence[int]]) -> None: ...

    def make_spans(self, templates: _Sequence[_Sequence[tuple[int, int, int, int]]], longest: int) -> None:
        """
        Templates of whole spans: fields of place (0 first, 1 last, 2 all, 3 length, 4 any), column, attribute, offset.
        """

    @property
    def span_rows(self) -> int: ...

    def span_list(self, number: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
        """The values and rows of all features of one template of spans."""

    def span_load(self, number: int, values: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """The inverse, after the trees."""

    @property
    def span_trees(self) -> int: ...

    def span_tree(self, number: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        Sequences of values as a tree: the node before and the value of each node but the root.
        """

    def span_load_tree(self, number: int, list: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def has_every_span_row(self) -> bool: ...

    def rows(self, order: int) -> int: ...

    def has_every_row(self, order: int) -> bool:
        """Whether each row of an order belongs to one feature."""

    def list(self, number: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
        """The values and rows of all features of one template."""

    def load(self, number: int, values: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def merge(self, lists: _Sequence[tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]]]) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
        """
        Add the features of another index over the same vocabularies, as `list` gives them for each template. Returns the row here of each row there, for each order.
        """

class Lattice:
    """Scores of one sequence, given as flat arrays."""

    def __init__(self, T: int, L: int, order: int, node: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], edge: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], trigram: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], observed: bool = False) -> None: ...

    def set_spans(self, kind: _Sequence[int], letter: _Sequence[int], classes: int, longest: int, scores: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        Scores of whole spans, flat [T, longest, classes]: by the first word, the length less 1 and the type.
        """

    def viterbi(self) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], float]: ...

    def nbest(self, n: int) -> NBest:
        """The n best labellings."""

    def max_marginals(self) -> tuple[Annotated[NDArray[numpy.float32], dict(shape=(None,))], float]:
        """
        What each label at each token costs, flat [T, L], and the score of the best labelling.
        """

    def rivals(self, labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[list[int]]:
        """
        For each token the best labelling with another label there, or an empty list; no list if all is forbidden.
        """

    def forward_backward(self, scale: float = 1.0, in_logs: bool = False) -> tuple[float, Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        log Z and the marginals of one, two and three labels: [T, L], [T, L+1, L], [T, L+1, L+1, L], all flat.
        """

    def score(self, labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float: ...

class Labels:
    """A labelling: one label id for each token."""

    def __init__(self, ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def __len__(self) -> int: ...

    def __getitem__(self, arg: int, /) -> int: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __ne__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def numpy(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

class TagDictionary:
    """Which labels the words of a closed list may carry."""

    def __init__(self, entries: _Sequence[_Sequence[int]], labels: int) -> None: ...

    def __len__(self) -> int: ...

class Weights:
    """The weights of a model: all that a learner reads and changes."""

    def __init__(self, labels: int, plain_edges: bool, plain_trigrams: bool) -> None: ...

    def compose(self, count: int, begin: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], parts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        Give labels parts: those of label y are parts[begin[y] : begin[y + 1]], each from L to count - 1.
        """

    @property
    def node_width(self) -> int:
        """How many weights a row of order 0 has at most."""

    def make_dense(self, order: int, rows: int) -> None: ...

    def make_lined(self, rows: int) -> None:
        """
        A weight for every label, of order 0, in little memory where few weights move.
        """

    def is_dense(self, block: int) -> bool: ...

    def is_lined(self, block: int) -> bool: ...

    def make_compact(self, order: int, begin: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def load_compact(self, order: int, begin: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], w: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """The same with weights that are known and not trained."""

    def load_packed(self, order: int, begin: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: _Sequence[Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]], w: _Sequence[Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]], n: int, bits: int) -> None:
        """
        The same for n codes and n weights in planes, as `join_planes` and `join_grid` take them.
        """

    def make_spans(self, kind: _Sequence[int], letter: _Sequence[int], classes: int, longest: int, rows: int) -> None:
        """
        Features of whole spans, each with a weight for each type: block SPAN_BLOCK.
        """

    @property
    def has_spans(self) -> bool: ...

    @property
    def span_states(self) -> int:
        """How many states the search over labels with lengths has."""

    def fired_spans(self, x: Sequence, labels: Labels) -> list[tuple[int, int, int, int, float]]:
        """
        First word, length, type, row and weight of the features of all spans of a labelling.
        """

    def fix_plain(self, order: int, fixed: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def constrain(self, allowed: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], last: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def prefer(self, label: int, score: float) -> None:
        """Add a score to one label at every token; it replaces an earlier one."""

    def preferred(self, label: int) -> float:
        """The score that `prefer` adds to a label."""

    @property
    def labels(self) -> int: ...

    @property
    def order(self) -> int: ...

    @property
    def ticks(self) -> float: ...

    @ticks.setter
    def ticks(self, arg: float, /) -> None: ...

    def tick(self) -> None:
        """One example has passed."""

    def score(self, x: Sequence, labels: Labels) -> float: ...

    def add(self, x: Sequence, labels: Labels, scale: float = 1.0) -> None:
        """w += scale * Phi(x, labels)"""

    def move(self, x: Sequence, toward: Labels, away: Labels, scale: float = 1.0) -> None:
        """w += scale * (Phi(x, toward) - Phi(x, away))"""

    def averaged(self, active: int) -> Weights: ...

    def rounded(self, active: int) -> Weights: ...

    def frozen(self) -> Weights: ...

    def condensed(self, threads: int = 1) -> Weights:
        """The same weights and sums without the zeros of dense rows."""

    def prepare(self) -> None:
        """Get ready to search; any change of the weights undoes it."""

    def get(self, block: int) -> tuple[Annotated[NDArray[numpy.float32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """The weights of one block and their sums."""

    def set(self, block: int, w: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], sum: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def owners(self, block: int, places: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None, None))]]:
        """
        What the weights at some places of a block belong to: rows [n] and labels [order + 1, n], the earliest label first; the number of labels stands for the start of a sequence.
        """

    def places(self, block: int, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """The inverse of `owners`, with labels as `label_codes` numbers them."""

    def fired(self, x: Sequence, labels: Labels, t: int) -> list[tuple[int, int, float, float]]:
        """
        Block, row, contribution and amount of everything that scores at token t.
        """

    def fired_parts(self, x: Sequence, label: int, t: int) -> list[tuple[int, int, float, float]]:
        """
        Row, part, contribution and amount of the features of order 0 that score for a label at token t.
        """

    def size(self, block: int) -> int:
        """The number of weights of a block."""

    def rows(self, block: int) -> int: ...

    def value(self, block: int, row: int, code: int) -> float:
        """One weight, by its labels as `label_codes` numbers them."""

def moved_weights(weights: Weights, block: int) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
    """
    Places, weights and sums: of compact rows all, of others those that are not zero. Places are those of dense rows.
    """

def put_moved(weights: Weights, block: int, places: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], w: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], sum: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
    """
    Set the weights of lined rows from what `moved_weights` gives; all others become zero.
    """

class Sequence:
    """One sequence as rows of weights."""

    def __len__(self) -> int: ...

    @property
    def labels(self) -> Labels: ...

    def rows(self, order: int, t: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    def span_rows(self, start: int, length: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The rows of the features of a span."""

    def amounts(self, order: int, t: int) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """What each of the rows counts."""

class Corpus:
    """Encoded sequences."""

    def __len__(self) -> int: ...

    def __getitem__(self, arg: int, /) -> Sequence: ...

    @property
    def active(self) -> int: ...

    @property
    def has_amounts(self) -> bool: ...

    def thinned(self, rate: float, seed: int, threads: int = 1, numbers: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Corpus:
        """
        A copy in which some features are left out at random. `numbers`: of the sequences in all of the data.
        """

def encode_new(index: FeatureIndex, tables: _Sequence[TypeTable], columns: _Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], begin: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], closed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 1) -> Corpus: ...

def encode_spans(index: FeatureIndex, tables: _Sequence[TypeTable], columns: _Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], begin: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], corpus: Corpus, kind: _Sequence[int], letter: _Sequence[int], classes: int, longest: int, threads: int = 1) -> None:
    """
    Make features from the gold spans of an encoded corpus, and find those of all spans.
    """

def encode(index: FeatureIndex, tables: _Sequence[TypeTable], columns: _Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], begin: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], closed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 1) -> Corpus: ...

@overload
def encode_some(index: FeatureIndex, tables: _Sequence[TypeTable], columns: _Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], begin: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], closed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], chosen: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Corpus: ...

@overload
def encode_some(index: FeatureIndex, tables: _Sequence[TypeTable], columns: _Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], begin: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], closed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], chosen: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Corpus: ...

@overload
def encode_some(index: FeatureIndex, tables: _Sequence[TypeTable], columns: _Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], closed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], chosen: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Corpus: ...

@overload
def encode_some(index: FeatureIndex, tables: _Sequence[TypeTable], columns: _Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], closed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], chosen: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Corpus:
    """
    Encode the chosen sequences only, with the features that the index has. Arrays may be mapped files; only what is chosen is read.
    """

class Support:
    """Which combinations of labels go with each feature, and how often."""

    def __init__(self, begin: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], counts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """From its three arrays."""

    def join(self, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], count: int) -> Support:
        """
        This support and some combinations of labels besides, which count as seen so often at least.
        """

    def composed(self, count: int, begin: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], parts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Support:
        """This support where labels have parts, as `Weights.compose` takes them."""

    def moved(self, to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: int) -> Support:
        """The same with other numbers of rows: row r becomes to[r]."""

    @property
    def begin(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

    @property
    def codes(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

    @property
    def counts(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

def count_support(corpus: Corpus, order: int, rows: int, labels: int, threads: int = 1) -> Support: ...

def apply_cutoff(support: Support, cutoff: int, whole_rows: bool, order: int, index: FeatureIndex, corpus: Corpus, threads: int = 1) -> Support: ...

def sum_support(parts: _Sequence[Support]) -> Support:
    """
    The counts of several parts of the data, in the rows of the same index.
    """

def cut_features(support: Support, cutoff: int, whole_rows: bool, order: int, index: FeatureIndex) -> tuple[Support, Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    As `apply_cutoff`, without a corpus. Also returns the new number of each row, or -1.
    """

def count_transitions(corpus: Corpus, order: int, labels: int) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
    """How often each combination of labels occurs."""

def unseen_transitions(corpus: Corpus, order: int, labels: int, cutoff: int) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]: ...

def are_within(values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], limit: float) -> bool:
    """Whether no number is NaN or further from zero than `limit`."""

@overload
def are_rising(numbers: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool:
    """Whether each number is larger than the one before it."""

@overload
def are_rising(numbers: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool: ...

def has_no_empty_row(values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], width: int) -> bool:
    """Whether each row of `width` numbers has one that is not zero."""

def are_phrases(text: bytes) -> bool:
    """
    Whether a text has a phrase on each line, its words separated by single spaces.
    """

def json_extent(text: bytes) -> tuple[int, int]:
    """
    How many values JSON has, empty lists counted twice, and how many levels.
    """

def are_falling(numbers: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool:
    """
    Whether no number is larger than the one before it, and the last is above 0.
    """

def trim_heap() -> None:
    """
    Give memory that was freed back to the system, where the C library can do that.
    """

def join_planes(planes: _Sequence[Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]], n: int, are_steps: bool) -> bytes:
    """
    n whole numbers, given as planes: the lowest byte of each, then the next byte of each, and so on; one byte stands for n equal ones. `are_steps`: each number stands for the difference from the one before it.
    """

def join_grid(planes: _Sequence[Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]], n: int, bits: int) -> bytes:
    """
    The same for real numbers, stored as whole ones of 16 bits times 2^-bits.
    """

def take(numbers: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[memoryview, dict(dtype='int32', shape=(None,))]:
    """The numbers at these places."""

def by_pairs(table: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[memoryview, dict(dtype='int32', shape=(None,))]:
    """
    table[label before, label] for each of some labels; at the offsets `begin` the last row takes the place of the label before.
    """

class Predictor:
    """A linear model made ready to tag."""

    def __init__(self, index: FeatureIndex, weights: Weights, tables: _Sequence[TypeTable], memory: int, computed: _Sequence[int] = []) -> None: ...

    def tag(self, dictionary: TagDictionary | None, tables: _Sequence[TypeTable], columns: _Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], begin: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], closed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 1) -> Annotated[memoryview, dict(dtype='int32', shape=(None,))]:
        """Labels of a batch, one after the other."""

def are_texts(values: Iterable[object]) -> bool:
    """Whether all values are strings without NUL and lone surrogates."""

def type_ids(lexicon: dict[Any, Any], sequences: _Sequence[Any], numbers: TypeNumbers) -> Annotated[memoryview, dict(dtype='int32', shape=(None,))]:
    """The numbers of all values of some sequences, one after the other."""

def new_type_ids(lexicon: dict[Any, Any], sequences: _Sequence[Any], table: TypeTable, reader: GrowingReader | None) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """The same in training: new attribute values get new numbers."""

def name_lists(names: tuple[str, ...], ids: NDArray[numpy.int32], begin: NDArray[numpy.int32]) -> list[list[str]]:
    """The names of ids, cut at the offsets where sequences begin."""

def join_features(tokens: list[Any], take_numbers: bool) -> list[str] | None:
    """
    The features of each token as one value; None if Python must look at the tokens.
    """

def has_indented_line(text: str) -> bool:
    """Whether a line begins with a space or a tab."""

class TypeNumbers:
    """The types of one column, by the bytes of their values."""

    def __init__(self, table: TypeTable, reader: AttributeReader | None) -> None: ...

    def __len__(self) -> int: ...

class SharedValues:
    """Equal values of a file as one object."""

    def __init__(self) -> None: ...

class ColumnText:
    """Lines of a column file, if they are plain."""

    def __init__(self, text: str, separator: str, width: int) -> None: ...

    @property
    def is_plain(self) -> bool: ...

    def __len__(self) -> int: ...

    @property
    def begin(self) -> Annotated[memoryview, dict(dtype='int32', shape=(None,))]: ...

    @property
    def documents(self) -> Annotated[memoryview, dict(dtype='int32', shape=(None,))]:
        """Which sentences documents have, as offsets."""

    def tables(self, names: tuple[str, ...], values: SharedValues) -> list[dict[str, list[str]]]:
        """The columns of each sentence."""

    def type_ids(self, column: int, lexicon: dict[Any, Any], numbers: TypeNumbers) -> Annotated[memoryview, dict(dtype='int32', shape=(None,))]:
        """
        Type ids of one column; those of words that only Python can read come from the lexicon.
        """

    def write(self, names: _Sequence[str], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], column: int, replace: bool) -> bytes:
        """The lines with labels in place of a column, or before it."""

class DistinctWords:
    """The different words of running text, in order of appearance."""

    def __init__(self) -> None: ...

    def add(self, text: str, begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], end: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[memoryview, dict(dtype='int32', shape=(None,))]:
        """The numbers of the words at these places."""

    @property
    def words(self) -> list[str]:
        """By number."""

def word_places(begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], end: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], cuts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[memoryview, dict(dtype='int64', shape=(None,))], Annotated[memoryview, dict(dtype='int64', shape=(None,))]]:
    """
    Where the words of tokens begin and end. `cuts`: where words begin inside tokens.
    """

def spaces_behind(begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], end: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], behind: int) -> Annotated[memoryview, dict(dtype='uint8', shape=(None,))]:
    """
    For each word 1 if white space follows it, and else 0. `behind`: where the word after the last one begins.
    """

class ConlluText(ColumnText):
    """Sentences of CoNLL-U, if nothing is wrong with them."""

    def __init__(self, text: str) -> None: ...

    def sentences(self, names: tuple[str, ...], values: SharedValues) -> list[tuple[dict[str, list[str]], int, bool, tuple[tuple[int, str], ...]]]:
        """
        Of each sentence its columns, the lines before its first word, whether it starts a document, and its lines that are not words, each with the number of words before it.
        """

    def write_labels(self, names: _Sequence[str], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], column: int) -> bytes:
        """The text with labels in place of a column; the id is column 0."""

class JsonLabels:
    """Names of labels, as JSON writes them."""

    def __init__(self, names: _Sequence[str]) -> None: ...

class JsonText(ColumnText):
    """Sentences of words in JSON, if they are as most clients send them."""

    def __init__(self, body: bytes, by_lines: bool) -> None:
        """A request with sentences, or lines of one sentence each."""

    @property
    def model(self) -> str: ...

    @property
    def layer(self) -> str: ...

    @property
    def sizes(self, /) -> tuple[int, int, int, int]:
        """
        How many sentences and tokens there are, the tokens of the longest sentence, and the bytes of the longest word.
        """

    def write_json(self, names: JsonLabels, labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], before: bytes, between: bytes, after: bytes) -> bytes:
        """The tokens and labels of each sentence as an object of JSON."""

class ClassTable:
    """The classes of words, in several sizes."""

    def __init__(self, words: bytes, counts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], numbers: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], sizes: _Sequence[int], in_any_case: bool, forms: Callable[[str], tuple[str, str]]) -> None:
        """
        Words with line ends between them, the most frequent first; `forms` gives a word with other letters than ASCII with its digits as 0, and in lower case.
        """

    def row(self, spelling: str) -> int | None:
        """The place of the word that stands for a spelling, or None."""

    def has_lowered(self, word: str) -> bool:
        """Whether a text in lower case is a word in lower case."""

class EndingTable:
    """The endings with which words also occur in a text."""

    def __init__(self, words: ClassTable, changes: _Sequence[tuple[str, str]], stem: int) -> None: ...

class ValueTable:
    """
    The values of an attribute and their numbers, as a model file lists them.
    """

    def __init__(self, text: bytes, reserved: int) -> None:
        """Number values, each of which ends with NUL, from `reserved` on."""

    @property
    def reserved(self) -> int:
        """How many numbers stand for padding."""

    @property
    def size(self) -> int:
        """The number of ids in use, padding included."""

    def get(self, value: str) -> int | None:
        """The number of a value, or None."""

    def __len__(self) -> int: ...

    def __contains__(self, arg: object, /) -> bool: ...

    def __iter__(self) -> Iterator[str]:
        """The values in the order of their numbers."""

class AttributeReader:
    """Numbers of the attribute values of the words of one column."""

    def __init__(self, chains: _Sequence[_Sequence[str]], vocabularies: _Sequence[ValueTable | dict[str, int]], classes: ClassTable | None = None, endings: EndingTable | None = None) -> None: ...

    @staticmethod
    def knows(chain: _Sequence[str], classes: ClassTable | None = None, endings: EndingTable | None = None) -> bool:
        """Whether all attributes of a chain are known here."""

class GrowingReader:
    """
    The same in training: new values get the next numbers of their vocabularies.
    """

    def __init__(self, chains: _Sequence[_Sequence[str]], vocabularies: _Sequence[dict[str, int]], reserved: int, classes: ClassTable | None = None) -> None: ...

def longest(sentences: list[object]) -> int:
    """
    How many words the longest of some sentences has, as far as they are lists, or dictionaries of lists.
    """

def tag_lists(predictor: Predictor, sentences: list[object], columns: tuple[str, ...], lexicons: _Sequence[dict[Any, Any]], numbers: _Sequence[TypeNumbers], labels: tuple[str, ...], pairs: NDArray[numpy.int32] | None, threads: int, piece: int, numbers_are_features: bool | None = None) -> list[list[str]] | None:
    """
    The labels of sentences, which are lists of words, or dictionaries of lists by the names of columns. With `numbers_are_features`, the tokens of a list are dictionaries of features, and numbers other than 0 and 1 are features or not. None if a sentence is anything else, or has something that is not a text.
    """

class ContextWeights:
    """Rows of weights for labels next to a token, by exact keys."""

    def __init__(self, labels: int, templates: _Sequence[tuple[int, int]], observations: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def __len__(self) -> int: ...

    def get(self) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """Keys, weights and their sums."""

    def load_dense(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], w: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], sum: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def load_compact(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], w: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def compact(self) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))]]:
        """
        The rows of the observations that a weight needs, which are numbered again in this order, and what `load_compact` reads then: keys, begin, codes, w.
        """

    def take_over(self, earlier: ContextWeights, templates: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        Start from earlier weights, whose templates and labels have these numbers here.
        """

    def contributions(self, x: Sequence, action: Action, rival: int) -> list[tuple[int, int, float, float]]:
        """
        What each label context gives to the label of an action and to a rival: (row of the observation, -1 for the bias, number of the template, weight, weight).
        """

class Action:
    """A label for a token, and the labels next to it that were known."""

    def __init__(self, token: int, label: int, beside: _Sequence[int] = [-1, -1, -1, -1]) -> None: ...

    @property
    def token(self) -> int: ...

    @property
    def label(self) -> int: ...

    @property
    def beside(self) -> list[int]:
        """y-2, y-1, y+1, y+2; -1 where unknown."""

    @property
    def score(self) -> float:
        """The action score, as the search saw it."""

class GuidedWeights:
    """Weights of word features and of label contexts."""

    def __init__(self, words: Weights, contexts: ContextWeights) -> None: ...

    @property
    def words(self) -> Weights: ...

    @property
    def contexts(self) -> ContextWeights: ...

    def add(self, x: Sequence, action: Action, scale: float) -> None:
        """w += scale * f(action)"""

    def tick(self) -> None:
        """One example has passed."""

    def averaged(self, active: int) -> GuidedWeights: ...

    def frozen(self) -> GuidedWeights: ...

class GuidedRules:
    """How the search goes about it."""

    def __init__(self, beam: int = 3, direction: str = 'both', margin: float = 0.0) -> None: ...

class GuidedSearch:
    """Bidirectional search: accepted spans and candidates of one sequence."""

    def __init__(self, weights: GuidedWeights, rules: GuidedRules, dictionary: TagDictionary | None = None) -> None: ...

    def start(self, x: Sequence) -> None:
        """Make the candidates of a sequence."""

    def choose(self) -> int:
        """The token to label next, or -1."""

    def accept(self, token: int) -> None:
        """Move a candidate to the accepted spans."""

    def rescore(self, up: Action, down: Action) -> None:
        """
        Score again what has changed after the weights moved up along one action and down along another.
        """

    def gold_state(self, token: int) -> int:
        """
        The place of the gold labelling in the span of a token: 0 if it is on top, -1 if it is lost.
        """

    def top_action(self, token: int) -> Action:
        """The last action of the best hypothesis."""

    def with_gold(self, action: Action) -> Action:
        """The same action with gold labels."""

    def actions(self, token: int) -> list[Action]:
        """All actions of the best hypothesis, the last one first."""

    def scores(self, action: Action) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """The action score of every label, next to the same known labels."""

    def accepted(self) -> list[tuple[int, int]]:
        """Accepted spans: first and last token."""

    def candidates(self) -> list[int]:
        """Tokens that can be labelled next."""

    def beam(self, token: int) -> list[float]:
        """The scores of the hypotheses of a span, the best first."""

    def check(self) -> None:
        """Raise an error if the spans are not as they must be."""

def guided_decode(weights: GuidedWeights, rules: GuidedRules, corpus: Corpus, dictionary: TagDictionary | None = None, threads: int = 1) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

def guided_scores(weights: GuidedWeights, rules: GuidedRules, corpus: Corpus, dictionary: TagDictionary | None = None, threads: int = 1) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))]]:
    """
    Labels, and the scores of all labels in the actions that gave them: [tokens], flat [tokens, L].
    """

def guided_nbest(weights: GuidedWeights, rules: GuidedRules, corpus: Corpus, dictionary: TagDictionary | None, n: int, threads: int = 1) -> list[NBest]:
    """
    For each sequence the best hypotheses of the last beam, with their scores.
    """

def guided_tag(index: FeatureIndex, weights: GuidedWeights, rules: GuidedRules, dictionary: TagDictionary | None, tables: _Sequence[TypeTable], columns: _Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], begin: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], closed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 1) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """Labels of a batch, one after the other."""

def viterbi(weights: Weights, x: Sequence, dictionary: TagDictionary | None = None) -> Labels:
    """The best labelling of x."""

def decode(weights: Weights, corpus: Corpus, dictionary: TagDictionary | None = None, threads: int = 1) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

def tag(index: FeatureIndex, weights: Weights, dictionary: TagDictionary | None, tables: _Sequence[TypeTable], columns: _Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], begin: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], closed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 1) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """Labels of a batch, one after the other."""

class NBest:
    """The best labellings of one sequence with their scores, the best first."""

    def __len__(self) -> int: ...

    def __getitem__(self, i: int) -> Labels: ...

    def score(self, i: int) -> float:
        """The score of the i-th labelling."""

    @property
    def labels(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)]:
        """All labellings: int32[n, T], read-only."""

    @property
    def scores(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """All scores: float64[n], read-only, never increasing."""

def nbest(weights: Weights, x: Sequence, n: int, dictionary: TagDictionary | None = None) -> NBest:
    """The n best labellings of x."""

def rescore(weights: Weights, x: Sequence, candidates: _Sequence[Labels], dictionary: TagDictionary | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """The scores of given labellings of x."""

def nbest_batch(weights: Weights, corpus: Corpus, n: int, dictionary: TagDictionary | None = None, threads: int = 1) -> list[NBest]:
    """The n best labellings of every sequence."""

def perceptron_pass(weights: Weights, examples: _Sequence[Sequence], dictionary: TagDictionary | None = None) -> tuple[int, int]:
    """
    The loop of `perceptag.learn.perceptron`: the number of wrong sequences and of wrong labels.
    """

def margin_pass(weights: Weights, examples: _Sequence[Sequence], margin: float, step: float, dictionary: TagDictionary | None = None) -> tuple[int, int]:
    """
    The loop of `perceptag.learn.margin`: the number of wrong sequences and of wrong labels.
    """

class ShardChanges:
    """What one shard did to the weights in a part of a pass."""

    def __init__(self, arrays: _Sequence[tuple[NDArray[Any], NDArray[numpy.float64], NDArray[numpy.float64]]], ticks: float) -> None:
        """From what `arrays` gives, perhaps in another process."""

    @property
    def ticks(self) -> float: ...

    def arrays(self) -> list[tuple[NDArray[Any], NDArray[numpy.float64], NDArray[numpy.float64]]]:
        """
        For each block: the places that were moved, in ascending order, by how much, and what this adds to the sum of all vectors that were visited.
        """

    def __reduce__(self) -> tuple[Any, ...]: ...

    def __len__(self) -> int: ...

def worker_weights(weights: Weights) -> Weights:
    """The same weights, for one shard after the other to move."""

def start_part(own: Weights) -> None:
    """Get ready for a part of a pass, which moves weights of its own."""

def take_changes(own: Weights, start: Weights) -> ShardChanges:
    """
    What a part has changed since it started; own becomes start again. Start may be frozen weights.
    """

class Presence:
    """In how many shards each feature occurs."""

    @overload
    def __init__(self, weights: Weights, corpus: Corpus, shard_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], shards: int) -> None: ...

    @overload
    def __init__(self, counts: _Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> None:
        """From the counts of each order."""

def rivals(weights: Weights, x: Sequence, labels: Labels, dictionary: TagDictionary | None = None) -> tuple[list[tuple[Labels, float, int, int] | None], int]:
    """
    For each token the best labelling with another label there, by how much it is worse, the first token where it differs and the one after the last, or None; and the steps in which they were traced.
    """

def mix(weights: Weights, changes: _Sequence[ShardChanges], shards: int, unit: float, presence: Presence | None = None, own: _Sequence[Weights] = [], threads: int = 1) -> None:
    """
    Move the weights by the changes of all shards, each sum divided by a number of shards. The weights of workers (own) become the same.
    """

def mixed_values(weights: Weights, changes: _Sequence[ShardChanges]) -> list[tuple[NDArray[Any], NDArray[numpy.float32]]]:
    """
    For each block: the places that changes have moved, and their weights now.
    """

def put_values(own: Weights, values: _Sequence[tuple[NDArray[Any], NDArray[numpy.float32]]]) -> None:
    """Set the weights that `mixed_values` of another process gives."""

def copy_weights(weights: Weights) -> Weights:
    """The same weights, sums and clock."""

def set_mean(to: Weights, of: _Sequence[Weights]) -> None:
    """Set weights, sums and the clock to the mean of those of other weights."""

def max_marginals(weights: Weights, corpus: Corpus, dictionary: TagDictionary | None = None, threads: int = 1) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
    """
    How far the best labelling with a label at a token is behind the best of all: flat [tokens, L], at most 0.
    """

def marginals(weights: Weights, corpus: Corpus, dictionary: TagDictionary | None = None, scale: float = 1.0, pairs: bool = False, threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    p(label) of every token, [tokens, L] flat, or with the label before it, [tokens, L+1, L] flat, where p(labelling) is proportional to exp(scale * score).
    """

def event_probabilities(weights: Weights, corpus: Corpus, sequence: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], masks: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], tables: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], dictionary: TagDictionary | None = None, scale: float = 1.0, threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    The probabilities of events: event i allows from token first[i] of a sequence on the transitions of the tables masks[begin[i]:begin[i+1]], one for each token; a table is [L+1, L] flat.
    """

class Limits:
    """
    Transitions [L+1, L] and last labels [L] that may be chosen; empty: all.
    """

    def __init__(self, allowed: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], last: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

def local_nbest(weights: Weights, corpus: Corpus, limits: Limits, dictionary: TagDictionary | None, beam: int, n: int = 1, threads: int = 1) -> list[NBest]:
    """
    The n best labellings of every sequence with the logarithms of their probabilities.
    """

def local_rivals(weights: Weights, x: Sequence, labels: Labels, limits: Limits, dictionary: TagDictionary | None, beam: int) -> tuple[list[tuple[Labels, float, int, int] | None], int]:
    """
    What `rivals` returns, in a lattice that is normalised at every token; steps are columns of the search.
    """

def local_score(weights: Weights, x: Sequence, labels: Labels) -> float:
    """The logarithm of the probability of a labelling."""

def local_pairs(weights: Weights, corpus: Corpus, beam: int, threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    The probability of each pair of labels at each token and the one before: float64[tokens * (L+1) * L].
    """

class ConstrainedSearch:
    """Search under rules about spans of the sequences of a corpus."""

    def __init__(self, weights: Weights, dictionary: TagDictionary | None, local: Limits | None, kind: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], begins: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], joined: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], are_chunks: bool, sequences: int, spans: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], amounts: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def decode(self, corpus: Corpus, threads: int = 1) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The best labellings; -1 in a sequence for which the rules leave none."""

    def nbest(self, corpus: Corpus, n: int, threads: int = 1) -> list[NBest]:
        """The n best labellings of every sequence."""

    def max_marginals(self, corpus: Corpus, threads: int = 1) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        How far the best labelling with a label at a token is behind the best of all: flat [tokens, L].
        """

    def marginals(self, corpus: Corpus, scale: float = 1.0, pairs: bool = False, threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        p(label) of every token, or with the label before it, as `marginals` has them.
        """

    def event_probabilities(self, corpus: Corpus, sequence: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], masks: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], tables: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], scale: float = 1.0, threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The probabilities of events."""

LONGEST_PHRASE: int = 32

class LabelReading:
    """How label ids are read as chunks: tag and class of each."""

    def __init__(self, classes: int, tag: _Sequence[int], kind: _Sequence[int]) -> None: ...

class Scene:
    """A document with candidate labellings, and its non-local features."""

    def __init__(self, reading: LabelReading, families: _Sequence[bool], tokens: _Sequence[_Sequence[int]], joining: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], longest: int = 32) -> None: ...

    @property
    def features(self) -> int: ...

    @property
    def steps(self) -> int:
        """How many phrases it found and counted."""

    def add(self, s: int, labels: Labels) -> None: ...

    def choose(self, s: int, k: int) -> None: ...

    def chosen(self, s: int) -> int: ...

    def vectors(self, s: int, candidates: _Sequence[int], own: bool = False) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Features with each of some candidates of s in turn: float32[candidates * features].
        """

    def scores(self, s: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], own: bool = False) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def document(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...

def best_by_label(candidates: _Sequence[Labels], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    The best score of a candidate with each label at each token: float64[T * labels], minus infinity without one.
    """

class Ascent:
    """How documents are searched, and when weights move."""

    def __init__(self, reading: LabelReading, families: _Sequence[bool], own: bool, scale: float, n: int, margin: float, margin_local: float, step: float, longest: int = 32) -> None: ...

    def learn(self, weights: Weights, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], sum: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], sequences: _Sequence[Sequence], tokens: _Sequence[_Sequence[int]], joining: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], dictionary: TagDictionary | None, threads: int = 1, known: _Sequence[Sequence] = [], known_labels: TagDictionary | None = None) -> tuple[int, int]:
        """
        The loop of `perceptag.learn.ascent` for one document: the number of wrong sequences and of wrong labels. `w` and `sum`, of the non-local features, change as well. `known`: sequences with entries of `known_labels` for the labels that their tokens may have, or None where no label is missing.
        """

class PhraseTable:
    """Lists of phrases, by class."""

    def __init__(self) -> None: ...

    def add(self, kind: str, phrases: Iterable[_Sequence[str]]) -> None:
        """
        Add the phrases of one more class. Its marks are listed after those of the others.
        """

    def reserve(self, phrases: int, words: int) -> None:
        """Make room for a number of phrases, with this number of words in total."""

    def add_text(self, kind: str, text: str) -> None:
        """The same for phrases on lines, their words separated by single spaces."""

class DocumentReader:
    """Columns that are computed from documents."""

    def __init__(self, columns: list[tuple[str, Any, Any]], as_written: PhraseTable | None, in_lower_case: PhraseTable | None) -> None: ...

    def __len__(self) -> int: ...

    def words(self, sentences: _Sequence[_Sequence[str]]) -> Annotated[memoryview, dict(dtype='int32', shape=(None,))]:
        """The numbers of all words of some sentences, one after the other."""

    def words_of_text(self, text: ColumnText, column: int) -> Annotated[memoryview, dict(dtype='int32', shape=(None,))]:
        """The same for a column of a text."""

    def columns(self, words: NDArray[numpy.int32], begin: NDArray[numpy.int32], documents: NDArray[numpy.int32]) -> list[tuple[NDArray[numpy.int32], TypeTable]]:
        """
        Type ids and table of each column. Offsets say where sentences begin, and which sentences documents have.
        """

def document_values(names: _Sequence[str], sentences: _Sequence[_Sequence[str]], documents: NDArray[numpy.int32]) -> list[tuple[NDArray[numpy.int32], list[tuple[str, ...]]]]:
    """
    The values of columns that are computed from documents. Of each column the number of each token's values, and all different values in the order of their numbers.
    """

SWEEPS: int = 4

def decode_documents(local: Weights, reading: LabelReading, families: _Sequence[bool], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scale: float, n: int, corpus: Corpus, dictionary: TagDictionary | None, words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], documents: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], joining: _Sequence[int], threads: int = 1, longest: int = 32) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """
    Labels of encoded documents, as `DocumentDecoder.tag` finds them, under any local weights.
    """

class DocumentDecoder:
    """Labels of documents under local and non-local features."""

    def __init__(self, predictor: Predictor, reading: LabelReading, families: _Sequence[bool], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scale: float, n: int, longest: int = 32) -> None: ...

    def tag(self, dictionary: TagDictionary | None, tables: _Sequence[TypeTable], columns: _Sequence[NDArray[numpy.int32]], begin: NDArray[numpy.int32], closed: NDArray[numpy.int32], words: NDArray[numpy.int32], documents: NDArray[numpy.int32], joining: _Sequence[int], threads: int = 1) -> tuple[NDArray[numpy.int32], int, int]:
        """
        Labels of a batch of documents, one after the other, how many n-best lists were made, and how many phrases were found and counted. `documents`: which sequences documents have; `words`: equal numbers for equal words; `joining`: some of these.
        """

class Scorer:
    """Scores instances for several functions at once."""

    @property
    def columns(self) -> int: ...

    @property
    def features(self) -> int: ...

    def score(self, x: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The value of every function."""

class SupportVectors(Scorer):
    """Kernel perceptrons in dual form."""

    def __init__(self, features: int, columns: int, degree: int) -> None: ...

    def add(self, x: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], column: int, sign: int) -> None:
        """The function `column` moves by sign·x."""

    def tick(self, decisions: int) -> None:
        """So many decisions have been taken by every function."""

    def averaged(self) -> SupportVectors:
        """With the coefficients that all vectors together vote with."""

    def frozen(self) -> SupportVectors: ...

    def kernel(self, x: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], row: int) -> float: ...

    def row(self, i: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    def coefficient(self, i: int, column: int) -> float: ...

    def __len__(self) -> int: ...

    @property
    def degree(self) -> int: ...

    @property
    def clock(self) -> float: ...

    @property
    def longest(self) -> int:
        """Features of the largest support vector."""

    def arrays(self) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        Where rows begin, their features, coefficients and moments [columns, rows].
        """

    def load(self, begin: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], coefficients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], moments: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], clock: float) -> None: ...

class DenseIndex(Scorer):
    """The inverted index, dense where features are frequent."""

    def __init__(self, vectors: SupportVectors) -> None: ...

class LinearKernel(Scorer):
    """A kernel of degree 1 as weights of features."""

    def __init__(self, vectors: SupportVectors) -> None: ...

LONGEST_CHUNK: int = 64

class ChunkSentence:
    """A sentence as predicate numbers."""

    def __len__(self) -> int: ...

class Gazetteer:
    """Categories of phrases and of their words."""

    def __init__(self) -> None: ...

    def add(self, features: ChunkFeatures, node: int, category: int) -> None: ...

class ChunkFeatures:
    """Features of words and phrases."""

    def __init__(self, word_window: int, phrase_window: int) -> None: ...

    def insert_form(self, words: _Sequence[int]) -> int:
        """The number of a sequence of words, made if need be."""

    def count_words(self, x: ChunkSentence) -> None: ...

    def count_phrase(self, x: ChunkSentence, s: int, e: int, left: _Sequence[int], gazetteer: Gazetteer) -> None: ...

    def freeze(self, cutoff: int) -> None:
        """Drop rare features and number the others."""

    def word(self, x: ChunkSentence, i: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The instance of a word."""

    def phrase(self, x: ChunkSentence, s: int, e: int, left: _Sequence[int], gazetteer: Gazetteer) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The instance of a phrase from s to e, both included."""

    def fit(self, window: int, inside: int, categories: int) -> bool:
        """
        Whether all features have a meaning in a model with these numbers of predicates and categories.
        """

    @property
    def phrase_window(self) -> int: ...

    @property
    def word_keys(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    @property
    def phrase_keys(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    @property
    def trie(self) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]: ...

    def load(self, words: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], phrases: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], parents: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], forms: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class Recognition:
    """What was recognised in a sentence, and on what grounds."""

    @property
    def phrases(self) -> list[tuple[int, int, int]]: ...

    @property
    def begin(self) -> list[float]: ...

    @property
    def inside(self) -> list[float]: ...

    @property
    def score(self) -> float: ...

    @property
    def candidates(self) -> int: ...

    def left(self, s: int, e: int) -> list[int]:
        """
        Categories of the words before s, nearest first, as phrases from s to e saw them.
        """

def read_chunk_key(key: int) -> tuple[str, int, int, int, list[int]]:
    """
    What a key stands for: its kind, the offsets of the first and the last word, the number of a predicate, a form or a category, or the types of some words.
    """

def encode_chunks(tables: _Sequence[TypeTable], columns: _Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], begin: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[ChunkSentence]: ...

def recognise(features: ChunkFeatures, words: Scorer, phrases: Scorer, gazetteer: Gazetteer, context: str, x: ChunkSentence, outside: tuple[float, float] = (0.0, 0.0)) -> Recognition:
    """The best chunking of x."""

def recognise_all(features: ChunkFeatures, words: Scorer, phrases: Scorer, gazetteer: Gazetteer, context: str, tables: _Sequence[TypeTable], columns: _Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], begin: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 1, outside: tuple[float, float] = (0.0, 0.0)) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """
    Phrases of a batch: sentence, start, end (included), category of each, one after the other.
    """

def parameters(weights: Weights) -> int:
    """How many parameters weights of this layout have."""

def maxent_evaluate(weights: Weights, corpus: Corpus, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 1) -> tuple[float, Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))]]:
    """
    The log-likelihood of the gold labels, expected features, and which tokens get another label.
    """

def maxent_largest_score(weights: Weights, corpus: Corpus, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
    """The largest score of any label at any token."""

class Likelihood:
    """The log-likelihood of a corpus under a conditional random field."""

    def __init__(self, weights: Weights, corpus: Corpus, dictionary: TagDictionary | None = None, held: int = 4194304, shards: _Sequence[int] = []) -> None:
        """
        At most `held` marginals are in memory at a time, or those of one sequence. `shards`: the first sequence of each shard but the first one.
        """

    def gold(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        How often each weight counts in the gold labellings; 0 for weights that never move.
        """

    @property
    def size(self) -> int:
        """The number of weights."""

    def evaluate(self, weights: Weights, threads: int = 1, gold: bool = True) -> tuple[float, int, Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        The log-likelihood, the number of sequences that are wrong token by token, and the gradient: that of the weights of all blocks, one block after the other. Without `gold`, only what the shards here subtract from the gold counts. Not for several threads of Python at once.
        """

def dot(a: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
    """The inner product, the same bits on every machine."""

class Variances:
    """How uncertain each weight is."""

    def __init__(self, weights: Weights, variance: float) -> None: ...

    def of(self, weights: Weights, x: Sequence, toward: Labels, away: Labels) -> float:
        """The variance of the score of toward minus that of away."""

    def move(self, weights: Weights, x: Sequence, toward: Labels, away: Labels, step: float, gamma: float, unit: float) -> None:
        """
        w += step * variance * (Phi(x, toward) - Phi(x, away)) in multiples of unit; variances shrink.
        """

    def get(self, block: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def set(self, block: int, variances: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

def squared_distance(weights: Weights, x: Sequence, a: Labels, b: Labels) -> float:
    """The squared norm of Phi(x, a) - Phi(x, b)."""

def gram(weights: Weights, x: Sequence, gold: Labels, others: _Sequence[Labels]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    Products of the vectors Phi(x, gold) - Phi(x, other), each with each: float64[K * K].
    """

def viterbi_with_cost(weights: Weights, x: Sequence, dictionary: TagDictionary | None = None) -> Labels:
    """
    The best labelling of x, every label that is not the gold one being worth 1 more.
    """

class Alphabet:
    """The class and the small letter of each character."""

    def __init__(self) -> None: ...

    def add(self, code: int, kind: int, script: int, lower: int) -> None: ...

class WordFacts:
    """What plain text tells of words, by their fingerprints."""

    def __init__(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], facts: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

class KnownWords:
    """Known words, by their fingerprints."""

    def __init__(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class RunText:
    """A text as runs of characters without white space."""

    def __init__(self, text: str, alphabet: Alphabet, facts: WordFacts | None = None, starts: _Sequence[int] = [], lexicon: KnownWords | None = None) -> None: ...

    def __len__(self) -> int: ...

    def match_words(self, lexicon: KnownWords, begin: int, end: int) -> None:
        """Find the words of another lexicon in a part of the text."""

    def features(self) -> list[tuple[int, numpy.typing.NDArray[numpy.uint64]]]:
        """Each character that is not white space: its place and its features."""

class KeyIndex:
    """Numbers for the features of characters."""

    def __init__(self, text: RunText, cutoff: int, first: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """The features `first`, and those that occur in the text so often."""

    def __len__(self) -> int: ...

    @property
    def keys(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    def encode(self, text: RunText, begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Corpus:
        """
        The characters that are not white space, in sequences that begin at these places.
        """

class Segmenter:
    """Finds tokens, words and sentences."""

    def __init__(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], joins: bool) -> None: ...

    def labels(self, text: RunText) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """A label for every character."""

    def tokens(self, text: RunText, labels: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> tuple[Annotated[memoryview, dict(dtype='int64', shape=(None,))], Annotated[memoryview, dict(dtype='int64', shape=(None,))], Annotated[memoryview, dict(dtype='uint8', shape=(None,))], Annotated[memoryview, dict(dtype='int64', shape=(None,))]]:
        """
        Where tokens begin and end, what begins with each (0: nothing more, 1: a sentence, 2: a paragraph), and where words begin inside tokens. `labels`: those of the characters, if they are known.
        """

class BigramCounts:
    """How often each word of a text is followed by each other."""

    def __len__(self) -> int: ...

    @property
    def words(self) -> list[str]:
        """The words, the most frequent first."""

    @property
    def counts(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """How often each word occurs."""

    @property
    def fingerprint(self) -> int:
        """
        A number that differs, in all likelihood, if other words or bigrams were counted.
        """

class BigramCounter:
    """Counts the words and bigrams of a text in bounded memory."""

    def __init__(self, most_words: int, most_bigrams: int) -> None: ...

    def add_text(self, text: str) -> None:
        """
        Count whole lines: sentences of words that are separated by spaces or tabs.
        """

    def add_sentence(self, words: _Sequence[str]) -> None:
        """Count the words of one sentence."""

    def finish(self, least: int) -> BigramCounts:
        """
        The counts, with the words seen less often than `least` counted together; empties this.
        """

    @property
    def tokens(self) -> int: ...

    @property
    def sentences(self) -> int: ...

    @property
    def types(self) -> int: ...

    @property
    def bigrams(self) -> int: ...

    @property
    def dropped_words(self) -> int: ...

    @property
    def dropped_bigrams(self) -> int: ...

def information(n: int) -> int:
    """n log2 n in units of 2^-20, rounded."""

class Exchange:
    """
    Clusters words: each moves to the class where the likelihood is highest.
    """

    def __init__(self, counts: BigramCounts, classes: int, start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def visit(self, first: int, last: int) -> int:
        """
        Let the words in this range move, one after the other; return how many did.
        """

    @property
    def classes(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The class of each word."""

    @property
    def likelihood(self) -> int:
        """The log-likelihood of the text, in units of 2^-20 bits."""

class WholeExpressions:
    """Regular expressions for whole values."""

    def __init__(self, sets: _Sequence[_Sequence[tuple[int, int]]]) -> None: ...

    def add(self, nodes: _Sequence[int], start: int) -> None: ...

    def matching(self, text: str) -> list[int]:
        """The numbers of the expressions that match the whole of a text."""

class RuleMatcher:
    """Finds the longest match of each rule from each token."""

    def __init__(self, tests: int, sets: _Sequence[_Sequence[tuple[int, int]]], phrases: _Sequence[tuple[int, bool]]) -> None: ...

    def add_look(self, nodes: _Sequence[int], start: int, behind: bool, negated: bool) -> int:
        """Add a look-around over tokens; return its number."""

    def add_token_program(self, nodes: _Sequence[int], start: int, rule: int) -> None: ...

    def add_text_program(self, nodes: _Sequence[int], start: int, rule: int, expands: bool) -> None: ...

    def add_phrases(self, list: int, lines: str, rule: int) -> tuple[int, int, int]:
        """
        Add a phrase for each line; return how many there are, how many are too long, and the first such line.
        """

    def add_type(self, form: str, tests: _Sequence[int], by_list: _Sequence[str], is_word: bool) -> int:
        """
        Add a type with the tests that it passes; return its number. One that is a word is that of its form.
        """

    def types_of(self, sentences: list[list[str]]) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], list[str]] | None:
        """
        The types of the words of sentences, where sentences begin, and the words without a type, which get the next numbers. None if a sentence is anything but a list of texts.
        """

    def clear_types(self) -> None: ...

    @property
    def types(self) -> int: ...

    def match(self, types: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], spaces: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[memoryview, dict(dtype='int32', shape=(None,))], Annotated[memoryview, dict(dtype='int32', shape=(None,))], int]:
        """
        For each match its sentence, start, end and rule; the same for phrases that begin or end inside a token, with the tokens that they touch; and the number of steps that it took.
        """
