"""ARCHITECTURE.md says what is so: rooms and their order, native passes, kinds of models, commands, state."""

from __future__ import annotations

import ast
import re
import runpy
from functools import cache
from pathlib import Path

import pytest

from markdown import Page
from perceptag import Tagger, Tokenizer
from perceptag.cli import COMMANDS, GROUPS, WITH_MODES
from perceptag.models.kinds import KINDS
from perceptag.recipe.recipe import load
from perceptag.recipe.recipe_files import shipped
from perceptag.recipe.usercode import with_learner
from perceptag.text.formats import FORMATS
from sources import nodes, tree

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "perceptag"
PAGE = Page(ROOT / "ARCHITECTURE.md")
# What stands outside the order of the rooms.
OUTSIDE = {
    "reference",
    "data",
    "__main__.py",
    "_version.py",
    "__init__.py",
}  # what stands outside the order of the rooms


@cache
def section(title: str) -> str:
    """The text below a heading, up to the next one of any level."""
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#+ |\Z)", PAGE.text, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def table(title: str) -> list[list[str]]:
    """The rows of the first table of a section, without its header."""
    rows = [line for line in section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows[2:]]


def names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def rooms() -> list[list[str]]:
    """The rooms of each row, as the contract calls them."""
    return [[name.rstrip("/").removesuffix(".py") for name in names(row[0])] for row in table("The rooms")]


def test_the_rows_of_the_table_are_the_layers_of_the_contract() -> None:
    tomllib = pytest.importorskip("tomllib")
    configured = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (layers,) = [one["layers"] for one in configured if one["name"] == "a room imports only rooms below it"]
    assert [sorted(row) for row in rooms()] == [sorted(layer.split(" | ")) for layer in layers]


def test_every_room_is_in_the_table_and_exists() -> None:
    listed = [name for row in table("The rooms") for name in names(row[0])]
    assert len(listed) == len(set(listed))
    found = {
        path.name + "/" * path.is_dir()
        for path in SOURCE.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert set(listed) == {name for name in found if name.rstrip("/") not in OUTSIDE}


def test_files_that_the_table_names_are_in_their_rooms() -> None:
    """`fit.py` in the row of `training/` is training/fit.py."""
    checked = 0
    for row in table("The rooms"):
        folders = [SOURCE / name for name in names(row[0]) if name.endswith("/")]
        for file in names(row[1]):
            if re.fullmatch(r"\w+\.py", file):
                checked += 1
                assert any((folder / file).exists() for folder in folders), f"{row[0]}: {file}"
    assert checked > 15


def members() -> dict[str, set[str]]:
    """What the classes of the package and of its native module define, with what their base classes define."""
    own: dict[str, set[str]] = {}
    bases: dict[str, list[str]] = {}
    for path in [*SOURCE.rglob("*.py"), SOURCE / "_core.pyi"]:
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                found = {one.name for one in node.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))}
                own.setdefault(node.name, set()).update(found)
                bases.setdefault(node.name, []).extend(re.findall(r"\w+", " ".join(map(ast.unparse, node.bases))))
    return {name: own[name].union(*(own.get(base, set()) for base in bases[name])) for name in own}


def test_methods_that_are_named_exist() -> None:
    known = members()
    named = {span for span in PAGE.spans() if re.fullmatch(r"[A-Z]\w+\.[a-z_]\w+", span)} - {"SECURITY.md"}
    assert len(named) > 20
    for name in named:
        kind, _, method = name.partition(".")
        assert method in known.get(kind, ()), name


def test_cpp_rooms_are_in_the_order_that_is_told() -> None:
    level = runpy.run_path(str(ROOT / ".ci" / "cpp_rooms.py"))["LEVEL"]
    told = " ".join(section("The rooms").split())
    assert "`core/` at the bottom, `search/` and `text/` above it" in told
    assert "`document/` above `linear/`" in told
    assert level["core"] < level["search"] == level["text"] < level["linear"] < level["document"]
    assert min(level.values()) == level["core"]


def test_learners_that_are_said_to_be_native_have_a_native_pass() -> None:
    told = section("Native passes").partition(", and so the recipes")[0]
    found = set()
    for name in shipped():
        learner = with_learner(load(name)).declaration
        if learner.native is not None:
            found.add(learner.name)
    assert found == set(names(told))
    for recipe in ("pos", "chunk", "ner"):
        assert with_learner(load(recipe)).declaration.native is not None


