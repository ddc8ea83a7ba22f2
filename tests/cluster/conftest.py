"""One cluster of Ray for all tests."""

import os
import secrets
import shutil
from pathlib import Path

import pytest

from perceptag import Pipeline
from perceptag.engines.ray_engine import start
from pipelines import document_tagger, ner_tagger, pos_tagger, whole

FOLDERS = (Path(__file__).parent, Path(__file__).parents[1] / "support")  # where workers find the classes of tests


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """A cluster of two workers, with files of its own."""
    ray = pytest.importorskip("ray", reason="Ray is not installed: make test-all PARTS=ray")
    token = tmp_path_factory.mktemp("ray") / "token"  # of this cluster; Ray would keep one in the user's home
    token.write_text(secrets.token_hex(32))
    os.environ |= {
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_AUTH_TOKEN_PATH": str(token),
        "PYTHONPATH": os.pathsep.join(map(str, FOLDERS)),
    }
    # Sockets are in this folder, and their names must not be long.
    folder = f"/tmp/perceptag-ray-{os.getpid()}"
    start(ray, 2, object_store_memory=100 << 20, _temp_dir=folder)
    yield ray
    ray.shutdown()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """A folder with a tagger, one that looks at documents, and pipelines."""
    folder = tmp_path_factory.mktemp("models")
    pos_tagger().save(folder / "pos")
    document_tagger().save(folder / "documents")
    Pipeline([pos_tagger(), ner_tagger()]).save(folder / "pipeline")
    whole().save(folder / "whole")
    return folder
