"""Packs a wheel anew by Zopfli: deflate, as before, but some 3 % smaller. It takes half a minute.

Usage: python repack.py WHEEL
"""

import sys
import zipfile
from pathlib import Path

import zopfli.zlib

#: zlib's format is that of a zip archive between two bytes in front and a checksum of four behind.
HEAD, TAIL = 2, 4


class Zopfli:
    """Compresses as the objects of ``zlib.compressobj`` do."""

    def __init__(self) -> None:
        self.content = b""

    def compress(self, content: bytes) -> bytes:
        self.content += content
        return b""

    def flush(self) -> bytes:
        return zopfli.zlib.compress(self.content)[HEAD:-TAIL]


def repack(wheel: Path) -> None:
    packed = wheel.with_suffix(".packed")
    # The module has no other way in; what it wrote is read again below.
    zipfile._get_compressor = lambda kind, level=None: Zopfli() if kind == zipfile.ZIP_DEFLATED else None  # type: ignore[attr-defined]
    with zipfile.ZipFile(wheel) as before, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as after:
        for entry in before.infolist():
            # Time, permissions and place stay as they were.
            after.writestr(entry, before.read(entry))
    with zipfile.ZipFile(wheel) as before, zipfile.ZipFile(packed) as after:
        for entry in before.infolist():
            same = after.getinfo(entry.filename)
            if before.read(entry) != after.read(same) or entry.external_attr != same.external_attr:
                raise SystemExit(f"{wheel}: {entry.filename} is not what it was")
    packed.replace(wheel)


if __name__ == "__main__":
    repack(Path(sys.argv[1]))
