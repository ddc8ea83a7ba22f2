"""``perceptag serve``: models behind HTTP, for programs and for a page.

    uvicorn ─▶ protocol.py ─▶ guard.py ─▶ routes.py ─▶ reading.py ─▶ tagging.py, explaining.py ─▶ JSON
               slow clients   who, how     addresses    what is       what a pipeline says
                              much                      asked for

Nothing that comes over the network names a file, and nothing is kept of it.
"""
