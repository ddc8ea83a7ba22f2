"""``perceptag serve``: models behind HTTP, for programs and for a page.

    uvicorn ─▶ protocol.py ─▶ guard.py ─▶ routes.py ─▶ runners.py ─▶ text_jobs.py ─▶ tagging.py, explaining.py, …
               connections    access,     addresses    threads, or   what a request  what a pipeline says
                              limits                   workers       asks for

With workers, `worker_runner.py` has pools (`worker_pool.py`) with fair queues; each has a zygote (`zygote_link.py` is
its end here), a process that loads the models and whose forks are the workers:

    front process: worker_pool.py ─▶ worker_frames.py ─▶ worker.py: text_jobs.py, in a fork of zygote.py

Nothing that comes over the network names a file, and nothing is kept of it.
"""
