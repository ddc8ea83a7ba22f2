"""The rule for all outputs: an existing file is replaced by one of its own kind only, an input is never replaced.

`WRITTEN` lists every option that names an output, `READ` every one that names an input. An option of a new command is
in neither, and the first test asks for it.
"""

import gzip
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from command_line import OLD, OLD_CLASSES, OLD_MODEL, Result, begins_as, run, succeed
from perceptag import Pipeline, Tagger, Tokenizer, WordClasses
from perceptag.cli import WITH_MODES, load_command
from perceptag.errors import SettingError
from perceptag.system import file_kinds
from perceptag.system.file_kinds import Head, described
from perceptag.text import FORMATS, Sentence, read, write

_NAMES_A_FILE = re.compile(
    r"\b(FILE|DIR|OUT|IN|MODEL|PATH|DATA|TEXT|GOLD|PRED\w*|CORPUS|RULES|PROJECT|LANG|[AB]\.model)\b"
)
READ = {
    "--model FILE", "--rules FILE", "--tokenizer MODEL", "--never-split FILE", "--always-split FILE", "IN", "GOLD",
    "[NAME=]MODEL", "--replace [NAME=]MODEL", "--add [NAME=]MODEL", "MODEL", "RULES", "CORPUS",
    "--train FILE", "--dev FILE", "--recipe NAME|FILE", "--from MODEL", "DATA",
    "--layer [NAME=]MODEL", "--classes FILE", "--gazetteer CLASS=FILE", "LANG.toml", "--treebank DIR", "TEXT", "FILE",
    "PRED_A", "PRED_B", "--test FILE", "--input FILE", "A.model", "B.model", "--tls-cert FILE", "--tls-key FILE",
    "PRED",
    "--model NAME=FILE", "--import FILE", "--data DIR", "--languages DIR",
    "PROJECT.ptag",  # it is changed, never replaced
    "--token-file FILE", "--admin-token-file FILE",  # created if they are missing
    "--unix PATH",  # a socket
    "--parts DIR",  # of build: files by the digest of their content
}  # fmt: skip
PHOTO = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
TRAIN = ("--train", "toy.txt", "--columns", "form,pos,chunk")
QUICK = ("-r", "collins-np", "--epochs", "1", "--no-dev")
FAST = (*TRAIN, "--dev", "toy.txt", "-r", "collins-np", "--set", "epochs=1", "-q")
# command, output: its words, where OUT is the output, and an input that must not be the output, "" if it cannot be one
WRITTEN = {
    ("tag", "--output OUT"): (["tag", "-m", "toy.model", "toy.txt", "-o", "OUT"], "toy.model"),
    ("tag", "--out-dir DIR"): (["tag", "-m", "toy.model", "in/OUT", "--out-dir", "."], ""),
    ("tokenize", "--output OUT"): (["tokenize", "prose.txt", "-o", "OUT"], "prose.txt"),
    ("pipeline", "--output OUT"): (["pipeline", "toy.model", "-o", "OUT"], "toy.model"),
    ("train", "--model OUT"): (["train", *TRAIN, *QUICK, "-m", "OUT"], "toy.txt"),
    ("build", "--output OUT"): (["build", "--treebank", "bank", "-o", "OUT"], "bank/xx-train.conllu"),
    ("classes", "--output OUT"): (["classes", "prose.txt", "-o", "OUT", "--sizes", "2"], "prose.txt"),
    ("tune", "--output OUT.toml"): (["tune", *FAST, "--trials", "1", "-o", "OUT"], ""),
    ("eval --errors", "--html FILE.html"): (
        ["eval", "--errors", "-m", "toy.model", "toy.txt", "--html", "OUT"],
        "toy.txt",
    ),
    ("split", "--output DIR"): (["split", "in/OUT", "-o", ".", "--parts", "OUT=1"], ""),
    ("convert", "OUT"): (["convert", "toy.txt", "OUT", "--to", "jsonl"], "toy.txt"),
    ("annotate", "--export FILE"): (["annotate", "new.ptag", "--import", "toy.txt", "--export", "OUT"], "toy.txt"),
    ("annotate", "--backup FILE"): (["annotate", "old.ptag", "--import", "toy.txt", "--backup", "OUT"], "toy.txt"),
    ("reproduce", "--output DIR"): (["reproduce", "shen2007", "--data", "shipped", "--quick", "-o", "."], ""),
    ("tune --curve", "--plot FILE.svg"): (["tune", "--curve", *FAST, "--runs", "1", "--plot", "OUT"], "toy.txt"),
}  # fmt: skip
NAMES = {  # what the output is called if the command decides
    ("tune", "--output OUT.toml"): "out.toml",
    ("reproduce", "--output DIR"): "report.html",
}
NEVER = ("split",)  # it replaces no file, or none of another kind, whatever is asked for
BANK = "1\tA\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\n" * 3


