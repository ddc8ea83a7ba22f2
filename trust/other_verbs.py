"""Bad inputs for the verbs other than `train` and `tag`: what is given, and what the message must say.

A case is the words of a command, where BAD stands for the bad file, and a pattern. All other files are good.
"""

from __future__ import annotations

from collections.abc import Iterator

COLUMNS = ("--columns", "form,pos,chunk")
SEARCH = (*COLUMNS, "-q", "-r", "collins-np", "--set", "epochs=1", "-j", "1")

Words = tuple[str, ...]
Bad = tuple[str, str, bytes, Words, str]  # what it is, name and content of the file, words, message

# Where the verbs read sentences.
TEXT: dict[str, Words] = {
    "eval": ("eval", "-m", "good.model", *COLUMNS, "BAD"),
    "predicted, gold": ("eval", *COLUMNS, "BAD", "good.txt"),
    "predicted": ("eval", *COLUMNS, "good.txt", "BAD"),
    "compare": ("compare", *COLUMNS, "BAD", "good.txt", "good.txt"),
    "compare, first": ("compare", *COLUMNS, "good.txt", "BAD", "good.txt"),
    "compare, second": ("compare", *COLUMNS, "good.txt", "good.txt", "BAD"),
    "explain": ("explain", "-m", "good.model", *COLUMNS, "-i", "BAD", "--sentence", "2"),
    "tune": ("tune", *SEARCH, "--train", "BAD", "--dev", "good.txt", "-o", "new.toml"),
    "tune, dev": ("tune", *SEARCH, "--train", "good.txt", "--dev", "BAD", "-o", "new.toml"),
    "ablate": ("tune", "--ablate", *SEARCH, "--train", "BAD", "--dev", "good.txt"),
    "ablate, dev": ("tune", "--ablate", *SEARCH, "--train", "good.txt", "--dev", "BAD"),
}
BAD_TEXT: dict[str, tuple[bytes, str]] = {
    "too few columns": (b"The DT B-NP\ndog NN\n", r"bad\.txt:2: expected 3 columns .*found 2"),
    "an empty field": (b"The\tDT\tB-NP\ndog\t\tI-NP\n", r"bad\.txt:2: expected a value in column 'pos'"),
    "invalid UTF-8": (b"The DT B-NP\nd\xffg NN I-NP\n", r"bad\.txt:2: invalid UTF-8"),
    "NUL": (b"The DT B-NP\nd\0g NN I-NP\n", r"bad\.txt:2: NUL character"),
    "nothing": (b"", r"bad\.txt: there is no sentence"),
}

# Where they read models, and recipes.
MODEL: dict[str, Words] = {
    "eval": ("eval", "-m", "BAD", *COLUMNS, "good.txt"),
    "explain": ("explain", "-m", "BAD", "dog/NN"),
    "inspect": ("inspect", "BAD"),
    "inspect as JSON": ("inspect", "BAD", "--json"),
}
RECIPE: dict[str, Words] = {
    "tune": ("tune", *SEARCH, "-r", "./BAD", "--train", "good.txt", "--dev", "good.txt", "-o", "new.toml"),
    "ablate": ("tune", "--ablate", *SEARCH, "-r", "./BAD", "--train", "good.txt", "--dev", "good.txt"),
}
BAD_RECIPES: dict[str, tuple[bytes, str]] = {
    "not TOML": (b"epochs = [", r"bad\.toml"),
    "NUL": (b"epochs = 1\0", r"bad\.toml"),
    "an unknown key": (b"epoch = 3", "unknown recipe key 'epoch'; did you mean 'epochs'"),
    "a template cut off": (b"templates = ['form[0', 'pos[0]']", r"template 'form\[0'"),
    "code": (b"templates = ['x[0]', 'form[0]']\nattributes = ['x=os:system']", "is code of your own"),
}
TUNE = ("tune", *SEARCH, "--train", "good.txt", "--dev", "good.txt", "-o", "new.toml")
ABLATE = ("tune", "--ablate", *SEARCH, "--train", "good.txt", "--dev", "good.txt")
EVAL = ("eval", "-m", "good.model", *COLUMNS, "good.txt")
PREDICTED = ("eval", *COLUMNS, "good.txt", "good.txt")
COMPARE = ("compare", *COLUMNS, "good.txt", "good.txt", "good.txt")
EXPLAIN = ("explain", "-m", "good.model")
CLASSES = ("classes", "good.txt", "-q", "--overwrite")  # the old model is not a file of classes

