"""What the tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest_plugins = ["pytester", "maplang.pytest_plugin"]


@pytest.fixture
def root() -> Path:
    """The repository."""
    return Path(os.environ.get("MAP_ROOT", Path(__file__).parents[2]))
