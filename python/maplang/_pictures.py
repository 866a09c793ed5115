"""Pictures, as notebooks show them."""

from __future__ import annotations

from typing import Any, Callable, Optional

__all__ = ["Picture", "Pictured"]


class Pictured:
    """What notebooks show as a picture."""

    def _picture(self) -> Picture:
        raise NotImplementedError

    def _repr_svg_(self) -> str:
        return self._picture().svg

    def _repr_html_(self) -> str:
        # An image cannot hold scripts, and the style of the page and that of the picture do not mix.
        return f'<div style="overflow-x: auto">{self._repr_svg_()}</div>'

    def _repr_mimebundle_(self, include: Optional[Any] = None, exclude: Optional[Any] = None) -> dict[str, str]:
        picture = self._picture()
        return {"image/svg+xml": picture.svg, "text/html": self._repr_html_(), "text/plain": str(picture)}


class Picture(Pictured):
    """A picture in several languages: SVG for notebooks, text for terminals, Mermaid and others for documents.

    ``str(picture)`` is the text; ``picture.svg`` can be written to a file.

    >>> import maplang
    >>> picture = maplang.library("send-info").role_chart()
    >>> picture.svg.startswith("<svg")
    True
    """

    def __init__(self, draw: Callable[[str], str], languages: tuple[str, ...]) -> None:
        self._draw = draw
        self._languages = languages

    @property
    def svg(self) -> str:
        """As SVG."""
        return self._draw("svg")

    @property
    def mermaid(self) -> str:
        """In the language of Mermaid."""
        return self._draw("mermaid")

    def to(self, language: str) -> str:
        """In a language: ``svg``, ``text``, ``mermaid``; charts also ``html`` and ``plantuml``, graphs ``dot``.

        Raises:
            ValueError: if there is no such language.
        """
        return self._draw(language)

    def __str__(self) -> str:
        return self._draw("text")

    def __repr__(self) -> str:
        return f"<Picture: {', '.join(self._languages)}>"

    def _picture(self) -> Picture:
        return self
