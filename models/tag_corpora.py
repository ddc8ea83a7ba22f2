"""The treebanks behind the parts of speech of `en`: the English Web Treebank, and nine genres of GUM."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

EWT, GUM = "ewt/en_ewt-ud-{}.conllu", "open/pos_en/gum_open_genres_gold.conllu.gz"
TENTH = 10
COMMAS = {";", "-", "--", "–", "—", "...", "…", "/"}  # GUM has other tags for them


def write_training(data: Path, train: Path, dev: Path) -> None:
    """Write the data of a training: that of EWT twice, and nine tenths of the documents of GUM.

    Twice, since EWT is most like the text that people have; its copies in other case are different ones each time.
    """
    learned, held_out = gum(data)
    train.write_text(2 * (data / EWT.format("train")).read_text("utf-8") + learned, "utf-8")
    dev.write_text((data / EWT.format("dev")).read_text("utf-8") + held_out, "utf-8")


def gum(data: Path) -> tuple[str, str]:
    """Return nine tenths of the documents of GUM, and every tenth."""
    text = as_ewt(gzip.decompress((data / GUM).read_bytes()).decode())
    documents = re.split(r"^(?=# newdoc id)", text, flags=re.MULTILINE)[1:]
    parts: tuple[list[str], list[str]] = ([], [])
    for number, document in enumerate(documents):
        parts[number % TENTH == TENTH - 1].append(document)
    return "".join(parts[0]), "".join(parts[1])


def as_ewt(text: str) -> str:
    """Bring the tags of GUM to the conventions of the English Web Treebank.

    >>> as_ewt("1\\t;\\t;\\tPUNCT\\t:\\t_\\t2\\tpunct\\t_\\t_")
    '1\\t;\\t;\\tPUNCT\\t,\\t_\\t2\\tpunct\\t_\\t_'
    """
    return "\n".join("\t".join(_as_ewt(line.split("\t"))) if "\t" in line else line for line in text.split("\n"))


def _as_ewt(fields: list[str]) -> list[str]:
    form, upos, xpos = fields[1], fields[3], fields[4]
    if (form in COMMAS and xpos == ":") or form == "/":
        xpos = ","
    elif "@" in form[1:] or form.startswith(("http", "www.")):
        xpos = "ADD"
    elif xpos == "LS":
        upos = "NUM"
    elif (form, xpos) == ("United", "NNP"):
        upos = "ADJ"
    return [*fields[:3], upos, xpos, *fields[5:]]
