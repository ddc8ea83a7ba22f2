"""``perceptag sign``: sign a model file, so that others can check who made it."""

from __future__ import annotations

from typing import Annotated

from perceptag.cli.declare import Argument, Option
from perceptag.cli.options import Overwrite
from perceptag.cli.streams import write_stderr, write_stdout
from perceptag.errors import ModelError, SettingError
from perceptag.system.file_kinds import SIGNATURE
from perceptag.system.replacing import check_output


def sign_cli(
    model: Annotated[str, Argument("[MODEL]", "The model, pipeline or class file.")] = "",
    key: Annotated[str, Option("FILE", "Sign with this private key (Ed25519, PEM).")] = "",
    check: Annotated[str, Option("FILE", "Check the signature with the public keys in FILE; write nothing.")] = "",
    new_key: Annotated[str, Option("FILE", "Write a new private key, and its public key to FILE.pub.")] = "",
    overwrite: Overwrite = False,
) -> None:
    """Sign a model, or check its signature.

    The signature goes to MODEL.sig, which must stay next to the model. 'tag' and 'serve' load only signed models with
    --trusted-keys FILE, a file of public keys; other commands and Python do if PERCEPTAG_TRUSTED_KEYS names the file.
    Keep the private key away from the machines that load models.
    """
    given = {"--key": key, "--check": check, "--new-key": new_key}
    chosen = [option for option, value in given.items() if value]
    if len(chosen) != 1:
        raise SettingError(f"expected one of {', '.join(given)}; found {' and '.join(chosen) or 'none'}")
    if bool(model) == bool(new_key):
        raise SettingError(f"MODEL: expected {'no file with --new-key' if model else f'a file with {chosen[0]}'}")
    from perceptag.models import model_file, signatures

    if new_key:
        public, digest = signatures.new_key(new_key)
        write_stderr(f"private key: {new_key}\npublic key: {public}, {digest}")
    elif check:
        signatures.read_trusted(check, "--check")  # its errors name this option
        model_file.read_file(model, check)
        write_stdout(f"{model}: signed by a key in {check}")
    else:
        check_output("MODEL", f"{model}{signatures.ENDING}", SIGNATURE, [model, key], overwrite=overwrite)
        data = model_file.read_file(model, is_own=True)
        try:
            model_file.check_digest(data, model_file.kind_of(data) or "model")
        except ModelError as error:
            raise ModelError(f"{model}: {error}") from None
        path, digest = signatures.sign_file(model, data, key)
        write_stderr(f"signed {model} by the key {digest}: {path}")
