"""Edit scripts as plain recursion over strings: the twin of `perceptag.labels.edit_scripts`.

A script is a case and an edit tree (Chrupała 2008): the longest common string of word and lemma stays, what is before
and after it has a tree of its own, and where nothing is common one string replaces the other.
"""

from __future__ import annotations

from typing import Any

CASES = ("lower", "same", "title", "upper", "dotless")
Tree = Any  # ("replace", a, b), or ("keep", length of what is before, tree, length of what is after, tree)


def changed(word: str, case: str) -> str:
    """Return a word in lower case, as it is, with a capital, in capitals, or in lower case with dotless i."""
    if case == "lower":
        return "".join("i" if letter == "İ" else letter for letter in word).lower()
    if case == "dotless":
        return changed("".join("ı" if letter == "I" else letter for letter in word), "lower")
    if case == "title":
        return word[:1].upper() + changed(word[1:], "lower")
    return word.upper() if case == "upper" else word


def longest_common(a: str, b: str) -> tuple[int, int, int]:
    """Return where the longest common string begins in both, and its length; the first one in `a`, then in `b`."""
    for length in range(min(len(a), len(b)), 0, -1):
        for i in range(len(a) - length + 1):
            j = b.find(a[i : i + length])
            if j >= 0:
                return i, j, length
    return 0, 0, 0


def tree_of(a: str, b: str) -> Tree:
    """Return the edit tree of two strings."""
    i, j, length = longest_common(a, b)
    if not length:
        return ("replace", a, b)
    rest = a[i + length :]
    return ("keep", i, tree_of(a[:i], b[:j]), len(rest), tree_of(rest, b[j + length :]))


def apply_tree(tree: Tree, word: str) -> str | None:
    """Return what a tree makes of a word, or None."""
    if tree[0] == "replace":
        return str(tree[2]) if word == tree[1] else None
    _, before, left, after, right = tree
    if len(word) <= before + after:
        return None
    first, last = apply_tree(left, word[:before]), apply_tree(right, word[len(word) - after :])
    return None if first is None or last is None else first + word[before : len(word) - after] + last


def cost(tree: Tree) -> int:
    """Count the characters that are replaced and that replace them."""
    return len(tree[1]) + len(tree[2]) if tree[0] == "replace" else cost(tree[2]) + cost(tree[4])


def script_of(form: str, lemma: str) -> tuple[str, Tree]:
    """Return the case and the tree with the lowest cost, the first of equal ones."""
    found: list[tuple[str, Tree]] = []
    seen: set[str] = set()
    for case in CASES:
        word = changed(form, case)
        is_tried = case == "lower" or ("ı" in lemma if case == "dotless" else lemma != changed(lemma, "lower"))
        if word not in seen and is_tried and longest_common(word, lemma)[2]:
            found.append((case, tree_of(word, lemma)))
        seen.add(word)
    return min(found, key=lambda script: cost(script[1])) if found else ("is", lemma)


def apply_script(script: tuple[str, Tree], form: str) -> str | None:
    """Return the lemma of a word, or None. A case that leaves a word as an earlier case does is not for this word."""
    case, tree = script
    if case == "is":
        return str(tree)
    earlier = [changed(form, other) for other in CASES[: CASES.index(case)]]
    word = changed(form, case)
    return None if word in earlier else apply_tree(tree, word)
