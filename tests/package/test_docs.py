"""The documentation says what is so: links, commands, settings, code, output, files and functions."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from command_line import CORPUS, run
from markdown import Page, commands, matches, pipeline, session, statements
from perceptag.cli import WITH_MODES, find_command, load_command
from perceptag.cli.declare import parse
from perceptag.errors import SettingError
from perceptag.recipe.recipe import Recipe, load
from perceptag.recipe.recipe_files import shipped

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "perceptag"
PATHS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), SOURCE / "data" / "README.md"]
PAGES = [pytest.param(Page(path), id=str(path.relative_to(ROOT))) for path in sorted(PATHS)]
PRESENT = [page for page in PAGES if page.id != "CHANGELOG.md"]  # which speaks of what was, too
GUIDE = ("quickstart", "pipelines", "text", "word-classes", "scale", "data-tools", "evaluation")
GUIDE += ("rules", "python-api", "formats")
SHOWN = ("README.md", *(f"docs/guide/{name}.md" for name in GUIDE))
FILES_FIRST = ("pipelines", "text", "scale")  # their Python uses a file that their commands write
RUN = [Page(ROOT / name) for name in SHOWN]
RUNNABLE = [pytest.param(page, id=page.path.name) for page in RUN]
TABLES = ROOT / "docs" / "guide" / "tables.md"
OF_OTHERS = [
    pytest.param(Page(TABLES, without="Spark"), id="tables.md", marks=pytest.mark.doors),
    pytest.param(
        Page(TABLES, only="Spark"),
        id="tables.md, Spark",
        marks=[pytest.mark.spark, pytest.mark.filterwarnings("default")],
    ),
]
OF_OTHERS += [
    pytest.param(
        Page(ROOT / "docs" / "guide" / f"{name}.md"),
        id=f"{name}.md",
        marks=[pytest.mark.doors, pytest.mark.filterwarnings("default")],
    )
    for name in ("from-sklearn-crfsuite", "spacy")
]
NEEDED = {
    "tables": ("pandas", "polars", "datasets"),
    "tables Spark": ("pyspark",),
    "from-sklearn-crfsuite": ("sklearn",),
    "spacy": ("spacy", "nltk"),
}

CODE_FILE = re.compile(r"[\w.-]+(?:/[\w.-]+)*\.(?:py|cpp|hpp|toml|md)")
NOT_OURS = {"mine.toml", "results.md", "steps.py"}  # files that commands or users write
# options of make bench and make trust, and those without a command
OTHER_TOOLS = ("--docs", "--quick", "--readme", "--install-completion", "--show-completion", "--version", "--help")
READ = {name: load_command(name) for name in WITH_MODES}
OPTIONS = {name: {*chosen.options, *(mode.split()[0] for mode in chosen.modes)} for name, chosen in READ.items()}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: Page) -> None:
    for link in page.links():
        if link.startswith(("https://", "http://")):
            continue
        name, _, anchor = link.partition("#")
        target = page.path.parent / name if name else page.path
        assert target.exists(), f"{link}: there is no such file"
        known = not anchor or anchor in Page(target).anchors()
        assert known, f"{link}: there is no such heading"


def test_every_page_can_be_found_from_the_index() -> None:
    index = ROOT / "docs" / "index.md"
    linked = {(index.parent / link.partition("#")[0]).resolve() for link in Page(index).links()}
    assert {path.resolve() for path in ROOT.glob("docs/*/*.md")} <= linked


@pytest.mark.parametrize("page", PAGES)
def test_commands_can_be_parsed(page: Page) -> None:
    """Verb, options and arguments as the command line itself reads them; nothing is run."""
    for line in commands(page):
        verb, words = find_command(line)
        assert verb in READ, f"perceptag {line}: there is no such command"
        check_settings(given(verb, words, "--recipe"), given(verb, words, "--set"))


def given(verb: str, words: list[str], option: str) -> Any:
    """The value of an option in a command, or None if the command has no such option."""
    values = parse(READ[verb], words)
    parameter = READ[verb].options.get(option)
    return values[parameter.name] if values and parameter else None


def check_settings(recipe: str | None, settings: list[str] | None) -> None:
    """Refuse recipes and keys that do not exist."""
    assert not recipe or recipe in shipped() or recipe.endswith(".toml"), recipe
    base = load(recipe) if recipe in shipped() else Recipe()
    base.replace(dict(setting.split("=", 1) for setting in settings or ()))


@pytest.mark.parametrize("page", PRESENT)
def test_commands_in_running_text_name_verbs_and_options(page: Page) -> None:
    every = set().union(*OPTIONS.values(), OTHER_TOOLS)
    for span in page.spans():
        words = span.split() or [""]
        known = every
        if words[0] == "perceptag" and len(words) > 1 and words[1].islower() and words[1] not in OTHER_TOOLS:
            name = find_command(words[1:])[0]
            assert name in READ, span
            known = OPTIONS[words[1]] | OPTIONS[name]
        elif not words[0].startswith("--"):
            continue
        options = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        assert options <= known, span
        for setting in (after for word, after in pairwise(words) if word == "--set" and "=" in after):
            key, _, value = setting.partition("=")
            assert key in ("KEY", "without") or is_key(key, value), f"{span}: there is no such key"


def is_key(key: str, value: str) -> bool:
    """Whether recipes have this key, whatever else may be wrong with the setting."""
    try:
        Recipe().replace({key: value})
    except SettingError as error:
        return "unknown recipe key" not in str(error)
    return True


@pytest.mark.parametrize("page", PAGES)
def test_python_blocks_compile(page: Page) -> None:
    for block in page.blocks("python"):
        assert ast.parse(block).body


@pytest.mark.parametrize("page", RUNNABLE + OF_OTHERS)
def test_python_blocks_give_what_they_show(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after_commands: AfterCommands
) -> None:
    for library in NEEDED.get(f"{page.path.stem} {page.only}".strip(), ()):
        pytest.importorskip(library)
    needs_files = page.path.stem in FILES_FIRST
    monkeypatch.chdir(after_commands(page)[0] if needs_files else tmp_path)
    names: dict[str, object] = {}
    compared = 0
    for block in page.blocks("python"):
        for statement, shown in statements(block):
            if isinstance(statement, ast.Expr):
                value = eval(compile(ast.Expression(statement.value), page.path.name, "eval"), names)
                assert not shown or matches(shown, repr(value)), repr(value)
                compared += bool(shown)
            else:
                exec(compile(ast.Module([statement], []), page.path.name, "exec"), names)
    assert compared >= 2


@pytest.mark.parametrize("page", RUNNABLE[:-2])  # the last two show no commands
def test_commands_print_what_is_shown(page: Page, after_commands: AfterCommands) -> None:
    assert after_commands(page)[1] >= 2


AfterCommands = Callable[[Page], tuple[Path, int]]


@pytest.fixture(scope="module")
def after_commands(tmp_path_factory: pytest.TempPathFactory) -> AfterCommands:
    """For a page, the folder in which its commands have run, and how many of them print something."""

    @cache
    def run_once(page: Page) -> tuple[Path, int]:
        folder = tmp_path_factory.mktemp(page.path.stem)
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            return folder, run_session(page)

    return run_once


def run_session(page: Page) -> int:
    """Run the commands of a page and compare what they print; return how many print something."""
    for block in page.blocks("toml"):  # one that begins with the name of a file is that file
        if name := re.match(r"# ([\w-]+\.toml)\n", block):
            Path(name[1]).write_text(block, encoding="utf-8")
    variables: dict[str, str] = {}
    printed = 0
    for command, shown in session(page):
        text = carry_out(command, variables)
        variables.update(data=str(CORPUS))  # wherever the package is installed
        assert matches(shown, text), text
        printed += bool(shown.strip())
    return printed


def carry_out(command: str, variables: dict[str, str]) -> str:
    """What a pipeline of echo, printf, tr and perceptag prints, errors and notes first; `> FILE` writes a file."""
    text = notes = ""
    for words, reads in pipeline(command, variables):
        match words:
            case ["echo", said]:
                text = said + "\n"
            case ["printf", said]:
                text = said.replace("\\n", "\n").replace("\\f", "\f")
            case ["tr", old, new]:
                text = text.replace(old, new.replace("\\n", "\n"))
            case ["perceptag", *rest]:
                result = run(*rest, stdin=text.encode() if reads else b"")
                assert result.status == 0, result.err
                notes, text = notes + result.err, result.out
            case _:
                raise AssertionError(f"{words}: teach the test to do this")
    if target := re.search(r"\s> ([\w.-]+)$", command):
        Path(target[1]).write_text(text, encoding="utf-8")
        text = ""
    return notes + text


@pytest.mark.parametrize("page", PRESENT)
def test_files_exist(page: Page) -> None:
    """Every source file that a page names, from the root, from the package or, without a folder, anywhere."""
    for span in page.spans():
        if not CODE_FILE.fullmatch(span) or span in NOT_OURS or "gentle" in span:
            continue
        if span.startswith("benchmarks/") and not (ROOT / "benchmarks").exists():
            continue  # a source distribution is without them
        roots = (ROOT, SOURCE, page.path.parent)
        if "/" in span:
            assert any((root / span).exists() for root in roots), f"{span}: there is no such file"
        else:
            folders = (SOURCE, ROOT / "cpp", ROOT / "docs")
            assert (ROOT / span).exists() or any(any(folder.rglob(span)) for folder in folders), span
