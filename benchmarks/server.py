"""A server under load: what requests cost beside the commands and beside python-crfsuite, and its targets.

    python -m benchmarks.server [--only hundred stream …] [--workers 0 2] [--rounds 5] [--long]

hundred   tokens of requests of 100 sentences for each second of CPU, over those of `perceptag tag`
one       CPU of a request of one sentence, over that of /livez and of tagging the sentence in Python
stream    tokens of a stream of JSON lines for each second of CPU
attack    how long small requests take while others send the worst texts for the model `en`
memory    growth over many requests: 50,000, or --requests N; a million with --long
start     CPU until a server is ready
rival     python-crfsuite behind the same framework with the same features (`benchmarks.server_rival`): all requests;
          with `hundred` or `one` alone, theirs

CPU time is that of all processes of the server, so it holds roughly on a machine that is busy too. What is compared is
measured in turn, several times, and the least of each counts, since other programs can only add to it; the table says
in how many rounds a target was reached. Latencies hold on a quiet machine only: those without an attack, and how much
slower the same work was by the clock than by CPU time, say how quiet it was. `nice -n -15` makes it quieter.

The load comes from `wrk` (on Debian and Ubuntu: apt-get install wrk) over the loopback interface.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import corpora, machine
from benchmarks.measure import Clock, calibrate, certainty, peak_memory
from benchmarks.server_load import Case, Server, latencies, serving
from benchmarks.task import Task, read_plain
from perceptag import Tagger
from perceptag.client import Client
from perceptag.pipeline.installed import installed
from perceptag.system.strict_json import strict_dumps
from perceptag.system.table import Table, render

PASSES = 5
TEXT = 1_000_000  # tokens that `perceptag tag` reads
WORST: tuple[dict[str, Any], ...] = (
    {"text": "0 " * 600},
    {"sentences": [["a"] * 2_000]},
    {"text": "| 0 " * 400},
    {"text": "." * 600},
    {"sentences": [["a"] * 5_000]},
    {"text": "a " * 400_000},
    {"text": "x" * 900_000},
    {"text": "The dog barks. " * 13_000},
    {"sentences": [["a"] * 2_000], "want": ["nbest", "margin"], "n": 20},
)
ATTACKERS = 4


@dataclass
class Figure:
    """A measured target: one value of each round, and the best."""

    name: str
    what: str
    wanted: float
    written: str  # how a value is shown
    workers: int
    rounds: list[float]
    value: float | None = None  # made of the best parts of all rounds; else the best round counts
    is_least: bool = False  # the target is a lower bound
    note: str = ""

    @property
    def best(self) -> float:
        """The value that counts."""
        return self.value if self.value is not None else (max if self.is_least else min)(self.rounds)

    def is_reached(self, value: float) -> bool:
        """Return whether a value is as good as the target."""
        return value >= self.wanted if self.is_least else value <= self.wanted

    def verdict(self) -> str:
        """Return whether the target is reached, and how sure that is."""
        good = sum(map(self.is_reached, self.rounds))
        said = "reached" if self.is_reached(self.best) else "missed"
        return f"{said}, in {good} of {len(self.rounds)} rounds"

    def row(self) -> list[str]:
        """Return the cells of the table."""
        show = self.written.format
        spread = f"{show(min(self.rounds))} to {show(max(self.rounds))}"
        wanted = f"{'≥' if self.is_least else '≤'} {show(self.wanted)}"
        return [self.name, self.what, wanted, str(self.workers), show(self.best), spread, self.verdict(), self.note]


@dataclass
class Bench:
    """The models and texts of a run."""

    folder: Path
    task: Task
    sentences: list[list[str]]
    rounds: int
    seconds: float
    is_long: bool
    requests: int  # that memory is measured by
    models: dict[str, Path] = field(default_factory=dict)

    def command(self, workers: int = 0, model: str = "") -> list[str]:
        """Return a command that serves a model; the port follows."""
        path = model or f"pos={self.model('pos')}"
        return [sys.executable, "-m", "perceptag", "serve", "--model", path, "--workers", str(workers), "--port"]

    def model(self, recipe: str) -> Path:
        """Train a model of the task once: of the recipe `pos`, or with the features of the rival."""
        if recipe not in self.models:
            read = list(read_plain(self.task.train, self.task.columns))
            X, y = [s["form"] for s, _ in read], [labels for _, labels in read]
            own = {"templates": list(self.task.templates)} if recipe != "pos" else {}
            self.models[recipe] = self.folder / f"{recipe}.model"
            Tagger(recipe, epochs=PASSES, **own).fit(X, y).save(self.models[recipe])  # type: ignore[arg-type]
        return self.models[recipe]

    @property
    def one(self) -> list[str]:
        """A sentence of 20 tokens."""
        return next(sentence for sentence in self.sentences if len(sentence) == 20)


Found = Iterator[Figure]


# --- targets ---


def hundred(bench: Bench, workers: int) -> Found:
    """Compare requests of 100 sentences with `perceptag tag`."""
    text, tokens = bench.folder / "text.txt", sum(map(len, bench.sentences))
    times = TEXT // tokens + 1
    text.write_text("".join("\n".join(s) + "\n\n" for s in bench.sentences) * times, encoding="utf-8")
    case = request(bench.sentences[:100], 4)
    command = [sys.executable, "-m", "perceptag", "tag", "--quiet", "--threads", "1"]
    command += ["-m", str(bench.model("pos")), str(text), "-o", str(bench.folder / "out.txt")]
    ours, theirs = [], []
    with serving(bench.command(workers)) as server:
        server.load(case, 1)
        for _ in range(bench.rounds):
            ours.append(case.tokens / server.load(case, bench.seconds).each)
            theirs.append(times * tokens / children_cpu(command))
    note = f"{max(ours) / 1e6:.2f} and {max(theirs) / 1e6:.2f} M tokens/s of CPU"
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    what = "100 sentences a request, over perceptag tag"
    yield Figure("hundred", what, 0.8, "{:.2f}", workers, ratios, max(ours) / max(theirs), True, note)


def one(bench: Bench, workers: int) -> Found:
    """Compare requests of one sentence with /livez and with tagging."""
    tagger, case, health = Tagger.load(bench.model("pos")), request([bench.one], 16), health_case()
    parts: list[tuple[float, float, float]] = []
    with serving(bench.command(workers)) as server:
        server.load(case, 1)
        for _ in range(bench.rounds):
            began = time.process_time()
            for _ in range(1000):
                tagger.predict([bench.one])
            tagging = (time.process_time() - began) / 1000
            parts.append((server.load(case, bench.seconds).each, server.load(health, bench.seconds).each, tagging))
    ratios = [asked / (healthy + tagging) for asked, healthy, tagging in parts]
    asked, healthy, tagging = (min(values) for values in zip(*parts, strict=True))
    note = f"{1e6 * asked:.0f} µs, /livez {1e6 * healthy:.0f}, tagging {1e6 * tagging:.0f}"
    what = "one sentence, over /livez and tagging"
    yield Figure("one", what, 1.2, "{:.2f}", workers, ratios, asked / (healthy + tagging), note=note)


def stream(bench: Bench, workers: int) -> Found:
    """Send a stream of JSON lines."""
    rates, memory, times = [], 0, 100 if bench.is_long else 10
    with serving(bench.command(workers)) as server:
        for _ in range(bench.rounds):
            lines = (list(sentence) for _ in range(times) for sentence in bench.sentences)
            with Client(f"http://127.0.0.1:{server.port}") as client:
                before = server.cpu()
                tokens = sum(len(found["labels"]) for found in client.stream(lines))
                rates.append(tokens / (server.cpu() - before) / 1e6)
        memory = max(map(peak_memory, server.processes()))
    note = f"{tokens:,} tokens, peak memory of a process {memory / 2**20:.0f} MiB"
    yield Figure("stream", "M tokens/s of CPU in a stream", 0.6, "{:.2f}", workers, rates, is_least=True, note=note)


def attack(bench: Bench, workers: int) -> Found:
    """Ask for little while others send the worst texts."""
    if not any(some.name == "en" for some in installed()):
        print("attack: the model en is not installed (perceptag-en), so it is left out", file=sys.stderr)
        return
    body, seconds = strict_dumps({"sentences": [["The", "dog", "barks", "."]]}).encode(), 4 * bench.seconds
    with serving(bench.command(workers, "en")) as server:
        latencies(server.port, body, 1)
        calm, found, statuses = [], [], list[int]()
        for _ in range(bench.rounds):
            calm.append(p99(latencies(server.port, body, seconds)))
            with server.attacked(WORST, ATTACKERS) as sent:
                time.sleep(0.5)
                found.append(p99(latencies(server.port, body, seconds)))
            statuses += sent
    by_status = ", ".join(f"{statuses.count(status)} × {status}" for status in sorted(set(statuses)))
    note = f"{min(calm):.1f} ms without them; theirs: {by_status or 'none answered'}"
    yield Figure("attack", "p99 of small requests in ms, beside the worst", 20, "{:.1f}", workers, found, note=note)


def memory(bench: Bench, workers: int) -> Found:
    """Send many different requests; the memory must stay what it is after the first of them."""
    rng, (first, *later) = random.Random(1), marks(bench.requests)
    words = sorted({word for sentence in bench.sentences for word in sentence})
    some = [[f"{rng.choice(words)}{rng.randint(0, 9999)}" for _ in range(rng.randint(1, 12))] for _ in range(2_000)]
    case = Case("many", "/v1/tag", [body_of([s]) for s in some], 0, 8)
    with serving(bench.command(workers)) as server:
        done = asked(server, case, first)
        sizes = {done: server.memory() / 1e6}
        for mark in later:
            done += asked(server, case, mark - done)
            sizes[done] = server.memory() / 1e6
            print(f"memory, {workers} workers: {sizes[done]:.1f} MB after {done:,}", file=sys.stderr, flush=True)
    grown = sizes[done] - next(iter(sizes.values()))
    what = f"MB that memory grows from request {first:,} to {bench.requests:,}"
    note = ", ".join(f"{size:.1f} MB after {number / 1000:.0f}k" for number, size in sizes.items())
    yield Figure("memory", what, 5, "{:+.1f}", workers, [grown], note=note)


def marks(requests: int) -> list[int]:
    """Return after how many requests memory is measured: the first time when everything has been used."""
    first = min(50_000, requests // 6)
    doubled = [first << i for i in range(10) if first << i < requests]
    return [*doubled, requests]


def asked(server: Server, case: Case, number: int) -> int:
    """Send at least so many requests; return how many."""
    done = 0
    while done < number:
        done += server.load(case, 2).requests
    return done


def start(bench: Bench, workers: int) -> Found:
    """Start servers until they are ready."""
    for name, model in (("pos", ""), ("en", "en")):
        if name == "pos" or any(some.name == name for some in installed()):
            used = []
            for _ in range(max(bench.rounds, 5)):
                with serving(bench.command(workers, model)) as server:
                    used.append(server.cpu())
            yield Figure("start", f"s of CPU until ready, model {name}", 0.6, "{:.2f}", workers, used)


TARGETS: dict[str, Callable[[Bench, int], Found]] = {
    "hundred": hundred,
    "one": one,
    "stream": stream,
    "start": start,
    "memory": memory,
    "attack": attack,
}


# --- beside python-crfsuite ---


def rival(bench: Bench, names: Sequence[str]) -> str:
    """Measure the same requests at both servers, those of the targets of these names; return a table."""
    table = Table(["server", "request", "connections", "CPU µs", "req/s", "tokens/s", "p50 ms", "p99 ms"])
    ours = f"pos={bench.model('collins-pos')}"
    servers = {f"perceptag, {n} workers": bench.command(n, ours) for n in (0, 2)}
    try:
        from benchmarks.systems.crfsuite import SYSTEM
    except ImportError:
        print("python-crfsuite is not installed, so it is left out: make bench OF=server installs it", file=sys.stderr)
    else:
        SYSTEM.train(bench.task, PASSES, bench.folder / "rival.model", Clock())
        task = str(bench.folder / f"{bench.task.name}.json")
        command = [sys.executable, "-m", "benchmarks.server_rival", task, str(bench.folder / "rival.model")]
        servers["python-crfsuite"] = command
    for title, command in servers.items():
        with serving(command) as server:
            for case in cases(bench, names, is_ours=title != "python-crfsuite"):
                server.load(case, 1)  # everything is warm afterwards
                found = min((server.load(case, bench.seconds) for _ in range(2)), key=lambda load: load.each)
                rate = found.requests / found.seconds
                row = [f"{1e6 * found.each:.0f}", f"{rate:.0f}", f"{rate * case.tokens:,.0f}"]
                row += [f"{found.p50:.2f}", f"{found.p99:.2f}"]
                table.add(title, case.name, str(case.connections), *row)
    return render(table)


def cases(bench: Bench, names: Sequence[str], is_ours: bool) -> Iterator[Case]:
    """Yield the requests: all for `rival`, else those of other targets."""
    yield health_case()
    for name, number, connections in (("one", 1, 1), ("one", 1, 16), ("hundred", 100, 4), ("rival", 1000, 4)):
        if {name, "rival"} & {*names}:
            yield request([bench.one] if number == 1 else bench.sentences[:number], connections)
    if is_ours and "rival" in names:
        yield Case("explain 20 tokens", "/v1/explain", [strict_dumps({"tokens": bench.one}).encode()], 20, 1)


def request(sentences: Sequence[Sequence[str]], connections: int) -> Case:
    """Return a request for the labels of sentences."""
    return Case(
        f"tag {len(sentences)} sentences", "/v1/tag", [body_of(sentences)], sum(map(len, sentences)), connections
    )


def health_case() -> Case:
    """Return the request that asks for nothing."""
    return Case("GET /livez", "/livez", [], 0, 16)


def body_of(sentences: Sequence[Sequence[str]]) -> bytes:
    """Return the body of a request."""
    return json.dumps({"sentences": sentences}, ensure_ascii=False).encode()


# --- how sure the figures are ---


def children_cpu(command: list[str]) -> float:
    """Return the CPU seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def p99(seconds: Sequence[float]) -> float:
    """Return the 99th percentile in milliseconds."""
    return 1000 * sorted(seconds)[int(0.99 * len(seconds))]


