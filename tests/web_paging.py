#!/usr/bin/env python3
"""Long games at `malpan serve`: steps in pages, compressed replies, events that say `reload`, and
streams that nobody reads.

usage: tests/web_paging.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import contextlib
import gzip
import json
import mmap
import re
import signal
import socket
import sqlite3
import struct
import sys
import tempfile
import threading
import time
from random import Random

from driving import check, run_tests, same
from serving import (HERE, LINK, MALPAN, PATIENCE, QUICK, SLOW, Browser, Line, Listener, find_library,
                     serving)

PAGE, EVENT_MAX = 500, 100  # steps in a reply, and in an event
STEPS = 1200 if QUICK else 4990  # of a long game
LOCK_MS = 0.1  # how long a lock may be held, of computing
CYCLE = ["a1a4", "a5d2", "a4a1", "d2a5"]


def long_record(steps):
    """A game of King's Valley in which two soldiers go to and fro."""
    moves = "".join(f"{i % 2} {CYCLE[i % 4]}\n" for i in range(steps))
    return ("malpan-record 1\ngame valley\nrules --soldiers 4\nseats you you\nseed 1\n"
            f"start sskss/5/5/5/SSKSS w 1\n{moves}")


def load_long(browser, steps=STEPS):
    """A long game; the reply has its first page."""
    return browser.good(browser.post("/api/import", {"record": long_record(steps)}), 201)


def check_page(game, begin, number):
    """The reply has the steps from there on, at most a page of them."""
    same((game["from"], game["number"]), (begin, number))
    same([step["move"] for step in game["steps"]],
         [CYCLE[i % 4] for i in range(begin, min(begin + PAGE, number))])


# --- pages ---

def test_a_game_comes_in_pages():
    with serving("--rate", "0") as server:
        browser = Browser(server)
        game = load_long(browser)
        check_page(game, 0, STEPS)
        path = f"/api/games/{game['id']}"
        for begin in (0, 1, PAGE, STEPS - PAGE - 1, STEPS - PAGE, STEPS - 1, STEPS):
            check_page(browser.good(browser.get(path, **{"from": begin})), begin, STEPS)
        check_page(browser.good(browser.get(path)), 0, STEPS)
        # All pages together are the game.
        steps = []
        while len(steps) < STEPS:
            steps += browser.good(browser.get(path, **{"from": len(steps)}))["steps"]
        record = browser.get(f"{path}/record").body.decode()
        same([step["move"] for step in steps],
             [line.split()[1] for line in record.splitlines()[6:]])
        for wrong in ("x", "-1", "1e3", "", "99999999999999999999"):
            answer = browser.get(path, **{"from": wrong})
            check(answer.status in (200, 400), wrong, answer.status)
            if answer.status == 200:
                check(len(answer.json()["steps"]) <= PAGE, wrong)


def test_every_reply_with_a_game_has_pages():
    with serving("--rate", "0") as server:
        browser = Browser(server)
        record = {"record": long_record(STEPS)}
        page = STEPS - 7
        game = browser.good(browser.post(f"/api/import?from={page}", record), 201)
        check_page(game, page, STEPS)
        path = f"/api/games/{game['id']}"
        move = {"number": STEPS, "move": CYCLE[STEPS % 4]}
        check_page(browser.good(browser.post(f"{path}/moves?from={page}", move)), page, STEPS + 1)
        check_page(browser.good(browser.post(f"{path}/moves", move)), 0, STEPS + 1)  # once more
        undo = {"number": STEPS + 1}
        check_page(browser.good(browser.post(f"{path}/undo?from={STEPS}", undo)), STEPS, STEPS)
        check_page(browser.good(browser.post(f"{path}/undo", {"number": STEPS})), 0, STEPS - 1)
        # A new game has no steps to leave out.
        game = browser.good(browser.post("/api/games?from=0", {
            "game": "valley", "seats": [HERE, LINK]}), 201)
        same((game["from"], game["number"], game["steps"]), (0, 0, []))
        guest = Browser(server)
        path = f"/api/games/{game['id']}"
        browser.good(browser.post(f"{path}/moves", {"number": 0, "move": "a1a4"}))
        for begin, moves in ((0, ["a1a4"]), (1, [])):
            found = guest.good(guest.post(f"{path}/join?from={begin}",
                                          {"token": game["links"][0]["token"]}))
            same((found["from"], [step["move"] for step in found["steps"]]), (begin, moves))


def test_a_short_game_is_one_page():
    with serving() as server:
        browser = Browser(server)
        game = load_long(browser, PAGE)
        check_page(game, 0, PAGE)
        check_page(browser.good(browser.get(f"/api/games/{game['id']}")), 0, PAGE)


