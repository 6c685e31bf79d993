"""One virtual environment for each client library.

`pydraughts` and `py-draughts` both install a package named `draughts`, so they cannot share an
environment. Environments are cached: they are built once, in `$MEERSLAG_VENVS` or, without it, in
`target/clients/` of the repository.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]

# The versions whose behavior the scripts were written for.
REQUIREMENTS = {
    "pydraughts": "pydraughts==0.6.7",
    "pydraughts-0.5": "pydraughts==0.5.7",
    "py-draughts": "py-draughts==1.10.1",
    "dame": "dame-rs==0.2.0",
}

INSTALL_SECONDS = 300


class Unavailable(Exception):
    """The library could not be installed: most often there is no network."""


def cache() -> Path:
    """The folder that holds the environments."""
    return Path(os.environ.get("MEERSLAG_VENVS") or REPOSITORY / "target" / "clients").resolve()


def python(name: str) -> Path:
    """The interpreter of the environment `name`, which is built if it is missing."""
    requirement = REQUIREMENTS[name]
    folder = cache() / name
    folder.parent.mkdir(parents=True, exist_ok=True)
    interpreter = folder / "bin" / "python"
    marker = folder / "installed.txt"
    with open(cache() / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two runs at once build it once
        if marker.is_file() and marker.read_text() == requirement and interpreter.exists():
            return interpreter
        shutil.rmtree(folder, ignore_errors=True)
        print(f"installing {requirement} into {folder}", file=sys.stderr, flush=True)
        _call([sys.executable, "-m", "venv", str(folder)])
        _call([str(interpreter), "-m", "pip", "install", "--quiet", "--no-input",
               "--disable-pip-version-check", requirement])
        marker.write_text(requirement)
    return interpreter


def script(name: str, command: str) -> Path:
    """The console script `command` of the environment `name`."""
    return python(name).parent / command


def _call(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"{' '.join(command)}: {error}") from error
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-3:]
        raise Unavailable(f"{' '.join(command)}: exit {done.returncode}: {' / '.join(last)}")
