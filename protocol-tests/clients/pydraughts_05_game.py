#!/usr/bin/env python3
"""A whole game of the engine against itself, driven by the `HubEngine` of pydraughts 0.5.7.

This is the version that bots on lidraughts.org use. It numbers the squares of Brazilian moves from
the top, as positions, so the engine needs no parameter for it. The library judges every move.
"""

from __future__ import annotations

import argparse
import logging
import time

import draughts
from draughts.engine import HubEngine, Limit

from guard import Failure, deadline, report

MOVE_TIME = 0.05
GRACE = 5.0  # far above what an engine needs, so that a busy machine fails no test
LATE = 0.0  # a clock that has run out: bots subtract their own delays


def limit(ply: int) -> Limit:
    """The limit of a move: each form that a bot sends in turn."""
    return [Limit(movetime=MOVE_TIME), Limit(time=1.0, inc=0.1), Limit(time=LATE, inc=0.1)][ply % 3]


def play(args: argparse.Namespace) -> str:
    """Play the game and tell how it went."""
    with deadline(10.0, "hub to ready"):
        engine = HubEngine([args.engine, "hub"])
        engine.configure({"variant": "normal" if args.variant == "standard" else args.variant, "threads": "1",
                          "initial-time": "60"})
        engine.init()
    game = draughts.Game(variant=args.variant)
    slowest = 0.0
    while game.get_winner() is None and len(game.move_stack) < args.max_plies:
        where = f"ply {len(game.move_stack) + 1}, {game.get_fen()}"
        start = time.monotonic()
        try:
            with deadline(1.0 + GRACE, where):
                result = engine.play(game, limit(len(game.move_stack)), False)
        except (KeyError, IndexError, ValueError, TypeError) as error:
            raise Failure(f"{where}: the client cannot use the answer: {error!r}") from error
        slowest = max(slowest, time.monotonic() - start)
        move = result.move.board_move
        if move not in game.legal_moves()[0]:
            raise Failure(f"{where}: illegal move {result.move.hub_move}")
        if not {"depth", "score", "nodes", "pv"} <= set(engine.info):
            raise Failure(f"{where}: no complete info line, only {sorted(engine.info)}")
        game.push(move)
    with deadline(5.0, "quit"):
        engine.quit()
        engine.p.wait()
    names = {draughts.WHITE: "White won", draughts.BLACK: "Black won", 0: "a draw", None: "stopped"}
    return f"{names[game.get_winner()]} after {len(game.move_stack)} plies, slowest move {slowest:.3f} s"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True, help="the engine's program")
    parser.add_argument("--variant", default="standard", choices=["standard", "brazilian"])
    parser.add_argument("--max-plies", type=int, default=160)
    args = parser.parse_args()
    logging.disable(logging.CRITICAL)
    return report(lambda: play(args), lambda: [])


if __name__ == "__main__":
    raise SystemExit(main())
