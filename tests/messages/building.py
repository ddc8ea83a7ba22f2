"""What `perceptag build` says of a folder or of a file of a language from which it cannot build."""

from __future__ import annotations

from pathlib import Path

from toy_treebank import sentence, write_treebank

LANGUAGE = 'treebank = "bank"\noutput = "fr.pipeline"\n'
MANY = "".join(map(sentence, range(30)))
BARE = "\n\n".join("\n".join(f"{i}\ta" + "\t_" * 8 for i in (1, 2)) for _ in range(30)) + "\n\n"
PLAIN = "\n".join(row for row in MANY.split("\n") if not row.startswith("#")).replace("SpaceAfter=No", "_")


def prepare(folder: Path) -> None:
    """Write a treebank."""
    write_treebank(folder / "bank")


def of(more: str, said: str) -> tuple[str, str, dict[str, str]]:
    """Return a row about a file of a language."""
    return "build fr.toml", f"fr.toml: {said}" if said.startswith("layer ") else said, {"fr.toml": f"{LANGUAGE}{more}"}


def bank(text: str, said: str, name: str = "train.conllu") -> tuple[str, str, dict[str, str]]:
    """Return a row about a treebank."""
    return "build fr.toml", said, {"fr.toml": LANGUAGE.replace('"bank"', '"other"'), f"other/{name}": text}


ROWS = [
    bank("", "expected CoNLL-U files with 'train' in their names, found none", "none.txt"),
    bank(BARE, "train.conllu: expected parts of speech in column upos"),
    bank(PLAIN, "from which a tokeniser learns"),
    bank("".join(map(sentence, range(9))), "expected dev data, or 20 sentences"),
    (
        "build fr.toml",
        "expected a folder with CoNLL-U files, found nothing",
        {"fr.toml": LANGUAGE.replace('"bank"', '"nowhere"')},
    ),
    of("epoch = 3\n", "unknown key 'epoch'"),
    of('layers = ["lemmas"]\n', "layers: expected some of upos, xpos, feats, lemma, found 'lemmas'"),
    of('layers = ["xpos"]\n', "layers: expected columns that the treebank has (upos, feats, lemma), found 'xpos'"),
    of("= 3\n", "fr.toml:3: expected TOML"),
    of('text = "plain.txt"\n', "text: expected a list of strings"),
    of("text = ['bank']\n", "text: expected a file, found a folder at "),
    of("abbreviations = ['nix.txt']\n", "abbreviations: expected a file, found nothing at "),
    of("[lemma]\nepoch = 3\n", "layer 'lemma': unknown recipe key 'epoch'"),
    of("[feats]\nepochs = 'many'\n", "layer 'feats': epochs: expected a whole number"),
    of("[upos]\nlearner = 'none'\n", "layer 'upos': learner: there is no learner 'none'"),
    of("[upos]\nepochs = 2020-01-01\n", "layer 'upos': epochs: expected"),
    of('lists = ["places.txt"]\n', "lists: expected a name and a file, as in 'LOC=countries.txt', found 'places.txt'"),
    of('lists = ["LOC=nix.txt"]\n', "lists: expected a file, found nothing at "),
    of('names = ["nix.tsv"]\n', "names: expected a file, found nothing at "),
    of("licence = 3\n", "licence: expected a text, found 3"),
    ("build fr.toml", "fr.toml: cannot read"),
    ("build fr.toml --treebank bank", "which names both; found both", {"fr.toml": LANGUAGE}),
    ("build -o x", "--treebank: expected it, or a file LANG.toml"),
    ("build fr.toml -o x", "--output: ", {"fr.toml": LANGUAGE}),
]
