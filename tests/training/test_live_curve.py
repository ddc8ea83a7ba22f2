"""A training in a notebook draws a curve that grows; elsewhere it prints lines."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from perceptag import Tagger

X, Y = [["the", "dog"], ["a", "cat"]], [["DT", "NN"], ["DT", "NN"]]


class Notebook:
    """What a notebook has shown: a list of drawings for each place on its page."""

    def __init__(self) -> None:
        self.places: list[list[str]] = []

    def display(self, shown: Any, display_id: bool) -> Any:
        assert display_id
        place = [shown._repr_html_()]
        self.places.append(place)
        return SimpleNamespace(update=lambda again: place.append(again._repr_html_()))


def pretend(patched: pytest.MonkeyPatch, shell: object) -> Notebook:
    """Let modules of IPython be there, with such a shell."""
    notebook = Notebook()
    top, shown = ModuleType("IPython"), ModuleType("IPython.display")
    top.get_ipython = lambda: shell  # type: ignore[attr-defined]
    shown.display = notebook.display  # type: ignore[attr-defined]
    patched.setitem(sys.modules, "IPython", top)
    patched.setitem(sys.modules, "IPython.display", shown)
    return notebook


def test_a_notebook_sees_the_curve_grow(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    notebook = pretend(monkeypatch, SimpleNamespace(kernel="a kernel"))
    Tagger("collins-pos", epochs=3, verbose=1).fit(X, Y, dev=(X, Y))
    (drawn,) = notebook.places
    assert [page.count("<circle") for page in drawn] == [0, 4, 6]
    assert "pass" in drawn[0] and "dev accuracy, %" in drawn[-1]
    assert "   1  " not in capfd.readouterr().err


@pytest.mark.parametrize("shell", [None, SimpleNamespace()], ids=["a script", "a shell in a terminal"])
def test_elsewhere_lines_are_printed(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], shell: object
) -> None:
    notebook = pretend(monkeypatch, shell)
    Tagger("collins-pos", epochs=2, verbose=1).fit(X, Y)
    assert notebook.places == []
    assert len(capfd.readouterr().err.splitlines()) == 3