# Wrong words, with good files.
WORDS: dict[str, tuple[Words, str]] = {
    "eval: no such file": (("eval", "-m", "good.model", *COLUMNS, "none"), "none: cannot read"),
    "eval: no such model": (("eval", "-m", "none", *COLUMNS, "good.txt"), "none: expected a file, or the name"),
    "eval: scheme": ((*EVAL, "--scheme", "x"), "--scheme: expected one of"),
    "eval: repair": ((*EVAL, "--repair", "x"), "--repair: expected one of"),
    "eval: threads": ((*EVAL, "-j", "9999"), "--threads"),
    "eval: label": ((*EVAL, "--label", "no"), "there is no column 'no'"),
    "eval: format": ((*EVAL, "-f", "xml"), "format: expected"),
    "eval: fail below a word": ((*EVAL, "--fail-below", "x"), "--fail-below"),
    "eval: fail below NaN": ((*EVAL, "--fail-below", "nan"), "fail-below"),
    "predicted: label": ((*PREDICTED, "--label", "q"), "there is no column 'q'"),
    "predicted: no such file": (("eval", *COLUMNS, "good.txt", "none"), "none: cannot read"),
    "predicted: fail below NaN": ((*PREDICTED, "--fail-below", "nan"), "fail-below"),
    "compare: two files": (("compare", *COLUMNS, "good.txt", "good.txt"), "PRED_B"),
    "compare: fail below NaN": ((*COMPARE, "--fail-below", "nan"), "fail-below"),
    "classes: no output": (CLASSES, "--output"),
    "classes: sizes": ((*CLASSES, "-o", "old.model", "--sizes", "x"), "--sizes: expected whole numbers"),
    "classes: too many": (
        (*CLASSES, "--format", "columns", "-o", "old.model", "--min-count", "1"),
        "sizes: expected at most .*found 800",
    ),
    "classes: output is input": ((*CLASSES, "-o", "good.txt"), r"good\.txt is also an input"),
    "classes: no such folder": ((*CLASSES, "-o", "none/m"), "none/m: cannot write"),
    "classes: no such text": (("classes", "none", "-o", "old.model", "--overwrite"), "none: cannot read"),
    "classes: fold": ((*CLASSES, "-o", "old.model", "--fold", "x"), "--fold: expected digits, lower or case"),
    "classes: min count": ((*CLASSES, "-o", "old.model", "--min-count", "0"), "--min-count"),
    "explain: no words": (EXPLAIN, "expected tokens .* found neither"),
    "explain: no token": ((*EXPLAIN, ""), "expected at least one token, found none"),
    "explain: both": ((*EXPLAIN, "dog/NN", "-i", "good.txt"), "expected tokens .* found both"),
    "explain: a column too few": ((*EXPLAIN, "dog"), "expected each token as form/pos, .*found 'dog'"),
    "explain: no such token": ((*EXPLAIN, "dog/NN", "--token", "5"), "--token: expected a number from 1 to 1, found 5"),
    "explain: no such sentence": ((*EXPLAIN, "-i", "good.txt", *COLUMNS, "--sentence", "9"), "no sentence number 9"),
    "explain: no order": ((*EXPLAIN, "dog/NN", "--order"), "the order of inference: not offered"),
    "explain: top": ((*EXPLAIN, "dog/NN", "--top", "-1"), "--top"),
    "inspect: a folder": (("inspect", "."), ".: cannot read: Is a directory"),
    "inspect: no model": (("inspect",), "missing argument: MODEL"),
    "inspect: no such model": (("inspect", "none"), "none: expected a file, or the name"),
    "inspect: top": (("inspect", "good.model", "--top", "-1"), "--top"),
    "tune: no such recipe": ((*TUNE, "-r", "none"), "unknown recipe 'none'"),
    "tune: trials": ((*TUNE, "--trials", "0"), "--trials"),
    "tune: a setting": ((*TUNE, "--set", "epoch=1"), "unknown recipe key 'epoch'"),
    "tune: output is not TOML": ((*TUNE, "-o", "old.txt"), r"expected a name that ends in \.toml"),
    "tune: no such folder": ((*TUNE, "-o", "none/new.toml"), "cannot write"),
    "tune: jobs": ((*TUNE, "-j", "-1"), "--jobs: expected"),
    "ablate: no such recipe": ((*ABLATE, "-r", "none"), "unknown recipe 'none'"),
    "ablate: a setting": ((*ABLATE, "--set", "epochs=x"), "epochs: expected a whole number"),
    "reproduce: no such paper": (("reproduce", "nobody", "--data", "shipped"), "expected one of .*found 'nobody'"),
    "reproduce: no data": (("reproduce", "collins2002"), "missing option: --data"),
    "reproduce: a file": (("reproduce", "collins2002", "--data", "good.txt", "-o", "new"), "expected a folder"),
    "reproduce: no such folder": (("reproduce", "collins2002", "--data", "none", "-o", "new"), "expected a folder"),
    "reproduce: out is a file": (
        ("reproduce", "collins2002", "--data", "shipped", "-o", "old.txt"),
        r"--output: expected a folder, found a file: old\.txt",
    ),
    "reproduce: jobs": (("reproduce", "collins2002", "--data", "shipped", "-o", "new", "-j", "-1"), "--jobs: expected"),
    "recipes: no such recipe": (("list", "nope"), "unknown recipe 'nope'"),
    "recipes: no such file": (("list", "./none.toml"), r"none\.toml"),
    "recipes: a folder": (("list", "./"), "recipe"),
    "recipes: two": (("list", "pos", "ner"), "unexpected extra argument"),
    "demo: an option": (("demo", "--what"), "no such option"),
    "no such verb": (("tags",), "no such command 'tags'"),
}


def every() -> Iterator[Bad]:
    """Yield all cases."""
    for verb, words in TEXT.items():
        for what, (data, message) in BAD_TEXT.items():
            yield f"{verb}: {what}", "bad.txt", data, words, message
    for verb, words in MODEL.items():
        for what, data in {"an empty model": b"", "a text as model": b"The DT B-NP\n"}.items():
            yield f"{verb}: {what}", "bad.model", data, words, r"bad\.model: .*not a perceptag model"
    for verb, words in RECIPE.items():
        for what, (data, message) in BAD_RECIPES.items():
            yield f"{verb}: recipe with {what}", "bad.toml", data, words, message
    yield "recipes: not TOML", "bad.toml", b"x = [", ("list", "./BAD"), r"bad\.toml"
    journal = b'{"perceptag": "0"}\n'
    yield "tune: another journal", "new.journal", journal, TUNE, r"new\.journal: expected a journal of this work"
    yield "tune: not a journal", "new.journal", b"nonsense\n", TUNE, r"found plain text: new\.journal"
    for name, (words, message) in WORDS.items():
        yield name, "bad.txt", b"", words, message
