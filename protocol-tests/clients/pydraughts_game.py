#!/usr/bin/env python3
"""A whole game over Hub, driven by the `HubEngine` of pydraughts, which also judges every move.

The engine plays one side against random moves, or both sides. pydraughts has no time limits of its
own, merges the engine's stderr into its stdout, and numbers the squares of Brazilian moves from a1
upwards: `--numbering bottom-up` tells the engine so, needed where the engine opens the game.
"""

from __future__ import annotations

import argparse
import collections
import logging
import random
import threading
import time
import warnings

import draughts
from draughts.engine import HubEngine, Limit

from guard import Failure, deadline, report

warnings.simplefilter("ignore")  # the library leaves its pipes unclosed and turns warnings on

SIDES = {"white": {draughts.WHITE}, "black": {draughts.BLACK}, "both": {draughts.WHITE, draughts.BLACK}}
COLORS = {draughts.WHITE: "white", draughts.BLACK: "black"}
MOVE_TIME = 0.05
# Far above what an engine needs, so that a busy machine fails no test.
GRACE = 5.0


class Traffic(logging.Handler):
    """Keeps the last lines exchanged and what the library did not expect."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: collections.deque[str] = collections.deque(maxlen=40)
        self.unexpected: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage().replace("%s ", "")  # left over in the library's own text
        self.lines.append(text)
        if record.levelno >= logging.WARNING:
            self.unexpected.append(text)


def limits(kind: str, ply: int) -> Limit:
    """The limit of a move: a fixed time, or each form that the library can send in turn."""
    if kind == "movetime":
        return Limit(movetime=MOVE_TIME)
    forms = [
        Limit(movetime=MOVE_TIME),
        Limit(depth=6),
        Limit(nodes=20_000),
        Limit(time=2.0),
        Limit(time=2.0, inc=0.1),
        Limit(time=0.05, inc=0.1),  # the library subtracts: the engine gets a negative clock
    ]
    return forms[ply % len(forms)]


def allowed(limit: Limit) -> float:
    """Seconds after which a move is a failure."""
    return (limit.movetime or 0.0) + (limit.time or 0.0) + (limit.inc or 0.0) + GRACE


class Game:
    """One game between the engine and random moves, or of the engine with itself."""

    def __init__(self, args: argparse.Namespace, traffic: Traffic) -> None:
        self.args = args
        self.traffic = traffic
        self.random = random.Random(args.seed)
        self.board = draughts.Board(variant=args.variant)
        self.slowest = 0.0
        self.hits = self.misses = 0
        self.pondering: threading.Thread | None = None
        self.guess = None  # the move pondered on
        self.answer: list = []  # what the pondering thread got: a result or an exception
        with deadline(10.0, "hub to wait"):
            self.engine = HubEngine([args.engine, "hub"])

    def configure(self) -> None:
        """Set the parameters and initialize."""
        args = self.args
        with deadline(10.0, "init to ready"):
            options = {"variant": "normal" if args.variant == "standard" else args.variant,
                       "threads": "1", "book": False}
            if args.numbering != "none":
                options["square-numbering"] = args.numbering
            if args.ponder:
                options["ponder"] = True
            options["initial-time"] = "60"  # a bot sends this; no engine declares it
            self.engine.configure(options)
            self.engine.init()
            self.engine.ping()
        if args.variant != "standard" and args.variant not in self.engine.variants:
            raise Failure(f"the engine declares no variant {args.variant}: {self.engine.variants}")

    def play(self) -> str:
        """Play the game to its end and tell how it went."""
        self.configure()
        while self.board.winner() is None and len(self.board.move_stack) < self.args.max_plies:
            if self.board.turn in SIDES[self.args.side]:
                move = self.engine_move()
            else:
                move = self.other_move()
            self.board.push(move)
        self.stop_pondering()
        with deadline(5.0, "quit"):
            self.engine.quit()
            self.engine.p.wait()
        if self.traffic.unexpected:
            raise Failure(f"lines the client did not expect: {self.traffic.unexpected[:5]}")
        return self.verdict()

    def engine_move(self):
        """The engine's move, checked against the library's list of legal moves."""
        limit = limits(self.args.limits, len(self.board.move_stack))
        where = f"ply {len(self.board.move_stack) + 1}, {self.board.fen}"
        start = time.monotonic()
        try:
            with deadline(allowed(limit), where):
                result = self.pondered() or self.engine.play(self.board, limit, False)
        except (KeyError, IndexError, ValueError) as error:
            raise Failure(f"{where}: the client cannot use the answer: {error!r}") from error
        except (EOFError, BrokenPipeError) as error:
            raise Failure(f"{where}: the engine's process ended: {error!r}") from error
        self.slowest = max(self.slowest, time.monotonic() - start)
        legal = {move.hub_move for move in self.board.legal_moves()}
        if result.move.hub_move not in legal:
            raise Failure(f"{where}: illegal move {result.move.hub_move}, legal: {sorted(legal)}")
        missing = {"depth", "score", "nodes", "pv"} - set(self.engine.info)
        if missing:
            raise Failure(f"{where}: no info line with {sorted(missing)}")
        if self.args.ponder and result.ponder is not None:
            self.start_pondering(result)
        return result.move

    def other_move(self):
        """A random move; while pondering, half the time the move that the engine expects."""
        moves = self.board.legal_moves()
        if self.guess is not None and self.random.random() < 0.5:
            return next(move for move in moves if move.hub_move == self.guess.hub_move)
        return self.random.choice(moves)

    def start_pondering(self, result) -> None:
        """Ponder on the expected reply, in a thread, as bots do."""
        board = self.board.copy()
        board.push(result.move)
        board.push(result.ponder)
        if board.winner() is not None:
            return
        self.guess = result.ponder
        self.answer = []

        def think() -> None:
            try:
                self.answer.append(self.engine.play(board, Limit(time=0.5), True))
            except Exception as error:  # raised again where it is collected
                self.answer.append(error)

        self.pondering = threading.Thread(target=think, daemon=True)
        self.pondering.start()
        time.sleep(0.02)

    def pondered(self):
        """The result of pondering if the expected move was played, else none."""
        if self.pondering is None:
            return None
        hit = self.board.move_stack[-1].hub_move == self.guess.hub_move
        if not hit:
            self.misses += 1
            self.stop_pondering()
            return None
        self.hits += 1
        self.engine.ponderhit()
        return self.collect()

    def stop_pondering(self) -> None:
        if self.pondering is not None:
            with deadline(GRACE, "stop while pondering"):
                self.engine.stop()
                self.collect()

    def collect(self):
        self.pondering.join()
        self.pondering = self.guess = None
        if isinstance(self.answer[0], Exception):
            raise self.answer[0]
        return self.answer[0]

    def verdict(self) -> str:
        winner = self.board.winner()
        if winner in COLORS and winner not in SIDES[self.args.side]:
            raise Failure("the engine lost to random moves")
        if self.args.ponder and not (self.hits and self.misses):
            raise Failure(f"pondering was not tried: {self.hits} hits, {self.misses} misses")
        result = {draughts.WHITE: "2-0", draughts.BLACK: "0-2", 0: "1-1"}.get(winner, "move limit")
        text = f"{result} after {len(self.board.move_stack)} plies, slowest move {self.slowest:.3f} s"
        return text + (f", {self.hits} ponder hits, {self.misses} misses" if self.args.ponder else "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True, help="the engine's program")
    parser.add_argument("--variant", default="standard", choices=["standard", "brazilian"])
    parser.add_argument("--side", default="both", choices=sorted(SIDES), help="what the engine plays")
    parser.add_argument("--limits", default="movetime", choices=["movetime", "all"])
    parser.add_argument("--numbering", default="none", choices=["none", "auto", "top-down", "bottom-up"])
    parser.add_argument("--ponder", action="store_true", help="ponder on the other side's time")
    parser.add_argument("--seed", type=int, default=1, help="of the random moves")
    parser.add_argument("--max-plies", type=int, default=240, help="stop the game here")
    args = parser.parse_args()
    if args.ponder and args.side == "both":
        parser.error("--ponder needs a side that the engine does not play")

    traffic = Traffic()
    log = logging.getLogger("pydraughts")
    log.setLevel(logging.DEBUG)
    log.propagate = False
    log.addHandler(traffic)
    games: list[Game] = []

    def job() -> str:
        games.append(Game(args, traffic))
        return games[0].play()

    try:
        return report(job, lambda: list(traffic.lines)[-12:])
    finally:
        for game in games:
            if game.engine.p.poll() is None:
                game.engine.kill_process()


if __name__ == "__main__":
    raise SystemExit(main())
