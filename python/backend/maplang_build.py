"""Builds the package: maturin makes the wheel, and beside the module it has the command ``map``, which cargo builds.

The profile is ``release``; ``MAPLANG_PROFILE`` names another, such as ``wheel`` (smaller and faster, built in minutes).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

PYTHON = Path(__file__).resolve().parents[1]
ROOT = PYTHON.parent
PROFILE = os.environ.get("MAPLANG_PROFILE", "release")

#: What building does not need.
LEFT_OUT = ("docs/", "fuzz/", "packaging/", "playground/", "tests/cases", "tests/recorded/", "tests/regressions/", "editors/vscode/")

#: What it needs all the same: the server for coding agents has the reference in it.
NEEDED = ("docs/book/src/reference.md",)


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    scripts = PYTHON / "data" / "scripts"
    shutil.rmtree(scripts, ignore_errors=True)
    scripts.mkdir(parents=True)
    shutil.copy2(_command(), scripts)
    wheels = Path(wheel_directory).resolve()
    before = set(wheels.glob("*.whl"))
    _run(
        [sys.executable, "-m", "maturin", "build", "--locked", "--profile", PROFILE]
        + ["--manifest-path", str(PYTHON / "Cargo.toml"), "--interpreter", sys.executable, "--out", str(wheels)]
        + ["--compression-level", "9"]
    )
    (made,) = set(wheels.glob("*.whl")) - before
    return made.name


def build_sdist(sdist_directory, config_settings=None):
    """The sources of the workspace, without what building does not need."""
    listed = _run(["git", "ls-files", "-z"], capture_output=True).stdout.decode().split("\0")
    files = [it for it in listed if it and (it in NEEDED or not it.startswith(LEFT_OUT)) and (ROOT / it).is_file()]
    name = f"maplang-{_version()}"
    with tarfile.open(Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for file in files:
            archive.add(ROOT / file, f"{name}/{file}")
        project = (PYTHON / "pyproject.toml").read_text("utf-8")
        _add(archive, f"{name}/pyproject.toml", project.replace('["backend"]', '["python/backend"]'))
        _add(archive, f"{name}/PKG-INFO", f"Metadata-Version: 2.1\nName: maplang\nVersion: {_version()}\n")
    return f"{name}.tar.gz"


def _command():
    """Builds ``map``; its path."""
    suffix = ".exe" if os.name == "nt" else ""
    _run(["cargo", "build", "--locked", "--profile", PROFILE, "-p", "map-cli", "--features", "full"])
    folder = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return folder / ("debug" if PROFILE == "dev" else PROFILE) / f"map{suffix}"


def _version():
    for line in (ROOT / "Cargo.toml").read_text("utf-8").splitlines():
        if line.startswith("version = "):
            return line.split('"')[1]
    raise SystemExit("the workspace has no version")


def _add(archive, name, text):
    import io

    content = text.encode()
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    archive.addfile(entry, io.BytesIO(content))


def _run(words, **arguments):
    return subprocess.run(words, cwd=ROOT, check=True, **arguments)
