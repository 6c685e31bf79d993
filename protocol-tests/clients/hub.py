"""A small Hub client that stamps each line with its time of arrival, with a limit on every wait."""

from __future__ import annotations

import queue
import subprocess
import threading
import time
from dataclasses import dataclass


class EngineError(Exception):
    """The engine did not answer in time, or its process ended."""


@dataclass(frozen=True)
class Line:
    """A line of output and when it came (monotonic clock)."""

    text: str
    time: float

    @property
    def command(self) -> str:
        return self.text.split(" ", 1)[0]


def value(text: str, name: str) -> str | None:
    """The value of the pair `name=` in a line, without quotes."""
    _, found, rest = f" {text}".partition(f" {name}=")
    if not found:
        return None
    if rest.startswith('"'):
        return rest[1:].partition('"')[0]
    return rest.split(" ", 1)[0]


class HubProcess:
    """An engine process that was started with the argument `hub`."""

    def __init__(self, path: str) -> None:
        self.process = subprocess.Popen([path, "hub"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.trace: list[str] = []
        self.errors: list[str] = []
        self._lines: queue.Queue[Line | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()

    def _read(self) -> None:
        for raw in self.process.stdout:
            self._lines.put(Line(raw.decode("utf-8", "replace").rstrip("\r\n"), time.monotonic()))
        self._lines.put(None)

    def _read_errors(self) -> None:
        for raw in self.process.stderr:
            self.errors.append(raw.decode("utf-8", "replace").rstrip())

    def send(self, line: str) -> float:
        """Send a line; the time when it was sent."""
        self.trace.append(f"<< {line}")
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except (OSError, ValueError) as error:  # broken pipe, or closed on our side
            raise EngineError(f"cannot send {line!r}: {error}") from error
        return time.monotonic()

    def line(self, seconds: float) -> Line | None:
        """The next line, or none if there is none within `seconds`."""
        try:
            line = self._lines.get(timeout=max(seconds, 0.0))
        except queue.Empty:
            return None
        if line is None:
            self._lines.put(None)
            raise EngineError("the engine's process closed its output")
        self.trace.append(f">> {line.text}")
        return line

    def until(self, command: str, seconds: float) -> list[Line]:
        """All lines up to and with the first that starts with `command`."""
        end = time.monotonic() + seconds
        lines: list[Line] = []
        while True:
            line = self.line(end - time.monotonic())
            if line is None:
                raise EngineError(f"no {command!r} within {seconds:.1f} s")
            lines.append(line)
            if line.command == command:
                return lines

    def start(self, parameters: dict[str, str], seconds: float = 10.0) -> list[Line]:
        """From `hub` to `ready`, with those of the parameters that the engine declares."""
        self.send("hub")
        lines = self.until("wait", seconds)
        declared = {value(line.text, "name") for line in lines if line.command == "param"}
        for name in parameters.keys() & declared:
            self.send(f"set-param name={name} value={parameters[name]}")
        self.send("init")
        self.until("ready", seconds)
        return lines

    def close(self) -> None:
        """Ask it to quit, then make it."""
        try:
            self.send("quit")
            self.process.wait(timeout=1.0)
        except (EngineError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
