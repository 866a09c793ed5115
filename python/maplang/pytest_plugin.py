"""A plugin for pytest: tests of ``.map`` files, and dialogues in tests.

- ``.map`` files are collected: each line ``//@ verify FLAGS => VERDICT`` is a test, with the lines below it.
- The fixture ``protocol`` is the dialogue that ``@pytest.mark.protocol("file.map", agents={"bidder": 3})`` names; the
  path is that of the test's file, or relative to it.
- ``assert protocol.verify(..)`` and ``assert protocol.conform(..)`` show what is wrong, with the chart.
- `conforms` is ``assert`` for logs, with what was expected.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Iterable, Optional

import pytest

from . import Conformance, MapError, Protocol, Run, _native
from ._conform import Log
from ._doubted import watch
from ._protocol import text_of

__all__ = ["conforms", "protocol"]


def pytest_configure(config: pytest.Config) -> None:
    """Makes the marker known."""
    config.addinivalue_line("markers", "protocol(path, **arguments): the dialogue of the fixture `protocol`")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Optional[pytest.Collector]:
    """Collects ``.map`` files."""
    if file_path.suffix == ".map":
        collected: pytest.Collector = MapFile.from_parent(parent, path=file_path)
        return collected
    return None


class MapFile(pytest.File):
    """A file with lines ``//@ verify``; without any, that it has no errors is its one test."""

    def collect(self) -> Iterable[pytest.Item]:
        """A test for each line, and for each of its casts."""
        try:
            found = _native.expectations(text_of(self.path))
        except MapError as error:
            raise self.CollectError(str(error)) from None
        if not found:
            yield MapItem.from_parent(self, name="check", place=None)
        for line, index, words in found:
            name = f"line {line}" if index == 0 else f"line {line}, cast {index + 1}"
            yield MapItem.from_parent(self, name=f"{name}: {words}" if words else name, place=(line, index))


class MapItem(pytest.Item):
    """A line ``//@ verify``."""

    def __init__(self, *, place: Optional[tuple[int, int]], **arguments: Any) -> None:
        super().__init__(**arguments)
        self.place = place

    def runtest(self) -> None:
        """Verifies, and compares."""
        text, name = text_of(self.path), self.path.name
        if self.place is None:
            Protocol.from_text(text, name=name)
            return
        differs = _native.unexpected(name, text, *self.place)
        if differs is not None:
            raise UnexpectedVerdict(differs)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """What differs, or what is wrong with the text."""
        if isinstance(excinfo.value, (UnexpectedVerdict, MapError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, Optional[int], str]:
        """Where it stands."""
        return self.path, None if self.place is None else self.place[0] - 1, self.name


_DOUBTED: list[object] = []


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Any:
    """Notes what the test finds to be false."""
    _DOUBTED.clear()
    watch(_DOUBTED.append)
    yield
    watch(None)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Shows the last of it below an assertion that failed, with its chart."""
    outcome = yield
    if call.when == "call" and call.excinfo is not None and call.excinfo.errisinstance(AssertionError) and _DOUBTED:
        outcome.get_result().sections.append(("map", _shown(_DOUBTED[-1])))


def _shown(found: Any) -> str:
    # What is said of an answer has the chart in it.
    return f"{found}\n{found.chart()}" if isinstance(found, Run) else str(found)


class UnexpectedVerdict(Exception):
    """A verdict is not the one that a line expects."""


@pytest.fixture
def protocol(request: pytest.FixtureRequest) -> Protocol:
    """The dialogue that the marker ``protocol`` of the test names."""
    marker = request.node.get_closest_marker("protocol")
    if marker is None or not marker.args:
        raise pytest.UsageError('the fixture `protocol` needs a marker, such as @pytest.mark.protocol("auction.map")')
    try:
        return Protocol.from_file(Path(request.path).parent / marker.args[0], **marker.kwargs)
    except (MapError, OSError, TypeError) as error:
        wrong = str(error)
    pytest.fail(wrong, pytrace=False)


def conforms(protocol: Protocol, log: Log, **arguments: Any) -> Conformance:
    """Fails if a log does not conform; the arguments are those of `Protocol.conform`.

    Raises:
        AssertionError: with what the command line says.
    """
    found = protocol.conform(log, **arguments)
    if not found:
        raise AssertionError(f"the log does not conform\n{found}")
    return found
