#!/usr/bin/env python3
"""`malpan serve` when memory runs out: every allocation of every kind of request fails once.

Whatever fails, a client that is connected gets a complete answer or an error of the server's, never
just the end of the connection; the server lives; and every game that was acknowledged is there,
undamaged, also after a kill. Only who connects while memory is short may find the door closed. The
slow tests try every allocation, the others a sample.

usage: tests/web_memory.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import contextlib
import gzip
import http.client
import mmap
import resource
import signal
import struct
import sys
import tempfile
from random import Random

from driving import check, run_tests, same
from serving import (HERE, LINK, QUICK, SLOW, Browser, Line, Listener, Server, computer,
                     find_library)

SAMPLE = 6 if QUICK else 24  # allocations of a kind of request
RESTART = 400  # after so many requests the stored games are checked


class Faults:
    """What tests/fault/malloc_fault.c is told through a file."""

    WORDS = struct.Struct("=QQQQQ")  # armed, nth, rest, count, failed

    def __init__(self):
        self.file = tempfile.NamedTemporaryFile()
        self.file.write(self.WORDS.pack(0, 0, 0, 0, 0))
        self.file.flush()
        self.map = mmap.mmap(self.file.fileno(), self.WORDS.size)
        self.env = {"LD_PRELOAD": find_library("malloc_fault"), "MALLOC_FAULT": self.file.name}

    def arm(self, nth, rest=False):
        """From now on allocation number `nth` fails, or that and the rest."""
        self.WORDS.pack_into(self.map, 0, 0, nth, rest, 0, 0)
        self.map[0] = 1

    def disarm(self):
        """Nothing fails any more; returns how many allocations there were and how many failed."""
        self.map[0] = 0
        return self.WORDS.unpack_from(self.map)[3:]


class Siege:
    """A server, a browser, and the games that the server has to have.

    `nth` (0: nothing fails), `rest`, `count` and `failed` are about the last request, of this
    `kind`; `asked` counts them, and `wrong` is what was wrong with their answers."""

    def __init__(self, data, **more):
        self.faults = Faults()
        self.server = Server(data, "--rate", "0", env=self.faults.env, **more)
        self.line = Line(self.server)
        self.browser = self.person()
        self.games, self.keys = {}, 0
        self.kind, self.asked, self.wrong = "", 0, []
        self.nth, self.rest, self.count, self.failed = 0, False, 0, 0

    def person(self):
        """A browser. All use one connection, which exists before memory runs out."""
        return Browser(self.server, line=self.line)

    def load(self, game):
        """The game as the server has it now, which it has to be from now on."""
        found = self.browser.good(self.browser.get(f"/api/games/{game['id']}"))
        self.games[game["id"]] = found
        return found

    def agrees(self, answer):
        """Whether the answer has a game. It is the one that the server has, to the last field. If
        not, the change may also have failed in the store (500)."""
        if not succeeded(answer, 500):
            return False
        told = {field: value for field, value in answer.json().items() if field != "links"}
        equal(told, self.load(told), "the answer:")
        return True

    def kill(self):
        """Kills the server and starts it again."""
        self.server.stop(signal.SIGKILL)
        self.line.close()
        self.server.start()

    def restart(self):
        """Kills the server. Then all games are as they were; what is wrong is noted."""
        self.kill()
        for game in self.games.values():
            found = self.browser.get(f"/api/games/{game['id']}")
            what = difference(found.json(), game)
            if what:
                self.wrong.append(f"{self.kind}: after a kill {what}, {found.body[:100]}")
        self.games = {}

    def key(self):
        """Another key for a new game."""
        self.keys += 1
        return f"{self.keys:022}"

    def ask(self, story):
        """Lets a story run, with failures while it asks. Then `count` is the number of
        allocations, and `failed` of those that failed."""
        question, answer = next(story), None
        self.browser.good(self.browser.get("/api/health"))  # the connection is open now
        self.faults.arm(self.nth, self.rest)
        try:
            answer = question()
        except TimeoutError as error:
            raise AssertionError("no answer, and no end of the connection") from error
        except (OSError, http.client.HTTPException) as error:
            raise AssertionError("the connection was closed without an answer") from error
        finally:
            self.count, self.failed = self.faults.disarm()
        check(self.server.process.poll() is None, "the server has ended")
        with contextlib.suppress(StopIteration):
            story.send(answer)

    def attempt(self, kind, nth, rest=False):
        """One request of this kind with a failure at this allocation; what is wrong is noted."""
        self.kind, self.nth, self.rest = kind.__name__, nth, rest
        self.asked += 1
        try:
            self.ask(kind(self))
            if self.asked % RESTART == 0:
                self.restart()
        except (AssertionError, LookupError, ValueError, OSError, http.client.HTTPException) as e:
            self.wrong.append(f"{self.kind}, allocation {nth}{' on' if rest else ''}: {e!r}")
            if self.server.process.poll() is not None:
                self.restart()


def difference(found, expected, where=""):
    """Where the first difference of two JSON values is, as text; None if there is none."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in sorted(expected.keys() | found.keys()):
            if key not in found or key not in expected:
                return f"{where}.{key} is {'missing' if key in expected else 'new'}"
            if text := difference(found[key], expected[key], f"{where}.{key}"):
                return text
        return None
    if isinstance(expected, list) and isinstance(found, list):
        if len(found) != len(expected):
            return f"{where} has {len(found)} items, not {len(expected)}"
        each = (difference(one, other, f"{where}[{number}]")
                for number, (one, other) in enumerate(zip(found, expected)))
        return next((text for text in each if text), None)
    return None if found == expected else f"{where} is {found!r}, not {expected!r}"


