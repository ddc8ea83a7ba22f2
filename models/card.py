"""The model card of `en`: data, licences, figures, known weaknesses with what the model makes of them."""

from __future__ import annotations

from pathlib import Path

import perceptag
from models.figures import MEAN, Figures

DATA = """
| for | data | licence |
|---|---|---|
| tokens, sentences | Universal Dependencies English Web Treebank (EWT), GUM; made-up sentences with abbreviations, \
initials, file names and lists | CC BY-SA 4.0; GUM as below |
| parts of speech | EWT | CC BY-SA 4.0 |
| | GUM, nine genres whose texts are open | annotations CC BY 4.0; texts CC BY, CC BY-SA or public domain |
| names | Universal NER, English Web Treebank (UNER) | CC BY-SA 4.0 |
| | Broad Twitter Corpus (BTC) | CC BY 4.0 |
| | Tweebank NER | Apache-2.0 |
| | Wikigold | CC BY 4.0 |
| | Re-DocRED, CrossNER (text of Wikipedia) | annotations MIT; text CC BY-SA 3.0 |
| word classes | 25 million words: Wikinews (CC BY 2.5), Tatoeba (CC BY 2.0 FR), biographies of Wikipedia, Wikivoyage, \
AMALGUM (CC BY-SA 3.0), eLife digests (CC BY, CC0), blogs of the US government, opinions of the US Supreme Court, \
speeches of US presidents (public domain), Ubuntu IRC (CC BY 4.0), Common Voice (CC0), MASC (open) | as named |
| lists of names | US census, Popular names by country, OpenFootball, US legislators, ROR, Corpora (public domain, \
CC0), GeoNames (CC BY 4.0), CLDR (Unicode), lists of companies (PDDL), universities (MIT) | as named |
"""
# Examples of what the model is known to get wrong, and why. The card shows what it makes of them.
WEAKNESSES = {
    "Small organisations that are neither in a list nor in the plain text are missed without a hint such as Inc.": (
        "Call Norvik Partners about the lease."
    ),
    "The parties of a lawsuit are one name.": "See Miranda v. Orange County, 512 U.S. 44 (1994).",
    "Drugs and other products are sometimes taken for names.": "He was switched from Ativan to Klonopin.",
    "Teams that are called by their city are taken for the city.": "Chicago beat Boston in overtime.",
    "Names that are also common words are missed in lower case.": "will told mark that rose is late",
    "Long names of organisations are cut at commas.": (
        "She joined the Bureau of Alcohol, Tobacco, Firearms and Explosives."
    ),
    "In headlines with capitals everywhere, ordinary words are taken for names.": "How to Cook Rice Like a Chef",
}


def summary(figures: Figures) -> str:
    """Return the figures in one line, for the list of models."""
    [raw] = figures["running text, F1"].values()
    names = figures["names in gold tokens, F1"]
    shown = ", ".join(f"{name} {value:.2f}" for name, value in raw.items())
    mean = ", ".join(f"{case} {value:.1f}" for case, value in names[MEAN].items())
    return f"EWT dev from raw text, F1: {shown}; names, mean of {len(names) - 1} corpora: {mean}"


def text(figures: Figures, model: Path) -> str:
    """Return the card."""
    tables = "\n".join(f"### {what[:1].upper()}{what[1:]}\n\n{_table(rows)}" for what, rows in figures.items())
    english = perceptag.load(model)
    weak = "\n".join(f"- {why} `{example}`: {_found(english, example)}" for why, example in WEAKNESSES.items())
    return f"""# Model card of `en`

English text: sentences, tokens, words, parts of speech (`upos`, `xpos`), names of persons, organisations and places
(`ner`: PER, ORG, LOC), and by rules dates, times, amounts, numbers and addresses with their values (`values`). Averaged
perceptrons, trained by perceptag; `make models` builds the file from the data, byte for byte. The licence of the model
is CC BY-SA 4.0. It contains counts, weights, word classes and lists of names, but no sentences.

## Data
{DATA}
**Do not judge it by UD English GUM.** Of the 30 documents of the official test split of GUM, 16 are training data of
the tokeniser and of the parts of speech, and 2 are among the dev data of the parts of speech, by which passes were
chosen; of the 30 of the dev split 17 and 1. The others are of the six genres that are not used: conversation, essay,
fiction, letter, podcast, whow.

## Figures

Dev data, by which passes and settings were chosen, so the figures are slightly high. Where a corpus has no dev data,
every tenth document was held out. "lower" and "upper" are the same sentences in lower case and in capitals.

{tables}
## Known weaknesses

{weak}

Names of other types (products, events, works, awards, nationalities) are not found. The open corpora that mark them
are small, and each is about one subject. A layer trained on CrossNER has F1 74.8 on its five subjects (awards 87.7,
events 84.7, works 60.1, products 50.0), but only 54.2 on literature without training on that subject. So it would often
be wrong in other text.

Sentence ends without a punctuation mark are the most frequent error in running text. In EWT dev, most of those that are
missed stand between lines of web pages and mails, whose line ends the treebank does not have.

Dates, amounts and addresses are found by rules, which know only the forms that they list. Of 200 matches of each type
in open corpora, checked by hand, 97.5 % or more are right, of NUMBER 93.5 %.
"""


def _table(rows: dict[str, dict[str, float]]) -> str:
    columns = list(next(iter(rows.values())))
    lines = [f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    for name, values in rows.items():
        lines.append(f"| {name} | {' | '.join(f'{values[column]:g}' for column in columns)} |")
    return "\n".join(lines) + "\n"


def _found(english: perceptag.Pipeline, example: str) -> str:
    spans = english(example).spans
    return ", ".join(f"{span.text} {span.label}" for span in spans) or "no names"
