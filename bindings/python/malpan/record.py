"""Records of games, and reviews: what each move lost, and what chance contributed."""
from __future__ import annotations

import ctypes
from ctypes import addressof
from typing import List, NamedTuple, Optional, Tuple, Union

from . import _native as native
from ._native import Handle, check, encode, lib, move_number, text_of
from .game import Game, Move, State


class ReviewStep(NamedTuple):
    """One step of a game: values before it, and what it changed."""
    player: int
    is_chance: bool
    values: Tuple[float, ...]
    loss: float
    luck: float
    best: Optional[Move]
    is_estimate: bool
    verdict: Optional[str]
    """Of a move: "best", "good", "slow", "small", "mistake" or "blunder"."""


class Review(NamedTuple):
    """All steps; and for each player (start, end, luck, skill, others)."""
    steps: List[ReviewStep]
    totals: List[Tuple[float, float, float, float, float]]


class Record:
    """A game in progress or played: states and steps. It belongs to one thread at a time."""

    def __init__(self, game: Game, seats: Optional[str] = None, seed: int = 0,
                 start: Optional[State] = None) -> None:
        slot = ctypes.c_void_p()
        check("record_open", game._pointer, encode(seats), seed,
              start._address if start else None, addressof(slot))
        self._handle = Handle(slot.value, "record_close")
        self.game = game

    @classmethod
    def parse(cls, text: str) -> "Record":
        """Reads a record as str(record) and `malpan play --file` write it."""
        slot = ctypes.c_void_p()
        check("record_parse", encode(text), addressof(slot))
        self = cls.__new__(cls)
        self._handle = Handle(slot.value, "record_close")
        self.game = Game.__new__(Game)
        self.game._adopt(lib.record_game(slot.value))
        return self

    def __str__(self) -> str:
        return text_of("record_print", self._handle.pointer, room=4096)

    def __len__(self) -> int:
        length: int = lib.record_length(self._handle.pointer)
        return length

    def __repr__(self) -> str:
        return f"<malpan.Record {self.game.name}, {len(self)} steps, now {str(self.state)!r}>"

    @property
    def states(self) -> List[State]:
        """The state before each step, and the last one."""
        return [self._state(i) for i in range(len(self) + 1)]

    @property
    def state(self) -> State:
        """The state now."""
        return self._state(len(self))

    def _state(self, index: int) -> State:
        position = native.Position()
        check("record_position", self._handle.pointer, index, addressof(position))
        return State(self.game, position)

    @property
    def moves(self) -> List[Move]:
        """The moves and chance events."""
        move, found = ctypes.c_uint32(), []
        for i in range(len(self)):
            check("record_move", self._handle.pointer, i, addressof(move))
            found.append(move.value)
        return found

    def add(self, move: Union[Move, str]) -> None:
        """Appends a legal step."""
        if isinstance(move, str):
            move = self.state.parse_move(move)
        check("record_add", self._handle.pointer, move_number(move))

    def review(self, game: Optional[Game] = None) -> Review:
        """Reviews the game with the solver of `game` (the record's own), which has the same rules."""
        game = game or self.game
        slot = ctypes.c_void_p()
        with game._lock:
            check("review_open", self._handle.pointer, game._solve_with(), addressof(slot))
        review = Handle(slot.value, "review_close")
        players = range(game.num_players)
        step, totals = native.CReviewStep(), native.CReviewTotals()
        steps, sums = [], []
        for i in range(len(self)):
            check("review_step", review.pointer, i, addressof(step))
            steps.append(ReviewStep(step.player, bool(step.is_chance),
                                    tuple(step.values[:len(players)]), step.loss, step.luck,
                                    None if step.is_chance else step.best,
                                    native.KINDS[step.kind] == "estimate",
                                    native.VERDICTS[step.verdict]))
        for player in players:
            check("review_totals", review.pointer, player, addressof(totals))
            sums.append((totals.start, totals.end, totals.luck, totals.skill, totals.others))
        return Review(steps, sums)
