"""``perceptag serve``: serve models over HTTP, for programs and for a web page."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from perceptag.cli.declare import Option
from perceptag.cli.options import Threads
from perceptag.cli.streams import stoppable, write_stderr
from perceptag.errors import SettingError, brief
from perceptag.pipeline.installed import installed, path_of
from perceptag.system.cores import cores
from perceptag.system.given_file import AUTO

DEFAULT = "en"  # the installed model that is served if none is named
PORT = 8765
SERVER = "Server"


@dataclass(eq=False, repr=False)
class ServerOptions:
    """Where and how a server listens."""

    host: Annotated[str, Option("HOST", "The address to listen at.", group=SERVER)] = "127.0.0.1"
    port: Annotated[int, Option("PORT", "The port; 0: any free one.", min=0, max=65535, group=SERVER)] = PORT
    unix: Annotated[str, Option("PATH", "Listen at a Unix socket instead.", group=SERVER)] = ""
    public_host: Annotated[
        list[str] | None,
        Option("HOST", "Another name of this server, with or without a port; repeatable.", group=SERVER),
    ] = None
    limit: Annotated[
        list[str] | None, Option("NAME=N", "Set a limit, such as tokens=1000; repeatable.", group=SERVER)
    ] = None
    threads: Threads = 0
    log_requests: Annotated[
        bool, Option("--log-requests", "Write a line of JSON to stderr for each request.", group=SERVER)
    ] = False


Workers = Annotated[
    int, Option("N", "Tag in N worker processes; 0: in threads of the server.", min=0, max=256, group=SERVER)
]
_NAME = re.compile(r"[\w.+-]{1,100}")


def serve_cli(
    at: ServerOptions,
    model: Annotated[
        list[str] | None, Option("--model -m NAME=FILE", "A model and its name; repeatable. Default: en.")
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        Option("URL", "An origin whose pages may call the server (CORS); repeatable. Default: none.", group=SERVER),
    ] = None,
    encoding: Annotated[
        str, Option("NAME", "Encoding of files sent without a charset, such as latin-1; default: UTF-8.", group=SERVER)
    ] = "",
    token_file: Annotated[
        str, Option("FILE", "The file with the token that clients must send; created if missing.", group=SERVER)
    ] = "",
    workers: Workers = 0,
    no_token: Annotated[bool, Option("--no-token", "Serve other machines without a token.", group=SERVER)] = False,
    yes_public: Annotated[bool, Option("--yes-public", "Confirm --no-token.", group=SERVER)] = False,
) -> None:
    """Serve models over HTTP, with a web page.

    Prints the address of the page. Only this machine can connect, unless --host says otherwise; then clients need the
    token of --token-file. Requests never name files, and their content is not stored. SIGHUP reloads the models.
    SIGTERM and Ctrl-C stop the server; requests in flight get a few seconds to finish.
    """
    with stoppable():
        paths = model_files(model or [])
        require_extra("serve")
        from perceptag.server import run
        from perceptag.server.access import checked_origins, host_names, read_token
        from perceptag.server.limits import limits_of
        from perceptag.server.served import ModelTable
        from perceptag.server.service import Access, Service
        from perceptag.server.tag_files import may_be_sent
        from perceptag.server.worker_runner import WorkerRunner
        from perceptag.system.platform.network import can_fork

        if encoding not in ("", AUTO) and not may_be_sent(encoding):
            expected = "auto, utf-8, latin-1, cp1252, utf-16 or another encoding of text"
            raise SettingError(f"--encoding: expected {expected}, found {brief(encoding)}")
        limits, origins = limits_of(at.limit or []), checked_origins(allow_origin or [])
        check_public(at.host, at.unix, token_file, no_token and yes_public)
        token, is_new = read_token(token_file) if token_file else ("", False)
        if workers and not can_fork():
            raise SettingError("--workers: expected 0, since processes of this system cannot fork")
        table = ModelTable(paths, is_elsewhere=workers > 0)
        listener = run.listen_at_path(at.unix) if at.unix else run.listen(at.host, at.port)
        found = 80 if at.unix else listener.getsockname()[1]
        access = Access(host_names("localhost" if at.unix else at.host, found, at.public_host or []), origins, token)
        service = Service(table, access, limits, cores(at.threads), at.log_requests, encoding)
        if workers:
            service.runner = WorkerRunner(service, paths, workers)
        address = address_of(at.host, found, at.unix)
        # A token does not belong into the journal of a service, or into a log that others read.
        secret = (f"#token={token}" if sys.stderr.isatty() else f" (token in {token_file})") if is_new else ""
        run.serve(service, listener, lambda: write_stderr(f"serving {', '.join(paths)}: {address}{secret}"))
        if at.unix:
            Path(at.unix).unlink(missing_ok=True)


def require_extra(verb: str) -> None:
    """Refuse to begin without the packages that a server needs."""
    try:
        import httptools
        import starlette
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise SettingError(
            f"{verb}: the package {error.name!r} is missing; it comes with the extra 'server': "
            "pip install 'perceptag[server]'"
        ) from None
    del starlette, httptools


def address_of(host: str, port: int, unix: str) -> str:
    """Where a server answers."""
    return f"unix:{unix}" if unix else f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def check_public(host: str, unix: str, token_file: str, is_confirmed: bool) -> None:
    """Refuse to serve other machines without a token."""
    from perceptag.server.access import is_local

    if not unix and not is_local(host) and not token_file and not is_confirmed:
        raise SettingError(
            f"--host {host}: other machines could use the server; expected --token-file FILE, or --no-token and "
            "--yes-public if everybody may"
        )


def model_files(words: Sequence[str]) -> dict[str, str]:
    """The files of models by their names. A word without a name is a file, or the name of an installed model."""
    if not words and DEFAULT not in {some.name for some in installed()}:
        raise SettingError(f"--model: expected NAME=FILE, since the default model {DEFAULT!r} is not installed")
    found: dict[str, str] = {}
    for word in words or [DEFAULT]:
        name, equals, path = word.partition("=")
        if not equals:
            name, path = Path(word).stem, word
        if not _NAME.fullmatch(name):
            raise SettingError(f"--model: expected a name of letters, digits and any of _.+-; found {brief(name)}")
        if name in found:
            raise SettingError(f"--model: expected different names, found {name!r} twice")
        found[name] = path_of(path)
    return found
