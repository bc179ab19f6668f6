"""Games under rules, and their states."""
from __future__ import annotations

import ctypes
import math
import os
import sys
import threading
from array import array
from ctypes import addressof
from fractions import Fraction
from typing import (Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union,
                    overload)

from . import _native as native
from . import svg
from ._native import Handle, check, encode, language, lib, move_number, text_of

Move = int
"""A move or chance event: a number that means the same at every state of a game."""

Folder = Union[str, "os.PathLike[str]"]
ProgressCallback = Callable[[str, float, float], Any]

# Buffers for the lists of moves and chance events. A chance event is read as two words of 64 bits,
# the first of which has the move in its lower address: this is several times as fast as by members.
_FEW = 64
_MoveBuffer = ctypes.c_uint32 * _FEW
_EVENTS = native.CHANCES_MAX
_ChanceBuffer = ctypes.c_uint64 * (2 * _EVENTS)
# Spare buffers: allocating one takes longer than filling it. A thread removes one from the list while
# it uses it, because the library fills it without holding Python's lock.
_move_buffers: List[Any] = []
_chance_buffers: List[Any] = []
_SHIFT = 0 if sys.byteorder == "little" else 32
_NO_REPORT = native.ProgressFunction(0)
_copy_position = native.Position.from_buffer_copy
_apply, _moves, _chances = lib.apply, lib.moves, lib.chances


class Value(float):
    """The value to the player whose turn it is: a float that says what it is.

    kind       "exact", "proven", "equilibrium" or "estimate"
    error      no value is further from the truth; infinite for an estimate
    typical_error  how far such estimates are off on average, as measured; None if that is unknown,
               and where the value is no estimate
    values     to each player
    player     whose turn it is
    outcome    "win", "loss" or "endless" where values are outcomes, otherwise None
    plies      until the end, for a win or a loss
    """
    kind: str
    error: float
    typical_error: Optional[float]
    values: Tuple[float, ...]
    player: int
    outcome: Optional[str]
    plies: int

    @classmethod
    def _of(cls, found: native.CValue, players: int) -> "Value":
        self = cls(found.values[found.player])
        self.kind = native.KINDS[found.kind]
        self.error = found.error
        self.typical_error = None if math.isnan(found.typical_error) else found.typical_error
        self.values = tuple(found.values[:players])
        self.player = found.player
        self.outcome = native.OUTCOMES[found.outcome]
        self.plies = found.plies
        return self


class MoveValue(NamedTuple):
    """A move and its value to the player who makes it."""
    move: Move
    value: float
    kind: str
    text: str


class TableReport(NamedTuple):
    """A solved table: what solve() made or found, or what verify() checked."""
    positions: int
    checksum: str
    error: float
    existed: bool
    is_proven: bool
    checked: int
    residual: float


