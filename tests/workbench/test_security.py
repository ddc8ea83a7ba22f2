"""Who may do what at every address of the workbench, and what is refused."""

from __future__ import annotations

from benches import TOKENS, Benched
from perceptag.workbench.events import EventStream
from serving import HOSTILE


def test_only_those_who_may_read_hear_events(bench: Benched) -> None:
    assert bench("GET", "/v1/project/events").status == 401
    assert EventStream(bench.bench.events, "x" * 100).number == 0


def test_hostile_strings_are_only_strings(bench: Benched) -> None:
    for n, text in enumerate(HOSTILE):
        bench.send("/sentences/1/comment", {"text": f"x{text}", "key": f"hostile-{n:04}"})
        assert bench.ask("GET", f"/sentences?q={n}").status == 200
    shown = [comment["text"] for comment in bench.get("/sentences/1/comments")["comments"]]
    assert shown == [f"x{text}".strip() for text in HOSTILE]
    rows = "\n".join(text.replace(" ", "_") for text in HOSTILE)
    bench.send("/import", {"name": "<b>.txt", "text": rows + "\n", "columns": ["form"]})
    assert bench.get("/sentences/9")["tokens"] == [text.replace(" ", "_") for text in HOSTILE]


def test_the_token_is_not_in_the_metrics(bench: Benched) -> None:
    bench.get("")
    headers = {"authorization": f"Bearer {TOKENS['anna']}"}
    text = bench("GET", "/metrics", headers=headers).body.decode()
    assert "/v1/project" in text
    assert all(token not in text for token in TOKENS.values())
