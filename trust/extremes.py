"""Very large inputs: processed, or refused at once with the reason. A stream of any length needs bounded memory."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from perceptag import PerceptagError, Sentence, Tagger
from perceptag.models import model_file as modelfile
from perceptag.text import read_columns
from trust import samples
from trust.children import End, fork, most_memory
from trust.counts import Tallies, Tally, not_run

MEMORY = 6 << 30  # of address space for one attempt
SECONDS = 300.0
AT_ONCE = 10.0  # seconds of CPU time, including making and reading the data: a refusal comes before the work
GROWTH = 32 << 20  # bytes of memory between the middle and the end of a stream
FIRST_ORDER = ["form[0]", "bias * y-1 y0"]


def check(quick: bool) -> Tallies:
    """Try sizes by kind of model, then a stream."""
    scale = 20 if quick else 1
    models = samples.kinds()
    tokens = 1_000_000 // scale
    # Pairs of labels at each of a million tokens are too much for the model that keeps them all.
    large = frozenset() if quick else frozenset({"maxent, exact"})
    yield tagging(f"a sentence of {tokens:,} tokens", _one_of_each(models), lambda: _long_sentence(tokens), large)
    yield tagging(
        "a token of 1 MB", models, lambda: [Sentence({"form": ["x" * 2**20, "dog"], "pos": ["NN" * 2**19, "NN"]})]
    )
    yield tagging("10,000 sentences of one token", models, lambda: [Sentence({"form": ["a"], "pos": ["DT"]})] * 10_000)
    yield many_labels(10_000 // (4 if quick else 1))
    yield too_much()
    yield files(scale)
    yield stream(300_000 if quick else 10_000_000)
    if quick:
        yield not_run("distinct tokens through each kind of model", "only in the full form")
    else:
        yield streams(_one_of_each(models), 1_000_000)


def _one_of_each(models: dict[str, bytes]) -> dict[str, bytes]:
    """Return the first model of each kind in `models/kinds.py`."""
    found: dict[str, tuple[str, bytes]] = {}
    for name, data in models.items():
        found.setdefault(modelfile.load_bytes(data).facts["kind"], (name, data))
    return dict(found.values())


def _limited(work: Callable[[], Any], most: int = MEMORY) -> End:
    def attempt() -> tuple[str, Any, float]:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        started = time.process_time()
        try:
            how, value = "done", work()
        except PerceptagError as error:
            how, value = "refused", str(error)
        return how, value, time.process_time() - started

    return fork(attempt, SECONDS)


def _is_clear(message: str, seconds: float) -> bool:
    """Return whether a refusal says how much is too much, and came at once."""
    return ("bytes" in message or "at most" in message) and seconds < AT_ONCE


def tagging(
    what: str,
    models: dict[str, bytes],
    make: Callable[[], list[Sentence]],
    may_refuse: frozenset[str] = frozenset(),
) -> Tally:
    """Tag the sentences with every kind of model."""
    tally = Tally(what)
    refused = []
    for name, data in models.items():

        def work(data: bytes = data) -> list[int]:
            return [len(labels) for labels in samples.load(data).predict(make())]

        end = _limited(work)
        if end.fault:
            tally.add(f"{name}: {end.fault[-600:]}")
            continue
        how, value, seconds = end.value
        right = value == [len(s) for s in make()] if how == "done" else name in may_refuse and _is_clear(value, seconds)
        tally.check(right, f"{name}: {how} after {seconds:.1f} s, {str(value)[:300]}")
        refused += [name] * (how == "refused")
    tally.note = f"refused with the reason: {', '.join(refused)}" if refused else "all done"
    return tally


def _long_sentence(tokens: int) -> list[Sentence]:
    words, tags = ["the", "dog", "of", "Kent", "saw"], ["DT", "NN", "IN", "NNP", "VBD"]
    return [Sentence({"form": (words * (tokens // 5 + 1))[:tokens], "pos": (tags * (tokens // 5 + 1))[:tokens]})]


def many_labels(number: int) -> Tally:
    """Train every learner on `number` labels; without transitions this must succeed."""
    tally = Tally(f"training on {number:,} labels")
    ends = []
    without = {"without transitions": {"templates": FIRST_ORDER[:1], "constrain": False, "support": "gold"}}
    for learner, settings in (samples.learners() | without).items():

        def work(settings: dict[str, Any] = settings) -> str:
            data = [
                Sentence(
                    {
                        "form": [f"w{i + j}" for j in range(5)],
                        "pos": ["NN"] * 5,
                        "label": [f"B-L{i + j}" for j in range(5)],
                    }
                )
                for i in range(0, number, 5)
            ]
            tagger = Tagger(**{**settings, "epochs": 1}).fit(data)
            return str(len(tagger.labels_))

        end = _limited(work, 2 << 30)
        if end.fault:
            tally.add(f"{learner}: {end.fault[-600:]}")
            continue
        how, value, seconds = end.value
        right = value == str(number) if how == "done" else learner not in without and _is_clear(value, seconds)
        tally.check(right, f"{learner}: {how} after {seconds:.1f} s, {value}")
        ends.append(f"{learner} {how}")
    tally.note = ", ".join(ends)
    return tally


def too_much() -> Tally:
    """Try what cannot fit: it is refused before any memory is used."""
    tally = Tally("what cannot fit is refused at once, with the bytes it needs")

    def labelled(number: int) -> list[Sentence]:
        return [Sentence({"form": [f"w{i}"], "pos": ["NN"], "label": [f"L{i}"]}) for i in range(number)]

    cases: dict[str, tuple[Callable[[], Any], str]] = {
        "transitions between 10,000 labels": (lambda: Tagger(templates=FIRST_ORDER).fit(labelled(10_000)), "bytes"),
        "trigrams of 1,500 labels": (lambda: Tagger(recipe="collins-hmm").fit(labelled(1_500)), "bytes"),
        "trigrams of 10,000 labels": (
            lambda: Tagger(recipe="collins-hmm").fit(labelled(10_000)),
            "at most 1624 labels",
        ),
        "dense rows": (
            lambda: Tagger(templates=FIRST_ORDER[:1], support="all", learner="arow").fit(labelled(8_000)),
            "bytes",
        ),
        "a lattice": (_wide_lattice, "bytes"),
        "a file": (lambda: modelfile.seal({"weights": np.zeros(400 << 20, np.uint8)}, "model"), "bytes"),
        "constraints": (lambda: Tagger(recipe="collins-np", constrain=True).fit(_chunks(5_000)), "at most 2048 labels"),
    }
    for name, (work, message) in cases.items():
        end = _limited(work, 1 << 30)
        how, value, seconds = end.value or ("", "", 0.0)
        told = not end.fault and how == "refused" and message in value and seconds < AT_ONCE
        tally.check(told, f"{name}: {seconds:.1f} s, {(end.fault or str(end.value))[-500:]}")
    return tally


def _chunks(number: int) -> list[Sentence]:
    return [Sentence({"form": [f"w{i}"], "pos": ["NN"], "label": [f"B-L{i}"]}) for i in range(number)]


def _wide_lattice() -> object:
    """Tag a million tokens with observed edges of 60 labels."""
    labels = [f"L{i}" for i in range(60)]
    data = [Sentence({"form": labels, "label": labels})]
    tagger = Tagger(recipe="collins-pos", templates=["form[0]", "form[0] * y-1 y0"], epochs=1).fit(data)
    return len(tagger.predict([Sentence({"form": ["x"] * 1_000_000})])[0])


# ----------------------------------------------------------------------------------------------- files


def files(scale: int) -> Tally:
    """Do the same with files, in Python and on the command line: status 0 with all tokens, or 2 with the reason."""
    tally = Tally("very large files, read and on the command line")
    long, token = 1_000_000 // scale, "x" * 2**20
    texts = {
        f"a sentence of {long:,} tokens": "the DT B-NP\ndog NN I-NP\n" * (long // 2),
        "a token of 1 MB": f"{token} DT B-NP\ndog NN I-NP\n",
        "a label of 1 MB": f"the DT B-{token}\ndog NN O\n",
        "10,000 labels": "".join(f"w{i} NN B-L{i}\n\n" for i in range(10_000)),
        "a line without an end": token * 8,
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        Tagger(recipe="collins-np", epochs=1).fit(list(samples.sentences(40))).save(str(folder / "good"))
        for what, text in texts.items():
            (folder / "text").write_text(text, encoding="utf-8")
            tally.add(_read_whole(folder / "text", text, what))
            for verb, words in COMMANDS.items():
                (folder / "out").unlink(missing_ok=True)
                tally.add(_on_the_command_line(folder, words, f"{verb}: {what}"))
                if verb == "tag" and (folder / "out").exists() and _tokens(folder / "out") != _tokens(folder / "text"):
                    tally.fail(f"tag: {what}: the number of tokens has changed")
    return tally


_NAMES = ["form", "pos", "label"]
_COLUMNS = ("--columns", ",".join(_NAMES), "-q")
COMMANDS: dict[str, tuple[str, ...]] = {
    "tag": ("tag", "-m", "good", *_COLUMNS, "text", "-o", "out"),
    "train": ("train", "-r", "collins-np", "--epochs=1", "--restart", *_COLUMNS, "--train", "text", "-m", "out"),
    "eval": ("eval", *_COLUMNS[:2], "text", "text"),
}


def _tokens(path: Path) -> int:
    with path.open("rb") as file:
        return sum(line != b"\n" for line in file)


def _read_whole(path: Path, text: str, what: str) -> str | None:
    """Check that the reader returns every token, or says at which line it stopped."""
    end = _limited(lambda: sum(len(s) for s in read_columns(path, _NAMES)))
    if end.fault:
        return f"read: {what}: {end.fault[-600:]}"
    how, value, _ = end.value
    right = value == len([line for line in text.splitlines() if line]) if how == "done" else f"{path}:1: " in value
    return None if right else f"read: {what}: {how}, {str(value)[:300]}"


def _on_the_command_line(folder: Path, words: tuple[str, ...], what: str) -> str | None:
    command = [sys.executable, "-m", "perceptag", *words]
    limit = (MEMORY, MEMORY)
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            check=False,
            timeout=SECONDS,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit),
        )
    except subprocess.TimeoutExpired:
        return f"{what}: did not end in time"
    told = done.stderr.startswith(b"perceptag: error: ") and done.stderr.count(b"\n") == 1 and len(done.stderr) < 10_000
    told = told and any(word in done.stderr for word in (b" bytes", b"at most", b"text:1: "))
    fine = done.returncode == 0 or (done.returncode == 2 and told)
    return None if fine else f"{what}: status {done.returncode}, {done.stderr[-300:]!r}"


# ---------------------------------------------------------------------------------------------- stream


def stream(tokens: int) -> Tally:
    """Stream distinct tokens through the command line; compare memory after half of them and at the end."""
    tally = Tally(f"{tokens:,} distinct tokens streamed without growth of memory")
    with tempfile.TemporaryDirectory() as folder:
        model = str(Path(folder) / "m")
        Tagger(recipe="collins-np", epochs=1).fit(list(samples.sentences(40))).save(model)
        command = [sys.executable, "-m", "perceptag", "tag", "-m", model, "--columns", "form,pos", "-q", "-j", "1"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
            assert process.stdin is not None
            peaks = []
            for i, text in enumerate(_text(tokens)):
                process.stdin.write(text)
                process.stdin.flush()
                if i % 10 == 9:
                    peaks.append(most_memory(process.pid))
            peaks.append(most_memory(process.pid))
            process.stdin.close()
            status = process.wait()
    early, late = peaks[len(peaks) // 2], peaks[-1]
    tally.add(None if status == 0 else f"status {status}")
    if late - early > GROWTH:
        tally.fail(f"{early >> 20} MiB after half, {late >> 20} MiB at the end")
    tally.note = f"peak {early >> 20} MiB after half, {late >> 20} MiB at the end"
    return tally


def streams(models: dict[str, bytes], tokens: int) -> Tally:
    """Do the same with each kind of model, in a child that tags a thousand sentences at a time."""
    tally = Tally(f"{tokens:,} distinct tokens through each kind of model")

    def work(data: bytes) -> list[int]:
        tagger, peaks = samples.load(data), []
        for first in range(0, tokens, 20_000):
            words = [[f"word{i}x" for i in range(start, start + 20)] for start in range(first, first + 20_000, 20)]
            tagger.predict([Sentence({"form": some, "pos": ["NN"] * 20}) for some in words])
            peaks.append(most_memory())
        return peaks

    for name, data in models.items():
        end = fork(lambda data=data: work(data), SECONDS)
        growth = end.value[-1] - end.value[len(end.value) // 2] if end.value else 0
        tally.add(end.fault or (f"{name}: {growth >> 20} MiB more after half" if growth > GROWTH else None))
    return tally


def _text(tokens: int) -> Iterator[bytes]:
    """Yield the text in a hundred parts."""
    part = tokens // 100
    for first in range(0, tokens, part):
        yield b"".join(b"word%dx NN\n%s" % (i, b"\n" if i % 20 == 19 else b"") for i in range(first, first + part))
