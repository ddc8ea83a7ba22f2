"""The recipes of the papers have the features and settings of the papers, written down here by hand from their text."""

from __future__ import annotations

from itertools import product

import pytest

from perceptag.features.template import Template, parse_all
from perceptag.recipe.recipe import load

# Ratnaparkhi (1996), table 1, without the rule for rare words (Collins 2002, section 4.2; Shen et al. 2007, set A).
RATNAPARKHI = {
    *(f"form[{i}]" for i in (-2, -1, 0, 1, 2)),  # w_i, w_i-1, w_i-2, w_i+1, w_i+2
    *(f"prefix{n}[0]" for n in (1, 2, 3, 4)),  # X is a prefix of w_i, |X| <= 4
    *(f"suffix{n}[0]" for n in (1, 2, 3, 4)),
    "digit[0]", "upper[0]", "hyphen[0]",  # w_i contains a number, an uppercase character, a hyphen
    "bias * y-1 y0", "bias * y-2 y-1 y0",  # t_i-1, t_i-2 t_i-1
}  # fmt: skip

# Collins (2002), figure 3: words and parts of speech around the word; the tags before it (section 2.2).
COLLINS_NP = {
    *(f"form[{i}]" for i in (-2, -1, 0, 1, 2)),
    *(f"form[{i}] form[{i + 1}]" for i in (-2, -1, 0, 1)),
    *(f"pos[{i}]" for i in (-2, -1, 0, 1, 2)),
    *(f"pos[{i}] pos[{i + 1}]" for i in (-2, -1, 0, 1)),
    *(f"pos[{i}] pos[{i + 1}] pos[{i + 2}]" for i in (-2, -1, 0)),
    "bias * y-1 y0", "bias * y-2 y-1 y0",
}  # fmt: skip

# Shen, Satta and Joshi (2007), table 2.
SHEN_B = RATNAPARKHI | {"bias * y+1 y0", "bias * y-1 y+1 y0", "bias * y+1 y+2 y0"}
SHEN_C = SHEN_B | {
    "bias * y-2 y0", "bias * y+2 y0",
    "form[0] * y-2 y0", "form[0] * y-1 y0", "form[0] * y+1 y0", "form[0] * y+2 y0",
    "form[0] * y-2 y-1 y0", "form[0] * y-1 y+1 y0", "form[0] * y+1 y+2 y0",
}  # fmt: skip
SHEN_D = SHEN_C | {"form[-1] form[0]", "form[0] form[1]"}
SHEN_E = SHEN_D | {f"{affix}{n}[0]" for affix in ("prefix", "suffix") for n in (5, 6, 7, 8, 9)}

# Kazama and Torisawa (2007), table 1, without go, gp and gm, whose lists the paper does not have: the word, the word in
# lower case, POS, chunk, prefixes and suffixes up to 4, and 2d, 4d, d&a, d&-, d&/, d&, d&. n ic ac l cp.
SURFACE = (
    "form", "lower", "pos", "chunk",
    "prefix1", "prefix2", "prefix3", "prefix4", "suffix1", "suffix2", "suffix3", "suffix4",
    "twodigits", "fourdigits", "alphanumeric", "digithyphen", "digitslash", "digitcomma", "digitperiod", "othernumber",
    "capital", "allcaps", "alllower", "capperiod",
)  # fmt: skip
BIGRAMS = ("lower", "pos", "chunk")
ONE_SIDED = {
    "bias",
    *(f"{x}[{i}]" for x, i in product(SURFACE, (-2, -1, 0, 1, 2))),
    *(f"{x}[{i}] {x}[{i + 1}]" for x, i in product(BIGRAMS, (-2, -1, 0))),
}
KAZAMA = {f"{surface} * {edge}" for surface, edge in product(ONE_SIDED, ("y0", "y-1 y0"))}

TEMPLATES = {
    "collins-pos": RATNAPARKHI,
    "collins-np": COLLINS_NP,
    "collins-hmm": {"form[0]", "bias * y-2 y-1 y0"},  # section 2.1
    "shen-pos-a": RATNAPARKHI,
    "shen-pos-b": SHEN_B,
    "shen-pos-c": SHEN_C,
    "shen-pos-d": SHEN_D,
    "shen-pos-e": SHEN_E,
    "shen-pos": SHEN_E,
    **dict.fromkeys(("kazama-margin-paper", "kazama-candidate-paper", "kazama-nonlocal-paper"), KAZAMA),
}

# Margins from table 2; n and n' from section 6.1, BPM from 6.2; features that occur less than twice are left out.
KAZAMA_SETTINGS = {
    "unit": "document", "weights": "last", "bpm": 10, "tolerance": 1e-4, "support": "all", "cutoff": 2,
    "labels.scheme": "IOB2",
}  # fmt: skip
NONLOCAL = {
    "nbest": 20,
    "nbest_tagging": 100,
    "nonlocal.features": ("phrase", "majority", "subphrase", "submajority", "conjunction"),
}
GUIDED = {"learner": "guided", "beam": 3, "support": "all"}
SETTINGS: dict[str, dict[str, object]] = {
    "collins-pos": {"learner": "perceptron", "weights": "averaged", "unit": "sentence"},
    "collins-np": {"learner": "perceptron", "weights": "averaged", "unit": "sentence"},
    "collins-hmm": {"learner": "perceptron"},
    # Sections 4 and 5: windows of 3, features that occur at least 5 times, degree 2, 5 epochs, 40 % of the gazetteer.
    "carreras-ner": {
        "learner": "chunker", "epochs": 5, "cutoff": 5, "chunker.degree": 2, "chunker.word_window": 3,
        "chunker.phrase_window": 3, "chunker.columns": ("pos",), "chunker.visible": 40,
    },
    "kazama-margin-paper": {"learner": "margin", "margin": 11313, **KAZAMA_SETTINGS},
    "kazama-candidate-paper": {"learner": "candidate", "margin": 4000, **KAZAMA_SETTINGS, **NONLOCAL},
    "kazama-nonlocal-paper": {"learner": "nonlocal", "margin": 5657, **KAZAMA_SETTINGS, **NONLOCAL},
    **dict.fromkeys(("shen-pos-a", "shen-pos-b", "shen-pos-c", "shen-pos-d", "shen-pos-e", "shen-pos"), GUIDED),
}  # fmt: skip


def expanded(templates: tuple[str, ...] | set[str]) -> list[Template]:
    return parse_all(sorted(templates))


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_are_those_of_the_paper(name: str) -> None:
    found = expanded(load(name).templates)
    assert set(found) == set(expanded(TEMPLATES[name]))
    assert len(found) == len(TEMPLATES[name])  # none is there twice


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_are_those_of_the_paper(name: str) -> None:
    recipe = load(name)
    found = {key: recipe.own[key] if key in recipe.own else attribute(recipe, key) for key in SETTINGS[name]}
    assert found == SETTINGS[name]


def attribute(recipe: object, key: str) -> object:
    return getattr(recipe, key.replace(".", "_"))


def test_every_recipe_of_a_paper_is_looked_at() -> None:
    from perceptag.recipe.recipe_files import shipped

    of_papers = {
        name for name in shipped() if name.startswith(("collins-", "carreras-", "shen-")) or name.endswith("-paper")
    }
    assert of_papers == set(SETTINGS)
