"""Complete command lines in bash, zsh, fish and PowerShell, and install the scripts that make them ask.

A script runs ``perceptag`` with the line up to the cursor in an environment variable.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from perceptag.cli import COMMANDS, COMPLETING, find_command, load_command
from perceptag.cli.completing import Given
from perceptag.cli.declare import Command, UsageError, scan
from perceptag.errors import SettingError
from perceptag.system.platform.machine import parent_name

_LINE, _ACTION = "_PERCEPTAG_LINE", "_PERCEPTAG_FISH_ACTION"

_BASH = f"""\
_perceptag_completion() {{
    local IFS=$'\\n'
    COMPREPLY=( $( env {_LINE}="${{COMP_LINE:0:COMP_POINT}}" {COMPLETING}=complete_bash $1 ) )
    return 0
}}
complete -o default -F _perceptag_completion perceptag
"""
_ZSH = f"""\
#compdef perceptag
_perceptag_completion() {{
  eval $(env {_LINE}="${{words[1,$CURRENT]}}" {COMPLETING}=complete_zsh perceptag)
}}
compdef _perceptag_completion perceptag
"""
_ASK_FISH = f"env {COMPLETING}=complete_fish {_ACTION}=%s {_LINE}=(commandline -cp) perceptag"
_FISH = f"""\
complete --command perceptag --no-files --arguments "({_ASK_FISH % "get-args"})" --condition "{_ASK_FISH % "is-args"}"
"""
_POWERSHELL = f"""\
Import-Module PSReadLine
Set-PSReadLineKeyHandler -Chord Tab -Function MenuComplete
Register-ArgumentCompleter -Native -CommandName perceptag -ScriptBlock {{
    param($wordToComplete, $commandAst, $cursorPosition)
    $Env:{COMPLETING} = "complete_powershell"
    $Env:{_LINE} = $commandAst.ToString().PadRight($cursorPosition)
    perceptag | ForEach-Object {{
        $found = $_ -Split ":::"
        [System.Management.Automation.CompletionResult]::new($found[0], $found[0], 'ParameterValue', $found[1])
    }}
    $Env:{COMPLETING} = ""
    $Env:{_LINE} = ""
}}
"""
SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH, "powershell": _POWERSHELL, "pwsh": _POWERSHELL}


def reply() -> tuple[str, int]:
    """Return what the shell that asks wants to read, and the exit status that it expects."""
    shell = os.environ[COMPLETING].removeprefix("complete_")
    words, unfinished = _words()
    name, equals, value = unfinished.partition("=")
    before = ""
    if equals and name.startswith("--"):  # --option=VALUE in one word
        words, unfinished, before = [*words, name], value, "" if shell == "bash" else f"{name}="  # bash cuts words at =
    fitting = [(word, text) for word, text in _next(words, unfinished) if word.startswith(unfinished)]
    found = [(f"{before}{word}", text) for word, text in fitting]
    if shell == "zsh":
        described = "\n".join(":".join(f'"{_for_zsh(part)}"' for part in one if part) for one in found)
        return (f"_arguments '*: :(({described}))'" if found else "_files"), 0
    if shell == "fish" and os.environ.get(_ACTION) == "is-args":
        return "", 0 if found else 1  # 1: fish completes file names
    between = {"fish": "\t"}.get(shell, ":::")
    return "\n".join(word if shell == "bash" else f"{word}{between}{text}" for word, text in found), 0


def _next(words: list[str], unfinished: str) -> Iterator[tuple[str, str]]:
    """Yield words that may stand next, with their help; none where the shell should complete names of files."""
    if not words:
        yield from COMMANDS.items()
    name, rest = find_command(words)
    if name:
        yield from _of_command(load_command(name), rest, unfinished)


def _of_command(command: Command, words: Sequence[str], unfinished: str) -> Iterator[tuple[str, str]]:
    given = Given()
    option = None
    try:
        for parameter, word in scan(command, words):
            if parameter is None:
                given.arguments.append(word)
            else:
                given.options[parameter.name] = word
    except UsageError as error:
        option = error.waiting
    if option is not None:
        values = option.declared.complete(given) if option.declared.complete else option.choices
        yield from ((value, "") for value in values)
    elif unfinished.startswith("-"):
        yield from ((mode.split()[0], text) for mode, text in command.modes.items())
        for name, p in command.options.items():
            if p.is_list or p.name not in given.options:
                yield name, p.declared.help


def _words() -> tuple[list[str], str]:
    """Return the words before the cursor, without the program, and the one that is not finished."""
    line = os.environ.get(_LINE, "")
    words = _split(line)[1:]
    return (words, "") if line.endswith(" ") or not words else (words[:-1], words[-1])


def _split(line: str) -> list[str]:
    """Split a line as a shell does; a quote that is still open ends with the line."""
    import shlex

    words: list[str] = []
    reader = shlex.shlex(line, posix=True)
    reader.whitespace_split, reader.commenters = True, ""
    try:
        words.extend(reader)
    except ValueError:
        words.append(reader.token or "")
    return words


def _for_zsh(text: str) -> str:
    for character, written in (('"', '""'), ("'", "''"), ("$", "\\$"), ("`", "\\`"), (":", "\\\\:")):
        text = text.replace(character, written)
    return text


def script_for(shell: str) -> str:
    """Return the lines that make a shell ask for completions."""
    shell = shell or _running_shell()
    if shell not in SCRIPTS:
        raise SettingError(
            f"completion: expected one of {', '.join(SCRIPTS)} as the name of the shell, found {shell!r}"
        )
    return SCRIPTS[shell]


def install(shell: str) -> str:
    """Install completion for a shell, by default the one in use; return a message for the user."""
    shell = shell or _running_shell()
    script, home = script_for(shell), Path.home()
    if shell == "bash":
        target = home / ".bash_completions" / "perceptag.sh"
        _add_lines(home / ".bashrc", f"source '{target}'")
    elif shell == "zsh":
        target = home / ".zfunc" / "_perceptag"
        _add_lines(home / ".zshrc", "fpath+=~/.zfunc; autoload -Uz compinit; compinit")
    elif shell == "fish":
        target = home / ".config" / "fish" / "completions" / "perceptag.fish"
    else:
        target = _profile_of(shell)
        script = f"{target.read_text('utf-8') if target.exists() else ''}\n{script}"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(script, "utf-8")
    return f"{shell} completion installed in {target}; it works in new terminals"


def _profile_of(shell: str) -> Path:
    """Return the file that PowerShell reads when it starts."""
    found = subprocess.run([shell, "-NoProfile", "-Command", "echo $profile"], capture_output=True, check=False)
    name = found.stdout.decode(errors="replace").strip()
    if found.returncode or not name:
        status = found.returncode
        raise SettingError(f"completion: expected {shell} to say where its profile is, found exit status {status}")
    return Path(name)


def _add_lines(file: Path, line: str) -> None:
    text = file.read_text("utf-8") if file.exists() else ""
    if line not in text:
        file.write_text(f"{text.rstrip()}\n{line}\n".lstrip(), "utf-8")


def _running_shell() -> str:
    """The shell that started this process, or the one of the login."""
    parent = parent_name()
    return parent if parent in SCRIPTS else Path(os.environ.get("SHELL", "")).name
