"""Run pytest with a test package of 2026.10 on Home Assistant 2026.11.

Home Assistant has to be imported before pytest loads plugins, because it answers
`import httpx` with httpx2; and the plugin looks for a function where 2026.10 had it.
"""

import sys

import homeassistant.components.logger as logger_component
from homeassistant.components.logger.helpers import _clear_logger_overwrites
import pytest

# setattr, because the name is gone from the module that type checkers see.
setattr(logger_component, "_clear_logger_overwrites", _clear_logger_overwrites)  # noqa: B010

sys.exit(pytest.main(sys.argv[1:]))
