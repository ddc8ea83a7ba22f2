"""Canaries: which version answers, what is counted, how labels are compared, and how a canary ends."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from asked import JSON, LINES, LOOP, Asked, chunk_tagger, held, model_paths
from perceptag import Tagger
from perceptag.cli.serve import model_files
from perceptag.client import Client, ServerError
from perceptag.errors import SettingError
from perceptag.labels.schemes import spans
from perceptag.server.access import Person
from perceptag.server.canary import MOST_PAIRS, Canaries, VersionComparison, _status_of, model_named_in, percent_of
from perceptag.server.limits import Limits
from perceptag.server.problems import HttpProblem
from perceptag.server.request_body import Asked as RequestedText
from perceptag.server.routes import read_body
from perceptag.server.runners import ThreadRunner
from perceptag.server.served import ModelTable, ServedModels
from perceptag.server.text_jobs import TextJob, answer_job
from pipelines import corpus, pos_tagger, whole
from running import Running, running
from waiting import wait_until
from worker_processes import zygotes

SENTENCES = [sentence.tokens for sentence in corpus("dev", "form")][:60]
IDS = [f"request-{i}" for i in range(40)]


@cache
def canary_tagger() -> Tagger:
    """Another version of `pos_tagger`, which labels some words differently."""
    return Tagger("collins-pos", epochs=1, labels_column="pos", templates=("form[0]",)).fit(
        corpus("train", "form", "pos")[:40]
    )


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """The file of a model, and that of its canary."""
    shutil.copy(model_paths()["pos"], tmp_path / "old.model")
    canary_tagger().save(tmp_path / "new.model")
    return {"old": str(tmp_path / "old.model"), "new": str(tmp_path / "new.model")}


@pytest.fixture
def server(files: dict[str, str]) -> Asked:
    made = Asked({"other": model_paths()["chunks"]})
    made.service.table = ModelTable(
        {"pos": files["old"], "other": model_paths()["chunks"]}, canaries={"pos": files["new"]}
    )
    made.service.canaries.shares = {"pos": 50.0}
    made.service.canaries.compared = 0.0
    return made


def tag(server: Asked, request: str, **body: Any) -> Any:
    given = json.dumps({"sentences": SENTENCES[:2], **body}).encode()
    return server("POST", "/v1/tag", given, {"x-request-id": request})


def digests(server: Asked) -> dict[str, str]:
    table = server.service.table
    return {"stable": table.find("pos").digest, "canary": table.canaries["pos"].digest}


def metric(server: Asked, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", server("GET", "/metrics").body.decode(), re.MULTILINE)
    return float(found[1]) if found else 0.0


# --- which version answers ---


def test_the_same_request_gets_the_same_version(server: Asked) -> None:
    known, labels = digests(server), {
        "stable": pos_tagger().predict(SENTENCES[:2]),
        "canary": canary_tagger().predict(SENTENCES[:2]),
    }  # fmt: skip
    assert labels["stable"] != labels["canary"]
    seen = Counter()
    for request in IDS:
        for _ in range(2):
            reply = tag(server, request)
            version = reply.headers["x-model-version"]
            assert version == ("canary" if percent_of("answer", "pos", request) < 50 else "stable")
            assert reply.headers["perceptag-model"] == reply.json()["model"]["digest"] == known[version]
            assert [one["labels"] for one in reply.json()["sentences"]] == labels[version]
        seen[version] += 2
    assert min(seen.values()) > 20
    for version, number in seen.items():
        assert (
            metric(server, f'perceptag_version_requests_total{{model="pos",version="{version}",status="200"}}')
            == number
        )
        assert metric(server, f'perceptag_version_seconds_count{{model="pos",version="{version}"}}') == number
        assert f'perceptag_model_info{{model="pos",version="{version}",digest="{known[version]}"}} 1' in (
            server("GET", "/metrics").body.decode()
        )
    assert tag(server, IDS[0], model="other").headers["x-model-version"] == "stable"
    assert server("GET", "/metrics").body.count(b'perceptag_version_requests_total{model="other"') == 0


def test_shares_are_kept_and_independent_of_each_other() -> None:
    drawn = [percent_of("answer", "m", str(i)) for i in range(4000)]
    assert all(0 <= one < 100 for one in drawn)
    assert abs(sum(one < 5 for one in drawn) - 200) < 60 and abs(sum(one < 50 for one in drawn) - 2000) < 130
    other = [percent_of("compare", "m", str(i)) for i in range(4000)]
    assert abs(sum(a < 50 and b < 50 for a, b in zip(drawn, other, strict=True)) - 1000) < 120


def test_files_and_streams_have_one_version(server: Asked) -> None:
    known = digests(server)
    for request in IDS[:8]:
        version = "canary" if percent_of("answer", "pos", request) < 50 else "stable"
        file = server("POST", "/v1/tag", b"The\ndog\n", {"x-request-id": request}, "text/plain; format=columns")
        stream = server("POST", "/v1/tag", [b'["The", "dog"]\n' * 600] * 2, {"x-request-id": request}, LINES)
        for reply in (file, stream):
            assert (reply.headers["x-model-version"], reply.headers["perceptag-model"]) == (version, known[version])
        assert len(stream.lines()) == 1200 and "error" not in stream.lines()[-1]
    told = server("GET", "/v1/models/pos/canary").json()["requests"]
    assert sum(of["200"] for of in told.values()) == 8 * (1 + 2)  # a file, and two batches of a stream


def test_errors_are_counted_by_version(server: Asked) -> None:
    for request in IDS[:6]:
        assert tag(server, request, n=1000).status == 422
        assert tag(server, request, model="other", n=1000).status == 422
    canaries = sum(percent_of("answer", "pos", request) < 50 for request in IDS[:6])
    name = 'perceptag_version_requests_total{{model="pos",version="{}",status="422"}}'
    assert [metric(server, name.format(one)) for one in ("canary", "stable")] == [canaries, 6 - canaries]


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (b'{"model": "a", "text": "x"}', "a"),
        (b'{"text": "\\"model\\": \\"b\\"", "model" : "\\u00fc"}', "ü"),
        (b'{"text": "x"}', ""),
        (b'{"model": "\\ud800x"', ""),
        (b'{"model": 7}', ""),
        (b'"model":"' + b"x" * 1000 + b'"', ""),
    ],
)
def test_the_model_of_a_request_that_failed(body: bytes, name: str) -> None:
    found = model_named_in(TextJob("tag", body))
    assert found == name or (name == "" and not found.isascii())
    assert model_named_in(TextJob("file", body, {"parameters": {"model": "p"}})) == "p"


# --- differences ---


def compared(stable: Tagger, canary: Tagger, tmp_path: Path, body: dict[str, Any]) -> dict[str, Any]:
    for name, model in (("old", stable), ("new", canary)):
        model.save(tmp_path / f"{name}.model")
    table = ModelTable({"m": str(tmp_path / "old.model")}, canaries={"m": str(tmp_path / "new.model")})
    job = TextJob("compare", json.dumps(body).encode(), {"of": "tag", "options": {}})
    found: dict[str, Any] = json.loads(answer_job(job, ServedModels(table, Limits())).body)
    return found


def test_tokens_that_differ_are_those_that_two_predictions_show(tmp_path: Path) -> None:
    old, new = pos_tagger().predict(SENTENCES), canary_tagger().predict(SENTENCES)
    pairs = Counter((a, b) for x, y in zip(old, new, strict=True) for a, b in zip(x, y, strict=True) if a != b)
    found = compared(pos_tagger(), canary_tagger(), tmp_path, {"sentences": SENTENCES})
    assert found["pairs"] == [[*pair, n] for pair, n in sorted(pairs.items())] and len(pairs) > 5
    assert found["compared"] == sum(map(len, SENTENCES))


def test_entities_that_differ_are_those_that_two_predictions_show(tmp_path: Path) -> None:
    other = Tagger("basic-ner", epochs=1, labels_column="chunk", templates=("form[0]", "bias * y-1 y0"))
    other.fit(corpus("train", "form", "chunk")[:40])
    expected: Counter[tuple[str, str]] = Counter()
    number = 0
    for labels in zip(chunk_tagger().predict(SENTENCES), other.predict(SENTENCES), strict=True):
        old, new = ({(span.start, span.end): span.label for span in spans(own)} for own in labels)
        number += len(old.keys() | new.keys())
        for place in old.keys() | new.keys():
            if old.get(place) != new.get(place):
                expected[old.get(place, "none"), new.get(place, "none")] += 1
    found = compared(chunk_tagger(), other, tmp_path, {"sentences": SENTENCES})
    assert found["compared"] == number and ("NP", "none") in expected
    assert {(a, b): n for a, b, n in found["pairs"]} == expected


def test_text_is_compared_by_places_and_versions_that_agree_have_no_pairs(tmp_path: Path) -> None:
    found = compared(whole(), whole(), tmp_path, {"text": "Peter sleeps. The dog barks."})
    assert found["pairs"] == []
    table = ModelTable({"m": str(tmp_path / "old.model")}, canaries={"m": str(tmp_path / "new.model")})
    assert not table.canaries  # a canary that equals its model is none


def test_labels_that_may_be_text_are_not_told(server: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    table = server.service.table
    for served in (table.find("pos"), table.canaries["pos"]):
        monkeypatch.setitem(served.about["layers"][0], "labels", ["NN"])
    job = TextJob("compare", json.dumps({"sentences": SENTENCES}).encode(), {"of": "tag", "options": {}})
    pairs = json.loads(answer_job(job, ServedModels(table, Limits())).body)["pairs"]
    assert {label for a, b, _ in pairs for label in (a, b)} == {"NN", "other"}


def test_differences_are_counted_after_replies_and_told_without_text(server: Asked) -> None:
    server.service.canaries.compared = 100.0
    body = json.dumps({"sentences": SENTENCES}).encode()
    old, new = pos_tagger().predict(SENTENCES), canary_tagger().predict(SENTENCES)
    different = sum(a != b for x, y in zip(old, new, strict=True) for a, b in zip(x, y, strict=True))
    lines = b"".join(json.dumps(sentence).encode() + b"\n" for sentence in SENTENCES)
    for turn, (data, kind) in enumerate(((body, JSON), (lines, LINES)), 1):
        assert server("POST", "/v1/tag", data, kind=kind).status == 200
        LOOP.run_until_complete(server.service.canaries._task)  # type: ignore[arg-type]
        about = server("GET", "/v1/models/pos/canary").json()
        assert about["compared"]["requests"] == turn and about["compared"]["different"] == turn
        assert sum(one["count"] for one in about["compared"]["differences"]) == turn * different
        assert about["compared"]["labels"] == {"pos": turn * sum(map(len, SENTENCES))}
    assert (about["share"], about["stable"], about["canary"]) == (50.0, *digests(server).values())
    assert sum(n for of in about["requests"].values() for n in of.values()) >= 2
    assert metric(server, 'perceptag_comparisons_total{model="pos",result="different"}') == 2
    told = about["compared"]["differences"][0]
    labels = f'model="pos",layer="pos",stable="{told["stable"]}",canary="{told["canary"]}"'
    assert metric(server, f"perceptag_label_differences_total{{{labels}}}") == told["count"]
    assert metric(server, 'perceptag_compared_labels_total{model="pos",layer="pos"}') == 2 * sum(map(len, SENTENCES))


def test_nothing_is_compared_while_jobs_wait_or_if_it_is_not_sampled(
    server: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tag(server, "one").status == 200
    assert not server.service.canaries.results
    server.service.canaries.compared = 100.0
    monkeypatch.setattr(ThreadRunner, "waiting", lambda self: 1)
    assert tag(server, "one").status == 200
    assert metric(server, 'perceptag_comparisons_total{model="pos",result="skipped"}') == 1


def test_a_comparison_that_fails_is_counted_and_delays_nothing(server: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr("perceptag.server.text_jobs.version_differences", broken)
    server.service.canaries.compared = 100.0
    assert tag(server, "one").status == 200
    if task := server.service.canaries._task:  # it may have ended already
        LOOP.run_until_complete(task)
    assert metric(server, 'perceptag_comparisons_total{model="pos",result="failed"}') == 1
    assert server.service.canaries._task is None


def test_a_request_that_took_long_is_not_compared(server: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two versions tag in a comparison: a text that takes most of `work_seconds` would cost a worker."""
    canaries, server.service.limits = server.service.canaries, Limits(work_seconds=0.3)
    canaries.compared, plain, done = 100.0, ThreadRunner.run, []

    async def slow(runner: ThreadRunner, job: TextJob, *given: Any) -> Any:
        done.append(job.kind)
        await asyncio.sleep(0.2)
        return await plain(runner, job, *given)

    monkeypatch.setattr(ThreadRunner, "run", slow)
    assert tag(server, "one").status == 200
    assert canaries._task is None and done == ["tag"]
    assert canaries.results == {("pos", "skipped"): 1}


