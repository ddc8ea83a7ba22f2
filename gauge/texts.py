"""Running text: a tokeniser trained for a moment, and every layer of the English pipeline on two thousand sentences."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import perceptag
from gauge.corpora import news, shipped
from gauge.lines import Parts, lines
from perceptag import Tokenizer

# What the shipped text does not have.
ODD = (
    "“Zoë’s café” — naïve? Yes… 😀👍🏽 no!\r\nSee https://example.org/a?b=1, or mail a.b@c.de.\r\n\r\n"
    "Dr. Smith paid $4.5m on 12 May 2024 (3:30 p.m.).\tHe can't—won't—say.\u00a0𝔘nicode\u2028𐍈 end\ufeff.\n\n"
    "- one\n- two: 10,000.50 km/h\n\f\nHEADLINE WITHOUT STOP\n\nГород Москва. 東京は大きい。 שלום עולם"
)
VARIANTS: dict[str, Callable[[str], str]] = {
    "as written": str,
    "lower case": str.lower,
    "upper case": str.upper,
    "title case": str.title,
    "wrapped": lambda text: "\n\n".join(textwrap.fill(each, 50) for each in text.split("\n\n")),
    "in print": lambda text: text.replace("'", "’").replace('"', "”").replace(" - ", " — ").replace("\n", "\r\n"),
}


def documents() -> list[str]:
    """Return the shipped texts, paragraphs apart."""
    texts: list[str] = []
    for part in ("train", "dev"):
        for line in (shipped() / f"text-{part}.conllu").read_text("utf-8").split("\n"):
            if line.startswith("# newdoc"):
                texts.append("")
            elif line.startswith("# newpar"):
                texts[-1] += "\n\n" if texts[-1] else ""
            elif line.startswith("# text = "):
                gap = "" if not texts[-1] or texts[-1].endswith("\n") else " "
                texts[-1] += gap + line.removeprefix("# text = ")
    return texts


def tokenizer(**settings: Any) -> Parts:
    """Train a tokeniser; write down what it makes of texts, and its scores."""
    trained = Tokenizer("tokenize", epochs=3, **settings).fit(shipped() / "text-train.conllu")
    ruled = trained.with_rules(never_split=["p.m.)"], always_split=["10 ,000.50"], lines="paragraph")
    report = trained.evaluate(shipped() / "text-dev.conllu")
    tokens = [sentence for text in [*documents()[-7:], ODD] for sentence in trained(text)]
    return {
        "tokens": lines([[(t.text, t.start, t.end, t.words) for t in sentence] for sentence in tokens]),
        "with rules": lines([[token.text for token in sentence] for sentence in ruled(ODD)]),
        "gaps": lines(trained.tokenize(ODD).gaps()),
        "scores": lines([report.to_dict()]),
    }


def english(threads: int, texts: list[str]) -> Parts:
    """Write down what every layer of `en` gives."""
    nlp = perceptag.load("en", threads=threads)
    sentences = [each for doc in nlp.pipe(texts, confidence=True) for each in doc.sentences]
    layers = list(sentences[0].words[0].labels)
    labels = {name: lines([[word.labels[name] for word in each.words] for each in sentences]) for name in layers}
    chosen = ("layer", "label", "start", "end", "start_char", "end_char", "text", "confidence", "value")
    return labels | {
        "tokens": lines(
            [
                each.text,
                each.start,
                each.starts_paragraph,
                [(t.text, t.start, t.end, len(t.words)) for t in each.tokens],
            ]
            for each in sentences
        ),
        "spans": lines([[getattr(span, name) for name in chosen] for span in each.spans] for each in sentences),
        "confidence": lines([word.confidence for word in each.words] for each in sentences),
        "given tokens": lines(each.columns for each in nlp.tag([each.tokens for each in news("dev")])),
    }


def explained() -> Parts:
    """Explain an English sentence, layer by layer."""
    command = [sys.executable, "-m", "perceptag", "explain", "--model", "en", "--json", "--layer"]
    sentence = "Zoë Harwick didn't leave the Bank of England in London."
    parts = {}
    for layer in ("upos", "xpos", "ner"):
        process = subprocess.run([*command, layer, sentence], check=True, capture_output=True, encoding="utf-8")
        details = json.loads(process.stdout)["details"]
        parts[layer] = lines([d["label"], d["rival"], d["margin"], *_shares(d["contributions"])] for d in details)
    return parts


def _shares(contributions: list[dict[str, Any]]) -> list[tuple[str, float, float]]:
    return sorted((c["feature"], c["weight"], c["rival_weight"]) for c in contributions)


def variant(name: str) -> list[str]:
    """Return the shipped texts in another spelling, and an odd one."""
    return [VARIANTS[name](text) for text in [*documents(), ODD]]


def open_text(path: Path, number: int = 300) -> list[str]:
    """Return lines of a file of plain text from its middle, ten to a text."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        some = [line for line, _ in zip(file, range(2 * number), strict=False)][number:]
    return ["\n".join(some[begin : begin + 10]) for begin in range(0, len(some), 10)]
