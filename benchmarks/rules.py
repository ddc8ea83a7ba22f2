"""Rules next to spaCy's Matcher, PhraseMatcher and EntityRuler on the same tokens: CPU time, the best of some rounds.

    python -m benchmarks.rules CORPUS [--spacy PYTHON] [--phrases 100000] [--rounds 3]

CORPUS is a CoNLL-U file. PYTHON is an interpreter with spaCy; without it, only perceptag is measured. Both start with
lists of words, of which spaCy makes documents, and end with spans; the time of loading patterns is not counted.
"first" is the first round, in which all words are new; "again" the fastest of the others.

matcher   26 patterns over words in small letters, shapes and quantifiers
phrases   phrases of one to three words, most of them not in the text
ruler     both, as patterns of the EntityRuler with entities as the result
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from perceptag import Rules
from perceptag.rules.spacy_patterns import rule_text
from perceptag.text import read
from perceptag.text.sentence import Sentence

Work = Callable[[Rules, list[Sentence]], object]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SPACY = """
import json, sys, time
import spacy
from spacy.matcher import Matcher, PhraseMatcher
from spacy.tokens import Doc
given = json.load(open(sys.argv[1]))
nlp = spacy.blank("en")
matcher, phrases, ruler = Matcher(nlp.vocab), PhraseMatcher(nlp.vocab), nlp.add_pipe("entity_ruler")
for pattern in given["matcher"]:
    matcher.add(pattern["label"], [pattern["pattern"]])
phrases.add("PHRASE", [Doc(nlp.vocab, words=p["pattern"].split()) for p in given["phrases"]])
with nlp.select_pipes(enable=[]):
    ruler.add_patterns(given["matcher"] + given["phrases"])
def measured(work):
    seconds = []
    for _ in range(given["rounds"] + 1):
        begin = time.process_time()
        for words in given["sentences"]:
            work(Doc(nlp.vocab, words=words))
        seconds.append(time.process_time() - begin)
    return seconds[0], min(seconds[1:])
print(json.dumps({"matcher": measured(matcher), "phrases": measured(phrases), "ruler": measured(ruler)}))
"""


def patterns() -> list[dict[str, object]]:
    """Return patterns of the kind that people write, one for each letter."""
    return [
        {
            "label": f"P{letter}",
            "pattern": [
                {"LOWER": {"IN": [f"{letter}n", f"{letter}s", f"{letter}o", "the", f"{letter}f"]}},
                {"IS_ALPHA": True, "OP": "?"},
                {"LOWER": {"REGEX": f"^{letter}[a-z]+$"}},
            ],
        }
        for letter in LETTERS
    ]


def phrases(sentences: list[Sentence], count: int) -> list[dict[str, object]]:
    """Return phrases: words of the corpus, most with a word after them that is not in it."""
    words = [word for sentence in sentences for word in sentence.tokens if word.isalpha()]
    made = (f"{words[i % len(words)]} {words[7 * i % len(words)]}" + f" x{i}" * (i % 10 > 0) for i in range(count))
    return [{"label": "PHRASE", "pattern": phrase} for phrase in made]


def measured(rounds: int, text: str, sentences: list[Sentence], work: Work) -> tuple[float, float]:
    """Return the CPU seconds of the first round and of the fastest of the others."""
    rules, seconds = Rules.parse(text), []
    for _ in range(rounds + 1):
        begin = time.process_time()
        work(rules, sentences)
        seconds.append(time.process_time() - begin)
    return seconds[0], min(seconds[1:])


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("corpus")
    parser.add_argument("--spacy", default="")
    parser.add_argument("--phrases", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    sentences = [Sentence({"form": sentence.tokens}) for sentence in read(asked.corpus)]
    given = {"matcher": patterns(), "phrases": phrases(sentences, asked.phrases)}
    as_rules = {
        "matcher": rule_text("\n".join(map(json.dumps, given["matcher"])), "matcher"),
        "phrases": "[[rule]]\nlabel = 'PHRASE'\nphrases = " + json.dumps([p["pattern"] for p in given["phrases"]]),
    }
    as_rules["ruler"] = f"{as_rules['matcher']}\n{as_rules['phrases']}\n"
    ours = {
        name: measured(asked.rounds, text, sentences, Rules.labelled if name == "ruler" else Rules.matches)
        for name, text in as_rules.items()
    }
    theirs = _spacy(asked.spacy, given | {"rounds": asked.rounds}, sentences) if asked.spacy else {}
    print(f"{sum(map(len, sentences))} tokens, {len(given['phrases'])} phrases; CPU seconds")
    for name, both in ours.items():
        for place, when in enumerate(("first", "again")):
            other = theirs[name][place] if theirs else 0.0
            beside = f"  spaCy {other:7.3f}  times {other / both[place]:5.1f}" if theirs else ""
            print(f"{name:8} {when}  perceptag {both[place]:7.3f}{beside}")


def _spacy(python: str, given: dict[str, object], sentences: list[Sentence]) -> dict[str, tuple[float, float]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "given.json"
        path.write_text(json.dumps({**given, "sentences": [sentence.tokens for sentence in sentences]}))
        done = subprocess.run([python, "-c", SPACY, str(path)], check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, tuple[float, float]] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    main()
