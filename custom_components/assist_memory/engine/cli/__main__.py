"""Run the command line with `python -m`."""

import sys

from . import main

sys.exit(main())
