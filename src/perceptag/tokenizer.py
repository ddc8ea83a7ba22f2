"""`Tokenizer`: split running text into sentences, tokens and words. It is trained on CoNLL-U treebanks.

>>> from perceptag.text.conllu import read_conllu
>>> import io
>>> rows = [f"{i}\\t{form}" + "\\t_" * 8 for i, form in enumerate(["Hello", "world"], 1)]
>>> tokenizer = Tokenizer(epochs=5).fit(list(read_conllu(io.StringIO("\\n".join(rows)))))
>>> [[token.text for token in sentence] for sentence in tokenizer("Hello world")]
[['Hello', 'world']]
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from perceptag.errors import ModelError, SettingError, brief
from perceptag.evaluation.tokens import TokenReport, evaluate_tokens
from perceptag.models import model_file as modelfile
from perceptag.models.kinds import save
from perceptag.models.model import Model, summary
from perceptag.models.tokenizer.characters import as_characters
from perceptag.models.tokenizer.model import KIND, TokenizerModel
from perceptag.models.tokenizer.user_rules import changed_rules
from perceptag.recipe.common_settings import TEXT
from perceptag.recipe.recipe import Recipe, check_names, given_recipe
from perceptag.system.file_kinds import MODEL
from perceptag.system.replacing import refuse_other_kind
from perceptag.text.lines import Source, checked_path
from perceptag.text.raw_text import parts, read_blocks
from perceptag.text.sentence import Sentence
from perceptag.text.tokens import Passage, Token
from perceptag.text.treebank import given_treebank
from perceptag.training.fit import calibrated_on_dev, make_plan
from perceptag.training.pass_table import Callback, checked_callbacks, checked_verbose, run_passes

RECIPE = "tokenize"


class Tokenizer:
    """Splits running text into sentences, tokens and words.

    Parameters
    ----------
    recipe : name of a shipped recipe, path of a recipe file, or a `Recipe`; it must have ``unit = "text"``
    verbose : 1 lets `fit` print a line for each pass to stderr, as `perceptag train` does
    overrides : any key of the recipe, e.g. ``epochs=5``

    A trained tokeniser may be shared by any number of threads.
    """

    def __init__(self, recipe: str | Recipe = RECIPE, *, verbose: int = 0, **overrides: Any) -> None:
        self.recipe = recipe
        self.verbose = verbose
        self.overrides = overrides
        check_names(recipe, overrides)

    def resolved_recipe(self) -> Recipe:
        """Return the recipe that `recipe` names, with all overrides."""
        recipe = given_recipe(self.recipe).replace(self.overrides)
        if recipe.unit != TEXT:
            raise SettingError(f"recipe: expected one for tokenisers (unit = 'text'), found unit = {recipe.unit!r}")
        return recipe

    def fit(
        self,
        train: Source | Iterable[Sentence],
        *,
        dev: Source | Iterable[Sentence] | None = None,
        callbacks: Sequence[Callback] = (),
    ) -> Tokenizer:
        """Train on a CoNLL-U file, or on sentences read from one.

        With `dev` the best pass is kept; otherwise the last pass becomes the model. `callbacks` are those of
        `perceptag.Tagger.fit`.
        """
        checked_verbose(self.verbose)
        checked_callbacks(callbacks)
        plan = make_plan(self.resolved_recipe(), settles=False)
        heldout = as_characters(given_treebank(dev, "dev")) if dev is not None else None
        characters = as_characters(given_treebank(train, "train"))
        training = plan.begin(plan.resolve(characters), characters, heldout)
        run_passes(training, self.verbose, callbacks)
        self._set_model(training.model())
        self.model_ = calibrated_on_dev(self.ready_model, training.task)
        return self

    def __repr__(self) -> str:
        """Return the recipe, and the model in a few words if there is one."""
        name = self.recipe.name if isinstance(self.recipe, Recipe) else self.recipe
        model = f": {summary(self.model_)}" if hasattr(self, "model_") else ""
        return f"<Tokenizer {name!r}{model}>"

    def _set_model(self, model: Model) -> None:
        self._ready_model = TokenizerModel(model)
        self.model_ = model

    @property
    def ready_model(self) -> TokenizerModel:
        """The model that does the work."""
        self._check_model()
        return self._ready_model

    def _check_model(self) -> None:
        if not hasattr(self, "model_"):
            raise SettingError("this tokeniser has no model yet: call fit() first, or Tokenizer.load()")

    # --- using it ---

    def __call__(self, text: str) -> list[list[Token]]:
        """Return the sentences of a text, each a list of tokens; ``text[token.start:token.end]`` is ``token.text``."""
        return [sentence.tokens for sentence in self.tokenize(text).sentences]

    def tokenize(self, text: str) -> Passage:
        """Tokenise a text into paragraphs and sentences; `Passage.gaps` has the text between tokens."""
        if not isinstance(text, str):
            raise SettingError(f"text: expected a string, found {brief(text)}")
        passage = self.ready_model.tokenize(text)
        _mark_document(passage)
        return passage

    def stream(self, source: Source) -> Iterator[Passage]:
        """Tokenise a file or stream of any length part by part, in bounded memory."""
        ready = self.ready_model
        place = 0
        is_first = True
        for part in parts(read_blocks(source)):
            passage = ready.tokenize_part(part, place)
            place += len(part)
            if is_first:
                is_first = not _mark_document(passage)
            yield passage

    def evaluate(self, gold: Source | Iterable[Sentence]) -> TokenReport:
        """Tokenise the running text of a treebank, and score tokens, sentences and words."""
        passage = given_treebank(gold, "gold").passage()
        return evaluate_tokens(passage, self.tokenize(passage.text))

    def with_rules(
        self, *, never_split: Iterable[str] = (), always_split: Iterable[str] = (), lines: str | None = None
    ) -> Tokenizer:
        """Return this tokeniser with rules of your own, which its file and its pipelines keep.

        `never_split`: strings that are one token. `always_split`: strings with spaces where they are split, such as
        ``"can not"``. `lines`: what a line end means: ``"space"``, ``"sentence"``, ``"paragraph"``, or ``"auto"``:
        white space in wrapped text, except before bullets and after headings.
        """
        ready = self.ready_model
        changed = ready.with_rules(changed_rules(ready.rules, never_split, always_split, lines))
        found = Tokenizer(self.recipe, verbose=self.verbose, **self.overrides)
        found._ready_model, found.model_ = changed, replace(self.model_, facts=changed.model.facts)
        return found

    # --- files ---

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> str:
        """Write the model to a file, atomically and once it is sure to load again; return its SHA-256.

        An existing model is replaced, and kept as PATH.bak. With `overwrite` any file is, and nothing is kept.
        """
        self._check_model()
        target = checked_path(path, "path")
        refuse_other_kind("path", target, MODEL, overwrite=overwrite)
        return save(self.model_, target, {}, {}, keeps_old=not overwrite)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Tokenizer:
        """Read a model file. This runs no code."""
        name = checked_path(path, "path")
        try:
            model = modelfile.load_single(name)
        except ModelError as error:
            hint = ", whose .tokenizer is that of a pipeline" if "perceptag.load(" in str(error) else ""
            raise ModelError(f"{error}{hint}") from None
        return cls.from_model(model, name)

    @classmethod
    def from_model(cls, model: Model, path: str = "model") -> Tokenizer:
        """Make a tokeniser from a model read from the file `path`."""
        if model.facts.get("kind") != KIND:
            kind = brief(model.facts.get("kind"))
            raise ModelError(f"{path}: expected a tokeniser, found a model of kind {kind}, for perceptag.Tagger")
        tokenizer = cls(model.recipe)
        try:
            tokenizer._set_model(model)
        except ModelError as error:
            raise ModelError(f"{path}: {error}") from error
        return tokenizer

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the arguments and the bytes of the model file, which are checked on unpickling."""
        data = modelfile.to_bytes(self.model_)[0] if hasattr(self, "model_") else None
        return _restore, (self.recipe, self.overrides, data)


def _restore(recipe: str | Recipe, overrides: dict[str, Any], data: bytes | None) -> Tokenizer:
    tokenizer = Tokenizer(recipe, **overrides)
    if data is not None:
        tokenizer._set_model(modelfile.load_bytes(data))
    return tokenizer


def _mark_document(passage: Passage) -> bool:
    """Mark the first sentence as the start of a document; return whether there is one."""
    if passage.sentences:
        passage.sentences[0].starts_document = True
    return bool(passage.sentences)
