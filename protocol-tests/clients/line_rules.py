"""What Hub clients need of an engine's lines beyond the protocol's own grammar.

The rules come from how clients read: some match a whole line with one regular expression, some
split at blanks and gather a quoted value only when it has several words, some split every pair at
each `=`. A line that keeps the rules below can be read by all of them.
"""

from __future__ import annotations

import re

from guard import Failure

PAIR = re.compile(r'([^\s="]+)=("[^"]*"|[^\s="]+)(?: |$)')
MOVE = re.compile(r"\d{1,2}(?:-\d{1,2}|x\d{1,2}(?:x\d{1,2})+)")

INTEGER = re.compile(r"\d+")
FORMATS = {
    "depth": INTEGER,
    "mean-depth": re.compile(r"\d+\.\d"),
    "score": re.compile(r"-?\d+\.\d\d"),
    "nodes": INTEGER,
    "time": re.compile(r"\d+\.\d{3}"),
    "nps": re.compile(r"\d+\.\d"),
}
ORDER = [*FORMATS, "pv"]
REQUIRED = [name for name in ORDER if name not in ("time", "nps")]

# A win is 100 men less a hundredth for each ply to it.
HIGHEST_SCORE = 100.0

TYPES = {"bool", "int", "real", "string", "enum"}


def pairs(line: str) -> list[tuple[str, str]]:
    """The pairs after the command, with values unquoted, if every kind of client can split them."""
    if not line.isascii() or line != line.strip():
        raise Failure(f"not plain ASCII without blanks around it: {line!r}")
    found: list[tuple[str, str]] = []
    at = len(line.split(" ", 1)[0]) + 1
    while at < len(line):
        pair = PAIR.match(line, at)
        if pair is None:
            raise Failure(f"no name=value at {line[at:]!r} in {line!r}")
        name, value = pair.groups()
        if value.startswith('"'):
            value = value[1:-1]
            if "=" in value:
                raise Failure(f"'=' inside the value of {name}: {line!r}")
            if value and " " not in value:
                raise Failure(f"{name} is quoted without need: {line!r}")
        found.append((name, value))
        at = pair.end()
    names = [name for name, _ in found]
    if len(set(names)) != len(names):
        raise Failure(f"a name occurs twice: {line!r}")
    return found


def check_id(line: str) -> None:
    """The `id` line: name, version and author in this order, the first two bare words."""
    found = pairs(line)
    if [name for name, _ in found[:3]] != ["name", "version", "author"]:
        raise Failure(f"id does not start with name, version, author: {line!r}")
    for name, value in found[:2]:
        if not value or " " in value:
            raise Failure(f"{name} is not one bare word: {line!r}")


def check_param(line: str) -> str:
    """A `param` line; the name of the parameter."""
    found = pairs(line)
    values = dict(found)
    if [name for name, _ in found[:3]] != ["name", "value", "type"]:
        raise Failure(f"param does not start with name, value, type: {line!r}")
    if values["type"] not in TYPES:
        raise Failure(f"unknown type: {line!r}")
    if values["type"] == "bool" and values["value"] not in ("true", "false"):
        raise Failure(f"neither true nor false: {line!r}")
    if values["type"] in ("int", "real"):
        low, value, high = (float(values[key]) for key in ("min", "value", "max"))
        if not low <= value <= high:
            raise Failure(f"the value is out of range: {line!r}")
    if values["type"] == "enum":
        if found[-1][0] != "values" or not line.endswith('"'):
            raise Failure(f"values is not last and quoted: {line!r}")
        if values["value"] not in values["values"].split(" "):
            raise Failure(f"the value is not among the values: {line!r}")
    return values["name"]


def check_declarations(lines: list[str]) -> None:
    """All lines from `hub` to `wait`."""
    if not lines or not lines[0].startswith("id "):
        raise Failure(f"the first line is not id: {lines[:1]}")
    check_id(lines[0])
    if lines[-1] != "wait":
        raise Failure(f"the last line is not wait: {lines[-1]!r}")
    names = []
    for line in lines[1:-1]:
        if not line.startswith("param "):
            raise Failure(f"neither param nor wait: {line!r}")
        names.append(check_param(line))
    if "variant" not in names:
        raise Failure("no parameter variant")


def check_info(line: str) -> dict[str, str]:
    """An `info` line with all fields in order; its pairs."""
    found = pairs(line)
    names = [name for name, _ in found]
    if names != [name for name in ORDER if name in names]:
        raise Failure(f"fields out of order or unknown: {line!r}")
    missing = [name for name in REQUIRED if name not in names]
    if missing:
        raise Failure(f"no {', '.join(missing)}: {line!r}")
    values = dict(found)
    for name, form in FORMATS.items():
        if name in values and not form.fullmatch(values[name]):
            raise Failure(f"{name} has a form that clients cannot read: {line!r}")
    score = abs(float(values["score"]))
    if score > HIGHEST_SCORE or int(values["depth"]) < 1:
        raise Failure(f"score or depth is out of range: {line!r}")
    for move in values["pv"].split(" "):
        check_move(move, line)
    return values


def check_move(text: str, line: str) -> None:
    """A Hub move: no leading zeros, captured squares in ascending order and listed always."""
    numbers = re.split("[-x]", text)
    if not MOVE.fullmatch(text) or any(number.startswith("0") for number in numbers):
        raise Failure(f"{text!r} is no Hub move: {line!r}")
    captured = [int(number) for number in numbers[2:]]
    if captured != sorted(set(captured)):
        raise Failure(f"captured squares out of order in {text!r}: {line!r}")


def check_done(line: str, terminal: bool) -> str | None:
    """A `done` line; the move. In a terminal position it is bare."""
    found = pairs(line)
    names = [name for name, _ in found]
    if terminal:
        if names:
            raise Failure(f"a move where there is none: {line!r}")
        return None
    if names not in (["move"], ["move", "ponder"]):
        raise Failure(f"done has not just move and ponder: {line!r}")
    for _, move in found:
        check_move(move, line)
    return found[0][1]


def check_search(lines: list[str], terminal: bool = False) -> str | None:
    """All lines of a search from `go` to `done`; the move."""
    last = None
    for line in lines[:-1]:
        if not line.startswith("info "):
            raise Failure(f"neither info nor done during a search: {line!r}")
        last = check_info(line)
    move = check_done(lines[-1], terminal)
    if last is None and not terminal:
        raise Failure("a search without a complete info line")
    return move
