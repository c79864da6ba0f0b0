"""What all tests share: how hypothesis searches."""

import os

from hypothesis import HealthCheck, settings

# CI repeats the same examples, so that a failure is the commit's and not the day's.
settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    max_examples=200,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("dev", deadline=None, max_examples=50)
settings.load_profile("ci" if os.environ.get("CI") else "dev")
