"""Collins (2002), "Discriminative training methods for hidden Markov models": figure 4 and the test figures."""

from __future__ import annotations

from typing import Literal

from perceptag.reproduce.experiment import Experiment, settings
from perceptag.reproduce.statements import Better, Statement, Steadier
from perceptag.reproduce.tables import (
    Figure,
    PaperRow,
    PaperTable,
    best_pass,
    dev_error,
    dev_score,
    final_error,
    final_score,
)

PAPER = "collins2002"
_FEW = settings(epochs=8)
_GIS_FEW = settings(epochs=60)


Final = Literal["", "best"]


def _perceptron(data: str, weights: str, cutoff: int, epochs: int, cost: float, final: Final = "") -> Experiment:
    recipe = "collins-np" if data == "np" else "collins-pos"
    own = settings(weights=weights, cutoff=cutoff, epochs=epochs, **_keep(data))
    return Experiment(data, recipe, own, _FEW, final=final, cost=cost)


def _maxent(data: str, cutoff: int, epochs: int, cost: float, final: Final = "") -> Experiment:
    features = "collins-np" if data == "np" else "collins-pos"
    own = settings(features=features, cutoff=cutoff, epochs=epochs, **_gis(exact=data == "np"), **_keep(data))
    return Experiment(data, "maxent", own, _GIS_FEW, final=final, cost=cost)


def _gis(exact: bool) -> dict[str, object]:
    """Return settings for generalised iterative scaling without a prior; exact search if there are few labels."""
    return {"maxent_optimizer": "gis", "maxent_sigma2": 0, "maxent_beam": 0 if exact else 10}


def _keep(data: str) -> dict[str, object]:
    return {"labels_keep": ("NP",)} if data == "np" else {}


NP = {
    "avg cc=0": _perceptron("np", "averaged", 0, 40, 10, final="best"),
    "noavg cc=0": _perceptron("np", "last", 0, 40, 10),
    "avg cc=5": _perceptron("np", "averaged", 5, 40, 10),
    "noavg cc=5": _perceptron("np", "last", 5, 40, 10),
    "ME cc=0": _maxent("np", 0, 900, 200),
    "ME cc=5": _maxent("np", 5, 900, 200, final="best"),
}
POS = {
    "avg cc=0": _perceptron("pos", "averaged", 0, 20, 50, final="best"),
    "noavg cc=0": _perceptron("pos", "last", 0, 20, 30),
    "avg cc=5": _perceptron("pos", "averaged", 5, 20, 30),
    "noavg cc=5": _perceptron("pos", "last", 5, 20, 30),
    "ME cc=0": _maxent("pos", 0, 200, 300),
    "ME cc=5": _maxent("pos", 5, 200, 300, final="best"),
}
_OTHERS = ("pa", "mira", "arow")
OWN_NP = {
    name: Experiment("np", recipe, settings(**own, **_keep("np")), quick, final="all", cost=cost)
    for name, recipe, own, quick, cost in (
        ("collins-np", "collins-np", {}, _FEW, 5),
        *((name, name, {"features": "collins-np", "epochs": 15}, _FEW, 20) for name in _OTHERS),
        ("crf-np", "crf-np", {}, settings(epochs=30), 60),
        ("chunk", "chunk", {}, _FEW, 12),
    )
}
OWN_POS = {
    "collins-pos": Experiment("pos", "collins-pos", settings(), _FEW, cost=15),
    **{name: Experiment("pos", name, settings(), _FEW, cost=30) for name in _OTHERS},
    "pos": Experiment("pos", "pos", settings(), _FEW, cost=20),
}
_FIGURE_4 = {  # NP F, Numits, POS error, Numits
    "avg cc=0": ("93.53", "13", "2.93", "10"),
    "noavg cc=0": ("93.04", "35", "3.68", "20"),
    "avg cc=5": ("93.33", "9", "3.03", "6"),
    "noavg cc=5": ("91.88", "39", "4.04", "17"),
    "ME cc=0": ("92.34", "900", "3.4", "100"),
    "ME cc=5": ("92.65", "200", "3.28", "200"),
}


