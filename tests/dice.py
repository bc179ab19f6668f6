#!/usr/bin/env python3
"""Dice Yut at the command line, beside a second solver in exact fractions.

usage: tests/dice.py FOLDER [NAME ...]      FOLDER holds malpan and diceyut
"""
import functools
import json
import os
import re
import sys
import tempfile
import xml.etree.ElementTree as xml
from fractions import Fraction
from random import Random

from driving import Terminal, answer_of, check, refused, run, run_tests, same

FOLDER = os.path.abspath(sys.argv[1])
MALPAN = os.path.join(FOLDER, "malpan")
DICEYUT = os.path.join(FOLDER, "diceyut")
KNOWN = {"1 2 3 4 1 2 3 4 1 2": 190, "1 1 1 1 1 1 1 1 1 1": 133, "5 1 2 3 4 5 5 3 2 4": 214,
         "5 5 5 5 5 5 5 5 5 5": 130, "4 1 4 4 4 4 3 2 2 4": 205, "5 4 5 2 2 2 5 3 1 4": 245,
         "5 5 5 5 5 2 2 2 2 2": 160}


def malpan(*arguments, **options):
    return run(MALPAN, *arguments, **options)


def answer(*arguments, **options):
    return answer_of(MALPAN, *arguments, **options)


# --- the second solver ---

RING = ["0"] + [str(number) for number in range(2, 42, 2)] + ["F"]
HOME = ["25", "30i", "35", "40", "F"]
WAYS = {"10": ["13", "16i", "19"] + HOME, "20": ["22i", "24i"] + HOME,
        "30": ["28i", "27", "26i"] + HOME}


def after(square, steps):
    """Where a piece stops, by the lists of the rules."""
    if square in WAYS:
        ahead = WAYS[square]
    elif square in RING:
        ahead = RING[RING.index(square) + 1:]
    else:
        way = next(way for way in WAYS.values() if square in way)
        ahead = way[way.index(square) + 1:]
    return ahead[min(steps, len(ahead)) - 1]


def points(square):
    return 0 if square == "F" else int(square.rstrip("i"))


def choices(pieces, throw):
    """The squares that a piece may leave, with what follows."""
    for square in dict.fromkeys(pieces):
        if square == "F":
            continue
        to = after(square, throw)
        if to == "F" or to not in pieces:
            rest = list(pieces)
            rest.remove(square)
            yield square, to, tuple(sorted(rest + [to]))


@functools.cache
def online(pieces, left):
    """The expected points of the throws left."""
    if left == 0:
        return Fraction(0)
    return sum((online_with(pieces, left, throw) for throw in range(1, 6)), Fraction(0)) / 5


def online_with(pieces, left, throw):
    return max((points(to) + online(then, left - 1) for _, to, then in choices(pieces, throw)),
               default=Fraction(0))


def offline(pieces, throws):
    """All best lines, as the squares left and reached, and their score."""
    if not throws:
        return 0, [()]
    best, lines = 0, [()]
    found = False
    for square, to, then in choices(pieces, throws[0]):
        more, ways = offline(then, throws[1:])
        more += points(to)
        if not found or more > best:
            best, lines = more, []
        found = True
        if more == best:
            lines += [((square, to),) + way for way in ways]
    return best, lines


def random_pieces(random):
    squares = RING[1:-1] + sorted({square for way in WAYS.values() for square in way} - {"40", "F"})
    free = random.sample(squares, random.randint(0, 4))
    return tuple(sorted(free + random.choices(["0", "F"], k=4 - len(free))))


def test_online_values():
    random = Random(1)
    for _ in range(60):
        pieces, left, score = random_pieces(random), random.randint(0, 4), random.randint(0, 300)
        position = f"{','.join(pieces)} {score} {left}"
        found = json.loads(answer("eval", "dice", "--online", position, "--json"))
        same(Fraction(found["fraction"]), score + online(pieces, left), position)
    same(Fraction(json.loads(answer("eval", "dice", "--online", "0,0,0,0 0 6", "--json"))
                  ["fraction"]), online(("0",) * 4, 6))


def test_online_moves():
    random = Random(2)
    for _ in range(40):
        pieces, left, throw = random_pieces(random), random.randint(1, 4), random.randint(1, 5)
        found = json.loads(answer("eval", "dice", "--online", f"{','.join(pieces)} 0 {left}",
                                  str(throw), "--json"))
        expected = {f"{square}-{to}": points(to) + online(then, left - 1)
                    for square, to, then in choices(pieces, throw)}
        moves = found.get("moves", [])
        same(sorted(move["move"] for move in moves), sorted(expected))
        for move in moves:
            check(abs(move["value"] - float(expected[move["move"]])) < 1e-9, move)
        same(Fraction(found["fraction"]), online_with(pieces, left, throw))
        check([m["value"] for m in moves] == sorted((m["value"] for m in moves), reverse=True))


