#!/usr/bin/env python3
"""King's Valley at the command line: counting, searching, playing, statistics.

usage: tests/valley.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml
from random import Random

import driving
from driving import answer_of, check, refused, run, run_tests, same, wait_until_it_works

MALPAN = os.path.join(os.path.abspath(sys.argv[1]), "malpan")
TABLES = tempfile.TemporaryDirectory()
driving.ENVIRONMENT["MALPAN_TABLES"] = TABLES.name
WON = "sskss/5/2K2/5/SS1SS b 8"          # white's king is in the valley
WALLED = "kS2s/sS2s/5/5/S1KSs b 10"      # black's king has no free square beside it
TRAPPED = "s1k1s/s4/4S/SS3/KS2s b 10"    # white walled in its own king
NEAR = "sskss/2S2/5/5/1SKSS w 3"         # white's king reaches the valley at once
FAR = "1S1sS/1s1s1/5/k3K/1sS1S w 9"      # nothing is decided within the next eight moves


def malpan(*arguments, **options):
    return run(MALPAN, *arguments, **options)


def answer(*arguments, **options):
    return answer_of(MALPAN, *arguments, **options)


def value(*arguments):
    return answer(*arguments, "--value").strip()


# --- counting ---

def test_perft():
    paths = [1, 10, 110, 1570, 21708, 318316]
    for depth, expected in enumerate(paths):
        same(value("perft", "valley", str(depth)), str(expected))
    same(answer("perft", "valley", "4"), "paths of 4 steps: 21708\n")
    same(answer("perft", "valley", "1"), "paths of 1 step: 10\n")


def test_perft_divides():
    lines = answer("perft", "valley", "4", "--divide").splitlines()
    moves = dict(line.split() for line in lines[:-1])
    check(len(moves) == 10 and sum(map(int, moves.values())) == 21708, lines)
    same(lines[-1], "paths of 4 steps: 21708")
    same(moves["a1d4"], moves["e1b4"])  # mirror images
    found = json.loads(answer("perft", "valley", "3", "--divide", "--json"))
    check(found["paths"] == 1570 == sum(move["paths"] for move in found["moves"]), found)


def test_perft_of_positions():
    same(value("perft", "valley", "1", "--position", "1sk2/5/5/5/1SK2 w 1"), "4")
    for over in (WON, WALLED, TRAPPED):
        same(value("perft", "valley", "0", "--position", over), "1")
        same(value("perft", "valley", "1", "--position", over), "0")
        same(value("perft", "valley", "4", "--position", over), "0")


def test_perft_is_for_every_game():
    """Throws count as steps: a race has five at every place, while nobody is home."""
    same(value("perft", "race", "3"), "125")
    same(value("perft", "box", "1"), "11")
    same(value("perft", "yut", "1"), "6")


def test_perft_refuses():
    refused(malpan("perft", "valley"), 2, "expected a number of steps")
    refused(malpan("perft", "valley", "-1"), 2)
    refused(malpan("perft", "valley", "x"), 2, "from 0 to 64")
    refused(malpan("perft", "valley", "2", "--position", "sskss w 1"), 2, "five ranks")


# --- values ---

def test_the_start_is_won():
    same(value("eval", "valley"), "win 9")
    same(value("eval", "valley", "sskss/5/5/5/SSKSS w 1"), "win 9")
    same(value("eval", "valley", "--search-only", "--threads", "1"), "win 9")
    check("from the opening book" in answer("eval", "valley"), "no book")
    found = json.loads(answer("eval", "valley", "--search-only", "--time", "1m", "--json"))
    line = "a1d4 a5a1 b1b4 b5a4 d1b3 a1b1 c1e3 b1a1 e3c3"
    check(all(move["exact"] for move in found["moves"]) and line in found["note"], found)


def test_retrieve():
    """Without a table, at once, from the book; the same position without the option as well."""
    for options in (["--start", "retrieve"], ["ssKss/5/5/5/SSkSS w 1"]):
        found = json.loads(answer("eval", "valley", *options, "--json"))
        check((found["outcome"], found["plies"]) == ("win", 17), found)
        check(all(move["exact"] for move in found["moves"]) and "opening book" in found["note"], found)
        same([move["move"] for move in found["moves"][:2]], ["a1a4", "e1e4"])
    same(value("eval", "valley", "--soldiers", "1", "--start", "retrieve"), "endless")
    refused(malpan("eval", "valley", "--start", "other"), 2, "standard or retrieve")


def test_values():
    same(value("eval", "valley", NEAR), "win 1")
    found = json.loads(answer("eval", "valley", NEAR, "--json", "--time", "200ms"))
    check(found["exact"] and found["value"] == 0.9999, found)
    check((found["outcome"], found["plies"]) == ("win", 1), found)
    best = found["moves"][0]
    check(best == {"move": "c1c3", "value": 0.9999, "loss": 0, "exact": True, "outcome": "win",
                   "plies": 1}, best)
    marks = [move["exact"] for move in found["moves"]]
    check(all("outcome" in move for move in found["moves"] if move["exact"]), found)
    check(sum(marks) > 3, marks)


def test_page():
    page = answer("eval", "valley", NEAR, "--time", "200ms", "--ascii")
    check("outcome, player 0: win 1\n" in page and "best line c1c3" in page, page)
    check(re.search(r"^  c1c3 +win 1$", page, re.M), page)
    check("plies ahead" in page and "a second" in page, page)


def test_no_proof_no_value():
    start = ("eval", "valley", FAR, "--time", "10ms")
    refused(malpan(*start, "--value"), 4, "no proof", "plies ahead")
    page = answer(*start)
    check("(estimate)" in page and "~ marks an estimate" in page, page)


def test_lines_of_positions():
    lines = [NEAR, "sskss/5/5/5/SSKSS w 1", WON, "nonsense", FAR]
    done = malpan("eval", "valley", "-", "--value", "--time", "10ms",
                  stdin="\n".join(lines).encode())
    found = done.out.decode().splitlines()
    check(done.code == 1 and found[0] == "win 1", done.code, found)
    check(all(line.startswith("error: ") for line in found[2:]), found)
    check("king is in the valley" in found[2] and "no proof" in found[4], found)


def test_ended_games_are_refused_by_name():
    refused(malpan("eval", "valley", WON), 2, "game is over", "in the valley")
    refused(malpan("eval", "valley", WALLED), 2, "game is over", "black's king is walled in")
    refused(malpan("eval", "valley", TRAPPED), 2, "game is over", "walled in its own king")
    refused(malpan("play", "valley", "--from", WON), 2, "game is over")


def test_time_is_read():
    for wrong in ("5", "0s", "-1s", "1x", "", "1e1s", "2d"):
        refused(malpan("eval", "valley", "--time", wrong), 2, "expected a time such as")


# --- playing ---

def test_players_with_settings():
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "game.txt")
        story = answer("play", "valley", "--seats", "minimax:2,alphabeta:3", "--file", file)
        check("wins:" in story and "plies ahead" in story, story)
        record = open(file, encoding="utf-8").read()
        check("seats minimax:2 alphabeta:3\n" in record, record)
        # It is taken up again, and nothing is left to do.
        check("wins:" in answer("play", "valley", "--file", file), record)


def test_endless_games_end():
    """Two kings alone chase each other: computers stop in the end."""
    story = answer("play", "valley", "--soldiers", "0", "--seats", "perfect")
    check("nobody wins" in story, story[-300:])


def test_settings_are_checked():
    for wrong, words in (("minimax:0", "from 1 to 64"), ("minimax:x", "from 1 to 64"),
                         ("alphabeta:0", "from 1 to 120"), ("alphabeta:1x", "expected a time"),
                         ("alphabeta:", "expected a time"), ("random:3", "takes no setting"),
                         ("minimx:3", "did you mean 'minimax'"), ("minimax:" + 99 * "1", "minimax")):
        refused(malpan("match", "valley", wrong, "random"), 2, words)
    refused(malpan("match", "box", "minimax:2", "random"), 3, "minimax does not play box")
    refused(malpan("match", "race", "alphabeta", "random"), 3, "alphabeta does not play race")
    refused(malpan("match", "valley", "perfect", "random"), 4, "malpan solve valley")


def test_a_person_plays():
    moves = "c1c4\na1a2\na1d4\nundo\na1d4\nboard\nquit\n"
    story = answer("play", "valley", "--seats", "you,random", "--seed", "3",
                   stdin=moves.encode())
    check("very first move must be a soldier's" in story, story)
    check("a piece goes as far as it can; from a1 to a4 or d4" in story, story)
    check(story.count("white: soldier a1 to d4") == 2, story)
    korean = answer("play", "valley", "--seats", "you", "--lang", "ko", stdin=b"a1d4\nquit\n")
    check("백: 병사 a1 → d4" in korean, korean)


def test_match():
    """The study's player at depth 3 beats chance; the same games whatever the threads."""
    match = ("match", "valley", "minimax:3", "random", "--games", "100")
    check(float(value(*match)) >= 0.99, value(*match))
    search = ("match", "valley", "alphabeta:3", "minimax:2", "--games", "10", "--json")
    one = json.loads(answer(*search, "--threads", "1"))
    two = json.loads(answer(*search, "--threads", "2"))
    check(one == two and one["opening"] == 4 and one["first"] == "alphabeta:3", one, two)
    # A player against itself comes out even, game by game.
    even = json.loads(answer("match", "valley", "minimax:2", "minimax:2", "--games", "20", "--json"))
    check(even["mean"] == 0.5 and even["margin"] == 0, even)


