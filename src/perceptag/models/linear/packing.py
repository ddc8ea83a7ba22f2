"""Features, weights and facts of a linear model as they are stored, and back, checked."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakValueDictionary

from perceptag import _core
from perceptag.arrays import NO_FLOATS, Ints, np
from perceptag.errors import ModelError, SettingError, brief, reading_model
from perceptag.features import gazetteer
from perceptag.features.attributes import Attribute, is_known
from perceptag.features.document_columns import COLUMNS as DOCUMENT_COLUMNS
from perceptag.features.encoder import Encoder
from perceptag.features.span_template import SpanTemplates
from perceptag.features.tag_dictionary import ClosedWords
from perceptag.features.template import Field, Template, parse_all
from perceptag.labels.label_parts import LabelParts
from perceptag.learn.settings import MAX_SNAPSHOTS
from perceptag.models.linear.blocks import BLOCKS, MAX_VOTES
from perceptag.models.linear.span_packing import load_spans, pack_spans
from perceptag.models.model import HEAVIEST, AnyArrays, Arrays, Model, StoredArrays, heavy, view_of
from perceptag.models.stored_lists import FACT, PHRASES, stored_phrases
from perceptag.recipe.common_settings import UNITS
from perceptag.recipe.usercode import missing_code

if TYPE_CHECKING:
    import numpy.typing as npt


def pack(encoder: Encoder, vectors: Sequence[_core.Weights]) -> Arrays:
    """Features and weights as arrays; weights of zero and features without weight are left out.

    There is one weight vector, or several that vote; ``weights.N`` then holds them one after the other.
    """
    arrays = pack_vocabularies(encoder) | pack_spans(encoder, vectors[0])
    for block in BLOCKS:
        if not _core.is_plain(block) and _leave_out_zeros(vectors, block):
            pack_moved(encoder, vectors, block, arrays)
            continue
        w = np.stack([weights.get(block)[0] for weights in vectors])  # float32[K, weights]
        w[~np.isfinite(w)] = 0  # constraints are applied again on loading
        if _core.is_plain(block):
            # Without such a template, the row exists only for constraints.
            is_learned = _core.order_of(block) in encoder.plain_orders
            arrays[f"weights.{block}"] = w.ravel() if is_learned else np.zeros(0, np.float32)
        else:
            pack_block(encoder, vectors[0], block, w, arrays)
    return arrays


def _leave_out_zeros(vectors: Sequence[_core.Weights], block: int) -> bool:
    """Whether zeros are not stored, or the vectors may have their weights at different places."""
    if len(vectors) == 1 or vectors[0].is_lined(block):
        return vectors[0].is_lined(block)
    return vectors[0].labels > _core.FEW_LABELS or len({weights.size(block) for weights in vectors}) > 1


def pack_vocabularies(encoder: Encoder) -> Arrays:
    """The values of every attribute, by their numbers, and the word classes that attributes look at."""
    values = {
        f"vocabulary.{c}.{a}": np.frombuffer("".join(v + "\0" for v in vocabulary).encode(), np.uint8)
        for c, column in enumerate(encoder.columns)
        for a, vocabulary in enumerate(encoder.vocabularies[column])
    }
    return values | (encoder.classes.to_arrays()[0] if encoder.classes else {})


def pack_block(
    encoder: Encoder, weights: _core.Weights, order: int, w: npt.NDArray[np.float32], arrays: AnyArrays
) -> None:
    """Write the rows of one order in compact form, and the features that own them."""
    used = np.flatnonzero((w != 0).any(axis=0))
    owner, labels = weights.owners(order, used)
    codes = _core.label_codes(labels, weights.labels if order else weights.node_width)
    _pack_entries(encoder, order, weights.rows(order), (owner, codes, w[:, used]), arrays)


def pack_moved(encoder: Encoder, vectors: Sequence[_core.Weights], order: int, arrays: AnyArrays) -> None:
    """The same for vectors whose zeros are not stored, each at places of its own."""
    moved = [_core.moved_weights(weights, order) for weights in vectors]
    places = np.unique(np.concatenate([some[w != 0] for some, w, _ in moved]))
    together = np.zeros((len(vectors), len(places)), np.float32)
    for row, (some, w, _) in zip(together, moved, strict=True):
        row[np.searchsorted(places, some[w != 0])] = w[w != 0]
    width = _core.combinations(order, vectors[0].labels) if order else vectors[0].node_width
    owner, codes = np.divmod(places, width)
    _pack_entries(encoder, order, vectors[0].rows(order), (owner, codes.astype(np.uint32), together), arrays)


def _pack_entries(
    encoder: Encoder, order: int, rows: int, entries: tuple[npt.NDArray[Any], ...], arrays: AnyArrays
) -> None:
    """Write rows, codes of labels and weights [K, n] of everything that is not zero."""
    owner, codes, w = entries
    kept, counts = np.unique(owner, return_counts=True)
    renumber = np.full(rows, -1, np.int32)
    renumber[kept] = np.arange(len(kept), dtype=np.int32)
    arrays[f"weights.{order}"] = w.ravel()
    arrays[f"codes.{order}"] = codes
    arrays[f"begin.{order}"] = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32)
    pack_features(encoder, order, renumber, arrays)


def pack_features(encoder: Encoder, order: int, renumber: Ints, arrays: AnyArrays) -> None:
    """Write the features of one order under their new row numbers; those with the number -1 are left out."""
    index = encoder.frozen_index
    for i, template in enumerate(encoder.templates):
        if template.order != order:
            continue
        values, numbers = index.list(i)
        alive = renumber[numbers] >= 0
        arity = len(template.fields)
        arrays[f"values.{i}"] = values.reshape(len(numbers), arity)[alive].ravel()
        arrays[f"rows.{i}"] = renumber[numbers[alive]]


# --- the inverse of `pack`: every number is checked before native code sees it ---


def unpack_features(
    arrays: AnyArrays,
    templates: Sequence[Template],
    attributes: Mapping[str, Attribute] | None,
    spans: SpanTemplates | None = None,
) -> Encoder:
    """Vocabularies and feature index of a model."""
    encoder = Encoder(templates, attributes, spans)
    for c, column in enumerate(encoder.columns):
        stored = encoder.vocabularies[column]
        for a, vocabulary in enumerate(stored):
            text = view_of(arrays, f"vocabulary.{c}.{a}", "uint8").tobytes()
            with reading_model(f"vocabulary {c}.{a}"):
                text.decode()  # refuses all that is not UTF-8
                stored[a] = _value_table(text, vocabulary.reserved)
    with reading_model("features"):
        index = encoder.freeze()
        for i in range(len(encoder.templates)):
            index.load(i, view_of(arrays, f"values.{i}", "int32"), view_of(arrays, f"rows.{i}", "int32"))
        load_spans(arrays, encoder)
    return encoder


def _value_table(text: bytes, reserved: int) -> _core.ValueTable:
    """Return the numbers of values; models that have the same values share them."""
    key = hashlib.sha256(text).digest(), reserved
    with _LOCK:
        found = _SHARED.get(key)
        if found is None:
            found = _SHARED[key] = _core.ValueTable(text, reserved)
    return found


_SHARED: WeakValueDictionary[tuple[bytes, int], _core.ValueTable] = WeakValueDictionary()
_LOCK = threading.Lock()


def unpack_weights(
    arrays: AnyArrays, encoder: Encoder, labels: int, snapshots: int = 1, parts: LabelParts | None = None
) -> list[_core.Weights]:
    """The weight vectors of a model, for the features of its encoder."""
    if snapshots * labels > MAX_VOTES:
        raise ModelError(f"facts.snapshots: expected fewer weight vectors for {labels} labels, found {snapshots}")
    stored = {block: _stored_block(arrays, block, snapshots) for block in BLOCKS}
    for block, found in stored.items():
        _check_sizes(found, block, encoder, labels, snapshots)
    for block, found in stored.items():
        if found.packed is None and not _core.are_within(found.w, HEAVIEST):  # weights on a grid are small
            raise heavy(f"weights.{block}")
    plain = 1 in encoder.plain_orders, 2 in encoder.plain_orders
    with reading_model("weights"):
        vectors = [_core.Weights(labels, *plain) for _ in range(snapshots)]
        if parts is not None:
            for weights in vectors:
                parts.compose(weights)
        for block, (begin, codes, w, packed) in stored.items():
            if packed is not None:
                vectors[0].load_packed(block, begin, *packed)
                continue
            size = len(w) // snapshots
            for number, weights in enumerate(vectors):
                own = w[number * size : (number + 1) * size]
                if _core.is_plain(block):
                    weights.set(block, own, NO_FLOATS)
                else:
                    weights.load_compact(block, begin, codes, own)
    return vectors


class _StoredBlock(NamedTuple):
    """The weights of a block as a file has them, each array read once."""

    begin: Any = ()  # of rows; plain blocks are one row
    codes: Any = ()
    w: Any = ()
    packed: tuple[list[Any], list[Any], int, int] | None = None  # instead of codes and weights

    def sizes(self) -> tuple[int, int]:
        """Return the numbers of codes and of weights."""
        return (self.packed[2], self.packed[2]) if self.packed else (len(self.codes), len(self.w))


def _stored_block(arrays: AnyArrays, block: int, snapshots: int) -> _StoredBlock:
    weights, codes = f"weights.{block}", f"codes.{block}"
    if _core.is_plain(block):
        return _StoredBlock(w=view_of(arrays, weights, "float32"))
    begin = view_of(arrays, f"begin.{block}", "uint32")
    if snapshots == 1 and isinstance(arrays, StoredArrays) and (pair := arrays.packed_pair(codes, weights)):
        return _StoredBlock(begin, packed=pair)  # arrays of their own would take as much memory as the weights
    return _StoredBlock(begin, view_of(arrays, codes, "uint32"), view_of(arrays, weights, "float32"))


def _check_sizes(stored: _StoredBlock, block: int, encoder: Encoder, labels: int, snapshots: int) -> None:
    """Refuse numbers that do not agree, before memory is taken for any of them."""
    order = _core.order_of(block)
    codes, weights = stored.sizes()
    if not _core.is_plain(block):
        check_rows(encoder, order, stored.begin)
        expected = codes
    else:
        with reading_model("labels"):
            expected = _core.combinations(order, labels) if order in encoder.plain_orders else 0
    if weights != snapshots * expected:
        raise ModelError(f"weights.{block}: expected {snapshots} times {expected} weights, found {weights}")


def check_features(encoder: Encoder, order: int) -> int:
    """The number of features of an order; their rows are numbered from 0, and each has its own."""
    if not encoder.frozen_index.has_every_row(order):
        raise ModelError(f"features of order {order} are not numbered one after the other")
    return encoder.frozen_index.rows(order)


def check_rows(encoder: Encoder, order: int, begin: npt.NDArray[np.uint32]) -> None:
    """Every row belongs to one feature and has a weight."""
    if check_features(encoder, order) != len(begin) - 1:
        raise ModelError(f"features of order {order} and their weights do not belong together")
    if not _core.are_rising(begin):
        raise ModelError(f"begin.{order}: a feature of order {order} has no weight")


def known_columns(model: Model) -> list[str]:
    """The columns that templates of a model may look at."""
    return [*model.columns, *DOCUMENT_COLUMNS, *gazetteer.COLUMNS]


def model_templates(model: Model) -> list[Template]:
    """The templates of a model, read again."""
    if "templates" not in model.facts:
        raise ModelError("facts.templates: expected a list of strings, found nothing")
    try:
        return parse_all(model.facts["templates"], known_columns(model))
    except SettingError as error:
        raise ModelError(str(error)) from error


def model_gazetteer(model: Model) -> gazetteer.Gazetteer | None:
    """The phrases of a model, if it uses any."""
    found = stored_phrases(model, PHRASES)
    if found is not None:
        found.in_any_case = stored_phrases(model, FACT)
    return found


def model_closed_words(model: Model) -> ClosedWords | None:
    """The tag dictionary of a model, if it has one."""
    facts = model.facts
    return ClosedWords.checked(facts["closed"], len(model.label_set.names)) if "closed" in facts else None


def model_unit(model: Model) -> str:
    """What the model takes as one sequence: a sentence or a document."""
    unit = model.facts.get("unit", "sentence")
    if unit not in UNITS:
        raise ModelError(f"facts.unit: expected {' or '.join(UNITS)}, found {brief(unit)}")
    return str(unit)


def model_snapshots(model: Model) -> int:
    """How many weight vectors a model has."""
    number = model.facts.get("snapshots", 1)
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= MAX_SNAPSHOTS:
        raise ModelError(f"facts.snapshots: expected a number from 1 to {MAX_SNAPSHOTS}, found {brief(number)}")
    return number


def check_attributes(fields: Iterable[Field], entries: Sequence[str], attributes: Mapping[str, Attribute]) -> None:
    """Refuse a model that needs functions of the user which were not given."""
    wanted = [entry.partition("=")[0] for entry in entries]
    wanted += [name for f in fields for name in f.attributes if not is_known(name)]
    for name in wanted:
        if name not in attributes:
            raise missing_code("attribute", name, entries)
