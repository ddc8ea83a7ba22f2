"""``perceptag serve``: serve models over HTTP, for programs and for a web page."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from perceptag.cli.declare import Option
from perceptag.cli.options import Threads
from perceptag.cli.streams import stoppable, write_stderr
from perceptag.errors import SettingError, brief, reason
from perceptag.pipeline.installed import installed, path_of
from perceptag.system.cores import cores
from perceptag.system.given_file import AUTO

if TYPE_CHECKING:
    from perceptag.server.access import Person, TokenHolder

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
    tls_cert: Annotated[str, Option("FILE", "Serve HTTPS with this certificate (PEM).", group=SERVER)] = ""
    tls_key: Annotated[str, Option("FILE", "The private key of --tls-cert (PEM).", group=SERVER)] = ""
    threads: Threads = 0
    log_requests: Annotated[
        bool, Option("--log-requests", "Write a line of JSON to stderr for each request.", group=SERVER)
    ] = False

    def tls(self) -> tuple[str, str] | None:
        """Return the files of the certificate and its key, if they are given; refuse files that cannot be used."""
        cert, key = self.tls_cert, self.tls_key
        if not cert and not key:
            return None
        if not cert or not key:
            raise SettingError(f"--tls-{'key' if cert else 'cert'}: expected both --tls-cert and --tls-key, found one")
        import ssl  # most servers need none

        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password=lambda: "")  # asks nobody
        except ssl.SSLError as error:
            why = (error.reason or "not PEM").lower().replace("_", " ")
            expected = "expected a certificate and its own key in PEM form, without a passphrase"
            raise SettingError(f"--tls-cert {cert} --tls-key {key}: {expected}, found: {why}") from None
        except OSError as error:
            raise SettingError(f"--tls-cert {cert} --tls-key {key}: {reason(error)}") from None
        return cert, key


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
        str, Option("FILE", "The tokens that clients may send, one per line; created if missing.", group=SERVER)
    ] = "",
    admin_token_file: Annotated[
        str, Option("FILE", "The tokens for reloading models and for metrics; created if missing.", group=SERVER)
    ] = "",
    workers: Workers = 0,
    no_token: Annotated[bool, Option("--no-token", "Serve other machines without a token.", group=SERVER)] = False,
    yes_public: Annotated[bool, Option("--yes-public", "Confirm --no-token.", group=SERVER)] = False,
) -> None:
    """Serve models over HTTP, with a web page.

    Prints the address of the page. Only this machine can connect, unless --host says otherwise; then clients need the
    token of --token-file. The content of requests is not stored. SIGHUP reloads the models, SIGTERM and Ctrl-C stop the
    server.
    """
    with stoppable():
        files = model_files(model or [])
        require_extra("serve")
        from perceptag.server import run
        from perceptag.server.access import Access, checked_origins, host_names
        from perceptag.server.limits import limits_of
        from perceptag.server.load_watch import LoadWatch
        from perceptag.server.log_lines import log
        from perceptag.server.served import ModelTable
        from perceptag.server.service import Service
        from perceptag.server.worker_runner import WorkerRunner

        _refuse_impossible(encoding, workers)
        limits, origins = limits_of(at.limit or []), checked_origins(allow_origin or [])
        check_public(at.host, at.unix, token_file, no_token and yes_public)
        tokens = TokenOptions(token_file, admin_token_file)
        holders, tls = tokens.holders(log), at.tls()
        table = ModelTable(files, is_elsewhere=True)
        if not workers:
            with LoadWatch() as watch:
                table.load(watch.begin)
        with run.listening(at.host, at.port, at.unix) as listener:
            found = USUAL[tls is not None] if at.unix else listener.getsockname()[1]
            host = "localhost" if at.unix else at.host
            hosts = host_names(host, found, at.public_host or [], USUAL[tls is not None])
            access = Access(hosts, origins, holders, tokens.visitor())
            service = Service(table, access, limits, cores(at.threads), at.log_requests, encoding, tls=tls)
            if workers:
                service.runner = WorkerRunner(service, workers)
            said = f"serving {', '.join(files)}: {address_of(at.host, found, at.unix, tls is not None)}{tokens.told()}"
            run.serve(service, listener, lambda: write_stderr(said))


def _refuse_impossible(encoding: str, workers: int) -> None:
    """Refuse an encoding that files cannot have, and workers that cannot be made."""
    from perceptag.server.tag_files import may_be_sent
    from perceptag.system.platform.forks import can_fork

    if encoding not in ("", AUTO) and not may_be_sent(encoding):
        expected = "auto, utf-8, latin-1, cp1252, utf-16 or another encoding of text"
        raise SettingError(f"--encoding: expected {expected}, found {brief(encoding)}")
    if workers and not can_fork():
        raise SettingError("--workers: expected 0, since processes of this system cannot fork")


USUAL = {False: 80, True: 443}  # the port of HTTP, and that of TLS


@dataclass(eq=False, repr=False)
class TokenOptions:
    """The files of tokens for tagging and for management; both are made if they are missing."""

    tagging: str
    management: str
    made: dict[str, str] = field(default_factory=dict)  # new tokens by file

    def holders(self, log: Callable[..., object]) -> Callable[[], Sequence[TokenHolder]] | None:
        """Return who has the tokens of the files; None without files."""
        from perceptag.server.token_file import create_token, read_tokens
        from perceptag.server.watched_file import WatchedFile

        role = "read" if self.management else "admin"
        wanted = ((self.tagging, "--token-file", role), (self.management, "--admin-token-file", "admin"))
        given = [one for one in wanted if one[0]]
        for path, option, _ in given:
            if token := create_token(path, option):
                self.made[path] = token
        watched = [WatchedFile(one[0], partial(read_tokens, *one), log) for one in given]
        return (lambda: [holder for file in watched for holder in file()]) if watched else None

    def visitor(self) -> Person | None:
        """Return who asks without a token, if only management needs one."""
        from perceptag.server.access import VISITOR

        return VISITOR if self.management and not self.tagging else None

    def told(self) -> str:
        """Return what is said of new tokens. They do not belong into a journal, or into a log that others read."""
        is_shown = self.tagging in self.made and sys.stderr.isatty()
        named = [f"{'admin token' if path == self.management else 'token'} in {path}" for path in self.made]
        if is_shown:
            named = named[1:]  # the token for tagging comes first
        shown = f"#token={self.made[self.tagging]}" if is_shown else ""
        return f"{shown} ({', '.join(named)})" if named else shown


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


def address_of(host: str, port: int, unix: str, is_secure: bool = False) -> str:
    """Where a server answers."""
    scheme = "https" if is_secure else "http"
    return f"unix:{unix}" if unix else f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}/"


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
    files: dict[str, str] = {}
    for word in words or [DEFAULT]:
        name, equals, path = word.partition("=")
        if not equals:
            name, path = Path(word).stem, word
        if not _NAME.fullmatch(name):
            raise SettingError(f"--model: expected a name of letters, digits and any of _.+-; found {brief(name)}")
        if name in files:
            raise SettingError(f"--model: expected different names, found {name!r} twice")
        files[name] = path_of(path)
    return files