def test_lines():
    random = Random(3)
    for _ in range(12):
        throws = [random.randint(1, 5) for _ in range(7)]
        pieces = random_pieces(random)
        score, lines = offline(pieces, tuple(throws))
        found = json.loads(answer("eval", "dice", f"{','.join(pieces)} 0 "
                                  + ",".join(map(str, throws)), "--json"))
        same(found["value"], score)
        if "F" * 4 == "".join(pieces):
            continue
        same(found["best_lines"], len(lines))
        line = tuple(tuple(step["move"].split("-")) for step in found["best_line"])
        check(line in lines, line)


# --- the puzzle ---

def test_known_answers():
    for throws, score in KNOWN.items():
        same(answer("eval", "dice", throws, "--value"), f"{score}\n")
        same(answer("eval", "dice", *throws.split(), "--value"), f"{score}\n")
        done = run(DICEYUT, stdin=f"{throws}\n".encode())
        check(done.code == 0 and done.out == f"{score}\n".encode() and not done.err, done.out)


def test_batch():
    lines = list(KNOWN) + ["1 2 3", "0,0,0,0 0 5,5"]
    done = malpan("eval", "dice", "-", "--value", stdin="\n".join(lines).encode())
    expected = [str(score) for score in KNOWN.values()]
    found = done.out.decode().splitlines()
    same(found[:7], expected)
    check(found[7].startswith("error: expected ten throws") and found[8] == "40", found)
    same(done.code, 1)


def test_page():
    page = answer("eval", "dice", "5 1 2 3 4 5 5 3 2 4")
    check("best score, player 0: 214\n" in page and "the only best line:" in page, page)
    steps = re.findall(r"^  throw (\d): ([A-D]) from (\S+|the start) to (\S+), (\d+) points, "
                       r"(\d+) in all$", page, re.M)
    same([step[0] for step in steps], "5 1 2 3 4 5 5 3 2 4".split())
    where, score = dict.fromkeys("ABCD", "the start"), 0
    for _, piece, start, to, number, total in steps:
        same(start, where[piece])
        where[piece] = to
        score += int(number)
        same(int(total), score)
    same(score, 214)


def test_start_is_the_mean():
    page = answer("eval", "dice")
    check("best score, player 0: 214.820757 = 2097858958/9765625\n" in page, page)
    page = answer("eval", "dice", "--online")
    check("expected score, player 0: 203.112029 = 396703182/1953125\n" in page, page)


def test_throws():
    table = answer("eval", "dice", "--online", "0,0,10,25 37 4", "--throws")
    values = [Fraction(line.split()[2]) for line in table.splitlines()[-5:]]
    check(abs(sum(values) / 5 - (37 + online(("0", "0", "10", "25"), 4))) < 1e-6, table)


def test_price():
    found = json.loads(answer("dice", "price", "--json"))
    same(found["known_sum"], 2097858958)
    same(found["online_sum"], 5 * 396703182)
    check(abs(found["price"] - 11.708728) < 1e-6, found)
    text = answer("dice", "price")
    check("114343048/9765625 = 11.708728" in text, text)


def test_korean():
    page = answer("eval", "dice", "1 2 3 4 1 2 3 4 1 2", "--lang", "ko")
    check("최고 점수" in page and "출발 → 2" in page, page)


# --- all inputs ---

def test_all():
    found = json.loads(answer("stats", "dice", "--all", "--json"))
    counts = {int(score): count for score, count in found["inputs_by_score"].items()}
    same(sum(counts.values()), 5 ** 10)
    same(found["mean_fraction"], "2097858958/9765625")
    same(sum(score * count for score, count in counts.items()), 2097858958)
    for end, pick in (("smallest", min), ("largest", max)):
        same(found[end]["score"], pick(counts))
        same(len(found[end]["inputs"]), counts[pick(counts)])
        for throws in found[end]["inputs"]:
            same(answer("eval", "dice", throws, "--value"), f"{pick(counts)}\n")


def test_all_csv():
    lines = answer("stats", "dice", "--all", "--csv").splitlines()
    same(lines[0], "score,inputs")
    rows = [tuple(map(int, line.split(","))) for line in lines[1:]]
    same(sum(count for _, count in rows), 5 ** 10)
    same([score for score, _ in rows], list(range(rows[0][0], rows[-1][0] + 1)))


def test_all_online():
    found = json.loads(answer("stats", "dice", "--all", "--online", "--json"))
    same(found["mean_fraction"], "396703182/1953125")
    same(found["rules"], {"online": True, "throw-count": 10, "pieces": 4, "faces": "1,1,1,1,1"})


def test_all_text():
    """The rules follow the name, if they are not the usual ones; few inputs are listed."""
    text = answer("stats", "dice", "--all")
    check(text.startswith("dice\ninputs     9765625\n"
                          "mean       214.820757 = 2097858958/9765625\n"), text)
    check("smallest   113, by 1 input:\n           1 1 1 1 1 1 1 1 1 5\nlargest " in text, text)
    text = answer("stats", "dice", "--all", "--online")
    check(text.startswith("dice --online\ninputs     9765625\n"), text)


