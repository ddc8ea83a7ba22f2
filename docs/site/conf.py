"""How Sphinx makes the site: `make docs`. The sources are the Markdown pages, as they are read on a forge, too.

The folder of sources is the root of the repository, so that links between pages are the same in both places.
"""

from __future__ import annotations

import sys
from pathlib import Path

from perceptag._version import __version__

SITE = Path(__file__).parent
ROOT = SITE.parents[1]
sys.path[:0] = [str(SITE), str(SITE.parent), str(ROOT / "tests" / "support"), str(ROOT)]

project = "perceptag"
author = "The perceptag authors"
project_copyright = "2026 the perceptag authors, MIT licence"
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx_copybutton",
    "accessible",
    "crosslinks",
    "navigation",
    "sessions",
    "pictures",
    "verbs",
    "api",
    "tutorials",
    "stepper",
    "front",
    "excerpts",
]
root_doc = "README"
CARD = "models/perceptag-en/src/perceptag_en/CARD.md"
OTHERS = ["src/perceptag/data/README.md", "models/perceptag-en/README.md", CARD]  # pages that the guide leads to
include_patterns = ["*.md", "docs/*.md", "docs/**/*.md", *OTHERS]
exclude_patterns = ["DESCRIPTION.md"]  # it is for a package index
exclude_patterns += [e.name for e in ROOT.iterdir() if e.is_dir() and e.name not in ("docs", "src", "models")]
nitpicky = True
smartquotes = False  # as on a forge, and "--" is an option

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 6
highlight_language = "text"
copybutton_prompt_text = "$ "
copybutton_line_continuation_character = "\\"
python_maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"perceptag {version}"
html_static_path = ["static"]
html_logo = html_favicon = "static/logo.svg"
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_domain_indices = False
