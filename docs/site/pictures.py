"""Pictures for both themes: next to `page.webp` there may be a `page-dark.webp`, which dark pages show instead."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx


def dark_twin(path: Path) -> Path | None:
    """The file with the same picture for dark pages, if there is one."""
    twin = path.with_stem(f"{path.stem}-dark")
    return twin if twin.exists() else None


def _add_twins(app: Sphinx, doctree: nodes.document) -> None:
    from docutils import nodes

    page = Path(app.env.doc2path(app.env.docname))
    for image in list(doctree.findall(nodes.image)):
        if twin := dark_twin(page.parent / image["uri"]):
            dark = image.deepcopy()
            dark["uri"] = str(Path(image["uri"]).parent / twin.name)
            image["classes"].append("only-light")
            dark["classes"].append("only-dark")
            image.parent.insert(image.parent.index(image) + 1, dark)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", _add_twins, priority=100)  # before pictures are collected
    return {"parallel_read_safe": True, "parallel_write_safe": True}
