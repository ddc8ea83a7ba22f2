"""Train the layers of a pipeline one after the other, each on what the layers below it predict.

    tokens ─▶ upos ─▶ feats ─▶ xpos       a layer reads the words and the columns of `READS`
       │                 └────▶ lemma
       └───▶ ner                          names, from data of their own, with word classes of plain text

In training these columns are predicted by cross-validation (`perceptag.training.jackknife`), since the layers below
make mistakes. What is finished is kept in a folder: models, and predicted columns. The name of a file has a digest of
all that it depends on, so a build that was interrupted continues, and a change of data or settings starts again.

Some settings help with some treebanks and hurt with others: `CHOICES`. A layer is trained with each value, and the
first one stays unless another is better on the dev data by more than the standard error, since dev data is small. A
setting in the file of the user is not a choice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from perceptag._version import __version__
from perceptag.building.language_file import RECIPES, TOKENS, Language
from perceptag.building.mean_tokenizer import TRAININGS, fit_mean
from perceptag.building.names import CLASSES, NAMES, NamesData, learn_classes
from perceptag.building.treebank_folder import TreebankData
from perceptag.errors import DataError, SettingError
from perceptag.evaluation.comparison import standard_errors
from perceptag.evaluation.scoring import MainScore
from perceptag.models import model_file as modelfile
from perceptag.models.model import Model
from perceptag.models.model_classes import KnownClasses
from perceptag.models.tokenizer.characters import LABEL, as_characters
from perceptag.models.tokenizer.model import TokenizerModel
from perceptag.pipeline.layers import ready_of
from perceptag.pipeline.pipeline import Pipeline
from perceptag.recipe.learner_settings import strings
from perceptag.recipe.recipe import load
from perceptag.system.output_files import open_output
from perceptag.tagger import Tagger
from perceptag.text.documents import digest
from perceptag.text.sentence import Sentence
from perceptag.text.treebank import read_treebank
from perceptag.training.fit import Say, calibrated_on_dev, make_plan, say_nothing
from perceptag.training.jackknife import FOLDS, LowerLayer, with_column, with_predicted

Labels = Sequence[Sequence[str]]

CHOICES: dict[str, tuple[str, tuple[object, ...]]] = {  # by layer: a setting, and its values, the usual one first
    TOKENS: ("tokens.patterns", (True, False)),
    "feats": ("labels.parts", ("", "|")),
}


class LayerSettings(NamedTuple):
    """Settings of a layer to train with."""

    settings: dict[str, Any]
    key: str = ""  # the setting that is tried; empty: there is no choice
    value: object = None

    def __str__(self) -> str:
        """The setting and its value, as a LANG.toml has them."""
        return f"{self.key} = {json.dumps(self.value)}"


def candidates(name: str, settings: Mapping[str, Any]) -> list[LayerSettings]:
    """Return the settings to try for a layer. Learners of the user's choice may lack abilities, so nothing is tried."""
    key, values = CHOICES.get(name, ("", ()))
    if not key or key in settings or "learner" in settings:
        return [LayerSettings(dict(settings))]
    return [LayerSettings({**settings, key: value}, key, value) for value in values]


class TrainedLayer(NamedTuple):
    """A model, and what it gives to the dev data."""

    candidate: LayerSettings
    model: Model
    labels: Labels


def choose(tried: Sequence[TrainedLayer], gold: Labels) -> tuple[Model, str]:
    """Return the model to keep, and what was chosen in words."""
    best = tried[0]
    for other in tried[1:]:
        if standard_errors(gold, best.labels, other.labels) > 1:
            best = other
    score = MainScore(gold, "none").score
    others = [f"{json.dumps(one.candidate.value)}: {score(one.labels):.2f}" for one in tried if one is not best]
    return best.model, f"{best.candidate} (dev accuracy {score(best.labels):.2f}; {', '.join(others)})"


Fit = Callable[[dict[str, Any]], Model]  # trains with settings

