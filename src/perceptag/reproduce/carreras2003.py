"""Carreras, Màrquez & Padró (2003), "Learning a perceptron-based named entity chunker": table 1 and section 5."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from perceptag.reproduce.experiment import FULL, Experiment, Protocol, settings
from perceptag.reproduce.statements import Better, Higher, Statement
from perceptag.reproduce.tables import Figure, PaperRow, PaperTable, dev_score, of_type, test_score

PAPER = "carreras2003"
DEPARTURES = (
    "In table 1 and for degrees and windows the best of 5 passes on dev is kept (3 for German); the paper takes the "
    "last one. For the statements about more passes the last pass is kept, without dev data.",
    "German takes the lemma for the word, as in the paper; all other settings are those for English.",
    "The visible part of the gazetteer is drawn once for a training run, by the seed, which is also the number of "
    "the training order.",
)
_TYPES = ("LOC", "MISC", "ORG", "PER", "overall")
# Precision, recall and F of each type in turn.
_TABLE_1 = {
    ("en", "dev"): "90.77 93.63 92.18 91.98 80.80 86.03 86.02 83.52 84.75 91.37 90.77 91.07 90.06 88.47 89.26",
    ("en", "test"): "86.66 89.15 87.88 84.90 72.08 77.97 82.73 77.60 80.09 88.25 86.39 87.31 85.81 82.84 84.30",
    ("de", "dev"): "75.21 67.32 71.05 76.90 42.18 54.48 76.80 47.22 58.48 76.87 60.96 67.99 76.36 55.06 63.98",
    ("de", "test"): "72.89 65.22 68.84 67.14 42.09 51.74 77.67 42.30 54.77 87.23 70.88 78.21 77.83 58.02 66.48",
}
_QUICK = settings(epochs=3)
DEGREES = {d: Experiment("ner", "carreras-ner", settings(chunker_degree=d), _QUICK, cost=30) for d in (1, 2, 3, 4, 5)}
ENGLISH = DEGREES[2]
WINDOW_2 = Experiment(
    "ner", "carreras-ner", settings(chunker_degree=2, chunker_word_window=2, chunker_phrase_window=2), _QUICK, cost=25
)
GERMAN = Experiment("de", "carreras-ner", settings(chunker_word="lemma", epochs=3), _QUICK, cost=30)
GERMAN_FORMS = Experiment("de", "carreras-ner", settings(epochs=3), _QUICK, cost=30)
OTHERS = {
    "Spanish": Experiment("es", "carreras-ner", settings(), _QUICK, cost=40),
    "Dutch": Experiment("nl", "carreras-ner", settings(), _QUICK, cost=30),
}


def _after(run: Experiment, passes: int, quick: int) -> Experiment:
    """Return the same run with a number of passes, of which the last is kept."""
    changed = run.with_setting("epochs", passes)
    return dataclasses.replace(changed, keep="last", quick=settings(epochs=quick), cost=6.0 * passes)


ENGLISH_AFTER = {passes: _after(ENGLISH, passes, quick) for passes, quick in ((3, 2), (5, 3), (10, 4))}
GERMAN_AFTER = {passes: _after(GERMAN, passes, quick) for passes, quick in ((2, 2), (3, 3))}


def _block(runs: tuple[Experiment, ...], part: str, paper: Sequence[str]) -> tuple[PaperRow, ...]:
    rows = []
    for k, kind in enumerate(_TYPES):
        figures = paper[3 * k : 3 * k + 3]
        cells = [Figure(f, runs, of_type(part, kind, i), f"no {kind} in the data") for i, f in enumerate(figures)]
        rows.append(PaperRow(kind, tuple(cells)))
    return tuple(rows)


def tables(protocol: Protocol = FULL) -> list[PaperTable]:
    """Return table 1, the same table for the languages that the paper does not have, and the sweeps of section 5."""
    columns = ("precision", "recall", "F")
    found = []
    for (language, part), paper in _TABLE_1.items():
        runs = protocol.all(ENGLISH if language == "en" else GERMAN)
        title = f"Table 1: {'English' if language == 'en' else 'German'}, {part}"
        found.append(PaperTable(PAPER, title, columns, _block(runs, part, paper.split())))
    found += [_degrees(protocol), _passes(protocol)]
    nothing = [""] * 3 * len(_TYPES)
    for language, run in OTHERS.items():
        note = "Not in the paper. All settings are those for English, the gazetteer is that of the training data."
        rows = _block((run,), "dev", nothing)
        found.append(PaperTable(PAPER, f"In addition to table 1: {language}, dev", columns, rows, (note,)))
    return found


def _degrees(protocol: Protocol) -> PaperTable:
    named = {f"degree {d}": run for d, run in DEGREES.items()} | {"degree 2, windows of 2": WINDOW_2}
    note = "Section 5 says what was tried, without figures."
    return PaperTable(PAPER, "Section 5: degrees and windows", ("dev F", "test F"), _rows(protocol, named), (note,))


def _passes(protocol: Protocol) -> PaperTable:
    named = {f"English, {n} passes": run for n, run in ENGLISH_AFTER.items()}
    named |= {f"German, {n} passes": run for n, run in GERMAN_AFTER.items()}
    note = "Section 5 says that performance still rose, without figures. The last pass, chosen without dev data."
    return PaperTable(PAPER, "Section 5: number of passes", ("dev F", "test F"), _rows(protocol, named), (note,))


def _rows(protocol: Protocol, named: dict[str, Experiment]) -> tuple[PaperRow, ...]:
    return tuple(
        PaperRow(name, tuple(Figure("", protocol.all(run), value) for value in (dev_score, test_score)))
        for name, run in named.items()
    )


def statements(protocol: Protocol = FULL) -> list[Statement]:
    """Return what section 5 says."""
    degrees = '"Degrees 2 and 3 performed somewhat better than others" (5)'
    windows = '"we set the window sizes (Lw and Lp) to 3 (we tested 2 and 3)" (5)'
    lemmas = '"When moving to German, we found better to work with lemmas instead of word forms" (5)'
    rising = '"the performance was still slightly increasing while visiting more training sentences" (5)'
    easier = '"Clearly, the NERC task on English is much easier than on German" (5)'
    recall = '"the moderate performace on German is mainly caused by the low recall" (5)'
    parts = '"while in English the performance is much better on the development set, in German we achieve better '
    parts += 'results on the test set" (5)'

    def better(text: str, quote: str, first: Experiment, second: Experiment) -> Better:
        return Better(PAPER, text, quote, protocol.all(first), protocol.all(second))

    precision, recalled = ((GERMAN, of_type("dev", "overall", i)) for i in (0, 1))
    return [
        *(
            better(f"A kernel of degree {high} beats degree {low}", degrees, DEGREES[high], DEGREES[low])
            for high in (2, 3)
            for low in (1, 4, 5)
        ),
        better("Windows of 3 beat windows of 2", windows, ENGLISH, WINDOW_2),
        better("Five passes beat three (English)", rising, ENGLISH_AFTER[5], ENGLISH_AFTER[3]),
        better("Three passes beat two (German)", rising, GERMAN_AFTER[3], GERMAN_AFTER[2]),
        better("Lemmas beat forms (German)", lemmas, GERMAN, GERMAN_FORMS),
        Higher(PAPER, "English is easier than German, dev", easier, (ENGLISH, dev_score), (GERMAN, dev_score)),
        Higher(PAPER, "English: dev is easier than test", parts, (ENGLISH, dev_score), (ENGLISH, test_score)),
        Higher(PAPER, "German: test is easier than dev", parts, (GERMAN, test_score), (GERMAN, dev_score)),
        Higher(PAPER, "German: recall is lower than precision, dev", recall, precision, recalled),
    ]
