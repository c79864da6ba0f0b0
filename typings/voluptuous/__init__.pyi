# Home Assistant answers `import voluptuous` with probatio; type checkers are told the same.
from probatio import *