def _name(short: str) -> str:
    return short.replace(" cc", ", cc") if short.startswith("ME") else "Perc, " + short.replace(" cc", ", cc")


def tables() -> list[PaperTable]:
    """Return figure 4, and the test figures of section 4.3."""
    rows = []
    for name, (f, np_pass, error, pos_pass) in _FIGURE_4.items():
        np, pos = (NP[name],), (POS[name],)
        figures = (
            Figure(f, np, dev_score),
            Figure(np_pass, np, best_pass, digits=0),
            Figure(error, pos, dev_error),
            Figure(pos_pass, pos, best_pass, digits=0),
        )
        rows.append(PaperRow(_name(name), figures))
    note = "The paper's caption says error percentages, but its NP column is F."
    data = (
        "NP: the same sections and Brill's tags; dev is the last tenth of the training data in place of section 21, "
        "and is easier. POS: UD English EWT in place of the Penn Treebank: only the order of the rows can be compared."
    )
    return [
        PaperTable(PAPER, "Figure 4: dev", ("NP F", "Numits", "POS error %", "Numits"), tuple(rows), (note,), data),
        _test_table(),
        _own_table(),
    ]


def _own_table() -> PaperTable:
    def row(name: str) -> PaperRow:
        np, pos = (OWN_NP[name],) if name in OWN_NP else (), (OWN_POS[name],) if name in OWN_POS else ()
        nothing = "another recipe's task"
        return PaperRow(
            name,
            (
                Figure("", np, final_score, "conll2000/test.txt is missing" if np else nothing),
                Figure("", pos, dev_score, nothing),
            ),
        )

    note = (
        "Not in the paper: our recipes as they are; pa, mira and arow with the features of collins-np and collins-pos. "
        "NP: all training data, all passes of the recipe. POS: the best pass on dev."
    )
    names = dict.fromkeys((*OWN_NP, *OWN_POS))
    return PaperTable(
        PAPER, "In addition to figure 4: recipes", ("NP F, test", "POS accuracy, dev"), tuple(map(row, names)), (note,)
    )


def _test_table() -> PaperTable:
    no_test = "en_ewt-ud-test.conllu is missing"
    rows = (
        PaperRow(
            "Perceptron",
            (
                Figure("93.63", (NP["avg cc=0"],), final_score, "conll2000/test.txt is missing"),
                Figure("2.89", (POS["avg cc=0"],), final_error, no_test),
            ),
        ),
        PaperRow(
            "ME",
            (
                Figure("93.29", (NP["ME cc=5"],), final_score, "conll2000/test.txt is missing"),
                Figure("3.28", (POS["ME cc=5"],), final_error, no_test),
            ),
        ),
    )
    note = "Trained on train and dev together for the number of passes chosen on dev, with the paper's best cut-offs."
    return PaperTable(PAPER, "Section 4.3: test", ("NP F", "POS error %"), rows, (note,))


def statements() -> list[Statement]:
    """Return what section 4.3 says about the figures."""
    found: list[Statement] = []
    for task, runs in (("NP", NP), ("POS", POS)):
        found += [
            Better(PAPER, f"Averaging helps ({task})", (runs["avg cc=0"],), (runs["noavg cc=0"],)),
            Steadier(PAPER, f"Averaging steadies ({task})", runs["avg cc=0"], runs["noavg cc=0"]),
            Better(PAPER, f"A cut-off hurts the perceptron ({task})", (runs["avg cc=0"],), (runs["avg cc=5"],)),
            Better(PAPER, f"A cut-off helps maximum entropy ({task})", (runs["ME cc=5"],), (runs["ME cc=0"],)),
            Better(PAPER, f"The perceptron beats maximum entropy ({task})", (runs["avg cc=0"],), (runs["ME cc=5"],)),
        ]
    return found
