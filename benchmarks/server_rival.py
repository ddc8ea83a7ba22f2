"""python-crfsuite behind the framework that `perceptag serve` uses, as one would write it in an afternoon.

    python -m benchmarks.server_rival TASK MODEL PORT

No limits, no checks, no protection against slow clients: the reply has tokens and labels.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from benchmarks.systems.crfsuite import SYSTEM
from benchmarks.task import load_task


def main() -> None:
    """Load and serve."""
    task, model, port = load_task(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    tag = SYSTEM.load(task, model)

    async def answer(request: Request) -> Response:
        sentences = json.loads(await request.body())["sentences"]
        labels = tag([{"form": tokens} for tokens in sentences])
        found = [{"tokens": t, "labels": y} for t, y in zip(sentences, labels, strict=True)]
        return Response(json.dumps({"sentences": found}), media_type="application/json")

    async def health(request: Request) -> Response:  # noqa: ARG001 - the router passes it
        return Response('{"ok":true}', media_type="application/json")

    paths = [Route(path, health) for path in ("/livez", "/readyz")]
    app = Starlette(routes=[Route("/v1/tag", answer, methods=["POST"]), *paths])
    print(f"http://127.0.0.1:{port}/", file=sys.stderr, flush=True)
    uvicorn.run(app, host="127.0.0.1", port=port, http="httptools", loop="asyncio", log_level="critical")


if __name__ == "__main__":
    main()
