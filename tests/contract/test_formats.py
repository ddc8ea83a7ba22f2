"""What every format of sentences promises, and every tool whose files are read and written.

Formats come from `perceptag.text.FORMATS`, tools from `WRITTEN` and `READ`: a new one is tested as soon as it is there.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import pickle
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import run, succeed
from exports_of_tools import RECORDS
from perceptag import DataError, PerceptagError
from perceptag.foreign.intake import READ, recognise_bytes
from perceptag.foreign.write_export import WRITTEN
from perceptag.text import FORMATS, Sentence, detect_format, read, write
from slow_streams import Dribble

ONLY_READ = ["crfsuite"]
ONLY_WRITTEN = ["text", "inline"]
BOTH_WAYS = [name for name in FORMATS if name not in (*ONLY_READ, *ONLY_WRITTEN)]
BYTES = ["parquet"]  # what is no text
LINES = [name for name in BOTH_WAYS if name not in BYTES]
WITHOUT_EMPTY = ["columns", "conllu"]

ROW = "\t_" * 7
EXACT = {
    "columns": [
        "EU NNP I-NP I-ORG\nrejects VBZ I-VP O\n\n",
        "-DOCSTART- -X- O O\n\nEU NNP I-NP I-ORG\n\nin IN O O\n\n-DOCSTART- -X- O O\n\nit PRP O O\n\n",
        "-DOCSTART- -DOCSTART- O\nDe Art O\n\nhet Art O\n\n-DOCSTART- -DOCSTART- O\nEen Art O\n\n",
        "-DOCSTART-\n\n-DOCSTART- x\ny\n\n",  # two marks, the first of an empty document
        "-DOCSTART-\tO\n\nNew York\tB\n\nzw\u200dj 𝒳\tO\n\n",
        "-DOCSTART-x O\n-DOCSTART O\nx-DOCSTART- O\n\n",  # tokens, not marks
        "a\u00a0b 𝒳 O\nx\u2028y \x85\x0c O\n\n",
    ],
    "conllu": [
        "# global.columns = whatever\n# newdoc id = d1\n# text = Vámonos al 𝒳\n"
        f"1-2\tVámonos{ROW}\tSpaceAfter=No\n1\tVamos\tir\tVERB\t_\tMood=Imp|Number=Plur\t0\troot\t0:root\t_\n"
        f"2\tnos{ROW}\tX=1\n3-4\tal{ROW}\t_\n3\ta{ROW}\t_\n# a comment between words\n4\tel{ROW}\t_\n5\t𝒳{ROW}\t_\n"
        f"5.1\tfui\tir\tVERB\t_\t_\t_\t_\t0:root\t_\n5.2{ROW}\t1:x\t_\n\n"
        f"0.1\tempty{ROW}\t_\n1\tla la{ROW}\t_\n# at the end\n\n#newdoc\n1\t…{ROW}\t_\n\n"
    ],
    "jsonl": [
        '{"id": 7, "tokens": ["é", "\u2028"], "meta": {"a": [1, "𝒳"]}, "labels": ["A", "B"], "score": 0.5}\n',
        '["a", "b c", ""]\n',
        '{"tokens": []}\n[]\n',
        '{"tokens": ["a"], "document": "d1"}\n{"document": "d1", "tokens": ["b"]}\n{"tokens": ["c"], "document": 2}\n',
    ],
}
FAULTY = {  # a sentence, and what comes after it: the line that an error names
    "columns": ("a b\n\nc\n", 3),
    "conllu": (f"1\ta{ROW}\t_\n\n3\tb{ROW}\t_\n", 3),
    "jsonl": ('["a"]\n\n{"tokens": 3}\n', 3),
}


def packed_zst(data: bytes) -> bytes:
    made: bytes = pytest.importorskip("zstandard").ZstdCompressor(write_checksum=True).compress(data)
    return made


PACKED: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": packed_zst,
}


def label_of(name: str) -> str:
    return "upos" if name == "conllu" else "label"


def sentence_of(name: str, words: list[str], labels: list[str], starts: bool = False) -> Sentence:
    return Sentence({"form": words, label_of(name): labels}, starts_document=starts)


def some(name: str) -> list[Sentence]:
    return [
        sentence_of(name, ["Ada", "Byron", "sat"], ["B-PER", "I-PER", "O"], starts=True),
        sentence_of(name, ["𝒳é", "fell"], ["B-LOC", "O"]),
        sentence_of(name, ["It"], ["O"], starts=True),
    ]


def facts(sentences: Any, name: str) -> list[tuple[list[str], list[str], bool]]:
    return [(s.columns["form"], s.columns[label_of(name)], s.starts_document) for s in sentences]


def written(sentences: Any, name: str) -> bytes:
    stream = io.BytesIO()
    write(sentences, stream, name)
    return stream.getvalue()


def parsed(data: bytes, name: str, size: int = 1 << 20) -> list[tuple[Sentence, int]]:
    return [(sentence, sentence.line) for sentence in read(Dribble(data, size), name)]


# --- there and back ---

VALUE = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"], exclude_characters="\0\n\r\t \x1e\x1f"),
        st.sampled_from("\u2028\x85\xa0\x0b\x0c\u200d\u3000\ufeff#\"'\\-_:=𝒳é"),
    ),
    min_size=1,
    max_size=6,
)
TOKENS = st.lists(st.tuples(VALUE.filter(lambda value: "-DOCSTART-" not in value), VALUE), max_size=4)


@pytest.mark.parametrize("name", BOTH_WAYS)
@given(corpus=st.lists(st.tuples(TOKENS, st.booleans()), max_size=4))
def test_what_is_written_is_read_back(name: str, corpus: list[tuple[list[tuple[str, str]], bool]]) -> None:
    sentences = [
        sentence_of(name, [w for w, _ in tokens], [y for _, y in tokens], starts)
        for tokens, starts in corpus
        if tokens or name not in WITHOUT_EMPTY
    ]
    data = written(sentences, name)
    again = list(read(io.BytesIO(data), name))
    assert facts(again, name) == facts(sentences, name)
    assert name in BYTES or written(again, name) == data


@pytest.mark.parametrize(("name", "text"), [(name, text) for name in LINES for text in EXACT[name]])
def test_files_come_back_byte_for_byte(name: str, text: str) -> None:
    assert written(read(io.BytesIO(text.encode()), name), name).decode() == text


@pytest.mark.parametrize("name", LINES)
def test_every_format_of_lines_has_exact_files_and_faulty_ones(name: str) -> None:
    assert EXACT[name] and FAULTY[name]


@pytest.mark.parametrize("name", ONLY_WRITTEN)
def test_formats_that_are_only_written_say_so(name: str, tmp_path: Path) -> None:
    write(some(name), tmp_path / "a", name)
    assert "Ada" in (tmp_path / "a").read_text("utf-8")
    with pytest.raises(PerceptagError, match=f"format {name}: "):
        list(read(tmp_path / "a", name))


@pytest.mark.parametrize("name", ONLY_READ)
def test_formats_that_are_only_read_say_so(name: str, tmp_path: Path) -> None:
    with pytest.raises(PerceptagError, match=f"{name}: "):
        write(some("columns"), tmp_path / "a", name)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("name", [*BOTH_WAYS, *ONLY_WRITTEN])
def test_a_format_is_known_by_its_files_and_travels_to_other_processes(name: str, tmp_path: Path) -> None:
    format_ = FORMATS[name]
    assert pickle.loads(pickle.dumps(format_)).kind.name == format_.kind.name
    for ending in format_.endings:
        assert detect_format(tmp_path / f"A{ending.upper()}") == name and ending == ending.lower() and ending[0] == "."
    for _ in range(2):  # the second one replaces the first
        write(some(name), tmp_path / "a", name)
    before = (tmp_path / "a").read_bytes()
    (tmp_path / "photo").write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(PerceptagError, match="photo"):
        write(some(name), tmp_path / "photo", name)
    assert (tmp_path / "photo").read_bytes() == b"\x89PNG\r\n\x1a\n"
    assert (tmp_path / "a").read_bytes() == before


def test_no_two_formats_have_the_same_ending() -> None:
    endings = [ending for format_ in FORMATS.values() for ending in format_.endings]
    assert sorted(set(endings)) == sorted(endings)


# --- bytes and lines ---


@pytest.mark.parametrize(
    ("name", "end", "mark", "final"), [*product(LINES, ("\n", "\r\n", "\r"), ("", "\ufeff"), (True, False))]
)
def test_line_ends_byte_order_mark_and_final_newline_do_not_matter(name: str, end: str, mark: str, final: bool) -> None:
    for text in EXACT[name]:
        variant = mark + (text if final else text.rstrip("\n")).replace("\n", end)
        expected = parsed(text.encode(), name)
        for size in (1, 2, 3, 7, 1 << 20):
            assert parsed(variant.encode(), name, size) == expected


@pytest.mark.parametrize("name", LINES)
def test_chunks_of_any_size_give_the_same_sentences(name: str) -> None:
    data = EXACT[name][-1].replace("\n", "\r\n").encode("utf-8-sig")
    expected = parsed(data, name)
    for size in range(1, 65):
        assert parsed(data, name, size) == expected


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("data", [b"", b"\n\n", b" \t\r\n", b"\xef\xbb\xbf"])
def test_a_file_without_tokens_has_no_sentences(name: str, data: bytes) -> None:
    assert parsed(data, name) == []


@pytest.mark.parametrize("name", BOTH_WAYS)
@pytest.mark.parametrize("ending", PACKED)
def test_compressed_files_are_read_and_written(name: str, ending: str, tmp_path: Path) -> None:
    plain, packed = tmp_path / "a", tmp_path / f"a{ending.upper()}"
    sentences = some(name) * 500
    write(sentences, plain, name)
    write(sentences, packed, name)
    assert packed.stat().st_size < plain.stat().st_size
    assert facts(read(packed, name), name) == facts(sentences, name)
    data = packed.read_bytes()
    write(sentences, packed, name)
    assert packed.read_bytes() == data
    with pytest.raises(DataError, match="cannot write"):
        write([sentence_of(name, ["\ud800"], ["O"])], tmp_path / f"bad{ending}", name)
    packed.write_bytes(data[: len(data) // 2])
    with pytest.raises(DataError, match="cannot read: the compressed file is damaged"):
        list(read(packed, name))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", packed.name]


PIECES = [
    *"ab \t\n\r\ufeff\xa0", "-DOCSTART-", "# newdoc", "\t_" * 8, "1\tx", "2\ty", "1-2\tz", "1.1\te", "O\tx", ":1",
    '{"tokens": ["a"]', ', "labels": ["A"]', ', "document": 1', "}", '["a"]', '"\\u00e9"',
]  # fmt: skip


@pytest.mark.parametrize("name", LINES)
@given(st.one_of(st.binary(max_size=60), st.lists(st.sampled_from(PIECES)).map(lambda p: "".join(p).encode())))
def test_any_bytes_are_refused_or_survive_writing(name: str, data: bytes) -> None:
    try:
        sentences = list(read(io.BytesIO(data), name))
    except DataError as error:
        assert error.where.partition(":")[0] == "<stream>"
        return
    assert list(read(io.BytesIO(written(sentences, name)), name)) == sentences


# --- errors ---


@pytest.mark.parametrize("name", LINES)
def test_sentences_before_an_error_come_out_first_and_it_names_file_and_line(name: str, tmp_path: Path) -> None:
    text, line = FAULTY[name]
    (tmp_path / "a").write_text(text)
    sentences = read(tmp_path / "a", name)
    assert len(next(sentences)) == 1
    for _ in range(2):  # an error is not forgotten
        with pytest.raises(DataError) as caught:
            list(sentences)
        assert caught.value.where == f"{tmp_path / 'a'}:{line}"


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("bad", [b"\xff", b"\xed\xa0\x80", b"\0"])
def test_bytes_that_are_no_text_are_named_by_their_line(name: str, bad: bytes) -> None:
    data = EXACT[name][0].encode() + bad + b"\n"
    line = EXACT[name][0].count("\n") + 1
    for size in (1, 1 << 20):
        with pytest.raises(DataError) as caught:
            parsed(data, name, size)
        assert caught.value.where == f"<stream>:{line}"


WRONG: dict[str, Callable[[str], Sentence]] = {
    "a lone surrogate": lambda name: sentence_of(name, ["a", "\ud800"], ["A", "B"]),
    "a NUL": lambda name: sentence_of(name, ["a\0", "b"], ["A", "B"]),
    "fewer labels": lambda name: sentence_of(name, ["a", "b"], ["A"]),
    "no string": lambda name: sentence_of(name, ["a"], [7]),  # type: ignore[list-item]
}


@pytest.mark.parametrize("name", BOTH_WAYS)
@pytest.mark.parametrize("kind", WRONG)
def test_what_cannot_be_written_leaves_the_old_file(name: str, kind: str, tmp_path: Path) -> None:
    target = tmp_path / "a"
    write(some(name), target, name)
    before = target.read_bytes()
    with pytest.raises(DataError) as caught:
        write([some(name)[0], WRONG[kind](name)], target, name)
    assert "sentence 2" in str(caught.value) or caught.value.where == "sentence 2"
    assert target.read_bytes() == before and list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("name", BOTH_WAYS)
def test_what_cannot_be_opened_is_named(name: str, tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path, tmp_path / "a\0b"):
        with pytest.raises(DataError, match="cannot read: ") as caught:
            list(read(path, name))
        assert caught.value.where == str(path)


# --- nothing is lost unnamed: what is in a file is in the other one, or a note names it ---

JSONL = """\
{"tokens": ["Anna", "sings"], "labels": ["B-PER", "O"], "lemma": ["zz1a", "zz1b"], "zzkey": "zz2", "document": "zz3"}
{"tokens": ["Bob"], "labels": ["B-PER"], "lemma": ["zz1c"], "zzkey": {"zz4": 5}, "document": "zz3"}
"""
CONLLU = """\
# newdoc id = zz3
# sent_id = zz5
# zz6 = remark
# text = Annasings aloud.
1-2\tAnnasings\t_\t_\t_\t_\t_\t_\t_\tZz=zz7
1\tAnna\tzz1a\tPROPN\tZZ8\tZz=zz9\t2\tzz10\t_\tLABEL=B-PER|Zz=zz11
2\tsings\t_\tVERB\t_\t_\t0\troot\t2:zz12\tLABEL=O
2.1\tzz13\t_\tVERB\t_\t_\t_\t_\t_\t_
3\taloud\t_\tADV\t_\t_\t2\t_\t_\tLABEL=O|SpaceAfter=No
4\t.\t_\tPUNCT\t_\t_\t2\t_\t_\tLABEL=O

