"""A tokeniser of English: how good it is, and how fast from file to file, next to a regular expression.

    PERCEPTAG_DATA=… python -m benchmarks.tokenizer [--characters 8e6]

Trains on the English Web Treebank (or on the shipped text, which is far too small to say anything), scores the dev
data, and measures the CPU time of `perceptag tokenize` from start to end, the best of three. The text that is
tokenised is that of the training data, again and again, with new words in it.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from importlib import resources
from pathlib import Path

from perceptag import Tokenizer
from perceptag.evaluation.tokens import TokenReport, evaluate_tokens
from perceptag.text import read_conllu
from perceptag.text.token_formats import WRITERS
from perceptag.text.tokens import Passage, TextSentence, Token
from perceptag.text.treebank import read_treebank

RULE = re.compile(r"\w+|[^\w\s]")
NEW = 50  # one word in 50 is new
TIMES = 3


def corpora() -> tuple[Path, Path]:
    """Training and dev data."""
    ewt = Path(os.environ.get("PERCEPTAG_DATA", "nowhere"), "ewt")
    if ewt.is_dir():
        return ewt / "en_ewt-ud-train.conllu", ewt / "en_ewt-ud-dev.conllu"
    shipped = Path(str(resources.files("perceptag") / "data"))
    return shipped / "text-train.conllu", shipped / "text-dev.conllu"


def by_rule(text: str) -> Passage:
    """Runs of letters and digits, and all other characters, as tokens; a sentence ends with a full stop."""
    sentences = [TextSentence([])]
    for match in RULE.finditer(text):
        sentences[-1].tokens.append(Token(match[0], match.start(), match.end(), (match[0],)))
        if match[0] in ".!?":
            sentences.append(TextSentence([]))
    return Passage(text, 0, [sentence for sentence in sentences if sentence.tokens])


def long_text(text: str, characters: int) -> str:
    """The text again and again, with words that no other round has."""
    rounds = []
    for number in range(characters // len(text) + 1):
        words = text.split(" ")
        words[::NEW] = [f"{word}{number}" if word.isalpha() else word for word in words[::NEW]]
        rounds.append(" ".join(words))
    return "\n\n".join(rounds)[:characters]


def cpu(command: Callable[[], object]) -> float:
    """CPU seconds of child processes, the best of several runs."""
    best = float("inf")
    for _ in range(TIMES):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def run_rule(source: Path, target: Path) -> None:
    """Write one token on each line, in a process of its own."""
    code = (
        "import re, sys; text = open(sys.argv[1], encoding='utf-8').read(); "
        f"open(sys.argv[2], 'w', encoding='utf-8').write('\\n'.join(re.findall({RULE.pattern!r}, text)))"
    )
    subprocess.run([sys.executable, "-c", code, source, target], check=True)


def show(name: str, report: TokenReport) -> None:
    """Print the scores of a system."""
    print(f"{name:20} " + "  ".join(f"{what} {counts.f1:.2f}" for what, counts in report.counts.items()))


def main() -> None:
    """Train, score, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--characters", type=float, default=8e6)
    characters = int(parser.parse_args().characters)
    train, dev = corpora()
    tokenizer = Tokenizer().fit(train, dev=dev)
    gold = read_treebank(read_conllu(dev)).passage()
    print(f"F1 on {dev.name}, in per cent")
    show("perceptag", tokenizer.evaluate(dev))
    show("regular expression", evaluate_tokens(gold, by_rule(gold.text)))
    with tempfile.TemporaryDirectory() as folder:
        model, source, target = (Path(folder, name) for name in ("tok.model", "in.txt", "out"))
        tokenizer.save(model)
        source.write_text(long_text(read_treebank(read_conllu(train)).passage().text, characters), "utf-8")
        print(
            f"\ncharacters in a second of CPU time, file to file; {characters} characters, "
            f"a model of {model.stat().st_size} bytes"
        )
        for to in WRITERS:
            words = [sys.executable, "-m", "perceptag", "tokenize", "-q", "-m", model, source, "-o", target, "--to", to]
            seconds = cpu(partial(subprocess.run, words, check=True))
            print(f"{'perceptag, ' + to:20} {characters / seconds:12,.0f}")
        print(f"{'regular expression':20} {characters / cpu(partial(run_rule, source, target)):12,.0f}")


if __name__ == "__main__":
    main()
