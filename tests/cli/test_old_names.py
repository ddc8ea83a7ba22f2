"""Names of earlier releases work, and each is announced once, with the new name and the release in which it ends."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import CORPUS_COLUMNS, TOY, run
from perceptag import Tagger, __version__
from perceptag.cli import OLD_COMMANDS
from perceptag.foreign import read_export, texts
from perceptag.foreign.texts import ForeignToken
from perceptag.recipe.recipe import Recipe, load
from perceptag.recipe.recipe_files import OLD_NAMES
from perceptag.spark import _in_order
from perceptag.system.old_names import ENDS, OldNameWarning, old_names_told, warn_of_old_name
from perceptag.text import read_columns

NAMES = "Anna NNP B-NP B-PER\nsleeps VBZ B-VP O\n\nBen NNP B-NP B-PER\nruns VBZ B-VP O\n"
WORDS = {  # of a command line that ends soon
    "validate": ["toy.txt"],
    "suggest": ["toy.txt", "--kind", "scheme"],
    "stats": ["toy.txt"],
    "recipes": [],
    "models": [],
    "ablate": ["--train", "none.txt", "--dev", "none.txt"],
    "curve": ["--train", "none.txt", "--dev", "none.txt"],
}


def announced(err: str) -> list[str]:
    return [line for line in err.splitlines() if "is now called" in line]


def test_every_old_command_is_tested() -> None:
    assert WORDS.keys() == set(OLD_COMMANDS.values())


@pytest.mark.parametrize(("new", "old"), OLD_COMMANDS.items())
def test_old_commands(new: str, old: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("toy.txt").write_text(TOY)
    by_old, by_new = run(old, *WORDS[old]), run(*new.split(), *WORDS[old])
    expected = f"the command {old!r} is now called {new!r}; the old name ends with perceptag {ENDS}"
    assert announced(by_old.err) == [expected]
    assert announced(by_new.err) == []
    assert (by_old.status, by_old.out) == (by_new.status, by_new.out)
    assert announced(run(old, "--help").err) == []


def test_quiet_commands_announce_nothing(tmp_path: Path) -> None:
    words = ("--train", tmp_path / "none.txt", "--dev", tmp_path / "none.txt")
    assert announced(run("ablate", *words).err) != []
    assert announced(run("ablate", *words, "--quiet").err) == []


@pytest.mark.parametrize(("old", "new"), OLD_NAMES.items())
def test_old_recipes_on_the_command_line(old: str, new: str) -> None:
    """Once, although the recipe is read several times."""
    result = run("list", old, "--json")
    assert (result.status, announced(result.err)) == (0, [_of_recipe(old, new)])
    assert announced(run("list", new, "--json").err) == []


def test_an_old_recipe_is_announced_once_in_training(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text(NAMES)
    words = ("--train", tmp_path / "names.txt", "--columns", CORPUS_COLUMNS, "--no-dev", "--epochs", 1)
    result = run("train", "-r", "kazama-margin", *words, "-m", tmp_path / "m")
    assert (result.status, announced(result.err)) == (0, [_of_recipe("kazama-margin", "margin-ner")])


@pytest.mark.parametrize(("old", "new"), OLD_NAMES.items())
def test_old_recipes_in_python(old: str, new: str, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text(NAMES)
    sentences = list(read_columns(tmp_path / "names.txt", CORPUS_COLUMNS.split(",")))
    expected = f"^{re.escape(_of_recipe(old, new))}$"
    with pytest.warns(OldNameWarning, match=expected) as found:
        tagger = Tagger(old, epochs=1).fit(sentences)
    assert {one.filename for one in found} == {__file__}  # Python shows the warnings of scripts
    with pytest.warns(OldNameWarning, match=expected):
        Recipe().replace({"features": old})
    path = str(tmp_path / "m")
    tagger.save(path)
    assert Tagger.load(path).model_.recipe.name == old  # a warning would fail this test: the model is not to blame
    assert load(new).name == new


def test_old_modules_and_classes() -> None:
    sys.modules.pop("perceptag.foreign.reading", None)
    with pytest.warns(OldNameWarning, match="foreign.reading.* is now called .*read_export") as found:
        import perceptag.foreign.reading as old
    with pytest.warns(OldNameWarning, match="the class 'Piece' is now called 'ForeignToken'") as more:
        from perceptag.foreign.texts import Piece
    assert {one.filename for one in (*found, *more)} == {__file__}
    assert (old.read_foreign, Piece) == (read_export.read_foreign, ForeignToken)
    with pytest.raises(AttributeError, match="has no attribute 'Pieces'"):
        getattr(texts, "Pieces")  # noqa: B009 - the name is wrong on purpose


def test_a_script_sees_the_warning(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("from perceptag.recipe.recipe import load\nload('kazama-margin')\n")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert done.stderr.startswith(f"{script}:2: OldNameWarning: the recipe 'kazama-margin' is now called 'margin-ner'")


def test_other_warnings_stay_as_they_are() -> None:
    told: list[str] = []
    with pytest.warns(UserWarning, match="^something else$"), old_names_told(told.append):
        import warnings

        warnings.simplefilter("always")
        warnings.warn("something else", stacklevel=1)
        warn_of_old_name("key", "a", "b")
        warn_of_old_name("key", "a", "b")
    assert told == [f"the key 'a' is now called 'b'; the old name ends with perceptag {ENDS}"]


def test_old_names_do_not_outlive_their_end() -> None:
    """Two MINOR releases after the one that announces them."""
    now, end = ([int(part) for part in version.split(".")[:2]] for version in (__version__, ENDS))
    assert now < end


def _of_recipe(old: str, new: str) -> str:
    return f"the recipe {old!r} is now called {new!r}; the old name ends with perceptag {ENDS}"


@pytest.mark.parametrize(
    ("words", "old", "new"),
    [
        ("split toy.txt", "--out parts", "--output parts"),
        ("split toy.txt", "--force", "--overwrite"),
        ("tune --train none.txt --dev none.txt", "--out x.toml", "--output x.toml"),
        ("reproduce shen2007 --data none", "--out runs", "--output runs"),
        ("errors -m none.model toy.txt", "--limit 3", "--top 3"),
        ("check --stats toy.txt", "--limit=3", "--top=3"),
        ("check --suspects toy.txt --kind scheme", "--limit 3", "--top 3"),
    ],
)
def test_old_options(words: str, old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("toy.txt").write_text(TOY * 20)
    by_old, by_new = run(*words.split(), *old.split()), run(*words.split(), *new.split(), *_overwriting(words))
    names = [word.replace("=", " ").split()[0] for word in (old, new)]
    expected = f"the option {names[0]!r} is now called {names[1]!r}; the old name ends with perceptag {ENDS}"
    assert announced(by_old.err) == [expected]
    assert announced(by_new.err) == []
    assert (by_old.status, by_old.out) == (by_new.status, by_new.out)
    assert f"{names[0]} " not in run(*words.split()[:2], "--help").out.replace(f"{names[0]} NAME", "")


def _overwriting(words: str) -> list[str]:
    """What a command needs that runs for the second time."""
    return ["--overwrite"] if words.startswith("split") else []


def test_the_old_order_of_arguments_for_spark() -> None:
    class Frame:
        """A data frame of Spark, as far as the order of arguments needs it."""

        mapInArrow = None  # noqa: N815 - its name in Spark

    frame = Frame()
    assert _in_order("en", frame) == ("en", frame)
    with pytest.warns(OldNameWarning, match=r"the call 'tag\(df, model\)' is now called 'tag\(model, frame\)'"):
        assert _in_order(frame, "en") == ("en", frame)
