#!/usr/bin/env python3
"""Stopping `malpan serve` under load: it ends within seconds, says nothing, answers whoever waits,
and keeps what it has acknowledged.

usage: tests/web_stop.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from random import Random

from driving import check, run_tests, same
from serving import (FAR, FAR_MOVE, HERE, LARGE, MALPAN, PATIENCE, QUICK, SLOW, Browser, Listener,
                     Server, computer, find_library, serving, wait_for_searches)

STOP_S = 15 if "san" in MALPAN else 3
MANY = LARGE[:6]


class Asker(threading.Thread):
    """A thread with one request. `answer` is None if the connection was closed."""

    def __init__(self, browser, path, **query):
        super().__init__(daemon=True)
        self.ask, self.answer = lambda: browser.get(path, **query), None
        self.start()

    def run(self):
        with contextlib.suppress(OSError, http.client.HTTPException):
            self.answer = self.ask()

    def end(self):
        self.join(PATIENCE)
        check(not self.is_alive(), "a request has no end")
        return self.answer


def stop_in_time(server):
    """Stops the server."""
    server.check_peak()
    server.process.terminate()
    end_in_time(server)


def end_in_time(server):
    """Waits until the server, which was told to stop, has ended."""
    try:
        _, errors = server.process.communicate(timeout=STOP_S)
    except subprocess.TimeoutExpired:
        server.process.kill()
        server.process.communicate()
        check(False, "it has not ended after", STOP_S, "s")
    same((server.process.returncode, errors), (0, b""))


def is_unavailable(answer):
    """Whether the answer says that the server has stopped, in full."""
    check(answer is not None, "the connection was closed without an answer")
    if answer.status == 200:
        return False
    same((answer.status, answer.json()["error"]["code"]), (503, "unavailable"))
    return True


def test_a_move_while_searches_wait():
    """One search runs, another waits, and a computer is to move when the server is stopped."""
    random = Random(1)
    for stop in range(2 if QUICK else 300 if SLOW else 8):
        with serving("--threads", "1", "--rate", "0") as server:
            browser = Browser(server)
            game = browser.create("valley", [HERE, computer("alphabeta:1s")],
                                  position=FAR.format(9))
            askers = [Asker(Browser(server), "/api/eval", game="valley",
                            position=FAR.format(2 * i + 11)) for i in range(2)]
            wait_for_searches(server, 2)
            browser.good(browser.post(f"/api/games/{game['id']}/moves",
                                      {"number": 0, "move": FAR_MOVE}))
            time.sleep(random.uniform(0, 0.05))
            stop_in_time(server)
            for asker in askers:
                is_unavailable(asker.end())


def test_long_values():
    """Values that would take minutes do not hold it up, nor whoever waits behind them."""
    with serving("--threads", "1", "--rate", "0") as server:
        askers = [Asker(Browser(server), "/api/eval", game="box", rules=rules) for rules in MANY]
        wait_for_searches(server, len(MANY))
        stop_in_time(server)
        answers = [asker.end() for asker in askers]
        check(all(is_unavailable(answer) for answer in answers), answers)
        told = [answer.headers.get("Retry-After", "") for answer in answers]
        waited = [seconds for seconds in told if seconds.isdigit() and int(seconds) > 0]
        check(len(waited) >= len(MANY) - 2, "those that waited may come again:", told)


def test_long_values_of_every_game():
    """Whichever solver is at work, whoever asked is answered."""
    for name, rules in (("dice", "--throw-count 12"), ("yut", "--players 4 --pieces 1"),
                        ("yut", "--pieces 2 --nak 0.3"), ("box", "--tiles 22")):
        with serving("--threads", "1", "--rate", "0", peak_mb=700) as server:
            askers = [Asker(Browser(server), "/api/eval", game=name, rules=rules + " " * i)
                      for i in range(2)]
            wait_for_searches(server, len(askers))
            time.sleep(0.1)
            stop_in_time(server)
            check(all(is_unavailable(asker.end()) for asker in askers), name, rules)


def test_a_worker_that_is_stuck():
    """It ends without it; who waits is answered all the same, and everything is kept."""
    env = {"LD_PRELOAD": find_library("stuck_fault"), "ASAN_OPTIONS": "verify_asan_link_order=0"}
    with serving("--threads", "1", "--rate", "0", env=env) as server:
        browser = Browser(server)
        askers = [Asker(Browser(server), "/api/eval", game="race", position=f"{i} 10 0")
                  for i in range(3)]
        wait_for_searches(server, 3)
        game = browser.create("valley", [HERE, HERE])
        listener = Listener(server, f"/api/games/{game['id']}/events")
        listener.wait(1)
        game = browser.step(game, Random(1))
        stop_in_time(server)
        answers = [asker.end() for asker in askers]
        same([answer is None or is_unavailable(answer) for answer in answers], [True] * 3)
        same(answers.count(None), 1)
        listener.join(PATIENCE)
        check(listener.ended, "a stream was cut off")
        server.start()
        same(browser.good(browser.get(f"/api/games/{game['id']}"))["steps"], game["steps"])


def test_streams_end():
    """Event streams end with the server, and are whole until then."""
    with serving("--rate", "0") as server:
        browser = Browser(server)
        games = [browser.create("valley", [HERE, HERE]) for _ in range(5)]
        listeners = [Listener(server, f"/api/games/{game['id']}/events")
                     for game in games for _ in range(20)]
        for listener in listeners:
            listener.wait(1)
        stop_in_time(server)
        for listener in listeners:
            listener.join(PATIENCE)
            check(not listener.is_alive(), "a stream has no end")
            check(listener.ended, "a stream was cut off")


def connect_until(is_over, server):
    """Opens one connection after the other."""
    while not is_over.is_set():
        with contextlib.suppress(OSError), \
             socket.create_connection(("127.0.0.1", server.port), timeout=1) as one:
            one.sendall(b"GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            one.recv(4096)


def test_stops_while_clients_connect():
    """The main thread is made slow at leaving an epoll set, so that it would lose every race for it
    against a thread that a new connection wakes."""
    env = {"LD_PRELOAD": find_library("epoll_fault"), "ASAN_OPTIONS": "verify_asan_link_order=0"}
    for _ in range(1 if QUICK else 100 if SLOW else 5):
        with serving("--rate", "0", env=env) as server:
            is_over = threading.Event()
            clients = [threading.Thread(target=connect_until, args=(is_over, server), daemon=True)
                       for _ in range(4)]
            for client in clients:
                client.start()
            time.sleep(0.1)
            try:
                stop_in_time(server)
            finally:
                is_over.set()
            for client in clients:
                client.join(PATIENCE)


def read_replies(line):
    """The statuses of all replies that come until the connection ends. Each of them is whole."""
    text, statuses = b"", []
    while part := line.recv(1 << 16):
        text += part
    while text:
        head, _, text = text.partition(b"\r\n\r\n")
        length = int(re.search(rb"Content-Length: (\d+)", head).group(1))
        check(len(text) >= length, "a reply was cut off:", len(text), "of", length)
        statuses.append(int(head.split()[1]))
        text = text[length:]
    return statuses


def test_replies_are_sent_to_the_end():
    """A client that has read nothing yet gets the whole of the reply that is being sent."""
    count = 20  # more than the system takes over for segments of this size
    with serving("--rate", "0") as server:
        with socket.socket() as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
            line.settimeout(PATIENCE)
            line.connect(("127.0.0.1", server.port))
            line.sendall(b"GET /game.js HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % server.port
                         * count)
            time.sleep(0.2)  # so that no more can be sent
            server.process.terminate()
            time.sleep(0.3)  # it would have ended by now without this client
            statuses = read_replies(line)
        end_in_time(server)
        check(0 < statuses.count(200) < count, statuses)


# --- everything at once ---

class Client(threading.Thread):
    """Asks for this and that until the server is gone. `games` are as they were acknowledged."""

    def __init__(self, server, number, seed):
        super().__init__(daemon=True)
        self.browser = Browser(server, f"127.0.0.{10 + number}")
        self.server, self.random, self.games, self.lines = server, Random(seed), [], []
        self.failure = None

    def run(self):
        whats = [self.play, self.play, self.values, self.search, self.review, self.listen,
                 self.half_a_request]
        try:
            while True:
                self.random.choice(whats)()
        except (OSError, http.client.HTTPException):
            pass
        except Exception as failure:  # for the test to report
            self.failure = failure

    def get(self, path, **query):
        answer = self.browser.get(path, **query)
        check(answer.status in (200, 429, 503), answer.status, answer.body)
        json.loads(answer.body)

    def play(self):
        if len(self.games) < 3:
            player = self.random.choice(["random", "alphabeta:1s", "greedy"])
            answer = self.browser.post("/api/games", {
                "game": "valley", "seats": [HERE, computer(player)], "position": FAR.format(9)})
            if answer.status == 201:
                self.games.append(answer.json())
            return
        number = self.random.randrange(len(self.games))
        game = self.browser.get(f"/api/games/{self.games[number]['id']}").json()
        if "error" not in game and game["waits"]:
            move = self.random.choice(game["now"]["moves"])["move"]
            answer = self.browser.post(f"/api/games/{game['id']}/moves",
                                       {"number": game["number"], "move": move})
            if answer.status == 200:
                self.games[number] = answer.json()

    def values(self):
        self.get("/api/eval", game="box", rules=self.random.choice(LARGE))

    def search(self):
        self.get("/api/eval", game="valley", position=FAR.format(self.random.randrange(3, 99, 2)))

    def review(self):
        if self.games:
            self.get(f"/api/games/{self.games[0]['id']}/review?so-far=1")

    def listen(self):
        if self.games and len(self.lines) < 10:
            self.lines.append(Listener(self.server, f"/api/games/{self.games[0]['id']}/events"))

    def half_a_request(self):
        line = socket.create_connection(("127.0.0.1", self.server.port), timeout=PATIENCE)
        line.sendall(b"POST /api/games HTTP/1.1\r\nContent-Length: 99\r\n")
        self.lines.append(line)

    def close(self):
        self.join(PATIENCE)
        check(not self.is_alive(), "a request has no end")
        for line in self.lines:
            line.close()
        if self.failure:
            raise self.failure


def test_stops_under_load():
    """Whatever goes on: it ends in time, and all that was acknowledged is there afterwards."""
    random = Random(4)
    with tempfile.TemporaryDirectory() as data:
        server = Server(data, "--rate", "0")
        try:
            for stop in range(2 if QUICK else 700 if SLOW else 6):
                clients = [Client(server, number, f"{stop} {number}") for number in range(6)]
                for client in clients:
                    client.start()
                time.sleep(random.uniform(0.1, 0.6))
                stop_in_time(server)
                for client in clients:
                    client.close()
                server.start()
                for client in clients:
                    for game in client.games:
                        found = client.browser.good(
                            client.browser.get(f"/api/games/{game['id']}"))
                        same(found["steps"][:game["number"]], game["steps"])
            stop_in_time(server)
        finally:
            if server.process.poll() is None:
                server.process.kill()
                server.process.communicate()


def test_signals_are_for_the_main_thread():
    """It waits for them. Another thread may be blocked in a call that a signal does not end."""
    with serving() as server:
        main = str(server.process.pid)
        for thread in os.listdir(f"/proc/{main}/task"):
            with open(f"/proc/{main}/task/{thread}/status", encoding="ascii") as file:
                blocked = int(re.search(r"SigBlk:\s+(\w+)", file.read()).group(1), 16)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                same(bool(blocked >> (number - 1) & 1), thread != main, number)


if __name__ == "__main__":
    sys.exit(run_tests("web_stop.py", dict(globals()), sys.argv[2:]))
