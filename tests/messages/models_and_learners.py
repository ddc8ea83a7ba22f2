"""What is said of data, settings, templates, rules and learners that are given in Python by mistake."""

from __future__ import annotations

import dataclasses
import io
import math
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

from message_calls import checked, of
from message_calls import fit as training
from mistakes import CANNOT, GOOD, TAGS, labelled
from mistakes import fit as plain_fit
from outside_learners import GOOD as OWN
from outside_learners import fit as fit_own
from outside_learners import loop
from perceptag import (
    Recipe,
    Sentence,
    Setting,
    Span,
    Tagger,
    Tokenizer,
    WordClasses,
    compare,
    evaluate,
)
from perceptag.evaluation import top_confusions
from perceptag.features.template import parse, parse_all
from perceptag.learn import catalogue
from perceptag.learn.settings import MARGIN
from perceptag.text import from_tokens, read, write
from rule_toys import rule_span, trained
from toys import make_recipe

CRF = "crf"
SENTENCE = "expected a list of sentences, found"
TOKENS = "sentence 0: expected a list of tokens, found"
HUGE = 10**5000  # more digits than Python writes


class DataFrame:
    """A table as those of pandas and polars: a loop over it gives the names of columns."""

    columns = ("token", "label")
    shape = (2, 2)

    def to_dict(self, orient: str = "dict") -> None:
        """Exist, as in pandas."""

    def __iter__(self) -> Any:
        return iter(self.columns)


class Grouped:
    """Groups as of `df.groupby("sentence")`: pairs of a key and a frame."""

    ngroups = 1

    def __iter__(self) -> Any:
        yield 0, DataFrame()


@cache
def fitted(recipe: str = "collins-pos") -> Tagger:
    labels = [["B-X", "O"], ["O", "B-X"]] if recipe == CRF else TAGS
    return Tagger(recipe, epochs=1).fit(GOOD, labels)


def fit(X: object = GOOD, y: object = TAGS, **settings: object) -> Callable[[], object]:
    """Return a training."""
    return of(plain_fit, X, y, **settings)


def predicted(X: object, **named: object) -> Callable[[], object]:
    """Return a call of `Tagger.predict`."""
    return lambda: fitted().predict(X, **named)  # type: ignore[arg-type]


def changed(**columns: object) -> Sentence:
    """Return a sentence from a file, changed after it was read."""
    stream = io.StringIO("a D\nb N\nc V\n")
    stream.name = "a.txt"
    (sentence,) = read(stream, columns=["form", "label"])
    sentence.columns |= columns  # type: ignore[arg-type]
    return sentence


def span_marginals(spans: object) -> Callable[[], object]:
    """Return a question for the probabilities of spans."""
    return lambda: fitted(CRF).predict_span_marginals(GOOD[:1], spans)  # type: ignore[arg-type]


def ruled(message: str, *said: tuple[Any, ...]) -> tuple[Callable[[], object], str]:
    """Return a row about rules of spans for three tokens."""
    spans = [[rule_span(*one) for one in said]]
    return lambda: trained("perceptron", "IOB2").predict([["a", "b", "c"]], rules=spans), message


def own(message: str, **changes: object) -> tuple[Callable[[], object], str]:
    """Return a row about a learner of the user with something wrong."""
    return lambda: fit_own(learner=dataclasses.replace(OWN, **changes), allow_code=True), message  # type: ignore[arg-type]


