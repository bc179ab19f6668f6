#!/usr/bin/env python3
"""What solved Yut tells: `malpan yut facts`, against a plain model of the game with one piece each;
and scripts/animals.

usage: tests/facts.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import functools
import json
import os
import re
import sys
import tempfile
import xml.etree.ElementTree as xml

import driving
from driving import check, refused, run, run_tests, same

MALPAN = os.path.join(os.path.abspath(sys.argv[1]), "malpan")
TABLES = tempfile.TemporaryDirectory()  # none but those that the tests themselves make
driving.ENVIRONMENT["MALPAN_TABLES"] = TABLES.name
QUICK = "QUICK" in os.environ  # under the sanitizers


def malpan(*arguments, **options):
    return run(MALPAN, *arguments, **options)


@functools.cache
def facts(*options):
    """What the program finds, from its JSON."""
    done = malpan("yut", "facts", "--json", *options)
    check(done.code == 0 and done.err == b"", done.code, done.err)
    return json.loads(done.out)


@functools.cache
def facts_of(pieces):
    """The same with so many pieces; with two, little memory leaves out what takes long."""
    if pieces == 1:
        return facts("--pieces", "1")
    malpan("solve", "yut", "--pieces", str(pieces))
    return facts("--pieces", str(pieces), "--memory", "8M", "--games", "100")


# --- the model: one piece each, from the rules as they are written ---

HOME = 100
CHANCES = {"back-do": 1 / 16, "do": 3 / 16, "gae": 6 / 16, "geol": 4 / 16, "yut": 1 / 16,
           "mo": 1 / 16}
STEPS = {"do": 1, "gae": 2, "geol": 3, "yut": 4, "mo": 5}
RING = [*range(20), 29, HOME]
FROM_5 = [5, 20, 21, 22, 23, 24, 15, 16, 17, 18, 19, 29, HOME]
FROM_10 = [10, 25, 26, 22, 27, 28, 29, HOME]
FROM_22 = [22, 27, 28, 29, HOME]
BACK = {0: 0, 1: 29, 29: 19, 15: 14, 22: 21, 20: 5, 25: 10, 27: 22, 23: 22}
SQUARES = range(30)
FOLLOWED = 4  # extra throws of a turn; more are rarer than one in 30,000


def way_from(square):
    """The route that a piece standing there follows."""
    if square == 22:
        return FROM_22
    if square == 10 or 25 <= square <= 28:
        return FROM_10
    return FROM_5 if square == 5 or 20 <= square <= 24 else RING


def moved(square, result):
    if result == "back-do":
        return BACK.get(square, square - 1)
    way = way_from(square)
    return way[min(way.index(square) + STEPS[result], len(way) - 1)]


@functools.cache
def positions():
    """All positions about to throw: (thrower's square, other's square)."""
    return [(own, other) for own in SQUARES for other in SQUARES if own != other or own == 0]


@functools.cache
def values():
    """The thrower's chance in each of them, as `malpan eval` has it."""
    lines = "".join(f"{own}/{other} 0 -\n" for own, other in positions())
    done = malpan("eval", "yut", "-", "--pieces", "1", "--json", stdin=lines.encode())
    check(done.code == 0, done.err)
    return {position: json.loads(line)["values"][0]
            for position, line in zip(positions(), done.out.splitlines(), strict=True)}


class Turn:
    """One turn, best played: what it is worth, and how likely each next position is."""

    def __init__(self, values_of):
        self.values = values_of
        self.play = functools.cache(self.play)
        self.throw = functools.cache(self.throw)

    def play(self, results, own, other, extras):
        if own == HOME:
            return 1, {}
        if not results:
            return 1 - self.values[other, own], {(other, own): 1}
        best = -1, {}
        for result in set(results):
            left = list(results)
            left.remove(result)
            to = moved(own, result)
            if to == other and to != 0:
                found = self.throw(tuple(left), to, 0, extras)
            else:
                found = self.play(tuple(left), to, other, extras)
            best = max(best, found, key=lambda one: one[0])
        return best

    def throw(self, results, own, other, extras):
        value, whole, then = 0, 0, {}
        for result, chance in CHANCES.items():
            again = result in ("yut", "mo")
            if again and extras == 0:
                continue  # taken to be like the others
            step = self.throw if again else self.play
            one, after = step(tuple(sorted((*results, result))), own, other, extras - again)
            value += chance * one
            whole += chance
            for position, part in after.items():
                then[position] = then.get(position, 0) + chance * part
        return value / whole, {position: part / whole for position, part in then.items()}


