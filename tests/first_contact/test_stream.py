"""A person pipes text that comes slowly into `perceptag tag`, and wants each paragraph answered when it is there."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import check, run, succeed

pytest.importorskip("perceptag_en")

PARAGRAPHS = [
    "Angela Merkel visited Paris.",
    "She met the mayor. Merkel left.",
    "It rained.",
    "London is large.",
    "The end.",
]


@pytest.mark.skipif(sys.platform == "win32", reason="select waits for sockets only")
def test_paragraphs_are_answered_as_they_come() -> None:
    words = [sys.executable, "-m", "perceptag", "tag", "-m", "en", "--batch", "1", "--to", "inline", "-q"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        for paragraph in PARAGRAPHS:
            process.stdin.write(f"{paragraph}\n\n".encode())
            process.stdin.flush()
            ready, _, _ = select.select([process.stdout], [], [], 120)
            assert ready, f"no answer to {paragraph!r}"
            answer = os.read(process.stdout.fileno(), 1 << 16).decode()
            assert answer.startswith(f"{paragraph.split()[0]}/")
        process.stdin.close()
        assert process.stdout.read() == b"" and process.wait() == 0


def test_documents_one_after_the_other_in_one_stream() -> None:
    stories = ["Lina Becker spoke. Becker left.", "Becker is a town."]
    alone = [succeed("tag", "-m", "en", "--to", "inline", stdin=story.encode()).out for story in stories]
    stream = "\n\f\n".join(stories).encode()
    assert succeed("tag", "-m", "en", "--to", "inline", stdin=stream).out == "".join(alone)
    marked = succeed("tag", "-m", "en", "--to", "conllu", stdin=stream).out
    assert marked.count("# newdoc") == 2


def test_a_column_file_by_mistake(tmp_path: Path) -> None:
    path = tmp_path / "news.txt"
    path.write_text("-DOCSTART- -X- O O\n\nEU NNP B-NP B-ORG\nrejects VBZ B-VP O\n")
    check(run("tag", "-m", "en", path), "news.txt: expected running text, found -DOCSTART-.*--format columns")
