#!/usr/bin/env python3
"""Check `malpan eval box` against a plain, exact solver of Shut the Box.

    python3 tests/box_reference.py [FOLDER] [--variants N] [--seed S]      FOLDER holds malpan

With QUICK in the environment, a sample of the default game and fewer variants do.

The solver follows the rules in exact fractions.  Earlier players matter to a turn only
through their lowest score and how many share it, so values are kept as an `Outcome`:

    (to each earlier player at the lowest score, to the mover, to the next player, ...)

An earlier player above the lowest score can no longer win, and is left out.
"""

import argparse
import json
import math
import os
import random
import shlex
import subprocess
import sys
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

TOLERANCE = 1e-12
QUICK_SAMPLE, VARIANT_SAMPLE = 20_000, 400  # positions
MISMATCHES_SHOWN = 5
ZERO, ONE = Fraction(0), Fraction(1)
Tiles = tuple[int, ...]  # in increasing order
Outcome = tuple[Fraction, ...]


class Game(NamedTuple):
    """A variant of the game; these defaults are the program's."""
    tiles: int = 9
    dice: int = 2
    sides: int = 6
    one_die: str = "sum<=6"
    players: int = 2
    aim: str = "shut"


class Turn(NamedTuple):
    """Whose turn it is, the lowest score before it and how many players share that."""
    player: int
    lowest: int | None
    sharing: int


class Position(NamedTuple):
    """The open tiles, the mover, the earlier scores and the roll, if there is one."""
    open: Tiles
    player: int
    scores: tuple[int, ...]
    roll: int | None


def all_tiles(game: Game) -> Tiles:
    """The tiles open at the start of a turn."""
    return tuple(range(1, game.tiles + 1))


@lru_cache(maxsize=None)
def roll_ways(game: Game, tiles: Tiles) -> dict[int, int]:
    """In how many ways every roll can be thrown with these tiles open."""
    rule, _, limit = game.one_die.partition("<=")
    size = {"sum": sum(tiles), "top": max(tiles)}.get(rule)
    dice = 1 if rule != "never" and size <= int(limit) else game.dice
    rolls = [sum(throw) for throw in product(range(1, game.sides + 1), repeat=dice)]
    return {roll: rolls.count(roll) for roll in sorted(set(rolls))}


def subsets(tiles: Tiles) -> list[Tiles]:
    """Every non-empty set of these tiles."""
    return [chosen for size in range(1, len(tiles) + 1) for chosen in combinations(tiles, size)]


@lru_cache(maxsize=None)
def moves_for(tiles: Tiles, roll: int) -> list[Tiles]:
    """The sets of open tiles that sum to the roll, greatest from the largest tile down first."""
    moves = [chosen for chosen in subsets(tiles) if sum(chosen) == roll]
    return sorted(moves, key=lambda chosen: chosen[::-1], reverse=True)


def game_won(game: Game, turn: Turn, tiles: Tiles) -> bool:
    """Has the mover won at once: box shut, or the last player below every earlier score?"""
    last_of_several = game.players > 1 and turn.player == game.players - 1
    return not tiles or (last_of_several and sum(tiles) < turn.lowest)


def lone_result(game: Game, tiles: Tiles) -> Fraction:
    """What a player alone gets when stuck with these tiles open."""
    if game.aim == "score":
        return Fraction(sum(tiles))
    if game.aim == "digits":
        return Fraction("".join(map(str, tiles)))
    return ZERO


def turn_ended(game: Game, turn: Turn, tiles: Tiles) -> Outcome:
    """The outcome when the mover is stuck with these tiles open."""
    if game.players == 1:
        return ZERO, lone_result(game, tiles)
    score = sum(tiles)
    beats = turn.lowest is None or score < turn.lowest
    ties = score == turn.lowest
    sharing = 1 if beats else turn.sharing + 1 if ties else turn.sharing
    if turn.player == game.players - 1:
        share, later = Fraction(1, sharing), ()
    else:
        next_turn = Turn(turn.player + 1, score if beats else turn.lowest, sharing)
        share, *later = before_roll(game, next_turn, all_tiles(game))
    return (ZERO if beats else share, share if beats or ties else ZERO, *later)


