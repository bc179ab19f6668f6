#!/usr/bin/env python3
"""Games of perfect players at `malpan serve`: none is refused and none stops, whatever the number of
pieces and of threads, which share the memory for solvers. The slow test plays 500 games each.

A game of computers alone goes on only while somebody listens to it, so one connection listens to
each game.

usage: tests/web_perfect.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import contextlib
import json
import os
import resource
import selectors
import socket
import subprocess
import sys
import tempfile
import time

from driving import ENVIRONMENT, check, run_tests
from serving import MALPAN, PATIENCE, QUICK, SLOW, Browser, computer, serving

SILENCE_S = 10  # less than the 15 s after which all games are looked at anyway
GAMES = 6 if QUICK else 500 if SLOW else 12
TABLES = os.environ.get("PERFECT_TABLES")  # a folder that has the table of three pieces already

_, MOST_FILES = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, MOST_FILES), MOST_FILES))


class Audience:
    """Listens to many games. `over` has the ids of those that have ended."""

    def __init__(self, server):
        self.server, self.poll = server, selectors.DefaultSelector()
        self.rest, self.over, self.steps = {}, set(), 0

    def listen(self, game):
        line = socket.create_connection(("127.0.0.1", self.server.port), timeout=PATIENCE)
        # HTTP/1.0 has no chunks, whose heads would come in the middle of long events.
        line.sendall(f"GET /api/games/{game['id']}/events HTTP/1.0\r\n"
                     f"Host: 127.0.0.1:{self.server.port}\r\n\r\n".encode())
        line.setblocking(False)
        self.poll.register(line, selectors.EVENT_READ, game["id"])
        self.rest[line] = b""

    def hear(self, seconds):
        """Reads what there is, and waits so long for it. Returns whether there was anything."""
        ready = self.poll.select(seconds)
        for key, _ in ready:
            part = key.fileobj.recv(1 << 16)
            check(part, "a stream has ended")
            *lines, self.rest[key.fileobj] = (self.rest[key.fileobj] + part).split(b"\n")
            for line in lines:
                if line.startswith(b"data: "):
                    self.judge(key, json.loads(line[6:]))
        return bool(ready)

    def hear_all(self, count, silence_s):
        """Listens until so many games are over, and never so long in vain."""
        silent_since = time.monotonic()
        while len(self.over) < count:
            if self.hear(1):
                silent_since = time.monotonic()
            check(time.monotonic() < silent_since + silence_s, count - len(self.over),
                  "games do not go on")

    def judge(self, key, event):
        check(event.get("trouble") is None, event.get("trouble"), event)
        if event.get("over") and key.data not in self.over:
            self.over.add(key.data)
            self.steps += event["number"]
            self.poll.unregister(key.fileobj)
            key.fileobj.close()


def play_games(server, pieces, count):
    """Perfect players play so many games of Yut against each other."""
    browser, audience = Browser(server), Audience(server)
    for _ in range(count):
        audience.listen(browser.create("yut", [computer("perfect"), computer("perfect")],
                                       f"--pieces {pieces}"))
        audience.hear(0)
    audience.hear_all(count, PATIENCE)
    return audience.steps


def check_games(pieces, tables):
    for threads in ("16", "2"):
        with serving("--rate", "0", "--threads", threads, "--tables", tables,
                     peak_mb=1100) as server:  # solvers may use 1 GiB
            begin = time.monotonic()
            steps = play_games(server, pieces, GAMES)
            if SLOW:
                print(f"{GAMES} games, --pieces {pieces} --threads {threads}: {steps:,} steps in "
                      f"{time.monotonic() - begin:.0f} s", flush=True)


def solve(pieces, tables):
    subprocess.run([MALPAN, "solve", "yut", "--pieces", str(pieces), "--tables", tables, "-q"],
                   check=True, env=ENVIRONMENT)


@contextlib.contextmanager
def table_of_three():
    """A folder with the table of three pieces, which takes minutes and gigabytes to solve."""
    if TABLES:
        yield TABLES
        return
    with tempfile.TemporaryDirectory() as tables:
        solve(3, tables)
        yield tables


def test_one_piece():
    with tempfile.TemporaryDirectory() as tables:  # it has to be solved on the spot
        check_games(1, tables)


def test_two_pieces():
    if QUICK:
        return
    with tempfile.TemporaryDirectory() as tables:
        if "san" in MALPAN:
            solve(2, tables)  # which takes sanitizers longer than a request may
        check_games(2, tables)


def test_three_pieces():
    if not SLOW:
        return
    with table_of_three() as tables:
        check_games(3, tables)


def test_more_games_than_one_client_may_have_in_the_queue():
    """64 moves of computers may wait for one client. Its other games go on soon after."""
    with serving("--rate", "0", "--threads", "1") as server:
        browser, audience = Browser(server), Audience(server)
        games = [browser.create("yut", [computer("perfect"), computer("perfect")], "--pieces 1")
                 for _ in range(200)]
        for game in games:
            audience.listen(game)
        audience.hear_all(len(games), SILENCE_S)


if __name__ == "__main__":
    sys.exit(run_tests("web_perfect.py", dict(globals()), sys.argv[2:]))
