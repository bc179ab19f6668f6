"""malpan: five board games and what every move in them is worth.

    >>> import malpan
    >>> game = malpan.load("yut", pieces=2)
    >>> state = game.start()
    >>> state.chances()[0]              # (event, probability)
    >>> state = state.apply("do")
    >>> state.moves_by_value()[0].text
"""
from __future__ import annotations

import ctypes
from typing import Any, Dict, List, Optional

from . import _native as native
from ._native import Error, Stopped, TableError, UsageError
from .game import Folder, Game, Move, MoveValue, Player, State, TableReport, Value
from .record import Record, Review, ReviewStep
from .regret import Regret, reachable, regret, sample_states

__version__ = "1.0.0"
__all__ = ["Error", "Game", "Move", "MoveValue", "Player", "Record", "Regret", "Review", "ReviewStep",
           "State", "Stopped", "TableError", "TableReport", "UsageError", "Value", "games", "load",
           "options", "players", "reachable", "regret", "sample_states"]


def load(name: str, position: Optional[str] = None, *, policy: str = "any",
         tables: Optional[Folder] = None, memory: int = 0, threads: int = 0, seconds: float = 0.0,
         **rules: Any) -> Game:
    """Opens a game: malpan.load("yut", pieces=2, back_do="off").

    Rule options are those of the program, with underscores for hyphens. True and False stand for
    on and off; True sets a switch. Options that the text of `position` implies, such as the number
    of pieces, need not be given.

    policy    who may answer what a state is worth: "exact", "proof" or "any" (estimates, too)
    tables    the folder of solved tables
    memory    bytes; 0: 1 GiB
    threads   for values() and searches; 0: 1
    seconds   for one value by a search; 0: 5
    """
    words: List[str] = []
    for option, value in rules.items():
        words += _option_words(name, option.replace("_", "-"), value)
    return Game(name, " ".join(words), position, policy=policy, tables=tables, memory=memory,
                threads=threads, seconds=seconds)


def _option_words(game: str, option: str, value: Any) -> List[str]:
    """An option as the program takes it. True and False set a switch, or choose on and off."""
    if value is None:
        return []
    spec = _option_specs(game).get(option)
    if isinstance(value, bool) and spec:
        if spec.choices == b"on off":
            value = "on" if value else "off"
        elif spec.argument is None:
            return ["--" + option] if value else []
        else:
            raise UsageError(native.USAGE, f"{option}: expected {spec.argument.decode()}, not {value}")
    text = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    if text.split() != [text]:
        raise UsageError(native.USAGE, f"{option}: expected one word, not {text!r}")
    return ["--" + option, text]


def _option_specs(game: str) -> Dict[str, native.OptionInfo]:
    info, found = native.GameInfo(), {}  # type: native.GameInfo, Dict[str, native.OptionInfo]
    native.check("game_info", native.encode(game), ctypes.addressof(info))
    for index in range(info.option_count):
        option = native.OptionInfo()
        native.check("option_info", info.name, index, ctypes.addressof(option))
        found[option.name.decode()] = option
    return found


def games() -> Dict[str, str]:
    """The names of the games, each with its title."""
    found: Dict[str, str] = {}
    while native.lib.game_name(len(found)):
        name = native.lib.game_name(len(found))
        info = native.GameInfo()
        native.check("game_info", name, ctypes.addressof(info))
        found[name.decode()] = info.title[0].decode()
    return found


def options(name: str) -> Dict[str, str]:
    """The rule options of a game, each with one line of help."""
    return {option: spec.help[0].decode() for option, spec in _option_specs(name).items()}


def players() -> List[str]:
    """The kinds of players, for Game.player."""
    found: List[str] = []
    info = native.PlayerInfo()
    while native.lib.player_info(len(found), ctypes.addressof(info), None) == native.OK:
        found.append(info.name.decode())
    return found