class Game:
    """A game under one set of rules; malpan.load opens it. Threads may share it."""

    def __init__(self, name: str, options: str = "", position: Optional[str] = None, *,
                 policy: str = "any", tables: Optional[Folder] = None, memory: int = 0,
                 threads: int = 0, seconds: float = 0.0) -> None:
        error = native.CError()
        pointer = lib.open(encode(name), encode(options), encode(position), addressof(error))
        if not pointer:
            native.raise_for(error)
        self._adopt(pointer, policy, tables, memory, threads, seconds)

    def _adopt(self, pointer: int, policy: str = "any", tables: Optional[Folder] = None,
               memory: int = 0, threads: int = 0, seconds: float = 0.0) -> None:
        """Takes over a handle of the library."""
        self._handle = Handle(pointer, "close")
        if policy not in native.POLICIES:
            raise native.UsageError(native.USAGE, f"unknown policy {policy!r}")
        self._pointer = pointer
        self._policy = policy
        self._tables = None if tables is None else os.fsencode(tables)
        self._memory, self._threads, self._seconds = memory, threads, seconds
        self._solver: Optional[Handle] = None
        self._lock = threading.Lock()  # the solver belongs to one thread at a time
        self.name: str = lib.name(pointer).decode()
        self.num_players: int = lib.player_count(pointer)
        self.num_moves: int = lib.move_bound(pointer)
        traits = native.Traits()
        check("traits", pointer, addressof(traits))
        self.has_chance = bool(traits.has_chance)
        self.lower_is_better = bool(traits.lower_is_better)
        self.value_name: str = traits.value_name[0].decode()

    @property
    def rules(self) -> str:
        """All rule options with their values."""
        return text_of("rules", self._pointer)

    def option(self, name: str) -> str:
        """The value of one rule option; "" if there is none."""
        return text_of("option", self._pointer, encode(name))

    def __repr__(self) -> str:
        return f"<malpan.Game {self.name} {self.rules}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.name, self.rules) == (other.name, other.rules)

    def __hash__(self) -> int:
        return hash((self.name, self.rules))

    def __reduce__(self) -> Any:
        settings = {"policy": self._policy, "memory": self._memory, "threads": self._threads,
                    "seconds": self._seconds,
                    "tables": os.fsdecode(self._tables) if self._tables else None}
        return _open_again, (self.name, self.rules, settings)

    def start(self) -> "State":
        """The state the game starts from."""
        position = native.Position()
        check("start", self._pointer, addressof(position))
        return State(self, position)

    def state(self, text: str) -> "State":
        """Reads a state in the form that str(state) gives."""
        position = native.Position()
        check("parse", self._pointer, encode(text), addressof(position))
        return State(self, position)

    # --- values ---

    def _limits(self, stop: Optional[int] = None, report: Any = None) -> native.Limits:
        """What the library may use. `report` is a native.ProgressFunction."""
        return native.Limits(memory_bytes=self._memory, threads=self._threads,
                             seconds=self._seconds, tables=self._tables, stop=stop,
                             progress=report or _NO_REPORT)

    def _solve_with(self) -> int:
        """The solver, which is opened when it is first needed. The caller holds the lock."""
        if self._solver is None:
            slot = ctypes.c_void_p()
            limits = self._limits()
            check("solver_open", self._pointer, native.POLICIES[self._policy], addressof(limits),
                  addressof(slot))
            self._solver = Handle(slot.value, "solver_close")
        pointer = self._solver.pointer
        assert pointer is not None
        return pointer

    @property
    def method(self) -> str:
        """How values are found, in a few words."""
        with self._lock:
            method: bytes = lib.solver_method(self._solve_with())
            return method.decode()

    def pack(self, states: Iterable["State"]) -> bytearray:
        """The states as one block of memory, for values(): 72 bytes each."""
        packed = bytearray()
        for state in states:
            if not isinstance(state, State):
                raise TypeError(f"expected states, not {type(state).__name__}")
            packed += state._position
        return packed

    def unpack(self, packed: Any) -> List["State"]:
        """The states of such a block, or of a numpy array of shape (n, 9) and type uint64."""
        block = bytes(packed) if isinstance(packed, (bytes, bytearray)) else _rows(packed).tobytes()
        size = _count_bytes(block)
        states = [State(self, _copy_position(block, i)) for i in range(0, len(block), size)]
        for state in states:
            if state.actor() == native.INVALID:
                raise native.UsageError(native.USAGE, "a position of other rules, or a damaged one")
        return states

    @overload
    def values(self, states: Union[bytes, bytearray, Iterable["State"]]) -> "array[float]": ...

    @overload
    def values(self, states: Any) -> Any: ...

    def values(self, states: Any) -> Any:
        """The value of each state to the player whose turn it is, all at once, on the game's threads.

        `states` is a sequence of states, what pack() returned, or a numpy array of shape (n, 9) and
        type uint64. Returns an array of doubles; a numpy array for a numpy array.
        """
        if hasattr(states, "__array_interface__"):
            return self._values_numpy(states)
        packed = states if isinstance(states, (bytes, bytearray)) else self.pack(states)
        count = len(packed) // _count_bytes(packed)
        found = array("d", bytes(8 * count))
        block = (ctypes.c_char * len(packed)).from_buffer(bytearray(packed)
                                                          if isinstance(packed, bytes) else packed)
        self._fill(addressof(block), count, found.buffer_info()[0])
        return found

    def _values_numpy(self, states: Any) -> Any:
        import numpy
        states = _rows(states)
        found = numpy.empty(len(states), dtype=numpy.float64)
        self._fill(states.ctypes.data, len(states), found.ctypes.data)
        return found

    def _fill(self, positions: int, count: int, values: int) -> None:
        with self._lock:
            check("values", self._solve_with(), positions, count, values, None)

    # --- players ---

    def player(self, name: str) -> "Player":
        """A computer player, such as "perfect", "greedy" or "alphabeta:1s"."""
        return Player(self, name)

    # --- tables ---

    def solve(self, error_bound: float = 0.0,
              progress: Optional[ProgressCallback] = None) -> TableReport:
        """Solves all positions into the folder of tables, which load() has to name.

        `progress` is called with what is being done, the fraction that is done (-1: unknown) and
        the seconds so far; if it returns False, the work stops and Stopped is raised. Ctrl-C and
        an exception of `progress` stop the work, too. The next call resumes it.
        """
        return self._work("solve", [error_bound], progress)

    def verify(self, sample: int = 0, seed: int = 1,
               progress: Optional[ProgressCallback] = None) -> TableReport:
        """Checks the stored table: `sample` equations, or all if 0, which proves its error."""
        return self._work("verify", [sample, seed], progress)

    def _work(self, name: str, arguments: Sequence[Any],
              progress: Optional[ProgressCallback]) -> TableReport:
        """Calls the library in a second thread: Python sees no Ctrl-C while the main one is inside it."""
        if self._tables is None:
            raise native.UsageError(native.USAGE, "name a folder of tables: load(..., tables=FOLDER)")
        stop = Handle(lib.stop_open(), "stop_close")
        info, raised = native.TableInfo(), []  # type: native.TableInfo, List[BaseException]

        def report(_context: Any, found: Any) -> None:
            try:
                if progress is not None and not raised and progress(
                        found.contents.what.decode(), found.contents.fraction,
                        found.contents.elapsed_s) is False:
                    lib.stop_request(stop.pointer)
            except BaseException as problem:
                raised.append(problem)
                lib.stop_request(stop.pointer)

        def call() -> None:
            try:
                check(name, self._pointer, *arguments, addressof(limits), addressof(info))
            except BaseException as problem:
                raised.append(problem)
            finally:
                done.set()

        limits = self._limits(stop.pointer, native.ProgressFunction(report))
        worker, done = threading.Thread(target=call), threading.Event()
        try:
            worker.start()
            done.wait()  # not worker.join, which is over at once after it was interrupted
        except BaseException:
            lib.stop_request(stop.pointer)
            if worker.is_alive():
                done.wait()
            raise
        if raised:
            raise raised[0]
        return TableReport(info.positions, f"{info.checksum:016x}", info.error, bool(info.existed),
                           bool(info.is_proven), info.checked, info.residual)


