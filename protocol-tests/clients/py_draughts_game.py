#!/usr/bin/env python3
"""A whole 10x10 game over Hub, driven by the `HubEngine` of py-draughts, which judges every move.

That client waits with `select` but reads through a buffer: of two lines that arrive together it
sees the first and then waits for more input while the second sits in its own buffer. An engine
that leaves a moment between its lines avoids this nearly always, but not when the machine keeps
this process from running at that moment. Such a stall is recognized, and the game goes on with a
new engine process, a few times at most; a stall for any other reason is a failure at once.
"""

from __future__ import annotations

import argparse
import collections
import random
import select
import time

from loguru import logger

from draughts import StandardBoard
from draughts.engines.hub import HubEngine
from draughts.models import Color

from guard import Failure, Stalled, deadline, report

SIDES = {"white": {Color.WHITE}, "black": {Color.BLACK}, "both": {Color.WHITE, Color.BLACK}}
MOVE_TIME = 0.05
GRACE = 3.0
# Stalls by the client's own fault: in a row, and in a whole game.
STALLS_IN_A_ROW = 3
STALLS = 10

# What the library logs: the lines of the Hub dialogue.
traffic: collections.deque[str] = collections.deque(maxlen=40)


class ClientBuffer(Exception):
    """The client sat on a line that the engine had already sent."""


class Game:
    """One game between the engine and random moves, or of the engine with itself."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.random = random.Random(args.seed)
        self.board = StandardBoard()
        self.engine: HubEngine | None = None
        self.slowest = 0.0
        self.stalls = 0

    def play(self) -> str:
        """Play the game to its end and tell how it went."""
        plies = 0
        while not self.board.game_over and plies < self.args.max_plies:
            if self.board.turn in SIDES[self.args.side]:
                move = self.patiently(plies)
            else:
                move = self.random.choice(self.board.legal_moves)
            self.board.push(move)
            plies += 1
        if self.engine is not None:
            process = self.engine.process
            self.engine.quit()
            if process.returncode != 0:
                raise Failure(f"quit: the engine ended with {process.returncode}")
        return self.verdict(plies)

    def patiently(self, plies: int):
        """The engine's move; from a new process when the client stalled by its own fault."""
        for _ in range(STALLS_IN_A_ROW):
            try:
                if self.engine is None:
                    self.start()
                return self.engine_move(plies)
            except ClientBuffer as stall:
                self.stalls += 1
                print(f"the client kept a line in its buffer: {stall}", flush=True)
                self.close()
                if self.stalls > STALLS:
                    break
        raise Failure(f"the client stalled {self.stalls} times: the engine's lines come in bursts")

    def start(self) -> None:
        """Start the engine's process and exchange the first lines."""
        self.engine = HubEngine(self.args.engine, time_limit=MOVE_TIME, depth_limit=self.args.depth)
        self.guarded("hub to ready", self.engine.start)
        if not self.engine.info.name or not self.engine.info.version:
            raise Failure(f"no name or version: {self.engine.info}")
        if not self.guarded("ping", self.engine.ping):
            raise Failure("ping was not answered by pong")
        self.engine.new_game()

    def engine_move(self, plies: int):
        """The engine's move; the library raises if it is not in its list of legal moves."""
        where = f"ply {plies + 1}, {self.board.fen}"
        start = time.monotonic()
        try:
            move = self.guarded(where, lambda: self.engine.get_best_move(self.board))
        except (ValueError, RuntimeError, OSError) as error:
            raise Failure(f"{where}: {error}") from error
        self.slowest = max(self.slowest, time.monotonic() - start)
        if str(move) not in map(str, self.board.legal_moves):
            raise Failure(f"{where}: illegal move {move}")
        return move

    def guarded(self, where: str, call):
        """The result of `call`, which must come in time."""
        try:
            with deadline(MOVE_TIME + GRACE, where):
                return call()
        except (Stalled, TimeoutError) as stall:
            if self.client_has_line():
                raise ClientBuffer(where) from stall
            raise Failure(f"{where}: {stall}") from stall

    def client_has_line(self) -> bool:
        """Whether a line waits in the client's buffer while the pipe itself is empty."""
        process = self.engine.process
        if process is None or process.poll() is not None:
            return False
        if select.select([process.stdout], [], [], 0.0)[0]:
            return False
        try:
            with deadline(0.5, "buffered line"):
                return bool(process.stdout.readline())
        except Stalled:
            return False

    def verdict(self, plies: int) -> str:
        winner = {"1-0": Color.WHITE, "0-1": Color.BLACK}.get(self.board.result)
        if winner is not None and winner not in SIDES[self.args.side]:
            raise Failure("the engine lost to random moves")
        result = {"1-0": "2-0", "0-1": "0-2", "1/2-1/2": "1-1"}.get(self.board.result, "move limit")
        stalls = f", {self.stalls} stalls of the client" if self.stalls else ""
        return f"{result} after {plies} plies, slowest move {self.slowest:.3f} s{stalls}"

    def close(self) -> None:
        """End the process, whatever state the game is in."""
        if self.engine is not None and self.engine.process is not None:
            self.engine.process.kill()
            self.engine.process.wait()
        self.engine = None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True, help="the engine's program")
    parser.add_argument("--side", default="both", choices=sorted(SIDES), help="what the engine plays")
    parser.add_argument("--depth", type=int, help="limit by depth instead of time")
    parser.add_argument("--seed", type=int, default=1, help="of the random moves")
    parser.add_argument("--max-plies", type=int, default=240, help="stop the game here")
    args = parser.parse_args()

    logger.remove()
    logger.add(lambda message: traffic.append(message.rstrip()), level="DEBUG", format="{message}",
               filter="draughts.engines.hub")
    game = Game(args)
    try:
        return report(game.play, lambda: list(traffic)[-12:])
    finally:
        game.close()


if __name__ == "__main__":
    raise SystemExit(main())