def equal(found, expected, what):
    """Fails with the first difference unless both JSON values are equal."""
    text = difference(found, expected)
    check(not text, what, text)


def succeeded(answer, *statuses):
    """Whether the request succeeded. If not, the server has taken the blame: 503, or one of the
    other `statuses`."""
    if answer.status in (200, 201):
        return True
    check(answer.status in (503, *statuses), "status", answer.status, answer.body)
    error = answer.json()["error"]
    check(error["code"] and error["message"], error)
    return False


# --- kinds of requests: each prepares, yields the request, and judges the answer ---

def create(siege):
    body = {"game": "valley", "seats": [HERE, LINK], "key": siege.key()}
    answer = yield lambda: siege.browser.post("/api/games", body)
    if not siege.agrees(answer):  # the same once more
        answer = siege.browser.post("/api/games", body)
        check(siege.agrees(answer), answer.status, answer.body)
    guest, token = siege.person(), answer.json()["links"][0]["token"]
    path = f"/api/games/{answer.json()['id']}"
    same(guest.good(guest.post(f"{path}/join", {"token": token}))["you"], [1])
    same(siege.load(answer.json())["you"], [0])


def take_seat(siege):
    """A seat is taken or not; the same browser may ask again."""
    game = siege.browser.create("valley", [HERE, LINK])
    body = {"token": game["links"][0]["token"], "key": siege.key(), "name": "Ada"}
    guest, path = siege.person(), f"/api/games/{game['id']}"
    answer = yield lambda: guest.post(f"{path}/join", body)
    if not succeeded(answer, 500):
        answer = guest.post(f"{path}/join", body)
    same(guest.good(answer)["you"], [1])
    same(siege.load(game)["seats"][1], {"kind": "link", "taken": True, "name": "Ada"})


def load_record(siege):
    game = siege.browser.step(siege.browser.create("valley", [HERE, HERE]), Random(1))
    record = siege.browser.get(f"/api/games/{game['id']}/record").body.decode()
    body = {"record": record, "key": siege.key()}
    answer = yield lambda: siege.browser.post("/api/import", body)
    if not siege.agrees(answer):
        check(siege.agrees(siege.browser.post("/api/import", body)))


def changes(siege, game, what, number, **body):
    """A change of the game, which then has `number` steps."""
    answer = yield lambda: siege.browser.post(f"/api/games/{game['id']}/{what}",
                                              {"number": game["number"]} | body)
    found = siege.load(game)
    if siege.agrees(answer):
        same(found["number"], number)
    else:  # it happened or not, completely
        check(found["number"] in (number, game["number"]), found["number"])
        both = min(found["number"], game["number"])
        same(found["steps"][:both], game["steps"][:both])
        if found["number"] == game["number"]:
            siege.browser.good(siege.browser.post(f"/api/games/{game['id']}/{what}",
                                                  {"number": game["number"]} | body))
            same(siege.load(game)["number"], number)


def move(siege):
    game = siege.browser.create("valley", [HERE, HERE])
    yield from changes(siege, game, "moves", 1, move="a1a4")


def move_in_a_longer_game(siege):
    """The 64th step, for which the server needs more room."""
    cycle = ["a1a4", "a5d2", "a4a1", "d2a5"]
    steps = "".join(f"{number % 2} {cycle[number % 4]}\n" for number in range(63))
    game = siege.browser.good(siege.browser.post("/api/import", {
        "record": "malpan-record 1\ngame valley\nrules --soldiers 4\nseats you you\nseed 1\n"
                  f"start sskss/5/5/5/SSKSS w 1\n{steps}"}), 201)
    yield from changes(siege, game, "moves", 64, move=cycle[3])