ROWS = checked(
    [
        # the list of sentences
        (fit(None), f"{SENTENCE} None"),
        (fit("the dog"), f"{SENTENCE} 'the dog'"),
        (fit({"form": ["the"]}), f"{SENTENCE} {{'form'"),
        (fit(DataFrame()), f"{SENTENCE} a DataFrame; give df.groupby('sentence')['token']"),
        (fit(Grouped()), f"{SENTENCE} a Grouped; give df.groupby"),
        (fit({("the", "dog")}), f"{SENTENCE} a set, which has no order"),
        (fit(io.StringIO("the D\n")), f"{SENTENCE} an open file; perceptag.text.read(path)"),
        (fit([SimpleNamespace(read=str, readline=str)]), "found an open file"),
        (fit([], []), "no sentence to learn from"),
        (fit([[], []], [[], []]), "no sentence to learn from"),
        (fit(GOOD, TAGS[:1]), "expected 2 label lists, one for each sentence; found 1"),
        # a sentence
        (fit([["the", "dog"], "a cat"]), "sentence 1: expected a list of tokens, found 'a cat'"),
        (fit([1.5, ["a", "cat"]]), f"{TOKENS} 1.5"),
        (fit([DataFrame()]), f"{TOKENS} a DataFrame; give df['token'].tolist(), or df.to_dict('list')"),
        (fit([["a"], {"dog"}]), "sentence 1: expected a list of tokens, found a set, which has no order"),
        (fit([{"form": {"dog"}}]), "sentence 0: column 'form': expected a list of tokens, found a set"),
        (fit([io.BytesIO(b"the")]), f"{TOKENS} an open file"),
        (fit([{"the": "D"}]), "sentence 0: column 'the': expected a list of tokens, found 'D'"),
        (
            fit([["the", "dog"], {"form": ["a", "cat"], "pos": ["D"]}]),
            "sentence 1: expected columns of equal length, found {'form': 2, 'pos': 1}",
        ),
        (
            fit([[{"form": "a", "pos": "D"}, {"form": "b"}]], [["D", "N"]]),
            "sentence 0, token 1: expected the columns of the first token, ['form', 'pos'], found ['form']",
        ),
        (fit([Sentence({"form": "ab"})], [["D", "N"]]), "0: column 'form': expected a list of strings, found 'ab'"),
        (fit([Sentence(["a", "b"])], [["D", "N"]]), "sentence 0: columns: expected a dictionary of lists, found"),
        (of(from_tokens, "ab"), "expected a list of strings, found 'ab'"),
        (
            fit([Sentence({"form": ["a", "b"], "pos": ["X"]}, "a.txt", 7)], [["D", "N"]]),
            "a.txt:7: expected columns of equal length, found {'form': 2, 'pos': 1}",
        ),
        (
            predicted([changed(form=["a", "b"])]),
            "a.txt:1: expected columns of equal length, found {'form': 2, 'label': 3}",
        ),
        (predicted([changed(label=["X", 7, "Z"])]), "a.txt:2: column 'label': expected text, found 7"),
        (predicted([changed(form="abc")]), "a.txt:1: column 'form': expected a list of strings, found 'abc'"),
        (
            training("collins-pos", [changed(label=["X"])]),
            "a.txt:1: expected columns of equal length, found {'form': 3",
        ),
        (
            training("collins-pos", labelled("AB"), dev=[changed(label=["X"])]),
            "a.txt:1: expected columns of equal length",
        ),
        # a token
        (fit([["the", 5], ["a", "cat"]]), "sentence 0, token 1: column 'form': expected text, found 5"),
        (fit([["the", "dog"], [None, "cat"]]), "sentence 1, token 0: column 'form': expected text, found None"),
        (
            fit([["the", "dog"], ["a", "c\0t"]]),
            "sentence 1, token 1: column 'form': expected text, found NUL in 'c\\x00t'",
        ),
        (
            fit([["the", "d\ud800g"], ["a"]]),
            "sentence 0, token 1: column 'form': expected text, found a lone surrogate",
        ),
        (
            fit([{"form": ["a", "b"], "p\ud800s": ["X", "Y"]}], [["D", "N"]]),
            "0: name of a column: expected text, found a l",
        ),
        (fit([{"form": ["a", "b"], "pos": ["X", 7]}], [["D", "N"]]), "token 1: column 'pos': expected text, found 7"),
        (predicted([["the"], ["a", 3]]), "sentence 1, token 1: column 'form': expected text, found 3"),
        (lambda: fitted().explain(["a", 3]), "sentence 0, token 1: column 'form': expected text, found 3"),
        # labels
        (fit(GOOD, ["DN", "DN"]), "sentence 0: expected a list of labels, found 'DN'"),
        (fit(GOOD, "DN"), "expected a list of label lists, found 'DN'"),
        (fit(GOOD, DataFrame()), "expected a list of label lists, found a DataFrame; give df.groupby"),
        (fit(GOOD, [["D", "N"], {"D", "N"}]), "sentence 1: expected a list of labels, found a set, which has no order"),
        (fit(GOOD, [["D", "N"], ["D"]]), "sentence 1: expected 2 labels, one for each token; found 1"),
        (fit(GOOD, [["D", "N"], ["D", ""]]), "sentence 1, token 1: expected a label, found ''"),
        (fit(GOOD, [["D", math.nan], ["D", "N"]]), "sentence 0, token 1: expected a label, found nan"),
        (fit(GOOD, [["D", 1], ["D", "N"]]), "sentence 0, token 1: expected a label, found 1; labels are strings"),
        (fit(GOOD, [["D", "N\0"], ["D", "N"]]), "sentence 0, token 1: expected a label, found 'N\\x00'"),
        (fit(GOOD, [["D", "N"], ["D", "\ud800"]]), "sentence 1, token 1: expected a label, found '\\ud800'"),
        (
            training("collins-pos", labelled(["D", "\ud800"])),
            "token 1: column 'label': expected text, found a lone surrogate",
        ),
        (lambda: fitted().score([], []), "expected labels to evaluate, found none"),
        (training("auto", [["the", "dog"]]), "expected words and labels, found only one column (form)"),
        (
            training("auto", [*labelled("AB"), Sentence({"form": ["x"]})]),
            "sentence 1, token 0: expected labels in column 'label', found no such column",
        ),
        (training("auto", GOOD, TAGS, dev=(GOOD,)), "dev: expected (X, y) or a list of sentences, found 1"),
        (training("auto", labelled("AB"), dev=GOOD), "sentence 0, token 0: expected labels in column 'label'"),
        (training("auto", GOOD, TAGS, dev=([], [])), "no sentence to measure on (dev)"),
        (
            predicted(GOOD[:1], given=[["X", None]]),
            "sentence 0, token 0: given labels: unknown label 'X'; the model has",
        ),
        (predicted(GOOD[:1], given=[["", None]]), "sentence 0, token 0: expected a label or None, found ''"),
        (predicted(GOOD[:1], given=[["D"]]), "sentence 0: expected 2 labels, one for each token; found 1"),
        (predicted(GOOD[:1], given=[]), "expected 1 label lists, one for each sentence; found 0"),
        # files and arguments
        (lambda: fitted().save(None), "path: expected a path (a string or os.PathLike), found None"),  # type: ignore[arg-type]
        (lambda: fitted().save("a\0b"), "path: expected a path (a string or os.PathLike)"),
        (of(Tagger.load, None), "path: expected a path (a string or os.PathLike), found None"),
        (lambda: list(read(3, "jsonl")), "source: expected a path or an open stream, found 3"),  # type: ignore[arg-type]
        (of(write, [], None), "target: expected a path or an open stream, found None"),
        (fit(threads=0), "threads: expected a number from 1 to 1024, found 0"),
        (fit(threads="two"), "threads: expected a number from 1 to 1024, found 'two'"),
        (lambda: fitted().predict_nbest(GOOD, HUGE), f"n: expected a number from 1 to 1000000, found {CANNOT}"),
        (fit(GOOD, [["D", HUGE], ["D", "N"]]), f"token 1: expected a label, found {CANNOT}"),
        (fit([{HUGE: ["a"]}], [["D"]]), f"name of a column: expected text, found {CANNOT}"),
        (fit(epochs=HUGE), f"epochs: expected a whole number, found {CANNOT}"),
        # evaluation
        (of(evaluate, [["A"]], [["A"], ["B"]]), "predicted: expected 1 sentence as in gold, found 2"),
        (of(evaluate, TAGS, TAGS, seed=-1), "seed: expected a number from 0 to 18446744073709551615, found -1"),
        (of(evaluate, TAGS, TAGS, bootstrap=1.5), "bootstrap: expected a number from 0 to 1000000, found 1.5"),
        (of(evaluate, TAGS, TAGS, scheme=3), "scheme: expected one of"),
        (of(evaluate, TAGS, TAGS, tokens=GOOD, known=3), "known: expected a set of words, found 3"),
        (of(evaluate, "DN", "DN"), "gold: expected a list of label lists, found 'DN'"),
        (of(evaluate, TAGS, [["D", "N"], None]), "sentence 1: expected a list of labels, found None"),
        (of(evaluate, TAGS, [["D", "N"], ["D", 7]]), "sentence 1, token 1: predicted: expected strings, found 7"),
        (of(compare, TAGS, None, TAGS), "a: expected a list of label lists, found None"),
        (of(compare, TAGS, TAGS, TAGS, rounds=0), "rounds: expected a number from 1 to 10000000, found 0"),
        (of(top_confusions, TAGS, TAGS, 0.5), "n: expected a number from 0, found 0.5"),
        (span_marginals([[(0, 1, "X")]]), "spans: expected Span(start, end, label), found (0, 1, 'X') of sentence 0"),
        (span_marginals([[Span(0, HUGE, "X")]]), "spans: expected a span within sentence 0, which has 2 tokens, found"),
        (span_marginals(3), "spans: expected a list of spans for each sentence, found 3"),
        (of(evaluate, TAGS, TAGS, repair="conleval"), "did you mean 'conlleval'"),
        (of(evaluate, TAGS, TAGS, known=set()), "expected the argument tokens too"),
        (
            of(evaluate, TAGS, TAGS, known=set(), tokens=[["a"]] * 2),
            "sentence 0: token: expected 2 labels as in gold, foun",
        ),
        (of(evaluate, TAGS, TAGS, scheme="IOB3"), "expected one of IOB1, IOB2, IOBES, BILOU, BMES, auto, none"),
        (of(evaluate, TAGS, [["D", "N"], ["D"]]), "sentence 1: predicted: expected 2 labels as in gold, found 1"),
        (of(evaluate, ["O", "B-X"], ["O", "B-X"]), "sentence 0: expected a list of labels, found a string"),
        (of(evaluate, [[]], [[]]), "expected labels to evaluate, found none"),
        # word classes
        (of(WordClasses.learn, ["a b"], [2]), "sentences: expected lists of words, found 'a b'"),
        (of(WordClasses.learn, [["a", ""]], [2]), "expected words, each a string"),
        (of(WordClasses.learn, [], [2]), "the text has no words"),
        (of(WordClasses.learn, TAGS, [1]), "sizes: expected whole numbers from 2 to 8192, found 1"),
        (of(WordClasses.learn, TAGS, [800]), "sizes: expected at most 2"),
        (of(WordClasses.learn, TAGS, [2], fold=["upper"]), "fold: expected digits, lower or case"),
        (of(WordClasses.learn, TAGS, [2], min_count=0), "min_count: expected a whole number from 1, found 0"),
        (of(WordClasses.learn, TAGS, [2], passes=2.5), "passes: expected a whole number from 1, found 2.5"),
        (of(WordClasses.learn, TAGS, [2], threads=True), "threads: expected a whole number from 1, found True"),
        (of(WordClasses.load, 3), "path: expected a path"),
        # watching a training
        (fit(verbose="yes"), "verbose: expected 0 or 1, found"),
        (lambda: Tagger().fit(GOOD, TAGS, callbacks=[3]), "callbacks: expected a list of functions, found"),  # type: ignore[list-item]
        # rules about spans
        ruled(
            "rule 'one' forces X at tokens 0 to 1, but rule 'two' forces Y at tokens 1 to 2",
            (0, 2, "X", "force", "one"),
            (1, 3, "Y", "force", "two"),
        ),
        ruled("rule 'odd': expected a label of the model (X, Y), found 'XY'", (0, 1, "XY", "suggest", "odd", 1.0)),
        ruled("rule 'long': expected a span within 3 tokens, found 2 to 4", (2, 4, "X", "force", "long")),
        ruled("rule 'd': expected one of force, forbid, suggest, found 'demand'", (0, 1, "X", "demand", "d")),
        ruled("rule 'n': expected a weight within 1000, found nan", (0, 1, "X", "suggest", "n", math.nan)),
        (predicted(GOOD, given=[[None] * 2] * 2, rules=[[], []]), "expected rules or given labels, found both"),
        (predicted(GOOD[:1], rules=[[], []]), "rules: expected a list for each of 1 sentences, found 2"),
        # recipes and settings
        (fit(recipe="colins-pos"), "unknown recipe 'colins-pos'; did you mean 'collins-pos'?"),
        (fit(recipe=3), "recipe: expected a name, a path or a Recipe, found 3"),
        (fit(recipe="no/such.toml"), "recipe no/such.toml: cannot read: No such file or directory"),
        (fit(epoch=3), "unknown recipe key 'epoch'; did you mean 'epochs'?"),
        (lambda: Recipe().replace({3: 1}), "settings: expected names of recipe keys, found 3"),  # type: ignore[dict-item]
        (fit(epochs=0), "epochs: expected a number from 1 to 2147483647, found 0"),
        (fit(shuffle="maybe"), "shuffle: expected true or false, found 'maybe'"),
        (
            fit(weights="average"),
            "weights: expected one of averaged, last, voted, best, found 'average'; did you mean",
        ),
        (fit(learner="margin", weights="voted"), "weights: learner 'margin': expected averaged or last, found 'voted'"),
        (
            fit(recipe=CRF, crf_sigma2=1e-310),
            "crf.sigma2: expected 0 or a number from 1e-100 to 2147483647, found 1e-310",
        ),
        (
            fit(learner="pa", online_type="PA-III"),
            "online.type: expected one of PA, PA-I, PA-II, found 'PA-III'; did you",
        ),
        (fit(learner="pa", online_c=0), "online.c: expected a number above 0, up to 2147483647, found 0"),
        (fit(nonlocal_features=["phrase"]), "nonlocal.features: learner 'perceptron' does not use it; ascent, "),
        (fit(functions={"f": len}), "functions: learner 'perceptron' has no non-local features"),
        (fit(groups=["a=" + "9" * 5000]), "groups: expected different names"),
        (fit(gazetteer=["city"]), "expected class=file, class~=file, 'train' or 'train~', found 'city'"),
        (fit(gazetteer=["city=no/such"]), "no/such: cannot read"),
        (
            training("auto", labelled("AB"), labels_column="ner"),
            "labels.column: expected one of form, label, found 'ner'",
        ),
        (
            fit(labels_keep=["NP"]),
            "labels.keep: expected chunks (IOB1, IOB2 or IOBES) in column 'label', found other labels",
        ),
        (
            fit(GOOD, [["B-X", "O"]] * 2, labels_keep=["Y"]),
            "labels.keep: expected chunks of type 'Y' in column 'label'",
        ),
        (training("collins-pos", GOOD, [["B-X", "I-X"], ["O", "I-X"]], constrain=True), "sentence 1, token 1: "),
        (
            training("collins-hmm", [[f"w{i}" for i in range(1700)]], [[f"L{i}" for i in range(1700)]]),
            "at most 1624 labels; the data has 1700",
        ),
        # columns, templates and code of the user
        (
            training("collins-np", GOOD, TAGS),
            "expected a column of the data (form; --columns names them) or an attribute",
        ),
        (fit(recipe=Recipe()), "at least one template"),
        (of(parse, "form"), "expected a field such as 'form[0]'"),
        (of(parse, "form[21]"), "expected an offset from -20 to 20, found 21"),
        (of(parse, "bias form[0]"), "expected a field such as 'form[0]' or 'suffix3[-1]', found 'bias'"),
        (of(parse, "form[0] * y0 y-1"), "some of y-2, y-1, y+1, y+2 in this order, then y0, found 'y0 y-1'"),
        (of(parse_all, ["form[0] " * 1000]), "expected at most 4096 characters, found 8000"),
        (
            fit(recipe=make_recipe(templates=("mine[0]",)), attributes={"mine": len}),
            "attribute: expected a string, several",
        ),
        (fit(attributes=[1]), "attributes: expected a dictionary of names and functions, found [1]"),
        (fit(attributes={"mine": 3}), "attributes: expected a dictionary of names and functions, found {'mine': 3}"),
        (fit(functions=0), "functions: expected a dictionary of names and functions, found 0"),
        # tokenisers
        (of(Tokenizer("pos").fit, []), "expected one for tokenisers"),
        (of(Tokenizer(), "text"), "this tokeniser has no model yet"),
        (of(Tokenizer().fit, [["a"]]), "train: expected sentences of CoNLL-U"),
        (of(Tokenizer().fit, 3), "train: expected a path or sentences"),
        (of(Tokenizer().fit, []), "there is no sentence to learn from"),
        # learners of the user
        (
            of(fit_own, learner="no_such_module:LEARNER", allow_code=True),
            "cannot import 'no_such_module:LEARNER'",
        ),
        (of(fit_own, learner="my_learner:", allow_code=True), "learner: expected module:NAME, found 'my_learner:'"),
        (of(fit_own, learner=3), "learner: expected a string, found 3"),
        own("the name 'perceptron' belongs to a learner of perceptag; choose another name", name="perceptron"),
        own("the setting 'epochs' belongs to perceptag; expected another", settings=(Setting("epochs", 3, "passes"),)),
        own("the setting 'margin' belongs to perceptag", settings=(dataclasses.replace(MARGIN, default=3.0),)),
        own(
            "which is in perceptag.learn.catalogue()['guided']",
            kind="guided",
            settings=(Setting("beam", 5, "of mine"),),
        ),
        own(
            "setting 'good.rate': neither epoch nor state takes it", settings=(Setting("good.rate", 3, "of something"),)
        ),
        own("weights: expected some of averaged, last, voted, found", weights=("first",)),
        own("epoch: expected a function that runs one pass, found None", epoch=None),
        own("there is no kind of model 'liner'; did you mean 'linear'", kind="liner"),
        own("problem: expected one of sequences, lists, found 'lots'", kind="nonlocal", problem="lots"),
        own("problem: expected one of score of the first model, local features", kind="rerank", problem="lots"),
        own("problem: expected none for the kind 'linear', found 'lists'", problem="lists"),
        own("models of kind 'maxent' have an optimiser and take no loop; expected one of linear, ", kind="maxent"),
        own(
            "models of kind 'guided' have no voted weights; expected some of",
            kind="guided",
            weights=("averaged", "voted"),
        ),
        own("its loop failed: TypeError: ", epoch=lambda this, more: loop(this)),
        own("its loop: expected Errors as the result", epoch=lambda this: None),
        own("for every sequence, found 3", epoch=lambda this: 3),
        own("its loop: expected a call of weights.tick()", epoch=lambda this: this.errors),
        own("state: expected an object with arrays() and restore(), found 3", state=lambda weights: 3),
        own("Learner: name: expected a string, found ''", name=""),
        own("Learner: kind: expected a string, found 3", kind=3),
        own("Learner: source: expected a string", source=" "),
        own("epoch: expected a function, found 3", epoch=3),
        own("settings: expected a tuple of Setting", settings=[Setting("a", 1, "")]),
        own("settings: expected a tuple of Setting", settings=("a",)),
        own("setting 'a': expected a default that is a number", settings=(Setting("a", [1], ""),)),
        (
            of(fit_own, learner=dataclasses.replace(catalogue()["maxent"], name="good", weights=("averaged",))),
            "learner 'good': kind: models of kind 'maxent' have an optimiser and take no loop",
        ),
    ]
)
