#!/usr/bin/env python3
"""Restarts of `malpan serve` on a socket that a service manager keeps open.

usage: tests/web_restart.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import contextlib
import http.client
import json
import os
import pathlib
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from random import Random

from driving import ENVIRONMENT, check, run_tests, same
from serving import HERE, MALPAN, PATIENCE, QUICK, Browser, computer

# Passes a socket on as systemd does: as file 3, and with these variables.
STARTER = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv(sys.argv[2], sys.argv[2:])
"""


class Manager:
    """Keeps a listening socket and a server on it, which can be stopped and started again."""

    def __init__(self, data):
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = self.socket.getsockname()[1]
        number = self.socket.fileno()
        self.command = [sys.executable, "-c", STARTER, str(number), MALPAN, "serve", "--data", data,
                        "--threads", "2", "--rate", "0"]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=ENVIRONMENT,
                                        pass_fds=(self.socket.fileno(),))
        same(self.process.stdout.readline().decode(), f"http://127.0.0.1:{self.port}/\n")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        out, errors = self.process.communicate(timeout=PATIENCE)
        same((self.process.returncode, out, errors), (0, b"", b""))


@contextlib.contextmanager
def managing():
    with tempfile.TemporaryDirectory() as data:
        manager = Manager(data)
        try:
            yield manager
        finally:
            if manager.process.poll() is None:
                manager.stop()
            manager.socket.close()


class Persistent(Browser):
    """A browser that repeats a request until it is answered. It must always get a connection."""

    def ask(self, *words, **options):
        end = time.monotonic() + PATIENCE
        while True:
            check(time.monotonic() < end, "no answer:", words)
            try:
                answer = super().ask(*words, **options)
                if answer.status != 503:
                    return answer
                check("Retry-After" in answer.headers, answer.headers)
            except ConnectionRefusedError:
                raise
            except (ConnectionError, http.client.HTTPException):
                pass  # the server stopped meanwhile
            time.sleep(0.02)


class Worker(threading.Thread):
    """A thread whose failure fails the test."""

    def __init__(self, work):
        super().__init__(daemon=True)
        self.work, self.error = work, None
        self.start()

    def run(self):
        try:
            self.work()
        except BaseException as error:  # pylint: disable=broad-except
            self.error = error

    def finish(self):
        self.join(PATIENCE)
        check(not self.is_alive(), "a client never ends")
        if self.error:
            raise self.error


class Player:
    """Creates games and moves in them; `games` are as they were acknowledged."""

    def __init__(self, server, seed, is_done):
        self.browser, self.random = Persistent(server), Random(seed)
        self.is_done, self.games = is_done, []

    def play(self):
        while not self.is_done.is_set():
            game = self.browser.create(self.random.choice(["race", "valley"]), [HERE, HERE],
                                       key=secrets.token_urlsafe(16))
            self.games.append(game)
            for _ in range(self.random.randrange(1, 30)):
                if game["over"] or self.is_done.is_set():
                    break
                game = self.games[-1] = self.browser.step(game, self.random)

    def check(self):
        for game in self.games:
            found = self.browser.good(self.browser.get(f"/api/games/{game['id']}"))
            expected = {name: value for name, value in game.items() if name != "links"}
            check(found == expected, found, "is not", expected)


class Follower:
    """Follows the events of a game. When the stream ends, connects again and says what it has."""

    def __init__(self, server, game):
        self.server, self.path = server, f"/api/games/{game['id']}/events"
        self.versions, self.steps, self.connected, self.is_over = [], [], 0, False
        self.is_done = threading.Event()

    def follow(self):
        while not self.is_done.is_set():
            line = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
            seen = {"Last-Event-ID": str(self.versions[-1])} if self.versions else {}
            try:
                line.request("GET", self.path, headers=seen)
                self.read(line.getresponse())
            except ConnectionRefusedError:
                raise
            except (ConnectionError, http.client.HTTPException):
                pass
            line.close()

    def read(self, reply):
        if reply.status == 503:
            time.sleep(0.02)
            return
        same(reply.status, 200)
        self.connected += 1
        while (text := reply.readline()) and not self.is_done.is_set():
            if text.startswith(b"data: "):
                self.apply(json.loads(text[6:]))

    def apply(self, event):
        check(event["version"] > (self.versions[-1] if self.versions else -1), "an old event")
        check(event["from"] <= len(self.steps), "steps are missing")
        self.steps[event["from"]:] = event["steps"]
        same(len(self.steps), event["number"])
        self.versions.append(event["version"])
        self.is_over = event["over"]

    def wait(self, version):
        end = time.monotonic() + PATIENCE
        while not self.versions or self.versions[-1] < version:
            check(time.monotonic() < end, "version", version, "is never seen:", self.versions[-3:])
            time.sleep(0.002)


def step_in_turn(browser, game, follower, is_done):
    """Moves only when the follower has seen the last move, so that it has to see every version."""
    random = Random(5)
    follower.wait(game["version"])
    while not is_done.is_set() and not game["over"]:
        game = browser.step(game, random)
        follower.wait(game["version"])
        if game["number"] >= 8:  # so that it never ends
            game = browser.good(browser.post(f"/api/games/{game['id']}/undo",
                                             {"number": game["number"]}))
            follower.wait(game["version"])


