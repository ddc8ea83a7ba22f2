"""Signatures of model files: Ed25519 (RFC 8032), in a file of its own next to the model.

    perceptag-signature 1
    key <the SHA-256 of the public key, 64 hexadecimal digits>
    ed25519 <the signature, in base64>

What is signed is ``perceptag-signature 1 sha256:`` and the SHA-256 of all bytes of the model file. Keys are PEM files
as other tools write them: PKCS #8 for private keys, SubjectPublicKeyInfo for public ones. The arithmetic is that of the
library ``cryptography``, which is imported only where a signature is made or checked.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
from typing import TYPE_CHECKING, Any

from perceptag.errors import ModelError, SettingError, reason
from perceptag.system.given_file import read_whole
from perceptag.system.output_files import open_output
from perceptag.system.platform.open_files import BINARY

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ENDING = ".sig"
_FORM = "perceptag-signature 1"
_WRITTEN = re.compile(rf"{_FORM}\nkey ([0-9a-f]{{64}})\ned25519 ([A-Za-z0-9+/=]{{88}})\n?")
_PUBLIC = re.compile(rb"-----BEGIN PUBLIC KEY-----.*?-----END PUBLIC KEY-----", re.DOTALL)
_MAX_SIGNATURE = 1 << 12
_MAX_KEYS = 1 << 20


def check_signature(path: str, data: bytes, trusted_keys: str) -> None:
    """Check that the bytes of a model file are signed by one of the public keys in a file; raise ModelError if not."""
    trusted = read_trusted(trusted_keys)
    beside = f"{path}{ENDING}"
    try:
        written = read_whole(beside, _MAX_SIGNATURE).decode("ascii").replace("\r\n", "\n")
    except FileNotFoundError:
        raise ModelError(f"{path}: expected a signature in {beside}, found none; 'perceptag sign' writes it") from None
    except OSError as error:
        raise ModelError(f"{beside}: cannot read: {error.strerror}") from error
    except UnicodeDecodeError:
        written = ""
    parts = _WRITTEN.fullmatch(written)
    if parts is None:
        raise ModelError(f"{beside}: expected a signature of perceptag, found something else")
    key = trusted.get(parts[1])
    if key is None:
        raise ModelError(f"{path}: expected a signature by a key in {trusted_keys}, found one by {parts[1][:16]}…")
    if not _is_valid(key, parts[2], data):
        raise ModelError(f"{path}: its signature {beside} is of another file, or the model was changed since")


def _is_valid(key: Ed25519PublicKey, signature: str, data: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature

    try:
        key.verify(base64.b64decode(signature, validate=True), _message(data))
    except (InvalidSignature, binascii.Error):
        return False
    return True


def read_trusted(path: str, option: str = "--trusted-keys") -> dict[str, Ed25519PublicKey]:
    """Return the public keys of a file by their digests; raise SettingError for anything but Ed25519 keys."""
    library = _library(option)
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    found: dict[str, Ed25519PublicKey] = {}
    for number, pem in enumerate(_PUBLIC.findall(_read(option, path)), 1):
        try:
            key = library.load_pem_public_key(pem)
        except Exception:  # of many kinds, depending on what is wrong
            key = None
        if not isinstance(key, Ed25519PublicKey):
            raise SettingError(f"{option}: {path}: key {number}: expected an Ed25519 key, found something else")
        found[fingerprint(key)] = key
    if not found:
        raise SettingError(f"{option}: {path}: expected public keys in PEM form, found none")
    return found


def sign_file(path: str, data: bytes, key_file: str) -> tuple[str, str]:
    """Sign the bytes of a model file; return the path of the signature and the digest of the public key."""
    key = _private_key(key_file)
    digest = fingerprint(key.public_key())
    signature = base64.b64encode(key.sign(_message(data))).decode()
    with open_output(f"{path}{ENDING}") as stream:
        stream.write(f"{_FORM}\nkey {digest}\ned25519 {signature}\n".encode())
    return f"{path}{ENDING}", digest


def new_key(path: str) -> tuple[str, str]:
    """Write a new private key for this user only, and its public key; return the path and the digest of the latter."""
    library = _library("--new-key")
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    pem = library.Encoding.PEM
    secret = key.private_bytes(pem, library.PrivateFormat.PKCS8, library.NoEncryption())
    public = key.public_key().public_bytes(pem, library.PublicFormat.SubjectPublicKeyInfo)
    for name, data, mode in ((path, secret, 0o600), (f"{path}.pub", public, 0o644)):
        try:
            descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, mode)
        except FileExistsError:
            raise SettingError(f"--new-key: {name}: expected a new file, found one that exists") from None
        except OSError as error:
            raise SettingError(f"--new-key: {name}: cannot write: {reason(error)}") from None
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
    return f"{path}.pub", fingerprint(key.public_key())


def fingerprint(key: Ed25519PublicKey) -> str:
    """Return the SHA-256 of a public key."""
    return hashlib.sha256(key.public_bytes_raw()).hexdigest()


def _message(data: bytes) -> bytes:
    return f"{_FORM} sha256:{hashlib.sha256(data).hexdigest()}".encode()


def _private_key(path: str) -> Ed25519PrivateKey:
    library = _library("--key")
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    data = _read("--key", path)
    try:
        key = library.load_pem_private_key(data, None)
    except TypeError:
        raise SettingError(f"--key: {path}: expected a private key without a passphrase") from None
    except Exception:  # of many kinds, depending on what is wrong
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise SettingError(f"--key: {path}: expected an Ed25519 private key in PEM form, found something else")
    return key


def _read(option: str, path: str) -> bytes:
    try:
        return read_whole(path, _MAX_KEYS)
    except OSError as error:
        raise SettingError(f"{option}: {path}: cannot read: {reason(error)}") from None


def _library(option: str) -> Any:
    try:
        from cryptography.hazmat.primitives import serialization
    except ImportError:
        raise SettingError(
            f"{option}: the package 'cryptography' is missing; it comes with the extra 'sign': "
            "pip install 'perceptag[sign]'"
        ) from None
    return serialization