@pytest.fixture
def place(folder: Path) -> Path:
    """The toy corpus and its model, prose, a treebank, and a project."""
    (folder / "prose.txt").write_text("The dog barks. The cat sleeps, and the dog barks.\n")
    (folder / "bank").mkdir()
    (folder / "bank" / "xx-train.conllu").write_text(BANK)
    (folder / "in").mkdir()
    succeed("annotate", "old.ptag", "--import", "toy.txt", "--columns", "form,pos,chunk", "--export", "x.txt")
    return folder


def all_outputs() -> dict[tuple[str, str], str]:
    found = {}
    for name in WITH_MODES:
        for parameter in load_command(name).parameters:
            if _NAMES_A_FILE.search(parameter.declared.placeholder) and parameter.written not in READ:
                found[name, parameter.written] = parameter.declared.help
    return found


def test_every_option_that_names_a_file_is_known_as_an_input_or_an_output() -> None:
    assert set(all_outputs()) == set(WRITTEN)


def outputs() -> list[tuple[str, str]]:
    return list(WRITTEN)


def words_for(output: tuple[str, str], name: str) -> list[str]:
    return [word.replace("OUT", name) for word in WRITTEN[output][0]]


@pytest.mark.parametrize("output", outputs(), ids=" ".join)
def test_another_kind_of_file_is_not_replaced(output: tuple[str, str], place: Path) -> None:
    name = NAMES.get(output, "photo.png")
    shutil.copy(place / "toy.txt", place / "in" / name)
    target = place / ("photo.photo.png.png" if output[0] == "split" else name)
    target.write_bytes(PHOTO)
    before = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    done = run(*words_for(output, name))
    assert done.status == 2 and target.name in done.err and "Traceback" not in done.err, done.err
    assert {path: path.read_bytes() for path in place.rglob("*") if path.is_file()} == before
    if output[0] not in (*NEVER, "annotate") and "DIR" not in output[1]:
        assert f"found a PNG image: {target.name}; --overwrite replaces it" in done.err


@pytest.mark.parametrize("output", [o for o in outputs() if WRITTEN[o][1]], ids=" ".join)
@pytest.mark.parametrize("link", [shutil.copy, os.link, os.symlink], ids=["itself", "hard link", "symbolic link"])
def test_an_input_is_never_replaced(output: tuple[str, str], link: Callable[[Path, Path], None], place: Path) -> None:
    source = WRITTEN[output][1]
    name = f"./in/../{source}" if link is shutil.copy else "linked"
    if link is not shutil.copy:
        link((place / source).absolute(), place / name)
    before = (place / source).read_bytes()
    overwrite = ["--overwrite"]
    done = run(*words_for(output, name), *overwrite)
    assert done.status == 2 and "is also an input; writing it would destroy it" in done.err, done.err
    assert (place / source).read_bytes() == before


@pytest.mark.parametrize(
    "output",
    [o for o in outputs() if o[0] in ("tag", "tokenize", "pipeline", "train", "classes", "eval --errors", "convert")],
    ids=" ".join,
)
def test_the_same_command_again_replaces_its_own_output(output: tuple[str, str], place: Path) -> None:
    shutil.copy(place / "toy.txt", place / "in" / "new")
    for words in ([], [], ["--overwrite"]):
        if words:
            (place / "new").write_bytes(PHOTO)
        assert run(*words_for(output, "new"), *words).status == 0
    assert (place / "new").read_bytes() != PHOTO


def test_a_redirected_file_is_an_input_too(place: Path) -> None:
    def redirected(stdin: str, mode: str, *words: str) -> Result:
        command = [sys.executable, "-m", "perceptag", "tokenize", *words]
        with (place / stdin).open("rb") as source, (place / "prose.txt").open(mode) as target:
            done = subprocess.run(command, stdin=source, stdout=target, stderr=subprocess.PIPE, text=True, check=False)
        return Result(done.returncode, "", done.stderr)

    before = (place / "prose.txt").read_bytes()
    appended = redirected("toy.txt", "ab", "prose.txt")
    assert appended.status == 2 and "--output: standard output is also an input" in appended.err
    read_here = redirected("prose.txt", "ab", "-o", "prose.txt")
    assert read_here.status == 2 and "--output: prose.txt is also an input" in read_here.err
    assert (place / "prose.txt").read_bytes() == before


