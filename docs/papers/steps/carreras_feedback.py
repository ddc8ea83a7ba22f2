"""One sentence, visited until it is recognised. All numbers come from `reference.chunker`."""

from __future__ import annotations

from collections import Counter

from papers.steps.show import CHANGED, CHOSEN, RIGHT, Cell, Step, Table, number, signed, sum_of
from reference.chunker import Left, Phrase, PhraseChunker, is_candidate, recognise
from reference.kernel import Instance, VotedPerceptron

WORDS = ["Florence", "Lee", "left", "Florence"]
CATEGORIES = ["PER", "LOC"]
GOLD: set[Phrase] = {(0, 1, 0), (3, 3, 1)}
BIAS = "always"


def word(i: int) -> Instance:
    """Two features: the word, and whether it has a capital."""
    return frozenset({WORDS[i], "Capital" if WORDS[i][0].isupper() else "small"})


def phrase(s: int, e: int, _: Left = ()) -> Instance:
    """The words of the phrase, and how many there are."""
    return frozenset({*WORDS[s : e + 1], f"length {e - s + 1}"})


def functions(chunker: PhraseChunker) -> dict[str, VotedPerceptron]:
    return {"begin": chunker.begin, "inside": chunker.inside, **dict(zip(CATEGORIES, chunker.scores, strict=True))}


def weights(function: VotedPerceptron) -> Counter[str]:
    """A kernel of degree 1 is |x ∩ x'| + 1: one weight for each feature, and one that always counts."""
    found: Counter[str] = Counter()
    for instance, sign in zip(function.instances, function.signs, strict=True):
        for feature in (BIAS, *instance):
            found[str(feature)] += sign
    return found


def addition(function: VotedPerceptron, instance: Instance) -> str:
    """The weights that a score is the sum of, without zeros."""
    known = weights(function)
    parts = [known[feature] for feature in (BIAS, *sorted(map(str, instance))) if known[feature]]
    return f"({sum_of(parts)})" if len(parts) > 1 else ""


def steps() -> list[Step]:
    """Two steps for each visit, what is recognised and what is learned from it, until nothing is wrong."""
    chunker = PhraseChunker(len(CATEGORIES), degree=1, context="none", width=0)
    shown = [start()]
    for visit in range(1, 10):
        shown.append(recognition(chunker, visit))
        before = {name: len(function.instances) for name, function in functions(chunker).items()}
        predicted = chunker.learn_sentence([word(i) for i in range(len(WORDS))], phrase, GOLD)
        if predicted == GOLD:
            return shown
        shown.append(feedback(chunker, visit, before, predicted))
    raise AssertionError("the sentence is not learned")


def start() -> Step:
    return Step(
        "One sentence, four functions",
        [
            "“Florence Lee” (words 0 and 1) is a person, the second “Florence” (word 3) is a place.",
            "Two filters look at words (**begin**, **inside**), two scorers at phrases (**PER**, **LOC**). All start "
            "at zero.",
            "A word has two features: itself, and whether it has a capital. A phrase has its words, each once, and its "
            f"length. One more weight always counts (“{BIAS}”). A score is the sum of the weights that apply.",
        ],
        [Table("The sentence", ["", *numbered_words()], [["gold", "PER", "PER", "", "LOC"]])],
    )


def numbered_words() -> list[str]:
    return [f"{i} {w}" for i, w in enumerate(WORDS)]


def named(s: int, e: int) -> str:
    return " ".join(WORDS[s : e + 1]) + (f" ({s})" if WORDS.count(WORDS[s]) > 1 and s == e else "")


def recognition(chunker: PhraseChunker, visit: int) -> Step:
    """Both layers: which words may begin or continue a phrase, what the candidates score, which are chosen."""
    n = range(len(WORDS))
    begin, inside = ([f.score(word(i)) for i in n] for f in (chunker.begin, chunker.inside))

    def score(s: int, e: int, _: Left) -> list[int]:
        return [f.score(phrase(s, e)) for f in chunker.scores]

    best = recognise(begin, inside, score)[-1]
    found = [(s, e) for s in n for e in n[s:] if is_candidate(s, e, begin, inside)]
    return Step(
        f"Visit {visit}: recognise",
        [first_layer(len(found)), second_layer(len(found), best.phrases, best.score)],
        [filter_table(chunker), *([candidate_table(chunker, found, best.phrases)] if found else [])],
    )


def first_layer(candidates: int) -> str:
    if not candidates:
        return "A filter says yes if its score is above 0. Nowhere may a phrase begin, so there are no candidates."
    if candidates == len(WORDS) * (len(WORDS) + 1) // 2:
        return f"Every word may begin and continue a phrase: all {candidates} phrases are candidates."
    return f"A candidate is a begin word, followed by inside words: there are {candidates} now."


