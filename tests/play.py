#!/usr/bin/env python3
"""`malpan play`: through a pipe, at a terminal, and the chooser of games.

usage: tests/play.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import time

from command_line import ENVIRONMENT, MALPAN, Terminal, check, malpan, refused
from driving import run_tests


# --- through a pipe ---

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


# --- choosing a game ---

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


if __name__ == "__main__":
    sys.exit(run_tests("play", dict(globals()), sys.argv[2:]))
