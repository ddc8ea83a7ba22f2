"""``python -m perceptag``: the command line."""

import sys

from perceptag.cli import main

sys.exit(main())
