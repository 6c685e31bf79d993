"""One refereed game between two Hub engines, and the record of it. Uses the boards of py-draughts."""

from __future__ import annotations

import argparse
import datetime
import textwrap
from dataclasses import dataclass, field

from draughts import StandardBoard
from draughts.boards.brazilian import Board as BrazilianBoard
from draughts.models import Color

from hub import EngineError, HubProcess, value

# Beyond the move time: an engine that takes longer has lost the game.
PATIENCE = 5.0


@dataclass(frozen=True)
class Variant:
    """A variant of the referee, its name in Hub, and its starting position there."""

    board: type
    hub_name: str
    start: str


BOARDS = {
    "standard": Variant(StandardBoard, "normal", "W" + "b" * 20 + "e" * 10 + "w" * 20),
    "brazilian": Variant(BrazilianBoard, "brazilian", "W" + "b" * 12 + "e" * 8 + "w" * 12),
}


class Fault(Exception):
    """An engine lost the game by its behavior."""


class Player:
    """An engine's process with the statistics of its moves."""

    def __init__(self, path: str, args: argparse.Namespace, parameters: dict[str, str]) -> None:
        self.path = path
        self.args = args
        self.parameters = {"variant": BOARDS[args.variant].hub_name, "threads": "1",
                           "book": "false", "square-numbering": "top-down", **parameters}
        self.wins = self.draws = self.losses = 0
        self.moves = 0
        self.seconds = self.slowest = 0.0
        self.overruns = 0
        self.faults: list[str] = []
        self.process: HubProcess | None = None
        self.name = path

    def start(self) -> None:
        """Start the process, set its parameters, and learn its name."""
        self.process = HubProcess(self.path)
        for line in self.process.start(self.parameters):
            if line.command == "id":
                self.name = value(line.text, "name") or self.name

    def new_game(self) -> None:
        """Tell of a new game; a process that failed in the last one is replaced."""
        if self.process is None:
            name = self.name
            self.start()
            self.name = name
        self.process.send("new-game")

    def move(self, moves: list[str]) -> str:
        """The engine's move in the position after `moves`, timed."""
        tail = f' moves="{" ".join(moves)}"' if moves else ""
        self.process.send(f"pos pos={BOARDS[self.args.variant].start}{tail}")
        self.process.send(f"level move-time={self.args.move_time}")
        start = self.process.send("go think")
        done = self.process.until("done", self.args.move_time + PATIENCE)[-1]
        elapsed = done.time - start
        self.moves += 1
        self.seconds += elapsed
        self.slowest = max(self.slowest, elapsed)
        if elapsed > self.args.move_time + self.args.overrun_ms / 1000:
            self.overruns += 1
        return value(done.text, "move") or ""

    def fail(self, text: str) -> None:
        """Note a fault and end the process, whose state nobody knows now."""
        self.faults.append(text)
        self.process.process.kill()
        self.process.process.wait()
        self.process = None

    def close(self) -> None:
        if self.process is not None:
            self.process.close()

    def score(self) -> float:
        """Percentage of the points won."""
        games = self.wins + self.draws + self.losses
        return 100.0 * (self.wins + self.draws / 2) / games if games else 0.0

    def mean(self) -> float:
        """Mean seconds a move."""
        return self.seconds / self.moves if self.moves else 0.0

    def worst_overrun(self) -> float:
        """Seconds over the move time of the slowest move."""
        return max(0.0, self.slowest - self.args.move_time)


def hub_move(move) -> str:
    """A move of the referee in Hub notation."""
    squares = [move.square_list[0], move.square_list[-1], *sorted(move.captured_list)]
    return ("x" if move.captured_list else "-").join(str(square + 1) for square in squares)


