#!/usr/bin/env python3
"""The command line, but for eval and play: verbs, help, signals, a terminal, a pipe.

usage: tests/cli.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import json
import os
import re
import signal
import subprocess
import sys
import time

from command_line import (ENVIRONMENT, FOLDER, MALPAN, Terminal, check, columns_of, malpan,
                          printed, refused)
from driving import catches, default_signals, run_tests, wait_for


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


# --- verbs ---

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
    # More than two seats: the players alternate, and a half is fair.
    for options in ["--players 3 --pieces 1", "--players 4 --pieces 1", "--preset teams --pieces 1"]:
        even = malpan("match", "yut", "random", "random", *options.split(), "--games", "40").out
        check("50.00 % +- 0.00" in even, options, even)
        better = json.loads(malpan("match", "yut", "expectimax", "random", *options.split(),
                                   "--games", "600", "--json").out)
        check(better["mean"] - better["margin"] > 0.5, options, better)
    # The learned estimates are not the one written by hand.
    for options in ["--players 3 --pieces 2", "--pieces 2"]:
        answer = json.loads(malpan("match", "yut", "expectimax", "expectimax:plain",
                                   *options.split(), "--games", "40", "--json").out)
        check(answer["margin"] > 0 and answer["games"] == 40, options, answer)
    refused(malpan("match", "box", "expectimax:plain", "random"), 3, "no estimate")
    refused(malpan("match", "box", "perfect"), 2, "two players")
    refused(malpan("match", "box", "you", "random"), 2, "a person")
    refused(malpan("match", "box", "perfcet", "random"), 2, "did you mean")
    refused(malpan("match", "box", "random", "random", "--players", "1"), 3, "two players")
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
    for verb in ["play", "eval", "match", "solve", "fetch", "verify", "tour", "games", "stats", "bench", "help", "version"]:
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
                        ("fetch", "yut valley"), ("verify", "yut valley"), ("learn", "yut")):
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


# --- at a terminal ---

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
    check("╭" in asked and "승률" in asked, asked)
    asked = malpan("eval", "box", "--lang", "ko", "--ascii", env={"LANG": "C"}).out
    check("+-+" in asked and "승률" in asked, asked)


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