def test_openings():
    """Without an opening, two players who leave nothing to chance play one game."""
    one = json.loads(answer("match", "valley", "minimax:2", "minimax:1", "--games", "8", "--opening",
                            "0", "--json"))
    check(one["points"] in (0, 4, 8), one)
    refused(malpan("match", "valley", "random", "random", "--opening", "x"), 2)
    done = malpan("match", "box", "random", "random", "--games", "10", "--opening", "50")
    refused(done, 1, "try a smaller --opening")


def test_outcome_of_openings():
    """From endless positions perfect play rarely lets minimax off; from lost ones it saves some."""
    match = ["match", "valley", "--soldiers", "2", "perfect", "minimax:2", "--games", "60", "--outcome"]
    check(float(value(*match, "endless")) > 0.95, value(*match, "endless"))
    check(0.2 < float(value(*match, "loss")) < float(value(*match, "win")) == 1, value(*match, "loss"))
    refused(malpan("match", "box", "random", "random", "--outcome", "loss"), 3, "no outcomes")
    refused(malpan("match", "valley", "random", "random", "--outcome", "draw"), 2, "win, loss or endless")
    refused(malpan("match", "valley", "--soldiers", "1", "random", "random", "--opening", "0", "--outcome", "endless"),
            1, "no opening of 0")
    for outcome in ("win", "loss"):  # who begins wins; the first player takes the seat that is asked for
        alone = ["match", "valley", "--soldiers", "1", "perfect", "perfect", "--games", "2", "--opening", "0"]
        same(float(value(*alone, "--outcome", outcome)), float(outcome == "win"))


