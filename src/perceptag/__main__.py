"""``perceptag`` and ``python -m perceptag``: the command line."""

import gc
from typing import NoReturn

from perceptag.system.fast_exit import leave
from perceptag.system.interrupts import leave_quietly

_OBJECTS_BETWEEN_SEARCHES = 50_000  # Python's own 700 costs a tenth of the start, and finds nothing


def main() -> int:
    """Import and run the command line; Ctrl-C during the import ends it without a traceback."""
    leave_quietly()
    gc.set_threshold(_OBJECTS_BETWEEN_SEARCHES)
    from perceptag.cli import main as run
    from perceptag.cli.streams import stand_in_for_closed_streams

    stand_in_for_closed_streams()
    return run()


def command() -> NoReturn:
    """Run the command line, and end the process."""
    status = main()
    leave_quietly()  # the work is done: Ctrl-C is not an error any more
    leave(status)


if __name__ == "__main__":
    command()