# --- compression ---

def test_replies_are_compressed():
    """What is larger than 1 kB, for whoever accepts it."""
    with serving("--rate", "0") as server:
        browser = Browser(server)
        path = f"/api/games/{load_long(browser)['id']}"
        for place in (path, "/api/games", "/api/position?game=valley", f"{path}/record", "/"):
            plain = browser.ask("GET", place)
            check("Content-Encoding" not in plain.headers and len(plain.body) > 1024, place)
            for accepts in ("gzip", "deflate, gzip;q=0.5, br", "GZip"):
                packed = browser.ask("GET", place, headers={"Accept-Encoding": accepts})
                same((packed.status, packed.headers.get("Content-Encoding")), (200, "gzip"),
                     place, accepts)
                same(packed.headers["Content-Type"], plain.headers["Content-Type"])
                same(gzip.decompress(packed.body), plain.body)
                check(len(packed.body) < len(plain.body), place, len(packed.body))
            for accepts in ("identity", "deflate", "gzip;q=0", "br, gzip; q=0.0", "xgzip"):
                other = browser.ask("GET", place, headers={"Accept-Encoding": accepts})
                check("Content-Encoding" not in other.headers, place, accepts)
                same(other.body, plain.body)
        # A change, and what is not worth it.
        move = browser.ask("POST", f"{path}/undo", {"number": STEPS}, {"Accept-Encoding": "gzip"})
        same(move.headers.get("Content-Encoding"), "gzip")
        same(json.loads(gzip.decompress(move.body))["number"], STEPS - 1)
        for place, status in (("/api/health", 200), ("/api/nothing", 404)):
            small = browser.ask("GET", place, headers={"Accept-Encoding": "gzip"})
            check(small.status == status and "Content-Encoding" not in small.headers, place)
            json.loads(small.body)


# --- events ---

def first_event(server, path):
    """The first event of a stream."""
    listener = Listener(server, path)
    listener.wait(1)
    listener.close()
    return listener.events[0]


def test_events_of_long_games():
    """An event with more than a hundred steps is the advice to fetch them."""
    with serving("--rate", "0") as server:
        browser = Browser(server)
        for steps in (EVENT_MAX, EVENT_MAX + 1, STEPS):
            game = load_long(browser, steps)
            event = first_event(server, f"/api/games/{game['id']}/events")
            same((event["version"], event["number"], event["from"]), (game["version"], steps, 0))
            if steps <= EVENT_MAX:
                check("reload" not in event and len(event["steps"]) == steps, event)
            else:
                check(event == {"version": game["version"], "number": steps, "from": 0,
                                "reload": True}, event.keys())


def test_events_after_a_pause():
    """Whoever comes back is told where to begin."""
    with serving("--rate", "0") as server:
        browser = Browser(server)
        game = browser.create("valley", [HERE, HERE])
        path, versions = f"/api/games/{game['id']}", [game["version"]]
        for number in range(EVENT_MAX + 20):
            game = browser.good(browser.post(f"{path}/moves?from={number}",
                                             {"number": number, "move": CYCLE[number % 4]}))
            versions.append(game["version"])
        for since in (0, 10, 19, 20, 21, EVENT_MAX + 19):
            event = first_event(server, f"{path}/events?since={versions[since]}")
            same((event["version"], event["number"], event["from"]),
                 (versions[-1], EVENT_MAX + 20, since))
            if since < 20:
                check(event.get("reload") is True and "steps" not in event, event.keys())
            else:
                check("reload" not in event and len(event["steps"]) == EVENT_MAX + 20 - since)
        # After going back, that is where to begin.
        game = browser.good(browser.post(f"{path}/undo?from=0", {"number": EVENT_MAX + 20}))
        event = first_event(server, f"{path}/events?since={versions[-1]}")
        same((event["number"], event["from"], event["steps"]),
             (EVENT_MAX + 19, EVENT_MAX + 19, []))


def test_a_listener_of_a_long_game_follows_it():
    with serving("--rate", "0") as server:
        browser = Browser(server)
        game = load_long(browser)
        path = f"/api/games/{game['id']}"
        listener = Listener(server, f"{path}/events")
        listener.wait(1)
        for number in range(STEPS, STEPS + 3):
            browser.good(browser.post(f"{path}/moves?from={number}",
                                      {"number": number, "move": CYCLE[number % 4]}))
            listener.wait_until(lambda events: events[-1]["number"] == number + 1)
            event = listener.events[-1]
            check(event["from"] <= number and "reload" not in event, event.keys())
            same(event["steps"][-1]["move"], CYCLE[number % 4])
        listener.close()


