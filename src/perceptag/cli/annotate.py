"""``perceptag annotate``: label sentences in a web page while a model learns."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from perceptag.cli import completing
from perceptag.cli.declare import Argument, Option
from perceptag.cli.options import (
    ColumnOptions,
    Columns,
    Comment,
    Encoding,
    Format,
    Label,
    LabelNames,
    Overwrite,
    TextIn,
    TokenizerIn,
    names_in,
)
from perceptag.cli.serve import SERVER, ServerOptions, address_of, require_extra
from perceptag.cli.streams import check_failed, stoppable, write_stderr, write_stdout
from perceptag.errors import SettingError, brief
from perceptag.system.cores import cores
from perceptag.system.file_kinds import PROJECT
from perceptag.system.given_file import FileFacts, GivenFile
from perceptag.system.plural import plural
from perceptag.system.replacing import check_output
from perceptag.text.formats import choose, told_by_name

if TYPE_CHECKING:  # what takes long to import is imported by those who use it
    from perceptag.project.project import Project
    from perceptag.workbench.opening import ProjectRequest
    from perceptag.workbench.routes import ListenOptions

STATUSES = ("labelled", "all")


@dataclass(eq=False, repr=False)
class ProjectOptions:
    """The subject of a project, and the model that learns from it."""

    imports: Annotated[list[str] | None, Option("--import FILE", "Sentences to label; repeatable.")] = None
    labels: Annotated[str, Option("A,B,C", "Types of spans, such as PER,ORG,LOC.")] = ""
    tags: Annotated[str, Option("A,B,C", "Tags of words, such as NN,VBZ.")] = ""
    columns: Columns = ""
    format: Format = ""
    comment: Comment = ""
    encoding: Encoding = ""
    label: Label = ""
    tokenizer: TokenizerIn = ""
    label_names: LabelNames = ""
    text: TextIn = ""
    model: Annotated[str, Option("--model -m NAME[:LAYER]", "A model that proposes labels from the start.")] = ""
    classes: Annotated[str, Option("FILE", "Word classes written by 'perceptag classes'.")] = ""
    recipe: Annotated[
        str,
        Option(
            "--recipe -r NAME|FILE",
            "The recipe of the model that learns; default: one for spans or tags.",
            complete=completing.recipes,
        ),
    ] = ""
    rules: Annotated[str, Option("--rules FILE", "Rules whose spans are proposed, with or without a model.")] = ""

    def request(self, project: str) -> ProjectRequest:
        """The project that these options ask for."""
        from perceptag.workbench.opening import ProjectRequest

        types = _types_of(self.labels), words_of("--tags", self.tags)
        begin = {"start": self.model, "classes": self.classes, "recipe": self.recipe, "rules": self.rules}
        facts = FileFacts(self.encoding, self.tokenizer, label_names=names_in(self.label_names), text=self.text)
        given = [GivenFile(path, facts) for path in self.imports or []]
        reading = ColumnOptions(self.columns, self.format, self.comment)
        return ProjectRequest(
            *(project, given, *types),
            columns=reading.names,
            label=self.label,
            format=named_format(reading),
            comment=self.comment,
            settings=begin,
        )


def named_format(reading: ColumnOptions) -> str:
    """The name of the format that ``--format`` and ``--comment`` name; an empty string if neither was given."""
    found = reading.format
    return found if isinstance(found, str) else found.name if found else ""


def annotate_cli(
    project: Annotated[str, Argument("PROJECT.ptag", "The project file; a new name starts a new project.")],
    at: ServerOptions,
    about: ProjectOptions,
    annotator: Annotated[
        list[str] | None,
        Option("NAME[:ROLE]", "An annotator with a role: read, annotate (default) or admin; repeatable."),
    ] = None,
    token_file: Annotated[
        str, Option("FILE", "Annotators and their tokens; default: PROJECT.ptag.tokens.", group=SERVER)
    ] = "",
    export: Annotated[str, Option("FILE", "Write the labels to a file, and exit.")] = "",
    status: Annotated[str, Option("labelled|all", "Which sentences --export writes.")] = "labelled",
    backup: Annotated[str, Option("FILE", "Write a copy of the project, and exit.")] = "",
    check: Annotated[bool, Option("--check", "Check the integrity of the project, and exit.")] = False,
    overwrite: Overwrite = False,
) -> None:
    """Label sentences in a web page while a model learns from them.

    Prints a link to the page for each annotator; if stderr is not a terminal, the links are in PROJECT.ptag.links.
    The project is one file; every change is on disk before the page confirms it, and can be undone. SIGTERM and Ctrl-C
    stop the server.
    """
    if status not in STATUSES:
        raise SettingError(f"--status: expected {' or '.join(STATUSES)}, found {brief(status)}")
    ends = bool(export or backup or check)
    if not ends:
        require_extra("annotate")
    check_outputs(project, about.imports or [], export, backup, overwrite)
    from perceptag.workbench.opening import open_project

    is_begun = not (backup or check) and bool(about.imports or about.labels or about.tags or not export)
    opened = open_project(about.request(project), write_stderr, must_exist=not is_begun)
    try:
        if ends:
            finish(opened, export, status, backup, check)
            return
        with stoppable():
            from perceptag.workbench.routes import ListenOptions  # needs the packages of a server

            listening = at.host, at.port, at.unix, at.public_host or [], at.limit or [], cores(at.threads)
            place = ListenOptions(*listening, at.log_requests, at.tls())
            serve(opened, place, token_file or f"{project}.tokens", annotator or [], bool(at.tls_cert))
    finally:
        opened.close()


def check_outputs(project: str, inputs: list[str], export: str, backup: str, overwrite: bool) -> None:
    """Refuse to write over the project, its copy, a file that is imported, or a file of another kind."""
    if export:
        own = [project, f"{project}.backup"]
        check_output("--export", export, choose(None, export).kind, [*own, *inputs], overwrite=overwrite)
        if told_by_name(export) is None:
            endings = ".txt or .tsv (columns), .conllu, .jsonl, .json or .parquet"
            raise SettingError(f"--export: expected a name that ends in {endings}, found {export}")
    if backup:
        check_output("--backup", backup, PROJECT, inputs)


def words_of(option: str, text: str) -> list[str]:
    """The labels in ``PER,ORG,LOC``."""
    found = [word.strip() for word in text.split(",")] if text else []
    if not all(found) or len(set(found)) != len(found):
        raise SettingError(f"{option}: expected different names separated by commas, found {text!r}")
    return found


def _types_of(text: str) -> list[str]:
    """The types of spans in ``PER,ORG,LOC``; labels of tokens are not types."""
    found = words_of("--labels", text)
    if labels := [word for word in found if word == "O" or word[:2] in ("B-", "I-", "S-", "E-", "L-", "U-")]:
        types = list(dict.fromkeys(word[2:] if word[1:2] == "-" else word for word in found if word != "O"))
        given = ",".join(types) if types else "PER,ORG"
        raise SettingError(f"--labels: expected types of spans, such as {given}, found {', '.join(labels)}")
    return found


def finish(project: Project, export: str, status: str, backup: str, check: bool) -> None:
    """Do what needs no server."""
    if check:
        found = project.check()
        if found:
            raise check_failed("\n".join(str(one) for one in found))
        write_stdout(f"{project.path}: no damage found")
    if backup:
        project.backup(backup)
        write_stderr(f"{backup}: a copy of the project")
    if export:
        count = project.export(export, status=status, overwrite=True, note=_note)  # it was checked before
        write_stderr(f"{export}: {plural(count, 'sentence', ',')}")


def _note(told: str) -> None:
    write_stderr(f"note: {told}")


def serve(project: Project, place: ListenOptions, token_file: str, annotators: list[str], is_secure: bool) -> None:
    """Serve a project until a signal stops it."""
    from perceptag.workbench.people import parse_person, people_of, write_private
    from perceptag.workbench.routes import serve_project

    people = people_of(token_file, [parse_person(word) for word in annotators])

    def tell(port: int) -> None:
        address, counts = address_of(place.host, port, place.unix, is_secure), project.counts()
        write_stderr(f"annotating {project.path}: {plural(counts.sentences, 'sentence')}, {counts.labelled} labelled")
        links = [f"{person.name} ({person.role}): {address}#token={person.token}" for person in people]
        if sys.stderr.isatty():
            write_stderr("\n".join(links))
            return
        for person in people:  # tokens do not belong into the journal of a service, or into a log that others read
            write_stderr(f"{person.name} ({person.role}): {address}")
        write_private(f"{project.path}.links", "".join(f"{link}\n" for link in links))
        write_stderr(f"links with their tokens: {project.path}.links")

    if estimate := serve_project(project, place, token_file, tell):
        write_stderr(estimate_line(estimate))


def estimate_line(estimate: Mapping[str, Any]) -> str:
    """Say how good the model is, and what was corrected.

    >>> raw = {"score": 66.04, "low": 59.0, "high": 73.0}
    >>> estimate_line({"measure": "f1", "score": 68.5, "low": 61.5, "high": 75.5, "raw": raw, "unlabelled": 1000})
    'estimate: F1 68.5, between 61.5 and 75.5 (66.0 before the correction by 1,000 unlabelled sentences)'
    """
    name = "F1" if estimate["measure"] == "f1" else "accuracy"
    line = f"estimate: {name} {estimate['score']:.1f}, between {estimate['low']:.1f} and {estimate['high']:.1f}"
    if not estimate["unlabelled"]:
        return line
    before, count = estimate["raw"]["score"], estimate["unlabelled"]
    return f"{line} ({before:.1f} before the correction by {plural(count, 'unlabelled sentence', ',')})"