def test_balanced_openings():
    """Where nothing is decided yet, the one who looks further wins more of the games."""
    match = ("match", "valley", "alphabeta:6", "minimax:2", "--games", "40")
    check(float(value(*match, "--balanced")) > float(value(*match)), value(*match))
    # The start is won in nine moves; a search of six does not see that.
    value("match", "valley", "random", "random", "--games", "2", "--opening", "0", "--balanced")
    refused(malpan("match", "race", "random", "random", "--balanced"), 3, "no search")


# --- solving ---

# How many soldiers a side where everything is solved: fewer under the sanitizers.
SOLDIERS, POSITIONS, EQUATIONS = ("2", 75 * 231 * 190, 2600572)
if "QUICK" in os.environ:
    SOLDIERS, POSITIONS, EQUATIONS = ("1", 75 * 22 * 21, 29192)


def solve(folder, *options):
    """Solves all positions into a table in the folder; its checksum."""
    file = os.path.join(folder, "table")
    found = json.loads(answer("solve", "valley", "--soldiers", SOLDIERS, "-o", file, "--json", "-q",
                              "--again", *options))
    check(found["positions"] == POSITIONS and found["error_bound"] == 0, found)
    return found["checksum"]


def test_solving_gives_one_table():
    with tempfile.TemporaryDirectory() as folder:
        sums = {solve(folder, "--threads", threads) for threads in "123"}
        check(len(sums) == 1, sums)
        found = json.loads(answer("verify", "valley", "--soldiers", SOLDIERS, "--table",
                                  os.path.join(folder, "table"), "--full", "--json"))
        check(found["residual"] == 0 and found["proof"] and found["error_bound"] == 0, found)
        check(found["checked"] == EQUATIONS, found)


