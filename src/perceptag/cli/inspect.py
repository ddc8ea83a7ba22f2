"""``perceptag inspect``: show what is in a model, a pipeline or a class file."""

from __future__ import annotations

import hashlib
import sys
from typing import Annotated, Any

import numpy as np

from perceptag._core import FEW_LABELS
from perceptag.cli import completing
from perceptag.cli.declare import Argument, Option
from perceptag.cli.inspect_two import difference
from perceptag.cli.options import AllowCode, Json, LabelledColumns, Threads
from perceptag.cli.streams import write_json, write_stdout
from perceptag.cli.table import tabled
from perceptag.errors import ModelError
from perceptag.features.class_table import WordClassTable
from perceptag.models import calibration
from perceptag.models import class_file as classfile
from perceptag.models import model_file as modelfile
from perceptag.models.class_file import ClassFile
from perceptag.models.kinds import make_ready
from perceptag.models.model import Model, number_of_features, number_of_weights
from perceptag.models.model_classes import model_classes
from perceptag.models.protocol import ReadyModel, TopWeights
from perceptag.pipeline import pipeline_file as pipelinefile
from perceptag.pipeline.installed import path_of
from perceptag.system.cores import cores
from perceptag.system.plural import plural
from perceptag.system.visible import visible


def inspect_cli(
    model: Annotated[
        str, Argument("MODEL", "A model: a file, or the name of an installed one.", complete=completing.models)
    ],
    reading: LabelledColumns,
    other: Annotated[str, Argument("[OTHER]", "A second model, to compare.", complete=completing.models)] = "",
    source: Annotated[str, Argument("[FILE]", "Sentences to tag with both, with or without labels.")] = "",
    top: Annotated[int, Option("N", "Rows of each list, such as the largest weights of a label; 0: all.", min=0)] = 5,
    layer: Annotated[str, Option("NAME", "Compare the layers of this name of two pipelines; default: the last.")] = "",
    threads: Threads = 0,
    allow_code: AllowCode = False,
    json_: Json = False,
) -> None:
    """Show what is in a model, or what differs between two.

    Prints its labels, sizes, templates, recipe, training history and largest weights; of a pipeline, those of each
    layer; of a class file, its text and its most frequent classes.

    Of two models it compares recipes, labels, templates, features and weights. With a file, both models tag it: shows
    the labels that differ and, if the file has gold labels, which are better or worse, with a paired test.
    """
    if other:
        told = difference((model, other), source, reading, layer, top, threads=cores(threads), allow_code=allow_code)
        write_json(told.to_dict()) if json_ else write_stdout(told.render(top))
        return
    found = inspect(path_of(model), top)
    try:
        text = "" if json_ else as_text(found)
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise ModelError(f"{model}: the model file is damaged: the manifest cannot be shown: {error!r}") from error
    write_json(found) if json_ else write_stdout(text)


def as_text(found: dict[str, Any]) -> str:
    """Put into words what `inspect` returns."""
    if "most_frequent" in found:
        return show_classes(found, _digest_line(found, "classes"))
    return show_pipeline(found) if "layers" in found else show(found)


def inspect(path: str, top: int = 5) -> dict[str, Any]:
    """Return the content of a model file, a pipeline file or a class file, as a dictionary for JSON."""
    data = modelfile.read_file(path)
    if modelfile.kind_of(data) == classfile.KIND:
        return {**_file(path, data), **about_classes(classfile.load_bytes(data, path), top)}
    if modelfile.kind_of(data) != pipelinefile.KIND:
        model = modelfile.load_bytes(data, path)
        return {**_file(path, data), **_model(model, path, top)}
    stored = pipelinefile.load_bytes(data, path)
    layers = [{"name": name, **_model(model, f"{path}: layer {name!r}", top)} for name, model in stored.layers]
    return {**_file(path, data), "kind": pipelinefile.KIND, "manifest": stored.manifest, "layers": layers}


