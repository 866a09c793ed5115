"""Who is told how far long work has come."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional

__all__ = ["progress_of"]


@contextmanager
def progress_of(progress: Any, unit: str) -> Iterator[Optional[Callable[..., object]]]:
    """The function to call; for ``True`` one that draws a bar of ``tqdm``, if that is installed."""
    if progress is None or progress is False:
        yield None
        return
    if progress is not True:
        if not callable(progress):
            raise TypeError(f"progress is a function, True or None, not {type(progress).__name__}")
        yield progress
        return
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        yield None
        return
    with tqdm(unit=f" {unit}") as bar:

        def tell(done: Any, wanted: Optional[int] = None) -> None:
            reached = done["states"] if isinstance(done, dict) else done
            if wanted is not None:
                bar.total = wanted
            bar.update(reached - bar.n)

        yield tell
