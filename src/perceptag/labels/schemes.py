"""Chunk labels: the schemes IOB1, IOB2 and IOBES with its spellings, and conversion to spans.

                       O   John Smith  Anna  in  Paris      chunks: John Smith, Anna (both PER), Paris (LOC)
    IOB1               O   I-PER I-PER B-PER O   I-LOC      B only between touching chunks of one type
    IOB2 (BIO)         O   B-PER I-PER B-PER O   B-LOC      B at every start
    IOBES (BIOES)      O   B-PER E-PER S-PER O   S-LOC      E at every end, S for a chunk of one token

    BILOU              O   B-PER L-PER U-PER O   U-LOC      IOBES with L for E and U for S
    BMES               O   B-PER E-PER S-PER O   S-LOC      IOBES with M for I

Where IOBES is read, so are its spellings. `detect_scheme` calls all of them IOBES; `spelling_of` tells them apart.
A label may have no type (``B``, ``I``), and a type may contain hyphens (``B-NP-SBJ``).

Labels of any other kind, such as parts of speech, have the scheme ``none``.

Sequences may break their scheme (``O I-LOC`` in IOB2); even corpora of the shared tasks do so once or twice.
`spans` reads them like conlleval, the script of those tasks (Tjong Kim Sang, version of 2004-01-26): a label
that continues nothing opens a chunk. `violations` lists such places, `repair` corrects them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, repeat

from perceptag.errors import DataError, SettingError, brief, nearest
from perceptag.system.plural import plural

UNKNOWN = "_"  # stands where a label is not known
SCHEMES = ("IOB1", "IOB2", "IOBES")
SPELLINGS = {"BILOU": {"E": "L", "S": "U"}, "BMES": {"I": "M"}}  # of IOBES: the tags that they write in another way
ALL_SCHEMES = (*SCHEMES, *SPELLINGS)
UNNAMED = "SPAN"  # what a chunk without a type is called where a name is needed

# The first letters that each scheme may use in addition to the label O, and how BILOU, BMES and BMEWO spell IOBES.
_TAGS = {"IOB1": frozenset("IB"), "IOB2": frozenset("IB"), "IOBES": frozenset("IBESLUMW")} | {
    name: frozenset(other.get(tag, tag) for tag in "BIES") for name, other in SPELLINGS.items()
}
_SPELLING = {"L": "E", "U": "S", "M": "I", "W": "S"}

# Pairs of tags between which conlleval sees an end or a start, when the type stays the same. E-B, E-S and S-S
# are not among them: the script knows E from the scheme IOE, which has no B, and does not know S.
_ENDS = {("B", "B"), ("B", "O"), ("I", "B"), ("I", "O"), ("E", "E"), ("E", "I"), ("E", "O")}
_STARTS = {("B", "B"), ("I", "B"), ("O", "B"), ("O", "I"), ("E", "E"), ("E", "I"), ("O", "E")}

Transitions = Counter[tuple[str | None, str | None]]


@dataclass(frozen=True, order=True, slots=True)
class Span:
    """Tokens `start` to `end` (exclusive) are one span with the label `label`."""

    start: int
    end: int
    label: str


def split_label(label: str) -> tuple[str, str]:
    """Split a label at its first hyphen into tag and type.

    >>> split_label("B-NP-SBJ"), split_label("O")
    (('B', 'NP-SBJ'), ('O', ''))
    """
    tag, _, kind = label.partition("-")
    return tag, kind


def type_name(kind: str) -> str:
    """Return what a type is called where it is shown or written alone; chunks of ``B`` and ``I`` have none.

    >>> type_name("PER"), type_name("")
    ('PER', 'SPAN')
    """
    return kind or UNNAMED


def check_scheme(scheme: str, *also: str) -> str:
    """Return `scheme` if it is one of `ALL_SCHEMES` or `also`; else raise a SettingError."""
    allowed = (*ALL_SCHEMES, *also)
    if not isinstance(scheme, str) or scheme not in allowed:
        written = scheme.upper() if isinstance(scheme, str) else ""
        hint = {"BIO": "; BIO is called IOB2 here", "IOB": "; IOB is IOB1 or IOB2 (BIO)"}.get(written)
        hint = hint or nearest(written, allowed)
        raise SettingError(f"scheme: expected one of {', '.join(allowed)}, found {brief(scheme)}{hint}")
    return scheme


def base_of(scheme: str) -> str:
    """Return the scheme that this one spells: IOBES for BILOU and BMES, and any other scheme itself."""
    return "IOBES" if scheme in SPELLINGS else scheme


def spelling_of(labels: Iterable[str]) -> str:
    """Return how labels of IOBES are spelled: BILOU, BMES, or IOBES where both or neither could be meant.

    >>> spelling_of(["O", "U-LOC"]), spelling_of(["B", "M", "E"]), spelling_of(["O", "S-LOC"])
    ('BILOU', 'BMES', 'IOBES')
    """
    tags = {split_label(label)[0] for label in labels} - {"O"}
    fitting = [name for name, other in SPELLINGS.items() if tags & set(other.values()) and tags <= _TAGS[name]]
    return fitting[0] if len(fitting) == 1 else "IOBES"


# --- reading: labels to spans ---


@lru_cache(maxsize=1 << 16)
def boundary(previous: str, label: str) -> tuple[bool, bool]:
    """Return whether conlleval sees (the end of a chunk, the start of a chunk) between two labels.

    >>> boundary("B-PER", "I-LOC"), boundary("O", "I-LOC"), boundary("B-PER", "I-PER")
    ((True, True), (False, True), (False, False))
    """
    (tag0, kind0), (tag, kind) = split_label(previous), split_label(label)
    other = kind0 != kind
    ends = (tag0, tag) in _ENDS or (other and tag0 not in ("O", ".")) or tag0 in ("[", "]")
    starts = (tag0, tag) in _STARTS or (other and tag not in ("O", ".")) or tag in ("[", "]")
    return ends, starts


@lru_cache(maxsize=1 << 16)
def _boundary_iobes(previous: str, label: str) -> tuple[bool, bool]:
    """Return `boundary`, with additional cuts after E and S and before B and S."""
    before, after = standard_spelling(previous), standard_spelling(label)
    ends, starts = boundary(before, after)
    tag0, tag = split_label(before)[0], split_label(after)[0]
    closed, opens = tag0 in ("E", "S"), tag in ("B", "S")
    return ends or closed or opens, starts or opens or (closed and tag not in ("O", "."))


@lru_cache(maxsize=1 << 16)
def standard_spelling(label: str) -> str:
    """Spell a BILOU or BMES label as IOBES: ``U-LOC`` becomes ``S-LOC``."""
    tag, kind = split_label(label)
    return join_label(_SPELLING.get(tag, tag), kind)


def spans(labels: Sequence[str], scheme: str | None = None) -> list[Span]:
    """Return the chunks of one sentence. Any sequence of labels can be read, valid or not.

    Without a scheme, and for IOB1 and IOB2, these are exactly the chunks that conlleval counts. That script
    joins touching chunks of one type in IOBES (``E-X B-X``, ``S-X S-X``). With ``scheme="IOBES"`` they stay
    apart, and BILOU and BMES are understood, as with their own names; labels without E and S are read as before.

    >>> spans(["O", "I-PER", "B-PER", "I-LOC"])
    [Span(start=1, end=2, label='PER'), Span(start=2, end=3, label='PER'), Span(start=3, end=4, label='LOC')]
    >>> len(spans(["S-LOC", "S-LOC"])), len(spans(["S-LOC", "S-LOC"], "IOBES"))
    (1, 2)
    """
    cut = _boundary_iobes if scheme is not None and base_of(check_scheme(scheme)) == "IOBES" else boundary
    found: list[Span] = []
    start: int | None = None
    previous = "O"
    for t, label in enumerate(labels):
        ends, starts = cut(previous, label)
        if start is not None and (ends or starts):
            found.append(Span(start, t, split_label(labels[start])[1]))
            start = None
        if starts:
            start = t
        previous = label
    if start is not None:
        found.append(Span(start, len(labels), split_label(labels[start])[1]))
    return found


# --- writing: spans to labels ---


def join_label(tag: str, kind: str) -> str:
    """The inverse of `split_label`."""
    return f"{tag}-{kind}" if kind else tag


def _tags(length: int, scheme: str, touches: bool) -> str:
    """Return the tags of one chunk. `touches`: the chunk directly follows one of the same type."""
    if base_of(scheme) == "IOBES":
        tags = "S" if length == 1 else "B" + "I" * (length - 2) + "E"
        other = SPELLINGS.get(scheme, {})
        return "".join([other.get(tag, tag) for tag in tags]) if other else tags
    first = "B" if scheme == "IOB2" or touches else "I"
    return first + "I" * (length - 1)


def spans_to_labels(spans: Iterable[Span], length: int, scheme: str) -> list[str]:
    """Write chunks of a sentence of `length` tokens as labels.

    >>> spans_to_labels([Span(0, 2, "PER"), Span(2, 3, "PER")], 4, "IOB1")
    ['I-PER', 'I-PER', 'B-PER', 'O']
    """
    check_scheme(scheme)
    labels = ["O"] * length
    previous = Span(0, 0, "")
    for span in sorted(spans):
        if not 0 <= span.start < span.end <= length:
            raise DataError(f"{span} does not lie within a sentence of {plural(length, 'token')}")
        if span.start < previous.end:
            raise DataError(f"{span} overlaps {previous}")
        touches = previous.end == span.start > 0 and previous.label == span.label
        tags = _tags(span.end - span.start, scheme, touches)
        labels[span.start : span.end] = [join_label(tag, span.label) for tag in tags]
        previous = span
    return labels


def convert(labels: Sequence[str], target: str, source: str = "auto") -> list[str]:
    """Rewrite the labels of one sentence from scheme `source` to scheme `target`; the chunks stay the same.

    Chunks are read by `spans`, so a transition that breaks the source is repaired; call `violations` first if
    that matters. A label that the source scheme does not have at all is a DataError.

    >>> convert(["I-PER", "B-PER", "O"], "IOBES", source="IOB1")
    ['S-PER', 'S-PER', 'O']
    """
    check_scheme(target)
    if check_scheme(source, "auto") == "auto":
        source = detect_scheme([["O", *labels]])  # with the O, even an empty sentence has a scheme
    if source == "none":
        raise DataError(f"expected labels in one of {', '.join(SCHEMES)}, found labels such as {labels[0]!r}")
    return list(_converted(tuple(labels), target, source))


@lru_cache(maxsize=1 << 14)  # the labels of most sentences are those of another one
def _converted(labels: tuple[str, ...], target: str, source: str) -> tuple[str, ...]:
    for t, label in enumerate(labels):
        if not belongs(label, source):
            raise DataError(f"{label} is not a label of {source}", where=f"token {t}")
    return tuple(spans_to_labels(spans(labels, source), len(labels), target))


def in_scheme(labels: Sequence[str], target: str, source: str) -> list[str]:
    """Rewrite labels as `convert` does, but leave those that the source scheme does not have as they are.

    >>> in_scheme(["I-PER", "I-PER", "_"], "IOB2", source="IOB1")
    ['B-PER', 'I-PER', '_']
    """
    rewritten = spans_to_labels(spans(labels, source), len(labels), target)
    return [new if belongs(old, source) else old for old, new in zip(labels, rewritten, strict=True)]


def spelled_scheme(scheme: str, labels: Iterable[str]) -> str:
    """Return the scheme in the spelling of some labels: BILOU for IOBES, say."""
    return spelling_of(labels) if scheme == "IOBES" else scheme


def repair(labels: Sequence[str], scheme: str) -> list[str]:
    """Return valid labels for the chunks that `spans` reads.

    >>> repair(["O", "I-LOC", "B-PER", "I-LOC"], "IOB2")
    ['O', 'B-LOC', 'B-PER', 'B-LOC']
    """
    return spans_to_labels(spans(labels, scheme), len(labels), scheme)


def keep_types(labels: Sequence[str], types: Collection[str]) -> list[str]:
    """Replace every label whose type is not in `types` by O (a single type may be given as a string).

    >>> keep_types(["B-NP", "I-NP", "B-VP", "O"], "NP")
    ['B-NP', 'I-NP', 'O', 'O']
    """
    wanted = {types} if isinstance(types, str) else set(types)
    return [label if split_label(label)[1] in wanted else "O" for label in labels]


# --- which transitions are legal ---


def _may_follow(before: tuple[str, str], after: tuple[str, str], scheme: str) -> bool:
    """Return whether (tag, type) `after` may follow `before`; the borders of a sentence count as O."""
    (tag0, kind0), (tag, kind) = before, after
    continues = tag0 in ("B", "I") and kind0 == kind
    if scheme == "IOBES":
        return continues and tag in ("I", "E") if tag0 in ("B", "I") else tag in ("O", "B", "S")
    return continues or tag != ("I" if scheme == "IOB2" else "B")


@lru_cache(maxsize=1 << 16)
def belongs(label: str, scheme: str) -> bool:
    return label == "O" or split_label(label)[0] in _TAGS[scheme]


@lru_cache(maxsize=1 << 16)
def complaint(previous: str | None, label: str | None, scheme: str) -> str:
    """Describe the violation of `label` after `previous`, or return "". None is the border of the sentence."""
    if scheme == "none":
        return ""
    if label is not None and not belongs(label, scheme):
        return f"{label} is not a label of {scheme}"
    spell = standard_spelling if base_of(scheme) == "IOBES" else str
    if _may_follow(split_label(spell(previous or "O")), split_label(spell(label or "O")), base_of(scheme)):
        return ""
    if label is None:
        return f"the sentence ends after {previous}"
    return f"{label} starts the sentence" if previous is None else f"{label} follows {previous}"


def violations(labels: Sequence[str], scheme: str) -> list[tuple[int, str]]:
    """Return (token index, what is wrong) for every place where `labels` break `scheme`.

    >>> violations(["B-PER", "I-LOC", "O"], "IOB2")
    [(1, 'I-LOC follows B-PER')]
    >>> violations(["O", "B-PER"], "IOBES")
    [(1, 'the sentence ends after B-PER')]
    """
    check_scheme(scheme, "none")
    faults = list(map(complaint, [None, *labels], [*labels, None], repeat(scheme)))
    return [(min(t, len(labels) - 1), fault) for t, fault in enumerate(faults) if fault] if any(faults) else []


# --- finding out ---


def count_transitions(sequences: Iterable[Sequence[str]]) -> Transitions:
    """Count (previous label, label) over a corpus; None is the border of a sentence."""
    pairs = (zip(chain([None], labels), chain(labels, [None]), strict=True) for labels in sequences)
    return Counter(chain.from_iterable(pairs))


def count_violations(transitions: Transitions, scheme: str) -> int:
    """Return how many of the counted transitions break `scheme`."""
    return sum(n for (previous, label), n in transitions.items() if complaint(previous, label, scheme))


def detect_scheme(sequences: Iterable[Sequence[str]]) -> str:
    """Return the scheme that the labels of a corpus follow, or ``none``.

    - ``none`` if half or more of the labels other than O and ``_`` (not known) are not of the form *tag* or *tag-type*
      with a tag among B I E S (L U M W), or if there are no labels. So a few misspelled labels do not hide the scheme.
    - ``none`` too if no label has a type and one of them is not such a tag: letters that mean something else.
    - Otherwise the scheme that is broken least often; on a tie IOB2, then IOB1, then IOBES.

    A corpus that is valid in one scheme and has a chunk is valid in no other, so the answer is certain.
    A corpus of O alone is a tie, hence IOB2. Chunks that all start with ``I-`` are IOB1. IOE, which has only I
    and E, is not among the schemes; IOBES is the nearest.

    >>> detect_scheme([["O", "I-LOC"]]), detect_scheme([["B-LOC", "O"]]), detect_scheme([["U-LOC"]])
    ('IOB1', 'IOB2', 'IOBES')
    >>> detect_scheme([["DT", "NN"]]), detect_scheme([["S", "I", "I", "T", "O"]]), detect_scheme([["B", "I", "O"]])
    ('none', 'none', 'IOB2')
    """
    return scheme_of(count_transitions(sequences))


def scheme_of(transitions: Transitions, prefer: str = "IOB2") -> str:
    """Detect the scheme from counted transitions; on a tie return `prefer`."""
    counts: Counter[str] = Counter()
    for (_, label), n in transitions.items():
        if label is not None:
            counts[label] += n
    if not is_chunk_set(counts):
        return "none"
    order = dict.fromkeys([prefer, "IOB2", *SCHEMES])
    return min((s for s in order if s in SCHEMES), key=lambda s: count_violations(transitions, s))


def is_chunk_set(counts: Mapping[str, int]) -> bool:
    inside = {label: n for label, n in counts.items() if label not in ("O", UNKNOWN)}
    fitting = {label: n for label, n in inside.items() if belongs(label, "IOBES")}
    if not any(split_label(label)[1] for label in fitting):
        return bool(counts.keys() - {UNKNOWN}) and len(fitting) == len(inside)  # single letters may mean anything
    return 2 * sum(fitting.values()) > sum(inside.values())


# --- labels that look wrong ---
