"""What the tests share."""

from __future__ import annotations

import os
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

#: What pytest is to be told of: where the package is installed, it knows its plugin, and refuses it a second time.
PLUGINS: list[str] = []
try:
    distribution("maplang")
except PackageNotFoundError:
    PLUGINS.append("maplang.pytest_plugin")

pytest_plugins = ["pytester", *PLUGINS]


@pytest.fixture
def root() -> Path:
    """The repository."""
    return Path(os.environ.get("MAP_ROOT", Path(__file__).parents[2]))
