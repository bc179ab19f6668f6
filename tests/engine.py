#!/usr/bin/env python3
"""The engine protocol: UGI to the letter, its extension, matches between two engines, nonsense.

Usage: tests/engine.py FOLDER
"""
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

TABLES = tempfile.TemporaryDirectory()  # empty at first: King's Valley is searched
os.environ["MALPAN_TABLES"] = TABLES.name
PROGRAM = str((pathlib.Path(sys.argv[1]) / "malpan").resolve())


class Engine:
    """An engine at the other end of two pipes."""

    def __init__(self, *words):
        self.process = subprocess.Popen([PROGRAM, "engine", *words], text=True, bufsize=1,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def read(self):
        line = self.process.stdout.readline()
        assert line, "the engine has ended"
        return line.rstrip("\n")

    def ask(self, line):
        self.send(line)
        return self.read()

    def read_until(self, word):
        lines = [self.read()]
        while not lines[-1].startswith(word):
            lines.append(self.read())
        return lines

    def think(self, how):
        self.send("go " + how)
        return self.read_until("bestmove ")[-1].split()[1]

    def quit(self):
        self.send("quit")
        assert self.process.wait(timeout=60) == 0
        assert self.process.stdout.read() == ""


def test_to_the_letter():
    """The session of the specification, with this game's moves."""
    engine = Engine("valley")
    engine.send("ugi")
    lines = engine.read_until("ugiok")
    assert lines[0].startswith("id name ") and lines[1].startswith("id author "), lines
    assert any(line.startswith("option name hash type spin default ") for line in lines), lines
    engine.send("setoption name hash value 64")
    assert engine.ask("isready") == "readyok"
    engine.send("uginewgame")
    engine.send("position startpos")
    assert engine.ask("query p1turn") == "response true"
    assert engine.ask("query gameover") == "response false"
    assert engine.ask("query result") == "response none"
    assert engine.ask("query payoffs") == "response none"
    engine.send("go depth 4")
    lines = engine.read_until("bestmove ")
    assert [line.split()[2] for line in lines[:-1]] == ["1", "2", "3", "4"], lines
    move = lines[-1].split()[1]
    assert all(" pv " in line and " nodes " in line for line in lines[:-1]), lines
    assert lines[-2].split(" pv ")[1].split()[0] == move, lines
    engine.send(f"position startpos moves {move}")
    assert engine.ask("query p1turn") == "response false"
    for how in ("movetime 30", "nodes 2000", "p1time 1000 p2time 1000 p1inc 0 p2inc 0"):
        engine.send(f"position startpos moves {move} {engine.think(how)}")
        assert engine.ask("query p1turn") == "response true", how
        engine.send(f"position startpos moves {move}")
    engine.quit()


def test_infinite_and_stop():
    engine = Engine("valley")
    engine.send("go infinite")
    assert engine.read().startswith("info depth 1 ")
    engine.send("isready")
    engine.read_until("readyok")  # it answers while it thinks
    for command in ("position startpos", "go depth 1", "uginewgame"):
        engine.send(command)
        assert "a search is running" in engine.read_until("info string")[-1], command
    engine.send("stop")
    assert engine.read_until("bestmove ")
    assert "no search is running" in engine.ask("stop")
    engine.quit()
    engine = Engine("valley")
    engine.send("go infinite")
    engine.read()
    engine.send("quit")  # while it thinks
    assert engine.process.wait(timeout=60) == 0


def test_no_answer_before_stop():
    """Even where there is nothing left to think about; `go` alone is `go infinite`."""
    for how in ("infinite", ""):
        engine = Engine("box", "--tiles", "4")
        engine.send("position startpos moves 5")
        engine.send("go " + how)
        assert engine.read().startswith("info ")  # the exact value
        time.sleep(0.1)
        assert engine.ask("isready") == "readyok", how
        assert engine.ask("stop").startswith("bestmove "), how
        assert "no search is running" in engine.ask("stop"), how
        engine.quit()


def test_end_of_input():
    """A search with a limit is completed."""
    done = subprocess.run([PROGRAM, "engine", "valley"], input="go depth 3\n", text=True,
                          stdout=subprocess.PIPE, timeout=60)
    assert done.returncode == 0 and "bestmove " in done.stdout.splitlines()[-1], done
    done = subprocess.run([PROGRAM, "engine", "valley"], input="go infinite", text=True,
                          stdout=subprocess.PIPE, timeout=60)
    assert done.returncode == 0 and "bestmove " in done.stdout.splitlines()[-1], done


def play(words, how, seed):
    """A game between two engines; the referee draws the chance events. Returns the last answers."""
    engines, chooser, moves = [Engine(*words), Engine(*words)], random.Random(seed), []
    while len(moves) < 3000:
        position = "position startpos" + (" moves " + " ".join(moves) if moves else "")
        for engine in engines:
            engine.send(position)
        actors = [engine.ask("query actor") for engine in engines]
        assert actors[0] == actors[1], actors
        assert engines[0].ask("query fen") == engines[1].ask("query fen")
        if actors[0] == "response none":
            break
        if actors[0] == "response chance":
            events = engines[0].ask("query chances").split()[1:]
            weights = [int(weight.split("/")[0]) for weight in events[1::2]]
            assert sum(weights) == int(events[1].split("/")[1]), events
            moves.append(chooser.choices(events[::2], weights)[0])
        else:
            moves.append(engines[int(actors[0][-1]) - 1 & 1].think(how))
    answers = [[engine.ask("query " + what) for what in ("gameover", "result", "payoffs")]
               for engine in engines]
    assert answers[0] == answers[1]
    for engine in engines:
        engine.quit()
    return answers[0], moves


def test_matches():
    """Matches through pipes; both engines agree about every position."""
    (over, result, payoffs), _ = play(["valley"], "depth 2", 1)
    assert over == "response true" and result in ("response p1win", "response p2win", "response draw")
    (over, result, payoffs), moves = play(["box", "--tiles", "6"], "movetime 100", 2)
    assert over == "response true" and result != "response none", result
    assert len(payoffs.split()) == 3 and moves
    (over, result, _), _ = play(["yut", "--pieces", "1"], "movetime 100", 3)
    assert over == "response true" and result in ("response p1win", "response p2win")
    (over, result, payoffs), _ = play(["box", "--tiles", "4", "--players", "3"], "movetime 100", 4)
    assert over == "response true" and len(payoffs.split()) == 4, payoffs


def test_repetition():
    """A game without chance is drawn when a position has occurred five times."""
    engine, moves = Engine("valley"), []
    engine.send("position fen " + engine.ask("query fen").split(" ", 1)[1])
    chooser, drawn = random.Random(1), False
    for _ in range(200):
        engine.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        if engine.ask("query gameover") == "response true":
            drawn = True
            assert engine.ask("query result") in ("response p1win", "response p2win", "response draw")
            assert "the game is over" in engine.ask("go depth 1")
            break
        moves.append(engine.think("depth 1"))
    assert drawn and chooser, moves
    engine.quit()


def test_nonsense():
    """Every line that is wrong gets one line, and the engine goes on."""
    engine, noise = Engine("yut", "--pieces", "1"), random.Random(5)
    wrong = ["xyzzy", "position", "position fen", "position fen nonsense", "position startpos moves x",
             "position startpos moves do do", "go", "query", "query weather", "setoption",
             "setoption name hash value lots", "setoption name colour value red", "stop",
             "position startpos extra", "x" * 100000, "query p1turn now"]
    for line in wrong:
        answer = engine.ask(line)
        assert answer.startswith("info string error: "), (line[:50], answer)
    engine.send("position startpos moves do")
    for line in ("go depth", "go depth 0", "go depth x", "go backwards", "go movetime -1",
                 "go depth 99999999999999999999"):
        assert engine.ask(line).startswith("info string error: "), line
    assert engine.ask("query fen") == "response 0/0 0 do"  # errors changed nothing
    words = ["position", "startpos", "fen", "moves", "do", "0:do", "query", "p1turn", "chances", "setoption",
             "name", "value", "hash", "7", "-1", "\x01", "말", "isready", "stop", "uginewgame"]
    for _ in range(500):
        engine.send(" ".join(noise.choices(words, k=noise.randrange(1, 8))))
    engine.send("position startpos")
    engine.send("query actor")
    assert engine.read_until("response chance")
    assert "chance acts here" in engine.ask("go depth 1")
    engine.quit()


def test_options():
    """Names in any case; values with spaces."""
    with tempfile.TemporaryDirectory(prefix="with spaces ") as folder:
        engine = Engine("race")
        engine.send("setoption name Hash value 32")
        engine.send(f"setoption name tables value {folder}")
        engine.send("ugi")
        lines = engine.read_until("ugiok")
        assert f"option name tables type string default {folder}" in lines, lines
        assert any("name hash type spin default 32 " in line for line in lines), lines
        engine.send("setoption name tables value " + "x" * 5000)
        assert "too long" in engine.read_until("info string")[-1]
        engine.quit()


def test_scores():
    """As other engines write them: the start of King's Valley is won in nine plies, five moves."""
    engine = Engine("valley")
    engine.send("go depth 9")
    lines = engine.read_until("bestmove ")
    assert " score cp " in lines[0] and " kind estimate " in lines[0], lines
    assert " score mate 5 " in lines[-2] and " kind proven " in lines[-2], lines
    best = lines[-1].split()[1]
    engine.send(f"position startpos moves {best}")
    engine.send("go depth 8")
    assert " score mate -4 " in engine.read_until("bestmove ")[-2]
    engine.quit()
    engine = Engine("dice")
    engine.send("position fen 1 2 3 4 1 2 3 4 1 2")
    engine.send("go movetime 10000")
    score = float(engine.read_until("bestmove ")[0].split(" score cp ")[1].split()[0])
    assert score == 19000, score
    engine.quit()


def test_one_answer():
    """However a search ends, it ends with one `bestmove`, and nothing is said about it afterwards."""
    engine, chooser = Engine("valley", "--threads", "2"), random.Random(3)
    for _ in range(30):
        engine.send(chooser.choice(["go infinite", "go movetime 20", "go depth 3", "go nodes 500"]))
        time.sleep(chooser.uniform(0, 0.03))
        engine.send("stop")
        engine.send("isready")
        lines = engine.read_until("readyok")
        answers = [number for number, line in enumerate(lines) if line.startswith("bestmove ")]
        assert len(answers) == 1, lines
        assert all(line.startswith("info string error: stop") for line in lines[answers[0] + 1:-1]), lines
    engine.quit()


def test_limits_hold_while_a_variant_is_solved():
    """Before there are values, a legal move is said when the time is up, or at `stop`."""
    for how in ("go movetime 1", "go infinite"):
        engine = Engine("box", "--tiles", "12")
        engine.send("position startpos moves 7")
        engine.send(how)
        engine.send("stop")
        move = engine.read_until("bestmove ")[-1].split()[1]
        engine.send("isready")  # waits until the variant is solved
        engine.read_until("readyok")
        engine.send(f"position startpos moves 7 {move}")
        engine.send("query fen")
        assert engine.read_until("response ")[-1] != "response none"
        assert engine.ask("query actor") == "response chance"
        engine.quit()


def test_clocks():
    """A clock that has run out gets an answer, too; in any game, the clock of who moves counts."""
    engine = Engine("valley")
    for how in ("p1time 0 p2time 0", "p1time -20 p2time 1000 p1inc 0 p2inc 0", "movetime 0", "movetime 1",
                "p1time 100", "p1time 1 p1inc 1"):
        assert engine.think(how), how
    for line in ("go p2time 1000", "go p1inc 5", "go p1time", "go p1time x", "go p1time --5", "go p3time 5",
                 "go p1inc -5", "go p0time 5", "go p1", "go movetime -5"):
        assert engine.ask(line).startswith("info string error: "), line
    engine.quit()
    engine = Engine("box", "--tiles", "4", "--players", "3")
    engine.send("position fen 1234 2 10,10 5")
    assert engine.ask("query actor") == "response p3"
    assert "p3time" in engine.ask("go p1time 1000 p2time 1000")
    assert engine.think("p1time 1000 p2time 1000 p3time 1000 p3inc 10")
    engine.quit()


def test_movetime_is_kept():
    """The answer arrives within the time: match runners have little patience with later ones. On a
    busy machine, some are late; the fastest of several is not. No search of 60 ms proves this start."""
    engine, over = Engine("valley", "--start", "retrieve"), []
    for _ in range(8):
        engine.send("uginewgame")
        assert engine.ask("isready") == "readyok"
        begin = time.monotonic()
        engine.send("go movetime 60")
        lines = engine.read_until("bestmove ")
        over.append(time.monotonic() - begin - 0.06)
        assert all(" kind estimate " in line for line in lines[:-1]), "there is nothing left to search"
    assert min(over) < 0, over
    engine.quit()


def test_exact_values():
    """A game with a search uses it only where exact values are missing."""
    engine = Engine("valley", "--soldiers", "1")
    engine.send("go depth 1")
    lines = engine.read_until("bestmove ")
    assert len(lines) == 2 and " kind exact " in lines[0], lines
    engine.quit()


def main():
    tests = [test_movetime_is_kept, test_to_the_letter, test_options, test_scores, test_one_answer,
             test_limits_hold_while_a_variant_is_solved, test_clocks,
             test_exact_values, test_infinite_and_stop,
             test_no_answer_before_stop, test_end_of_input, test_matches, test_repetition,
             test_nonsense]
    for test in tests:
        test()
    print(f"{len(tests)} passed, 0 failed")


if __name__ == "__main__":
    main()
