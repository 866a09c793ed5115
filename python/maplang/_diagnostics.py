"""What is wrong with a text, as objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Diagnostic", "Edit", "Fix", "Label", "Span"]


@dataclass(frozen=True)
class Span:
    """A place in a text. ``start`` and ``end`` are bytes from 0; lines and columns (characters) count from 1."""

    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def from_json(cls, json: dict[str, Any]) -> Span:
        return cls(**{name: json[name] for name in cls.__dataclass_fields__})


@dataclass(frozen=True)
class Label:
    """A marked place. ``primary`` is true of the place that a diagnostic is about."""

    primary: bool
    text: str
    span: Span


@dataclass(frozen=True)
class Edit:
    """A part of a fix: what takes the place of a span."""

    span: Span
    replacement: str


@dataclass(frozen=True)
class Fix:
    """A change of the text that does what the help says. Its edits are in the order of the text."""

    title: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Diagnostic:
    """An error or a warning, with its stable code."""

    code: str
    severity: str
    text: str
    file: str
    labels: tuple[Label, ...]
    notes: tuple[str, ...]
    help: tuple[str, ...]
    fixes: tuple[Fix, ...]

    @property
    def is_error(self) -> bool:
        """Whether the text cannot be used."""
        return self.severity == "error"

    @property
    def span(self) -> Span | None:
        """The place that it is about; ``None`` if that is the whole text."""
        return next((label.span for label in self.labels if label.primary), None)

    def __str__(self) -> str:
        where = f"{self.file}:{self.span.line}:{self.span.column}: " if self.span else f"{self.file}: "
        return f"{where}{self.severity}[{self.code}]: {self.text}"

    @classmethod
    def from_json(cls, json: dict[str, Any]) -> Diagnostic:
        def edit(it: dict[str, Any]) -> Edit:
            return Edit(Span.from_json(it["span"]), it["replacement"])

        return cls(
            code=json["code"],
            severity=json["severity"],
            text=json["text"],
            file=json["file"],
            labels=tuple(Label(it["primary"], it["text"], Span.from_json(it["span"])) for it in json["labels"]),
            notes=tuple(json["notes"]),
            help=tuple(json["help"]),
            fixes=tuple(Fix(it["title"], tuple(map(edit, it["edits"]))) for it in json["fixes"]),
        )