def test_solving_survives_kills():
    """Killed at random moments, and once told to stop: the same table in the end."""
    random, kept = Random(7), 0
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        whole = solve(folder)
        span = time.monotonic() - began
        file = os.path.join(folder, "table")
        command = [MALPAN, "solve", "valley", "--soldiers", SOLDIERS, "-o", file, "--checkpoint",
                   "0"]
        os.unlink(file)
        for attempt in range(10):
            started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       env=driving.ENVIRONMENT)
            time.sleep(span * random.random())
            if attempt == 5:
                wait_until_it_works(started)
            started.send_signal(signal.SIGTERM if attempt == 5 else signal.SIGKILL)
            code = started.wait()
            check(code in (0, 5 if attempt == 5 else -signal.SIGKILL), attempt, code)
            kept += os.path.exists(file + ".part")
            if os.path.exists(file):
                os.unlink(file)  # it was done already: once more from the start
        check(kept > 0 or "QUICK" in os.environ, "no run was killed in the middle")
        check(solve(folder, "--checkpoint", "0") == whole, whole)
        check(os.listdir(folder) == ["table"], os.listdir(folder))


def test_small_variants_are_solved_at_once():
    same(value("eval", "valley", "--soldiers", "0"), "endless")
    same(value("eval", "valley", "--soldiers", "1"), "win 5")
    same(value("eval", "valley", "--soldiers", "2"), "win 21")
    page = answer("eval", "valley", "--soldiers", "2")
    check("from the table of all positions" in page and "~" not in page, page)
    found = json.loads(answer("eval", "valley", "--soldiers", "2", "--json"))
    check(found["method"] == "table" and found["exact"], found)
    story = answer("play", "valley", "--soldiers", "2", "--seats", "perfect,perfect")
    check(story.count("white:") == 11 and "White wins" in story, story)


def test_facts():
    """All positions are counted, and the longest win is one."""
    found = json.loads(answer("valley", "facts", "--soldiers", "1", "--json"))
    check(found["positions"] == 254976 == found["won"] + found["lost"] + found["endless"], found)
    check(sum(found["by_plies"].values()) == found["won"] + found["lost"], found)
    longest = found["longest"]
    check(longest["plies"] == 21 == len(longest["line"].split()), longest)
    same(value("eval", "valley", longest["position"]), "win 21")
    text = answer("valley", "facts", "--soldiers", "1")
    check("endless    168272 (66.00 %)" in text and longest["line"] in text, text)
    rows = [[int(word) for word in line.split()] for line in text.split("lost\n")[1].splitlines()
            if re.fullmatch(r"[ \d]+", line)]
    same({str(plies): count for row in rows for plies, count in zip(row[:2], row[2:]) if count},
         found["by_plies"])
    check("\nthe longest win takes 1 plies: " in answer("valley", "facts", "--soldiers", "0"))
    refused(malpan("valley", "facts"), 4, "malpan solve valley")


def test_hints():
    story = answer("play", "valley", "--seats", "you,random", "--hint", stdin=b"a1d4\nquit\n")
    check("hint: a1d4, win 9" in story, story)
    story = answer("play", "box", "--hint", "--seed", "3", "--seats", "you", stdin=b"quit\n")
    check("hint: " in story, story)


def test_rating():
    """Whoever knows all values never errs; looking further helps; no exact values, no rating."""
    def kept(player, *options):
        found = json.loads(answer("rate", "valley", player, "--soldiers", "2", "--json", *options))
        check(found["positions"] == 1000 and found["won"] > 300, found)
        return found["best"], found["kept"] / found["won"]
    check(kept("perfect") == (1000, 1.0), kept("perfect"))
    check(kept("random")[1] < kept("greedy")[1] < kept("minimax:3")[1] < 1, kept("minimax:3"))
    found = json.loads(answer("rate", "box", "random", "--positions", "300", "--json"))
    check(0 < found["given_away"] < 0.5 and 0 < found["best"] < 300, found)
    same(value("rate", "box", "perfect", "--positions", "100"), "1.000000")
    refused(malpan("rate", "valley", "random"), 4, "malpan solve valley")
    refused(malpan("rate", "race", "random"), 3, "no player ever has a choice")
    refused(malpan("rate", "box", "you"), 2, "a person")
    refused(malpan("rate", "box", "random", "--positions", "0"), 2, "--positions")
    same(value("rate", "box", "perfect", "--positions", "1"), "1.000000")