def _file(path: str, data: bytes) -> dict[str, Any]:
    digests = {"sha256": modelfile.digest_in(data), "file_sha256": hashlib.sha256(data).hexdigest()}
    return {"file": path, "bytes": len(data), **digests}


def _model(model: Model, path: str, top: int) -> dict[str, Any]:
    label_set, ready = model.label_set, _ready(model, path)
    return {
        "kind": model.facts.get("kind"),
        "labels": list(label_set.names),
        "scheme": {"data": label_set.outer, "model": label_set.inner},
        "label_column": label_set.column,
        "columns": list(model.columns),
        "weights": number_of_weights(model),
        "features": number_of_features(model),
        "support_vectors": model.facts.get("support_vectors", {}),
        "weight_vectors": model.facts.get("snapshots", 1),
        "templates": model.facts.get("templates", []),
        **_classes(model),
        **_closed_words(model),
        "recipe": model.recipe.to_dict(),
        "manifest": model.manifest,
        "calibrated": calibration.unpack(model) is not None,
        "probabilities": ready.margins_are_log_odds,
        **_heaviest(ready, top),
    }


def _classes(model: Model) -> dict[str, Any]:
    """The word classes of a model, if it has any."""
    known = model_classes(model)
    return {} if known is None else {"classes": {**known.facts(), "words": len(known.classes.words)}}


def _closed_words(model: Model) -> dict[str, Any]:
    """The tag dictionary of a model, if it has one: its words, and how many labels they may have on average."""
    closed = model.facts.get("closed")
    if not isinstance(closed, dict):
        return {}
    words, entries = closed["words"], closed["entries"]
    labels = sum(len(entries[entry]) for entry in words.values()) / max(1, len(words))
    endings = {"endings": len(closed["endings"])} if "endings" in closed else {}
    return {"tag_dictionary": {"words": len(words), "labels": round(labels, 2), **endings}}


def _ready(model: Model, path: str) -> ReadyModel:
    # Nothing is tagged here, so stand-ins with the same names replace the functions of the user.
    attributes = {entry.partition("=")[0]: str for entry in model.recipe.attributes}
    named = model.facts.get("functions")
    functions = {str(name): _no_features for name in (named if isinstance(named, list) else [])}
    try:
        return make_ready(model, attributes, functions)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error


def _heaviest(ready: ReadyModel, top: int) -> dict[str, Any]:
    """The heaviest weights: local ones of each label, and non-local ones; empty if the model has no such weights."""
    has_any = "top-weights" in ready.offers
    found = ready.top_weights(top or sys.maxsize) if has_any else TopWeights({}, [])
    return {
        "heaviest": {label: _listed(features) for label, features in found.by_label.items()},
        "heaviest_nonlocal": _listed(found.of_documents),
    }


def _listed(features: list[tuple[str, float]]) -> list[dict[str, Any]]:
    return [{"feature": feature, "weight": weight} for feature, weight in features]


def _no_features(sentences: object, spans: object) -> dict[str, float]:  # noqa: ARG001 - a stand-in
    return {}


def show_pipeline(found: dict[str, Any]) -> str:
    """A pipeline as text."""
    names = ", ".join(layer["name"] for layer in found["layers"])
    head = [f"{found['file']}: pipeline of {names}, {found['bytes']} bytes", _digest_line(found)]
    parts = ["\n" + show({"file": f"layer {layer['name']}", **layer}) for layer in found["layers"]]
    return "\n".join([*map(visible, head), *parts])


def _file_lines(found: dict[str, Any]) -> list[str]:
    """The file of a model; a layer has none of its own."""
    title = f"{found['file']}: {found['kind']} model"
    return [f"{title}, {found['bytes']} bytes", _digest_line(found)] if "bytes" in found else [title]