WORDS = "form"
READS: dict[str, tuple[str, ...]] = {  # in the order of the layers
    "upos": (),
    "feats": ("upos",),
    "xpos": ("upos", "feats"),
    "lemma": ("upos", "feats"),
}
_WITH_UPOS = ["upos[-1..1]", "upos[-1] upos[0]", "upos[0] upos[1]", "lower[0] upos[0]", "upos[0] lower.suffix1..4[0]"]
_OF_NAMES = [
    *("gazetteer[-2]", "gazetteer[2]", "gazetteer[0] shortshape[0]", "gazetteer[-1] gazetteer[0]"),
    *("gazetteer[0] gazetteer[1]", "gazetteer[0] lower[-1]", "gazetteer[0] lower[1]"),
    *("lower[-1] lower[1]", "lower[-2] lower[-1]", "lower[1] lower[2]"),
    *("lower.prefix5[0]", "lower.prefix6[0]", "lower.suffix5[0]"),
]
_NAMES = {"margins": 1, "epochs": 12, "cutoff": 2, "add": _OF_NAMES}
SETTINGS: dict[str, dict[str, object]] = {
    TOKENS: {"cutoff": 0},  # in a treebank, most signs of where a sentence ends are rare
    "feats": {"add": _WITH_UPOS, "optional": ["upos"]},
    "xpos": {"add": [*_WITH_UPOS, "feats[0]", "upos[0] feats[0]"], "optional": ["upos", "feats"]},
    NAMES: _NAMES,
}
COPIES = {"augment.lower": 0.5, "augment.upper": 0.25, "augment.title": 0.1}  # of sentences with names, in other case