def test_compressed_files_are_judged_by_their_content(place: Path) -> None:
    for content, status in ((OLD, 0), (b"A letter, not sentences.\nIt has lines.\n", 2)):
        (place / "out.txt.gz").write_bytes(gzip.compress(content))
        assert run("tag", "-m", "toy.model", "toy.txt", "-o", "out.txt.gz").status == status
    (place / "toy.txt.gz").write_bytes(gzip.compress((place / "toy.txt").read_bytes()))
    done = run("convert", "toy.txt.gz", "toy.txt.gz")
    assert done.status == 2 and "is also an input" in done.err


def test_files_of_brat_that_are_read_are_not_replaced(place: Path) -> None:
    (place / "bank" / "a.txt").write_text("Anna sings.\n")
    (place / "bank" / "a.ann").write_text("T1\tPER 0 4\tAnna\n")
    for target, to in (("bank/a.txt", "text"), ("bank/a.ann", "brat")):
        done = run("convert", "bank", target, "--to", to, "--overwrite")
        assert done.status == 2 and f"{target} is also an input" in done.err, done.err


def test_python_helpers_follow_the_same_rule(place: Path) -> None:
    (place / "photo.png").write_bytes(PHOTO)
    tagger = Tagger.load("toy.model")
    classes = WordClasses.fit([["a", "b"]] * 9, sizes=[2]) if hasattr(WordClasses, "fit") else None
    savers = [tagger.save, Pipeline([tagger]).save, *([classes.save] if classes else [])]
    for save in savers:
        with pytest.raises(SettingError, match=r"path: expected a new file or .*, found a PNG image: photo\.png; over"):
            save("photo.png")
    with pytest.raises(SettingError, match=r"target: expected a new file or a column file to replace, found a PNG"):
        write([Sentence({"form": ["a"]})], "photo.png", "columns")
    assert (place / "photo.png").read_bytes() == PHOTO
    write([Sentence({"form": ["a"]})], "photo.png", "columns", overwrite=True)
    assert next(iter(read("photo.png"))).tokens == ["a"]
    tagger.save("photo.png", overwrite=True)
    assert Tagger.load("photo.png").save("photo.png")
    assert Tokenizer.save.__kwdefaults__ == {"overwrite": False}


KINDS = {  # the content of a file: what it is called
    OLD_MODEL: "a model",
    OLD_CLASSES: "word classes",
    begins_as("checkpoint"): "a checkpoint",
    b"\x10\0\0\0\0\0\0\0{\"t\":{}}": "a file of tensors",
    b"SQLite format 3\0" + bytes(52) + b"ptag": "a project",
    b"SQLite format 3\0" + bytes(99): "a database",
    b"PAR1": "a Parquet file",
    b"PK\3\4 docx": "a ZIP archive or an office document",
    b"%PDF-1.4": "a PDF file",
    b"caf\xe9": "a file that is not text in UTF-8",
    b"<!DOCTYPE html>\n<p>": "an HTML page",
    b'<?xml version="1.0"?>\n<svg/>': "an SVG image",
    b"<TEI>\n</TEI>": "XML",
    b'{"tokens": ["a"]}\n': "JSON lines of sentences",
    b'{"text": "a"}\n': "JSON lines",
    b'{\n "name": "x"\n}\n': "JSON",
    b"learner = 'margin'\n": "a recipe",
    b"1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n": "a file of CoNLL-U",
    b"a O\nb B-X\n\nc O\n": "a column file",
    b"a\n,\nb\n": "a column file",
    b"Anna\tPER\n": "a column file",
    b"name,town\nAnna,Rome\nPaul,Oslo\n": "a table",
    b"remember to buy milk\n": "plain text",
    b"Hello , world .\nYes , dear sir .\n": "plain text",
    b"A letter.\n\nIt has paragraphs of several lengths.\n": "plain text",
}  # fmt: skip


@pytest.mark.parametrize("content", KINDS, ids=KINDS.get)
def test_a_file_is_known_by_how_it_begins(content: bytes) -> None:
    assert described(Head(content, True)) == KINDS[content]


def test_what_a_format_writes_is_of_its_kind(tmp_path: Path) -> None:
    words = ["Hello", ",", "world"]
    for name, format_ in FORMATS.items():
        if name == "crfsuite":
            continue  # it is only read
        path, column = tmp_path / name, "upos" if name == "conllu" else "label"
        for _ in range(2):  # the second one replaces the first
            write([Sentence({"form": words, column: ["O", "O", "B-LOC"]})] * 2, path, name)
        head = file_kinds.head_of(path)
        others = {o for o, other in FORMATS.items() if other.kind.fits(head)} - {name}
        assert format_.kind.fits(head) and not others - {"crfsuite", "columns", "text", "inline"}, (name, others)
