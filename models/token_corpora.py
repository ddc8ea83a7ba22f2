"""The data behind the tokeniser of `en`: two treebanks, and sentences with what treebanks have too little of.

The English Web Treebank has hardly any abbreviations before names and numbers, and few initials, file names and
bullets. Patterns spell such sentences: a space separates tokens, ``|`` tokens that are written together, and ``{name}``
is one of the values below. Names come from the lists of names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from models.tag_corpora import EWT, gum

DOCUMENTS, LONGEST = 500, 4  # how many of patterns, and the most sentences of one
TITLES = (
    "Mr. Mrs. Ms. Dr. Prof. Sen. Rep. Gov. Capt. Sgt. Lt. Col. Gen. Insp. Det. Hon. Rev. Fr. Adm. Cmdr. Maj. Cpl. Pvt. "
    "Supt. Amb. Pres. Messrs. Cllr. Brig. Sr. Mgr. Ofc."
).split()
BEFORE_NUMBERS = (
    "no. No. nos. par. para. sec. Sec. art. Art. fig. Fig. figs. Figs. eq. Eq. Eqs. ch. Ch. chap. vol. Vol. p. pp. ext. "
    "Dkt. cl. app. App. tab. Tab. ver. approx. ca. c. max. min. avg. est. Ex. Exh. Ord. Reg. stat. pt. Pt. Tel. tel."
).split()
INSIDE = "cf. e.g. i.e. viz. incl. esp. vs. v. resp. orig. abbr. accord. excl.".split()  # inside sentences alone
COMPANIES = "Inc. Corp. Co. Ltd. Bros. Cos. Intl. Mfg. Assn. Dept. Univ. Inst. Natl.".split()
STATES = "Conn. Mass. Calif. Fla. Ill. Pa. Tenn. Ariz. Colo. Minn. Mich. Ga. Va. Wis. Wash. Okla. Ore. Ind.".split()
PLACES = "Mt. St. Ft. Pt. Ste.".split()
STREETS = "St. Ave. Blvd. Rd. Hwy.".split()
TIMES = "a.m. p.m. A.M. P.M.".split()
MONTHS = "Jan. Feb. Aug. Sept. Oct. Nov. Dec.".split()
DAYS = "Mon. Tue. Wed. Thu. Fri. Sat.".split()
ABBREVIATIONS = (
    *TITLES, *BEFORE_NUMBERS, *INSIDE, *COMPANIES, *STATES, *PLACES, *STREETS, *TIMES, *MONTHS, *DAYS,
    *"Jr. Sr. Esq. etc. al. ibid. Ph.D. U.S. U.K. U.N. D.C. dept. govt. gov. lb. lbs. oz. ft. hr. hrs. yr. yrs.".split(),
)  # fmt: skip
VALUES: dict[str, Sequence[str]] = {
    "title": TITLES,
    "before_number": BEFORE_NUMBERS,
    "inside": INSIDE,
    "company": COMPANIES,
    "state": STATES,
    "place": PLACES,
    "street": STREETS,
    "time": TIMES,
    "month": MONTHS,
    "day": DAYS,
    "initials": ("{I}. {I}.", "{I}.", "{first} {I}.", "{I}.{I}.", "{I}. {I}. {I}."),
    "person": (
        *(
            "{title} {last}",
            "{title} {last}",
            "{title} {first} {last}",
            "{title} {initials} {last}",
            "{initials} {last}",
        ),
        *("{title} O'{last}", "{first} {last} Jr.", "{title} {last}|-|{last}", "Lt. Gov. {last}", "Prof. Dr. {last}"),
    ),
    "firm": ("{last} {company}", "{last} & Co.", "{last} {last} {company}", "{state} {company}", "{initials} {last}"),
    "case": (
        "{last} v. {last}",
        "{last} v. {state} {company}",
        "{last} V. {LAST}",
        "{LAST} v. {LAST}",
        "U.S. v. {last}",
    ),
    "number": ("9", "99", "999", "9999", "9.9", "9|(|a|)", "9|-|9", "(|9|)"),
    "file": ("{noun}.{ending}", "{noun}_{noun}.{ending}", "{noun}-{noun}.{ending}", "{Noun}99.{ending}"),
    "package": ("{noun}-{noun}==9.9.9", "{noun}==9.9.9", "{noun}>=9.9", "v9.9.9", "9.99.9"),
    "ending": "docx xlsx pdf txt csv pptx zip jpg py".split(),
    "phone": ("555-0199", "999-9999", "999-999-9999", "+99 99 9999 9999", "(|999|) 999-9999", "+99 (|0|)|99 999 9999"),
    "bullet": ("•", "-", "*", "–", "▪"),
    "emoji": ("😭", "😂", "🎉", "🔥", "👍", "❤️", "😭😭", "🎉🎉🎉"),
    "noun": "report notes budget invoice draft summary agenda lease plan photo letter contract minutes data".split(),
    "nouns": "questions results papers tickets samples documents chairs windows figures rules members".split(),
    "verb": "met called thanked invited asked saw joined sued paid questioned answered followed".split(),
    "adverb": (
        "today",
        "yesterday",
        "again",
        "later",
        "twice",
        "on Monday",
        "in March",
        "last night",
        "at noon",
        "in May",
    ),
    "end": (".", ".", ".", ".", "!", "?"),
}
PATTERNS = (
    "{person} {verb} {person} {adverb}|{end}",
    "We {verb} {person} {adverb}|{end}",
    "{person} and {person} {verb} us|{end}",
    "Please send it to {person}|{end}",
    "The {noun} was written by {person} and {person}|{end}",
    "Who {verb} {person}|?",
    "Thanks|, {person}|!",
    "{person}|, who {verb} {firm}|, left {adverb}|{end}",
    "See {before_number} {number} of the {noun}|{end}",
    "This follows from {before_number} {number} and {before_number} {number}|{end}",
    "Please pay {noun} {before_number} {number} {adverb}|{end}",
    "It has {before_number} {number} {nouns} (|{inside} {before_number} {number}|)|{end}",
    "It costs {before_number} {number} dollars|, {inside} {last} et al. 2009|{end}",
    "The {nouns} (|{before_number} {number}|) were lost {adverb}|{end}",
    "{last} et al. {verb} them|, {inside} {last} et al.|, 1999|{end}",
    "We need {nouns}|, {nouns}|, etc. for the {noun}|{end}",
    "{last} had the {nouns} (|{inside} {last} 9999|)|{end}",
    "{firm} {verb} {firm} {adverb}|{end}",
    "Shares of {firm} fell {number} % {adverb}|{end}",
    "She works for {firm} in {last}|, {state}|, with {person}|{end}",
    "He was admitted to {state} General {adverb}|{end}",
    "The {case} {noun} was heard {adverb}|{end}",
    "See {case} for details|{end}",
    "{case} was argued {adverb}|{end}",
    "They climbed {place} {last} {adverb}|{end}",
    "The office is at 99 {last} {street} in {place} {last}|{end}",
    "It begins at 9 {time} on {month} 9|{end}",
    "The doors open at 9:99 {time} and close at 9 {time} {adverb}|{end}",
    "He left at 9 {time}",
    "They came at 9:99 {time}",
    "She moved to the U.S.",
    "It was signed on {day}|, {month} 9|, 9999|{end}",
    "Open {file} and {file} {adverb}|{end}",
    "I have read {file}|, but not {file}|{end}",
    "Install {package} with {package} {adverb}|{end}",
    "Call {phone} or {phone} {adverb}|{end}",
    "Tel. {phone}|, ext. 99",
    "Who is {initials} {last}|?",
    "{initials} {last} {verb} {initials} {last}|{end}",
    "Coffee w/ {first} {last} {adverb}",
    "Lunch w/ {firm} re|: {noun} {emoji}",
    "I like the {noun} {emoji}",
    "{emoji} {first} {verb} us|!",
)
LINES = (  # each a paragraph of its own
    "{bullet} {verb} the {nouns}",
    "{bullet} {Verb} the {noun} {adverb}",
    "{bullet} {Verb} {person}",
    "{bullet} {first} {last}|: {nouns}",
    "9|. {Verb} {first}",
    "{Verb} {last} {Noun}",
)


def write_training(data: Path, folder: Path, train: Path, abbreviations: Path) -> None:
    """Write the treebanks with the sentences of patterns, and the list of abbreviations. Lists are in the folder."""
    names = {name: (folder / f"{name}.txt").read_text("utf-8").split("\n")[:-1] for name in ("first", "last")}
    known = {name: [word for word in words if word.isalpha()] for name, words in names.items()}
    ewt = (data / EWT.format("train")).read_text("utf-8")
    train.write_text(f"{ewt}{gum(data)[0]}{''.join(documents(known))}", "utf-8")
    abbreviations.write_text("\n".join(dict.fromkeys(ABBREVIATIONS)) + "\n", "utf-8")


def documents(names: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield documents as CoNLL-U: sentences in one paragraph, or lines in several."""
    for number in range(DOCUMENTS):
        draws = Random(number)
        patterns = LINES if number % 5 == 0 else PATTERNS
        yield f"# newdoc id = patterns-{number}\n"
        for place in range(1 + int(draws.random() * LONGEST)):
            if place == 0 or patterns is LINES:
                yield f"# newpar id = patterns-{number}-{place}\n"
            yield sentence(spelt(one_of(patterns, draws), names, draws))


