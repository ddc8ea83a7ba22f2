"""Systems that the papers compare with and that are not recipes: small, plain, and only for `reproduce`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from perceptag.reproduce.easiest_first import train_easiest_first
from perceptag.reproduce.likelihood_hmm import train_hmm
from perceptag.text import Sentence

RIVALS: dict[str, Callable[[Sequence[Sentence], str], Callable[[Sequence[Sentence]], list[list[str]]]]] = {
    "likelihood-hmm": train_hmm,
    "easiest-first": train_easiest_first,
}