def _count_bytes(packed: Union[bytes, bytearray]) -> int:
    """The bytes of a state, of which the block has to have a multiple."""
    size = ctypes.sizeof(native.Position)
    if len(packed) % size:
        raise native.UsageError(native.USAGE, f"the length is no multiple of {size} bytes")
    return size


def _rows(states: Any) -> Any:
    """A numpy array of states, in one piece."""
    import numpy
    states = numpy.asarray(states)
    if states.ndim != 2 or states.shape[1] != 9 or states.dtype != numpy.uint64:
        raise native.UsageError(native.USAGE, "expected an array of shape (n, 9) and type uint64")
    return numpy.ascontiguousarray(states)


def _open_again(name: str, rules: str, settings: Dict[str, Any]) -> Game:
    return Game(name, rules, **settings)


class State:
    """A position of a game: a value that does not change, can be compared and hashed."""

    __slots__ = ("game", "_position", "_address")

    def __init__(self, game: Game, position: native.Position) -> None:
        self.game = game
        self._position = position
        self._address = addressof(position)

    # --- the tree ---

    def actor(self) -> int:
        """The player who acts; -1 where chance does; -2 at the end."""
        actor: int = lib.actor(self.game._pointer, self._address)
        return actor

    def turn(self) -> int:
        """The player whose turn it is, also where the throw of that player comes next."""
        turn: int = lib.turn(self.game._pointer, self._address)
        return turn

    def is_terminal(self) -> bool:
        return self.actor() == native.END

    def is_chance(self) -> bool:
        return self.actor() == native.CHANCE

    def legal_moves(self) -> List[Move]:
        """The legal moves, in the game's own order; none unless a player acts."""
        try:
            buffer = _move_buffers.pop()
        except IndexError:
            buffer = _MoveBuffer()
        count = _moves(self.game._pointer, self._address, buffer, _FEW)
        if count > _FEW:
            large = (ctypes.c_uint32 * count)()
            _moves(self.game._pointer, self._address, large, count)
            moves: List[Move] = large[:count]
        else:
            moves = buffer[:count]
        _move_buffers.append(buffer)
        return moves

    def _list_chances(self) -> Tuple[List[Move], List[int]]:
        """The chance events, and their weights."""
        try:
            buffer = _chance_buffers.pop()
        except IndexError:
            buffer = _ChanceBuffer()
        words = buffer[:2 * _chances(self.game._pointer, self._address, buffer, _EVENTS, None)]
        _chance_buffers.append(buffer)
        events, weights = words[::2], words[1::2]
        if _SHIFT:
            events = [word >> _SHIFT for word in events]
        return events, weights

    def chance_weights(self) -> Tuple[List[Tuple[Move, int]], int]:
        """The chance events with their weights, and the sum of the weights."""
        events, weights = self._list_chances()
        return list(zip(events, weights)), sum(weights)

    def chances(self) -> List[Tuple[Move, float]]:
        """Pairs of event and probability; empty unless chance acts."""
        events, weights = self._list_chances()
        whole = sum(weights)
        return list(zip(events, [weight / whole for weight in weights]))

    def apply(self, move: Union[Move, str]) -> "State":
        """The state after a move or chance event, given by its number or its text."""
        game = self.game
        move = self.parse_move(move) if isinstance(move, str) else move_number(move)
        after = State(game, _copy_position(self._position))
        if _apply(game._pointer, after._address, move, None):
            check("apply", game._pointer, after._address, move)
        return after

    def returns(self) -> List[float]:
        """Each player's result at the end of the game."""
        payoffs = (ctypes.c_double * native.PLAYERS_MAX)()
        check("payoffs", self.game._pointer, self._address, payoffs)
        return payoffs[:self.game.num_players]

    # --- values ---

    def value(self) -> Value:
        """What the state is worth to the player whose turn it is."""
        found = native.CValue()
        with self.game._lock:
            check("value", self.game._solve_with(), self._address, addressof(found))
        return Value._of(found, self.game.num_players)

    def moves_by_value(self) -> List[MoveValue]:
        """The legal moves with their values, best first."""
        found, count = native.CValue(), ctypes.c_size_t()
        room = max(1, lib.moves(self.game._pointer, self._address, None, 0))
        moves = (native.CMoveValue * room)()
        with self.game._lock:
            check("evaluate", self.game._solve_with(), self._address, addressof(found), moves, room,
                  addressof(count))
        return [MoveValue(moves[i].move, moves[i].value, native.KINDS[moves[i].kind],
                          self.move_text(moves[i].move)) for i in range(count.value)]

    def best_line(self, length: int = 64) -> List[Move]:
        """Best play to the next chance event, the end, or a repetition."""
        length = max(0, min(length, 10_000))  # longer ones do not exist
        line, count = (ctypes.c_uint32 * max(1, length))(), ctypes.c_size_t()
        with self.game._lock:
            check("best_line", self.game._solve_with(), self._address, line, length,
                  addressof(count))
        return line[:count.value]

    def fraction(self) -> Fraction:
        """The exact value as a fraction, in the games that are solved in fractions."""
        above, below = ctypes.c_uint64(), ctypes.c_uint64()
        with self.game._lock:
            check("fraction", self.game._solve_with(), self._address, addressof(above),
                  addressof(below))
        return Fraction(above.value, below.value)

    def estimate(self) -> List[float]:
        """A quick estimate of each player's value, without lookahead."""
        values = (ctypes.c_double * native.PLAYERS_MAX)()
        check("estimate", self.game._pointer, self._address, values)
        return values[:self.game.num_players]

    # --- texts ---

    def move_text(self, move: Move, lang: str = "en") -> str:
        return text_of("print_move", self.game._pointer, self._address, move_number(move),
                       language(lang))

    def parse_move(self, text: str) -> Move:
        move = ctypes.c_uint32()
        check("parse_move", self.game._pointer, self._address, encode(text), 0, addressof(move))
        return move.value

    def narrate(self, move: Move, lang: str = "en") -> str:
        """One sentence: what the move does."""
        return text_of("narrate", self.game._pointer, self._address, move_number(move), language(lang),
                       room=native.DRAW_BYTES)

    def narrate_end(self, lang: str = "en") -> str:
        """One sentence: how the game ended; "" before."""
        return text_of("narrate_end", self.game._pointer, self._address, language(lang),
                       room=native.DRAW_BYTES)

    def draw(self, lang: str = "en", color: bool = False, ascii: bool = False,
             numbers: bool = False) -> str:
        """The board as text."""
        style = native.Style(color, ascii, numbers, language(lang), 0)
        return text_of("draw", self.game._pointer, self._address, addressof(style),
                       room=native.DRAW_BYTES)

    def __str__(self) -> str:
        return text_of("print", self.game._pointer, self._address)

    def __repr__(self) -> str:
        return f"<malpan.State {self.game.name} {str(self)!r}>\n{self.draw()}"

    def _repr_svg_(self) -> str:
        """The board for a notebook."""
        return svg.draw(self.game.name, str(self), self.draw(), self.game.option)

    # --- identity ---

    def __bytes__(self) -> bytes:
        return bytes(self._position)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and bytes(self._position) == bytes(other._position)

    def __hash__(self) -> int:
        return hash(bytes(self._position))

    def __reduce__(self) -> Any:
        return _read_again, (self.game, str(self))


def _read_again(game: Game, text: str) -> State:
    return game.state(text)


class Player:
    """A computer player. It belongs to one thread at a time."""

    def __init__(self, game: Game, name: str) -> None:
        slot = ctypes.c_void_p()
        limits = game._limits()
        check("player_open", game._pointer, encode(name), addressof(limits), addressof(slot))
        self._handle = Handle(slot.value, "player_close")
        self._random = native.Random()
        self.game, self.name = game, name
        self.seed(1)

    def seed(self, seed: int, stream: int = 0) -> None:
        """Sets the random numbers; the same seed gives the same choices."""
        lib.random_seed(addressof(self._random), seed, stream)

    def choose(self, state: State) -> Move:
        """Picks a legal move."""
        move = ctypes.c_uint32()
        check("player_choose", self._handle.pointer, state._address, addressof(self._random),
              addressof(move))
        return move.value

    def __call__(self, state: State) -> Move:
        return self.choose(state)