def find(text: str, legal: list):
    """The legal move that a Hub move names: from, to, and the set of captured squares."""
    try:
        numbers = [int(part) - 1 for part in text.replace("-", "x").split("x")]
    except ValueError:
        return None
    for move in legal:
        same_ends = numbers[:2] == [move.square_list[0], move.square_list[-1]]
        if same_ends and sorted(numbers[2:]) == sorted(move.captured_list):
            return move
    return None


@dataclass
class Record:
    """A finished game."""

    number: int
    white: str
    black: str
    variant: Variant
    opening_plies: int
    plies: int = 0
    result: str = "1-1"
    reason: str = ""
    texts: list[str] = field(default_factory=list)

    def add(self, move, legal: list) -> None:
        """Note a move as PDN, with its whole path where the short form is ambiguous."""
        ends = (move.square_list[0], move.square_list[-1])
        alike = sum((other.square_list[0], other.square_list[-1]) == ends for other in legal)
        squares = move.square_list if alike > 1 else ends
        names = self.variant.board.SQUARE_NAMES
        mark = "x" if move.captured_list else "-"
        self.texts.append(mark.join(names[square] if names else str(square + 1) for square in squares))
        self.plies += 1

    def pdn(self) -> str:
        """The game as PDN text, with an empty line after it."""
        tags = {
            "Event": "engine match", "Date": datetime.date.today().strftime("%Y.%m.%d"),
            "Round": self.number, "White": self.white, "Black": self.black, "Result": self.result,
            "GameType": self.variant.board.GAME_TYPE, "PlyCount": self.plies,
        }
        head = "".join(f'[{name} "{content}"]\n' for name, content in tags.items())
        words = [f"{ply // 2 + 1}. {text}" if ply % 2 == 0 else text
                 for ply, text in enumerate(self.texts)]
        words.insert(self.opening_plies, "{end of the random opening}")
        words.append(f"{{{self.reason}}} {self.result}")
        text = textwrap.fill(" ".join(words), 100, break_on_hyphens=False, break_long_words=False)
        return f"{head}\n{text}\n\n"

    def summary(self) -> str:
        return (f"game {self.number:>3}: {self.white} - {self.black} {self.result}, "
                f"{self.plies} plies, {self.reason}")


def play_game(number: int, white: Player, black: Player, opening: list[int],
              args: argparse.Namespace) -> Record:
    """Play one game from the opening and add its result to both players."""
    variant = BOARDS[args.variant]
    board = variant.board()
    record = Record(number, white.name, black.name, variant, len(opening))
    moves: list[str] = []
    for index in opening:
        legal = board.legal_moves
        record.add(legal[index], legal)
        moves.append(hub_move(legal[index]))
        board.push(legal[index])
    sides = {Color.WHITE: white, Color.BLACK: black}
    while not board.game_over and record.plies < args.max_plies:
        player = sides[board.turn]
        legal = board.legal_moves
        try:
            text = player.move(moves)
            move = find(text, legal)
            if move is None:
                raise Fault(f"illegal move {text!r}")
        except (EngineError, Fault) as error:
            player.fail(f"game {number}, ply {record.plies + 1}, {board.fen}: {error}")
            record.result = "0-2" if player is white else "2-0"
            record.reason = str(error)
            break
        record.add(move, legal)
        moves.append(hub_move(move))
        board.push(move)
    else:
        record.result, record.reason = outcome(board)
    count(record.result, white, black)
    return record


def outcome(board) -> tuple[str, str]:
    """Result and reason by the referee's rules."""
    if not board.legal_moves:
        return ("0-2" if board.turn == Color.WHITE else "2-0"), "no moves left"
    if not board.is_draw:
        return "1-1", "move limit"
    return "1-1", "repetition" if board.is_threefold_repetition else "drawn by rule"


def count(result: str, white: Player, black: Player) -> None:
    """Add a result to the statistics."""
    if result == "1-1":
        white.draws += 1
        black.draws += 1
        return
    winner, loser = (white, black) if result == "2-0" else (black, white)
    winner.wins += 1
    loser.losses += 1
