"""Settings shared by several learners; each learner lists those it uses."""

from __future__ import annotations

from perceptag.learn.learner import Setting

MAX_NBEST = 100_000
MAX_SNAPSHOTS = 10_000
MAX_BEAM = 1000
LEAST_VARIANCE = 1e-100  # so that quotients stay finite

MARGIN = Setting(
    "margin",
    0.0,
    "C: by how much the gold labelling must win (C^a where there are two)",
    least=0,
    arguments=("C", "C_all"),
    in_steps=True,
)
BPM = Setting(
    "bpm", 0, "start from the mean of this number of one-pass runs over shuffled data; 0: start from zero", least=0
)
NBEST = Setting("nbest", 20, "n: the length of the lists in training", least=2, most=MAX_NBEST, arguments=("k",))

DROPOUT = Setting(
    "dropout",
    0.0,
    "leave out this share of the features at every token, other ones in each pass; 0: none",
    least=0,
    most=0.95,
)

ORDERS = Setting(
    "orders",
    1,
    "learn the data in this number of orders, with weights of their own; the model is their mean",
    least=1,
    most=100,
    indispensable=True,
)

# --- shards ---

MOST_SHARDS = 10_000
SHARDS = Setting(
    "shards",
    1,
    "cut the data into this number of shards that learn on their own (crf: whose gradients are added); 0: 8 for 50,000 "
    "tokens or more, else 1",
    least=0,
    most=MOST_SHARDS,
    indispensable=True,
)
# --- steps that are real numbers ---

ONLINE_C = Setting(
    "online.c", 1.0, "C: the largest step (PA-I, mira), or how much it is shortened (PA-II)", above=0, arguments=("C",)
)
ONLINE_COST = Setting(
    "online.cost",
    "sqrt",
    "the cost of a wrong labelling: the root of its wrong labels, their number, or one",
    choices=("sqrt", "hamming", "one"),
)

# --- features of whole documents ---

MARGIN_LOCAL = Setting(
    "margin_local",
    -1.0,
    "C^l of the local model; negative: the same as margin",
    arguments=("C_local",),
    in_steps=True,
    negative_means="margin",
)
DOCUMENT = (
    NBEST,
    Setting("nbest_tagging", 100, "n': the length of the lists in tagging", least=1, most=MAX_NBEST),
    BPM,
    Setting("nonlocal.features", (), "built-in features of whole documents", indispensable=True),
    Setting("nonlocal.functions", (), 'features of your own: "name=module:function"', indispensable=True),
    Setting(
        "nonlocal.view",
        "document",
        "a candidate is judged by the features of its document, or of its own sentence",
        choices=("document", "sentence"),
    ),
    Setting("nonlocal.scale", 1.0, "factor on the values of non-local features", least=0),
)


def variance_of_prior(key: str, default: float) -> Setting:
    """Return the variance of a Gaussian prior on the weights."""
    text = "variance of the Gaussian prior on the weights; 0: no prior"
    return Setting(key, default, text, least=0, smallest=LEAST_VARIANCE)
