#!/usr/bin/env python3
"""The Python package's speed on one core, by processor time: steps, and values in batches.

Usage: MALPAN_LIBRARY=build/libmalpan.so.1 PYTHONPATH=bindings/python python3 bench/python.py
"""
import random
import time

import malpan

STEPS, STATES = 40_000, 100_000


def walk(game):
    """Steps per second of a random walk: the legal moves or chances of a state, and the next state."""
    state, draw, begin = game.start(), random.Random(1).random, time.process_time()
    for _ in range(STEPS):
        moves = state.legal_moves()
        if moves:
            state = state.apply(moves[int(draw() * len(moves))])
            continue
        events = state.chances()
        state = state.apply(events[int(draw() * len(events))][0]) if events else game.start()
    return STEPS / (time.process_time() - begin)


def apply_only(game):
    """State steps per second: the state after a known move."""
    state = game.start()
    moves = state.legal_moves() or [event for event, _ in state.chances()]
    begin = time.process_time()
    for _ in range(STEPS):
        state.apply(moves[0])
    return STEPS / (time.process_time() - begin)


def batch(game):
    """Values per second in a batch."""
    packed = game.pack(malpan.sample_states(game, STATES))
    game.values(packed)
    begin = time.process_time()
    game.values(packed)
    return STATES / (time.process_time() - begin)


def main():
    for name in malpan.games():
        game = malpan.load(name)
        print(f"{name:7} {apply_only(game):9.0f} state steps/s (goal 200000), "
              f"{walk(game):9.0f} with listing the moves")
    print(f"box     {batch(malpan.load('box')):9.0f} values/s in batches (goal 1000000)")


if __name__ == "__main__":
    main()
