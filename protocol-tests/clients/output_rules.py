#!/usr/bin/env python3
"""Plays the traffic of real clients to a live engine and checks every line of its answers.

Each scenario is one process and one way in which a client behaves: a bot, an analysis server, a web
page that sends everything at once. `line_rules` has the rules for single lines; the scenarios add
what matters between lines: one `done` a search, nothing unasked, and answers in time.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from typing import Callable

from guard import Failure
from hub import EngineError, HubProcess, Line, value
from line_rules import check_declarations, check_search

START = {"normal": "W" + "b" * 20 + "e" * 10 + "w" * 20, "brazilian": "W" + "b" * 12 + "e" * 8 + "w" * 12}

# Waits for what should come within a moment; far longer than needed, for busy machines.
SOON = 1.0
SEARCH = 5.0
# The time after which nothing more is expected.
SILENCE = 0.15


def place(size: int, side: str, **pieces: list[int]) -> str:
    """A Hub position of `size` squares: pieces by letter (`w`, `b`, `W`, `B`) and square numbers."""
    board = ["e"] * size
    for letter, squares in pieces.items():
        for square in squares:
            board[square - 1] = letter
    return side + "".join(board)


def texts(lines: list[Line]) -> list[str]:
    return [line.text for line in lines]


def ready(engine: HubProcess, *parameters: str) -> None:
    """From `hub` to `ready`, with the declarations checked."""
    engine.send("hub")
    check_declarations(texts(engine.until("wait", SOON)))
    for parameter in parameters:
        engine.send(f"set-param {parameter}")
    engine.send("init")
    if texts(engine.until("ready", SEARCH)) != ["ready"]:
        raise Failure("init was not answered by ready alone")


def search(engine: HubProcess, *commands: str, terminal: bool = False) -> tuple[str | None, list[str]]:
    """Send commands of which the last starts a search; its move and its lines."""
    for command in commands:
        engine.send(command)
    lines = texts(engine.until("done", SEARCH))
    return check_search(lines, terminal), lines


def silent(engine: HubProcess, what: str) -> None:
    """Nothing more may come."""
    line = engine.line(SILENCE)
    if line is not None:
        raise Failure(f"{what}: unexpected {line.text!r}")


def last_score(lines: list[str]) -> float:
    return float(value(lines[-2], "score"))


def startup(engine: HubProcess) -> None:
    """Nothing before `hub`; `hub` to `ready`; `ping`; a clean end."""
    silent(engine, "before hub")
    start = time.monotonic()
    ready(engine)
    print(f"    hub to ready: {(time.monotonic() - start) * 1000:.0f} ms")
    engine.send("ping")
    if texts(engine.until("pong", SOON)) != ["pong"]:
        raise Failure("ping was not answered by pong alone")
    silent(engine, "after pong")
    engine.send("quit")
    if engine.process.wait(timeout=SOON) != 0:
        raise Failure(f"quit ended the process with {engine.process.returncode}")


def limits(engine: HubProcess) -> None:
    """Every form of limit, on boards of both sizes."""
    ready(engine)
    for variant, start in START.items():
        engine.send(f"set-param name=variant value={variant}")
        engine.send("init")
        engine.until("ready", SEARCH)
        for level in ("depth=1", "depth=7", "nodes=5000", "move-time=0.05", "time=1", "moves=10 time=1",
                      "time=1 inc=0.1", "time=0", "time=-0.3 inc=-0.1", "time=9.799999999999999 inc=0.2"):
            move, lines = search(engine, f"pos pos={start}", f"level {level}", "go think")
            if move is None or abs(last_score(lines)) >= 80.0:
                raise Failure(f"{variant}, {level}: no sober score in {lines[-2]!r}")
    silent(engine, "after the last done")


def positions(engine: HubProcess) -> None:
    """A forced move, a won position, long captures, and one without a legal move."""
    ready(engine, "name=variant value=normal")
    forced = place(50, "W", w=[28], b=[22, 4])
    move, _ = search(engine, f"pos pos={forced}", "level move-time=1", "go think")
    if move != "28x17x22":
        raise Failure(f"the only move is 28x17x22, not {move}")
    won = place(50, "W", W=[46], b=[28])
    _, lines = search(engine, f"pos pos={won}", "level depth=5", "go think")
    if last_score(lines) <= 90.0:
        raise Failure(f"a win was not told as a distance: {lines[-2]!r}")
    chain = place(50, "W", w=[48], b=[42, 32, 22, 11, 1])
    move, _ = search(engine, f"pos pos={chain}", "level depth=5", "go analyze")
    if move != "48x6x11x22x32x42":
        raise Failure(f"the only capture is 48x6x11x22x32x42, not {move}")
    blocked = place(50, "B", w=[41, 47], b=[36])
    search(engine, f"pos pos={blocked}", "level depth=5", "go think", terminal=True)
    search(engine, f'pos pos={START["normal"]} moves="32-28 19-23 28x19x23 14x23x19"', "level depth=5", "go think")
    silent(engine, "after the last done")


def bot(engine: HubProcess) -> None:
    """A bot: unknown parameters, pondering with hits and misses, late stops."""
    ready(engine, "name=book-ply value=20", "name=tt-size value=20", "name=bb-size value=0",
          "name=variant value=normal", "name=initial-time value=60")
    moves: list[str] = []
    for turn in range(4):
        position = f'pos pos={START["normal"]}' + (f' moves="{" ".join(moves)}"' if moves else "")
        move, lines = search(engine, position, "level time=5.3 inc=0.1", "go think")
        reply = value(lines[-1], "ponder")
        if reply is None:
            raise Failure(f"no move to ponder on: {lines[-1]!r}")
        moves += [move, reply]
        engine.send(f'pos pos={START["normal"]} moves="{" ".join(moves)}"')
        engine.send("level time=2.0 inc=0.1")
        engine.send("go ponder")
        time.sleep(0.05)
        engine.send("ponder-hit" if turn % 2 else "stop")
        if check_search(texts(engine.until("done", SEARCH))) is None:
            raise Failure("no move from pondering")
        engine.send("stop")
        engine.send("ponder-hit")
        silent(engine, "late stop and ponder-hit")


def analysis(engine: HubProcess) -> None:
    """An analysis server: several levels that add up, parameters between them, repeated stops."""
    ready(engine, "name=threads value=1", "name=tt-size value=20", "name=variant value=normal")
    engine.send("new-game")
    for moves in ("", "32-28", "32-28 19-23", "32-28 19-23 28x19x23 14x23x19"):
        tail = f' moves="{moves}"' if moves else ""
        search(engine, f'pos pos={START["normal"]}{tail}', "level nodes=20000", "set-param name=book-ply value=0",
               "level depth=30", "level move-time=2", "go analyze")
        engine.send("stop")
        engine.send("stop")
    silent(engine, "late stops")
    for letters in ("info", "ping"):
        engine.send(f'pos pos={START["normal"]}')
        engine.send("level infinite")
        engine.send("go analyze")
        lines = []
        if letters == "info":
            lines += engine.until("info", SOON)
        else:
            engine.send("ping")
            lines += engine.until("pong", SOON)
        sent = engine.send("stop")
        lines += engine.until("done", SOON)
        print(f"    stop to done: {(lines[-1].time - sent) * 1000:.1f} ms")
        if lines[-1].time - sent > 0.3:  # a web page restarts its engine after this time
            raise Failure("stop was not answered in 0.3 s")
        check_search([text for text in texts(lines) if text != "pong"])
    silent(engine, "after stop")


def pipeline(engine: HubProcess) -> None:
    """A web page: everything from `hub` to `go` in one write, parameters before `hub`, two inits."""
    for command in ("set-param name=variant value=normal", "hub", "set-param name=threads value=1", "init",
                    "set-param name=tt-size value=18", "init", "new-game", f'pos pos={START["normal"]}',
                    "level depth=8", "go analyze"):
        engine.send(command)
    check_declarations(texts(engine.until("wait", SOON)))
    for _ in range(2):
        if texts(engine.until("ready", SEARCH)) != ["ready"]:
            raise Failure("init was not answered by ready alone")
    if check_search(texts(engine.until("done", SEARCH))) is None:
        raise Failure("no move")
    silent(engine, "after done")


def end_of_input(engine: HubProcess) -> None:
    """The client disappears during a search: the engine ends without another word."""
    ready(engine)
    for command in (f'pos pos={START["normal"]}', "level infinite", "go analyze"):
        engine.send(command)
    engine.until("info", SOON)
    engine.process.stdin.close()
    try:
        engine.process.wait(timeout=SOON)
    except subprocess.TimeoutExpired:
        raise Failure("the engine lives on without input") from None
    try:
        engine.until("done", SILENCE)
    except EngineError:
        return
    raise Failure("done after the end of input")


SCENARIOS: list[Callable[[HubProcess], None]] = [startup, limits, positions, bot, analysis, pipeline, end_of_input]


def run(scenario: Callable[[HubProcess], None], path: str) -> bool:
    """Run one scenario with a process of its own; whether it passed."""
    print(f"{scenario.__name__}: {scenario.__doc__}", flush=True)
    engine = HubProcess(path)
    try:
        scenario(engine)
        engine.close()
        if engine.errors:
            raise Failure(f"output on stderr: {engine.errors[:3]}")
        return True
    except (Failure, EngineError) as failure:
        print(f"FAILED: {scenario.__name__}: {failure}", file=sys.stderr)
        for line in engine.trace[-12:]:
            print(f"    {line}", file=sys.stderr)
        return False
    finally:
        engine.process.kill()
        engine.process.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True, help="the engine's program")
    parser.add_argument("--only", choices=[scenario.__name__ for scenario in SCENARIOS])
    args = parser.parse_args()
    chosen = [scenario for scenario in SCENARIOS if args.only in (None, scenario.__name__)]
    failed = [scenario.__name__ for scenario in chosen if not run(scenario, args.engine)]
    print(f"{len(chosen) - len(failed)} scenarios hold, {len(failed)} failed")
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())
