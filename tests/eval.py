#!/usr/bin/env python3
"""`malpan eval`: values, moves and estimates, one by one and in batches.

usage: tests/eval.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile

from command_line import (ENVIRONMENT, MALPAN, Result, TABLES, check, columns_of, malpan,
                          printed, refused, run)
from driving import run_tests


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
        check(page.code == 0 and re.search(r": ~0\.\d{3} ± 0\.\d{3} \(estimate\)\n", page.out), page.out, page.err)
        check(why in page.out, page.out)
        answer = json.loads(malpan("eval", "yut", *options.split(), "--json").out)
        check(answer["exact"] is False and why in answer["note"], answer)
        check(0 < answer["typical_error"] < 0.1, answer)
        hints = malpan("play", "yut", *options.split(), "--seed", "3", "--seats", "you", stdin="?\n").out
        check("~" in hints and why in hints, hints)


def test_missing_tables_say_what_they_cost():
    for game, options, words in [("yut", "--pieces 3", "about 2 min on two cores, 2.7 GB of memory"),
                                 ("yut", "", "about 4 h on two cores"),
                                 ("valley", "--soldiers 3", "about 25 s on two cores")]:
        result = malpan("match", game, "perfect", "random", *options.split())
        refused(result, 4, f"malpan solve {game}", words, "of disk")
    # The command makes the table of these rules, whatever is unusual about them.
    result = malpan("eval", "yut", "--pieces", "3", "--back-do", "off", "--value")
    refused(result, 4, "`malpan solve yut --pieces 3 --back-do off` makes one")


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
    check(re.search(r"^ *~0\.\d{3}±0\.0\d\d  four players, two pieces each; best move", out, re.M), out)
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


if __name__ == "__main__":
    sys.exit(run_tests("eval", dict(globals()), sys.argv[2:]))
