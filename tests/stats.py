#!/usr/bin/env python3
"""malpan stats: the page has the figures of the JSON, each on its line.

usage: tests/stats.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import json
import os
import sys

from driving import answer_of, check, run_tests, same

MALPAN = os.path.join(os.path.abspath(sys.argv[1]), "malpan")


def pages(*arguments):
    """What it prints, and the JSON of the same games."""
    command = [MALPAN, "stats", *arguments]
    return answer_of(*command), json.loads(answer_of(*command, "--json"))


def line(label, text):
    return f"{label:22}{text}\n"


def play_lines(found, kind="random games"):
    """The lines about the games and their moves."""
    moves, branching = found["moves"], found["branching"]
    whole = round(branching["mean"]), round(moves["mean"])
    power = str(whole[0] ** whole[1])
    return (
        line(kind, f"{found['games']} (seed {found['seed']})")
        + line("moves per game", f"{moves['mean']:.3f} (shortest {moves['shortest']}, "
                                 f"longest {moves['longest']})")
        + (line("chance events", f"{found['chance_events_mean']:.3f} per game")
           if found["chance_events_mean"] else "")
        + line("legal moves per turn", f"{branching['mean']:.3f} (most {branching['most']})")
        + line("game tree", f"{branching['mean']:.3f}^{moves['mean']:.3f} = "
                            f"10^{found['tree_log10']:.2f}, an estimate")
        + (line("", f"in whole numbers {whole[0]}^{whole[1]} = {power}")
           if len(power) <= 120 else ""))


def payoff_line(found, label):
    means = ", ".join(f"{mean:.4f}" for mean in found["payoff_means"])
    return line(label, f"{means} (mean, by seat)")


def histogram(counts):
    """A line for each number, or for as many of them as it takes to have 24 lines at most."""
    counts = {int(number): count for number, count in counts.items()}
    first, last = min(counts), max(counts)
    step = (last - first) // 24 + 1
    sums = {low: sum(counts.get(low + i, 0) for i in range(step))
            for low in range(first, last + 1, step)}
    highest = max(sums.values())
    return "".join(f"{f'{low}-{low + step - 1}' if step > 1 else low:>11} "
                   f"{'#' * (50 * count // highest)} {count}\n" for low, count in sums.items())


def test_box():
    text, found = pages("box", "--games", "300", "--seed", "5")
    same(text, "box --tiles 9 --dice 2 --sides 6 --one-die sum<=6 --players 2 --aim shut "
               "--shut-wins on --two-to-go off --limit 0 --rounds 1\n"
         + play_lines(found) + payoff_line(found, "chance of winning")
         + line("states", "128154 can be reached, counted one by one")
         + "games by number of moves\n" + histogram(found["games_by_moves"]))
    check(abs(sum(found["payoff_means"]) - 1) < 1e-9, found["payoff_means"])
    same(sum(found["games_by_moves"].values()), 300)


def test_games_without_a_move():
    """Both players may be stuck at once."""
    text, found = pages("box", "--tiles", "4", "--games", "1000")
    by_moves = {int(moves): games for moves, games in found["games_by_moves"].items()}
    same((found["moves"]["shortest"], found["moves"]["longest"]), (0, max(by_moves)))
    check("(shortest 0, longest " in text, text)


def test_points():
    """A player alone collects points."""
    text, found = pages("box", "--games", "50", "--players", "1", "--aim", "score",
                        "--memory", "1M")
    same(len(found["payoff_means"]), 1)
    points = found["games_by_points"]
    same(sum(points.values()), 50)
    mean = sum(int(number) * count for number, count in points.items()) / 50
    check(abs(mean - found["payoff_means"][0]) < 1e-9, mean, found["payoff_means"])
    check("\ngames by points\n" in text and "games by number of moves" not in text, text)


def test_endings_and_placements():
    text, found = pages("valley", "--soldiers", "1", "--games", "100")
    endings = [(sum(one["won_by"]), one["how"], one["won_by"]) for one in found["endings"]]
    ended = "".join(line("" if i else "ended", f"{count:.2f} % of the games: {how} (won by "
                                               f"player 0: {won[0]}, player 1: {won[1]})")
                    for i, (count, how, won) in enumerate(endings))
    placements = found["placements"]
    part = placements["drawn_legal"] / 100
    margin = 1.96 * (part * (1 - part) / 100) ** 0.5
    same(text, "valley --soldiers 1 --start standard\n" + play_lines(found) + payoff_line(found, "games won") + ended
         + line("states", f"{found['states']['reached']} can be reached, counted one by one")
         + line("placements", "303600 of all pieces")
         + line("legal, by a sample",
                f"{100 * part:.2f} % +- {100 * margin:.2f} of 100 drawn, so about "
                f"{part * 303600:.4g} +- {margin * 303600:.2g}")
         + line("legal, exactly", "279312 (92.00 %); the game goes on in 254976 (83.98 %)")
         + "games by number of moves\n" + histogram(found["games_by_moves"]))
    same(sum(count for count, _, _ in endings), 100)
    check(all(len(won) == 2 for _, _, won in endings), endings)


def test_games_without_end():
    """Two kings alone seldom come to an end: means of no games are 0."""
    text, found = pages("valley", "--soldiers", "0", "--games", "3")
    same((found["cut_off"], found["games_by_moves"]), (3, {}))
    same((found["moves"], found["payoff_means"]),
         ({"mean": 0.0, "shortest": 0, "longest": 0}, [0.0, 0.0]))
    check(line("cut off", "3 games that did not end in time") in text, text)
    check(text.startswith("valley --soldiers 0 --start standard\n" + play_lines(found)), text)
    check(payoff_line(found, "games won") in text, text)


def test_perfect():
    text, found = pages("race", "--perfect", "--games", "50", "--memory", "1M")
    check(text.startswith("race") and play_lines(found, "games of best play") in text, text)
    check("more than" in text and not found["states"]["complete"] or
          "counted one by one" in text and found["states"]["complete"], text)


if __name__ == "__main__":
    sys.exit(run_tests("stats", dict(globals()), sys.argv[2:]))