def _digest_line(found: dict[str, Any], verb: str = "train") -> str:
    of_file = f"of the file, as sha256sum shows it: {found['file_sha256'][:16]}"
    return f"sha256: {found['sha256'][:16]}, as {verb} shows it; {of_file}"


def show(found: dict[str, Any]) -> str:
    """The same as text."""
    recipe, manifest = found["recipe"], found["manifest"]
    inside = "" if found["scheme"]["data"] == found["scheme"]["model"] else f" ({found['scheme']['model']} inside)"
    lines = [
        *_file_lines(found),
        f"labels: {len(found['labels'])} in column {found['label_column']}, scheme {found['scheme']['data']}{inside}",
        f"  {' '.join(found['labels'])}",
        f"columns: {', '.join(found['columns'])}",
        f"features: {found['features']}; weights: {found['weights']}; weight vectors: {found['weight_vectors']}",
        *(f"support vectors of {layer}: {number}" for layer, number in found["support_vectors"].items()),
        f"recipe: {recipe['name'] or '(unnamed)'}: {recipe['description']} [{recipe['citation']}]",
        *(f"  chosen by the data: {reason}" for reason in manifest.get("auto", {}).get("reasons", [])),
        *(f"  chosen by the data: {reason}" for reason in manifest.get("choices", [])),
        f"  {_settings(recipe)}",
        f"templates: {len(found['templates'])}",
        *(f"  {template}" for template in found["templates"]),
        *_class_lines(found.get("classes")),
        *_dictionary_lines(found),
        f"trained by perceptag {manifest.get('perceptag')}",
        *([f"  from: the model with sha256 {manifest['from'][:16]}"] if "from" in manifest else []),
        *(_data_line(part, manifest.get(part)) for part in ("train", "dev")),
        *_curve_lines(manifest),
        _calibration_line(found),
    ]
    tables = [*_weight_tables(found["heaviest"]), *_nonlocal_table(found["heaviest_nonlocal"])]
    return "\n".join([*map(visible, lines), *tables])


def _class_lines(classes: dict[str, Any] | None) -> list[str]:
    if not classes:
        return []
    sizes, folded = ", ".join(map(str, classes["sizes"])), "".join(f", {what} folded" for what in classes["folding"])
    return [
        f"word classes: {sizes} of {plural(classes['words'], 'word')}{folded}; "
        f"file with sha256 {classes['sha256'][:16]}"
    ]


def _dictionary_lines(found: dict[str, Any]) -> list[str]:
    closed = found.get("tag_dictionary")
    if not closed:
        return []
    few = f"{closed['words']} words take only labels seen with them, {closed['labels']} on average"
    faster = "; the search passes over the others" if len(found["labels"]) > FEW_LABELS else ""
    lines = [f"tag dictionary: {few}{faster}"] if closed["words"] else []
    if "endings" in closed:
        lines.append(f"other words take only labels of their longest ending, of {closed['endings']} endings")
    return lines


_SHOWN_ELSEWHERE = ("name", "description", "citation", "templates", "labels.column")


def _settings(recipe: dict[str, Any]) -> str:
    return ", ".join(f"{k}={v}" for k, v in recipe.items() if k not in _SHOWN_ELSEWHERE and v not in ("", [], 0, False))


def _data_line(name: str, data: dict[str, Any] | None) -> str:
    if not data:
        return f"  {name}: none"
    size = f"{plural(data['sentences'], 'sentence')}, {plural(data['tokens'], 'token')}"
    return f"  {name}: {size}, sha256 {data['sha256'][:16]}"


def _calibration_line(found: dict[str, Any]) -> str:
    if not found["calibrated"]:
        own = "confidence is the model's own probability" if found["probabilities"] else "no confidence"
        return f"not calibrated: {own}"
    return _data_line("calibrated on", found["manifest"].get("calibration")).strip()