def test_restarts_refuse_and_lose_nothing():
    with managing() as manager:
        is_done = threading.Event()
        players = [Player(manager, seed, is_done) for seed in range(4)]
        watched = Persistent(manager)
        game = watched.create("valley", [HERE, HERE])
        follower = Follower(manager, game)
        threads = [Worker(player.play) for player in players]
        reader = Worker(follower.follow)
        threads.append(Worker(lambda: step_in_turn(watched, game, follower, is_done)))
        for restart in range(3 if QUICK else 6):
            time.sleep(0.3)
            manager.stop()
            if restart % 2:
                time.sleep(0.2)  # connections wait in the socket
            manager.start()
        time.sleep(0.3)
        is_done.set()
        for thread in threads:
            thread.finish()
        for player in players:
            player.check()
        check(all(player.games for player in players), "somebody never played")
        found = watched.good(watched.get(f"/api/games/{game['id']}"))
        follower.wait(found["version"])
        same(follower.versions, list(range(found["version"] + 1)))
        same(follower.steps, found["steps"])
        check(follower.connected > (3 if QUICK else 6), follower.connected)
        follower.is_done.set()
        manager.stop()  # ends its stream
        with socket.create_connection(("127.0.0.1", manager.port)):
            pass  # still not refused, with no server at all
        manager.start()
        reader.finish()


class Visitor:
    """Opens one connection after another, and sends one request on each. `answers` counts the
    statuses."""

    def __init__(self, server, is_done):
        self.server, self.is_done, self.answers = server, is_done, Counter()

    def visit(self):
        request = (f"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
                   "Connection: close\r\n\r\n").encode()
        while not self.is_done.is_set():
            with socket.create_connection(("127.0.0.1", self.server.port), PATIENCE) as line:
                line.sendall(request)
                reply = http.client.HTTPResponse(line)
                reply.begin()
                json.loads(reply.read())
                check(reply.status == 200 or reply.getheader("Retry-After"), reply.headers)
                self.answers[reply.status] += 1


def test_every_connection_gets_an_answer():
    """Those that were accepted just before the server was stopped, too."""
    with managing() as manager:
        is_done = threading.Event()
        visitors = [Visitor(manager, is_done) for _ in range(4)]
        threads = [Worker(visitor.visit) for visitor in visitors]
        for _ in range(2 if QUICK else 10):
            time.sleep(0.1)
            manager.stop()
            manager.start()
        time.sleep(0.1)
        is_done.set()
        for thread in threads:
            thread.finish()
        for visitor in visitors:
            check(visitor.answers[200] > 0 and set(visitor.answers) <= {200, 503}, visitor.answers)


def test_computers_go_on_after_a_restart():
    """A game of computers that somebody watches is played on by the next server."""
    with managing() as manager:
        browser = Persistent(manager)
        game = browser.create("yut", [computer("random"), computer("random")])
        follower = Follower(manager, game)
        reader = Worker(follower.follow)
        restarts = 0
        while restarts < 5:
            end = time.monotonic() + PATIENCE
            before = len(follower.versions)
            while len(follower.versions) == before and not follower.is_over:
                check(time.monotonic() < end, "the computers do not go on:", follower.versions[-3:])
                time.sleep(0.002)
            if follower.is_over:  # on a slow machine it is sooner over than stopped five times
                break
            manager.stop()
            manager.start()
            restarts += 1
        check(restarts > 1, restarts, "restarts")
        game = browser.settled(game)
        check(game["over"])
        follower.wait(game["version"])
        same(follower.steps, game["steps"])
        follower.is_done.set()
        manager.stop()
        manager.start()
        reader.finish()


def test_a_passed_socket_must_be_one():
    """Neither a file nor a missing one is taken for a socket; another process' is not ours."""
    with tempfile.TemporaryDirectory() as data, tempfile.TemporaryFile() as file:
        command = [MALPAN, "serve", "--port", "0", "--data", data]
        done = subprocess.run([sys.executable, "-c", STARTER, str(file.fileno()), *command],
                              capture_output=True, timeout=PATIENCE, env=ENVIRONMENT, check=False,
                              pass_fds=(file.fileno(),))
        same((done.returncode, done.stdout, done.stderr.count(b"\n")), (1, b"", 1))
        other = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 env=ENVIRONMENT | {"LISTEN_PID": "1", "LISTEN_FDS": "1"})
        check(other.stdout.readline().startswith(b"http://127.0.0.1:"), "it took file 3")
        other.terminate()
        same((other.communicate(timeout=PATIENCE), other.returncode), ((b"", b""), 0))


def test_units():
    """The units for systemd start the program with options that it has."""
    units = pathlib.Path(__file__).resolve().parent.parent / "packaging"
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/bin")
        os.symlink(MALPAN, f"{folder}/bin/malpan")
        files = []
        for unit in ("malpan.service", "malpan.socket"):
            files.append(pathlib.Path(folder, unit))
            files[-1].write_text((units / unit).read_text().replace("@PREFIX@", folder))
        command = re.search(r"^ExecStart=(.*)$", files[0].read_text(), re.M).group(1)
        command = command.replace("%S", folder).split()
        same(command[0], f"{folder}/bin/malpan")
        with socket.create_server(("127.0.0.1", 0)) as passed:
            server = subprocess.Popen([sys.executable, "-c", STARTER, str(passed.fileno()),
                                       *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      env=ENVIRONMENT, pass_fds=(passed.fileno(),))
            port = passed.getsockname()[1]
            same(server.stdout.readline().decode(), f"http://127.0.0.1:{port}/\n")
            server.terminate()
            server.communicate(timeout=PATIENCE)
            same(server.returncode, 0)
        if shutil.which("systemd-analyze"):
            done = subprocess.run(["systemd-analyze", "verify", "--man=no", *files],
                                  capture_output=True, timeout=PATIENCE, check=False)
            same((done.returncode, done.stderr), (0, b""))


if __name__ == "__main__":
    sys.exit(run_tests("web_restart.py", dict(globals()), sys.argv[2:]))