"""
OF_JSONL = {"zz1a": "lemma", "zz1c": "lemma", "zz2": "zzkey", "zz3": "names of documents", "zz4": "zzkey"}
OF_CONLLU = {
    **{"zz1a": "lemma", "zz3": "names of documents", "zz5": "comments", "zz6": "comments", "zz7": "lines of CoNLL-U"},
    **{"zz9": "feats", "zz10": "deprel", "zz11": "misc", "zz12": "deps", "zz13": "lines of CoNLL-U", "ZZ8": "xpos"},
}
AS_COLUMNS = "-DOCSTART-\n\n# zz6\nAnna\tzz1a\tB-PER\nsings\tzz1b\tO\n\n"
NAMED = ["--from", "columns", "--columns", "form,lemma,ner", "--comment", "#"]
WHOLE: dict[str, tuple[str, dict[str, str], list[str]]] = {  # content, its words and the note on each, options
    "a.jsonl": (JSONL, OF_JSONL, []),
    "a.conllu": (CONLLU, OF_CONLLU, []),
    "a.tsv": (AS_COLUMNS, {"zz1a": "lemma", "zz6": "comments"}, NAMED),
}
TO_TEXT = [*(name for name in FORMATS if name not in (*BYTES, *ONLY_READ)), *WRITTEN]


@pytest.mark.parametrize(("source", "to"), [*product(WHOLE, TO_TEXT)])
def test_everything_is_written_or_named(source: str, to: str, tmp_path: Path) -> None:
    text, words, options = WHOLE[source]
    (tmp_path / source).write_text(text)
    told = succeed("convert", tmp_path / source, tmp_path / "b.ann", *options, "--to", to, "-q").err
    out = "".join(path.read_text() for path in tmp_path.glob("b.*"))
    lost = {word: note for word, note in words.items() if word not in out}
    assert {word: note for word, note in lost.items() if note not in told} == {}, told
    assert not [word for word in words if word in out and words[word] in told and words[word] not in lost.values()]


# --- other tools ---

LABELLED = [
    {"tokens": ["Ada", "Byron", "sat", "down"], "labels": ["B-PER", "I-PER", "O", "O"]},
    {"tokens": ["Rome", "fell", "to", "Caesar"], "labels": ["B-LOC", "O", "O", "B-PER"]},
]
ROUTES = [*product(["conllu", "columns", "jsonl", "parquet"], WRITTEN), ("conllu", "columns"), ("columns", "conllu")]


def words_and_labels(path: Path) -> list[tuple[str, str]]:
    records = map(json.loads, succeed("convert", path, "-", "--to", "jsonl", "-q").out.splitlines())
    return [pair for r in records for pair in zip(r["tokens"], r["labels"], strict=True)]


@pytest.mark.parametrize(("first", "second"), ROUTES)
def test_labels_survive_the_way_through_two_formats(first: str, second: str, tmp_path: Path) -> None:
    start, a, b = tmp_path / "start.jsonl", tmp_path / "a.data", tmp_path / "b.ann"
    start.write_text("".join(json.dumps(record) + "\n" for record in LABELLED))
    succeed("convert", start, a, "--to", first, "-q")
    succeed("convert", a, b, "--from", first, "--to", second, "--label", "label", "-q")
    back = tmp_path / "back.jsonl"
    succeed("convert", b, back, "--from", second, "--to", "jsonl", "-q")
    pairs = [(w, y) for record in LABELLED for w, y in zip(record["tokens"], record["labels"], strict=True)]
    assert words_and_labels(back) == pairs


def test_a_file_of_every_tool_of_records_is_among_the_samples() -> None:
    titles = set()
    for record in RECORDS.values():
        recognised = recognise_bytes(json.dumps(record).encode(), "a.jsonl")
        assert recognised is not None
        titles.add(recognised.title)
    assert len(titles) > 5 and set(WRITTEN) <= set(READ)


@pytest.mark.parametrize("tool", WRITTEN)
def test_a_file_of_a_tool_that_is_cut_is_refused_with_its_place(tool: str, tmp_path: Path) -> None:
    start, made = tmp_path / "start.jsonl", tmp_path / ("made.ann" if tool == "brat" else "made.json")
    start.write_text("".join(json.dumps(record) + "\n" for record in LABELLED))
    succeed("convert", start, made, "--to", tool, "-q")
    made.write_bytes(made.read_bytes()[:-9])
    before = made.read_bytes()
    refused = run("convert", made, tmp_path / "out.txt", "--from", tool)
    if tool != "brat":  # of whose lines each is whole by itself
        assert refused.status == 2 and str(made) in refused.err
        assert not (tmp_path / "out.txt").exists()
    assert made.read_bytes() == before and "Traceback" not in refused.err


# --- a new format is one row in the table ---


def test_a_new_format_is_one_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_words(source: Any, columns: Any = None) -> Iterator[Sentence]:
        for number, line in enumerate(Path(source).read_text().splitlines(), 1):
            yield Sentence({"form": line.split()}, str(source), number)

    def write_words(sentences: Any, target: Any) -> None:
        rows = (" ".join(map("/".join, zip(s.tokens, s.columns["label"], strict=True))) for s in sentences)
        Path(target).write_text("".join(f"{row}\n" for row in rows))

    made = type(FORMATS["jsonl"])("words", read_words, write_words, lambda s, name, values: s, endings=(".words",))
    monkeypatch.setitem(FORMATS, "words", made)
    (tmp_path / "a.words").write_text("the dog\ndog\n")
    assert detect_format(tmp_path / "a.words") == "words"
    assert [s.tokens for s in read(tmp_path / "a.words")] == [["the", "dog"], ["dog"]]
    assert succeed("convert", tmp_path / "a.words", "-", "--to", "columns").out == "the\ndog\n\ndog\n\n"
    (tmp_path / "b.txt").write_text("the DT\ndog NN\n\n")
    succeed("convert", tmp_path / "b.txt", tmp_path / "b.words")
    assert (tmp_path / "b.words").read_text() == "the/DT dog/NN\n"
