"""The alert rules ask for metrics, labels and values that the server has."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from asked import Asked, model_paths
from perceptag.server.run import make_server
from perceptag.server.worker_runner import WorkerRunner

ALERTS = (Path(__file__).resolve().parents[2] / "deploy" / "alerts.yml").read_text("utf-8")
OF_PROMETHEUS = {"up"}
LABELS_OF_PROMETHEUS = {"job", "instance", "le"}


def expressions() -> list[str]:
    return re.findall(r"^ *expr: (.*)$", ALERTS, re.MULTILINE)


@pytest.fixture(scope="module")
def metrics() -> dict[str, dict[str, set[str]]]:
    """The labels of each metric of a server with workers, and the values that were seen of each label."""
    server = Asked({"pos": model_paths()["pos"]})
    server.service.runner = WorkerRunner(server.service, 1)
    make_server(server.service, lambda: None)
    server("GET", "/v1/nothing")
    server.service.metrics.refused["queue"] += 1
    server.service.metrics.reloads["pos", "failed"] += 1
    server.service.metrics.tokens["pos"] += 1
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for line in server("GET", "/metrics").body.decode().splitlines():
        if not line.startswith("#"):
            name, labels = re.match(r"(\w+)(?:\{(.*)\})?", line).groups()  # type: ignore[union-attr]
            found[name].update({})
            for label, value in re.findall(r'(\w+)="([^"]*)"', labels or ""):
                found[name][label].add(value)
    return found


def test_metrics_exist(metrics: dict[str, dict[str, set[str]]]) -> None:
    assert len(expressions()) == 7
    for expression in expressions():
        names = set(re.findall(r"\b(?:perceptag|process)_\w+|\bup\b", expression))
        assert names and names <= set(metrics) | OF_PROMETHEUS, expression


def test_labels_exist(metrics: dict[str, dict[str, set[str]]]) -> None:
    for expression in expressions():
        names = re.findall(r"\b(?:perceptag|process)_\w+", expression)
        known = LABELS_OF_PROMETHEUS.union(*(metrics[name] for name in names))
        grouped = {label for group in re.findall(r"by \(([^)]*)\)", expression) for label in group.split(", ")}
        chosen = set(re.findall(r"(\w+)=~?\"", expression))
        assert grouped | chosen <= known, expression


def test_values_of_labels_are_those_that_are_counted(metrics: dict[str, dict[str, set[str]]]) -> None:
    for expression in expressions():
        for name, label, value in re.findall(r'(\w+)\{(reason|result)="([^"]*)"', expression):
            assert value in metrics[name][label], expression


def test_expressions_are_promql() -> None:
    parser = pytest.importorskip("promql_parser", reason="pip install promql-parser")
    for expression in expressions():
        parser.parse(expression)
    with pytest.raises(ValueError, match="invalid promql query"):
        parser.parse("sum by (instance (perceptag_requests_total))")


def test_every_rule_has_what_prometheus_needs() -> None:
    rules = re.split(r"^ *- alert: ", ALERTS, flags=re.MULTILINE)[1:]
    assert len(rules) == 7
    for rule in rules:
        assert re.search(r"severity: (page|warn)", rule) and "summary:" in rule
