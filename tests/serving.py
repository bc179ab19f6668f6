"""Helpers for tests of `malpan serve`: a server, a browser that asks it, a thread that listens.

A script that imports this gets the folder of malpan as its first argument.
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
from urllib.parse import urlencode

from driving import ENVIRONMENT, check, same

MALPAN = os.path.join(os.path.abspath(sys.argv[1]), "malpan")
TABLES = tempfile.TemporaryDirectory()
ENVIRONMENT["MALPAN_TABLES"] = TABLES.name
QUICK, SLOW = "QUICK" in os.environ, "SLOW" in os.environ
PATIENCE = 60
GAMES = ("yut", "race", "box", "dice", "valley")


class Server:
    """A server process on a free port, with `env` added to its environment. It may have `peak_mb` of
    memory, whatever is done to it."""

    def __init__(self, data, *options, env=None, peak_mb=200, **more):
        self.peak_mb = peak_mb
        self.data, self.more = data, {"env": ENVIRONMENT | (env or {})} | more
        self.command = [MALPAN, "serve", "--port", "0", "--data", data, "--threads", "2", *options]
        self.start()

    def start(self):
        # A hangup counts, also where the tests themselves ignore it, as under nohup.
        self.process = subprocess.Popen(
            ["env", "--default-signal=HUP", *self.command], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, **self.more)
        line = self.process.stdout.readline().decode()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\n", line)
        check(found, "no address:", line, self.process.stderr.peek()[:300] if not found else "")
        self.port = int(found.group(1))

    def check_peak(self):
        """It has never had more memory than it may have. Sanitizers need more."""
        found = None  # if it has ended
        with contextlib.suppress(OSError), \
             open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            found = re.search(r"VmHWM:\s+(\d+)", file.read())
        megabytes = int(found.group(1)) / 1024 if found else 0
        check(megabytes < self.peak_mb or "san" in MALPAN, "memory:", megabytes, "MB")

    def stop(self, number=signal.SIGTERM):
        """Stops it; returns its exit code and standard error. One that does not stop is killed."""
        self.check_peak()
        self.process.send_signal(number)
        try:
            _, errors = self.process.communicate(timeout=PATIENCE)
        finally:
            self.process.kill()
        return self.process.returncode, errors


@contextlib.contextmanager
def serving(*options, **more):
    with tempfile.TemporaryDirectory() as data:
        server = Server(data, *options, **more)
        try:
            yield server
        finally:
            if server.process.poll() is None:
                code, errors = server.stop()
                check(code == 0 and errors == b"", "the server ended with", code, errors)


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)


def connect(server, address="127.0.0.1"):
    """A connection from that address. The system chooses the port when it knows both ends, so that
    one that another connection has just left can be used again."""
    IP_BIND_ADDRESS_NO_PORT = 24  # not in Python's socket before 3.13
    line = socket.socket()
    try:
        line.settimeout(PATIENCE)
        line.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line.bind((address, 0))
        line.connect(("127.0.0.1", server.port))
    except BaseException:
        line.close()
        raise
    return line


class Line(http.client.HTTPConnection):
    """A connection for one request after another. It is opened when it is needed, also again."""

    def __init__(self, server, address="127.0.0.1"):
        super().__init__("127.0.0.1", server.port)
        self.server, self.address = server, address

    def request(self, *words, **options):
        self.port = self.server.port  # another one after a restart
        super().request(*words, **options)

    def connect(self):
        self.sock = connect(self.server, self.address)


class Browser:
    """An HTTP client that keeps cookies by path, as a browser does. Clients differ by addresses, and
    all of 127.0.0.0/8 are this machine. Each request has a connection of its own, or all have the
    same `line`."""

    def __init__(self, server, address="127.0.0.1", line=None):
        self.server, self.address, self.line, self.cookies = server, address, line, {}

    def ask(self, method, path, body=None, headers=None, raw=None):
        connection = self.line or Line(self.server, self.address)
        sent = {"Origin": f"http://127.0.0.1:{self.server.port}"} if method == "POST" else {}
        cookies = [value for at, value in self.cookies.items() if path.startswith(at)]
        if cookies:
            sent["Cookie"] = "; ".join(cookies)
        data = raw
        if body is not None:
            data = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        sent |= headers or {}
        try:
            connection.request(method, path, data,
                               {k: v for k, v in sent.items() if v is not None})
            reply = connection.getresponse()
            answer = Answer(reply.status, dict(reply.getheaders()), reply.read())
        except BaseException:
            connection.close()
            raise
        if not self.line:
            connection.close()
        if cookie := answer.headers.get("Set-Cookie"):
            value, *attributes = cookie.split("; ")
            check("HttpOnly" in attributes and "SameSite=Strict" in attributes, cookie)
            self.cookies[next(a[5:] for a in attributes if a.startswith("Path="))] = value
        return answer

    def get(self, path, **query):
        return self.ask("GET", path + ("?" + urlencode(query) if query else ""))

    def post(self, path, body, **options):
        return self.ask("POST", path, body, **options)

    def good(self, answer, status=200):
        check(answer.status == status, "status", answer.status, answer.body)
        return answer.json()

    def create(self, game, seats, rules="", **more):
        return self.good(self.post("/api/games", {"game": game, "rules": rules, "seats": seats}
                                   | more), 201)

    def step(self, game, random):
        """Plays a random legal step; returns the game after it."""
        path = f"/api/games/{game['id']}/moves"
        body = {"number": game["number"]}
        if game["waits"]["for"] == "throw":
            body["throw"] = True
        else:
            body["move"] = random.choice(game["now"]["moves"])["move"]
        return self.good(self.post(path, body))

    def settled(self, game):
        """Waits until it is a person's turn or the game is over."""
        end = time.monotonic() + PATIENCE
        while not game["over"] and game["waits"] is None:
            check(time.monotonic() < end, "the computer does not move")
            time.sleep(0.005)
            game = self.good(self.get(f"/api/games/{game['id']}"))
        return game


