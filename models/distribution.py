"""Build the distribution perceptag-xx of a language from languages/xx.toml: `python -m models.build xx`.

It is like perceptag-en: a package without code, with the pipeline, figures and model card. It is not committed; the
same data and the same version of perceptag give the same model, byte for byte.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import perceptag
from models import treebanks
from perceptag.system.toml import read_toml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LANGUAGES = ROOT / "languages"
TARGET = ROOT / "build" / "models"
OPEN_TEXT = "Tatoeba, CC BY 2.0 FR; Common Voice, CC0"
OPEN_LISTS = (
    "CLDR, Unicode licence; US census, public domain; GeoNames, CC BY 4.0; ROR and popular names by country, CC0"
)
LICENCE = "CC BY-SA 4.0"
TASKS = {
    "upos": "parts of speech (upos)",
    "xpos": "parts of speech of the treebank (xpos)",
    "feats": "features (feats)",
    "lemma": "lemmas (lemma)",
    "ner": "names of persons, organisations and places (ner)",
}


class About(NamedTuple):
    """What a distribution says of itself."""

    code: str
    language: str
    corpora: list[str]
    layers: list[str]
    figures: dict[str, dict[str, float]]

    @property
    def task(self) -> str:
        """What the pipeline finds."""
        layers = [TASKS[name] for name in self.layers if name in TASKS]
        return f"{self.language} text: {', '.join(['sentences', 'tokens', *layers])}"

    @property
    def accuracy(self) -> str:
        """The figures in one line."""
        rows = (
            f"{source}: {', '.join(f'{k} {v:.2f}' for k, v in row.items())}" for source, row in self.figures.items()
        )
        return f"dev data, {'; '.join(rows)}"


def _listed(row: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.2f}" for name, value in row.items())


def languages() -> dict[str, Any]:
    """Return what is known of the languages that may be distributed, by their codes."""
    return read_toml((HERE / "distributions.toml").read_text("utf-8"))


def build(data: Path, language: str, parts: Path | None = None, target: Path = TARGET) -> Path:
    """Write the data, build the pipeline, and write the distribution; return its folder."""
    known = languages()
    if language not in known:
        sys.exit(f"{language}: expected en or one of {', '.join(known)}")
    treebanks.write_data(data, language, LANGUAGES / "data" / language)
    kept = ["--parts", str(parts.resolve())] if parts else []
    command = [
        sys.executable,
        "-m",
        "perceptag",
        "build",
        f"languages/{language}.toml",
        "--json",
        "--threads",
        "1",
        *kept,
    ]
    report = json.loads(subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.PIPE).stdout)
    told = known[language]
    about = About(language, told["language"], told["corpora"], report["layers"], report["figures"])
    return write_distribution(about, ROOT / report["pipeline"], target / f"perceptag-{language}")


def write_distribution(about: About, pipeline: Path, folder: Path) -> Path:
    """Write the package of a pipeline that was built."""
    source = folder / "src" / f"perceptag_{about.code}"
    source.mkdir(parents=True, exist_ok=True)
    model = perceptag.Pipeline.load(pipeline)
    model.save(source / f"{about.code}.model", compress=True)
    told = {
        "task": about.task,
        "data": "; ".join(about.corpora),
        "licence": LICENCE,
        "accuracy": about.accuracy,
        "figures": {"dev data": about.figures},
    }
    files = {
        folder / "pyproject.toml": project_text(about),
        folder / "README.md": readme_text(about),
        folder / "LICENSE": licence_text(about),
        source / "__init__.py": f'"""{about.language} models for perceptag. There is no code here."""\n',
        source / f"{about.code}.json": json.dumps(told, indent=2, ensure_ascii=False) + "\n",
        source / "CARD.md": model.card,
    }
    for path, text in files.items():
        path.write_text(text, "utf-8")
    return folder


def project_text(about: About) -> str:
    """Return the metadata of the package: those of perceptag-en for another language."""
    english = (HERE / "perceptag-en" / "pyproject.toml").read_text("utf-8")
    changes = {
        r"^description = .*$": f"description = {json.dumps(about.task, ensure_ascii=False)}",
        r"^version = .*$": f'version = "{perceptag.__version__}"',
        r"^en = ": f"{about.code} = ",
        r"(perceptag[-_])en\b": rf"\g<1>{about.code}",
        r"/en\.model": f"/{about.code}.model",
    }
    for pattern, text in changes.items():
        english = re.sub(pattern, text, english, flags=re.MULTILINE)
    return english


def readme_text(about: About) -> str:
    """Return what a user reads first."""
    return f"""# perceptag-{about.code}

{about.task}.
One file for perceptag: `perceptag tag --model {about.code}`, or `perceptag.load("{about.code}")` in Python.

`perceptag list --models {about.code} --verbose` shows the figures, CARD.md data and layers.
The licence is {LICENCE}; LICENSE names the corpora.
"""


def licence_text(about: About) -> str:
    """Return the licence, with all that the model was made from."""
    corpora = "\n".join(f"  {corpus}" for corpus in about.corpora)
    return f"""perceptag-{about.code}: {about.language} models for perceptag

The licence of the file {about.code}.model is Creative Commons Attribution-ShareAlike 4.0 International.
Its text is at https://creativecommons.org/licenses/by-sa/4.0/legalcode

The models were trained on:

{corpora}

Where there are names, word classes and lists may be from these sources:

  {OPEN_TEXT}
  {OPEN_LISTS}
"""