@functools.cache
def turns():
    """How many turns each position still takes when both play their best."""
    turn = Turn(values())
    after = {}
    for own, other in positions():
        value, after[own, other] = turn.throw((), own, other, FOLLOWED)
        check(abs(value - values()[own, other]) < 1e-4, own, other, value)
    length = dict.fromkeys(positions(), 10.0)
    change = 1
    while change > 1e-7:
        change = 0
        for position, then in after.items():
            new = 1 + sum(part * length[following] for following, part in then.items())
            change = max(change, abs(new - length[position]))
            length[position] = new
    return length


def listed(name):
    """(position, number) pairs of one of the lists."""
    return [(tuple(map(int, one["position"].split()[0].split("/"))), one["number"])
            for one in facts("--pieces", "1")[name]]


def check_list(name, numbers, rank, error=1e-6):
    """The list has the three highest ranks of all these positions."""
    found = listed(name)
    best = sorted(map(rank, numbers.values()), reverse=True)[:3]
    for (position, number), high in zip(found, best, strict=True):
        check(abs(number - numbers[position]) < error, name, position, number, numbers[position])
        check(abs(rank(number) - high) < error, name, position, number, high)


# --- what is found ---

def test_start_and_lists():
    found = facts("--pieces", "1")
    check(abs(found["start"] - 0.510281) < 1e-6 and found["error"] < 1e-6, found["start"])
    check(found["positions"] == len(positions()), found["positions"])
    even = sum(0.45 <= value <= 0.55 for value in values().values())
    check(found["even"] == even, found["even"], even)
    check_list("best", values(), lambda value: value)
    check_list("worst", values(), lambda value: -value)
    check_list("closest", {(own, other): value for (own, other), value in values().items()
                           if own and other}, lambda value: -abs(value - 0.5))
    check_list("hottest", {(own, other): values()[own, other] + values()[other, own] - 1
                           for own, other in positions() if own <= other}, lambda swing: swing)


def test_closest_are_on_the_board():
    """Under these rules, positions with a piece at the start are as close to even."""
    for odds in ("5,1,1,1,1,1", "5,7,0,3,2,2"):
        found = [entry["position"] for entry in facts("--pieces", "1", "--odds", odds)["closest"]]
        pieces = [piece for position in found for piece in position.split()[0].split("/")]
        check(len(found) == 3 and not {"0", "100"} & set(pieces), odds, found)


def test_turns():
    found = facts("--pieces", "1")
    check(abs(found["turns"] - turns()[0, 0]) < 1e-3, found["turns"], turns()[0, 0])
    check_list("longest", turns(), lambda length: length, error=1e-3)


def test_worth():
    """Of each square: the mean over who throws next, less one half."""
    for pieces in (1, 2):
        found = facts_of(pieces)["worth"]
        squares = [*range(1, 30)] + [HOME] * (pieces > 1)
        check(list(found) == [str(square) for square in squares], list(found))
        rest = "0," * (pieces - 1)
        lines = "".join(f"{rest}{square}/{rest}0 {turn} -\n" for square in squares
                        for turn in (0, 1))
        done = malpan("eval", "yut", "-", "--pieces", str(pieces), "--json", stdin=lines.encode())
        chances = [json.loads(line)["values"][0] for line in done.out.splitlines()]
        for square, first, second in zip(squares, chances[::2], chances[1::2], strict=True):
            expected = (first + second) / 2 - 0.5
            check(abs(found[str(square)] - expected) < 1e-6, square, found[str(square)], expected)


def test_games():
    """They are as long and as often won as the values say; the parts add up."""
    for pieces, count, turn_count in ((1, 1000, turns()[0, 0]), (2, 100, 17.14)):
        found = facts_of(pieces)
        games = found["games"]
        check(games["count"] == count, games)
        for name, truth in (("turns", turn_count), ("first_won", found["start"])):
            share = games[name]
            check(abs(share["mean"] - truth) < 1.5 * share["margin"], pieces, name, share, truth)
        entering, running = (games[kind]["of_all"]["mean"] for kind in ("enters", "runs"))
        check(0.95 < entering + running < 1, entering, running)  # the rest: a back-do on 0
        check(0 < games["only"]["mean"] + games["same"]["mean"] < 1, games)
        check(games["second"]["mean"] <= games["last"]["mean"], games)
        check((games["stacks"]["of_choices"] is None) == (pieces == 1), games["stacks"])


def test_repeatable():
    one = malpan("yut", "facts", "--pieces", "1", "--games", "50", "--threads", "1")
    two = malpan("yut", "facts", "--pieces", "1", "--games", "50", "--threads", "2")
    other = malpan("yut", "facts", "--pieces", "1", "--games", "50", "--seed", "2")
    same(one.out, two.out)
    check(other.code == 0 and other.out != one.out)


