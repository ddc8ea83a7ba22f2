"""The front page: README.md is index.html, too, so that a browser finds it in the folder."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def _copy(app: Sphinx, problem: Exception | None) -> None:
    if problem is None and app.builder.format == "html":
        shutil.copyfile(Path(app.outdir, f"{app.config.root_doc}.html"), Path(app.outdir, "index.html"))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("build-finished", _copy)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
