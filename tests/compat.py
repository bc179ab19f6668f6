#!/usr/bin/env python3
"""ShutTheBox and yutrace: what they print, and what they refuse.

usage: tests/compat.py FOLDER [NAME ...]      FOLDER holds the programs
"""
import os
import random
import re
import subprocess
import sys

from command_line import ENVIRONMENT, FOLDER, QUICK, check, malpan, printed, refused, run
from driving import run_tests

SHUT = os.path.join(FOLDER, "ShutTheBox")


def shut(*arguments):
    return run(SHUT, *arguments)


# --- ShutTheBox ---

def test_shut_the_box_examples():
    for arguments, out in [
        ("--one --expect 123456789", "0.502810"),
        ("--one --expect 146789", "0.256254"),
        ("--one --move 146789 9", "[9]"),
        ("--two --expect 123456789 8", "0.381212"),
        ("--two --expect 12345689 41", "1.000000"),
        ("--two --expect 13456789 43", "0.986111"),
        ("--two --move 13456789 17 12", "[3, 9]"),
        ("--expect 146789 --one", "0.256254"),
    ]:
        printed(shut(*arguments.split()), out + "\n")


def test_shut_the_box_refuses():
    long = "1" * 10000
    for arguments, words in [
        ([], ["--one", "--two"]),
        (["--one"], ["--expect", "--move"]),
        (["--one", "--two", "--expect", "1"], ["not both"]),
        (["--one", "--expect", "--move", "1"], ["not both"]),
        (["--three", "--expect", "1"], ["unknown option '--three'"]),
        (["--one", "--expct", "1"], ["did you mean '--expect'?"]),
        (["-x", "--one", "--expect", "1"], ["unknown option '-x'"]),
        (["--one", "--expect=1"], ["takes no value"]),
        (["--one", "--expect"], ["expected 1 argument", "open tiles"]),
        (["--one", "--expect", "12", "3"], ["expected 1 argument", "not 2"]),
        (["--one", "--move", "12"], ["expected 2 arguments", "roll"]),
        (["--two", "--expect", "12"], ["expected 2 arguments", "score"]),
        (["--two", "--move", "12", "3"], ["expected 3 arguments"]),
        (["--two", "--move", "12", "3", "3", "3"], ["expected 3 arguments"]),
        (["--one", "--expect", ""], ["open tiles", "nothing"]),
        (["--one", "--expect", "21"], ["increasing"]),
        (["--one", "--expect", "11"], ["increasing"]),
        (["--one", "--expect", "012"], ["from 1 to 9", "'0'"]),
        (["--one", "--expect", "120"], ["from 1 to 9", "'0'"]),
        (["--one", "--expect", "1a"], ["'a'"]),
        (["--one", "--expect", " 1"], ["' '"]),
        (["--one", "--expect", "1\n"], ["'?'"]),
        (["--one", "--expect", "１"], ["from 1 to 9"]),
        (["--one", "--expect", long], ["increasing"]),
        (["--" + long], ["unknown option", "..."]),
        (["--two", "--expect", "123", long], ["score", "1 to 45", "..."]),
        (["--two", "--expect", "123", "46"], ["score", "1 to 45"]),
        (["--two", "--expect", "123", "0"], ["score", "1 to 45"]),
        (["--two", "--expect", "123", "-1"], ["unknown option"]),
        (["--two", "--expect", "123", "1.5"], ["score"]),
        (["--two", "--expect", "123", ""], ["score"]),
        (["--one", "--move", "123456789", "1"], ["two dice", "2 to 12"]),
        (["--one", "--move", "123456789", "13"], ["two dice", "2 to 12"]),
        (["--one", "--move", "123", "7"], ["one die", "1 to 6"]),
        (["--one", "--move", "123", "0"], ["one die", "1 to 6"]),
        (["--one", "--move", "123", ""], ["one die"]),
        (["--one", "--move", "13456789", "2"], ["no set", "sums to 2"]),
        (["--two", "--move", "12", "17", "3"], ["game is over"]),
        (["x"] * 1000, ["more than"]),
    ]:
        refused(shut(*arguments), 2, *words)