def test_all_title():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.svg")
        for options, rules in (([], ""), (["--online"], " --online")):
            answer("stats", "dice", "--all", "--csv", "--plot", path, *options)
            title = next(text.text for text in xml.parse(path).iter() if text.tag.endswith("text"))
            same(title, f"Dice Yut{rules}: all 9765625 inputs by score")


def test_plots():
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in (("all", ["--all"]), ("some", ["--games", "2000", "--online", "--memory", "16M"])):
            path = os.path.join(folder, f"{name}.svg")
            answer("stats", "dice", *arguments, "--plot", path)
            tree = xml.parse(path).getroot()
            bars = [bar for bar in tree.iter() if bar.tag.endswith("rect")][1:]
            check(50 < len(bars) < 120, len(bars))
            check(any("Dice Yut" in (text.text or "") for text in tree.iter()), path)


def test_options_of_all():
    refused(malpan("stats", "dice", "--all", "--games", "5"), 2, "--games")
    refused(malpan("stats", "dice", "--all", "--csv", "--plot", "/nowhere/x.svg"), 1, "/nowhere")
    refused(malpan("stats", "dice", "--csv"), 2, "--all")
    refused(malpan("stats", "box", "--all"), 3, "box")
    check(b"either --json or --csv" in malpan("stats", "dice", "--all", "--csv", "--json").out)


def test_simulation():
    options = ["--online", "--games", "5000", "--json", "--memory", "64M"]
    found = json.loads(answer("stats", "dice", "--perfect", *options))
    counts = {int(score): count for score, count in found["games_by_points"].items()}
    same(sum(counts.values()), 5000)
    check(abs(found["payoff_means"][0] - 203.112) < 2, found["payoff_means"])
    again = json.loads(answer("stats", "dice", "--perfect", *options, "--threads", "1"))
    same(found["games_by_points"], again["games_by_points"])
    check(json.loads(answer("stats", "dice", *options))["payoff_means"][0] < 170)


# --- diceyut ---

def test_diceyut_refuses():
    for text, word in (("", "not 0"), ("1 2 3 4 5 1 2 3 4", "not 9"),
                       ("1 2 3 4 5 1 2 3 4 5 1", "more than 10"), ("1 2 3 4 5 0 2 3 4 5", "'0'"),
                       ("1 2 3 4 5 6 2 3 4 5", "'6'"), ("1 2 3 4 5 x 2 3 4 5", "'x'"),
                       ("1 2 3 4 5 -1 2 3 4 5", "'-1'"), ("1 2 3 4 5 1.0 2 3 4 5", "'1.0'"),
                       ("1,2,3,4,5,1,2,3,4,5", "not 1"), ("abc", "not 1"),
                       ("1 2 3 4 5 1\0002 2 3 4 5", "throw")):
        refused(run(DICEYUT, stdin=text.encode()), 2, word)
    refused(run(DICEYUT, "5"), 2, "standard input")
    refused(run(DICEYUT, "--wrong"), 2, "--wrong")
    random = Random(4)
    for _ in range(50):
        refused(run(DICEYUT, stdin=random.randbytes(random.randint(30, 3000))), 2)


def test_diceyut_reads_blanks():
    for text in ("1\n2\n3\n4\n1\n2\n3\n4\n1\n2", "  1\t2 3 4\r\n1 2 3 4 1 2   \n\n",
                 " " * 100000 + "1 2 3 4 1 2 3 4 1 2"):
        done = run(DICEYUT, stdin=text.encode())
        check(done.code == 0 and done.out == b"190\n" and not done.err, done.err)


# --- playing ---

def test_play():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "game.txt")
        with Terminal(re.compile(r"player 0> "), [MALPAN, "play", "dice", "--line", "--online", "--seed",
                                                  "7", "--file", path]) as game:
            game.read()
            for _ in range(9):
                shown = game.say("?")
                game.say(re.search(r"^ *\d+\) (\S+) ", shown, re.M).group(1))
            shown = game.say("?")
            game.type(re.search(r"^ *\d+\) (\S+) ", shown, re.M).group(1))
            same(game.wait(), 0)
            check(re.search(r"Score \d+\.", game.rest()), "no score")
        check("--online" in open(path, encoding="utf-8").read())


def test_play_the_puzzle():
    throws = "5,1,2,3,4,5,5,3,2,4"
    found = json.loads(answer("eval", "dice", f"0,0,0,0 0 {throws}", "--json"))
    moves = [step["move"] for step in found["best_line"]]
    shown = answer("play", "dice", "--from", f"0,0,0,0 0 {throws}",
                   stdin="\n".join(["x", "0-8"] + moves).encode())
    check("move: expected 0-10, not 'x'" in shown and "Score 214." in shown, shown)
    shown = answer("play", "dice", "--seats", "perfect", "--seed", "5")
    check(re.search(r"Score \d+\.", shown) and shown.count("throw: ") == 10, shown)


if __name__ == "__main__":
    sys.exit(run_tests("dice.py", dict(globals()), sys.argv[2:]))
