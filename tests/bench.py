#!/usr/bin/env python3
"""malpan bench: what it measures, leaves out and prints. The speeds themselves are not tested.

usage: tests/bench.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import driving
from driving import answer_of, check, run, run_tests, same

MALPAN = os.path.join(os.path.abspath(sys.argv[1]), "malpan")
TABLES = tempfile.TemporaryDirectory()
driving.ENVIRONMENT["MALPAN_TABLES"] = TABLES.name


def bench(*arguments):
    """What it prints."""
    return answer_of(MALPAN, "bench", *arguments)


def reports(*arguments):
    """What it prints as JSON."""
    return [json.loads(line) for line in bench(*arguments, "--json").splitlines()]


def measure_first(*arguments):
    """The first report; the rest is not waited for."""
    with subprocess.Popen([MALPAN, "bench", *arguments, "--json"], stdout=subprocess.PIPE,
                          env=driving.ENVIRONMENT) as process:
        first = json.loads(process.stdout.readline())
        process.kill()
    return first


def test_text():
    """Times and memory beside their goals."""
    found = re.findall(r"^dice: (.+)\n  ([\d.]+) ms, goal (\d+) ms: (reached|MISSED)"
                       r"(?:; the plain way [\d.]+ ms, so ([\d.]+) times as fast)?\n"
                       r"  memory: (\d+) MB(?:, goal (\d+) MB: (reached|MISSED))?\n"
                       r"  limit: .+\n", bench("dice"), re.M)
    same(len(found), 3)
    for what, ms, goal, word, speedup, megabytes, goal_mb, word_mb in found:
        check(word == ("reached" if float(ms) <= float(goal) else "MISSED") or
              float(ms) == float(goal), what, ms, word)  # it is rounded
        same(bool(speedup), what.startswith("20 inputs"), what)
        same(bool(goal_mb), what.startswith("all"), what)
        check(int(megabytes) > 0, what, megabytes)
        if goal_mb:
            check(word_mb == ("reached" if int(megabytes) <= int(goal_mb) else "MISSED") or
                  megabytes == goal_mb, what, megabytes, word_mb)


def test_json():
    """The same figures for other programs; a baseline only where there is one."""
    found = reports("dice")
    same([one["goal_seconds"] for one in found], [0.001, 0.05, 2.0])
    same([one["goal_mb"] for one in found], [0.0, 0.0, 200.0])
    for one in found:
        check(one["game"] == "dice" and one["seconds"] > 0 and one["peak_mb"] > 0, one)
        same("speedup" in one, "20 inputs" in one["what"], one)
    first = found[0]
    check(abs(first["speedup"] - first["baseline_seconds"] / first["seconds"]) < 1e-6, first)


def test_slow():
    """What takes minutes is left out unless asked for. Nothing that solves Yut fits into a
    megabyte; estimates do."""
    if "QUICK" in os.environ:
        return
    usual, every = (reports("yut", "--memory", "1M", *more) for more in ([], ["--slow"]))
    names = [one["what"] for one in usual]
    slow = [one for one in every if one["what"] not in names]
    same([one["what"].split(" each")[0] for one in slow], ["three pieces", "four pieces"])
    same([one["what"] for one in every if one["what"] in names], [one["what"] for one in usual])
    same([one["needs"] for one in slow],
         ["more than this machine has", "18 GiB of memory: --memory 18G"])
    text = bench("yut", "--memory", "1M")
    measured = [one["what"] for one in usual if "needs" not in one]
    same([what for what in measured if "estimate" not in what and "expectimax" not in what], [])
    same((text.count("\n  not measured: it needs "), len(measured) > 0),
         (len(usual) - len(measured), True))
    check("a table: malpan solve yut --pieces 3\n" in text, text)


def test_baseline_needs_more():
    """What has no baseline here is not measured."""
    same(measure_first("yut", "--memory", "4M"),
         {"game": "yut", "what": "one piece each, all positions, proven to 1e-6",
          "needs": "more than this machine has"})


def test_results_agree():
    """Where there is a baseline, its results are the same, or there would be no figures."""
    if "QUICK" in os.environ:
        return
    found = reports("box")
    same(["speedup" in one for one in found], [True, True, False, True])
    first = measure_first("yut")
    check(first["what"].startswith("one piece each") and first["speedup"] > 1, first)


def test_games():
    """A game without benchmarks is silent."""
    same(bench("race"), "")


def test_signature_options():
    done = run(MALPAN, "bench", "--signature", "--json")
    same((done.code, json.loads(done.out)["error"]["message"]), (2, "--signature has no JSON form"))


if __name__ == "__main__":
    sys.exit(run_tests("bench", dict(globals()), sys.argv[2:]))
