#!/usr/bin/env python3
"""Games over DXP, asked for by the `DXPEngine` of pydraughts, which also judges every move.

The engine listens and plays one side; the library's side plays random moves, or those of another
engine: `--driver COMMAND` names a Hub program, `--driver self` the engine's own, which the library
drives as well. pydraughts waits for ever for a move that it takes for illegal, and numbers the squares of
Brazilian moves from a1 upwards: `--numbering bottom-up` tells the engine so, needed where it opens the
game.
"""

from __future__ import annotations

import argparse
import collections
import os
import queue
import random
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings

import draughts
from draughts.engine import DXPEngine, HubEngine, Limit

from guard import Failure, Stalled, deadline, report

warnings.simplefilter("ignore")  # the library leaves its sockets unclosed

# Far above what an engine needs, so that a busy machine fails no test.
GRACE = 30.0
NAMES = {draughts.WHITE: "white", draughts.BLACK: "black"}


class Listener:
    """The listening engine: its port, and what it says of its games."""

    def __init__(self, args: argparse.Namespace, log: str) -> None:
        command = [args.engine, "dxp", "--listen", "127.0.0.1:0", "--hash", "4", "--dxp-log", log]
        if args.numbering:
            command += ["--square-numbering", args.numbering]
        if args.ponder:
            command.append("--ponder")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.port = ""

    def _read(self) -> None:
        for line in self.process.stdout or ():
            self.lines.put(line.strip())

    def await_port(self) -> None:
        """Wait until it listens."""
        self.port = self.await_line("listening on ").rsplit(":", 1)[1]

    def await_line(self, part: str, seconds: float = GRACE) -> str:
        """The next line that contains `part`."""
        while True:
            try:
                line = self.lines.get(timeout=seconds)
            except queue.Empty:
                raise Stalled(f"the engine does not say '{part}'") from None
            if part in line:
                return line

    def result(self, seconds: float = GRACE) -> str:
        """What the engine says of the game that has ended."""
        return self.await_line("; score: ", seconds).split(": ", 1)[1]

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


class Rival:
    """Who plays the library's side."""

    def __init__(self, args: argparse.Namespace, chance: random.Random) -> None:
        self.random_moves = args.random_moves if args.driver else sys.maxsize
        self.chance = chance
        self.move_time = args.driver_time
        self.engine = None
        if args.driver:
            self.engine = HubEngine([args.engine, "hub"] if args.driver == "self" else args.driver.split())
            self.engine.init()

    def move(self, board: draughts.Board):
        """A legal move."""
        legal = list(board.legal_moves())
        if len(board.move_stack) < 2 * self.random_moves or self.engine is None:
            return self.chance.choice(legal)
        with deadline(GRACE, "move of the driver"):
            return self.engine.play(board, Limit(movetime=self.move_time), ponder=False).move

    def close(self) -> None:
        if self.engine is not None:
            self.engine.kill_process()


def ask(engine: DXPEngine, board: draughts.Board, listener: Listener, seconds: float):
    """The engine's move, or what it says of a game that it has ended instead."""
    answer: list = []
    # The library waits for the move only, and keeps a processor busy with that.
    thread = threading.Thread(target=lambda: answer.append(engine.play(board).move), daemon=True)
    thread.start()
    end = time.monotonic() + seconds
    while thread.is_alive() and time.monotonic() < end:
        thread.join(0.02)
        try:
            said = listener.result(seconds=0.001)
        except Stalled:
            continue
        thread.join(0.5)
        if answer:
            return answer[0], said
        engine.receiver.listening = False
        return None, said
    if not answer or answer[0] is None:
        raise Failure(f"no answer to move {len(board.move_stack) // 2 + 1}")
    return answer[0], None


def play(args: argparse.Namespace, listener: Listener, rival: Rival, own: int, number: int) -> str:
    """One game, to its end or the move limit: how it went for the engine."""
    engine = DXPEngine(options={"port": listener.port, "max-moves": 0}, initial_time=args.seconds)
    board = draughts.Board(variant=args.variant)
    said = None
    while not board.is_over() and len(board.move_stack) < 2 * args.moves:
        if board.turn != own:
            board.push(rival.move(board))
            continue
        move, said = ask(engine, board, listener, GRACE + args.seconds)
        if move is None:
            break
        if move.board_move not in [legal.board_move for legal in board.legal_moves()]:
            raise Failure(f"illegal move {move.pdn_move}")
        board.push(move)
    over = board.is_over()
    if over and board.turn == own and said is None:
        # The library tells a move only with the question for the next one.
        engine.sender.send_move(board.move_stack[-1])
    if said is None:
        engine.sender.gameend()
        said = listener.result()
    winner = board.winner()
    outcome = ("won" if winner == own else "lost" if winner else "drawn") if over else "unfinished"
    if not over and said.startswith("drawn (draw by"):
        # The library counts only king moves for the draws of few pieces, the engine all, as the rules do.
        outcome = "drawn"
    elif not over and len(board.move_stack) < 2 * args.moves:
        raise Failure(f"the engine ended a game that goes on: {said}")
    if outcome != "unfinished" and not said.startswith(outcome):
        raise Failure(f"pydraughts says {outcome} for the engine, the engine: {said}")
    print(f"game {number}: {args.variant}, engine {NAMES[own]}, {len(board.move_stack)} plies, {outcome}; "
          f"the engine: {said}", flush=True)
    return outcome


def match(args: argparse.Namespace, listener: Listener) -> str:
    """All games, the sides changing after each."""
    rival = Rival(args, random.Random(args.seed))
    own = draughts.WHITE if args.side == "white" else draughts.BLACK
    other = draughts.BLACK if args.side == "white" else draughts.WHITE
    outcomes: collections.Counter[str] = collections.Counter()
    try:
        for number in range(1, args.games + 1):
            outcomes[play(args, listener, rival, own, number)] += 1
            own, other = other, own
    finally:
        rival.close()
    if not args.driver and outcomes["lost"]:
        raise Failure("the engine lost against random moves")
    return f"{args.games} games: " + ", ".join(f"{count} {name}" for name, count in outcomes.items())


def run(args: argparse.Namespace, log: str) -> str:
    """The match, against an engine that lives as long as it."""
    listener = Listener(args, log)
    try:
        listener.await_port()
        return match(args, listener)
    finally:
        listener.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True, help="the engine's program")
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--side", choices=("white", "black"), default="white",
                        help="the engine's in the first game")
    parser.add_argument("--numbering", default="")
    parser.add_argument("--ponder", action="store_true")
    parser.add_argument("--seconds", type=int, default=60,
                        help="for the whole game; less than 60 are sent as 0")
    parser.add_argument("--moves", type=int, default=60, help="moves of each side after which a game is left")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--driver", default="", metavar="COMMAND",
                        help="Hub program that plays the library's side")
    parser.add_argument("--driver-time", type=float, default=0.2, help="seconds of its moves")
    parser.add_argument("--random-moves", type=int, default=3, help="moves at random before it takes over")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "dxp.log")

        def trace() -> list[str]:
            if not os.path.exists(log):
                return []
            with open(log, encoding="utf-8") as lines:
                return lines.read().splitlines()[-20:]

        return report(lambda: run(args, log), trace)


if __name__ == "__main__":
    try:
        CODE = main()
    except Exception:  # whatever it is, the process must end
        traceback.print_exc()
        CODE = 1
    sys.stdout.flush()
    sys.stderr.flush()
    # The library's receiving thread never ends by itself.
    os._exit(CODE)
