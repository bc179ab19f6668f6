"""The shared library: finding it, its structs and its functions (see malpan.h)."""
from __future__ import annotations

import ctypes
import ctypes.util
import operator
import os
import pathlib
from ctypes import POINTER, c_char, c_char_p, c_double, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Callable, List, Optional

OK, FAILED, USAGE, UNSUPPORTED, TABLE, STOPPED = range(6)
CHANCE, END, INVALID = -1, -2, -3
PLAYERS_MAX, CHANCES_MAX = 8, 64
TEXT_BYTES, DRAW_BYTES = 256, 8192
KINDS = ("exact", "proven", "equilibrium", "estimate")
VERDICTS = (None, "best", "good", "slow", "small", "mistake", "blunder")
OUTCOMES = (None, "win", "loss", "endless")
POLICIES = {"exact": 0, "proof": 1, "any": 2}
LANGUAGES = {"en": 0, "ko": 1}


class Error(Exception):
    """What the library refused, or failed to do. `code` is one of the codes of malpan.h."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class UsageError(Error, ValueError):
    """Malformed text, an illegal move, or a position of other rules."""


class TableError(Error):
    """A solved table is missing or damaged."""


class Stopped(Error):
    """Stopped on request."""


class CError(ctypes.Structure):
    _fields_ = [("code", c_int), ("message", c_char * 252)]


class Position(ctypes.Structure):
    _fields_ = [("opaque", c_uint64 * 9)]


class Random(ctypes.Structure):
    _fields_ = [("words", c_uint64 * 4)]


class Progress(ctypes.Structure):
    _fields_ = [("what", c_char_p), ("elapsed_s", c_double), ("fraction", c_double),
                ("left_s", c_double), ("done", c_uint64), ("total", c_uint64), ("sweep", c_int),
                ("change", c_double)]


ProgressFunction = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Progress))


class Limits(ctypes.Structure):
    _fields_ = [("memory_bytes", c_size_t), ("threads", c_int), ("seconds", c_double),
                ("tables", c_char_p), ("stop", c_void_p), ("progress", ProgressFunction),
                ("context", c_void_p)]


class Traits(ctypes.Structure):
    _fields_ = [("has_chance", c_int), ("has_cycles", c_int), ("has_outcomes", c_int),
                ("has_table", c_int), ("lower_is_better", c_int), ("is_counted", c_int),
                ("value_name", c_char_p * 2)]


class GameInfo(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("title", c_char_p * 2), ("about", c_char_p * 2),
                ("position_shape", c_char_p), ("option_count", c_size_t),
                ("example_count", c_size_t)]


class OptionInfo(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("argument", c_char_p), ("help", c_char_p * 2),
                ("choices", c_char_p), ("is_preset", c_int)]


class PlayerInfo(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("setting", c_char_p), ("about", c_char_p * 2)]


class Style(ctypes.Structure):
    _fields_ = [("color", c_int), ("ascii", c_int), ("numbers", c_int), ("lang", c_int),
                ("columns", c_int)]


class CValue(ctypes.Structure):
    _fields_ = [("values", c_double * 8), ("error", c_double), ("kind", c_int), ("player", c_int),
                ("outcome", c_int), ("plies", c_int), ("typical_error", c_double), ("reserved", c_double * 3)]


class CMoveValue(ctypes.Structure):
    _fields_ = [("move", c_uint32), ("kind", c_int), ("value", c_double)]


class CReviewStep(ctypes.Structure):
    _fields_ = [("values", c_double * 8), ("loss", c_double), ("luck", c_double),
                ("player", c_int), ("is_chance", c_int), ("kind", c_int), ("best", c_uint32), ("verdict", c_int), ("reserved", c_int)]


class CReviewTotals(ctypes.Structure):
    _fields_ = [("start", c_double), ("end", c_double), ("luck", c_double), ("skill", c_double),
                ("others", c_double)]


class TableInfo(ctypes.Structure):
    _fields_ = [("positions", c_uint64), ("checksum", c_uint64), ("error", c_double),
                ("existed", c_int), ("is_proven", c_int), ("checked", c_uint64),
                ("residual", c_double)]


# Pointers to structs are passed as addresses (c_void_p): ctypes converts those fastest.
_P, _N = c_void_p, c_size_t
SIGNATURES = {
    "version": (c_char_p, []),
    "game_name": (c_char_p, [_N]),
    "game_info": (c_int, [c_char_p, _P, _P]),
    "option_info": (c_int, [c_char_p, _N, _P, _P]),
    "open": (c_void_p, [c_char_p, c_char_p, c_char_p, _P]),
    "close": (None, [_P]),
    "name": (c_char_p, [_P]),
    "rules": (_N, [_P, _P, _N]),
    "option": (_N, [_P, c_char_p, _P, _N]),
    "player_count": (c_int, [_P]),
    "traits": (c_int, [_P, _P, _P]),
    "start": (c_int, [_P, _P, _P]),
    "parse": (c_int, [_P, c_char_p, _P, _P]),
    "print": (_N, [_P, _P, _P, _N]),
    "actor": (c_int, [_P, _P]),
    "turn": (c_int, [_P, _P]),
    "moves": (_N, [_P, _P, _P, _N]),
    "move_bound": (c_uint32, [_P]),
    "chances": (_N, [_P, _P, _P, _N, _P]),
    "apply": (c_int, [_P, _P, c_uint32, _P]),
    "payoffs": (c_int, [_P, _P, _P, _P]),
    "parse_move": (c_int, [_P, _P, c_char_p, c_int, _P, _P]),
    "print_move": (_N, [_P, _P, c_uint32, c_int, _P, _N]),
    "draw": (_N, [_P, _P, _P, _P, _N]),
    "narrate": (_N, [_P, _P, c_uint32, c_int, _P, _N]),
    "narrate_end": (_N, [_P, _P, c_int, _P, _N]),
    "random_seed": (None, [_P, c_uint64, c_uint64]),
    "stop_open": (c_void_p, []),
    "stop_close": (None, [_P]),
    "stop_request": (None, [_P]),
    "solver_open": (c_int, [_P, c_int, _P, _P, _P]),
    "solver_close": (None, [_P]),
    "solver_method": (c_char_p, [_P]),
    "value": (c_int, [_P, _P, _P, _P]),
    "evaluate": (c_int, [_P, _P, _P, _P, _N, _P, _P]),
    "best_line": (c_int, [_P, _P, _P, _N, _P, _P]),
    "fraction": (c_int, [_P, _P, _P, _P, _P]),
    "values": (c_int, [_P, _P, _N, _P, _P, _P]),
    "estimate": (c_int, [_P, _P, _P, _P]),
    "player_info": (c_int, [_N, _P, _P]),
    "player_open": (c_int, [_P, c_char_p, _P, _P, _P]),
    "player_close": (None, [_P]),
    "player_choose": (c_int, [_P, _P, _P, _P, _P]),
    "record_open": (c_int, [_P, c_char_p, c_uint64, _P, _P, _P]),
    "record_parse": (c_int, [c_char_p, _P, _P]),
    "record_close": (None, [_P]),
    "record_print": (_N, [_P, _P, _N]),
    "record_game": (c_void_p, [_P]),
    "record_length": (_N, [_P]),
    "record_position": (c_int, [_P, _N, _P, _P]),
    "record_move": (c_int, [_P, _N, _P, _P]),
    "record_add": (c_int, [_P, c_uint32, _P]),
    "review_open": (c_int, [_P, _P, _P, _P]),
    "review_close": (None, [_P]),
    "review_step": (c_int, [_P, _N, _P, _P]),
    "review_totals": (c_int, [_P, c_int, _P, _P]),
    "solve": (c_int, [_P, c_double, _P, _P, _P]),
    "verify": (c_int, [_P, c_uint64, c_uint64, _P, _P, _P]),
}


def _candidates() -> List[str]:
    """Where the library may be: $MALPAN_LIBRARY, beside this file, where the system looks."""
    named = os.environ.get("MALPAN_LIBRARY")
    if named:
        return [named]
    beside = pathlib.Path(__file__).with_name("libmalpan.so.1")
    return [str(beside)] * beside.exists() + ["libmalpan.so.1", ctypes.util.find_library("malpan") or ""]


def _load() -> ctypes.CDLL:
    problems = []
    for name in filter(None, _candidates()):
        try:
            return ctypes.CDLL(name)
        except OSError as problem:
            problems.append(str(problem))
    raise ImportError("cannot load libmalpan.so.1 (set MALPAN_LIBRARY to its path): "
                      + "; ".join(problems))


class _Functions:
    """The functions of malpan.h without their prefix."""

    def __init__(self) -> None:
        library = _load()
        for name, (result, arguments) in SIGNATURES.items():
            function = getattr(library, "malpan_" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        raise AttributeError(name)


lib = _Functions()
version: str = lib.version().decode()
if not version.startswith("1."):
    raise ImportError(f"this package needs version 1 of libmalpan, not {version}")


def raise_for(error: CError) -> None:
    """Raises the exception for a failure."""
    kinds = {USAGE: UsageError, TABLE: TableError, STOPPED: Stopped}
    raise kinds.get(error.code, Error)(error.code, error.message.decode("utf-8", "replace"))


def check(name: str, *arguments: Any) -> None:
    """Calls a function whose last parameter is the error, and raises if it fails."""
    error = CError()
    if getattr(lib, name)(*arguments, ctypes.addressof(error)) != OK:
        raise_for(error)


def text_of(name: str, *arguments: Any, room: int = TEXT_BYTES) -> str:
    """Calls a function that writes a text."""
    buffer = ctypes.create_string_buffer(room)
    length = getattr(lib, name)(*arguments, buffer, room)
    if length >= room:
        return text_of(name, *arguments, room=length + 1)
    return buffer.value.decode("utf-8", "replace")


class Handle:
    """An object of the library, which is closed when it is no longer used."""

    def __init__(self, pointer: Optional[int], close: str) -> None:
        self._slot = c_void_p(pointer)
        self._close = getattr(lib, close)

    @property
    def pointer(self) -> Optional[int]:
        """The address; None once it is closed, which the library refuses."""
        return self._slot.value

    def close(self) -> None:
        self._close(ctypes.addressof(self._slot))

    def __del__(self) -> None:
        if getattr(self, "_slot", None):
            self.close()


def encode(text: Optional[str]) -> Optional[bytes]:
    """A text for the library. A zero byte would end it early."""
    if text is None:
        return None
    if not isinstance(text, str):
        raise TypeError(f"expected a text, not {type(text).__name__}")
    if "\0" in text:
        raise UsageError(USAGE, "a zero byte in the text")
    return text.encode("utf-8", "surrogateescape")


def language(name: str) -> int:
    """The number of a language."""
    if name not in LANGUAGES:
        raise UsageError(USAGE, f"unknown language {name!r}; expected en or ko")
    return LANGUAGES[name]


def move_number(move: Any) -> int:
    """A move as the library takes it: any kind of integer, numpy's too. ctypes would cut off what
    does not fit, and so make another move of it."""
    number = operator.index(move)
    if not 0 <= number < 2 ** 32:
        raise UsageError(USAGE, f"move {number} does not exist")
    return number