# --- what long games cost others ---

def memory_mb(server):
    """What the server has in memory."""
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) / 1024


def test_streams_that_nobody_reads():
    """They take at most 64 kB each, however much happens."""
    count, changes = (40, 20) if QUICK else (480, 200) if SLOW else (200, 30)
    with serving("--rate", "0") as server:
        browser, random = Browser(server), Random(2)
        short = browser.create("yut", [HERE, HERE], "--pieces 4")
        path = f"/api/games/{load_long(browser)['id']}"
        before, lines = memory_mb(server), []
        for number in range(count):
            line = socket.socket()
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            line.connect(("127.0.0.1", server.port))
            place = path if number % 2 else f"/api/games/{short['id']}"
            line.sendall(f"GET {place}/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
                         .encode())
            lines.append(line)
        end = time.monotonic() + PATIENCE
        while browser.get("/api/health").json()["listeners"] < count:
            check(time.monotonic() < end, "not all are listening")
            time.sleep(0.01)
        for _ in range(changes):
            browser.good(browser.post(f"{path}/moves?from={STEPS}",
                                      {"number": STEPS, "move": CYCLE[STEPS % 4]}))
            browser.good(browser.post(f"{path}/undo?from={STEPS}", {"number": STEPS + 1}))
            short = browser.step(short, random) if short["waits"] else short
        grown = memory_mb(server) - before
        check(grown < count * 0.064 + 24 or "san" in MALPAN, "memory grew by", grown, "MB")
        for line in lines:
            line.close()
        server.stop(signal.SIGKILL)


class LockWatch:
    """What tests/fault/lock_watch.c is told, and tells, through a file."""

    WORDS = struct.Struct("=QQ")  # armed, longest_ns

    def __init__(self):
        self.file = tempfile.NamedTemporaryFile()
        self.file.write(self.WORDS.pack(0, 0))
        self.file.flush()
        self.map = mmap.mmap(self.file.fileno(), self.WORDS.size)
        self.env = {"LD_PRELOAD": find_library("lock_watch"), "LOCK_WATCH": self.file.name}

    def longest_ms(self, work):
        """The longest time that a lock is held, of what the server computes meanwhile."""
        self.WORDS.pack_into(self.map, 0, 1, 0)
        work()
        self.map[0] = 0
        return self.WORDS.unpack_from(self.map)[1] / 1e6


def test_no_lock_is_held_while_a_game_is_encoded():
    """A page takes milliseconds to encode, which others do not have to wait for; nor do they wait
    while it is compressed, or made into an event, or while the record is printed."""
    if "san" in MALPAN:
        return  # the sanitizers have locks of their own
    watch = LockWatch()
    with serving("--rate", "0", env=watch.env) as server:
        browser = Browser(server)
        path = f"/api/games/{load_long(browser)['id']}"
        games = [load_long(browser, EVENT_MAX) for _ in range(3)]  # an event is encoded once
        browser.good(browser.get(path))

        def ask():
            for begin in (0, PAGE, STEPS - PAGE):
                browser.good(browser.get(path, **{"from": begin}))
                browser.ask("GET", f"{path}?from={begin}", headers={"Accept-Encoding": "gzip"})
            browser.good(browser.post(f"{path}/moves", {"number": STEPS,
                                                        "move": CYCLE[STEPS % 4]}))
            browser.good(browser.post(f"{path}/undo", {"number": STEPS + 1}))
            same(browser.get(f"{path}/record").status, 200)
            first_event(server, f"/api/games/{games.pop()['id']}/events")
            browser.get("/api/health")
        longest = min(watch.longest_ms(ask) for _ in range(3))
        check(0 < longest < LOCK_MS, "a lock is held for", longest, "ms")


def bytes_written(server):
    """What the server has written so far, to files and to connections."""
    with open(f"/proc/{server.process.pid}/io", encoding="ascii") as file:
        return int(re.search(r"wchar: (\d+)", file.read()).group(1))


def test_a_step_of_a_long_game_is_as_small_as_any():
    """The store gets the step, not the game once more."""
    with serving("--rate", "0") as server:
        browser = Browser(server)

        def cost(steps):
            game = load_long(browser, steps)
            before = bytes_written(server)
            for number in range(steps, steps + 9):
                browser.good(browser.post(f"/api/games/{game['id']}/moves?from={number}",
                                          {"number": number, "move": CYCLE[number % 4]}))
            return bytes_written(server) - before
        short, long = (min(cost(steps) for _ in range(2)) for steps in (12, STEPS))
        check(long < 1.5 * short, "nine steps of a long game:", long, "bytes, of a short one:",
              short)


