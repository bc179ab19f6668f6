#!/usr/bin/env python3
"""Tabular Q-learning on one-piece Yut, judged by exact regret.

The learner plays both sides. After every few episodes malpan.regret compares its greedy policy with
exact values, over a fixed sample of real decisions, and the curve is drawn as an SVG file.

    python3 q_learning.py --episodes 20000 --plot regret.svg
"""
import argparse
import random
from collections import defaultdict

import malpan


class Learner:
    """Q-values by state and move, each from the view of the player who moves."""

    def __init__(self, game, curiosity=0.3, seed=1):
        self.game, self.curiosity = game, curiosity
        self.random = random.Random(seed)
        self.values = defaultdict(lambda: 0.5)
        self.visits = defaultdict(int)

    def greedy(self, state):
        """The move of the highest value; of several, any."""
        return max(state.legal_moves(),
                   key=lambda move: (self.values.get((state, move), 0.5), self.random.random()))

    def next_decision(self, state):
        """Plays chance until a player acts or the game is over."""
        while state.is_chance():
            events, _ = state.chance_weights()
            state = state.apply(self.random.choices(*zip(*events))[0])
        return state

    def play(self):
        """One episode, with an update after every move."""
        state = self.next_decision(self.game.start())
        while not state.is_terminal():
            moves = state.legal_moves()
            explore = self.random.random() < self.curiosity
            move = self.random.choice(moves) if explore else self.greedy(state)
            after = self.next_decision(state.apply(move))
            player = state.actor()
            if after.is_terminal():
                target = after.returns()[player]
            else:
                best = self.values[after, self.greedy(after)]
                target = best if after.actor() == player else 1 - best
            self.visits[state, move] += 1
            rate = self.visits[state, move] ** -0.6
            self.values[state, move] += rate * (target - self.values[state, move])
            state = after


def draw(points, path):
    """The curve as SVG: mean regret over episodes."""
    width, height, left, bottom = 640, 360, 70, 50
    most_x, most_y = points[-1][0] or 1, max(regret for _, regret in points) or 1
    places = [(left + (width - left - 20) * x / most_x,
               height - bottom - (height - bottom - 20) * y / most_y) for x, y in points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'font-family="sans-serif" font-size="13">'
            f'<rect width="100%" height="100%" fill="white"/>'
            f'<path d="M{left} 20V{height - bottom}H{width - 20}" fill="none" stroke="black"/>'
            f'<polyline points="{line}" fill="none" stroke="#1f6fb2" stroke-width="2"/>'
            f'<text x="{left - 8}" y="26" text-anchor="end">{most_y:.3f}</text>'
            f'<text x="{left - 8}" y="{height - bottom}" text-anchor="end">0</text>'
            f'<text x="{width - 20}" y="{height - 30}" text-anchor="end">{most_x} episodes</text>'
            f'<text x="{left}" y="{height - 12}">mean exact regret per decision</text></svg>\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--episodes", type=int, default=20_000)
    parser.add_argument("--measures", type=int, default=10, help="points of the curve (10)")
    parser.add_argument("--plot", help="the SVG file to write")
    arguments = parser.parse_args()
    game = malpan.load("yut", pieces=1, policy="exact")
    judged = [state for state in malpan.sample_states(game, 6000) if len(state.legal_moves()) > 1]
    learner, points = Learner(game), []
    for measure in range(arguments.measures + 1):
        episodes = arguments.episodes * measure // arguments.measures
        for _ in range(episodes - (points[-1][0] if points else 0)):
            learner.play()
        found = malpan.regret(game, learner.greedy, judged)
        points.append((episodes, found.mean))
        print(f"episodes {episodes:6} {found.mean:.6f} mean regret, {found.optimal:.1%} optimal")
    if arguments.plot:
        draw(points, arguments.plot)


if __name__ == "__main__":
    main()
