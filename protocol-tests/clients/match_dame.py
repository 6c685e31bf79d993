#!/usr/bin/env python3
"""Games of an engine against `dame hub` (PyPI: dame-rs), or another Hub engine, with a referee.

py-draughts referees: it says which moves are legal and when a game is won or drawn. Every opening
is random, balanced in material, and played twice with colors changed. The time of a move is the
wall time from sending `go` to the arrival of `done`. The exit code is 1 when the engine made an
illegal move, failed to answer, or overran its time; 2 for a failure of the script itself.

    match_dame.py --engine target/release/meerslag --games 20 --move-time 0.1
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from pathlib import Path

import venvs

if "MEERSLAG_REFEREE" not in os.environ:
    # The referee lives in its own environment: start again under that interpreter.
    try:
        interpreter = str(venvs.python("py-draughts"))
    except venvs.Unavailable as error:
        print(f"match_dame: no referee: {error}", file=sys.stderr)
        sys.exit(2)
    os.environ["MEERSLAG_REFEREE"] = interpreter
    os.execv(interpreter, [interpreter, *sys.argv])

from loguru import logger

logger.disable("draughts")

from hub import EngineError
from match_game import BOARDS, Player, play_game
from openings import opening


def table(players: list[Player]) -> str:
    """The result of the match, one row a player."""
    head = f"{'engine':<20}{'W':>4}{'D':>4}{'L':>4}{'score':>9}{'mean':>10}{'slowest':>10}" \
           f"{'overrun':>10}{'overruns':>10}{'faults':>8}"
    rows = [head]
    for player in players:
        rows.append(
            f"{player.name:<20}{player.wins:>4}{player.draws:>4}{player.losses:>4}"
            f"{player.score():>7.1f} %{player.mean():>8.3f} s{player.slowest:>8.3f} s"
            f"{player.worst_overrun() * 1000:>7.1f} ms{player.overruns:>10}{len(player.faults):>8}")
    return "\n".join(rows)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True, help="the engine under test")
    parser.add_argument("--opponent", help="another Hub engine instead of dame")
    parser.add_argument("--variant", default="standard", choices=sorted(BOARDS),
                        help="dame plays standard only")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--move-time", type=float, default=0.1, help="seconds a move")
    parser.add_argument("--overrun-ms", type=float, default=50.0, help="tolerated over the move time")
    parser.add_argument("--max-plies", type=int, default=300, help="a longer game is a draw")
    parser.add_argument("--seed", type=int, default=1, help="of the openings")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                        help="a parameter of the engine under test")
    parser.add_argument("--min-score", type=float, help="fail below this percentage")
    parser.add_argument("--pdn", default=str(venvs.cache() / "match.pdn"), help="the games go here")
    args = parser.parse_args()
    if args.variant != "standard" and not args.opponent:
        parser.error(f"dame does not play {args.variant}: give --opponent")
    if any("=" not in pair for pair in args.set):
        parser.error("--set needs NAME=VALUE")
    return args


def main() -> int:
    args = arguments()
    try:
        opponent = args.opponent or str(venvs.script("dame", "dame"))
    except venvs.Unavailable as error:
        print(f"match_dame: no opponent: {error}", file=sys.stderr)
        return 2
    own = dict(pair.split("=", 1) for pair in args.set)
    players = [Player(args.engine, args, own), Player(opponent, args, {})]
    try:
        for player in players:
            player.start()
        if players[0].name == players[1].name:
            players[1].name += " (2)"
        play_match(players, args)
    except EngineError as error:
        print(f"match_dame: an engine does not start: {error}", file=sys.stderr)
        return 1
    finally:
        for player in players:
            player.close()
    print(table(players))
    print(f"games: {Path(args.pdn).resolve()}")
    return verdict(players, args)


def play_match(players: list[Player], args: argparse.Namespace) -> None:
    """Play all games, print each, and write them to the PDN file."""
    rng = random.Random(args.seed)
    taken: set[str] = set()
    moves: list[int] = []
    with open(args.pdn, "w", encoding="utf-8") as file:
        for number in range(1, args.games + 1):
            if number % 2 == 1:
                moves = opening(BOARDS[args.variant].board, rng, taken)
            white, black = players if number % 2 == 1 else reversed(players)
            for player in players:
                player.new_game()
            record = play_game(number, white, black, moves, args)
            file.write(record.pdn())
            file.flush()
            print(record.summary(), flush=True)


def verdict(players: list[Player], args: argparse.Namespace) -> int:
    """The exit code; reasons go to stderr."""
    for player in players:
        for fault in player.faults:
            print(f"{player.name}: {fault}", file=sys.stderr)
    engine = players[0]
    failed = bool(engine.faults)
    if engine.overruns:
        print(f"{engine.name}: {engine.overruns} moves more than {args.overrun_ms:.0f} ms over time",
              file=sys.stderr)
        failed = True
    if args.min_score is not None and engine.score() < args.min_score:
        print(f"{engine.name}: {engine.score():.1f} % is less than {args.min_score:.1f} %",
              file=sys.stderr)
        failed = True
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