def test_shut_the_box_help():
    result = shut("--help")
    check(result.code == 0 and result.out.startswith("usage: ShutTheBox") and result.err == "")
    check(shut("--version").out.startswith("ShutTheBox (malpan) "))


def test_shut_the_box_full_disk():
    with open("/dev/full", "w") as full:
        done = subprocess.run([SHUT, "--one", "--expect", "12"], stdout=full,
                              stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
    check(done.returncode == 1 and done.stderr.count("\n") == 1, done)


def test_shut_the_box_agrees_with_eval():
    """Every open set of player one, and a sample of everything else."""
    choose = random.Random(4)
    calls, lines = [], []
    sets = ["".join(str(t + 1) for t in range(9) if s >> t & 1) for s in range(1, 512)]
    for tiles in sets[::30 if QUICK else 3]:
        calls.append((["--one", "--expect", tiles], False))
        lines.append(f"{tiles} 0 - -")
    for _ in range(100 if QUICK else 400):
        tiles, score, roll = choose.choice(sets), choose.randint(1, 45), choose.randint(1, 12)
        two, move = choose.random() < 0.7, choose.random() < 0.7
        words = [tiles] + [str(score)] * two + [str(roll)] * move
        calls.append(([["--one", "--two"][two], ["--expect", "--move"][move]] + words, move))
        lines.append(f"{tiles} {int(two)} {score if two else '-'} {roll if move else '-'}")
    answers = malpan("eval", "box", "-", stdin="\n".join(lines) + "\n").out.splitlines()
    check(len(answers) == len(calls))
    moves = 0
    for (arguments, move), line, answer in zip(calls, lines, answers):
        result = shut(*arguments)
        if answer.startswith("error: "):
            refused(result, 2)
        elif move:
            moves += 1
            printed(result, "[" + answer.split()[1].replace("+", ", ") + "]\n")
        else:
            printed(result, answer.split()[0] + "\n")
    check(moves > (10 if QUICK else 50), "too few moves compared:", moves)


# --- yutrace ---

YUTRACE = os.path.join(FOLDER, "yutrace")


def rates(result):
    """What yutrace prints, without the runtime, which must be a measured number."""
    check(result.code == 0 and result.err == "", result.code, result.err)
    *lines, runtime = result.out.splitlines()
    check(re.fullmatch(r"Runtime: \d+\.\d{6} ms", runtime) and float(runtime.split()[1]) > 0, runtime)
    return "\n".join(lines)


def test_yutrace():
    answer = "p1 win rate: 0.406490\np2 win rate: 0.593510"
    check(rates(run(YUTRACE, "5", "10")) == answer)
    asked = "Please input two positions\np1: p2: "
    check(rates(run(YUTRACE, stdin="5\n10\n")) == asked + answer)
    check(rates(run(YUTRACE, stdin="5 10")) == asked + answer)
    check("0.572364" in rates(run(YUTRACE, "0", "0", "--front", "0.5")))
    check("0.572364" in rates(run(YUTRACE, "--front=0.5", stdin="0 0\n")))
    for arguments in [["29", "0"], ["0", "-1"], ["-1", "0"], ["x", "0"], ["0"], ["0", "0", "0"],
                      ["0", ""], ["5", "10", "--front", "2"], ["5", "10", "--frnot", "0.5"],
                      ["0", "9" * 10000], ["50", "0"], ["1.5", "2"]]:
        refused(run(YUTRACE, *arguments), 2)
    for stdin in ["", "x 1\n", "29 1\n", "1\n", "1 -1\n", "9" * 100000, b"\0\xff\n"]:
        result = run(YUTRACE, stdin=stdin)
        check(result.code == 2 and result.err.count("\n") == 1, stdin[:20], result.err)
        check("win rate" not in result.out, result.out)


if __name__ == "__main__":
    sys.exit(run_tests("compat", dict(globals()), sys.argv[2:]))
