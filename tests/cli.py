#!/usr/bin/env python3
"""The programs as their users meet them: run, piped, at a terminal, with anything as input.

usage: tests/cli.py FOLDER [NAME ...]      FOLDER holds malpan and ShutTheBox
"""
import codecs
import fcntl
import json
import os
import pty
import random
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

from driving import catches, default_signals, run_tests, wait_for

FOLDER = os.path.abspath(sys.argv[1])
MALPAN = os.path.join(FOLDER, "malpan")
SHUT = os.path.join(FOLDER, "ShutTheBox")
ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LC_ALL")}
TABLES = tempfile.TemporaryDirectory()  # none but those that the tests themselves make
ENVIRONMENT |= {"LANG": "C.UTF-8", "TERM": "xterm", "MALPAN_TABLES": TABLES.name}
QUICK = "QUICK" in os.environ  # under the sanitizers


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


def run(*command, stdin=b"", env=None, cwd=None):
    """Runs a command to its end; outputs as text, undecodable bytes kept."""
    if isinstance(stdin, str):
        stdin = stdin.encode()
    done = subprocess.run(command, input=stdin, capture_output=True, timeout=120, cwd=cwd,
                          env=ENVIRONMENT | (env or {}))
    return Result(done.returncode, done.stdout.decode(errors="surrogateescape"),
                  done.stderr.decode(errors="surrogateescape"))


def malpan(*arguments, **options):
    return run(MALPAN, *arguments, **options)


def shut(*arguments):
    return run(SHUT, *arguments)


def check(condition, *what):
    if not condition:
        raise AssertionError(" ".join(str(w) for w in what))


def refused(result, code, *words):
    """Nothing on standard output, one line with these words on standard error, this exit code."""
    check(result.code == code, "exit code", result.code, "not", code, result.err)
    check(result.out == "", "standard output is not empty:", result.out[:200])
    check(result.err.count("\n") == 1 and result.err.endswith("\n"), "not one line:", result.err)
    check(len(result.err) < 400, "a long message")
    for word in words:
        check(word in result.err, f"'{word}' is not in:", result.err)


def printed(result, out):
    check(result.code == 0, "exit code", result.code, result.err)
    check(result.err == "", "standard error:", result.err)
    check(result.out == out, "printed", repr(result.out), "not", repr(out))


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


# --- commands of a game's own ---

def test_yut_commands():
    printed(malpan("yut", "move", "5", "gae"), "21\n")
    printed(malpan("yut", "move", "19", "mo"), "100\n")
    printed(malpan("yut", "move", "3", "yut", "--cow"), "21\n")
    printed(malpan("--cow", "yut", "move", "22", "do"), "23\n")
    table = malpan("yut", "table").out.splitlines()
    check(len(table) == 30 and table[22] == "22: 21 27 28 29 100 100", table)
    check(malpan("yut", "table", "--cow").out.splitlines()[15] == "15: 24 16 17 18 19 29")
    refused(malpan("yut", "move", "30", "gae"), 2, "position", "0 to 29")
    refused(malpan("yut", "move", "5", "gea"), 2, "did you mean 'gae'?")
    refused(malpan("yut", "move", "6", "gae", "--cow"), 2, "a cow never comes to 6")
    refused(malpan("yut", "move", "5"), 2, "POSITION RESULT")
    refused(malpan("yut", "tabel"), 2, "did you mean 'table'?")
    refused(malpan("yut", "table", "--seats", "you"), 2, "--seats")
    refused(malpan("race", "table"), 2, "unknown command")
    check("malpan yut table" in malpan("yut").out)


def test_play_yut():
    result = malpan("play", "yut", "--players", "3", "--pieces", "2", "--seed", "9",
                    stdin="?\n0:geol\nundo\n0:gae\nboard\nquit\n")
    check(result.code == 0 and "player 0 to play: geol" in result.out, result.out)
    check("  1) 0:geol" in result.out and "gae is not in the list" in result.out, result.out)
    over = malpan("play", "yut", "--players", "4", "--pieces", "1", "--seats", "expectimax",
                  "--seed", "9", "--lang", "ko").out
    check("승리." in over and ": 개" in over, over[-300:])
    teams = malpan("play", "yut", "--preset", "teams", "--pieces", "1", "--seats", "random",
                   "--seed", "4").out
    check("Players 0 and 2 win." in teams or "Players 1 and 3 win." in teams, teams[-200:])


# --- eval ---

def test_eval_value():
    printed(malpan("eval", "box", "123456789 0 - -", "--value"), "0.502810\n")
    printed(malpan("--value", "eval", "box"), "0.502810\n")
    printed(malpan("eval", "box", "13456789", "1", "43", "-", "--value"), "0.986111\n")


def test_eval_json():
    result = malpan("eval", "box", "13456789 1 17 12", "--json")
    answer = json.loads(result.out)
    check(result.out.count("\n") == 1)
    check(answer["moves"][0]["move"] == "3+9" and len(answer["moves"]) == 7, answer)
    check(answer["value"] == answer["moves"][0]["value"] == answer["values"][1])
    check(abs(sum(answer["values"]) - 1) < 1e-12)
    check(answer["exact"] is True and 0 < answer["error_bound"] < 1e-9)
    check(answer["rules"]["tiles"] == 9 and answer["rules"]["one-die"] == "sum<=6")


def test_eval_json_errors():
    for arguments, code, name in [
        (["eval", "box", "x", "--json"], 2, "usage"),
        (["eval", "bxo", "--json"], 2, "usage"),
        (["eval", "box", "--json", "--nope"], 2, "usage"),
        (["eval", "box", "--json", "--dice", "9", "--sides", "9"], 3, "unsupported"),
    ]:
        result = malpan(*arguments)
        check(result.code == code and result.err == "", arguments, result.code, result.err)
        error = json.loads(result.out)["error"]
        check(error["code"] == name and error["message"], error)


def test_json_is_json_whatever_comes_in():
    for arguments in [[b"ev\xffal"], [b"eval", b"b\xc3x"], [b"eval", b"box", b"\x80 0 - -"],
                      [b"eval", b"box", b"--tiles", b"\xc2\x9b"], [b"--bogus"]]:
        for order in [arguments + [b"--json"], [b"--json"] + arguments]:
            result = run(MALPAN, *order)
            check(result.code == 2 and result.err == "", order, result.err)
            check(json.loads(result.out)["error"]["code"] == "usage", order, result.out)
    result = malpan("eval", "box", "-", "--json", stdin=b"\x80 0 - -\n\xc3\n")
    check(len([json.loads(line) for line in result.out.splitlines()]) == 2, result.out)
    stats = malpan("stats", "box", "--games", "9", "--seed", str(2**64 - 1), "--json", "--memory", "1M")
    check(json.loads(stats.out)["seed"] == str(2**64 - 1), stats.out)


def test_input_that_cannot_be_read():
    for arguments in [["eval", "box", "-"], ["play", "box"]]:
        folder = os.open("/", os.O_RDONLY)
        done = subprocess.run([MALPAN, *arguments], stdin=folder, capture_output=True, text=True,
                              env=ENVIRONMENT)
        os.close(folder)
        check(done.returncode == 1 and "cannot read standard input" in done.stderr, done)


