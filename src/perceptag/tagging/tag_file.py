"""Open a pipeline by its file or name, and tag a file or a stream with it: check the options, choose a way, run it."""

from __future__ import annotations

from collections.abc import Callable

from perceptag.errors import ModelError, SettingError
from perceptag.models.model_file import read_file
from perceptag.pipeline.installed import path_of
from perceptag.pipeline.pipeline import Pipeline
from perceptag.system.output_files import Target
from perceptag.tagging.column_files import tag_columns, tag_conllu, takes_conllu
from perceptag.tagging.job import TagFileOptions, TagJob, checked_job
from perceptag.tagging.running_text import Note
from perceptag.text import Sentence
from perceptag.text.columns import FORMAT as COLUMNS
from perceptag.text.conllu import FORMAT as CONLLU
from perceptag.text.lines import Source
from perceptag.text.plain_text import INLINE, TEXT

_DEFAULT = TagFileOptions()


def tag_file(
    opened: Pipeline,
    source: Source,
    target: Target,
    options: TagFileOptions = _DEFAULT,
    *,
    note: Note = str,
    seen: Callable[[Sentence], Sentence] | None = None,
) -> int:
    """Tag `source` into `target`; return the number of tokens. `note` receives messages for the user.

    `seen` gets every sentence before it is written in another format than that of its columns.
    """
    job = checked_job(opened, source, target, options, note)
    short_way = _text_way(job) if job.read_as is TEXT and seen is None else _short_way(job)
    tokens = short_way(job) if short_way else None
    if tokens is None:
        from perceptag.tagging.ways import tag_sentences  # the short ways start without it

        tokens = tag_sentences(job, seen)
    for layer in opened.layers:
        for told in layer.ready.notes:
            note(f"note: {told}")
    return tokens


def _short_way(job: TagJob) -> Callable[[TagJob], int | None] | None:
    """The way that makes no object for each token, if there is one for this format and this model."""
    if not job.wants_labels_alone or not job.has_one_column:
        return None
    if job.keeps_format(COLUMNS) and job.ready.takes_column_text:
        return tag_columns
    if job.keeps_format(CONLLU) and takes_conllu(job.ready):
        return tag_conllu
    return None


def _text_way(job: TagJob) -> Callable[[TagJob], int] | None:
    """The same from running text to columns."""
    if not job.wants_labels_alone or job.write_as.name != COLUMNS.name or job.opened.tokenizer is None:
        return None
    from perceptag.pipeline.typed_text import takes_typed_text  # other ways start without numpy
    from perceptag.tagging.text_files import tag_text

    return tag_text if takes_typed_text(job.opened.layers) else None


def open_pipeline(model: str, *, allow_code: bool, layer: str = "", rules: str = "", tokenizer: str = "") -> Pipeline:
    """Read a pipeline, or a model as a pipeline of one layer; with `layer`, only up to that layer. It must tag.

    `rules`: a rule file, for a further layer or for the model of a layer, or without a model for rules alone.
    `tokenizer`: whose tokeniser cuts running text for rules alone, or for a model that has none.
    """
    if rules:
        from perceptag.pipeline.rule_layers import rules_alone, with_rule_layer  # other models start without them
        from perceptag.rules.rules import Rules

        found = Rules.load(rules)
        below = "" if layer == found.column else layer  # the layer of the rules is not one of the model's
        if not model:
            opened = rules_alone(found, tokenizer)
        else:
            opened = with_rule_layer(open_pipeline(model, allow_code=allow_code, layer=below), found)
            opened = _with_tokenizer(opened, tokenizer) if tokenizer else opened
        return _upto(opened, layer)
    if not model:
        raise SettingError("--model: expected a model, or --rules FILE for rules alone; found neither")
    path = path_of(model)
    opened = Pipeline.from_bytes(read_file(path), path, allow_code=allow_code, last=layer)
    if not opened.layers:
        raise ModelError(f"{path}: expected a model that tags, found a tokeniser; 'perceptag tokenize' uses it")
    opened = _upto(opened, layer)
    return _with_tokenizer(opened, tokenizer) if tokenizer else opened


def written_layer(opened: Pipeline, layer: str, to: object) -> str:
    """Return the layer whose labels are written behind words: the one that is named, or the usual one."""
    return layer or (opened.usual.name if to == INLINE.name else "")


def _upto(opened: Pipeline, layer: str) -> Pipeline:
    try:
        return opened.upto(layer) if layer else opened
    except SettingError as error:
        raise SettingError(f"--{error}") from None


def _with_tokenizer(opened: Pipeline, name: str) -> Pipeline:
    """Put the tokeniser of a model, by its file or its name, in front of one that has none."""
    if opened.tokenizer is not None:
        raise SettingError("--tokenizer: expected a model without a tokeniser, found one that has its own")
    found = Pipeline.load(path_of(name)).tokenizer
    if found is None:
        raise SettingError(f"--tokenizer: expected a model with a tokeniser, found {name!r}")
    return Pipeline([found, opened], threads=opened.threads)