def one_of(values: Sequence[str], draws: Random) -> str:
    """Draw a value."""
    return values[int(draws.random() * len(values))]


def spelt(pattern: str, names: Mapping[str, Sequence[str]], draws: Random) -> str:
    """Replace the values and digits of a pattern.

    >>> spelt("{first}|, {LAST}|, no. 9", {"first": ["Ann"], "last": ["Berg"]}, Random(0))
    'Ann|, BERG|, no. 4'
    """
    while "{" in pattern:
        start = pattern.index("{")
        end = pattern.index("}", start)
        pattern = pattern[:start] + _value(pattern[start + 1 : end], names, draws) + pattern[end + 1 :]
    return "".join(str(1 + int(draws.random() * 9)) if c == "9" else c for c in pattern)


def _value(name: str, names: Mapping[str, Sequence[str]], draws: Random) -> str:
    if name == "I":
        return one_of("ABCDEFGHIJKLMNOPRSTVW", draws)
    values = names.get(name.lower()) or VALUES[name.lower()]
    value = one_of(values, draws)
    return value.upper() if name.isupper() else value.capitalize() if name[0].isupper() else value


def sentence(text: str) -> str:
    """Return a sentence as CoNLL-U.

    >>> print(sentence("Go|!").replace("\\t", " ").rstrip())
    # text = Go!
    1 Go _ _ _ _ _ _ _ SpaceAfter=No
    2 ! _ _ _ _ _ _ _ _
    """
    lines, number = [f"# text = {text.replace('|', '')}"], 0
    for run in text.split():
        tokens = run.split("|")
        for token in tokens:
            number += 1
            misc = "_" if token is tokens[-1] else "SpaceAfter=No"
            lines.append("\t".join([str(number), token, *"_" * 7, misc]))
    return "\n".join(lines) + "\n\n"
