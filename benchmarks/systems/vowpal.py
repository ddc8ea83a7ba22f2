"""Vowpal Wabbit: learning to search (`--search_task sequence`), greedy with the label before, hashed features.

Daumé, Langford & Ross (2014), "Efficient programmable learning to search". Trained on its reference policy without
roll-outs, the fastest setting that it has.
"""

from __future__ import annotations

import json
from pathlib import Path

import vowpalwabbit

from benchmarks.features import AttributeMaker, Columns
from benchmarks.measure import Clock
from benchmarks.systems import Tag
from benchmarks.task import Task, read_plain

BITS = 22
SEARCH = "--search_task sequence --search_rollout none --search_history_length 1"
_SPECIAL = str.maketrans({":": "\ue001", "|": "\ue002"})  # special characters of its text format


class Vowpal:
    """Attribute strings made in Python and written in VW's text format, everything else in VW."""

    title = "Vowpal Wabbit, `search`"
    features = "the same, hashed"

    def refuses(self, task: Task) -> str:  # noqa: ARG002
        """It does every task."""
        return ""

    def passes(self, asked: int) -> int:
        """As many as asked for."""
        return asked

    def train(self, task: Task, passes: int, model: Path, clock: Clock) -> None:
        """Write a file in its format, let it train from there; the first of its passes also reads the file."""
        model.mkdir(exist_ok=True)
        text = model / "train.vw"
        labels = self.write(task, text)
        (model / "labels.json").write_text(json.dumps(labels), encoding="utf-8")
        with clock.stage("passes"):
            data = f"-d {text} -k --cache_file {text}.cache --passes {passes} --holdout_off"
            settings = f"--search {len(labels)} {SEARCH} -b {BITS} --random_seed 1 --quiet"
            workspace = vowpalwabbit.Workspace(f"{data} {settings} -f {model / 'weights'}")
            workspace.run_parser()
            workspace.finish()
        text.unlink()
        Path(f"{text}.cache").unlink()

    def write(self, task: Task, path: Path) -> list[str]:
        """Write the training data; return the labels by their numbers, which count from 1."""
        make = AttributeMaker(task.patterns)
        numbers: dict[str, int] = {}
        with path.open("w", encoding="utf-8") as out:
            for sentence, labels in read_plain(task.train, task.columns):
                for features, label in zip(make(sentence), labels, strict=True):
                    out.write(f"{numbers.setdefault(label, len(numbers) + 1)} {_line(features)}\n")
                out.write("\n")
        return list(numbers)

    def load(self, task: Task, model: Path) -> Tag:
        """Each sentence goes in as lines of text; labels come out as numbers."""
        make = AttributeMaker(task.patterns)
        workspace = vowpalwabbit.Workspace(f"-i {model / 'weights'} -t --quiet")
        names = json.loads((model / "labels.json").read_text(encoding="utf-8"))

        def tag_one(sentence: Columns) -> list[str]:
            examples = workspace.parse([*map(_line, make(sentence))])
            workspace.predict(examples)
            labels = [names[example.get_multiclass_prediction() - 1] for example in examples]
            workspace.finish_example(examples)
            return labels

        return lambda sentences: [*map(tag_one, sentences)]


def _line(features: list[str]) -> str:
    return "|f " + " ".join(features).translate(_SPECIAL)


SYSTEM = Vowpal()
