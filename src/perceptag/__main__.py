"""``perceptag`` and ``python -m perceptag``: the command line."""

import sys

from perceptag.system.interrupts import leave_quietly


def main() -> int:
    """Import and run the command line; Ctrl-C during the import ends it without a traceback."""
    leave_quietly()
    from perceptag.cli import main as run
    from perceptag.cli.streams import stand_in_for_closed_streams

    stand_in_for_closed_streams()
    return run()


if __name__ == "__main__":
    sys.exit(main())