def test_rating_text():
    """How many wins were kept, if there were any, with the margins; or what was given away."""
    options = ["rate", "valley", "random", "--soldiers", "1", "--positions", "40"]
    found = json.loads(answer(*options, "--json"))
    check(0 < found["kept"] < found["won"] < 40 and 0 < found["best"] < 40, found)

    def percents(part, all_of_them):
        p = part / all_of_them
        return f"{100 * p:.2f} % +- {196 * (p * (1 - p) / all_of_them) ** 0.5:.2f}"
    same(answer(*options), f"random, 40 positions: a best move in {percents(found['best'], 40)}; "
                           f"kept {percents(found['kept'], found['won'])} of {found['won']} wins\n")
    same(answer("rate", "valley", "random", "--soldiers", "0", "--positions", "3"),
         "random, 3 positions: a best move in 100.00 % +- 0.00\n")
    text = answer("rate", "box", "perfect", "--positions", "5")
    same(text, "perfect, 5 positions: a best move in 100.00 % +- 0.00; gave away 0.000000 a move\n")


def test_three_soldiers():
    """Solved, and a sample of the equations; it takes a while, so not under the sanitizers."""
    if "QUICK" in os.environ:
        return
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "table")
        found = json.loads(answer("solve", "valley", "--soldiers", "3", "-o", file, "--json"))
        check(found["positions"] == 75 * 1540 * 969, found)
        checked = json.loads(answer("verify", "valley", "--soldiers", "3", "--table", file, "--sample",
                                    "20000", "--json"))
        check(checked["checked"] == 20000 and checked["residual"] == 0, checked)


# --- statistics ---

def test_stats():
    found = json.loads(answer("stats", "valley", "--games", "2000", "--memory", "1M", "--json"))
    check(60 < found["moves"]["mean"] < 100 and 14 < found["branching"]["mean"] < 16, found)
    check(found["placements"]["all"] == 20593188000, found["placements"])
    check(found["placements"]["legal"] == 14003367840, found["placements"])
    check(found["placements"]["drawn"] == 2000, found["placements"])
    check(0.6 < found["placements"]["drawn_legal"] / 2000 < 0.76, found["placements"])
    ended = sum(sum(ending["won_by"]) for ending in found["endings"])
    check(len(found["endings"]) == 3 and ended == 2000, found["endings"])
    again = json.loads(answer("stats", "valley", "--games", "2000", "--memory", "1M", "--json",
                              "--threads", "1"))
    check(again == found, again)
    # As many placements are drawn as games are played: with one game, and a seed whose first
    # placement is legal, one.
    one = json.loads(answer("stats", "valley", "--games", "1", "--seed", "1", "--memory", "1M",
                            "--json"))["placements"]
    check(one["drawn"] == 1 and one["drawn_legal"] == 1, one)


def test_stats_of_the_study():
    """Players who take a win and do not wall themselves in: branching 14, 19 moves, 4 at least."""
    found = json.loads(answer("stats", "valley", "--take-wins", "--memory", "1M", "--json"))
    check(18 < found["moves"]["mean"] < 20 and found["moves"]["shortest"] == 4, found["moves"])
    check(14 < found["branching"]["mean"] < 15, found["branching"])
    text = answer("stats", "valley", "--take-wins", "--memory", "1M")
    check(f"in whole numbers 14^19 = {14 ** 19}\n" in text, text)
    check("0.00 % of the games: a player walled in its own king" in text, text)


def test_plot():
    with tempfile.TemporaryDirectory() as folder:
        for game in ("valley", "box", "race"):
            file = os.path.join(folder, game + ".svg")
            answer("stats", game, "--games", "500", "--memory", "1M", "--plot", file)
            picture = xml.parse(file).getroot()
            bars = picture.findall(".//{http://www.w3.org/2000/svg}g/*")
            check(picture.tag.endswith("svg") and bars, game)
    refused(malpan("stats", "box", "--games", "5", "--plot", "/nowhere/x.svg"), 1, "/nowhere")


if __name__ == "__main__":
    sys.exit(run_tests("valley", dict(globals()), sys.argv[2:]))
