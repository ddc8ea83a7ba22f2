"""Matches of the shipped rules for values in their contexts, drawn at random from several corpora, to be read by eye.

    python -m benchmarks.values FILE... [--rules en] [--type DATE] [--sample 200] [--seed 1] [--width 50]

A FILE has one paragraph on each line (.txt, .txt.gz), or is CoNLL-U (.conllu, .conllu.gz), whose raw text is taken. The
tokeniser of the installed model `en` cuts the text. Each file gives the same number of matches, as long as it has any,
and a line of a file gives one match at most. A row has the number of the match, the file, the label, the value, and the
words of the match in their context.
"""

from __future__ import annotations

import argparse
import gzip
import re
from itertools import islice, zip_longest
from pathlib import Path
from random import Random

import perceptag
from perceptag import Pipeline, Rules
from perceptag.pipeline.document import DocumentSpan

# What nearly every match of a rare type contains: other lines are not cut into tokens.
SIEVES = {
    "EMAIL": r"@",
    "HANDLE": r"@",
    "HASHTAG": r"#",
    "URL": r"(?i)://|www|\.(com|org|net|edu|gov|mil|[a-z]{2,4}/)|\.uk",
    "PHONE": r"\d\D{0,3}\d\D{0,3}\d\D{0,3}\d\D{0,3}\d\D{0,3}\d\D{0,3}\d",
    "PERCENT": r"(?i)%|percent|per cent|pct",
    "TIME": r"(?i)\d:\d|\d ?[ap]\.?m|o.clock|past|noon|midday|midnight|(quarter|five|ten|twenty) (to|till|of)",
    "MONEY": r"(?i)[$€£¥₹₩₽₺₪₴¢]|dollar|bucks|euro|cents?\b|pence|\byen|yuan|quid|rupees|\b(usd|eur|gbp|chf|rs)\b",
}
SCARCE = ("EMAIL", "HANDLE", "HASHTAG", "URL", "PHONE")  # some files have few or none


def lines_of(path: Path) -> list[str]:
    """Return the paragraphs or sentences of a file."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    lines = data.decode("utf-8").split("\n")
    if ".conllu" in path.name:
        return [line.removeprefix("# text = ").strip() for line in lines if line.startswith("# text = ")]
    return [line.strip() for line in lines if line.strip()]


def matches(pipeline: Pipeline, path: Path, sizes: dict[str, int], seed: int, width: int) -> dict[str, list[str]]:
    """Return as many matches of each type as `sizes` says, at most one from a line, from lines in random order."""
    lines = lines_of(path)
    random = Random(seed)
    random.shuffle(lines)
    found: dict[str, list[str]] = {label: [] for label in sizes}
    sieves = {label: re.compile(SIEVES.get(label, "")) for label in sizes}
    for line in lines:
        wanted = [label for label in sizes if len(found[label]) < sizes[label] and sieves[label].search(line)]
        spans = pipeline(line).spans if wanted else []
        for label in wanted:
            if among := [span for span in spans if span.label == label]:
                found[label].append(row(path, line, random.choice(among), width))
        if all(len(found[label]) == size for label, size in sizes.items()):
            break
    return found


def row(path: Path, line: str, span: DocumentSpan, width: int) -> str:
    """Return a match in its context."""
    before, after = line[max(0, span.start_char - width) : span.start_char], line[span.end_char :][:width]
    return f"{path.name.partition('.')[0]:.12}\t{span.label}\t{span.value}\t{before}[[{span.text}]]{after}"


def main() -> None:
    """Print the matches."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--rules", default="en")
    parser.add_argument("--type", action="append", default=None, help="a label; more than once for more labels")
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--width", type=int, default=50, help="characters before and after a match")
    asked = parser.parse_args()
    rules = Rules.load(asked.rules)
    pipeline = Pipeline([perceptag.load("en").tokenizer, rules])
    labels = asked.type or rules.labels
    share = -(-2 * asked.sample // len(asked.files))  # twice what is needed, for files that have fewer
    sizes = {label: asked.sample if label in SCARCE else min(share, asked.sample) for label in labels}
    each = [matches(pipeline, path, sizes, asked.seed, asked.width) for path in asked.files]
    for label in labels:
        in_turn = (row for rows in zip_longest(*(found[label] for found in each)) for row in rows if row is not None)
        for number, row in enumerate(islice(in_turn, asked.sample), 1):
            print(f"{number}\t{row}", flush=True)


if __name__ == "__main__":
    main()
