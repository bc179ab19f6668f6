"""Games in the shape of PettingZoo's AEC environments. The package pettingzoo is not needed.

    >>> from malpan import pettingzoo
    >>> env = pettingzoo.env("yut", pieces=1)
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     mask = observation["action_mask"]
    ...     env.step(None if termination or truncation else mask.index(1))

Rewards are given at the end, and more is better: under rules whose points should be few, they are the
points below zero. Chance events happen by themselves, from the seed of reset(). An observation has the state's bytes
and a mask over all actions; both are bytes, which numpy.frombuffer reads without copying.
"""
from __future__ import annotations

import operator
import random
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from .game import Game, State
from .openspiel import utilities

STATE_BYTES = 64


class Discrete(NamedTuple):
    """A space of n actions, as gymnasium.spaces.Discrete."""
    n: int

    def contains(self, action: Any) -> bool:
        try:
            return 0 <= operator.index(action) < self.n
        except TypeError:
            return False

    def sample(self, mask: Optional[bytes] = None) -> int:
        """A random action, of those whose mask is 1."""
        return random.choice([i for i in range(self.n) if mask is None or mask[i]])


class Bytes(NamedTuple):
    """A space of so many numbers from 0 to 255."""
    shape: Tuple[int]
    dtype: str = "uint8"
    low: int = 0
    high: int = 255


class AECEnv:
    """An environment in which the agents act in turn."""

    def __init__(self, game: Game, max_steps: int = 100_000) -> None:
        self.game = game
        self.metadata = {"name": game.name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = [f"player_{i}" for i in range(game.num_players)]
        self.agents: List[str] = []
        self.max_steps = max_steps
        self.state: State = game.start()
        self._random = random.Random()

    def observation_space(self, agent: str) -> Dict[str, Bytes]:
        return {"observation": Bytes((STATE_BYTES,)), "action_mask": Bytes((self.game.num_moves,))}

    def action_space(self, agent: str) -> Discrete:
        return Discrete(self.game.num_moves)

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        """Starts a game; options={"position": text} starts elsewhere."""
        if seed is not None:
            self._random.seed(seed)
        position = (options or {}).get("position")
        self.state = self.game.state(position) if position else self.game.start()
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}
        self._steps = 0
        self._continue()

    def observe(self, agent: str) -> Dict[str, bytes]:
        mask = bytearray(self.game.num_moves)
        if self.possible_agents[self.state.turn()] == agent:
            for move in self.state.legal_moves():
                mask[move] = 1
        return {"observation": bytes(self.state)[:STATE_BYTES], "action_mask": bytes(mask)}

    def last(self, observe: bool = True) -> Tuple[Any, float, bool, bool, Dict[str, Any]]:
        """What the selected agent sees: observation, reward, termination, truncation, info."""
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent],
                self.terminations[agent], self.truncations[agent], self.infos[agent])

    def agent_iter(self, max_iter: int = 2 ** 63) -> Iterator[str]:
        while self.agents and max_iter > 0:
            yield self.agent_selection
            max_iter -= 1

    def step(self, action: Optional[int]) -> None:
        """The selected agent acts; None once its game has ended."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise ValueError("when an agent's game has ended, its only action is None")
            self._remove(agent)
            return
        if action is None:
            raise ValueError("expected an action, not None")
        self._cumulative_rewards[agent] = 0.0
        self.state = self.state.apply(action)
        self._steps += 1
        self._continue()

    def _continue(self) -> None:
        """Lets chance happen, until a player acts or the game is over."""
        while self.state.is_chance():
            events, _ = self.state.chance_weights()
            self.state = self.state.apply(self._random.choices(
                [event for event, _ in events], [weight for _, weight in events])[0])
        self.rewards = {agent: 0.0 for agent in self.agents}
        if self.state.is_terminal():
            payoffs = utilities(self.game, self.state)
            self.rewards = {agent: payoffs[i] for i, agent in enumerate(self.possible_agents)}
            self.terminations = {agent: True for agent in self.agents}
        elif self._steps >= self.max_steps:
            self.truncations = {agent: True for agent in self.agents}
        for agent in self.agents:
            self._cumulative_rewards[agent] += self.rewards[agent]
        self.agent_selection = self.possible_agents[self.state.turn()]

    def _remove(self, agent: str) -> None:
        """Removes an agent that has seen the end of its game, and selects the next one."""
        self.agents.remove(agent)
        tables: List[Dict[str, Any]] = [self.rewards, self._cumulative_rewards, self.terminations,
                                        self.truncations, self.infos]
        for table in tables:
            del table[agent]
        if self.agents:
            self.agent_selection = self.agents[0]

    def render(self) -> str:
        return self.state.draw()

    def close(self) -> None:
        """Nothing to close."""

    @property
    def num_agents(self) -> int:
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        return len(self.possible_agents)

    @property
    def unwrapped(self) -> "AECEnv":
        return self


def env(name: str, max_steps: int = 100_000, **rules: Any) -> AECEnv:
    """An environment of a game, opened as malpan.load does."""
    from . import load
    return AECEnv(load(name, **rules), max_steps)