def refuses(answer, status, *words):
    check(answer.status == status, "status", answer.status, "not", status, answer.body)
    error = answer.json()["error"]
    check(error["code"] and error["message"], error)
    for word in words:
        check(word in error["message"], word, "is not in", error)


HERE, LINK = {"kind": "here"}, {"kind": "link"}

# A search of this position of King's Valley takes all the time it may, and so does the answer to
# this move. With another ply, an odd number, it is another position to a cache.
FAR, FAR_MOVE = "1S1sS/1s1s1/5/k3K/1sS1S w {}", "e2b2"
# Values of Shut the Box that take minutes if they are not stopped.
LARGE = [f"--tiles {tiles} --dice 4 --sides {sides}" for tiles in (21, 20)
         for sides in (12, 11, 10, 9, 8, 7)]


def computer(player):
    return {"kind": "computer", "player": player}


class Listener(threading.Thread):
    """A thread that reads the events of a game until it is closed. `status` is that of the answer,
    None if there was none; `ended` is true if the server has ended the stream, not just the
    connection. The connection is a new one, or `line`."""

    def __init__(self, server, path, address="127.0.0.1", line=None):
        super().__init__(daemon=True)
        self.events, self.times, self.ended, self.status = [], [], False, None
        self.socket = line or connect(server, address)
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
                            .encode())
        self.start()

    def run(self):
        rest = b""
        with contextlib.suppress(OSError, http.client.HTTPException):
            stream = http.client.HTTPResponse(self.socket)
            stream.begin()
            self.status = stream.status
            while part := stream.read1(65536):
                rest += part
                *whole, rest = rest.split(b"\n\n")
                for text in whole:
                    for data in re.findall(rb"^data: (.*)$", text, re.M):
                        self.events.append(json.loads(data))
                        self.times.append(time.monotonic())
            self.ended = True

    def wait(self, count):
        end = time.monotonic() + PATIENCE
        while len(self.events) < count:
            check(time.monotonic() < end, "events:", len(self.events), "of", count)
            time.sleep(0.002)

    def wait_until(self, condition):
        """Waits until the events so far fulfil the condition, or the stream has ended."""
        end = time.monotonic() + PATIENCE
        while self.is_alive() and not condition(self.events):
            check(time.monotonic() < end, "events:", len(self.events), self.events[-1:])
            time.sleep(0.002)

    def close(self):
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.join()
        self.socket.close()