def throw(siege):
    game = siege.browser.create("race", [HERE, HERE])
    yield from changes(siege, game, "moves", 1, throw=True)


def undo(siege):
    game = siege.browser.step(siege.browser.create("valley", [HERE, HERE]), Random(1))
    yield from changes(siege, game, "undo", 0)


def move_against_a_computer(siege):
    """Whatever fails while it thinks: the computer moves in the end."""
    game = siege.browser.create("valley", [HERE, computer("greedy")])
    answer = yield lambda: siege.browser.post(f"/api/games/{game['id']}/moves",
                                              {"number": 0, "move": "a1a4"})
    found = siege.browser.good(siege.browser.get(f"/api/games/{game['id']}"))
    if succeeded(answer, 500):
        equal(answer.json()["steps"][0], found["steps"][0], "the step:")
    elif found["number"] == 0:
        found = siege.browser.step(found, Random(1))
    siege.browser.settled(found)
    siege.load(game)


def expects(siege, path, **query):
    """A question whose answer is the same at any time."""
    expected = siege.browser.get(path, **query)
    same(expected.status, 200)
    answer = yield lambda: siege.browser.get(path, **query)
    if succeeded(answer):
        is_json = expected.headers["Content-Type"] == "application/json"
        check(answer.body == expected.body, "the answer:",
              difference(answer.json(), expected.json()) if is_json else answer.body)


def played(siege, *path):
    """A question about a game of a few steps."""
    game = siege.browser.create("race", [HERE, HERE])
    for _ in range(3):
        game = siege.browser.step(game, Random(1))
    siege.load(game)
    yield from expects(siege, "/".join([f"/api/games/{game['id']}", *path]))


def get(siege):
    yield from played(siege)


def record_text(siege):
    yield from played(siege, "record")


def review(siege):
    yield from played(siege, "review?so-far=1")


def position(siege):
    yield from expects(siege, "/api/position", game="valley", move="a1a4")


def evaluate(siege):
    """Not from the cache: other spaces mean the same rules, and are another text."""
    spaces = " " * (siege.asked % 400)
    told = siege.browser.good(siege.browser.get("/api/eval", game="race", position="5 10 0"))
    answer = yield lambda: siege.browser.get("/api/eval", game="race", position="5 10 0",
                                             rules=spaces)
    for _ in range(2):
        if succeeded(answer):
            found = answer.json()
            check(found["error_bound"] < 1e-9, found["error_bound"])  # not always the same
            equal(found | {"error_bound": 0}, told | {"error_bound": 0}, "the value:")
        answer = siege.browser.get("/api/eval", game="race", position="5 10 0", rules=spaces)
        check(answer.status == 200, answer.status, answer.body)  # what was kept is good


def name(siege):
    game = siege.browser.create("valley", [HERE, HERE])
    answer = yield lambda: siege.browser.post(f"/api/games/{game['id']}/name", {"name": "Ada"})
    found = siege.load(game)
    names = [seat.get("name") for seat in found["seats"]]
    check(names in ([["Ada"] * 2] if siege.agrees(answer) else [["Ada"] * 2, [None] * 2]), names)


def catalogue(siege):
    yield from expects(siege, "/api/games")


def page(siege):
    yield from expects(siege, "/main.js")


def compressed(siege):
    """Compressed or not, but whole."""
    expected = siege.browser.get("/api/games").body
    answer = yield lambda: siege.browser.ask("GET", "/api/games",
                                             headers={"Accept-Encoding": "gzip"})
    if succeeded(answer):
        is_packed = answer.headers.get("Content-Encoding") == "gzip"
        same(gzip.decompress(answer.body) if is_packed else answer.body, expected)


def metrics(siege):
    """Every line that is there at other times is there."""
    names = lambda answer: [line.split(b" ")[0] for line in answer.body.splitlines()
                            if not line.startswith(b"malpan_requests_total")]
    expected = siege.browser.get("/metrics")
    answer = yield lambda: siege.browser.get("/metrics")
    if succeeded(answer):
        same(names(answer), names(expected))


def mistake(siege):
    """What is the client's fault stays the client's fault, unless the server cannot say so."""
    answer = yield lambda: siege.browser.post("/api/games", {"game": "chess"})
    check(not succeeded(answer, 400))


def load_game(siege):
    """A game that is not in memory."""
    game = siege.browser.step(siege.browser.create("race", [HERE, HERE]), Random(1))
    siege.kill()
    answer = yield lambda: siege.browser.get(f"/api/games/{game['id']}")
    if succeeded(answer):
        equal(answer.json(), game, "the answer:")
    equal(siege.load(game), game, "loaded:")


