"""Every bad input is an error that names the place, in Python and on the command line.

Each case is one bad input. In Python it must raise a PerceptagError with the message. On the command line it must end
with status 2, the same message on one line, no traceback, nothing on stdout, and old files unchanged.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from perceptag import PerceptagError, Tagger
from perceptag.models.model_file import seal, unseal
from perceptag.recipe import recipe
from perceptag.text import read
from trust import class_files, other_verbs, pipeline_files, samples
from trust.children import fork
from trust.counts import Tallies, Tally

GOOD = b"The DT B-NP\ndog NN I-NP\nbarks VBZ O\n\nA DT B-NP\ncat NN I-NP\n"
OLD, OLD_MODEL = samples.command_line.OLD, samples.command_line.OLD_MODEL
COLUMNS = ["form", "pos", "chunk"]
SOUND = ("good.txt", "good.model", "good.pipeline")


@dataclass(frozen=True)
class Case:
    """A bad file, or a bad word, and what the message must say."""

    message: str
    name: str = "bad.txt"
    data: bytes = b""
    words: tuple[str, ...] = ()  # of the command line; BAD stands for the file
    use: Callable[[Path], object] | None = None  # from Python


def check(quick: bool) -> Tallies:
    """Try every case in Python and on the command line, where it applies."""
    del quick
    cases = {**corpora(), **other_formats(), **recipes(), **settings(), **models(), **targets()}
    cases |= {name: Case(*case) for name, *case in (*pipeline_files.every(), *class_files.every())}
    bad = [*other_verbs.every(), *class_files.texts()]
    others = {name: Case(message, file, data, words) for name, file, data, words, message in bad}
    assert len(others) == len(bad), "two cases have the same name"
    python, command = Tally("bad inputs from Python"), Tally("bad inputs on the command line")
    beside = Tally("bad inputs on the command line, other verbs")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "good.txt").write_bytes(GOOD)
        good = Tagger(recipe="collins-np", epochs=1).fit(list(read(folder / "good.txt", columns=COLUMNS)))
        good.save(str(folder / "good.model"))
        (folder / "good.pipeline").write_bytes(samples.pipelines()["text"])
        sound = {name: (folder / name).read_bytes() for name in SOUND}
        doors = [(python, cases, _from_python), (command, cases, _on_the_command_line)]
        for tally, some, door in (*doors, (beside, others, _on_the_command_line)):
            for case_name, case in some.items():
                _prepare(folder, case)
                fault = door(folder, case, case_name)
                if not fault and any((folder / name).read_bytes() != data for name, data in sound.items()):
                    fault = f"{case_name}: a good file has changed"
                tally.add(fault)
    yield from (python, command, beside)


def _prepare(folder: Path, case: Case) -> None:
    for path in folder.iterdir():
        if path.name not in SOUND:
            path.unlink() if path.is_file() else shutil.rmtree(path)
    (folder / case.name).write_bytes(case.data)
    (folder / "old.txt").write_bytes(OLD)
    (folder / "old.model").write_bytes(OLD_MODEL)


def _from_python(folder: Path, case: Case, name: str) -> str | None:
    def attempt() -> str:
        os.chdir(folder)
        assert case.use is not None
        try:
            case.use(folder / case.name)
        except PerceptagError as error:
            return str(error)
        return "accepted"

    end = fork(attempt, 60)
    fault = end.fault or (None if re.search(case.message, end.value) else f"found {end.value!r}")
    return f"{name}: expected {case.message!r}: {fault}" if fault else _changes(folder, case, name)


def _on_the_command_line(folder: Path, case: Case, name: str) -> str | None:
    words = [word.replace("BAD", case.name) for word in case.words]

    def attempt() -> tuple[int, str, str]:
        os.chdir(folder)
        done = samples.command_line.run(*words)
        return done.status, done.out, done.err

    end = fork(attempt, 60)
    if end.fault:
        return f"{name}: {end.fault}"
    status, out, err = end.value
    lines = [line for line in err.split("\n") if re.match(r"perceptag: error: ", line)]
    if status != 2 or out or "Traceback" in err or len(lines) != 1 or not re.search(case.message, lines[0]):
        return f"{name}: {words}: expected status 2 and {case.message!r}; found {status}, {out!r:.100}, {err!r:.400}"
    return _changes(folder, case, name)


def _changes(folder: Path, case: Case, name: str) -> str | None:
    expected = {*SOUND, "old.txt", "old.model", case.name}
    found = {path.name for path in folder.iterdir()}
    if case.words[:1] == ("tune",):
        found -= {"new.journal"} - {case.name}  # a search keeps its journal, even if it fails
    if found != expected or (folder / case.name).read_bytes() != case.data:
        return f"{name}: files have changed: {sorted(found)}"
    untouched = ((folder / "old.txt").read_bytes(), (folder / "old.model").read_bytes()) == (OLD, OLD_MODEL)
    return None if untouched else f"{name}: an old file has changed"


# ------------------------------------------------------------------------------------------- the cases

TRAIN = (
    "train",
    "-r",
    "collins-np",
    "--columns",
    "form,pos,chunk",
    "--no-dev",
    "-q",
    "-m",
    "old.model",
    "--epochs",
    "1",
)
TAG = ("tag", "-m", "good.model", "-o", "old.txt", "-q")


def _fit(path: Path, columns: list[str] | None = None, **settings: object) -> object:
    sentences = list(read(path, columns=columns or COLUMNS))
    return Tagger(**({"recipe": "collins-np", "epochs": 1} | settings)).fit(sentences)


def corpora() -> dict[str, Case]:
    """Column files."""
    bad: dict[str, tuple[bytes, str]] = {
        "too few columns": (b"The DT B-NP\ndog NN\n", r"bad\.txt:2: expected 3 columns .*found 2"),
        "too many columns": (b"The DT B-NP x\n", r"bad\.txt:1: expected 3 columns .*found 4"),
        "one column": (b"The\n", r"bad\.txt:1: expected 3 columns .*found 1"),
        "an empty field": (b"The\tDT\tB-NP\ndog\t\tI-NP\n", r"bad\.txt:2: expected a value in column 'pos'"),
        "an empty last field": (b"The\tDT\tB-NP\ndog\tNN\t\n", r"bad\.txt:2: expected a value in column 'chunk'"),
        "an empty first field": (b"\tDT\tB-NP\n", r"bad\.txt:1: expected a value in column 'form'"),
        "tabs, then spaces": (b"The\tDT\tB-NP\ndog NN I-NP\n", r"bad\.txt:2: expected 3 columns"),
        "invalid UTF-8": (b"The DT B-NP\nd\xffg NN I-NP\n", r"bad\.txt:2: invalid UTF-8: byte 0xFF at byte 2"),
        "Latin-1": ("na\u00efve JJ O\n".encode("latin-1"), r"bad\.txt:1: invalid UTF-8"),
        "an overlong encoding": (b"\xc0\xaf DT O\n", r"bad\.txt:1: invalid UTF-8"),
        "a surrogate in UTF-8": (b"\xed\xa0\x80 DT O\n", r"bad\.txt:1: invalid UTF-8"),
        "beyond Unicode": (b"\xf4\x90\x80\x80 DT O\n", r"bad\.txt:1: invalid UTF-8"),
        "cut within a character": (b"The DT B-NP\nna\xc3", r"bad\.txt:2: invalid UTF-8"),
        "UTF-16": ("The DT B-NP\n".encode("utf-16-le"), r"bad\.txt:1: NUL character"),
        "UTF-32": ("The DT B-NP\n".encode("utf-32-le"), r"bad\.txt:1: NUL character"),
        "NUL": (b"The DT B-NP\nd\0g NN I-NP\n", r"bad\.txt:2: NUL character at byte 2"),
        "NUL in a label": (b"The DT B-NP\ndog NN I-NP\0\n", r"bad\.txt:2: NUL character"),
        "a gzip file": (b"\x1f\x8b\x08\x00\x00\x00\x00\x00", r"bad\.txt: cannot read: the compressed file is damaged"),
        "a model": (samples.models()["collins-np"][:5000], r"bad\.txt(: this is a perceptag model|:1: )"),
        "the second sentence is wrong": (GOOD + b"\nIt PRP\n", r"bad\.txt:8: expected 3 columns"),
        "the last line is wrong": (GOOD + b"x", r"bad\.txt:7: expected 3 columns"),
        "wrong after CRLF": (GOOD.replace(b"\n", b"\r\n") + b"x\r\n", r"bad\.txt:7: expected 3 columns"),
        "wrong after CR": (GOOD.replace(b"\n", b"\r") + b"x\r", r"bad\.txt:7: expected 3 columns"),
    }
    nothing = {"an empty file": b"", "blank lines": b"\n \n\t\n", "a document mark": b"-DOCSTART- -X- O\n\n"}
    cases = {}
    for name, (data, message) in bad.items():
        cases[f"train on: {name}"] = Case(message, data=data, words=(*TRAIN, "--train", "BAD"), use=_fit)
        cases[f"tag: {name}"] = Case(
            message,
            data=data,
            words=(*TAG, "--columns", "form,pos,chunk", "BAD"),
            use=lambda path: Tagger.load("good.model").predict(list(read(path, columns=COLUMNS))),
        )
    for name, data in nothing.items():
        cases[f"train on: {name}"] = Case("there is no sentence", data=data, words=(*TRAIN, "--train", "BAD"), use=_fit)
    return cases


def other_formats() -> dict[str, Case]:
    """CoNLL-U and JSONL."""
    token = b"1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n"
    bad: dict[str, tuple[str, bytes, str]] = {
        "CoNLL-U: four columns": (
            "bad.conllu",
            token + b"2\tdog\tdog\tNOUN\n\n",
            r"bad\.conllu:2: expected 10 columns",
        ),
        "CoNLL-U: a number left out": ("bad.conllu", token + token.replace(b"1", b"3", 1) + b"\n", r"bad\.conllu:2: "),
        "CoNLL-U: a number twice": ("bad.conllu", token + token + b"\n", r"bad\.conllu:2: "),
        "CoNLL-U: no number": ("bad.conllu", token.replace(b"1", b"x", 1) + b"\n", r"bad\.conllu:1: "),
        "CoNLL-U: spaces": ("bad.conllu", token.replace(b"\t", b" ") + b"\n", r"bad\.conllu:1: expected 10 columns"),
        "JSONL: cut": ("bad.jsonl", b'{"tokens": ["a"\n', r"bad\.jsonl:1: expected one JSON object per line"),
        "JSONL: no tokens": (
            "bad.jsonl",
            b'{"words": ["a"]}\n',
            r"bad\.jsonl:1:? (?:expected a list of strings 'tokens'|has form)",
        ),
        "JSONL: tokens are numbers": ("bad.jsonl", b'{"tokens": [1]}\n', r"bad\.jsonl:1: expected a list of strings"),
        "JSONL: other length": (
            "bad.jsonl",
            b'{"tokens": ["a", "b"], "label": ["x"]}\n',
            r"bad\.jsonl:1: 'label': expected 2 values",
        ),
        "JSONL: a surrogate": (
            "bad.jsonl",
            b'{"tokens": ["\\ud800"], "label": ["x"]}\n',
            r"bad\.jsonl:1: .*lone surrogate",
        ),
        "JSONL: a key twice": ("bad.jsonl", b'{"tokens": ["a"], "tokens": ["b"]}\n', r"bad\.jsonl:1: .*twice"),
        "JSONL: deep": (
            "bad.jsonl",
            b'{"tokens": ["a"], "x": ' + b"[" * 100_000 + b"\n",
            r"bad\.jsonl:1: expected one JSON",
        ),
        "JSONL: NUL": ("bad.jsonl", b'{"tokens": ["a\\u0000"], "label": ["x"]}\n', r"bad\.jsonl:1: .*NUL character"),
        "JSONL: a number": ("bad.jsonl", b"7\n", r"bad\.jsonl:1: expected an object"),
        "JSONL: text": ("bad.jsonl", b'"the dog"\n', r"bad\.jsonl:1: expected an object"),
    }
    return {
        name: Case(
            message,
            file,
            data,
            (
                "train",
                "-r",
                "collins-pos",
                "--train",
                "BAD",
                "--label",
                _label(file),
                "-m",
                "old.model",
                "--no-dev",
                "-q",
            ),
            lambda path: list(read(path)),
        )
        for name, (file, data, message) in bad.items()
    }


def _label(file: str) -> str:
    return "xpos" if file.endswith("conllu") else "label"


def recipes() -> dict[str, Case]:
    """Recipe files."""
    bad = {
        "not TOML": ("epochs = [", r"bad\.toml"),
        "a key twice": ("epochs = 1\nepochs = 2", r"bad\.toml"),
        "an unknown key": ("epoch = 3", "unknown recipe key 'epoch'; did you mean 'epochs'"),
        "an unknown table": ("[label]\nkeep = ['x']", "unknown recipe key"),
        "epochs NaN": ("epochs = nan", "epochs: expected a whole number"),
        "epochs zero": ("epochs = 0", "epochs: expected a number from 1"),
        "epochs huge": ("epochs = 99999999999999999999", "epochs"),
        "epochs text": ("epochs = 'many'", "epochs: expected a whole number"),
        "a bool that is a number": ("shuffle = 3", "shuffle: expected true or false"),
        "an unknown learner": ("learner = 'perceptro'", "learner: there is no learner 'perceptro'.*expected one of"),
        "a list of numbers": ("templates = [1, 2]", "templates: expected a list of strings"),
        "a template cut off": ("templates = ['form[0']", r"template 'form\[0'"),
        "an offset too far": ("templates = ['form[99]']", "expected an offset from"),
        "an unknown attribute": ("templates = ['sufix3[0]']", "found 'sufix3'"),
        "a template twice": ("templates = ['form[0]', 'form[0]']", "found it twice"),
        "no templates": ("templates = []", "at least one template"),
        "code": ("templates = ['x[0]']\nattributes = ['x=os:system']", "is code of your own"),
        "a missing list": ("templates = ['form[0]']\ngazetteer = ['x=none']", "none: cannot read"),
        "a NUL": ("epochs = 1\0", r"bad\.toml"),
    }
    return {
        f"recipe: {name}": Case(
            message,
            "bad.toml",
            text.encode(),
            ("train", "-r", "./bad.toml", "--train", "good.txt", *TRAIN[3:]),
            lambda path: _fit(Path("good.txt"), recipe=recipe.load(str(path))),
        )
        for name, (text, message) in bad.items()
    }


def settings() -> dict[str, Case]:
    """Settings given as words or as arguments."""
    bad: dict[str, tuple[str, object, str]] = {
        "epochs": ("epochs", "nan", "epochs: expected a whole number"),
        "seed": ("seed", -1, "seed: expected a number from 0"),
        "weights": ("weights", "avraged", "weights: expected one of .*did you mean 'averaged'"),
        "cutoff": ("cutoff", 1.5, "cutoff: expected a whole number"),
        "labels.column": (
            "labels.column",
            "ner",
            "no column 'ner'|expected one of .*found 'ner'",
        ),
        "labels.keep": ("labels.keep", "VP", "labels.keep: expected chunks of type 'VP'"),
        "labels.scheme": ("labels.scheme", "IOB9", "labels.scheme: expected one of"),
        "an unknown key": ("no_such_key", 1, "unknown recipe key"),
        "another learner's key": ("crf.l1", 1, "crf.l1: learner 'perceptron' does not use it; crf does"),
    }
    return {
        f"setting: {name}": Case(
            message,
            words=(*TRAIN[:-2], "--train", "good.txt", "--set", f"{key}={value}"),  # without --epochs 1
            use=lambda _, key=key, value=value: _fit(Path("good.txt"), **{key.replace(".", "_"): value}),
        )
        for name, (key, value, message) in bad.items()
    }


def models() -> dict[str, Case]:
    """Model files."""
    data = samples.models()["collins-np"]
    middle = len(data) // 2
    bad = {
        "empty": (b"", "not a perceptag model"),
        "seven bytes": (data[:7], "not a perceptag model"),
        "half": (data[:middle], "damaged|not a perceptag model"),
        "one byte less": (data[:-1], "damaged"),
        "one byte more": (data + b"\0", "damaged"),
        "one bit": (data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :], "damaged"),
        "text": (GOOD, "not a perceptag model"),
        "another safetensors file": (b"\x02\0\0\0\0\0\0\0{}", "not a perceptag model"),
        "a newer version": (_newer(data), "version 9"),
        "a checkpoint": (_checkpoint(data), "found a checkpoint"),
    }
    return {
        f"model: {name}": Case(
            rf"bad\.model: .*({message})",
            "bad.model",
            content,
            ("tag", "-m", "BAD", "good.txt", "-o", "old.txt", "-q"),
            lambda path: Tagger.load(path.name),
        )
        for name, (content, message) in bad.items()
    }


def _newer(data: bytes) -> bytes:
    return samples.resealed(data.replace(b"model 6 sha256:", b"model 9 sha256:"))


def _checkpoint(data: bytes) -> bytes:
    return seal(unseal(data, "model"), "checkpoint")[0]


def targets() -> dict[str, Case]:
    """Places that cannot be written to."""
    bad = {
        "no such folder": ("none/m", "none/m: cannot write"),
        "a file as a folder": ("good.txt/m", r"good\.txt/m: cannot write"),
        "a full device": ("/dev/full", "/dev/full: cannot write: No space left"),
        "a folder": ("/", "/: cannot write: Is a directory"),
    }
    return {
        f"target: {name}": Case(
            message,
            words=(*TRAIN, "--train", "good.txt", "-m", path),
            use=lambda _, path=path: Tagger.load("good.model").save(path),
        )
        for name, (path, message) in bad.items()
    }
