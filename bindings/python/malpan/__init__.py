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
from .game import Game, Move, MoveValue, Player, State, TableReport, Value
from .record import Record, Review, ReviewStep
from .regret import Regret, reachable, regret, sample_states

__version__ = "1.0.0"
__all__ = ["Error", "Game", "Move", "MoveValue", "Player", "Record", "Regret", "Review", "ReviewStep",
           "State", "Stopped", "TableError", "TableReport", "UsageError", "Value", "games", "load",
           "options", "players", "reachable", "regret", "sample_states"]


def load(name: str, position: Optional[str] = None, *, policy: str = "any",
         tables: Optional[str] = None, memory: int = 0, threads: int = 0, seconds: float = 0.0,
         **rules: Any) -> Game:
    """Opens a game: malpan.load("yut", pieces=2, back_do="off").

    Rule options are those of the program, with underscores for hyphens; True sets a switch. What
    the text of `position` implies counts unless an option says otherwise.

    policy    who may answer what a state is worth: "exact", "proof" or "any" (estimates, too)
    tables    the folder of solved tables
    memory    bytes; 0: 1 GiB
    threads   for values() and searches; 0: 1
    seconds   for one value by a search; 0: 5
    """
    words = []
    for option, value in rules.items():
        if value is None or value is False:
            continue
        words.append("--" + option.replace("_", "-"))
        if isinstance(value, (list, tuple)):
            value = ",".join(str(item) for item in value)
        if value is not True:
            words.append(str(value))
    return Game(name, " ".join(words), position, policy=policy, tables=tables, memory=memory,
                threads=threads, seconds=seconds)


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
    info, option = native.GameInfo(), native.OptionInfo()
    native.check("game_info", native.encode(name), ctypes.addressof(info))
    found = {}
    for index in range(info.option_count):
        native.check("option_info", info.name, index, ctypes.addressof(option))
        found[option.name.decode()] = option.help[0].decode()
    return found


def players() -> List[str]:
    """The kinds of players, for Game.player."""
    found: List[str] = []
    info = native.PlayerInfo()
    while native.lib.player_info(len(found), ctypes.addressof(info), None) == native.OK:
        found.append(info.name.decode())
    return found
