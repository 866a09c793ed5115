"""Runs that are played, and what is collected of many."""

from __future__ import annotations

import json
import operator
from array import array
from enum import Enum
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional

from ._answers import Step
from ._doubted import note
from ._errors import MapError
from ._flags import as_arguments
from ._pictures import Picture, Pictured

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, unused-ignore]
    import polars

__all__ = ["Columns", "End", "Run"]


class End(str, Enum):
    """How a run ended."""

    DONE = "done"
    FAILURE = "failure"
    DEADLOCK = "deadlock"
    MAILBOX_OVERFLOW = "mailbox overflow"
    RUNAWAY_RECURSION = "runaway recursion"
    RUN_ERROR = "run error"
    NO_HONEST_ANSWER = "no honest answer"
    CUT = "cut"
    ASKED_IN_VAIN = "asked in vain"
    TOO_MANY_STEPS = "too many steps"
    TOO_MANY_CALLS = "too many calls"
    UNANSWERED = "unanswered"
    INTERRUPTED = "interrupted"

    def __str__(self) -> str:
        return self.value


class Run(Pictured):
    """A run that was played.

    It is true if all agents ended well and no property was violated. It shows itself as a chart.

    >>> import maplang
    >>> run = maplang.library("send-info").run(seed=1)
    >>> run.end, run.violated
    (<End.DONE: 'done'>, ())
    """

    def __init__(self, played: Any) -> None:
        self._played = played
        #: Everything, as ``map run --format json`` prints it.
        self.json: dict[str, Any] = json.loads(played.json)

    def __bool__(self) -> bool:
        well = self.end is End.DONE and not self.violated
        if not well:
            note(self)
        return well

    @property
    def end(self) -> End:
        """How it ended."""
        return End(self.json["verdict"])

    @property
    def steps(self) -> tuple[Step, ...]:
        """Its steps."""
        return tuple(map(Step.from_json, self.json["trace"]))

    @property
    def seed(self) -> int:
        """The seed that plays it again."""
        return int(self.json["seed"])

    @property
    def violated(self) -> tuple[str, ...]:
        """The names of the properties that it violates."""
        return tuple(self.json.get("violated", ()))

    @property
    def choices(self) -> tuple[str, ...]:
        """Its steps in the form in which traces have them."""
        return tuple(self.json["choices"])

    def chart(self) -> Picture:
        """The message sequence chart."""
        return Picture(self._played.chart, ("svg", "text", "html", "mermaid", "plantuml"))

    _picture = chart

    def __str__(self) -> str:
        return as_arguments(self._played.text)

    def __repr__(self) -> str:
        return f"<Run: {self.end}, {self.json['steps']} steps, seed {self.seed}>"


class Columns(Mapping[str, "array[int]"]):
    """What was collected of many runs: an ``array.array`` by the name of each column, which NumPy takes without a copy.

    ``verdict`` has numbers: indices of ``ends``. In the other columns ``missing`` stands for no integer.

    >>> import maplang
    >>> columns = maplang.library("send-info").runs(100, collect=["steps", "verdict"])
    >>> columns.counts()
    {<End.DONE: 'done'>: 100}
    """

    #: The ends that numbers in the column ``verdict`` mean.
    ends: tuple[End, ...] = tuple(End)

    def __init__(self, columns: Mapping[str, tuple[str, bytes]], words: list[str], missing: int) -> None:
        self.ends = tuple(map(End, words))
        self.missing = missing
        self._columns: dict[str, array[int]] = {}
        for name, (code, content) in columns.items():
            self._columns[name] = array(code)
            self._columns[name].frombytes(content)

    def __getitem__(self, name: str) -> array[int]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def counts(self) -> dict[End, int]:
        """How many runs ended in which way, the most frequent first; needs the column ``verdict``."""
        column = self._columns["verdict"]
        counts = {end: column.count(index) for index, end in enumerate(self.ends)}
        return dict(sorted(((end, it) for end, it in counts.items() if it), key=lambda pair: -pair[1]))

    def to_pandas(self) -> pandas.DataFrame:
        """As a data frame of pandas; the columns share their memory with these. ``verdict`` becomes categorical."""
        import numpy
        import pandas

        columns: dict[str, Any] = {}
        for name, column in self._columns.items():
            values: Any = numpy.frombuffer(column, dtype=numpy.dtype(column.typecode)) if len(column) else []
            if name == "verdict":
                words = [end.value for end in self.ends]
                columns[name] = pandas.Categorical.from_codes(values, categories=words)
            else:
                columns[name] = pandas.Series(values, copy=False)
        return pandas.DataFrame(columns, copy=False)

    def to_polars(self) -> polars.DataFrame:
        """As a data frame of polars. What is missing becomes null, and ``verdict`` a column of words."""
        import polars

        columns = []
        for name, column in self._columns.items():
            series = polars.Series(name, memoryview(column))
            if name == "verdict":
                words = [end.value for end in self.ends]
                series = series.replace_strict(list(range(len(words))), words, return_dtype=polars.String)
            elif self.missing in column:
                series = series.set(series == self.missing, None)
            columns.append(series)
        return polars.DataFrame(columns)

    def __repr__(self) -> str:
        length = len(next(iter(self._columns.values()), ()))
        return f"<Columns of {length} runs: {', '.join(self._columns)}>"


def natural(name: str, number: Any, bits: int = 64, least: int = 0) -> int:
    """The value of an argument that is a natural number of so many bits."""
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise TypeError(f"{name} is an int, not {type(number).__name__}")
    if not least <= operator.index(number) < 2**bits:
        raise MapError(f"{name} is a number from {least} to 2**{bits} - 1, not {number}")
    return operator.index(number)
