#!/usr/bin/env python3
"""How long the engine takes from `stop` to `bestmove`, and how much later than asked it answers
`go movetime`, where it searches, solves a variant, and estimates. The baseline is `isready` to `readyok`
during the same searches: what the pipes and a busy machine take.

Usage: bench/engine.py PROGRAM [STOPS]
"""
import os
import random
import subprocess
import sys
import tempfile
import time

PROMISED_MS = 50


def measure(program, words, setup, stops, tables):
    """Milliseconds from `stop` to `bestmove`, after searches of up to a quarter of a second; from
    `isready` to `readyok`; and beyond the time of `go movetime`."""
    chooser, late, plain = random.Random(1), [], []
    process = subprocess.Popen([program, "engine", *words], text=True, bufsize=1,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               env=os.environ | {"MALPAN_TABLES": tables})

    def send(line):
        process.stdin.write(line + "\n")

    def read_until(word):
        while not process.stdout.readline().startswith(word):
            pass

    def ask(line, word):
        begin = time.perf_counter()
        send(line)
        read_until(word)
        return 1000 * (time.perf_counter() - begin)

    send(setup)
    for _ in range(stops):
        send("uginewgame")
        send("go infinite")
        time.sleep(chooser.uniform(0, 0.25))
        plain.append(ask("isready", "readyok"))
        time.sleep(chooser.uniform(0, 0.02))
        late.append(ask("stop", "bestmove"))
    over = [ask("go movetime 100", "bestmove") - 100 for _ in range(stops // 5)]
    send("quit")
    process.wait()
    return sorted(late), sorted(plain), sorted(over)


def main():
    stops = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    with tempfile.TemporaryDirectory() as empty:
        for name, words, setup in (
                ("a search", ["valley"], "position startpos"),
                ("a search, 4 threads", ["valley", "--threads", "4"], "position startpos"),
                ("solving a variant", ["box", "--tiles", "12", "--players", "2"],
                 "position startpos moves 7"),
                ("estimates", ["yut", "--players", "3"], "position startpos moves do")):
            late, plain, over = measure(sys.argv[1], words, setup, stops, empty)
            print(f"engine, {name}: stop to bestmove {late[len(late) // 2]:.1f} ms, at most {late[-1]:.1f} "
                  f""
                  f"(promised {PROMISED_MS}; isready {plain[-1]:.1f}); movetime 100 exceeded by at most {over[-1]:.0f} ms")


if __name__ == "__main__":
    main()