def test_text():
    """The words and the JSON tell the same."""
    text = malpan("yut", "facts", "--pieces", "1").out.decode()
    found = facts("--pieces", "1")
    check(text.startswith("yut --pieces 1\n"), text[:80])
    for number in (f"chance: {found['start']:.6f} ", f"takes {found['turns']:.2f} turns",
                   f"{found['positions']:,} positions", found["longest"][0]["position"],
                   f" 29 {100 * found['worth']['29']:+.1f} "):
        check(number in text, number, text)
    check(all(len(line) <= 90 for line in text.splitlines()), text)


def test_plot():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "board.svg")
        done = malpan("yut", "facts", "--pieces", "1", "--games", "2", "--plot", path)
        check(done.code == 0, done.err)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        picture = xml.fromstring(text)
        circles = {(int(one.get("cx")), int(one.get("cy"))) for one in picture.findall("{*}circle")}
        check(len(circles) == 29, "circles", len(circles))
        both = [sorted({at[axis] for at in circles}) for axis in (0, 1)]
        check({(both[0][0] + both[0][-1] - x, y) for x, y in circles} == circles and
              {(x, both[1][0] + both[1][-1] - y) for x, y in circles} == circles,
              "the board is not the same from every side", circles)
        worth = facts("--pieces", "1")["worth"]
        pairs = [[one.text for one in group] for group in picture.findall("{*}g")[1:]]
        check(pairs == [[f"{100 * value:.1f}", square] for square, value in worth.items()], pairs)
        colours = set(re.findall(r'<circle .*fill="(#\w+)"', text))
        check(len(colours) > 20, "one colour for all")
        check(all(re.fullmatch("#[0-9a-f]{6}", one) for one in colours), colours)


def compare(*arguments):
    """The sets of `malpan yut compare --json`, by name."""
    done = malpan("yut", "compare", "--json", *arguments)
    check(done.code == 0, done.err)
    return {one["name"]: one for one in json.loads(done.out)["sets"]}


def test_compare():
    """Exact chances as eval has them, figures that fit the facts, and skill that pays."""
    sets = compare("--pieces", "2", "--games", "400", "snu", "family", "nak=0.5", "catch-bonus=never")
    for name, options in [("snu", ""), ("family", "--preset family"), ("nak=0.5", "--nak 0.5"),
                          ("catch-bonus=never", "--catch-bonus never")]:
        value = malpan("eval", "yut", "--pieces", "2", "--value", *options.split()).out
        check(f"{sets[name]['start']:.6f}" == value.decode().strip(), name, value)
        check(options in sets[name]["rules"] or name == "family", sets[name]["rules"])
        lost = sets[name]["lost"]
        check(lost["random"]["mean"] > lost["expectimax"]["mean"] + 0.1, name, lost)
        check(lost["random"]["mean"] - lost["random"]["margin"] > lost["greedy"]["mean"], name, lost)
        check(-0.05 < lost["expectimax"]["mean"] < 0.1, name, lost)
    check(sets["nak=0.5"]["turns"]["mean"] > 1.5 * sets["snu"]["turns"]["mean"], sets)
    check(all(1 < one["catches"]["mean"] < 4 for one in sets.values()), sets)


def test_compare_reads_rules():
    """Presets come first, then the options of the command line, then those of the set."""
    base = ("--pieces", "1", "--games", "2")
    check(list(compare(*base)) == ["snu", "plain", "choice", "korean", "family"])
    sets = compare(*base, "--nak", "0.2", "--back-do", "off", "family", "family+nak=0.1", "traps=7")
    check("--nak 0.2 --traps 18" in sets["family"]["rules"], sets["family"])
    check("--back-do off" in sets["family"]["rules"], sets["family"])
    check("--nak 0.1 --traps 18" in sets["family+nak=0.1"]["rules"], sets)
    check("--nak 0.2 --traps 7" in sets["traps=7"]["rules"], sets)
    for word, why in [("teams", "only for two players"), ("nak=0.9", "--nak: expected"),
                      ("snow", "unknown preset 'snow'"), ("traps=1,2,3,4,5", "ever come home"),
                      ("animals=ps", "without animals"), ("x" * 80, "too long"),
                      ("kings=1", "no rule option 'kings'")]:
        done = malpan("yut", "compare", *base, word)
        check(done.code in (2, 3) and why in done.err.decode(), word, done.err)
    one = malpan("yut", "compare", "--pieces", "1", "--games", "40", "--threads", "1")
    two = malpan("yut", "compare", "--pieces", "1", "--games", "40", "--threads", "2")
    same(one.out, two.out)
    check(all(len(line) <= 92 for line in one.out.decode().splitlines()), one.out)


