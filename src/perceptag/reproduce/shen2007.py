"""Shen, Satta & Joshi (2007), "Guided learning for bidirectional sequence classification": tables 2, 3 and 4."""

from __future__ import annotations

from perceptag.reproduce.collins2002 import POS as COLLINS_POS
from perceptag.reproduce.experiment import Experiment, settings
from perceptag.reproduce.statements import Better, Statement
from perceptag.reproduce.tables import Figure, PaperRow, PaperTable, dev_error, test_error

PAPER = "shen2007"
SEEDS = (0, 1, 2)
_QUICK = settings(epochs=4)
_TABLE_2 = {"a": "3.05", "b": "2.92", "c": "2.84", "d": "2.78", "e": "2.72"}
_TABLE_3 = {  # direction, aggressive: beam 1, beam 3
    ("left-to-right", True): ("2.94", "2.82"),
    ("left-to-right", False): ("3.24", "2.75"),
    ("both", True): ("2.84", "2.72"),
    ("both", False): ("does not converge", "does not converge"),
}


def _runs(features: str, seeds: tuple[int, ...] = SEEDS, **changes: object) -> tuple[Experiment, ...]:
    own = Experiment("pos", f"shen-pos-{features}", settings(**changes), _QUICK, grid=("tau", (0, 20)), cost=10)
    return tuple(own.with_seed(seed) for seed in seeds)


SETS = {name: _runs(name) for name in _TABLE_2}
SEARCHES = {
    (direction, aggressive, beam): SETS["e"]
    if (direction, aggressive, beam) == ("both", True, 3)
    else _runs("e", direction=direction, aggressive=aggressive, beam=beam)
    for direction, aggressive in _TABLE_3
    for beam in (1, 3)
}


def tables() -> list[PaperTable]:
    """Tables 2 to 4."""
    data = "UD English EWT dev in place of the Penn Treebank: only the order of the rows can be compared."
    margin = "Averaged perceptron with margin, as in the paper, which does not say how large its margin (tau) is."
    features = tuple(PaperRow(name.upper(), (Figure(e, SETS[name], dev_error),)) for name, e in _TABLE_2.items())
    searches = []
    for (direction, aggressive), figures in _TABLE_3.items():
        title = f"{'Bi-dir' if direction == 'both' else 'L-to-R'}, {'aggressive' if aggressive else 'not aggressive'}"
        cells = (Figure(f, SEARCHES[direction, aggressive, b], dev_error) for b, f in zip((1, 3), figures, strict=True))
        searches.append(PaperRow(title, tuple(cells)))
    return [
        PaperTable(PAPER, "Table 2: feature sets, B = 3, dev", ("error %",), features, (margin,), data),
        PaperTable(
            PAPER, "Table 3: search and learning, set E, dev", ("B = 1", "B = 3"), tuple(searches), (margin,), data
        ),
        _test_table(),
    ]


def _test_table() -> PaperTable:
    def cited(name: str, error: str) -> PaperRow:
        return PaperRow(name, (Figure(error, missing="cited by the paper"),))

    def ours(name: str, error: str, runs: tuple[Experiment, ...]) -> PaperRow:
        return PaperRow(name, (Figure(error, runs, test_error, "en_ewt-ud-test.conllu is missing"),))

    rows = (
        cited("Ratnaparkhi (1996), beam 5", "3.37"),
        cited("Tsuruoka and Tsujii (2005), beam 1", "2.90"),
        ours("Collins (2002)", "2.89", (COLLINS_POS["avg cc=0"],)),
        ours("Guided learning, set B, beam 3", "2.85", SETS["b"]),
        cited("Tsuruoka and Tsujii (2005), all", "2.85"),
        cited("Giménez and Màrquez (2004)", "2.84"),
        cited("Toutanova et al. (2003)", "2.76"),
        ours("Guided learning, set E, beam 1", "2.73", SEARCHES["both", True, 1]),
        ours("Guided learning, set E, beam 3", "2.67", SETS["e"]),
    )
    return PaperTable(PAPER, "Table 4: test", ("error %",), rows, ("All are trained on the training data alone.",))


def statements() -> list[Statement]:
    """Return what section 4.2 says about the figures."""
    best, greedy = SETS["e"], SEARCHES["both", True, 1]
    return [
        Better(PAPER, "Features of labels on the right help (B over A)", SETS["b"], SETS["a"]),
        Better(PAPER, "Set E is better than set A", best, SETS["a"]),
        Better(PAPER, "Bidirectional beats left to right, B = 1", greedy, SEARCHES["left-to-right", True, 1]),
        Better(PAPER, "Bidirectional beats left to right, B = 3", best, SEARCHES["left-to-right", True, 3]),
        Better(
            PAPER,
            "Aggressive learning matters with B = 1 (left to right)",
            SEARCHES["left-to-right", True, 1],
            SEARCHES["left-to-right", False, 1],
        ),
        Better(
            PAPER,
            "Aggressive learning hurts with B = 3 (left to right)",
            SEARCHES["left-to-right", False, 3],
            SEARCHES["left-to-right", True, 3],
        ),
        Better(PAPER, "A beam of 3 beats a beam of 1", best, greedy),
    ]