def test_python_loops_stand_beside_the_native_ones() -> None:
    for name in ("perceptron", "margin", "ascent"):
        code = ast.parse((SOURCE / "learn" / f"{name}.py").read_text("utf-8"))
        assert {"learn_epoch", "native_epoch"} <= {node.name for node in code.body if isinstance(node, ast.FunctionDef)}


def test_kinds_of_models_are_those_in_the_code() -> None:
    told = {names(row[0])[0]: row for row in table("Kinds of models")}
    assert set(told) == set(KINDS)
    for kind, row in told.items():
        assert KINDS[kind].package == "perceptag." + names(row[3])[0].rstrip("/").replace("/", "."), kind


def test_learners_make_the_kinds_that_the_table_says() -> None:
    told = {learner: names(row[0])[0] for row in table("Kinds of models") for learner in names(row[1])}
    checked = set()
    for name in shipped():
        learner = with_learner(load(name)).declaration
        if learner.since and load(name).unit != "text":
            assert told[learner.name] == learner.kind, name
            checked.add(learner.name)
    assert len(checked) > 10


def test_every_command_has_a_file_with_the_function_that_is_told() -> None:
    assert "with a function `x_cli()`" in section("The rooms")
    for command in WITH_MODES:
        file = "list_recipes" if command == "list" else command.replace(" --", "_")
        code = ast.parse((SOURCE / "cli" / f"{file}.py").read_text("utf-8"))
        assert f"{file}_cli" in {node.name for node in code.body if isinstance(node, ast.FunctionDef)}, command
    assert set(COMMANDS) == {name for group in GROUPS.values() for name in group}


def test_every_format_is_declared_at_the_end_of_its_file() -> None:
    assert "At the end of the file the format declares itself, as a `Format`" in section("A file format")
    for path in {SOURCE / "text" / f"{name}.py" for name in ("columns", "conllu", "jsonl", "parquet", "crfsuite")}:
        assert re.search(r"^FORMAT = Format\($", path.read_text("utf-8"), re.MULTILINE), path
    assert {"columns", "conllu", "jsonl", "parquet", "crfsuite"} <= set(FORMATS)


def test_process_wide_state_is_where_it_is_told() -> None:
    """Names of modules that functions rebind, and values of threads."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        assigned = (ast.unparse(node) for node in tree(path).body if isinstance(node, ast.Assign))
        is_of_threads = "threading.local()" in path.read_text("utf-8") and any(
            "threading.local()" in a for a in assigned
        )
        if is_of_threads or any(isinstance(node, ast.Global) for node in nodes(path)):
            found.add(path.relative_to(SOURCE).as_posix())
    told = set(re.findall(r"`([\w/]+\.py)`", section("Invariants")))
    assert found == {"cli/bar.py", "engines/threads_engine.py"}
    assert told == {*found, "system/read_positions.py"}


@pytest.mark.parametrize("kind", [Tagger, Tokenizer])
def test_constructors_of_public_classes_store_their_arguments_and_check_names_only(kind: type) -> None:
    code = ast.parse((SOURCE / f"{kind.__name__.lower()}.py").read_text("utf-8"))
    (made,) = [node for node in code.body if isinstance(node, ast.ClassDef) and node.name == kind.__name__]
    (init,) = [node for node in made.body if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
    *stored, checked = init.body
    assert ast.unparse(checked) == "check_names(recipe, overrides)"
    for statement in stored:
        assert isinstance(statement, ast.Assign), ast.unparse(statement)
        (target,) = statement.targets
        assert isinstance(target, ast.Attribute) and isinstance(statement.value, ast.Name)
        assert target.attr == statement.value.id


def callers(function: str) -> set[str]:
    """The modules that call a function or a class of this name."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        calls = [node for node in nodes(path) if isinstance(node, ast.Call)]
        if any(isinstance(call.func, ast.Name) and call.func.id == function for call in calls):
            found.add(path.relative_to(SOURCE).as_posix())
    return found


def test_everything_that_trains_uses_the_one_plan() -> None:
    assert (
        "`fit.py` is the one plan of every training, for commands, classes, folds, trials and the workbench"
        in PAGE.text
    )
    users = {
        "cli/train.py",
        "tagger.py",
        "tokenizer.py",
        "training/jackknife.py",
        "review/crossed.py",
        "trials/runs.py",
    }
    assert {*users, "workbench/learning/training.py"} <= callers("make_plan")
    assert callers("Training") <= {"training/fit.py", "workbench/learning/questions.py"}  # which gives it to the plan