def test_long_games_do_not_hold_up_others():
    """While eight clients read a long game again and again, others are served: each request waits for
    a few pages, not for as many as there are."""
    with serving("--rate", "0") as server:
        browser, over, pages = Browser(server), threading.Event(), [0] * 8
        path = f"/api/games/{load_long(browser)['id']}"

        def read(number):
            while not over.is_set():
                browser.get(path)
                pages[number] += 1
        threads = [threading.Thread(target=read, args=(number,), daemon=True) for number in range(8)]
        for thread in threads:
            thread.start()
        end = time.monotonic() + PATIENCE
        while min(pages) == 0:
            check(time.monotonic() < end, "somebody reads nothing:", pages)
            time.sleep(0.01)
        before = sum(pages)
        for _ in range(50):
            same(Browser(server, "127.0.0.2").get("/api/health").status, 200)
        meanwhile = sum(pages) - before
        over.set()
        for thread in threads:
            thread.join(PATIENCE)
        check(meanwhile < 50 * 20, meanwhile, "pages were read during 50 requests")


def test_a_long_game_asked_for_all_at_once():
    """A client that asks on many connections gets some pages, and is told to come again for the rest.
    Somebody else who asks at the same time gets his."""
    count = 100
    with serving("--rate", "0") as server:
        browser, other = Browser(server), Line(server, "127.0.0.2")
        path = f"/api/games/{load_long(browser)['id']}"
        lines = [Line(server) for _ in range(count)]
        for line in (*lines, other):
            line.request("GET", "/api/health")
            line.getresponse().read()
        server.process.send_signal(signal.SIGSTOP)  # so that all arrive together
        for line in (*lines, other):
            line.request("GET", path)
        server.process.send_signal(signal.SIGCONT)
        replies = [line.getresponse() for line in lines]
        codes = [reply.status for reply in replies]
        check(codes.count(200) >= 8 and codes.count(429) > 0 and set(codes) == {200, 429}, codes)
        check(all(reply.getheader("Retry-After") for reply in replies if reply.status == 429))
        same(other.getresponse().status, 200)
        for line in (*lines, other):
            line.close()
        # What was changed is told, however much it is.
        game = browser.good(browser.post(f"{path}/moves", {"number": STEPS, "move": CYCLE[STEPS % 4]}))
        same((game["number"], len(game["steps"])), (STEPS + 1, PAGE))


def fill_store(folder, count):
    """Stores copies of the one game that is there, with other ids."""
    with contextlib.closing(sqlite3.connect(f"{folder}/games.sqlite")) as store:
        fields = ", ".join(row[1] for row in store.execute("PRAGMA table_info(games)")
                           if row[1] not in ("id", "game"))
        store.execute("PRAGMA synchronous = OFF")
        store.execute("WITH RECURSIVE copies(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM copies "
                      f"WHERE i < {count}) INSERT INTO games (id, {fields}) SELECT "
                      f"substr(hex(randomblob(11)), 1, 22), {fields} FROM copies, "
                      "(SELECT * FROM games LIMIT 1)")
        store.commit()


def bytes_read(server):
    """What the server has read so far, from files and from connections."""
    with open(f"/proc/{server.process.pid}/io", encoding="ascii") as file:
        return int(re.search(r"rchar: (\d+)", file.read()).group(1))


def test_health_does_not_count():
    """However many games there are, the answer is known, and found without holding a lock."""
    watch = None if "san" in MALPAN else LockWatch()
    with serving("--rate", "0", env=watch and watch.env) as server:
        browser = Browser(server)
        game = browser.create("valley", [HERE, HERE])
        server.stop()
        fill_store(server.data, 50000)  # more than are kept in memory
        server.start()
        browser.good(browser.get(f"/api/games/{game['id']}"))
        before = bytes_read(server)

        def ask():
            for _ in range(20):
                same([browser.get("/api/health").json()["games"]], [50001])
        ask()
        count = bytes_read(server) - before
        check(count < 1 << 20, "20 requests read", count, "bytes")
        if watch:  # it takes 0.02 ms to count even what is cached, and 0.001 ms not to
            longest = min(watch.longest_ms(ask) for _ in range(5))
            check(longest < 0.008, "a lock is held for", longest, "ms")


if __name__ == "__main__":
    sys.exit(run_tests("web_paging.py", dict(globals()), sys.argv[2:]))
