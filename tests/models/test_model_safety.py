"""Loading a model runs no code, opens no other file, and uses no more memory than its size justifies."""

from __future__ import annotations

import ast
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import perceptag
from forging import FORGERIES, forge, model_bytes, say
from perceptag import ModelError, Sentence, SettingError, Tagger
from perceptag.features.tag_dictionary import ClosedWords
from perceptag.models import model_file as modelfile
from perceptag.models.linear import encoded_task as encoded
from perceptag.training.train import Training
from sources import nodes
from toys import make_recipe, random_corpus

# ------------------------------------------------------------------------------------- no code is run

WATCH = """
import sys
from perceptag import Tagger
Tagger.load(sys.argv[1]).predict([{"form": ["the", "dog"], "pos": ["T", "D"]}])  # so that late imports happen now
seen = []
watched = {"exec", "compile", "import", "marshal.loads", "pickle.find_class", "code.__new__", "ctypes.dlopen",
           "os.system", "os.exec", "os.posix_spawn", "os.fork", "subprocess.Popen"}
def hook(event, args):
    if event in watched or event.startswith("socket."):
        seen.append((event, repr(args)[:200]))
    if event == "open":
        opened.append(args[0])
opened = []
sys.addaudithook(hook)
for path in sys.argv[1:]:
    try:
        Tagger.load(path)
    except ValueError:
        pass
loading = list(seen), list(opened)
exec("1")  # the hook must be able to see something
assert [event for event, _ in seen[len(loading[0]):]] == ["compile", "exec"], seen
print(loading[0])
print(set(loading[1]) - set(sys.argv[1:]))
"""


def test_loading_runs_no_code_and_opens_nothing_else(tmp_path):
    """An audit hook sees every compile, exec, import, process, socket and file of the interpreter."""
    rich, small = model_bytes(10, tag_dictionary=2), model_bytes()
    forged = forge(rich, say(["attribute=os:system"], "recipe", "attributes"))
    paths = []
    for i, data in enumerate((rich, small, forged, small[:-1], forge(rich, FORGERIES["NaN"]))):
        paths.append(tmp_path / f"{i}.model")
        paths[-1].write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-c", WATCH, *map(str, paths)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["[]", "set()"]


# These read only what a process that perceptag has started itself writes, or Ray, which hands over code anyway.
OWN_CHILDREN = ("workbench/learning/messages.py", "engines/processes_engine.py", "cluster/shared.py")


def test_the_package_never_unpickles_or_evaluates():
    sources = [p for p in Path(perceptag.__file__).parent.rglob("*.py") if not p.as_posix().endswith(OWN_CHILDREN)]
    assert len(sources) > 30
    modules, functions = {"pickle", "marshal", "yaml", "shelve"}, {"eval", "exec", "compile", "__import__"}
    for path in sources:
        text = path.read_text("utf-8")
        if not any(name in text for name in modules | functions):
            continue
        for node in nodes(path):
            if isinstance(node, ast.Import):
                assert not {alias.name for alias in node.names} & modules, path
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in functions, path


def test_code_of_the_user_is_asked_for_not_run(tmp_path):
    data = random_corpus(0, 10)
    recipe = make_recipe(templates=("form[0]", "mine[0]"), epochs=1)
    tagger = Tagger(recipe, attributes={"mine": str.upper}).fit(data)
    path = str(tmp_path / "m")
    tagger.save(path)
    with pytest.raises(SettingError, match="the model uses the attribute 'mine', which is code of your own"):
        Tagger.load(path)
    assert Tagger.load(path, attributes={"mine": str.upper}).predict(data) == tagger.predict(data)


# ------------------------------------------------------------------------------------------- pickling


def test_a_pickled_tagger_is_the_bytes_of_its_model():
    data = random_corpus(0, 10)
    tagger = Tagger(recipe="collins-pos", epochs=2, threads=2).fit(data)
    stream = pickle.dumps(tagger)
    assert modelfile.to_bytes(tagger.model_)[0] in stream
    again = pickle.loads(stream)
    assert again.get_params() == tagger.get_params()
    assert again.predict(data) == tagger.predict(data)
    assert pickle.loads(pickle.dumps(Tagger(epochs=4))).get_params() == Tagger(epochs=4).get_params()
    sha = modelfile.to_bytes(tagger.model_)[1].encode()
    with pytest.raises(ModelError, match="damaged"):
        pickle.loads(stream.replace(sha, b"0" * 64))


def test_loading_takes_memory_in_proportion_to_the_file(tmp_path):
    """A small file that claims a lot must not use a lot of memory: 2000 labels have eight billion trigrams."""
    forged = forge(model_bytes(), FORGERIES["labels without end"])
    path = tmp_path / "m"
    path.write_bytes(forged)
    script = textwrap.dedent(
        """
        import resource, sys
        from perceptag import ModelError, Tagger
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        try:
            Tagger.load(sys.argv[1])
        except ModelError:
            print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
        """
    )
    run = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True)
    assert int(run.stdout) < 16 * 1024 + 2 * path.stat().st_size // 1024


def test_a_dictionary_takes_no_memory_beyond_reason():
    """Each entry needs a byte for each label, however short it is in the file."""
    facts = {"entries": [[0]] * 2000, "words": {"a": 0}}
    assert len(ClosedWords.checked(facts, 30_000).entries) == 2000
    with pytest.raises(ModelError, match=r"facts\.closed: expected at most 1118 entries, found 2000"):
        ClosedWords.checked(facts, 60_000)


def test_a_dictionary_that_could_not_be_loaded_is_not_trained(monkeypatch):
    monkeypatch.setattr(encoded, "MAX_DICTIONARY", 15)
    recipe = make_recipe(templates=("form[0]",), epochs=1, tag_dictionary=1)
    data = [Sentence({"form": [f"w{i}"], "label": [f"l{i}"]}) for i in range(4)]
    assert len(Training(recipe, data[:3]).model().facts["closed"]["entries"]) == 3
    with pytest.raises(SettingError, match="tag_dictionary: expected at most 15 entries times labels, found 4 times 4"):
        Training(recipe, data)


def test_constraints_are_for_a_bearable_number_of_labels():
    words = [f"w{i}" for i in range(2100)]
    with pytest.raises(SettingError, match="constrain: expected at most 2048 labels, found 2100"):
        Tagger(make_recipe(templates=("form[0]",), constrain=True)).fit([words], [[f"B-{w}" for w in words]])