@pytest.mark.parametrize("versions", [("documents", "pos"), ("pos", "documents")])
@pytest.mark.parametrize("share", [0.0, 100.0])
def test_lines_of_documents_are_compared_once(
    versions: tuple[str, str], share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lines of a document that has not ended come again with the next batch of a stream."""
    server, (stable, canary) = Asked({}), versions
    server.service.table = ModelTable({"m": model_paths()[stable]}, canaries={"m": model_paths()[canary]})
    canaries, plain = server.service.canaries, Canaries._compare_sometimes
    canaries.shares, canaries.compared = {"m": share}, 100.0
    tasks: list[Any] = []
    compared: list[list[str]] = []

    def each(self: Canaries, *given: Any) -> None:
        self._task = None  # a comparison that still runs is not in the way of the next one
        plain(self, *given)
        tasks.extend([self._task] if self._task is not None else [])

    def noted(stable: RequestedText, canary: RequestedText) -> dict[str, Any]:
        words = [[sentence.tokens[0] for sentence in asked.sentences] for asked in (stable, canary)]
        assert words[0] == words[1]
        compared.append(words[0])
        return {"model": "m", "stable": "", "canary": "", "layer": "", "compared": 0, "pairs": []}

    monkeypatch.setattr(Canaries, "_compare_sometimes", each)
    monkeypatch.setattr("perceptag.server.text_jobs.version_differences", noted)
    lines = [json.dumps({"tokens": [str(i)], "document": str(i // 1500)}).encode() + b"\n" for i in range(3200)]
    reply = server("POST", "/v1/tag", lines, kind=LINES)
    assert [line["tokens"] for line in reply.lines()] == [[str(i)] for i in range(3200)]
    LOOP.run_until_complete(asyncio.gather(*tasks))
    words = [word for batch in compared for word in batch]
    assert Counter(words) == Counter(str(i) for i in range(3200))
    assert [] not in compared  # nothing is compared while a document only grows


def test_a_comparison_of_versions_that_were_replaced_is_dropped(server: Asked) -> None:
    canaries, job = server.service.canaries, TextJob("tag", json.dumps({"sentences": SENTENCES}).encode())
    LOOP.run_until_complete(canaries._compare(job, "pos"))
    pairs = dict(canaries.comparisons["pos"].pairs)
    server.service.table.withdraw("pos")
    LOOP.run_until_complete(canaries._compare(job, "pos"))
    assert canaries.results == {("pos", "different"): 1, ("pos", "skipped"): 1}
    assert canaries.comparisons["pos"].pairs == pairs and pairs


def test_the_counts_begin_again_with_a_new_version(server: Asked, files: dict[str, str]) -> None:
    server.service.canaries.shares = {"pos": 100.0}
    assert tag(server, "one", n=1000).status == 422
    assert server("GET", "/v1/models/pos/canary").json()["requests"]["canary"] == {"422": 1}
    Tagger("collins-pos", epochs=1, labels_column="pos").fit(corpus("train", "form", "pos")[:30]).save(files["new"])
    assert server("POST", "/v1/models/pos/reload", b"{}").status == 200
    assert tag(server, "one").status == 200
    assert server("GET", "/v1/models/pos/canary").json()["requests"] == {"stable": {}, "canary": {"200": 1}}
    assert metric(server, 'perceptag_version_requests_total{model="pos",version="canary",status="422"}') == 1


def test_the_number_of_pairs_is_bounded() -> None:
    known = VersionComparison("a", "b")
    known.add({"layer": "x", "compared": 9, "pairs": [[f"{i}", "y", 2] for i in range(MOST_PAIRS + 5)]})
    assert len(known.pairs) == MOST_PAIRS + 1 and known.pairs["x", "other", "other"] == 10


# --- how a canary ends ---


def test_a_canary_is_promoted(server: Asked, files: dict[str, str]) -> None:
    known = digests(server)
    assert server.post("/v1/models/pos/canary", do="promote").json() == {"from": known["stable"], "to": known["canary"]}
    assert {tag(server, request).headers["perceptag-model"] for request in IDS} == {known["canary"]}
    assert {tag(server, request).headers["x-model-version"] for request in IDS[:9]} == {"stable"}
    assert server("GET", "/v1/models/pos/canary").status == 404
    pos_tagger().save(files["new"])  # its file is now that of the model
    assert server("POST", "/v1/models/pos/reload", b"{}").json()["to"] == known["stable"]


def test_a_canary_is_withdrawn_until_its_file_changes(server: Asked, files: dict[str, str]) -> None:
    known = digests(server)
    assert server.post("/v1/models/pos/canary", do="withdraw").json() == {
        "from": known["stable"],
        "to": known["stable"],
    }
    for _ in range(2):
        assert {tag(server, request).headers["perceptag-model"] for request in IDS[:20]} == {known["stable"]}
        assert server.post("/v1/models/pos/canary", do="withdraw").status == 404
        assert server("POST", "/v1/models/pos/reload", b"{}").status == 200
    Tagger("collins-pos", epochs=1, labels_column="pos").fit(corpus("train", "form", "pos")[:30]).save(files["new"])
    assert server("POST", "/v1/models/pos/reload", b"{}").status == 200
    assert digests(server)["canary"] != known["canary"]
    assert {tag(server, request).headers["x-model-version"] for request in IDS} == {"stable", "canary"}


def test_a_share_is_changed(server: Asked) -> None:
    for share, versions in ((100, {"canary"}), (0, {"stable"})):
        assert server.post("/v1/models/pos/canary", share=share).json()["share"] == share
        assert {tag(server, request).headers["x-model-version"] for request in IDS[:9]} == versions
        assert metric(server, 'perceptag_canary_share{model="pos"}') == share


def test_a_canary_that_ends_while_its_share_is_sent(server: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    async def late(*given: Any) -> bytes:
        server.service.table.withdraw("pos")
        return await read_body(*given)

    monkeypatch.setattr("perceptag.server.routes.read_body", late)
    assert server.post("/v1/models/pos/canary", share=5).status == 404


@pytest.mark.parametrize("body", [{}, {"do": "promote", "share": 5}, {"do": "end"}, {"share": 101}, {"share": True}])
def test_a_change_that_is_not_one_is_refused(server: Asked, body: dict[str, Any]) -> None:
    assert server.post("/v1/models/pos/canary", **body).status == 422
    assert server.service.canaries.shares == {"pos": 50.0} and "pos" in server.service.table.canaries


def test_only_admins_see_and_change_canaries(files: dict[str, str]) -> None:
    people = {"r" * 40: Person("reader", "read"), "a" * 40: Person("admin", "admin")}
    server = Asked({"pos": files["old"]}, holders=held(people))
    server.service.table = ModelTable({"pos": files["old"]}, canaries={"pos": files["new"]})
    for token, status in (("r", 403), ("a", 200)):
        head = {"authorization": f"Bearer {token * 40}"}
        assert server("GET", "/v1/models/pos/canary", headers=head).status == status
        assert server("POST", "/v1/models/pos/canary", b'{"do": "withdraw"}', head).status == status


def test_a_reload_promotes_or_ends_a_canary_by_its_files(server: Asked, files: dict[str, str]) -> None:
    known, whole_file = digests(server), Path(files["new"]).read_bytes()
    Path(files["new"]).write_bytes(whole_file[:-10])
    reply = server("POST", "/v1/models/pos/reload", b"{}")
    assert reply.status == 409 and files["new"] not in reply.body.decode()
    assert digests(server) == known  # both stay
    Path(files["new"]).unlink()
    assert server("POST", "/v1/models/pos/reload", b"{}").json() == {"from": known["stable"], "to": known["stable"]}
    assert not server.service.table.canaries
    Path(files["new"]).write_bytes(whole_file)
    assert server("POST", "/v1/models/pos/reload", b"{}").status == 200 and digests(server) == known
    shutil.copy(files["new"], files["old"])
    assert server("POST", "/v1/models/pos/reload", b"{}").json()["to"] == known["canary"]
    assert not server.service.table.canaries


# --- the command line ---


def test_words_of_the_command_line(tmp_path: Path) -> None:
    old, new = tmp_path / "old.model", tmp_path / "new@1.model"
    for path in (old, new):
        path.write_bytes(b"")
    found = model_files([f"m={old}", f"m={new}@2.5%", f"other={new}"])
    assert (found.models, found.canaries) == ({"m": str(old), "other": str(new)}, {"m": str(new)})
    assert found.shares == {"m": 2.5} and found.told() == "m (new version: 2.5%), other"
    for words, message in (
        ([f"m={old}", f"m={new}@0%"], "expected a share such as @5%, above 0 and up to 100; found @0%"),
        ([f"m={old}", f"m={new}@x%"], "expected a share such as @5%, above 0 and up to 100; found @x%"),
        ([f"n={old}", f"m={new}@5%"], "expected --model m=FILE, the version before, too"),
        ([f"m={old}", f"m={new}@5%", f"m={new}@6%"], "expected different names, found 'm' twice"),
        ([f"m={old}", f"m={new}no@5%"], "expected the file of a model, found none"),
    ):
        with pytest.raises(SettingError, match=re.escape(message)):
            model_files(words)


# --- with workers ---


def ask(server: Running, request: str) -> tuple[str, str]:
    connection = server.connect()
    body = json.dumps({"sentences": SENTENCES[:5]})
    head = {"Content-Type": "application/json", "X-Request-ID": request}
    connection.request("POST", "/v1/tag", body, head)
    reply = connection.getresponse()
    reply.read()
    assert reply.status == 200
    found = reply.headers["X-Model-Version"], reply.headers["Perceptag-Model"]
    connection.close()
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes in /proc")
def test_a_broken_canary_does_not_keep_models_from_being_loaded_again(files: dict[str, str]) -> None:
    with running({"pos": files["old"]}, "--model", f"pos={files['new']}@100%", "--workers", "1") as server:
        assert ask(server, IDS[0])[0] == "canary"
        good = Path(files["new"]).read_bytes()
        Path(files["new"]).write_bytes(good[:5000])  # a copy that has not ended
        (old,) = zygotes(server)
        os.kill(old, signal.SIGKILL)
        wait_until(lambda: ask(server, IDS[0])[0] == "stable")  # the worker of before answers until then
        Path(files["new"]).write_bytes(good)
        assert server.ask("POST", "/v1/models/pos/reload", {})[0] == 200
        assert ask(server, IDS[0])[0] == "canary"
        with Client(server.address) as client:
            told = client.withdraw("pos")
        assert told["from"] == told["to"] and ask(server, IDS[0]) == ("stable", told["to"])
        assert server.stop() == 0
        assert server.process.stderr is not None
        said = [json.loads(line) for line in server.process.stderr if '"event": "canary"' in line]
        assert (said[0]["model"], said[1]["do"]) == ("pos", "withdraw")
        assert said[0]["error"] == "left out: the file is damaged: its SHA-256 is not the one that it contains"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes in /proc")
def test_workers_answer_compare_and_promote(files: dict[str, str]) -> None:
    options = ("--model", f"pos={files['new']}@50%", "--compare", "100", "--workers", "2")
    with running({"pos": files["old"]}, *options) as server:
        seen = {ask(server, request) for request in IDS[:12]}
        assert {version for version, _ in seen} == {"stable", "canary"} and len(seen) == 2
        assert all(
            (ask(server, request)[0] == "canary") == (percent_of("answer", "pos", request) < 50) for request in IDS[:4]
        )

        client = Client(server.address, model="pos")
        wait_until(lambda: client.comparisons("pos")["requests"] > 0)
        assert client.canary("pos")["compared"]["differences"][0]["count"] > 0
        assert client.share("pos", 20)["share"] == client.canary("pos")["share"] == 20.0
        digest = dict(seen)["canary"]
        assert client.promote("pos") == {"from": dict(seen)["stable"], "to": digest}
        with pytest.raises(ServerError, match="404: canary: model 'pos' has none now"):
            client.canary("pos")
        client.close()
        assert {ask(server, request) for request in IDS[:4]} == {("stable", digest)}
        wait_until(lambda: len(zygotes(server)) == 1)
        (old,) = zygotes(server)
        os.kill(old, signal.SIGKILL)
        wait_until(lambda: len(zygotes(server)) == 1 and zygotes(server) != [old])
        wait_until(lambda: server.ask("GET", "/readyz")[0] == 200)
        assert ask(server, IDS[0]) == ("stable", digest)  # also in a new process
        assert server.stop() == 0
        assert server.process.stderr is not None
        log = server.process.stderr.read()
        words = {word for sentence in SENTENCES[:5] for word in sentence if len(word) > 5 and word.isalpha()}
        assert words and not any(word in log for word in words)
        assert '"event": "canary", "model": "pos", "do": "promote"' in log


@pytest.mark.parametrize(
    ("error", "status"),
    [(MemoryError(), 503), (SettingError("no"), 422), (HttpProblem(413, "long"), 413), (ValueError("a bug"), 500)],
)
def test_an_error_counts_with_the_status_that_its_reply_has(error: Exception, status: int) -> None:
    assert _status_of(error) == status
