#!/usr/bin/env python3
"""`malpan review`: the numbers of the page's review, as text, JSON and a chart.

usage: tests/review.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import json
import pathlib
import re
import sys
import tempfile
import xml.etree.ElementTree

from driving import check, refused, run, run_tests, same
from serving import MALPAN, Browser, serving

GAMES = [("box", "--tiles 6", "random,perfect"), ("yut", "--pieces 1", "random,greedy"),
         ("race", "", "random"), ("dice", "", "random"), ("valley", "--soldiers 1", "random"),
         ("box", "--tiles 5 --players 3", "random,perfect,random"), ("yut", "--players 3", "random")]


def played(folder, number):
    """The file of a finished game."""
    game, rules, seats = GAMES[number]
    path = pathlib.Path(folder, f"{number}.txt")
    if not path.exists():
        done = run(MALPAN, "play", game, *rules.split(), "--seats", seats, "--seed", "3",
                   "--file", str(path))
        same(done.code, 0, done.err)
    return path


def reviewed(*words, stdin=b""):
    done = run(MALPAN, "review", *map(str, words), stdin=stdin)
    same((done.code, done.err), (0, b""))
    return done.out.decode()


def test_numbers_add_up():
    """Luck, skill and what others did lead from the first value to the last one."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(len(GAMES)):
            review = json.loads(reviewed(played(folder, number), "--json"))
            same(review["game"], GAMES[number][0])
            for player in review["players"]:
                parts = player["start"] + player["luck"] + player["skill"] + player["others"]
                check(abs(parts - player["result"]) < 1e-9, player)
            for step in review["steps"]:
                check(("verdict" in step) == ("loss" in step) == ("luck" not in step), step)
                check("loss" not in step or step["loss"] > 1e-9 or step["verdict"] == "best", step)
            losses = [step.get("loss", 0) for step in review["steps"]]
            same([losses[i] for i in review["worst"]], sorted(filter(None, losses))[::-1][:3])


def test_the_pages_numbers():
    with serving() as server, tempfile.TemporaryDirectory() as folder:
        browser = Browser(server)
        for number in (0, 1, 3, 4):
            path = played(folder, number)
            mine = json.loads(reviewed(path, "--json"))
            game = browser.good(browser.post("/api/import", {"record": path.read_text()}), 201)
            page = browser.good(browser.get(f"/api/games/{game['id']}/review"))
            same({key: mine[key] for key in page}, page, path.read_text())


def test_text():
    with tempfile.TemporaryDirectory() as folder:
        for number in range(len(GAMES)):
            path = played(folder, number)
            text, review = reviewed(path), json.loads(reviewed(path, "--json"))
            same(text, reviewed("-", stdin=path.read_bytes()))
            rows = re.findall(r"^ +(\d+)  (\d)  +(\S+) ", text, re.M)
            same([(int(step), int(player)) for step, player, _ in rows],
                 [(i + 1, step["player"]) for i, step in enumerate(review["steps"])], text)
            check("-0.0000" not in text, text)
            for word in ("mistake", "blunder"):
                same(text.count(f"  {word}"),
                     sum(step.get("verdict") == word for step in review["steps"]), text)
            if not review["steps"] or "outcome" not in review["steps"][0]:
                same(len(re.findall(r"^\d: ", text, re.M)), len(review["players"]), text)
            if review["worst"]:
                check(f"the costliest moves: {review['worst'][0] + 1} (" in text, text)
            check(("~" in text) == (not review["exact"]), text)
            check(re.search("[가-힣]", reviewed(path, "--lang", "ko")))


