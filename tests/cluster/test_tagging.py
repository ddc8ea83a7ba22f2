"""Many files tagged in parts: byte for byte what each alone becomes."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cut_files import files
from perceptag.cli.options import ColumnOptions
from perceptag.cluster.tagging import tag_files
from perceptag.errors import PerceptagError
from shuffling_engine import ShufflingEngine
from tagged_folders import SENTENCES, WORDS, alone

JSON = "".join(json.dumps({"tokens": words, "id": i}) + "\n" for i, words in enumerate(SENTENCES[:14]))
FILES = {
    "plain.txt": WORDS,
    "windows.txt": WORDS.replace("\n", "\r\n"),
    "no-end.txt": WORDS.rstrip("\n"),
    "blank-lines.txt": "\n\n" + WORDS.replace("\n\n", "\n\n\n \t\n") + "\n\n",
    "marked.txt": "-DOCSTART-\n\n".join("\n".join(words) + "\n\n" for words in SENTENCES[:14]),
    "comments.txt": "# one two\n\n" + WORDS.replace("\n\n", "\n\n# one two\n\n# a b\n"),
    "empty.txt": "",
    "one.txt": "word\n" * 300,
    "text.txt": "\n\n".join(" ".join(words) for words in SENTENCES[:14]),
    "x.jsonl": JSON,
    "documents.jsonl": "".join(
        json.dumps({"tokens": words, "document": f"d{i // 3}"}) + "\n" for i, words in enumerate(SENTENCES[:14])
    ),
    "some.jsonl": JSON.replace('"id": 1', '"document": "a", "id": 1'),
    "x.conllu": "".join(
        "# sent_id = 1\n" + "".join(f"{i}\t{w}" + "\t_" * 8 + "\n" for i, w in enumerate(words, 1)) + "\n"
        for words in SENTENCES[:14]
    ),
}


def in_parts(model, path, folder, size, engine=None, **options):
    try:
        tag_files(str(model), [str(path)], str(folder), on=engine or ShufflingEngine(size), part_bytes=size, **options)
    except PerceptagError as error:
        return str(error)
    to = options.get("to")
    endings = {"jsonl": ".jsonl", "conllu": ".conllu", "parquet": ".parquet", "columns": ".txt", "inline": ".txt"}
    name = path.stem + (endings[to] if to else path.suffix)
    assert sorted(p.name for p in folder.iterdir()) == sorted(["_SUCCESS.json", "_parts.jsonl", name])
    return (folder / name).read_bytes()


CASES = [
    *(
        (name, "pos", {"label": "xpos"} if name.endswith("conllu") else {})
        for name in FILES
        if name not in ("comments.txt", "text.txt")
    ),
    (
        "comments.txt",
        "pos",
        {"format": ColumnOptions(comment="#").format},
    ),
    *((name, "documents", {}) for name in ("plain.txt", "marked.txt", "documents.jsonl", "some.jsonl")),
    ("plain.txt", "pipeline", {}),
    ("x.conllu", "pipeline", {}),
    ("plain.txt", "pos", {"confidence": True}),
    ("x.jsonl", "pos", {"nbest": 2}),
    ("blank-lines.txt", "pos", {"nbest": 2}),
    ("plain.txt", "pos", {"to": "jsonl"}),
    ("plain.txt", "pos", {"to": "parquet"}),
    ("marked.txt", "pos", {"to": "jsonl"}),
    ("some.jsonl", "pos", {"to": "columns"}),
    ("x.jsonl", "pos", {"to": "conllu", "label": "xpos"}),
    ("text.txt", "whole", {}),
    ("text.txt", "whole", {"to": "inline"}),
    ("text.txt", "whole", {"to": "jsonl"}),
]


@pytest.mark.parametrize(("name", "model", "options"), CASES)
def test_a_file_becomes_what_it_becomes_alone(name, model, options, models, tmp_path):
    path = tmp_path / name
    path.write_bytes(FILES[name].encode())
    expected = alone(models / model, path, tmp_path / f"alone-{name}", **options)
    assert isinstance(expected, bytes)
    for size in (150, 500):
        assert in_parts(models / model, path, tmp_path / f"out{size}", size, **options) == expected


@given(files(), st.integers(1, 40))
@settings(max_examples=25, deadline=None)
def test_any_file_becomes_what_it_becomes_alone(models, tmp_path_factory, file, size):
    folder = tmp_path_factory.mktemp("any")
    path = folder / f"x.{file[0]}"
    path.write_bytes(file[1])
    options = {"replace": True, "label": "xpos" if file[0] == "conllu" else ""}
    expected = alone(models / "pos", path, folder / f"alone.{file[0]}", **options)
    found = in_parts(models / "pos", path, folder / "out", size, "threads", **options)
    assert found == expected or (isinstance(expected, str) and isinstance(found, str))


TEXTS = st.lists(
    st.sampled_from(
        ["Angela Merkel didn't visit Harwick.", "She stayed.", "", "", " ", "\u2003x", "\x0c", "\ufeffy", "é"]
    ),
    max_size=30,
)


@given(TEXTS, st.sampled_from(["\n", "\r\n", "\r"]), st.integers(1, 60))
@settings(max_examples=25, deadline=None)
def test_running_text_becomes_what_it_becomes_alone(models, tmp_path_factory, lines, end, size):
    folder = tmp_path_factory.mktemp("text")
    path = folder / "x.txt"
    path.write_bytes((end.join(lines) + end).encode())
    expected = alone(models / "whole", path, folder / "alone.txt")
    assert in_parts(models / "whole", path, folder / "out", size, "threads") == expected