def find_library(name):
    """A library of tests/fault that is to be preloaded."""
    folder = os.path.dirname(MALPAN)
    for path in (f"{folder}/tests/{name}.so", f"{folder}/build/tests/{name}.so"):
        if os.path.exists(path):
            return path
    raise AssertionError(f"{name}.so is missing: make test builds it")


def wait_for_searches(server, count):
    """Waits until so many requests are in the hands of workers, or wait for one."""
    end = time.monotonic() + PATIENCE
    while (found := Browser(server, "127.0.0.9").get("/api/health").json()["searches"]) < count:
        check(time.monotonic() < end, found, "searches, not", count)
        time.sleep(0.005)


def play_out(browser, game, random):
    check(game["seed"] is None)
    while not game["over"]:
        game = browser.settled(browser.step(game, random))
    same(game["waits"], None)
    return game


class Writer(threading.Thread):
    """Changes the games of a browser, one request after another, until the server is gone.

    `games` are as they were last acknowledged, by id. `asked` is the request that was not: the id
    of its game, or None for a new one, and the number of steps that the game would have."""

    def __init__(self, browser, games, seed):
        super().__init__(daemon=True)
        self.browser, self.games, self.random = browser, games, Random(seed)
        self.asked, self.count = (None, 0), 0

    def run(self):
        try:
            while True:
                self.change()
                self.count += 1
        except (OSError, http.client.HTTPException):
            pass

    def change(self):
        """A new game, an undo, or a step, which is what most changes are."""
        random = self.random
        going = [game for game in self.games.values() if not game["over"]]
        if len(going) < 3 or (len(going) < 8 and random.random() < 0.1):
            self.asked = (None, 0)
            game = self.browser.create(random.choice(["valley", "race"]),
                                       [HERE, random.choice([HERE, LINK])])
        else:
            game = random.choice(going)
            game = self.undo(game) if random.random() < 0.2 else self.step(game)
        self.games[game["id"]] = game

    def step(self, game):
        if game["waits"]["seat"] not in game["you"]:
            return self.undo(game)
        self.asked = (game["id"], game["number"] + 1)
        return self.browser.step(game, self.random)

    def undo(self, game):
        if not game["undo"]["possible"]:
            return game
        self.asked = (game["id"], game["number"] - 1)
        return self.browser.good(self.browser.post(f"/api/games/{game['id']}/undo",
                                                   {"number": game["number"]}))

    def check(self):
        """Everything acknowledged is there, and of what was asked last all or nothing."""
        for game in list(self.games.values()):
            found = self.browser.good(self.browser.get(f"/api/games/{game['id']}"))
            numbers = {game["number"]} | ({self.asked[1]} if self.asked[0] == game["id"] else set())
            check(found["number"] in numbers, found["number"], "steps, not", numbers)
            both = min(found["number"], game["number"])
            same(found["steps"][:both], game["steps"][:both])
            for field in ("you", "commitment", "seats", "start"):
                check(found[field] == game[field], field, found[field], game[field])
            if found["number"] == game["number"]:
                same((found["version"], found["undo"]), (game["version"], game["undo"]))
            self.games[game["id"]] = found
        for game in [game for game in self.games.values() if game["over"]]:
            del self.games[game["id"]]  # checked for good
