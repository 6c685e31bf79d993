#!/usr/bin/env python3
"""A whole game over DXP, asked for by the `DXPEngine` of pydraughts, which also judges every move.

The engine listens and plays one side against random moves. pydraughts waits for ever for a move that it
takes for illegal, and numbers the squares of Brazilian moves from a1 upwards: `--numbering bottom-up`
tells the engine so, needed where it opens the game.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import warnings

import draughts
from draughts.engine import DXPEngine

from guard import Failure, deadline, report

warnings.simplefilter("ignore")  # the library leaves its sockets unclosed

# Far above what an engine needs, so that a busy machine fails no test.
GRACE = 30.0


def start(args: argparse.Namespace, log: str) -> tuple[subprocess.Popen[str], str]:
    """The listening engine and its port."""
    command = [args.engine, "dxp", "--listen", "127.0.0.1:0", "--once", "--hash", "4", "--dxp-log", log]
    if args.numbering:
        command += ["--square-numbering", args.numbering]
    if args.ponder:
        command.append("--ponder")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
    with deadline(GRACE, "start of the engine"):
        for line in process.stdout or ():
            if line.startswith("listening on "):
                return process, line.rsplit(":", 1)[1].strip()
    raise Failure("the engine does not listen")


def play(args: argparse.Namespace, port: str) -> str:
    """Play until the random side has lost or enough moves were made."""
    engine = DXPEngine(options={"port": port, "max-moves": 0}, initial_time=args.seconds)
    board = draughts.Board(variant=args.variant)
    own = draughts.WHITE if args.side == "white" else draughts.BLACK
    chance = random.Random(args.seed)
    while not board.is_over() and len(board.move_stack) < 2 * args.moves:
        if board.turn != own:
            board.push(chance.choice(list(board.legal_moves())))
            continue
        with deadline(GRACE + args.seconds, f"move {len(board.move_stack) // 2 + 1}"):
            move = engine.play(board).move
        if move is None:
            raise Failure("the engine ended a game that goes on")
        if move.board_move not in [legal.board_move for legal in board.legal_moves()]:
            raise Failure(f"illegal move {move.pdn_move}")
        board.push(move)
    if board.is_over() and board.winner() == (draughts.BLACK if own == draughts.WHITE else draughts.WHITE):
        raise Failure("the engine lost against random moves")
    engine.sender.gameend()
    return f"{args.variant}, engine {args.side}: {len(board.move_stack)} plies, " + (
        "over" if board.is_over() else "move limit")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True, help="the engine's program")
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--side", choices=("white", "black"), default="white")
    parser.add_argument("--numbering", default="")
    parser.add_argument("--ponder", action="store_true")
    parser.add_argument("--seconds", type=int, default=60, help="for the whole game; less than 60 are sent as 0")
    parser.add_argument("--moves", type=int, default=60, help="moves of each side after which the game is left")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "dxp.log")
        process, port = start(args, log)
        try:
            def trace() -> list[str]:
                with open(log, encoding="utf-8") as lines:
                    return lines.read().splitlines()[-20:]

            code = report(lambda: play(args, port), trace)
        finally:
            process.kill()
            process.wait()
    sys.stdout.flush()
    sys.stderr.flush()
    return code


if __name__ == "__main__":
    # The library's receiving thread never ends by itself.
    os._exit(main())
