"""Command lines are read: random ones give values that keep their limits, modes are commands of their own."""

from __future__ import annotations

import math
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from command_line import check, run
from perceptag.cli import MODES, WITH_MODES, find_command, load_command
from perceptag.cli.declare import Parameter, UsageError, parse
from perceptag.cli.options import FileOptions

NAMES = list(WITH_MODES)
READ = {name: load_command(name) for name in NAMES}


def words_of(parameter: Parameter) -> st.SearchStrategy[list[str]]:
    """One option or argument of a command as somebody may write it, rightly or wrongly."""
    numbers = st.integers(-3, 2**31).map(str) | st.sampled_from(["1.5", "nan", "-inf", "1_0", " 7 "])
    value = st.text(max_size=5) | numbers | st.sampled_from(parameter.choices or ["-", "--", "-h"])
    if parameter.is_argument:
        return st.lists(value, min_size=1, max_size=2)
    name = st.sampled_from(parameter.names)
    if parameter.is_flag:
        return st.builds(lambda n: [n], name)
    return st.builds(
        lambda n, v, joined: [f"{n}={v}" if joined else n, *([] if joined else [v])], name, value, st.booleans()
    )


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_values_have_their_types_and_keep_their_limits(data: st.DataObject) -> None:
    chosen = READ[data.draw(st.sampled_from(NAMES))]
    groups = data.draw(st.lists(st.sampled_from(chosen.parameters).flatmap(words_of), max_size=6))
    needed = [[p.names[0], "x"] for p in chosen.parameters if p.is_required and not p.is_argument]
    try:
        values = parse(chosen, [word for group in [*needed, *groups] for word in group])
    except UsageError as error:
        assert re.match(r"--?\S+: |[A-Z_]+: |missing |unexpected ", str(error)), str(error)
        return
    for p in chosen.parameters if values is not None else []:
        value = values[p.name]
        if value != p.default and p.kind in (int, float):
            assert isinstance(value, p.kind) and not math.isnan(value)
            assert p.declared.min is None or value >= p.declared.min
            assert p.declared.max is None or value <= p.declared.max
        elif value != p.default and p.is_list:
            assert all(isinstance(one, str) for one in value)


def test_starting_to_tag_compiles_no_annotations() -> None:
    assert not any(isinstance(found, str) for found in READ["tag"].function.__annotations__.values())
    assert not any(isinstance(found, str) for found in FileOptions.__annotations__.values())


def test_without_a_command_the_help_goes_to_stderr() -> None:
    nothing, asked = run(), run("--help")
    assert (nothing.status, nothing.out) == (2, "") and (asked.status, asked.err) == (0, "")
    assert nothing.err.strip() == asked.out.strip()
    check(run(""), "no such command ''$")
    check(run("tag", "-m", "m", "--a\nb"), "--a b: no such option")
    assert run("--version", "tag").out.startswith("perceptag ")
    assert run("--", "list", "--models").out == run("list", "--models").out


def test_a_mode_is_a_command_of_its_own() -> None:
    assert find_command(["check", "a", "--stats", "-f", "x"]) == ("check --stats", ["a", "-f", "x"])
    assert find_command(["check", "--", "--stats"]) == ("check", ["--", "--stats"])
    assert find_command(["stats", "a"])[0] == find_command([])[0] == ""
    assert not any(flag in load_command(name).options for name, flags in MODES.items() for flag in flags)
    for words in (["--rules", "en", "a"], ["a", "--rules=en"]):  # a mode with a value keeps it
        assert find_command(["check", *words]) == ("check --rules", words)
    check(run("check", "--stat", "a"), r"--stat: no such option; did you mean '--stats'\?$")
