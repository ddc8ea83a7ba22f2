"""``perceptag demo``: label a text, say why, train a tagger on the shipped corpus, and name the commands for more."""

from __future__ import annotations

import io
import time
from pathlib import Path
from typing import Annotated

from perceptag.cli.declare import Option
from perceptag.cli.streams import write_stdout
from perceptag.cli.table import is_terminal
from perceptag.pipeline.installed import installed, installing
from perceptag.pipeline.layers import explaining
from perceptag.tagging.job import TagFileOptions
from perceptag.tagging.pretty import pretty_format
from perceptag.tagging.tag_file import open_pipeline, tag_file
from perceptag.text import read_columns
from perceptag.text.text_layout import sentences_of

CORPUS = Path(__file__).parent.parent / "data"
NAMES = "form,pos,chunk,ner"
TEXT = """\
Paris Hilton flew to Paris on 3 May 2024 for $2,500.
Angela Merkel of the CDU met her in Berlin at 9 a.m.
"""
ASKED = 4  # of the first sentence: the second "Paris"
NEXT = """\

What to type next:
  perceptag tag --model en --pretty FILE        find names in a text of yours
  perceptag explain --model en "A SENTENCE"     see why its words get their labels
  perceptag serve --model en                    do both in a web page, or over HTTP
  perceptag train --train FILE --model OUT      learn labels of your own
  perceptag annotate NEW.ptag --import FILE --labels PER,ORG,LOC
                                                label a text while a model learns
"""


def demo_cli(
    data: Annotated[bool, Option("--data", "Only print the folder of the shipped corpus.")] = False,
) -> None:
    """Label, explain and train on the shipped corpus.

    Finds names in a text with the English model and explains one of them, trains a part-of-speech tagger on the shipped
    corpus, and names the commands for more.
    """
    if data:
        write_stdout(str(CORPUS))
        return
    if any(model.name == "en" for model in installed()):
        label_and_explain()
    else:
        write_stdout(f"The English model is not installed; in a copy of the repository, '{installing('en')}' does it.")
    train()
    write_stdout(NEXT)


def label_and_explain() -> None:
    """Find names in a text with the English model, and explain one."""
    english = open_pipeline("en", allow_code=False)
    write_stdout("The English model finds names, dates and amounts (perceptag tag):\n\n")
    values = [layer.name for layer in english.layers if layer.scheme != "none"]
    tag_file(english, io.BytesIO(TEXT.encode()), "-", TagFileOptions(format="text", to=pretty_format(values)))
    assert english.tokenizer is not None
    document = sentences_of(english.tokenizer.tokenize(TEXT))
    english.add_lower(document)
    explanation = explaining(english.layers, "--layer").explain(document)[0]
    tables = explanation.render(ASKED + 1, top=4, terminal=is_terminal()).split("\n\n\n")
    write_stdout("\nWhy is the second Paris a place (S-LOC), not a person (S-PER)? (perceptag explain)\n\n")
    write_stdout(tables[1].partition("\n\n")[2])


def train() -> None:
    """Train a part-of-speech tagger, and score it."""
    from perceptag.tagger import Tagger  # --help need not wait for it

    parts = ([*read_columns(CORPUS / f"{part}.txt", NAMES.split(","))] for part in ("train", "dev", "test"))
    learned, dev, test = parts
    start = time.perf_counter()
    tagger = Tagger("pos", labels_column="pos").fit(learned, dev=dev)
    seconds = time.perf_counter() - start
    accuracy = 100 * tagger.score(test, [sentence.columns["pos"] for sentence in test])
    given = " ".join(f"{word}/{tag}" for word, tag in zip(test[0].tokens, tagger.predict(test[:1])[0], strict=True))
    write_stdout(
        f"\nA tagger of parts of speech, learned in {seconds:.1f} s from {len(learned)} sentences of news\n"
        f"(perceptag train), gets {accuracy:.1f} % of the words of {len(test)} other sentences right:\n\n{given}\n"
    )
