"""Worked examples that can be stepped through: a block `{stepper} NAME` shows what docs/papers/steps/NAME.py computes.

The steps are a list in the page, so that they can be read without a script, printed and searched. static/stepper.js
shows one of them at a time.
"""

from __future__ import annotations

import importlib
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from stepper_html import html_of

STEPS = Path(__file__).resolve().parents[1] / "papers" / "steps"


class Stepper(SphinxDirective):
    """The argument names the program, the text in the block says what it shows."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        name, label = self.arguments[0], " ".join(self.content)
        if not (STEPS / f"{name}.py").exists() or not label:
            raise self.error(f"stepper: expected the name of a program in docs/papers/steps and a text, found {name}")
        for path in STEPS.glob("*.py"):
            self.env.note_dependency(str(path))
        steps = importlib.import_module(f"papers.steps.{name}").steps()
        return [nodes.raw("", html_of(label, steps), format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("stepper", Stepper)
    app.add_css_file("stepper.css")
    app.add_js_file("stepper.js", loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
