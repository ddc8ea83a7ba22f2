"""The package as a whole: its public names, its type stub, and what an import costs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import perceptag

PACKAGE = Path(perceptag.__file__).parent


def test_public_names():
    assert perceptag.__all__ == [
        "DataError",
        "Document",
        "GlobalLinearModel",
        "Learner",
        "ModelError",
        "PerceptagError",
        "Pipeline",
        "Recipe",
        "Rules",
        "Sentence",
        "Setting",
        "SettingError",
        "Span",
        "Tagger",
        "Tokenizer",
        "WordClasses",
        "__version__",
        "compare",
        "evaluate",
        "load",
    ]
    assert all(hasattr(perceptag, name) for name in perceptag.__all__)
    assert (PACKAGE / "py.typed").exists()


def test_evaluate_is_the_function_whatever_has_been_imported():
    code = (
        "import perceptag.evaluation.chunks; from perceptag import evaluate; print(evaluate([['O']], [['O']]).accuracy)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout == "100.0\n"


def test_the_type_stub_is_up_to_date(tmp_path):
    """`make generate` writes it again."""
    made = tmp_path / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "perceptag._core", "-o", str(made)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    assert made.read_text("utf-8") == (PACKAGE / "_core.pyi").read_text("utf-8")


def test_importing_loads_no_terminal_library():
    """Neither what only the command line needs, nor what only scikit-learn asks for."""
    code = "import sys, perceptag; print(sorted({m.partition('.')[0] for m in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
    loaded = set(done.stdout.strip("[]\n").replace("'", "").split(", "))
    assert "perceptag" in loaded
    assert not loaded & {"rich", "sklearn", "scipy", "pytest", "multiprocessing"}


def test_modules_of_the_reference_import_nothing_native():
    """Read alone, they are plain Python; import-linter checks the same for what they import."""
    for path in (PACKAGE / "reference").glob("*.py"):
        text = path.read_text("utf-8")
        assert "_core" not in text and "numpy" not in text, path.name