def test_input_that_fails_midway():
    """Reading fails after a line and a half: a pipe that does not block is empty. The answer to the
    whole line stays; the half one is not taken for a line."""
    out_of, into = os.pipe()
    os.set_blocking(out_of, False)
    os.write(into, b"8 1 8 -\n8 1 8 -")
    done = subprocess.run([MALPAN, "eval", "box", "-"], stdin=out_of, capture_output=True,
                          text=True, env=ENVIRONMENT, timeout=60)
    os.close(out_of)
    os.close(into)
    check(done.returncode == 1 and done.stdout.count("\n") == 1, done)
    check(done.stdout.startswith("0.") and done.stderr.startswith("malpan: cannot read standard input: "),
          done)


def test_long_lines():
    """A line of 64 KiB is read; a longer one is refused, and the next line is answered."""
    fits, long = " " * 65529 + "8 1 8 -", " " * 65530 + "8 1 8 -"
    result = malpan("eval", "box", "-", stdin=f"{fits}\n{long}\n8 1 8 -\n{long * 9}")
    too_long = "error: line too long (more than 65536 bytes)"
    value = malpan("eval", "box", "-", stdin="8 1 8 -").out.strip()
    check(result.out.splitlines()[1:] == [too_long, value, too_long], result.out[:500])
    check(result.code == 1 and result.err == "", result.code, result.err)
    check(result.out.startswith("error: expected OPEN PLAYER"), "a line of 64 KiB was not read")
    played = malpan("play", "box", "--seed", "3", stdin=f"{long}\n9\n")
    check("line too long" in played.out and "player 0 closes 9" in played.out, played.out)
    # Without an end of line it is refused at once, within little memory.
    with open("/dev/zero", "rb") as zeros:
        process = subprocess.Popen([MALPAN, "eval", "box", "-"], stdin=zeros,
                                   stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        check(process.stdout.readline() == too_long + "\n")
        resident = re.search(r"VmRSS:\s+(\d+) kB", open(f"/proc/{process.pid}/status").read())
        process.kill()
        process.wait()
    check(int(resident[1]) < 200000, resident[0])


def test_answers_come_line_by_line():
    process = subprocess.Popen([MALPAN, "eval", "box", "-"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
    for _ in range(3):
        process.stdin.write("8 1 8 -\n")
        process.stdin.flush()
        check(select.select([process.stdout], [], [], 60)[0], "no answer")
        check(process.stdout.readline().startswith("0."))
    process.stdin.close()
    check(process.wait() == 0)


def test_eval_batch():
    stdin = "123456789 0 - -\r\nnonsense\n13456789 1 17 12\n\n" + "1" * 1000000 + "\n8 1 8 -"
    result = malpan("eval", "box", "-", stdin=stdin)
    lines = result.out.splitlines()
    check(result.code == 1 and result.err == "" and len(lines) == 6, result.code, result.out[:500])
    check(lines[0] == "0.502810")
    check(lines[1].startswith("error: ") and lines[3].startswith("error: "), lines)
    check(lines[2].startswith("0.678841 3+9 0.678841 4+8 "), lines[2])
    check(lines[4].startswith("error: ") and len(lines[4]) < 400)
    check(malpan("eval", "box", "-", "--value", stdin="8 1 8 -\n").code == 0)
    check(malpan("eval", "box", "-", stdin="").out == "")
    zero = malpan("eval", "box", "-", stdin=b"8 1 8 -\0 hidden\n\xff\xfe\n")
    check(zero.code == 1 and zero.out.count("error: ") == 2, zero.out)
    for line in malpan("eval", "box", "-", "--json", stdin=stdin).out.splitlines():
        json.loads(line)


def test_eval_refuses():
    refused(malpan("eval"), 2, "expected a game")
    refused(malpan("eval", "bx"), 2, "did you mean 'box'?")
    refused(malpan("eval", "box", "123"), 2, "OPEN PLAYER SCORES ROLL")
    refused(malpan("eval", "box", "--seats", "you"), 2, "--seats is not an option of eval box")
    refused(malpan("eval", "box", "--tiles", "99"), 2, "from 1 to 24")
    refused(malpan("eval", "box", "--aim", "score"), 3, "--players 1")
    refused(malpan("eval", "box", "--tiles", "20", "--players", "1", "--memory", "1M"), 3, "memory limit")
    refused(malpan("eval", "box", *["w"] * 30), 2)
    refused(malpan("eval", "box", "--lang", "fr"), 2, "en or ko")
    refused(malpan("eval", "box", "--color", "blue"), 2, "always, never or auto")
    refused(malpan("eval", "box", "--seed", "-5"), 2, "--seed")
    refused(malpan("eval", "box", "--memory", "lots"), 2, "512M")
    refused(malpan("eval", "box", "--threads", "0"), 2, "--threads")


def test_rules_are_resolved_with_the_position():
    """A position says how many players and pieces there are; options are judged with it."""
    for verb, words in [("eval", ["5/7 1 gae"]), ("perft", ["1", "--position", "5/7 1 gae"])]:
        plain = malpan(verb, "yut", "--preset", "plain", *words, "--json")
        rules = json.loads(plain.out)["rules"]
        check(plain.code == 0 and rules["pieces"] == 1 and rules["back-do"] == "off", plain.out)
    for options, position in [(["--teams", "on"], "0,0/0,0/0,0/0,0 0 do"),
                              (["--animals", "psdc"], "0/0/0/0 0 - psdc")]:
        result = malpan("eval", "yut", *options, position)
        check(result.code in (0, 3), result.code, result.err)
        check("--teams" not in result.err and "--animals" not in result.err, result.err)
        batch = malpan("eval", "yut", *options, "-", stdin=position + "\n")
        check("--teams" not in batch.out and "--animals" not in batch.out, batch.out)
        perft = malpan("perft", "yut", "0", "--value", *options, "--position", position)
        printed(perft, "1\n")
        quit = malpan("play", "yut", *options, "--from", position, "--seats", "random,you", stdin="")
        check(quit.code == 0 and quit.err == "", quit.err)
    refused(malpan("eval", "yut", "0/0 0 -", "--teams", "on"), 3, "--teams")
    refused(malpan("eval", "box", "1" * 600), 2, "too long")


# --- values of Yut: from tables, solved now, or estimated ---

START = {1: "0/0 0 -", 2: "0,0/0,0 0 -", 3: "0,0,0/0,0,0 0 -", 4: "0,0,0,0/0,0,0,0 0 -"}
PENDING = {3: "0,5,10/0,0,7 1 gae,yut", 4: "0,0,5,10/0,0,0,7 1 gae,yut"}


def eval_json(*arguments, **options):
    result = malpan("eval", "yut", *arguments, "--json", **options)
    check(result.code == 0 and result.err == "", result.code, result.out, result.err)
    return json.loads(result.out)


def test_estimates_are_marked_on_the_page():
    for pieces in [3, 4]:
        result = malpan("eval", "yut", PENDING[pieces])
        check(result.code == 0 and result.err == "", result.err)
        page = result.out.split("\n\n")[1:]
        check(re.fullmatch(r"chance of winning, player 1: ~0\.\d{3} ± 0\.\d{3} \(estimate\)",
                           page[0].splitlines()[0]), page)
        check(re.fullmatch(r"the others: 0: ~0\.\d{3}", page[0].splitlines()[1]), page)
        head, *moves = page[1].splitlines()
        check(head.split() == ["move", "estimate", "loss"] and len(moves) == 4, page)
        values = [float(move.split()[1].removeprefix("~")) for move in moves]
        check(values == sorted(values, reverse=True), values)
        check(f"player 1: ~{values[0]:.3f} ±" in page[0], "not worth its best move", page)
        check("estimate, not an exact value" in page[2], page)
        check(f"`malpan solve yut --pieces {pieces}`" in page[2], page)
        unmarked = re.findall(r"(?<!~)(?<!± )\b0\.\d{3}", result.out)
        check(unmarked == [], "not marked:", unmarked)
    check("추정값" in malpan("eval", "yut", PENDING[3], "--lang", "ko").out)
    thrown = malpan("eval", "yut", START[3], "--throws").out
    check(re.search(r"^  gae +0\.3750 +~0\.\d{3}$", thrown, re.M), thrown)
    sheep = malpan("eval", "yut", START[3] + " sd").out
    check("`malpan solve yut --pieces 3 --animals sd`" in sheep, sheep)
    check("estimate" not in malpan("eval", "yut", START[1]).out)


def test_estimates_are_marked_in_json():
    answer = eval_json(PENDING[4])
    check(answer["exact"] is False and answer["error_bound"] is None, answer)
    check(0 < answer["typical_error"] < 0.05, answer)
    check("look-ahead" in answer["method"] and "malpan solve yut" in answer["note"], answer)
    check(answer["value"] == answer["moves"][0]["value"] and len(answer["moves"]) == 4, answer)
    answer = eval_json(START[3], "--throws")
    mean = sum(t["chance"] * t["value"] for t in answer["throws"])
    check(abs(mean - answer["value"]) < 1e-12 and answer["exact"] is False, answer)
    exact = eval_json(START[1])
    check(exact["exact"] is True and exact["error_bound"] < 1e-5 and "note" not in exact, exact)
    check(exact["typical_error"] is None, exact)


def test_estimates_in_lines():
    """In lines a value is one word, with its typical error; --ascii spells the sign."""
    for option, sign in [(), "±"], [("--ascii",), r"\+-"]:
        line = malpan("eval", "yut", "-", *option, stdin=PENDING[4] + "\n").out
        check(re.fullmatch(rf"~0\.\d{{3}}{sign}0\.\d{{3}}( [0-9]+:[a-z-]+ ~0\.\d{{3}}){{4}}\n", line), line)


def test_value_never_prints_an_estimate():
    for pieces in [3, 4]:
        for position in [START[pieces], PENDING[pieces]]:
            refused(malpan("eval", "yut", position, "--value"), 4,
                    f"malpan solve yut --pieces {pieces}")
    refused(malpan("eval", "yut", "--value"), 4, "malpan solve yut --pieces 4")
    result = malpan("eval", "yut", "--value", "--json")
    check(result.code == 4 and json.loads(result.out)["error"]["code"] == "table", result.out)
    # No table can ever exist.
    refused(malpan("eval", "yut", "--players", "3", "--value"), 3, "one piece each")


def test_every_variant_gets_an_estimate():
    """Three players, house rules: not everything is solved, but nothing is refused."""
    for options, why in [("--players 3", "one piece each"), ("--preset teams", "one piece each"),
                         ("--players 4 --pieces 2 --animals cnpd", "one piece each"),
                         ("--players 4 --pieces 1 --animals cnpd", "the same animal"),
                         ("--players 3 --pieces 1 --nak 0.05", "--nak is solved for two players"),
                         ("--pieces 2 --odds 1,1,1,1,9,9", "throws again so often")]:
        page = malpan("eval", "yut", *options.split())
        check(page.code == 0 and re.search(r": ~0\.\d{3}( ± 0\.\d{3})? \(estimate\)\n", page.out), page.out, page.err)
        check(why in page.out, page.out)
        answer = json.loads(malpan("eval", "yut", *options.split(), "--json").out)
        check(answer["exact"] is False and why in answer["note"], answer)
        hints = malpan("play", "yut", *options.split(), "--seed", "3", "--seats", "you", stdin="?\n").out
        check("~" in hints and why in hints, hints)


def test_missing_tables_say_what_they_cost():
    for game, options, words in [("yut", "--pieces 3", "about 2 min on two cores, 2.7 GB of memory"),
                                 ("yut", "", "about 4 h on two cores"),
                                 ("valley", "--soldiers 3", "about 25 s on two cores")]:
        result = malpan("match", game, "perfect", "random", *options.split())
        refused(result, 4, f"malpan solve {game}", words, "of disk")


def test_tables_are_cached():
    """Solved once; then the table is used, and it is what makes the difference."""
    with tempfile.TemporaryDirectory() as folder:
        tables = {"MALPAN_TABLES": folder + "/a/b"}
        first = eval_json(START[2], env=tables)
        table = folder + "/a/b/yut-pieces-2.table"
        check(os.path.exists(table), os.listdir(folder))
        made = os.stat(table)
        second = eval_json(START[2], env=tables)
        check(second["method"] == "table" and second["value"] == first["value"], second)
        check(os.stat(table).st_mtime_ns == made.st_mtime_ns, "it was made again")
        check(os.listdir(folder + "/a/b") == ["yut-pieces-2.table"], "something is left behind")
        shutil.copy(table, TABLES.name)  # solving it takes long
        os.rename(table, folder + "/a/b/yut-pieces-1.table")
        refused(malpan("eval", "yut", START[1], env=tables), 4, "pieces")


def test_estimates_in_a_batch():
    stdin = "\n".join([START[2], START[3], START[1], PENDING[4], START[2]]) + "\n"
    result = malpan("eval", "yut", "-", "--value", stdin=stdin)
    lines = result.out.splitlines()
    check(result.code == 1 and result.err == "" and len(lines) == 5, result.code, result.out)
    check([lines[i] for i in (0, 2, 4)] == ["0.508864", "0.510281", "0.508864"], lines)
    check(lines[1].startswith("error: no table") and "--pieces 3" in lines[1], lines)
    check(lines[3].startswith("error: no table") and "--pieces 4" in lines[3], lines)
    result = malpan("eval", "yut", "-", stdin=stdin)
    lines = result.out.splitlines()
    check(result.code == 0 and result.err == "" and len(lines) == 5, result.code, result.out)
    check([lines[i] for i in (0, 2, 4)] == ["0.508864", "0.510281", "0.508864"], lines)
    check(re.fullmatch(r"~0\.\d{3}±0\.\d{3}", lines[1]), lines)
    check(re.fullmatch(r"~0\.\d{3}±0\.\d{3}( \d+:[a-z]+ ~0\.\d{3}){4}", lines[3]), lines)
    answers = [json.loads(line) for line in
               malpan("eval", "yut", "-", "--json", stdin=stdin).out.splitlines()]
    check([a["exact"] for a in answers] == [True, False, True, False, True], answers)


def test_estimates_as_hints():
    hints = malpan("play", "yut", "--from", PENDING[3], "--seats", "you", stdin="?\n").out
    check(re.search(r"7:gae +~0\.\d{3}\n", hints) and "malpan solve yut --pieces 3" in hints, hints)
    exact = malpan("play", "yut", "--from", "9/13 0 gae,yut", stdin="?\n").out
    check("9:yut       0.959959" in exact and "~" not in exact, exact)


def test_the_tour_marks_estimates():
    out = malpan("tour", "yut").out
    check(re.search(r"^ *~0\.50\d±0\.0\d\d  two players, four pieces each", out, re.M), out)
    check(re.search(r"^ *~0\.\d{3}  four players, two pieces each; best move", out, re.M), out)
    check(re.search(r"^ *0\.510281  one piece each", out, re.M), out)
    check("estimates, which are marked ~" in out, out)
    stops = [json.loads(line) for line in malpan("tour", "yut", "--json").out.splitlines()]
    check(not stops[0]["exact"] and 0 < stops[0]["typical_error"] < 0.1, stops[0])
    check(stops[1]["exact"] and "typical_error" not in stops[1], stops[1])


def test_a_damaged_table_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        tables = {"MALPAN_TABLES": folder}
        malpan("eval", "yut", START[1], env=tables)
        table = folder + "/yut-pieces-1.table"
        whole = open(table, "rb").read()
        for at in [0, 20, 100, 520, len(whole) // 2, len(whole) - 1]:
            damaged = bytearray(whole)
            damaged[at] ^= 0x40
            open(table, "wb").write(damaged)
            for arguments in [["--value"], []]:
                refused(malpan("eval", "yut", START[1], *arguments, env=tables), 4)
            batch = malpan("eval", "yut", "-", stdin=START[1] + "\n", env=tables)
            check(batch.code == 1 and batch.out.startswith("error: "), at, batch.out)
            check(open(table, "rb").read() == damaged, "the file was changed")
        # Where only a table would do, a damaged one is no reason to estimate.
        os.rename(table, folder + "/yut-pieces-3.table")
        refused(malpan("eval", "yut", START[3], env=tables), 4)
        refused(malpan("play", "yut", "--pieces", "3", env=tables), 4)
        check(os.listdir(folder) == ["yut-pieces-3.table"])


def test_tables_that_cannot_be_kept():
    for folder in ["/dev/null/tables", "/proc", "/proc/tables", "/" + "x" * 300]:
        answer = eval_json(START[1], "--tables", folder)
        check(answer["exact"] is True and answer["method"] != "table", folder, answer)
        printed(malpan("eval", "yut", START[1], "--value", "--tables", folder), "0.510281\n")
        check("~" in malpan("eval", "yut", START[3], "--tables", folder).out)


def test_where_tables_are():
    """--tables before $MALPAN_TABLES before $XDG_CACHE_HOME before $HOME; or nowhere."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"MALPAN_TABLES": folder + "/named", "XDG_CACHE_HOME": folder + "/cache",
                       "HOME": folder + "/home"}
        places = []
        for place, arguments, changed in [
            ("option", ["--tables", folder + "/option"], {}),
            ("named", [], {}),
            ("cache/malpan", [], {"MALPAN_TABLES": ""}),
            ("home/.cache/malpan", [], {"XDG_CACHE_HOME": "not/absolute"}),
        ]:
            environment |= changed
            places.append(f"{folder}/{place}/yut-pieces-1.table")
            eval_json(START[1], *arguments, env=environment)
            found = [os.path.join(f, name) for f, _, names in os.walk(folder) for name in names]
            check(sorted(found) == sorted(places), found, places)
        bare = {k: v for k, v in ENVIRONMENT.items()
                if k not in ("MALPAN_TABLES", "XDG_CACHE_HOME", "HOME")}

        def without(*arguments):
            done = subprocess.run([MALPAN, *arguments], env=bare, cwd=folder, capture_output=True,
                                  text=True, timeout=120)
            return Result(done.returncode, done.stdout, done.stderr)
        printed(without("eval", "yut", START[1], "--value"), "0.510281\n")
        check("~" in without("eval", "yut").out)
        for verb in ["solve", "verify"]:
            refused(without(verb, "yut", "--pieces", "1"), 2, "--tables")
        check(sorted(os.listdir(folder)) == ["cache", "home", "named", "option"])


def test_mistyped():
    refused(malpan("evla"), 2, "did you mean 'eval'?")
    refused(malpan("eval", "box", "--jsno"), 2, "did you mean '--json'?")
    refused(malpan("xyzzy"), 2, "malpan help")
    check("--json is not an option of play box" in malpan("play", "box", "--json").out)
    refused(malpan("games", "--value"), 2, "--value is not an option of games")
    refused(malpan("play", "box", "--seats", "prefect"), 2, "did you mean 'perfect'?")
    refused(malpan("version", "now"), 2, "too many")
    refused(malpan("eval", "box", "--tile", "3"), 2, "did you mean '--tiles'?")
    refused(malpan("tour", "box", "--tiles", "12"), 2, "--tiles is not an option of tour box")
    refused(malpan("games", "box", "--tiles", "12"), 2, "--tiles is not an option of games box")
    refused(malpan("--seats", "you"), 2, "--seats is not an option of tour")
    printed(malpan("eval", "box", "- 0 - -", "--value"), "1.000000\n")
    printed(malpan("eval", "box", *"--players 1 --tiles 1 --dice 1 --sides 1 --aim score --value"
                   .split()), "0.000000\n")


# --- the other verbs ---

def test_tour_without_a_terminal():
    result = malpan()
    check(result.code == 0 and result.err == "", result.code, result.err)
    check("\x1b" not in result.out)
    check("0.502810" in result.out and "0.071432" in result.out and "0.097614" in result.out)
    check(result.out == malpan("tour").out)
    stops = [json.loads(line) for line in malpan("tour", "--json").out.splitlines()]
    check(len(stops) >= 5 and {s["game"] for s in stops} >= {"box", "race", "yut"})


def test_tour_commands_do_what_they_say():
    """Every command that the tour shows runs, and gives the number shown above it."""
    lines = malpan("tour").out.splitlines()
    commands = moves = 0
    for above, line in zip(lines, lines[1:]):
        if line.strip().startswith("malpan "):
            check("  " not in line.strip().split('"')[0], line)
        if line.strip().startswith("malpan eval") and "~" not in above:
            value = subprocess.run(line.strip() + " --value", shell=True, capture_output=True,
                                   text=True, env=ENVIRONMENT | {"PATH": FOLDER + ":/usr/bin:/bin"})
            check(value.stdout.strip() == above[:14].strip(), line, value.stdout, value.stderr)
            if "; best move " in above:
                found = subprocess.run(line.strip() + " --json", shell=True, capture_output=True,
                                       env=ENVIRONMENT | {"PATH": FOLDER + ":/usr/bin:/bin"})
                best = json.loads(found.stdout)["moves"][0]["move"]
                check(above.endswith(f"; best move {best}"), above, best)
                moves += 1
            commands += 1
    check(commands >= 5 and moves >= 2, commands, moves)


def test_games():
    result = malpan("games")
    check("Shut the Box" in result.out and "--one-die RULE" in result.out)
    answer = json.loads(malpan("games", "box", "--json").out)
    check(answer["defaults"]["tiles"] == 9 and len(answer["examples"]) >= 5)
    check("    --online           " in malpan("games", "dice").out, malpan("games", "dice").out)
    choices = {o["name"]: o.get("choices") for o in answer["options"]}
    check(choices["aim"] == ["shut", "score", "digits"] and choices["tiles"] is None, choices)
    check("셧 더 박스" in malpan("games", "--lang", "ko").out)
    korean = json.loads(malpan("games", "box", "--lang", "ko", "--json").out)["options"]
    check(all(re.search("[가-힣]", option["help"]) for option in korean), korean)
    check("셧 더 박스" in malpan("games", env={"LANG": "ko_KR.UTF-8"}).out)
    check("셧 더 박스" not in malpan("games", env={"LANG": "ko_KR.UTF-8", "LC_ALL": "C"}).out)


def test_stats():
    one = malpan("stats", "box", "--games", "5000", "--seed", "3", "--threads", "1")
    two = malpan("stats", "box", "--games", "5000", "--seed", "3", "--threads", "2")
    check(one.code == 0 and one.out == two.out)
    check("128154 can be reached" in one.out, one.out)
    answer = json.loads(malpan("stats", "box", "--games", "5000", "--seed", "3", "--json").out)
    check(sum(answer["games_by_moves"].values()) == 5000)
    check(answer["states"] == {"reached": 128154, "ended": answer["states"]["ended"],
                               "complete": True})
    check(abs(sum(answer["payoff_means"]) - 1) < 1e-9)
    check("more than" in malpan("stats", "box", "--memory", "1M", "--games", "10").out)
    page = malpan("stats", "valley", "--soldiers", "1", "--games", "200", "--lang", "ko").out
    labels = page.split("\n둔 수별")[0].splitlines()[1:]
    check(len(labels) >= 8 and all(re.search("[가-힣]", line) for line in labels), page)
    labels = [line[:4] for line in malpan("stats", "dice", "--all", "--lang", "ko").out.splitlines()
              if re.match(r"\S", line)]
    check(labels == ["dice", "입력  ", "평균  ", "표준편차", "최저  ", "최고  ", "점수별 "], labels)
    refused(malpan("stats", "box", "--games", "0"), 2, "--games")


def test_eval_throws():
    answer = json.loads(malpan("eval", "yut", "0/0 0 -", "--throws", "--json").out)
    throws = {t["move"]: t for t in answer["throws"]}
    check(list(throws) == ["back-do", "do", "gae", "geol", "yut", "mo"], throws)
    mean = sum(t["chance"] * t["value"] for t in throws.values())
    check(abs(mean - answer["value"]) < 1e-6, mean, answer["value"])
    check("  gae" in malpan("eval", "yut", "0/0 0 -", "--throws").out)
    check("throws" not in json.loads(malpan("eval", "box", "9 0 - 9", "--throws", "--json").out))


def test_match():
    even = malpan("match", "box", "perfect", "perfect", "--games", "40").out
    check("50.00 % +- 0.00" in even, even)
    match = ["match", "box", "perfect", "random", "--games", "200", "--seed", "5", "--json"]
    one = malpan(*match).out
    check(one == malpan(*match).out, "a seed gives two results")
    answer = json.loads(one)
    check(answer["mean"] - answer["margin"] > 0.6 and answer["games"] == 200, answer)
    match[2:4] = ["random", "perfect"]
    answer = json.loads(malpan(*match).out)
    check(answer["mean"] + answer["margin"] < 0.4, answer)
    yut = json.loads(malpan("match", "yut", "perfect", "random", "--pieces", "1", "--games", "300",
                            "--json").out)
    check(yut["unfinished"] == 0 and yut["mean"] > 0.45, yut)
    refused(malpan("match", "box", "perfect"), 2, "two players")
    refused(malpan("match", "box", "you", "random"), 2, "a person")
    refused(malpan("match", "box", "perfcet", "random"), 2, "did you mean")
    refused(malpan("match", "box", "random", "random", "--players", "3"), 3, "two players")
    refused(malpan("match", "yut", "perfect", "random"), 4, "malpan solve yut --pieces 4")


def test_threads_do_not_matter():
    for line in ["match yut expectimax random --pieces 2 --games 60 --json",
                 "match box perfect random --games 100 --json",
                 "match box normal easy --games 60 --json",
                 "match yut strong best --games 6 --json",
                 "match valley easy normal --games 4",
                 "rate yut easy --players 3 --pieces 1 --positions 100",
                 "match valley alphabeta:2 minimax:1 --games 20",
                 "rate box random --positions 200",
                 "stats race --perfect --games 300 --json"]:
        results = [malpan(*line.split(), "--threads", threads) for threads in ("1", "2", "5")]
        check(all(result.code == 0 for result in results), line, results[0].err)
        check(len({result.out for result in results}) == 1, line, [r.out for r in results])


def test_signals_stop_what_cannot_be_resumed():
    """A line that says so, and exit code 1; 5 would promise that it can be resumed."""
    for line in ["match box random random --games 1000000000", "stats box --games 1000000000",
                 "rate box random --positions 1000000000",
                 "stats yut --games 1 --memory 8G", "yut facts --pieces 1 --games 1000000"]:
        for number in [signal.SIGINT, signal.SIGTERM]:
            process = subprocess.Popen([MALPAN, *line.split()], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, env=ENVIRONMENT,
                                       preexec_fn=default_signals)
            wait_for(lambda: catches(process, number), "the handler")
            time.sleep(0.2)
            process.send_signal(number)
            out, err = process.communicate(timeout=20)
            check(process.returncode == 1 and out == b"", line, process.returncode, out)
            check(err == b"malpan: stopped before the end\n", line, err)


def test_games_come_in_pairs():
    """An odd number of games is rounded up."""
    for asked, played in ((1, 2), (2, 2), (3, 4)):
        result = malpan("match", "box", "random", "random", "--games", str(asked), "--json")
        check(json.loads(result.out)["games"] == played, asked, result.out)


def test_ignored_signals():
    """What was ignored before, as by nohup, stays ignored."""
    def ignore():
        default_signals()
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    process = subprocess.Popen([MALPAN, "stats", "box", "--games", "1000000000"], env=ENVIRONMENT,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               preexec_fn=ignore)
    try:
        wait_for(lambda: catches(process, signal.SIGTERM) and catches(process, signal.SIGINT),
                 "the handlers")
        time.sleep(0.1)
        check(not catches(process, signal.SIGHUP), "SIGHUP")
    finally:
        process.kill()
        process.wait()


def test_version_and_help():
    check(malpan("version").out == malpan("--version").out == malpan("-V").out)
    check(json.loads(malpan("version", "--json").out)["version"] in malpan("version").out)
    check(malpan("help").out == malpan("--help").out == malpan("-h").out)
    _, every, many = re.split("options of (?:every verb|many verbs)", malpan("help").out)
    check(all(f"  --{name} " in every and f"  --{name} " not in many for name in ("seed", "lang")))
    check(all(f"  --{name} " in many and f"  --{name} " not in every for name in ("json", "value")))
    for verb in ["play", "eval", "match", "solve", "verify", "tour", "games", "stats", "bench", "help", "version"]:
        result = malpan(verb, "--help")
        check(result.code == 0 and result.err == "" and "examples:" in result.out, verb)
        check(malpan("help", verb).out == result.out, verb)
        check(verb in malpan("help").out)
    check("--tiles" in malpan("eval", "box", "--help").out)
    refused(malpan("help", "evla"), 2, "did you mean 'eval'?")
    refused(malpan("help", "yutt"), 2, "did you mean 'yut'?")
    refused(malpan("yutt"), 2, "did you mean 'yut'?")


def test_help_lists_what_is_accepted():
    """scripts/check-help tries every option with every verb; here, those that were wrong once."""
    for page, options in [("play", ["--json", "--value"]), ("solve", ["--value"]),
                          ("help", ["--json", "--value"]), ("tour box", ["--tiles", "--value"]),
                          ("games", ["--tiles", "--value"]), ("bench box", ["--tiles", "--value"])]:
        text = malpan(*page.split(), "--help").out
        check([o for o in options if f"  {o} " in text] == [], page, text)
        check("  --seed N " in text, page, text)
    check("--cow" in malpan("yut", "move", "--help").out)
    check("--pieces" not in malpan("yut", "move", "--help").out)
    for verb, games in (("eval", "yut race box dice valley"), ("solve", "yut valley"),
                        ("verify", "yut valley"), ("learn", "yut")):
        found = re.findall(r"^rules of (\w+):", malpan(verb, "--help").out, re.M)
        check(found == games.split(), verb, found)
    players = malpan("match", "box", "--help").out.split("players:\n")[1].split("\n\n")[0]
    check([line.split()[0] for line in players.splitlines()] ==
          ["random", "easy", "normal", "strong", "best", "perfect"], players)


def test_help_fits_the_terminal():
    for lang in ["en", "ko"]:
        for columns in [40, 80]:
            out = malpan("eval", "--help", "--lang", lang, env={"COLUMNS": str(columns)}).out
            for line in out.split("\n예:")[0].split("\nexamples:")[0].splitlines():
                check(columns_of(line) <= columns, columns, line)


def test_full_disk():
    with open("/dev/full", "w") as full:
        done = subprocess.run([MALPAN, "tour"], stdout=full, stderr=subprocess.PIPE, text=True,
                              env=ENVIRONMENT)
    check(done.returncode == 1 and "standard output" in done.stderr, done)


# --- play ---

def test_play_through_a_pipe():
    result = malpan("play", "box", "--seed", "3", stdin="?\n9\nundo\nfoo\n\nboard\nquit\n")
    check(result.code == 0 and result.err == "" and "\x1b" not in result.out, result.err)
    check("9           0.642048" in result.out, result.out)
    check(result.out.count("player 0 rolls 9") == 1 and "not 'foo'" in result.out)
    check("Type a move, such as 9, or its number in the list: #1." in result.out)


def test_play_ends_with_the_input():
    check(malpan("play", "box", stdin="").code == 0)
    check(malpan("play", "box", stdin="3+").code == 0)
    check(malpan("play", "box", stdin="x" * 2000000).code == 0)
    check(malpan("play", "box", stdin=bytes(range(256)) * 50).code == 0)


def test_play_a_whole_game():
    """Always the move shown first by `?`: the perfect game, typed by hand."""
    typed = []
    for _ in range(40):
        out = malpan("play", "box", "--seed", "42", stdin="\n".join(typed + ["?"]) + "\n").out
        if "wins." in out or "tie" in out:
            break
        typed.append(out.rsplit("player 0> ", 2)[1].split()[1])
    check(typed == ["8", "5", "9", "4+6", "2+3+7"], typed)
    perfect = malpan("play", "box", "--seed", "42", "--seats", "perfect").out
    check(out.splitlines()[-1] == perfect.splitlines()[-1], out[-300:], perfect[-300:])


def test_play_undo_meets_the_same_dice():
    out = malpan("play", "box", "--seed", "3", stdin="9\nundo\n9\nquit\n").out
    rolls = [line for line in out.splitlines() if "rolls" in line]
    check(len(rolls) == 3 and rolls[1] == rolls[2], rolls)
    check("nothing to take back" in malpan("play", "box", "--seed", "3", stdin="undo\n").out)


def test_play_every_seat():
    for seats in ["you,you,you", "perfect", "random", "random,perfect,random", "you,random"]:
        result = malpan("play", "box", "--players", "3", "--seats", seats, "--seed", "5")
        check(result.code == 0, result.err)
    check("wins" in result.out or "player 0> " in result.out)
    refused(malpan("play", "box", "--seats", "you,you,you"), 2, "at most 2")
    result = malpan("play", "box", "--players", "1", "--seed", "5", stdin="quit\n")
    check("player 0> " in result.out)
    result = malpan("play", "box", "--from", "12 1 44 2", "--seats", "perfect")
    refused(result, 2, "over")
    check("shuts" in malpan("play", "box", "--from", "9 0 - 9", stdin="9\n").out)


def test_play_keeps_the_game():
    with tempfile.TemporaryDirectory() as folder:
        first = malpan("play", "box", "--seed", "3", "--file", "game", stdin="9\n", cwd=folder)
        check("the game is saved in game" in first.out, first.out)
        again = malpan("play", "box", "--file", "game", stdin="quit\n", cwd=folder)
        check("player 0 rolled 6; open tiles sum to 36" in again.out, again.out)
        check(os.listdir(folder) == ["game"])
        with open(folder + "/game", "a") as file:
            file.write("0 9\n")
        before = open(folder + "/game").read()
        broken = malpan("play", "box", "--file", "game", cwd=folder)
        refused(broken, 1, "'game': game record, line", "move:")
        check(open(folder + "/game").read() == before, "a damaged file was changed")
        refused(malpan("play", "box", "--file", "no/folder", cwd=folder), 1, "No such file")
        for given in [["--seats", "random"], ["--seed", "4"], ["--tiles", "9"]]:
            refused(malpan("play", "box", "--file", "game", *given, cwd=folder), 2, given[0],
                    "holds a game already")


def test_play_keeps_the_game_below_a_long_path():
    with tempfile.TemporaryDirectory() as folder:
        for name in ["d" * 200, "e" * 200, "f" * 200]:
            folder = os.path.join(folder, name)
            os.mkdir(folder)
        path = folder + "/game"
        first = malpan("play", "box", "--seed", "3", "--file", path, stdin="9\n")
        check(f"the game is saved in {path}; the same command" in first.out, first.out[-300:])
        again = malpan("play", "box", "--file", path, stdin="quit\n")
        check("player 0 rolled 6; open tiles sum to 36" in again.out, again.out)
        refused(malpan("play", "box", "--file", "/".join([folder] * 9)), 1)


def test_play_is_not_overwritten_by_another():
    with tempfile.TemporaryDirectory() as folder:
        first = Terminal(MALPAN, "play", "box", "--line", "--seed", "3", "--file", folder + "/game")
        first.read_until("player 0> ")
        malpan("play", "box", "--file", folder + "/game", stdin="9\n")
        kept = open(folder + "/game").read()
        first.type("1+8")
        first.read_until("changed by another program")
        check(first.close() == 1)
        check(open(folder + "/game").read() == kept)


def test_play_survives_a_kill():
    """Killed anywhere in a game, the file is a whole record that can be taken up again."""
    choose = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(15):
            process = subprocess.Popen(
                [MALPAN, "play", "box", "--players", "8", "--seats", "random", "--file", "game"],
                cwd=folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
            time.sleep(choose.uniform(0, 0.15))
            process.kill()
            process.wait()
            if os.path.exists(folder + "/game"):
                done = malpan("play", "box", "--file", "game", cwd=folder)
                check(done.code == 0, done.err)
                os.remove(folder + "/game")


def test_play_by_number():
    """`#2` is the second move of the list; so is a bare 2, unless moves are numbers here."""
    start = ["play", "yut", "--from", "0,5/0,7 0 gae,geol", "--seats", "you", "--seed", "1"]
    listed = malpan(*start).out
    check("\n  1) 5:gae  2) 0:gae  3) 5:geol  4) 0:geol\n" in listed, listed)
    for number, move in [("1", "5:gae"), ("2", "0:gae"), ("3", "5:geol"), ("4", "0:geol")]:
        out = malpan(*start, stdin=move + "\n").out
        check(out.count("\nplayer 0> player 0:") == 1, move, out)
        for typed in ["#" + number, number]:
            check(malpan(*start, stdin=typed + "\n").out == out, typed, "is not", move)
    for typed in ["#0", "#5", "5", "#", "#x", "#1x", "0", "#99999999999999999999"]:
        out = malpan(*start, stdin=typed + "\n").out
        check("player 0> player 0:" not in out, typed, out)
        check(f"there is no move '{typed}'; the list goes from #1 to #4\n" in out, typed, out)
    check("'#9'번 수는 없습니다" in malpan(*start, "--lang", "ko", stdin="#9\n").out)
    # Shut the Box: a 9 is the tile, and a 2 is not the second move, but a bad one.
    box = malpan("play", "box", "--seed", "3", stdin="2\n#2\n")
    check("player 0 closes 1+8" in box.out and "'2' sums to 2" in box.out, box.out)
    check("player 0 closes 9" in malpan("play", "box", "--seed", "3", stdin="9\n").out)


def test_play_a_forced_move():
    forced = ["play", "box", "--from", "9 0 - 9", "--seats", "you"]
    check("the only move: 9 (Enter plays it)" in malpan(*forced).out)
    check("closes 9 and shuts the box" in malpan(*forced, stdin="\n").out)
    check("closes" not in malpan(*forced).out, "the end of the input is not Enter")
    check("closes" not in malpan("play", "box", "--seed", "3", stdin="\n").out)


def test_play_commands():
    for words, answer in [(["quit", "exit", "q", "QUIT", "끝", "나가기"], None),
                          (["hint", "힌트"], "> hint: 9, 0.642048\n"),
                          (["?", "값"], "> {0}  1) 9           0.642048\n"),
                          (["help", "도움말"], "> Type a move, such as 9"),
                          (["board", "판"], "open tiles sum to 45\n  1) 9  2) 1+8"),
                          (["undo", "무르기"], "> there is nothing to take back\n")]:
        for word in words:
            out = malpan("play", "box", "--seed", "3", stdin=word + "\n9\n").out
            check(("closes 9" in out) == (answer is not None), word, out)
            check(answer is None or answer.format("") in out.replace("player 0>", ">"), word, out)
    ko = malpan("play", "box", "--seed", "3", "--lang", "ko", stdin="힌트\n도움말\n무르기\n끝\n").out
    check("추천: 9, 0.642048" in ko and "목록의 번호" in ko and "무를 것이 없습니다" in ko, ko)
    board = ["play", "yut", "--pieces", "1", "--seed", "1"]
    check("[10 ]-[ 9 ]" in malpan(*board).out, "no numbers on the board")
    check("[ ] - [ ]" in malpan(*board, "--numbers", "off").out)
    refused(malpan("play", "box", "--numbers", "maybe"), 2, "on or off")
    refused(malpan("eval", "box", "--numbers", ""), 2, "on or off")


def columns_of(line):
    """How many columns of a terminal the line takes."""
    return sum(2 if "\u1100" <= c <= "\ud7a3" else 1 for c in line)


def test_worded_values_are_aligned():
    """A win in 13 plies is wider in Korean than a column of numbers."""
    page = malpan("eval", "valley", "--time", "1ms", "--lang", "ko").out
    rows = [line for line in page.splitlines() if re.match(r"  [a-e]\d[a-e]\d ", line)]
    check(len(rows) == 10 and any("13수" in row for row in rows), page)
    check(len({columns_of(row) for row in rows}) == 1, page)


def test_outcomes_are_worded_for_people_only():
    position = "sskss/2S2/5/5/1SKSS w 3"
    quick = ["--time", "200ms", "--lang", "ko"]
    page = malpan("eval", "valley", position, *quick).out
    check("선수 0: 1수 만에 이김" in page and "win" not in page and "loss" not in page, page)
    for answer in [malpan("eval", "valley", position, "--value", *quick),
                   malpan("eval", "valley", position, "--json", *quick),
                   malpan("eval", "valley", "-", *quick, stdin=position + "\n")]:
        check("수 만에" not in answer.out and "win" in answer.out, answer.out)


def test_play_in_korean():
    out = malpan("play", "box", "--lang", "ko", "--seed", "3", stdin="?\n9\nquit\n").out
    check("선수 0: 9 닫음" in out and "선수 0> " in out, out)


def test_moves_are_typed_as_shown_in_korean():
    shown = malpan("play", "yut", "--pieces", "1", "--lang", "ko", "--seed", "5", "--seats", "you",
                   stdin="?\n0:개\n7:개\n").out
    check("  1) 0:개 " in shown and "선수 0: 개, 0 → 2" in shown, shown)
    check("남은 결과가 아닙니다" in shown and "expected" not in shown, shown)
    check("  0:개 " in malpan("eval", "yut", "0/0 0 gae", "--lang", "ko").out)
    check(json.loads(malpan("eval", "yut", "0/0 0 gae", "--lang", "ko", "--json").out)
          ["moves"][0]["move"] == "0:gae")


# --- at a terminal ---

class Terminal:
    """A program at a pseudo-terminal of a given width."""

    def __init__(self, *command, columns=80, env=None):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            default_signals()
            os.execve(command[0], command, ENVIRONMENT | (env or {}))
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
        self.unread = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def read_until(self, words, seconds=60):
        """What the program prints up to and including these words."""
        end = time.time() + seconds
        while words not in self.unread:
            check(time.time() < end, f"no '{words}' in", repr(self.unread))
            if select.select([self.file], [], [], 0.1)[0]:
                try:
                    self.unread += self.decoder.decode(os.read(self.file, 65536))
                except OSError:  # the program has ended
                    check(words in self.unread, f"ended before '{words}':", repr(self.unread))
        at = self.unread.index(words) + len(words)
        seen, self.unread = self.unread[:at], self.unread[at:]
        return seen

    def type(self, line):
        os.write(self.file, (line + "\n").encode())

    def close(self):
        """Waits for the program to end by itself; its exit code."""
        try:
            while os.read(self.file, 65536):
                pass
        except OSError:
            pass
        os.close(self.file)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def test_chooser():
    terminal = Terminal(MALPAN, "--line", "--seed", "3")
    menu = terminal.read_until("> ")
    check("which game?" in menu and "Shut the Box" in menu, menu)
    terminal.type("bxo")
    check("did you mean 'box'?" in terminal.read_until("\n> "))
    terminal.type("box")
    terminal.read_until("]: ")
    terminal.type("")
    terminal.read_until("]: ")
    terminal.type("")
    check("\x1b[32m" in terminal.read_until("player 0> "), "no colour at a terminal")
    terminal.type("?")
    check("0.642048" in terminal.read_until("player 0> "))
    terminal.type("quit")
    terminal.read_until("which game?")
    terminal.read_until("> ")
    terminal.type("t")
    check("0.502810" in terminal.read_until("which game?"))
    terminal.read_until("> ")
    terminal.type("q")
    check(terminal.close() == 0)


def test_chooser_rules_and_seats():
    terminal = Terminal(MALPAN, "--line", "--seed", "3", env={"NO_COLOR": "1"})
    terminal.read_until("> ")
    terminal.type("box")
    terminal.read_until("]: ")
    terminal.type("--tiles 99")
    check("from 1 to 24" in terminal.read_until("]: "))
    terminal.type("--tiles 12 --players 3")
    terminal.read_until("]: ")
    terminal.type("prefect")
    check("did you mean 'perfect'?" in terminal.read_until("]: "))
    terminal.type("perfect,you,random")
    seen = terminal.read_until("player 1> ")
    check("\x1b" not in seen and "│12│" in seen, seen)
    terminal.type("quit")
    terminal.read_until("which game?")
    terminal.type("quit")
    check(terminal.close() == 0)


def test_chooser_offers_what_works():
    terminal = Terminal(MALPAN, "--line", "--seed", "3", env={"NO_COLOR": "1"})
    terminal.read_until("> ")
    terminal.type("yut")
    example = terminal.read_until("]: ")
    check("rules, such as --players 2 [" in example, example)
    terminal.type("quit")
    terminal.read_until("which game?")
    terminal.read_until("> ")
    terminal.type("box")
    terminal.read_until("]: ")
    terminal.type("")
    players = terminal.read_until("]: ")
    check("players: you, random, easy, normal, strong, best, perfect\r\n" in players, players)
    check("[Enter: you,perfect]" in players, players)
    terminal.type("exit")
    terminal.read_until("which game?")
    terminal.read_until("> ")
    terminal.type("valley")
    terminal.read_until("]: ")
    terminal.type("")
    players = terminal.read_until("]: ")
    check("alphabeta[:D or TIME], easy, normal, strong, best\r\n" in players, players)
    terminal.type("q")
    terminal.read_until("> ")
    terminal.type("exit")
    check(terminal.close() == 0)


def test_terminal_width_and_charset():
    terminal = Terminal(MALPAN, "eval", "box", "--tiles", "20", "--players", "1", columns=40,
                        env={"COLUMNS": "40"})
    seen = terminal.read_until("chance of")
    bare = re.sub("\x1b\\[[0-9]*m", "", seen)
    check("╭" in bare and max(len(line) for line in bare.splitlines() if "╭" in line) <= 40, bare)
    plain = malpan("eval", "box", "--tiles", "20", "--players", "1", env={"COLUMNS": "40"}).out
    check(max(len(line) for line in plain.splitlines() if "╭" in line) <= 40, plain)
    terminal.close()
    terminal = Terminal(MALPAN, "eval", "box", env={"LANG": "C", "LC_ALL": "C"})
    check("+-+" in terminal.read_until("chance of"), "no ASCII where the terminal has no UTF-8")
    terminal.close()


def test_only_ascii_without_utf8():
    """By the locale alone, in a pipe as on a terminal; Korean only where it is asked for."""
    commands = [["eval", "box"], ["eval", "yut", "0/0 0 -", "--throws"], ["eval", "valley", "--value"],
                ["tour", "race"], ["games"], ["help"], ["eval", "--help"], ["help", "yut"],
                ["play", "box", "--seats", "random", "--seed", "1"], ["stats", "box", "--games", "9"],
                ["play", "dice", "--seed", "1"], ["play", "valley", "--seats", "random", "--seed", "1"],
                ["play", "race", "--seed", "1"], ["play", "yut", "--seed", "1", "--seats", "random"]]
    for env in [{"LANG": "C"}, {"LANG": "POSIX"}, {"LANG": ""}, {"LANG": "en_US.ISO-8859-1"},
                {"LANG": "ko_KR.EUC-KR"}, {"LANG": "ko_KR.UTF-8", "LC_ALL": "C"},
                {"LANG": "en_US.UTF-8", "LC_CTYPE": "C"}]:
        for command in commands if env == {"LANG": "C"} else commands[:2]:
            out = malpan(*command, env=env, stdin="").out
            check(out.isascii(), env, command, [c for c in out if ord(c) > 127][:5])
    for env in [{"LANG": "en_US.UTF-8"}, {"LANG": "en_US.utf8"}, {"LANG": "C", "LC_ALL": "C.UTF-8"},
                {"LANG": "C", "LC_CTYPE": "de_DE.UTF-8"}]:
        check("╭" in malpan("eval", "box", env=env).out, env)
    asked = malpan("eval", "box", "--lang", "ko", env={"LANG": "C"}).out
    check("╭" in asked and "이길 확률" in asked, asked)
    asked = malpan("eval", "box", "--lang", "ko", "--ascii", env={"LANG": "C"}).out
    check("+-+" in asked and "이길 확률" in asked, asked)


def test_colour_options():
    check("\x1b[" in malpan("eval", "box", "--color", "always").out)
    check("\x1b[" in malpan("eval", "box", "--color=always", env={"NO_COLOR": "1"}).out)
    check("\x1b[" not in malpan("eval", "box").out)
    check(all(ord(c) < 128 for c in malpan("eval", "box", "--ascii").out))
    for env, colour in [({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False),
                        ({"TERM": "dumb"}, False), ({}, True)]:
        terminal = Terminal(MALPAN, "eval", "box", env=env)
        check(("\x1b[" in terminal.read_until("chance of")) == colour, env)
        terminal.close()


def test_progress():
    """A line that is rewritten on a terminal; nothing in a pipe, unless asked for."""
    many = ["stats", "box", "--threads", "1", "--seed", "1", "--games"]
    terminal = Terminal(MALPAN, *many, "1000000000")  # however fast the machine is
    seen = terminal.read_until(" left")
    check("\rplaying  " in seen and "/s" in seen, seen[:300])
    os.write(terminal.file, b"\x03")
    terminal.read_until("stopped")
    terminal.close()
    result = malpan(*many, "100000")
    check(result.err == "", result.err)



if __name__ == "__main__":
    sys.exit(run_tests("cli", dict(globals()), sys.argv[2:]))
