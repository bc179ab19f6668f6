"""Exact regret: how much a policy gives away against exact values."""
from __future__ import annotations

import operator
import random
from typing import Callable, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union

from .game import Game, Move, State

Policy = Callable[[State], Union[Move, Mapping[Move, float]]]
"""Maps a state where a player acts to a move, or to moves with probabilities."""


class Regret(NamedTuple):
    """What a policy gives away.

    positions   how many decisions were judged
    mean        the loss per decision: best value minus the value of what the policy does
    max         the largest loss
    optimal     the share of decisions without loss
    worst       the decisions with the largest losses: (loss, state), largest first
    is_exact    whether all values were exact; otherwise some were estimates
    """
    positions: int
    mean: float
    max: float
    optimal: float
    worst: List[Tuple[float, State]]
    is_exact: bool


def reachable(game: Game, limit: int = 1_000_000) -> Iterator[State]:
    """All states that can be reached, breadth first; ValueError if they are more than `limit`."""
    seen = {game.start()}
    queue = list(seen)
    for state in queue:
        yield state
        steps = state.legal_moves() or [event for event, _ in state.chance_weights()[0]]
        for step in steps:
            after = state.apply(step)
            if after not in seen:
                if len(seen) == limit:
                    raise ValueError(f"more than {limit} states; use sample_states")
                seen.add(after)
                queue.append(after)


def sample_states(game: Game, count: int, seed: int = 1) -> Iterator[State]:
    """`count` states where a player acts, from random games."""
    chooser = random.Random(seed)
    state = game.start()
    while count > 0:
        moves = state.legal_moves()
        if moves:
            yield state
            count -= 1
            state = state.apply(chooser.choice(moves))
        elif state.is_terminal():
            state = game.start()
        else:
            events, _ = state.chance_weights()
            state = state.apply(chooser.choices([event for event, _ in events],
                                                [weight for _, weight in events])[0])


def regret(game: Game, policy: Policy, states: Optional[Iterable[State]] = None,
           samples: Optional[int] = None, seed: int = 1, worst: int = 10) -> Regret:
    """Judges a policy at every decision of a small variant, or at a sample of a large one.

    Without `states` and `samples`, all states that can be reached are visited.
    """
    if states is None:
        states = reachable(game) if samples is None else sample_states(game, samples, seed)
    sense = -1.0 if game.lower_is_better else 1.0
    losses: List[Tuple[float, int, State]] = []
    total, largest, optimal, count, is_exact = 0.0, 0.0, 0, 0, True
    for state in states:
        if state.actor() < 0:
            continue
        moves = state.moves_by_value()
        values = {move.move: move.value for move in moves}
        is_exact = is_exact and all(move.kind != "estimate" for move in moves)
        chosen = policy(state)
        mix = chosen if isinstance(chosen, Mapping) else {operator.index(chosen): 1.0}
        if not set(mix) <= set(values):
            raise ValueError(f"the policy does not choose legal moves at {state}")
        if abs(sum(mix.values()) - 1) > 1e-6 or min(mix.values()) < 0:
            raise ValueError(f"the policy's probabilities are not positive with sum 1 at {state}")
        loss = sense * (moves[0].value - sum(values[move] * share for move, share in mix.items()))
        loss = max(0.0, loss)
        total += loss
        largest = max(largest, loss)
        optimal += loss < 1e-9
        losses.append((loss, count, state))
        count += 1
        if len(losses) > 50 * worst + 1000:
            losses = sorted(losses, key=lambda item: -item[0])[:worst]
    losses.sort(key=lambda item: -item[0])
    return Regret(count, total / max(count, 1), largest, optimal / max(count, 1),
                  [(loss, state) for loss, _, state in losses[:worst] if loss > 0], is_exact)