def test_chart():
    """A line for each player, or for one of two, and a mark for every inaccuracy or worse."""
    space = "{http://www.w3.org/2000/svg}"
    with tempfile.TemporaryDirectory() as folder:
        for number in range(len(GAMES)):
            path, plot = played(folder, number), pathlib.Path(folder, "plot.svg")
            review = json.loads(reviewed(path, "--json", "--plot", plot))
            tree = xml.etree.ElementTree.parse(plot).getroot()
            lines = tree.findall(f"{space}polyline")
            same(len(lines), {2: 1}.get(len(review["players"]), len(review["players"])))
            for line in lines:
                points = [tuple(map(float, point.split(","))) for point in line.get("points").split()]
                same(len(points), len(review["steps"]) + 1)
                check(all(70 <= x <= 730 and 90 <= y <= 350 for x, y in points), points)
            marks = [title.text for title in tree.iter(f"{space}title")]
            same(marks, [f"{i + 1}: {step['verdict']}" for i, step in enumerate(review["steps"])
                         if step.get("verdict") in ("small", "mistake", "blunder")])


def test_verdicts():
    """Where values are outcomes, a slower win is slow, and a win turned into a loss a blunder."""
    head = ("malpan-record 1\ngame valley\nrules --soldiers 4 --start standard\nseats you you\n"
            "seed 1\nstart sskss/5/5/5/SSKSS w 1\n0 ")
    for move, verdict in (("a1d4", "best"), ("b1b4", "good"), ("a1a4", "good")):
        # The value after the last move of an unfinished game is not known as an outcome.
        review = json.loads(reviewed("-", "--json", stdin=(head + move + "\n").encode()))
        same(review["steps"][0]["verdict"], verdict, move)
    for moves, verdicts in (("b1b4", ["slow"]), ("a1a4", ["blunder"]), ("b1a2", ["blunder"])):
        text = head + moves + "\n1 " + json.loads(run(
            MALPAN, "eval", "valley", after(moves), "--json").out)["moves"][0]["move"] + "\n"
        review = json.loads(reviewed("-", "--json", stdin=text.encode()))
        same([step["verdict"] for step in review["steps"]][:1], verdicts, moves)
    # Where they are chances, the loss decides.
    box = ("malpan-record 1\ngame box\nrules \nseats you you\nseed 1\nstart 13456789 1 17 12\n1 ")
    for move, verdict in (("3+9", "best"), ("4+8", "good"), ("5+7", "mistake"), ("1+3+8", "blunder")):
        review = json.loads(reviewed("-", "--json", stdin=(box + move + "\n").encode()))
        same(review["steps"][0]["verdict"], verdict, move)


def after(move):
    """The position after white's first move in King's Valley."""
    engine = run(MALPAN, "engine", "valley",
                 stdin=f"position startpos moves {move}\nquery fen\nquit\n".encode())
    return engine.out.decode().split(" ", 1)[1].strip()


def test_refusals():
    with tempfile.TemporaryDirectory() as folder:
        path = played(folder, 0)
        bad = pathlib.Path(folder, "bad")
        refused(run(MALPAN, "review"), 2, "expected the file")
        refused(run(MALPAN, "review", folder + "/none"), 1, "none")
        refused(run(MALPAN, "review", str(path), "x"), 2, "one word too many")
        refused(run(MALPAN, "review", "-", stdin=b""), 2, "standard input")
        for text in (b"nonsense", path.read_bytes() + b"0 99\n", path.read_bytes() + b"\0", b"\0" * 100):
            bad.write_bytes(text)
            refused(run(MALPAN, "review", str(bad)), 2, "bad")
        refused(run(MALPAN, "review", "-", stdin=b"x" * (20 << 20)), 2, "too long")
        refused(run(MALPAN, "review", str(path), "--plot", folder), 1, folder)
        refused(run(MALPAN, "review", str(path), "--time", "soon"), 2, "--time")
        # A game without steps has a review, too.
        pathlib.Path(folder, "start").write_text("".join(
            line + "\n" for line in path.read_text().splitlines() if not re.match(r"[*\d] ", line)))
        check("no move lost anything" in reviewed(folder + "/start"))


if __name__ == "__main__":
    sys.exit(run_tests("review.py", dict(globals()), sys.argv[2:]))