@dataclass(slots=True)
class Builder:
    """Builds a pipeline from a treebank, or continues to."""

    language: Language
    data: TreebankData
    parts: Path  # the folder of what is finished
    threads: int = 1
    say: Say = say_nothing
    names: NamesData | None = None
    kept: set[Path] = field(default_factory=set)  # files of this build
    chosen: dict[str, str] = field(default_factory=dict)  # by layer: a setting that the dev data has decided

    @property
    def layers(self) -> list[str]:
        """The layers that tag, in their order."""
        found = self.data.columns()
        for name in self.language.layers:
            if name not in found:
                where = ", which the dev data lacks" if name in self.data.columns_without_dev() else ""
                expected = f"columns that the treebank has ({', '.join(found)})"
                raise DataError(f"layers: expected {expected}, found {name!r}{where}")
        return [name for name in READS if name in found and name in (self.language.layers or found)]

    def reads(self, name: str) -> list[str]:
        """The columns that a layer reads besides the words."""
        return [column for column in READS[name] if column in self.layers]

    def jackknifed(self) -> list[str]:
        """The layers that others read."""
        return [name for name in self.layers if any(name in self.reads(other) for other in self.layers)]

    @property
    def steps(self) -> int:
        """How many trainings a build takes, each of the folds included."""
        own = sum(map(self._trainings, (TOKENS, *self.layers)))
        return own + FOLDS * len(self.jackknifed()) + (self.names is not None)

    def _trainings(self, name: str) -> int:
        return len(candidates(name, self._settings(name)))

    def build(self, advance: Callable[[int], None]) -> Pipeline:
        """Train what is not there yet; `advance` is told how many steps are done."""
        for name, note in self.notes().items():
            self.say(f"{name}: {note}")
        models = {TOKENS: self._tokenizer()}
        advance(self._trainings(TOKENS))
        train, dev = list(self.data.train), list(self.data.dev)
        for name in self.layers:
            models[name] = self._tagger(name, train, dev)
            advance(self._trainings(name))
            if name in self.jackknifed():
                train, dev = self._predicted(name, models[name], train, dev)
                advance(FOLDS)
        if self.names is not None:
            models[NAMES] = self._names(self.names, models[TOKENS])
            advance(1)
        return Pipeline({name: ready_of(model, allow_code=False) for name, model in models.items()}, threads=1)

    def notes(self) -> dict[str, str]:
        """Return notes on the data, by column: those without a layer, and those with strange dev data."""
        lacking = [] if self.language.layers else self.data.columns_without_dev()
        found = {name: self.data.only_in_dev(name) for name in self.layers if name != "lemma"}
        return dict.fromkeys(lacking, "left out, since the dev data lacks this column") | {
            name: note for name, note in found.items() if note
        }

    # --- layers ---

    def _tokenizer(self) -> Model:
        train, dev = self.data.train, self.data.dev

        def fit(settings: dict[str, Any]) -> Model:
            return fit_mean(RECIPES[TOKENS], settings, train, dev)

        inputs = [digest(train), digest(dev), *_spaces(train), *_spaces(dev), str(TRAININGS)]
        return self._best(TOKENS, inputs, fit, as_characters(read_treebank(dev)), LABEL)

    def _tagger(self, name: str, train: Sequence[Sentence], dev: Sequence[Sentence]) -> Model:
        columns = [WORDS, *self.reads(name), name]
        own, held = (_with_columns(sentences, columns) for sentences in (train, dev))

        def fit(settings: dict[str, Any]) -> Model:
            tagger = Tagger(RECIPES[name], threads=self.threads, labels_column=name, **settings)
            return tagger.fit(own, dev=held).model_

        return self._best(name, [digest(own), digest(held)], fit, held, name)

    def _best(self, name: str, inputs: Sequence[str], fit: Fit, dev: Sequence[Sentence], column: str) -> Model:
        """The model of a layer; where there is a choice, the one that the labels of the dev data are for."""

        def train(one: LayerSettings) -> Model:
            how = f" with {one}" if one.key else ""
            return self._model(name, self._key(name, one.settings, inputs), lambda: fit(one.settings), how)

        trained = [(one, train(one)) for one in candidates(name, self._settings(name))]
        if len(trained) == 1:
            return trained[0][1]
        tried = [TrainedLayer(one, model, ready_of(model, allow_code=False).tag(dev)) for one, model in trained]
        model, self.chosen[name] = choose(tried, [sentence.columns[column] for sentence in dev])
        self.say(f"{name}: {self.chosen[name]}")
        return model

    def _predicted(
        self, name: str, model: Model, train: Sequence[Sentence], dev: Sequence[Sentence]
    ) -> tuple[list[Sentence], list[Sentence]]:
        """The data with the column of a layer as it is predicted."""
        columns = [WORDS, *self.reads(name), name]
        own, held = (_with_columns(sentences, columns) for sentences in (train, dev))
        path = self._path(name, self._key(name, {}, [modelfile.to_bytes(model)[1], digest(own), digest(held)]), "json")

        def predict() -> bytes:
            self.say(f"{name}: predicting on {FOLDS} folds")
            labelled, heldout = with_predicted([LowerLayer(model)], own, held, threads=self.threads)
            return json.dumps([[s.columns[name] for s in some] for some in (labelled, heldout or [])]).encode()

        try:
            labels = json.loads(self._bytes(path, predict))
            return with_column(train, name, labels[0]), with_column(dev, name, labels[1])
        except (ValueError, LookupError, TypeError):
            raise DataError("expected predicted labels, found other data; remove this file", str(path)) from None

    def _names(self, data: NamesData, tokenizer: Model) -> Model:
        texts = self.language.text
        settings = (COPIES if data.has_case else {}) | self._settings(NAMES)
        inputs = [digest(data.train), digest(data.dev), modelfile.to_bytes(tokenizer)[1], *map(_contents, texts)]

        def fit() -> Model:
            classes = self._classes(data, tokenizer) if texts else None
            given = settings | ({"classes": CLASSES} if classes else {})
            plan = make_plan(load(RECIPES[NAMES]), given, classes=classes, threads=self.threads, note=self.say)
            training = plan.begin(plan.resolve(data.train, NAMES), data.train, data.dev).run_all()
            return calibrated_on_dev(ready_of(training.model(), allow_code=False), training.task)

        return self._model(NAMES, self._key(NAMES, settings, inputs), fit)

    def _classes(self, data: NamesData, tokenizer: Model) -> KnownClasses | None:
        """Word classes of plain text, cut by the tokeniser of this build; None if there are too few words."""
        self.say(f"{NAMES}: learning word classes")
        found = learn_classes(TokenizerModel(tokenizer), self.language.text, data, self.threads)
        if found is None:
            return None
        return KnownClasses(found, hashlib.sha256(json.dumps(found.manifest, sort_keys=True).encode()).hexdigest())

    def _settings(self, name: str) -> dict[str, Any]:
        given = dict(self.language.settings.get(name, {}))
        if "templates" in given:
            return given
        usual = SETTINGS.get(name, {})
        if "add" in given:
            given["add"] = [*strings("add", usual.get("add", ())), *strings("add", given["add"])]
        return usual | given

    # --- what is finished ---

    def _model(self, name: str, key: str, fit: Callable[[], Model], how: str = "") -> Model:
        def train() -> bytes:
            self.say(f"{name}: training{how}")
            try:
                return modelfile.to_bytes(fit())[0]
            except (DataError, SettingError) as error:
                raise type(error)(f"layer {name!r}: {error}") from error

        path = self._path(name, key, "model")
        return modelfile.load_bytes(self._bytes(path, train), str(path))

    def _bytes(self, path: Path, make: Callable[[], bytes]) -> bytes:
        """The bytes of a file, which is made if it is not there."""
        self.kept.add(path)
        if path.exists():
            return path.read_bytes()
        data = make()
        path.parent.mkdir(parents=True, exist_ok=True)  # the same build elsewhere may have ended and removed it
        with open_output(str(path)) as stream:
            stream.write(data)
        return data

    def _path(self, name: str, key: str, ending: str) -> Path:
        return self.parts / f"{name}-{key[:16]}.{ending}"

    def _key(self, name: str, settings: Mapping[str, object], inputs: Sequence[str]) -> str:
        files = [_contents(value) for value in _texts(list(settings.values()))]
        about = json.dumps([__version__, name, settings, inputs, files], sort_keys=True, default=str)
        return hashlib.sha256(about.encode()).hexdigest()

    def forget(self) -> None:
        """Remove the files of this build, and the folder if it is then empty."""
        for path in self.kept:
            path.unlink(missing_ok=True)
        if self.parts.exists() and not any(self.parts.iterdir()):
            self.parts.rmdir()


def _texts(value: object) -> Iterator[str]:
    """Yield the strings of a setting."""
    if isinstance(value, str):
        yield value
    for one in value if isinstance(value, (list, tuple)) else ():
        yield from _texts(one)


def _contents(setting: str) -> str:
    """Return a digest of the file that a setting names, as in ``names.txt`` or ``PER=names.txt``; else ""."""
    path = Path(setting.rpartition("=")[2])
    sha = hashlib.sha256()
    try:
        if not path.is_file():  # a pipe can be read only once
            return ""
        with path.open("rb") as stream:
            while data := stream.read(1 << 20):
                sha.update(data)
    except (OSError, ValueError):  # training says what is wrong with a file
        return ""
    return sha.hexdigest()


def _spaces(sentences: Sequence[Sentence]) -> list[str]:
    """Return a digest of what else of a treebank a tokeniser learns from: comments, and tokens of several words."""
    rows = "\n".join(str(sentence.layout) for sentence in sentences)
    return [hashlib.sha256(rows.encode()).hexdigest()]


def _with_columns(sentences: Sequence[Sentence], columns: Sequence[str]) -> list[Sentence]:
    return [replace(s, columns={name: s.columns[name] for name in columns}) for s in sentences]
