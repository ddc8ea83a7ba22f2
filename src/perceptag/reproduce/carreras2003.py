"""Carreras, Màrquez & Padró (2003), "Learning a perceptron-based named entity chunker": table 1."""

from __future__ import annotations

from perceptag.reproduce.experiment import Experiment, settings
from perceptag.reproduce.statements import Better, Statement
from perceptag.reproduce.tables import Figure, PaperRow, PaperTable, of_type

PAPER = "carreras2003"
_TYPES = ("LOC", "MISC", "ORG", "PER", "overall")
_TABLE_1 = {
    ("en", "dev"): (
        ("90.77", "93.63", "92.18"),
        ("91.98", "80.80", "86.03"),
        ("86.02", "83.52", "84.75"),
        ("91.37", "90.77", "91.07"),
        ("90.06", "88.47", "89.26"),
    ),
    ("en", "test"): (
        ("86.66", "89.15", "87.88"),
        ("84.90", "72.08", "77.97"),
        ("82.73", "77.60", "80.09"),
        ("88.25", "86.39", "87.31"),
        ("85.81", "82.84", "84.30"),
    ),
    ("de", "dev"): (
        ("75.21", "67.32", "71.05"),
        ("76.90", "42.18", "54.48"),
        ("76.80", "47.22", "58.48"),
        ("76.87", "60.96", "67.99"),
        ("76.36", "55.06", "63.98"),
    ),
    ("de", "test"): (
        ("72.89", "65.22", "68.84"),
        ("67.14", "42.09", "51.74"),
        ("77.67", "42.30", "54.77"),
        ("87.23", "70.88", "78.21"),
        ("77.83", "58.02", "66.48"),
    ),
}
_QUICK = settings(epochs=3)
ENGLISH = Experiment("ner", "carreras-ner", settings(), _QUICK, cost=30)
DEGREE_1 = Experiment("ner", "carreras-ner", settings(chunker_degree=1), _QUICK, cost=20)
GERMAN = Experiment("de", "carreras-ner", settings(chunker_word="lemma", epochs=3), _QUICK, cost=30)
OTHERS = {
    "Spanish": Experiment("es", "carreras-ner", settings(), _QUICK, cost=40),
    "Dutch": Experiment("nl", "carreras-ner", settings(), _QUICK, cost=30),
}


def _block(run: Experiment, part: str, paper: tuple[tuple[str, str, str], ...], missing: str) -> tuple[PaperRow, ...]:
    rows = []
    for kind, figures in zip(_TYPES, paper, strict=True):
        cells = [Figure(f, (run,), of_type(part, kind, i), missing) for i, f in enumerate(figures)]
        rows.append(PaperRow(kind, tuple(cells)))
    return tuple(rows)


def tables() -> list[PaperTable]:
    """Return table 1, and the same table for the languages that the paper does not have."""
    columns = ("precision", "recall", "F")
    found = []
    for (language, part), paper in _TABLE_1.items():
        run = ENGLISH if language == "en" else GERMAN
        corpus = {"en": "eng", "de": "deu"}[language]
        missing = f"{corpus}.{'testa' if part == 'dev' else 'testb'} is missing"
        title = f"Table 1: {'English' if language == 'en' else 'German'}, {'dev' if part == 'dev' else 'test'}"
        found.append(PaperTable(PAPER, title, columns, _block(run, part, paper, missing)))
    nothing = (("", "", ""),) * len(_TYPES)
    for language, run in OTHERS.items():
        rows = _block(run, "dev", nothing, "the data is missing")
        note = "Not in the paper. All settings are those for English, the gazetteer is that of the training data."
        found.append(PaperTable(PAPER, f"In addition to table 1: {language}, dev", columns, rows, (note,)))
    return found


def statements() -> list[Statement]:
    """Return what section 5 says about the kernel."""
    return [Better(PAPER, "A kernel of degree 2 beats degree 1", (ENGLISH,), (DEGREE_1,))]
