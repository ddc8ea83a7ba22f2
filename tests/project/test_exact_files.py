"""A file that is imported and exported is the same file, and only labels that have changed are different."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import assume, given
from hypothesis import strategies as st

from perceptag.labels.schemes import ALL_SCHEMES, Span, spans_to_labels
from perceptag.project.project import Project
from projects import exported, labels_of

WORDS = st.sampled_from(["Anna", "left", "#", "-DOCSTART", "Straße", "\u00a0", "e\u0301", "x=1", "_", "a\u2028b"])
ENDS = st.sampled_from(["\n", "\r\n", "\r"])
SPANS = st.lists(st.tuples(st.integers(0, 4), st.integers(1, 2), st.sampled_from(["PER", "A-B"])), max_size=3)


@st.composite
def labelled(draw: st.DrawFn, scheme: str) -> list[tuple[str, str]]:
    """The tokens and labels of a sentence."""
    words = draw(st.lists(WORDS, min_size=1, max_size=5))
    found: list[Span] = []
    for start, length, kind in sorted(draw(SPANS)):
        if start + length <= len(words) and (not found or found[-1].end <= start):
            found.append(Span(start, start + length, kind))
    return list(zip(words, spans_to_labels(found, len(words), scheme), strict=True))


@st.composite
def column_files(draw: st.DrawFn) -> tuple[bytes, bool]:
    """A column file, and whether it has a column of labels."""
    scheme = draw(st.sampled_from(ALL_SCHEMES))
    has_labels = draw(st.booleans())
    tabs = draw(st.booleans())
    blanks = st.just("\t") if tabs else st.sampled_from([" ", "  "])
    lines: list[str] = []
    for sentence in draw(st.lists(labelled(scheme), min_size=1, max_size=4)):
        lines += draw(st.lists(st.sampled_from(["", " ", "-DOCSTART- -X- O", "# note"]), max_size=3))
        if lines and lines[-1] == "# note":
            lines.append("")
        for word, label in sentence:
            fields = [word, "NN", *([label] if has_labels else [])]
            lines.append("".join(f + (draw(blanks) if n + 1 < len(fields) else "") for n, f in enumerate(fields)))
        lines += [draw(st.sampled_from(["", " \t"])), *[""] * draw(st.integers(0, 2))]
    text = draw(st.sampled_from(["", "\ufeff"])) + "".join(line + draw(ENDS) for line in lines)
    assume("\r\r\n" not in text)  # which is refused
    return cut_end(text, draw(st.integers(0, 3))), has_labels


def cut_end(text: str, most: int) -> bytes:
    """The text without some of the line ends at its end."""
    for _ in range(most):
        text = text.removesuffix("\r") if text.endswith("\r") else text.removesuffix("\n")
    return text.encode()


@st.composite
def conllu_files(draw: st.DrawFn) -> bytes:
    lines: list[str] = []
    for sentence in draw(st.lists(labelled("IOB2"), min_size=1, max_size=3)):
        lines += draw(st.lists(st.sampled_from(["# newdoc", "# text = x", "#"]), max_size=2))
        for n, (word, label) in enumerate(sentence, 1):
            if n == 1 and len(sentence) > 1 and draw(st.booleans()):
                lines.append("1-2\tAnnaleft" + "\t_" * 8)
            misc = draw(st.sampled_from(["_", f"NER={label}", f"SpaceAfter=No|NER={label}"]))
            lines.append(f"{n}\t{word}" + "\t_" * 7 + f"\t{misc}")
        lines += draw(st.lists(st.sampled_from(["# end"]), max_size=1))
        lines += [""] * draw(st.integers(1, 2))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return "".join(line + end for line in lines).encode()


@st.composite
def json_files(draw: st.DrawFn) -> bytes:
    lines: list[str] = []
    for sentence in draw(st.lists(labelled("IOBES"), min_size=1, max_size=3)):
        record: dict[str, object] = {"id": draw(st.integers())} if draw(st.booleans()) else {}
        record["tokens"] = [word for word, _ in sentence]
        if draw(st.booleans()):
            record["labels"] = [label for _, label in sentence]
        record |= draw(st.sampled_from([{}, {"spans": []}, {"x": {"labels": ["O"]}}, {"document": "d"}]))
        value = record["tokens"] if draw(st.integers(0, 4)) == 0 else record
        separators = draw(st.sampled_from([(", ", ": "), (",", ":"), ("  ,", " :  ")]))
        lines.append(json.dumps(value, ensure_ascii=draw(st.booleans()), separators=separators))
        lines += draw(st.lists(st.sampled_from(["", " ", '{"tokens": []}']), max_size=1))
    return cut_end("".join(line + draw(st.sampled_from(["\n", "\r\n"])) for line in lines), draw(st.integers(0, 2)))


def imported(folder: str, data: bytes, name: str, **settings: object) -> Project:
    project = Project.create(Path(folder) / f"{name}.ptag", kind="spans", labels=["NEW"], column="ner", seed=1)
    project.import_file(data, name=name, **settings)  # type: ignore[arg-type]
    return project


def change(project: Project, numbers: st.DataObject) -> None:
    """Give new labels to some sentences."""
    keys = count()
    for entry in project.find()[1]:
        if numbers.draw(st.booleans()):
            labels = labels_of(project, entry.id, "NEW")
            project.label(entry.id, labels, base=entry.revision, key=f"k{next(keys)}", who="anna")


def first_fields(data: bytes) -> list[list[bytes]]:
    """The first two columns of all lines."""
    return [line.split()[:2] for line in data.splitlines()]


@given(column_files(), st.data())
def test_column_files(file: tuple[bytes, bool], data: st.DataObject) -> None:
    text, has_labels = file
    columns = ["form", "pos", *(["ner"] if has_labels else [])]
    with TemporaryDirectory() as folder:
        with imported(folder, text, "a.txt", columns=columns, comment="# note") as project:
            assert exported(project) == text
            change(project, data)
            after = exported(project)
            entries = project.find()[1]
        is_changed = any(entry.revision and entry.labels != [] for entry in entries)
        if not is_changed:
            assert after == text
        assert first_fields(after) == first_fields(text)
        names = ["form", "pos", "ner"] if has_labels or any(e.labels for e in entries) else columns
        with imported(folder, after, "b.txt", columns=names, comment="# note") as again:
            assert [e.labels for e in again.find()[1]] == [e.labels for e in entries]
            assert [e.document for e in again.find()[1]] == [e.document for e in entries]


@given(conllu_files(), st.data())
def test_conllu_files(text: bytes, data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        with imported(folder, text, "a.conllu") as project:
            assert exported(project, format="conllu") == text
            change(project, data)
            after = exported(project, format="conllu")
            entries = project.find()[1]
        rows = [line.split(b"\t")[:9] for line in text.splitlines()]
        assert [line.split(b"\t")[:9] for line in after.splitlines()] == rows
        with imported(folder, after, "b.conllu") as again:
            assert [e.labels for e in again.find()[1]] == [e.labels for e in entries]


@given(json_files(), st.data())
def test_json_files(text: bytes, data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        with imported(folder, text, "a.jsonl") as project:
            assert exported(project, format="jsonl") == text
            change(project, data)
            after = exported(project, format="jsonl")
            entries = project.find()[1]
        with imported(folder, after, "b.jsonl") as again:
            assert [e.labels for e in again.find()[1]] == [e.labels for e in entries]
            assert [e.tokens for e in again.find()[1]] == [e.tokens for e in entries]
        for old, new in zip(text.splitlines(), after.splitlines(), strict=True):
            assert parts(old) == parts(new)


def parts(line: bytes) -> object:
    """A line of JSON without its labels."""
    value = json.loads(line) if line.strip() else {}
    record = {"tokens": value} if isinstance(value, list) else value
    return [(key, item) for key, item in record.items() if key != "labels"]