def mean(values: Outcome, ways: list[int]) -> Fraction:
    """The average of values that come up in so many ways each, over a common denominator."""
    common = math.lcm(*(value.denominator for value in values))
    total = sum(way * value.numerator * (common // value.denominator)
                for way, value in zip(ways, values))
    return Fraction(total, common * sum(ways))


@lru_cache(maxsize=None)
def before_roll(game: Game, turn: Turn, tiles: Tiles) -> Outcome:
    """The expected outcome before the mover rolls."""
    if game_won(game, turn, tiles):
        prize = ONE if game.aim == "shut" else ZERO
        return (ZERO, prize) + (ZERO,) * (game.players - 1 - turn.player)
    ways = roll_ways(game, tiles)
    outcomes = [after_roll(game, turn, tiles, roll) for roll in ways]
    return tuple(mean(values, list(ways.values())) for values in zip(*outcomes))


def after_roll(game: Game, turn: Turn, tiles: Tiles, roll: int) -> Outcome:
    """The expected outcome once the mover has rolled."""
    ranked = ranked_moves(game, turn, tiles, roll)
    return ranked[0][1] if ranked else turn_ended(game, turn, tiles)


def ranked_moves(game: Game, turn: Turn, tiles: Tiles, roll: int) -> list[tuple[Tiles, Outcome]]:
    """Every move and its outcome, best for the mover first; equals stay as `moves_for` has them."""
    ranked = [(move, before_roll(game, turn, tuple(tile for tile in tiles if tile not in move)))
              for move in moves_for(tiles, roll)]
    return sorted(ranked, key=lambda pair: pair[1][1], reverse=game.aim == "shut")


def turn_at(position: Position) -> Turn:
    """What matters of a position's earlier scores."""
    lowest = min(position.scores, default=None)
    return Turn(position.player, lowest, position.scores.count(lowest))


def values_at(game: Game, position: Position) -> list[Fraction]:
    """The exact value of a position to every player."""
    turn = turn_at(position)
    if position.roll is None:
        share, *others = before_roll(game, turn, position.open)
    else:
        share, *others = after_roll(game, turn, position.open, position.roll)
    return [share if score == turn.lowest else ZERO for score in position.scores] + others


def moves_at(game: Game, position: Position) -> list[tuple[str, Fraction]]:
    """The text and exact value to the mover of every move, best first; none before a roll."""
    if position.roll is None:
        return []
    ranked = ranked_moves(game, turn_at(position), position.open, position.roll)
    return [("+".join(map(str, move)), outcome[1]) for move, outcome in ranked]


def position_text(position: Position) -> str:
    """A position as the program reads it, for at most nine tiles."""
    tiles, scores = "".join(map(str, position.open)), ",".join(map(str, position.scores))
    return f"{tiles} {position.player} {scores or '-'} {position.roll or '-'}"


def with_rolls(game: Game, unrolled: Position) -> list[Position]:
    """A position before the roll, and the same with every roll that leaves something to choose."""
    if game_won(game, turn_at(unrolled), unrolled.open):
        return [unrolled]
    rolls = [roll for roll in roll_ways(game, unrolled.open) if moves_for(unrolled.open, roll)]
    return [unrolled] + [unrolled._replace(roll=roll) for roll in rolls]


def every_position(game: Game, player: int) -> list[Position]:
    """Every position with this player to move."""
    earlier_scores = list(product(range(1, sum(all_tiles(game)) + 1), repeat=player))
    return [position for tiles in subsets(all_tiles(game)) for scores in earlier_scores
            for position in with_rolls(game, Position(tiles, player, scores, None))]


def random_position(game: Game, rng: random.Random) -> Position:
    """A random position; equal earlier scores are common in it."""
    scores: list[int] = []
    for _ in range(rng.randrange(game.players)):
        repeat = scores and rng.random() < 0.5
        scores.append(rng.choice(scores) if repeat else rng.randint(1, sum(all_tiles(game))))
    unrolled = Position(rng.choice(subsets(all_tiles(game))), len(scores), tuple(scores), None)
    return rng.choice(with_rolls(game, unrolled))


def random_game(rng: random.Random) -> Game:
    """A random small variant."""
    players, limit = rng.randint(1, 4), rng.randint(2, 8)
    return Game(tiles=rng.randint(3, 7), dice=rng.randint(1, 3), sides=rng.randint(2, 8),
                one_die=rng.choice([f"sum<={limit}", f"top<={limit}", "never"]), players=players,
                aim=rng.choice(["shut", "score", "digits"]) if players == 1 else "shut")


def command_for(program: str, game: Game) -> list[str]:
    """The command that evaluates positions of a game; options at their default are left out."""
    command = [program, "eval", "box"]
    for name, value in game._asdict().items():
        if value != Game._field_defaults[name]:
            command += ["--" + name.replace("_", "-"), str(value)]
    return command + ["-", "--json"]


def six_digits(value: Fraction) -> str:
    """The fraction itself rounded to six decimals, halves to even."""
    return "%.6f" % round(value, 6)


def number_faults(what: str, got: float, exact: Fraction, digits: bool) -> list[str]:
    """What is wrong with one number, if anything."""
    nearest = float(exact)
    if not abs(got - nearest) <= TOLERANCE * max(1.0, nearest):
        return [f"{what}: expected {nearest!r}, got {got!r}"]
    if digits and "%.6f" % got != six_digits(exact):
        return [f"{what}: expected {six_digits(exact)}, got {got!r}"]
    return []


def answer_faults(game: Game, position: Position, answer: dict, digits: bool) -> list[str]:
    """What is wrong with the program's answer for a position."""
    values, moves = values_at(game, position), moves_at(game, position)
    got_moves = [(entry["move"], entry["value"]) for entry in answer.get("moves", [])]
    head = (answer["position"], answer["player"], len(answer["values"]))
    if head != (position_text(position), position.player, game.players):
        return [f"position, player and number of values are {head}"]
    if [name for name, _ in got_moves] != [name for name, _ in moves]:
        return [f"moves: expected {[(n, float(v)) for n, v in moves]}, got {got_moves}"]
    faults = number_faults("value", answer["value"], values[position.player], digits)
    for player, exact in enumerate(values):
        faults += number_faults(f"values[{player}]", answer["values"][player], exact, digits)
    for (name, exact), (_, value) in zip(moves, got_moves):
        faults += number_faults(f"move {name}", value, exact, digits)
    return faults


def compare(program: str, game: Game, positions: list[Position], digits: bool) -> list[str]:
    """One description for each position that the program gets wrong."""
    command = command_for(program, game)
    texts = [position_text(position) for position in positions]
    run = subprocess.run(command, input="\n".join(texts + [""]), capture_output=True, text=True)
    lines = run.stdout.splitlines()
    mismatches = []
    if run.returncode != 0 or len(lines) != len(positions):
        mismatches.append(f"{len(lines)} lines for {len(positions)} positions, exit status "
                          f"{run.returncode}: {shlex.join(command)}")
    for text, position, line in zip(texts, positions, lines):
        try:
            faults = answer_faults(game, position, json.loads(line), digits)
        except (ValueError, KeyError, TypeError, AttributeError):
            expected = list(map(float, values_at(game, position)))
            faults = [f"expected values {expected}, got {line[:300]}"]
        if faults:
            mismatches.append(f"{text}: {'; '.join(faults)}\n"
                              f"    echo '{text}' | {shlex.join(command)}")
    return mismatches


NINE = all_tiles(Game())
PUBLISHED = [
    (Game(), Position(NINE, 0, (), None), "0.502810"),
    (Game(), Position((1, 4, 6, 7, 8, 9), 0, (), None), "0.256254"),
    (Game(), Position((1, 4, 6, 7, 8, 9), 0, (), 9), "9"),
    (Game(), Position(NINE, 1, (8,), None), "0.381212"),
    (Game(), Position((1, 2, 3, 4, 5, 6, 8, 9), 1, (41,), None), "1.000000"),
    (Game(), Position((1, 3, 4, 5, 6, 7, 8, 9), 1, (43,), None), "0.986111"),
    (Game(), Position((1, 3, 4, 5, 6, 7, 8, 9), 1, (17,), 12), "3+9"),
    (Game(players=1, one_die="never"), Position(NINE, 0, (), None), "0.071432"),
    (Game(players=1), Position(NINE, 0, (), None), "0.097614"),
]


def solver_mismatches() -> list[str]:
    """This solver against the published values and moves."""
    mismatches = []
    for game, position, published in PUBLISHED:
        moves = moves_at(game, position)
        mine = moves[0][0] if moves else six_digits(values_at(game, position)[position.player])
        if mine != published:
            mismatches.append(f"{game} {position}: expected {published}, got {mine}")
    return mismatches


def passed(part: str, mismatches: list[str]) -> bool:
    """Print the result of one part; true if nothing is wrong."""
    lines = [f"{part}, {len(mismatches)} wrong"] + mismatches[:MISMATCHES_SHOWN]
    print("\n  ".join(lines), flush=True)
    return not mismatches


def program_results(program: str, variants: int, seed: int) -> list[bool]:
    """Run every part that needs the program; whether each passed, every variant counting one."""
    wrong = [mismatch for game, position, _ in PUBLISHED
             for mismatch in compare(program, game, [position], digits=True)]
    results = [passed(f"published: {len(PUBLISHED)} positions", wrong)]
    first, second = every_position(Game(), player=0), every_position(Game(), player=1)
    positions = first + (random.Random(seed).sample(second, QUICK_SAMPLE) if "QUICK" in os.environ
                         else second)
    wrong = compare(program, Game(), positions, digits=True)
    results.append(passed(f"default game: {len(positions)} positions", wrong))
    rng, checked = random.Random(seed), 0
    for number in range(1, variants + 1):
        if sys.stderr.isatty():
            print(f"variant {number} of {variants}", end="\r", file=sys.stderr)
        game = random_game(rng)
        drawn = dict.fromkeys(random_position(game, rng) for _ in range(VARIANT_SAMPLE))
        checked += len(drawn)
        wrong = compare(program, game, list(drawn), digits=False)
        results.append(not wrong or passed(f"variant {number}: {len(drawn)} positions", wrong))
        before_roll.cache_clear()
    print(f"variants: {variants} games, {checked} positions, {results[2:].count(False)} wrong")
    return results


def main() -> int:
    """Run every part; the exit status is 1 if any fails."""
    parser = argparse.ArgumentParser(description="Check `malpan eval box` with an exact solver.")
    parser.add_argument("folder", nargs="?", default=".", help="where malpan is")
    parser.add_argument("--variants", type=int, default=15 if "QUICK" in os.environ else 60,
                        help="how many random variants")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    results = [passed(f"solver: {len(PUBLISHED)} published answers", solver_mismatches())]
    if all(results):
        try:
            results += program_results(os.path.join(options.folder, "malpan"), options.variants, options.seed)
        except OSError as error:
            results.append(passed("program", [str(error)]))
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