def _curve_lines(manifest: dict[str, Any]) -> list[str]:
    lines = []
    for report in manifest.get("curve", []):
        dev = (
            "" if report["dev_kept"] is None else f", dev {report['dev_last']:.2f} last, {report['dev_kept']:.2f} kept"
        )
        weights = f", {manifest['weights']} weights" if "weights" in manifest else ""
        mark = f"  <- this model{weights}" if report["epoch"] == manifest.get("best_epoch") else ""
        lines.append(f"  pass {report['epoch']}: {report['mistakes']} of {report['sequences']} wrong{dev}{mark}")
    return lines


def _weight_tables(weights: dict[str, list[dict[str, Any]]]) -> list[str]:
    if not weights:
        return []
    rows = [
        (label if i == 0 else "", f"{entry['weight']:+.2f}", entry["feature"])
        for label, features in weights.items()
        for i, entry in enumerate(features)
    ]
    return [tabled(["label", "weight", "feature"], rows, "heaviest weights", (1,))]


def _nonlocal_table(features: list[dict[str, Any]]) -> list[str]:
    if not features:
        return []
    rows = [(f"{entry['weight']:+.2f}", entry["feature"]) for entry in features]
    return [tabled(["weight", "feature"], rows, "heaviest non-local weights", (0,))]


WORDS = 8  # of a class that are shown


def about_classes(file: ClassFile, top: int) -> dict[str, Any]:
    """Return the content of a class file, as a dictionary for JSON."""
    classes = file.classes
    return {
        "kind": "classes",
        "sizes": list(classes.sizes),
        "words": len(classes.words),
        "folding": list(classes.folding),
        "manifest": file.manifest,
        "most_frequent": {str(size): _most_frequent(classes, size, top) for size in classes.sizes},
    }


def _most_frequent(classes: WordClassTable, size: int, top: int) -> list[dict[str, Any]]:
    tokens = np.bincount(classes.numbers[:, classes.column(size)], weights=classes.counts, minlength=size)
    return [
        {
            "class": number,
            "tokens": int(tokens[number]),
            "words": len(classes.members(size, number)),
            "examples": classes.examples(size, number, WORDS),
        }
        for number in range(min(top or size, size))
    ]


def show_classes(found: dict[str, Any], digest: str) -> str:
    """The same as text; `digest` is the line about digests."""
    lines = [
        f"{found['file']}: word classes, {found['bytes']} bytes",
        digest,
        f"words: {found['words']}; sizes: {', '.join(map(str, found['sizes']))}; "
        f"folded: {', '.join(found['folding']) or 'nothing'}",
        *_class_history(found),
    ]
    tables = (_class_table(size, rows) for size, rows in found["most_frequent"].items() if rows)
    return "\n".join([*map(visible, lines), *tables])


def _class_history(found: dict[str, Any]) -> list[str]:
    """Return lines on the text and on the clustering, if the manifest says so."""
    manifest = found["manifest"]
    if "tokens" not in manifest:
        return []
    sizes = zip(found["sizes"], manifest["passes"], manifest["likelihood"], strict=True)
    return [
        f"learned by perceptag {manifest['perceptag']}",
        f"  text: {plural(manifest['sentences'], 'sentence')}, {plural(manifest['tokens'], 'word')}",
        f"  {manifest['types']} different words; clustered: those seen {manifest['min_count']} times or more",
        f"  dropped to save memory: {plural(manifest['dropped_words'], 'word')}, "
        f"{plural(manifest['dropped_bigrams'], 'bigram')}",
        *(
            f"  {plural(size, 'class')}: {plural(passes, 'pass')}, {-bits:.3f} bits for each word"
            for size, passes, bits in sizes
        ),
    ]


def _class_table(size: str, rows: list[dict[str, Any]]) -> str:
    cells = [(str(row["class"]), str(row["tokens"]), str(row["words"]), row["examples"]) for row in rows]
    head = ["class", "tokens", "words", "the most frequent words"]
    return tabled(head, cells, f"{size} classes, the most frequent first", (0, 1, 2))
