"""``perceptag doctor``: check the installation, and print what a bug report needs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from perceptag._version import __version__
from perceptag.cli.declare import Argument
from perceptag.cli.options import Json
from perceptag.cli.streams import check_failed, write_json, write_stdout
from perceptag.cli.table import Table, render, tabled
from perceptag.cli.version import build
from perceptag.errors import PerceptagError


def doctor_cli(
    models: Annotated[list[str] | None, Argument("[MODEL]...", "Models: files, or installed ones by name.")] = None,
    json_: Json = False,
) -> None:
    """Check the installation, and print what a bug report needs.

    Prints versions, the machine, the terminal, and digests and sizes of models. The output is safe to share: it
    contains neither data nor user names nor folders. The exit status is 1 if a check fails.
    """
    found = doctor(models or [])
    write_json(found) if json_ else write_stdout(show(found))
    failed = [check["name"] for check in found["checks"] if not check["passed"]]
    if failed:
        raise check_failed(f"failed: {', '.join(failed)}")


def doctor(models: Sequence[str]) -> dict[str, Any]:
    """Facts and checks, as a dictionary for JSON."""
    from perceptag.inspecting.self_checks import self_checks, surroundings
    from perceptag.pipeline.installed import installed

    checks = list(self_checks())
    files = []
    for model in models:
        fact, check = _model(model)
        files.append(fact)
        checks.append(check)
    return {
        "perceptag": {"version": __version__, **build()},
        **surroundings(),
        "installed_models": [model.name for model in installed()],
        "models": [fact for fact in files if fact],
        "checks": [{"name": check.name, "passed": check.passed, "fault": check.fault} for check in checks],
    }


def _model(model: str) -> tuple[dict[str, Any], Any]:
    """The facts of a model, and whether it can be read. Only the last part of its path is shown."""
    from perceptag.inspecting.self_checks import CheckError, file_facts, run
    from perceptag.pipeline.installed import path_of

    facts: dict[str, Any] = {}
    name = Path(model).name or "the model"

    def read() -> None:
        if not model:
            raise CheckError("expected a file or the name of an installed model, found ''")
        try:
            facts.update(file_facts(path_of(model)))
        except PerceptagError as error:
            raise CheckError(str(error).replace(model, name)) from None

    return facts, run(f"{name} can be read", read)


def show(found: dict[str, Any]) -> str:
    """The same as text: a table of facts, one for each model, and the checks."""
    rows = [("✓" if check["passed"] else "✗", check["name"], check["fault"] or "passed") for check in found["checks"]]
    checks = tabled(["", "check", "result"], rows, "checks")
    models = [render(_of_model(model), model["file"]) for model in found["models"]]
    return "\n".join([render(_facts(found)), *models, checks, _verdict(found["checks"])])


def _verdict(checks: Sequence[dict[str, Any]]) -> str:
    failed, all_ = sum(not check["passed"] for check in checks), len(checks)
    return f"✗ {failed} of {all_} checks failed" if failed else f"✓ perceptag works here: {all_} checks passed"


def _facts(found: dict[str, Any]) -> Table:
    table = Table(["about", "fact", "value"])
    for group, values in found.items():
        if group in ("models", "checks"):
            continue
        about = group.replace("_", " ")
        for name, value in values.items() if isinstance(values, dict) else [("", values)]:
            missing = group == "libraries" and value is None
            shown = gigabytes(value) if name in ("memory", "free_memory") and value is not None else _shown(value)
            table.add(about, name.replace("_", " "), "not installed" if missing else shown)
            about = ""  # once is enough
    return table


def gigabytes(size: int) -> str:
    """A size in memory, as people say it.

    >>> gigabytes(25_276_518_400)
    '25.3 GB'
    """
    return f"{size / 1e9:.1f} GB"


def _of_model(facts: dict[str, Any]) -> Table:
    table = Table(["fact", "value"])
    for name, value in facts.items():
        for layer in value if name == "layers" else ():
            about = ", ".join(f"{key.replace('_', ' ')} {_shown(of)}" for key, of in layer.items() if key != "layer")
            table.add(f"layer {layer['layer']}", about)
        if name not in ("file", "layers"):
            table.add(name.replace("_", " "), _shown(value))
    return table


def _shown(value: object) -> str:
    if value is None:
        return "not known"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)
