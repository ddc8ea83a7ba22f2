"""A stream is answered as it comes: each text, sentence or paragraph while standard input is still open."""

from __future__ import annotations

import json
import select
import subprocess
import sys

import pytest

WAYS = {
    "texts": (['{"text": "Anna left."}', '{"text": "Bob ran."}'], ["--format", "jsonl"]),
    "texts without a format": (['{"text": "Anna left. She ran."}', '{"text": "Bob ran."}'], []),
    "texts under a name": (['{"msg": "Anna left.", "tags": ["a", "b"]}', '{"msg": "Bob ran."}'], ["--text", "msg"]),
    "tokens": (['["Anna", "left"]', '["Bob", "ran"]'], []),
    "paragraphs": (["Anna left.\n", "Bob ran.\n"], ["--to", "inline"]),
    "texts in CoNLL-U": (['{"text": "Anna left.She ran."}', '{"text": "Bob ran."}'], ["--to", "conllu"]),
}


@pytest.mark.skipif(sys.platform == "win32", reason="select waits for sockets only")
@pytest.mark.parametrize("way", WAYS)
def test_a_stream_is_answered_as_it_comes(way: str) -> None:
    lines, options = WAYS[way]
    command = [sys.executable, "-m", "perceptag", "tag", "-m", "en", "--layer", "xpos", "--batch", "1", "-q", *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as child:
        assert child.stdin and child.stdout
        child.stdin.write(f"{lines[0]}\n".encode())
        assert select.select([child.stdout], [], [], 120)[0], "no answer while standard input is open"
        first = child.stdout.readline().decode()
        child.stdin.write(f"{lines[1]}\n".encode())
        child.stdin.close()
        rest = child.stdout.read().decode()
    assert child.returncode == 0
    if first.startswith("{"):
        assert json.loads(first)["tokens"][0] == "Anna"
    else:
        assert first.startswith(("Anna/", "# newdoc"))
    assert "Bob" in rest and "Anna left" not in rest.replace("# text = Anna left.", "")
