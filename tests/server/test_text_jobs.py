"""Jobs that are done together get the replies that each would get alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from asked import model_paths
from perceptag.errors import PerceptagError
from perceptag.server import text_jobs
from perceptag.server.limits import Limits
from perceptag.server.problems import HttpProblem
from perceptag.server.served import ModelTable, ServedModels
from perceptag.server.text_jobs import TextJob, TextReply, answer_job, answer_jobs
from perceptag.server.worker_frames import jobs_in, pack_jobs, pack_replies, read, replies_in

BODIES: list[dict[str, Any]] = [
    {"sentences": [["The", "dog", "barks"], ["Peter"]]},
    {"sentences": [["A", "cat"]]},
    {"sentences": [["A", 7]]},
    {"sentences": []},
    {"sentences": [[]]},
    {"sentences": [["The", "dog"]], "want": ["nbest", "margin"], "n": 2},
    {"sentences": [["Its", "cat"], ["sleeps"]], "want": ["nbest", "margin"], "n": 2},
    {"sentences": [["The", "dog"]], "model": "text"},
    {"text": "The dog barks. It sleeps.", "model": "text"},
    {"text": "A cat.", "model": "text"},
    {"text": "A cat.", "model": "text", "want": ["layers"]},
    {"sentences": [["The", "dog"], ["The", "dog"]], "model": "documents"},
    {"sentences": [["Its", "dog"]], "model": "documents"},
    {"sentences": [["The", "dog"]], "given": [["NN", None]]},
    {"model": "none", "sentences": [["a"]]},
]


@pytest.fixture(scope="module")
def models() -> ServedModels:
    return ServedModels(ModelTable({name: model_paths()[name] for name in ("pos", "text", "documents")}), Limits())


def jobs() -> list[TextJob]:
    listed = [TextJob("tag", json.dumps(body).encode()) for body in BODIES]
    one = {"tokens": ["The", "dog"]}
    listed += [TextJob("explain", json.dumps(one).encode()), TextJob("order", json.dumps(one).encode())]
    listed += [TextJob("file", b"The\ndog\n", {"content_type": "text/plain; format=columns", "parameters": {}})]
    return [*listed, TextJob("lines", b'["The"]\n', {"parameters": {}, "first": 1, "is_last": True})]


def alone(job: TextJob, models: ServedModels) -> TextReply | str:
    try:
        return answer_job(job, models)
    except (HttpProblem, PerceptagError) as error:
        return str(error)


def test_jobs_together_are_answered_as_each_alone(models: ServedModels, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [alone(job, models) for job in jobs()]
    calls = []
    tag = text_jobs.tag_sentences
    monkeypatch.setattr(text_jobs, "tag_sentences", lambda *a: calls.append(len(a[0].sentences)) or tag(*a))
    found = answer_jobs(jobs(), models)
    assert [one.detail if isinstance(one, HttpProblem) else one for one in found] == expected
    assert sorted(calls) == [1, 3, 3]  # empty, of text, and with nbest; most that want labels only are tagged natively


def test_jobs_and_replies_come_through_a_pipe(models: ServedModels, tmp_path: Any) -> None:
    replies = answer_jobs(jobs(), models)
    (tmp_path / "frames").write_bytes(pack_jobs(jobs(), 3.5) + pack_replies(replies, 0.25))
    with (tmp_path / "frames").open("rb") as stream:
        sent, received = read(stream), read(stream)
        assert read(stream) is None
    assert sent and received and sent[0]["seconds"] == 3.5
    assert jobs_in(sent) == jobs()
    for before, after in zip(replies, replies_in(received), strict=True):
        if isinstance(before, HttpProblem):
            assert isinstance(after, HttpProblem)
            assert (after.to_dict(), after.headers) == (before.to_dict(), before.headers)
        else:
            assert after == before