def test_compare_plot():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rules.svg")
        done = malpan("yut", "compare", "--pieces", "1", "--games", "2", "--plot", path, "snu", "nak=0.1")
        check(done.code == 0, done.err)
        picture = xml.parse(path).getroot()
        words = [one.text for one in picture.findall("{*}text")]
        check("snu" in words and "nak=0.1" in words, words)
        check(len(picture.findall("{*}rect")) == 1 + 4 + 2 * 4, "bars")


def test_other_rules():
    plain = facts("--pieces", "1", "--back-do", "off", "--games", "10")
    value = malpan("eval", "yut", "--pieces", "1", "--back-do", "off", "--value").out
    check(f"{plain['start']:.6f}\n".encode() == value, plain["start"], value)


def test_refusals():
    for options, code, words in [
        (["--pieces", "1", "--animals", "pd"], 3, ["without animals"]),
        (["--pieces", "1", "--players", "3"], 3, ["two players"]),
        (["--pieces", "3"], 4, ["malpan solve yut --pieces 3"]),
        (["--pieces", "1", "--games", "1"], 2, ["--games"]),
        (["--pieces", "5"], 2, ["--pieces"]),
        (["--pieces", "1", "--cow"], 2, ["--cow is not an option of yut facts"]),
        (["--pieces", "1", "--value"], 2, ["--value is not an option of yut facts"]),
        (["--pieces", "1", "more"], 2, ["expected no more words"]),
        (["--pieces", "1", "--games", "2", "--plot", "/no/such/folder/a.svg"], 1, ["/no/such"]),
    ]:
        refused(malpan("yut", "facts", *options), code, *words)
    refused(malpan("yut", "table", "--pieces", "1"), 2, "--pieces is not an option of yut table")
    error = malpan("yut", "table", "--json")
    check(error.code == 2 and json.loads(error.out)["error"]["code"] == "usage", error.out)


def test_little_memory():
    """Without room for turns, or for all positions, the rest is told all the same."""
    some = facts_of(2)
    check("turns" not in some and some["positions"] == 217562, some)
    less = facts("--pieces", "2", "--memory", "900K", "--games", "3")
    check("positions" not in less and less["worth"] == some["worth"], less)
    refused(malpan("yut", "facts", "--pieces", "2", "--memory", "8M", "--turns"), 3, "--memory")


# --- animals ---

def test_cows_settle():
    """Positions that no cow can come to must not keep the solver waiting."""
    done = malpan("eval", "yut", "0/0 0 - cc", "--value")
    check(done.out == b"0.506088\n", done.out, done.err)


def test_first_seat():
    """In a match, the part of seat 0 is that of its animal, whoever plays it."""
    for pair in ("dp", "pd"):
        rules = ["--animals", pair, "--pieces", "1"]
        exact = float(malpan("eval", "yut", *rules, "--value").out)
        found = json.loads(malpan("match", "yut", "perfect", "perfect", *rules, "--games", "200",
                                  "--json").out)
        check(found["mean"] == 0.5, found)
        check(0 < found["seat_margin"] < 0.12, found)
        check(abs(found["seat_mean"] - exact) < 1.5 * found["seat_margin"], found, exact)


def test_animals():
    """The script prints what eval says, and draws it."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scripts", "animals")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "animals.svg")
        names = ["pig", "dog"] if QUICK else ["none", "pig", "dog"]
        done = run(script, "--among", "".join(name[0] for name in names), "--plot", path,
                   env={"MALPAN": MALPAN})
        check(done.code == 0 and done.err == b"", done.err)
        rows = re.findall(r"^(\w+) +([\d.]+(?: +[\d.]+)+)$", done.out.decode(), re.M)
        same([name for name, _ in rows], 2 * names)
        tables = [{(row, column): float(number) for row, numbers in half
                   for column, number in zip(names, numbers.split(), strict=True)}
                  for half in (rows[:len(names)], rows[len(names):])]
        for table, known in zip(tables, ({("none", "none"): 51.0, ("dog", "pig"): 73.8,
                                          ("pig", "dog"): 32.2},
                                         {("none", "none"): 50.0, ("dog", "pig"): 70.8})):
            for pair, number in known.items():
                check(table.get(pair, number) == number, pair, table)
        numbers = [one.text for one in xml.parse(path).findall("{*}text")]
        check(all(f"{number:.1f}" in numbers for number in tables[1].values()), numbers)


if __name__ == "__main__":
    sys.exit(run_tests("facts", dict(globals()), sys.argv[2:]))
