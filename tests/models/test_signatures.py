"""Signed models: keys, signatures, and that nothing of a model is used before its signature is checked."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

import perceptag
from command_line import check, run
from perceptag import Pipeline, Tagger
from perceptag.errors import ModelError, SettingError
from perceptag.models import model_file, signatures
from pipelines import ner_tagger, pos_tagger
from running import running

PEM = serialization.Encoding.PEM


@pytest.fixture
def signed(tmp_path: Path) -> Path:
    """A folder with a signed model, and the keys."""
    pos_tagger().save(tmp_path / "pos.model")
    made = run("sign", "--new-key", str(tmp_path / "key"))
    assert made.status == 0
    assert re.search("public key: .*key.pub, [0-9a-f]{64}", made.err)
    done = run("sign", str(tmp_path / "pos.model"), "--key", str(tmp_path / "key"))
    assert done.status == 0
    assert re.search("signed .*pos.model by the key [0-9a-f]{64}: .*pos.model.sig", done.err)
    return tmp_path


def refusals(path: Path, keys: Path) -> list[str]:
    """What each way of loading says."""
    found = []
    for load in (Tagger.load, Pipeline.load, perceptag.load):
        with pytest.raises(ModelError) as error:
            load(path, trusted_keys=keys)
        found.append(str(error.value))
    assert len(set(found)) == 1
    return found


def test_a_signed_model_loads(signed: Path) -> None:
    model, keys = signed / "pos.model", signed / "key.pub"
    expected = Tagger.load(model).predict([["The", "dog"]])
    assert Tagger.load(model, trusted_keys=keys).predict([["The", "dog"]]) == expected
    assert perceptag.load(str(model), trusted_keys=str(keys)).names
    result = run("sign", str(model), "--check", str(keys))
    assert (result.status, result.out) == (0, f"{model}: signed by a key in {keys}\n")
    if os.name == "posix":
        assert stat.S_IMODE((signed / "key").stat().st_mode) == 0o600


def test_a_model_without_a_signature_is_refused(signed: Path) -> None:
    (signed / "pos.model.sig").unlink()
    assert "pos.model: expected a signature in " in refusals(signed / "pos.model", signed / "key.pub")[0]


def test_a_changed_model_is_refused_before_anything_of_it_is_used(
    signed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ner_tagger().save(signed / "pos.model")  # sound, with a digest of its own
    used: list[object] = []
    for name in ("load_bytes", "unseal", "check_digest", "kind_of"):
        monkeypatch.setattr(model_file, name, lambda *given: used.append(given))
    assert "its signature " in refusals(signed / "pos.model", signed / "key.pub")[0]
    assert used == []


def test_every_changed_byte_of_a_signature_is_noticed(signed: Path) -> None:
    path = signed / "pos.model.sig"
    whole, data = path.read_bytes(), (signed / "pos.model").read_bytes()
    for place in range(len(whole) - 1):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(ModelError):
            signatures.check_signature(str(signed / "pos.model"), data, str(signed / "key.pub"))
    for other in (b"", whole * 100, b"\xff" * 200, whole[:-10]):
        path.write_bytes(other)
        with pytest.raises(ModelError, match=r"pos\.model\.sig: (expected a signature|cannot read: expected at most)"):
            signatures.check_signature(str(signed / "pos.model"), data, str(signed / "key.pub"))


def test_the_signature_of_another_key_is_refused(signed: Path) -> None:
    signatures.new_key(str(signed / "other"))
    assert "expected a signature by a key in " in refusals(signed / "pos.model", signed / "other.pub")[0]
    both = signed / "both.pem"
    both.write_bytes((signed / "other.pub").read_bytes() + b"# a comment\n" + (signed / "key.pub").read_bytes())
    assert Tagger.load(signed / "pos.model", trusted_keys=both)
    name = (signed / "pos.model.sig").read_text("ascii").split()[3]
    other = signatures.read_trusted(str(signed / "other.pub"))
    forged = (signed / "pos.model.sig").read_text("ascii").replace(name, next(iter(other)))
    (signed / "pos.model.sig").write_text(forged)  # claims a key that is trusted
    assert "is of another file, or the model was changed" in refusals(signed / "pos.model", both)[0]


def test_files_that_are_not_keys_are_refused(signed: Path) -> None:
    curve = ec.generate_private_key(ec.SECP256R1())
    (signed / "p256").write_bytes(
        curve.private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    (signed / "p256.pub").write_bytes(
        curve.public_key().public_bytes(PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    )
    locked = ed25519.Ed25519PrivateKey.generate().private_bytes(
        PEM, serialization.PrivateFormat.PKCS8, serialization.BestAvailableEncryption(b"secret")
    )
    (signed / "locked").write_bytes(locked)
    (signed / "broken.pub").write_text("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n")
    for name, message in (
        ("p256.pub", "key 1: expected an Ed25519 key"),
        ("broken.pub", "key 1: expected an Ed25519 key"),
        ("key", "expected public keys in PEM form, found none"),
        ("none", "No such file"),
    ):
        with pytest.raises(SettingError, match=f"--trusted-keys: .*{message}"):
            signatures.read_trusted(str(signed / name))
    for name, message in (
        ("p256", "expected an Ed25519 private key in PEM form"),
        ("key.pub", "expected an Ed25519 private key in PEM form"),
        ("locked", "expected a private key without a passphrase"),
    ):
        check(run("sign", str(signed / "pos.model"), "--key", str(signed / name)), f"--key: .*{message}")


def test_what_the_command_refuses(signed: Path) -> None:
    text = signed / "notes.txt"
    text.write_text("hello")
    for words, message in (
        ((), "expected one of --key, --check, --new-key; found none"),
        (("--key", "a", "--check", "b"), "found --key and --check"),
        (("--key", "a"), "MODEL: expected a file with --key"),
        (("x.model", "--new-key", "k"), "MODEL: expected no file with --new-key"),
        (("--new-key", str(signed / "key")), "--new-key: .*key: expected a new file"),
        ((str(text), "--key", str(signed / "key")), "notes.txt: this is not a perceptag model file"),
    ):
        check(run("sign", *words), message)
    assert not Path(f"{text}.sig").exists()


def test_the_commands_load_only_signed_models(signed: Path) -> None:
    (signed / "in.txt").write_text("The\ndog\n")
    words = ("tag", "-m", str(signed / "pos.model"), str(signed / "in.txt"), "--trusted-keys", str(signed / "key.pub"))
    result = run(*words)
    assert (result.status, result.out.split()[0]) == (0, "The")
    shutil.copy(signed / "pos.model", signed / "unsigned.model")
    words = ("tag", "-m", str(signed / "unsigned.model"), *words[3:])
    check(run(*words), "unsigned.model: expected a signature in .*unsigned.model.sig, found none")
    words = ("serve", "--model", f"x={signed / 'unsigned.model'}", "--trusted-keys", str(signed / "key.pub"))
    check(run(*words), "unsigned.model: expected a signature in ")
    assert model_file.TRUSTED_KEYS not in os.environ  # what a command asks for ends with it


def test_the_environment_holds_for_every_command(signed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(model_file.TRUSTED_KEYS, str(signed / "key.pub"))
    assert Tagger.load(signed / "pos.model")
    assert run("inspect", str(signed / "pos.model")).status == 0
    ner_tagger().save(signed / "ner.model")
    for command in (("inspect", str(signed / "ner.model")), ("explain", "-m", str(signed / "ner.model"), "a")):
        check(run(*command), "expected a signature in ")


@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_reload_keeps_the_old_model_if_the_new_one_is_not_signed(signed: Path, workers: str) -> None:
    """Reloading happens in a thread, or in a process, of its own."""
    options = ("--trusted-keys", str(signed / "key.pub"), "--workers", workers)
    with running({"pos": str(signed / "pos.model")}, *options) as server:
        ner_tagger().save(signed / "pos.model")
        status, body = server.ask("POST", "/v1/models/pos/reload", {})
        assert status == 409
        assert b"its signature" in body and str(signed).encode() not in body.replace(b"pos.model", b"")
        signatures.sign_file(str(signed / "pos.model"), (signed / "pos.model").read_bytes(), str(signed / "key"))
        assert server.ask("POST", "/v1/models/pos/reload", {})[0] == 200
        run("sign", "--new-key", str(signed / "other"))
        (signed / "key.pub").write_bytes((signed / "other.pub").read_bytes())
        status, body = server.ask("POST", "/v1/models/pos/reload", {})
        assert status == 409 and b"expected a signature by a key in the trusted keys, found one by" in body
        assert str(signed).encode() not in body


def test_without_the_library_the_message_names_the_extra(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['cryptography'] = None\n"
        "from perceptag.cli import main; sys.exit(main(['tag', '-m', 'x', '--trusted-keys', 'k']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--trusted-keys: the package 'cryptography' is missing; it comes with the extra 'sign'" in done.stderr


def test_loading_without_keys_does_not_import_the_library(tmp_path: Path) -> None:
    pos_tagger().save(tmp_path / "pos.model")
    code = (
        f"import sys, perceptag; perceptag.load({str(tmp_path / 'pos.model')!r})\n"
        "sys.exit(any(name.startswith('cryptography') or name.endswith('signatures') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