def events(siege):
    """A listener misses nothing: it is told, or told later, or hung up on."""
    game = siege.browser.create("valley", [HERE, HERE])
    path = f"/api/games/{game['id']}"
    listener = Listener(siege.server, f"{path}/events")
    listener.wait(1)
    answer = yield lambda: siege.browser.post(f"{path}/moves", {"number": 0, "move": "a1a4"})
    siege.agrees(answer)
    siege.browser.step(siege.load(game), Random(1))
    game = siege.load(game)
    listener.wait_until(lambda events: events[-1]["version"] == game["version"])
    if listener.is_alive():
        steps = []
        for event in listener.events:
            steps[event["from"]:] = event["steps"]
        equal(steps, game["steps"], "what was told:")
    listener.close()


def listen(siege):
    """A connected browser begins to listen while memory is short."""
    game = siege.browser.create("valley", [HERE, HERE])
    path = f"/api/games/{game['id']}"
    line = Line(siege.server)
    Browser(siege.server, line=line).get("/api/health")
    listeners = []

    def ask():
        listeners.append(Listener(siege.server, f"{path}/events", line=line.sock))
        listeners[0].wait_until(lambda _: listeners[0].status)
    yield ask
    siege.browser.step(siege.load(game), Random(1))
    game = siege.load(game)
    listener = listeners[0]
    listener.wait_until(lambda events: events and events[-1]["version"] == game["version"])
    check(listener.status in (200, 503), "status", listener.status)
    check(listener.status == 503 or listener.events, "a listener has heard nothing")
    listener.close()
    line.close()


# --- tests ---

def besiege(*kinds):
    """Requests of these kinds with failures at every allocation, or at a sample of them; some with
    nothing but failures from there on."""
    random = Random(5)
    with tempfile.TemporaryDirectory() as data:
        siege = Siege(data)
        try:
            for kind in kinds:
                siege.nth, siege.rest = 0, False
                siege.ask(kind(siege))
                count = siege.count
                check(count > 0 and siege.failed == 0, kind.__name__, count, siege.failed)
                some = lambda number: random.sample(range(1, count + 1), min(count, number))
                nth = 0
                while SLOW and (nth < count or siege.failed):
                    nth += 1
                    siege.attempt(kind, nth)
                for nth in [] if SLOW else {1, 2, 3, *some(SAMPLE)}:
                    siege.attempt(kind, nth)
                for nth in some(SAMPLE // 3):
                    siege.attempt(kind, nth, rest=True)
                siege.restart()
            check(not siege.wrong, len(siege.wrong), "of", siege.asked, "are wrong:",
                  *(f"\n  {line}" for line in siege.wrong[:40]))
        finally:
            siege.server.process.kill()
            siege.server.process.communicate()


def test_new_games():
    besiege(create, take_seat, load_record)


def test_changes():
    besiege(move, move_in_a_longer_game, throw, undo)


def test_moves_of_computers():
    besiege(move_against_a_computer)


def test_games_told():
    besiege(get, record_text, review)


def test_games_from_the_store():
    besiege(load_game)


def test_values():
    besiege(position, evaluate)


def test_everything_else():
    besiege(name, catalogue, page, compressed, metrics, mistake)


def test_new_connections():
    """Who connects while memory is short may be turned away, and is served afterwards."""
    with tempfile.TemporaryDirectory() as data:
        siege = Siege(data)
        try:
            refused, nth = 0, 0
            while nth == 0 or siege.faults.disarm()[1] > 0:
                nth += 1
                siege.faults.arm(nth)
                try:
                    answer = Browser(siege.server).get("/api/health")
                    succeeded(answer)
                except ConnectionError:
                    refused += 1
            check(refused > 0 and nth > 10, refused, "of", nth)
            same(Browser(siege.server).get("/api/health").status, 200)
        finally:
            siege.server.process.kill()
            siege.server.process.communicate()


def test_connections_that_are_lost():
    """However many connections there was no memory for, they take no room from others."""
    files, room = 256, 128
    limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    with tempfile.TemporaryDirectory() as data:
        siege = Siege(data, preexec_fn=limit)
        try:
            lost, nth = room, 0
            while lost > 0:  # until one does without the allocation
                nth, lost = nth + 1, 0
                for _ in range(room + 10):
                    siege.faults.arm(nth)
                    try:
                        succeeded(Browser(siege.server).get("/api/health"))
                    except ConnectionError:
                        lost += 1
                    siege.faults.disarm()
            check(nth > 4, nth)
            same(Browser(siege.server).get("/api/health").status, 200)
        finally:
            siege.server.process.kill()
            siege.server.process.communicate()


def test_events():
    besiege(events, listen)


if __name__ == "__main__":
    sys.exit(run_tests("web_memory.py", dict(globals()), sys.argv[2:]))