def second_layer(candidates: int, chosen: tuple[Phrase, ...], total: float) -> str:
    if not candidates:
        return "Nothing is recognised: two phrases are missed."
    if not chosen:
        return "No phrase has a score above 0, and the empty set has 0: nothing is recognised."
    right = "This is gold: nothing is left to learn." if set(chosen) == GOLD else "This is not gold."
    return f"The set of phrases without overlap that has the largest sum (★) has {number(total)}. {right}"


def filter_table(chunker: PhraseChunker) -> Table:
    def answer(function: VotedPerceptron, i: int) -> Cell:
        value = function.score(word(i))
        verdict = "yes" if value > 0 else "no"
        return Cell(number(value), RIGHT if value > 0 else "", f"{addition(function, word(i))} {verdict}".strip())

    asked = {"begin?": chunker.begin, "inside?": chunker.inside}
    rows = [[name, *(answer(f, i) for i in range(len(WORDS)))] for name, f in asked.items()]
    return Table("First layer", ["", *numbered_words()], rows)


def candidate_table(chunker: PhraseChunker, found: list[tuple[int, int]], chosen: tuple[Phrase, ...]) -> Table:
    def scored(s: int, e: int, k: int) -> Cell:
        function, is_chosen = chunker.scores[k], (s, e, k) in chosen
        note = f"{addition(function, phrase(s, e))} {'★' * is_chosen}".strip()
        return Cell(number(function.score(phrase(s, e))), CHOSEN if is_chosen else "", note)

    rows = [[named(s, e), *(scored(s, e, k) for k in range(len(CATEGORIES)))] for s, e in found]
    return Table("Second layer: candidates and their scores", ["phrase", *CATEGORIES], rows)


def feedback(chunker: PhraseChunker, visit: int, before: dict[str, int], predicted: set[Phrase]) -> Step:
    """What was wrong, who is to blame, and the weights afterwards."""
    moved = {name: f.signs[before[name] :] for name, f in functions(chunker).items()}
    wrong = [
        *(f"**Missed**: {named(s, e)} as {CATEGORIES[k]}." for s, e, k in sorted(GOLD - predicted)),
        *(f"**Too much**: {named(s, e)} as {CATEGORIES[k]}." for s, e, k in sorted(predicted - GOLD)),
    ]
    return Step(
        f"Visit {visit}: feedback",
        [" ".join(wrong), explanation(moved, predicted)],
        [blame_table(chunker, before), *weight_tables(chunker, before)],
    )


def explanation(moved: dict[str, list[int]], predicted: set[Phrase]) -> str:
    if not predicted and (moved["begin"] or moved["inside"]):
        return (
            "The first layer let nothing through, so it is to blame: words that should begin or continue a phrase are "
            "added to the filters. The scorers were never asked, and do not move."
        )
    if not predicted:
        return "The filters let both phrases through. Their scores were too low: only the scorers move."
    if moved["begin"]:
        return (
            "A wrong phrase lowers its scorer. If it begins where no gold phrase begins, the begin filter is to blame "
            "as well."
        )
    return "The bounds are right, a category is wrong: its scorer goes down, the right one goes up, no filter moves."


def blame_table(chunker: PhraseChunker, before: dict[str, int]) -> Table:
    rows = [
        [name, Cell(signed(sign), CHANGED), ", ".join(sorted(map(str, instance)))]
        for name, f in functions(chunker).items()
        for instance, sign in zip(f.instances[before[name] :], f.signs[before[name] :], strict=True)
    ]
    return Table("Who moves", ["function", "by", "these features"], rows)


def weight_tables(chunker: PhraseChunker, before: dict[str, int]) -> list[Table]:
    """All weights that are not zero, of the filters and of the scorers."""
    tables = []
    for caption, names in (("Weights of the filters", ("begin", "inside")), ("Weights of the scorers", CATEGORIES)):
        now = {name: weights(functions(chunker)[name]) for name in names}
        then = {name: weights(clipped(functions(chunker)[name], before[name])) for name in names}
        known = sorted({f for some in now.values() for f in some}, key=lambda f: (f != BIAS, f))
        cells = [[f, *(Cell(number(now[n][f]), *change(now[n][f] - then[n][f])) for n in names)] for f in known]
        if cells:
            tables.append(Table(caption, ["feature", *names], cells))
    return tables


def clipped(function: VotedPerceptron, count: int) -> VotedPerceptron:
    """The function as it was when it had this many instances."""
    return VotedPerceptron(function.degree, function.instances[:count], function.signs[:count])


def change(by: int) -> tuple[str, str]:
    return (CHANGED, f"({signed(by)})") if by else ("", "")
