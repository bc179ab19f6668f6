"""Games with the method names of OpenSpiel. The package pyspiel is not needed.

    >>> from malpan import openspiel
    >>> game = openspiel.load_game("yut", pieces=1)
    >>> state = game.new_initial_state()
    >>> while not state.is_terminal():
    ...     state.apply_action(state.legal_actions()[0])

Actions are the numbers of moves: the same action has the same number at every state. Chance is a
player of its own, explicit and sampled by the caller, as in OpenSpiel. Returns are utilities, of which
players want much: under rules whose points should be few, they are the points below zero.
"""
from __future__ import annotations

import operator
from typing import Any, List, NamedTuple, Optional, Tuple

from .game import Game as _Game
from .game import State as _State

CHANCE_PLAYER = -1
TERMINAL_PLAYER = -4


class PlayerAction(NamedTuple):
    """A step of a game: who took it (-1: chance), and which it was."""
    player: int
    action: int


def utilities(game: _Game, state: _State) -> List[float]:
    """What the end of a game is worth to each player, who wants it to be high."""
    sign = -1.0 if game.lower_is_better else 1.0
    return [sign * payoff for payoff in state.returns()]


class Game:
    """A game under one set of rules."""

    def __init__(self, game: _Game) -> None:
        self.game = game

    def new_initial_state(self, text: Optional[str] = None) -> "State":
        return State(self, self.game.state(text) if text else self.game.start())

    def num_players(self) -> int:
        return self.game.num_players

    def num_distinct_actions(self) -> int:
        """Actions are below this number."""
        return self.game.num_moves

    def max_chance_outcomes(self) -> int:
        return self.game.num_moves if self.game.has_chance else 0

    def __str__(self) -> str:
        return f"{self.game.name}({self.game.rules})"


class State:
    """A state that changes with apply_action."""

    def __init__(self, game: Game, state: _State,
                 full_history: Tuple["PlayerAction", ...] = ()) -> None:
        self._game, self._state, self._full_history = game, state, full_history

    @property
    def _history(self) -> List[int]:
        return [step.action for step in self._full_history]

    def get_game(self) -> Game:
        return self._game

    @property
    def state(self) -> _State:
        """The immutable state, with its values."""
        return self._state

    def current_player(self) -> int:
        actor = self._state.actor()
        return actor if actor >= 0 else CHANCE_PLAYER if actor == -1 else TERMINAL_PLAYER

    def is_chance_node(self) -> bool:
        return self._state.is_chance()

    def is_terminal(self) -> bool:
        return self._state.is_terminal()

    def legal_actions(self, player: Optional[int] = None) -> List[int]:
        """Sorted, as in OpenSpiel; at a chance node the events; none for a player not in turn."""
        current = self.current_player()
        if player is not None and player != current:
            return []
        if current == CHANCE_PLAYER:
            return sorted(event for event, _ in self._state.chance_weights()[0])
        return sorted(self._state.legal_moves())

    def legal_actions_mask(self, player: Optional[int] = None) -> List[int]:
        mask = [0] * self.num_distinct_actions()
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def chance_outcomes(self) -> List[Tuple[int, float]]:
        return sorted(self._state.chances())

    def apply_action(self, action: int) -> None:
        player, action = self.current_player(), operator.index(action)
        self._state = self._state.apply(action)
        self._full_history += (PlayerAction(player, action),)

    def apply_action_with_legality_check(self, action: int) -> None:
        """The same: illegal actions are always refused."""
        self.apply_action(action)

    def child(self, action: int) -> "State":
        child = self.clone()
        child.apply_action(action)
        return child

    def clone(self) -> "State":
        return State(self._game, self._state, self._full_history)

    def action_to_string(self, player: int, action: Optional[int] = None) -> str:
        """action_to_string(player, action), or action_to_string(action)."""
        return self._state.move_text(player if action is None else action)

    def string_to_action(self, player: Any, text: Optional[str] = None) -> int:
        return self._state.parse_move(player if text is None else text)

    def returns(self) -> List[float]:
        """The utilities at the end of the game; zeros before."""
        if not self.is_terminal():
            return [0.0] * self.num_players()
        return utilities(self._game.game, self._state)

    def rewards(self) -> List[float]:
        return self.returns()

    def player_return(self, player: int) -> float:
        return self.returns()[player]

    def history(self) -> List[int]:
        return self._history

    def history_str(self) -> str:
        return ", ".join(map(str, self._history))

    def full_history(self) -> List[PlayerAction]:
        """The actions, each with the player who took it."""
        return list(self._full_history)

    def move_number(self) -> int:
        return len(self._history)

    def is_initial_state(self) -> bool:
        return not self._history

    def is_player_node(self) -> bool:
        return self.current_player() >= 0

    def is_simultaneous_node(self) -> bool:
        return False

    def num_players(self) -> int:
        return self._game.num_players()

    def num_distinct_actions(self) -> int:
        return self._game.num_distinct_actions()

    def observation_string(self, player: Optional[int] = None) -> str:
        return str(self._state)

    def information_state_string(self, player: Optional[int] = None) -> str:
        """The state: nothing is hidden, and the past does not matter."""
        return str(self._state)

    def __str__(self) -> str:
        return self._state.draw()


def load_game(name: str, **rules: Any) -> Game:
    """Opens a game as malpan.load does."""
    from . import load
    return Game(load(name, **rules))