def main() -> int:
    """Measure what is asked for and print tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--only", nargs="+", choices=[*TARGETS, "rival"], default=[*TARGETS, "rival"], metavar="NAME")
    parser.add_argument("--workers", type=int, nargs="+", help="default: 0 and 2; for attack 0, 1 and 2")
    parser.add_argument("--rounds", type=int, default=5, help="of each measurement")
    parser.add_argument("--seconds", type=float, default=2, help="of each load")
    parser.add_argument("--requests", type=int, default=50_000, help="that memory is measured by, at least 10")
    parser.add_argument("--long", action="store_true", help="a million requests, a stream of 250 million tokens")
    given = parser.parse_args()
    if shutil.which("wrk") is None:
        print("bench-server: wrk is not installed; on Debian and Ubuntu: apt-get install wrk", file=sys.stderr)
        return 2
    before, about = calibrate(), machine.in_words(machine.describe())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        task = corpora.prepare(os.environ.get("PERCEPTAG_DATA") or None, folder)[0]
        sentences = [sentence["form"] for sentence, _ in read_plain(task.dev, task.columns)]
        number = max(given.requests, 1_000_000 if given.long else 10)
        bench = Bench(folder, task, sentences, given.rounds, given.seconds, given.long, number)
        table = Table(["name", "target", "wanted", "workers", "found", "rounds", "verdict", "about"])
        for target, measure in TARGETS.items():
            for workers in given.workers or ((0, 1, 2) if target == "attack" else (0, 2)):
                for figure in measure(bench, workers) if target in given.only else ():
                    table.add(*figure.row())
                    print("  ".join(figure.row()), file=sys.stderr, flush=True)
        beside = rival(bench, given.only) if {"rival", "hundred", "one"} & {*given.only} else ""
        print(f"{task.title}, {task.note or 'real data'}; {about}\n{render(table)}\n{beside}")
    print("A row alone: make bench OF=server ARGUMENTS='--only NAME --workers N'")
    print(certainty(before, calibrate()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
