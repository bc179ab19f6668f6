#!/usr/bin/env python3
"""What `malpan serve` keeps: through kills, stops and full disks.

usage: tests/web_store.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import contextlib
import resource
import signal
import sqlite3
import sys
import threading
import time
from random import Random

from driving import check, run, run_tests, same
from serving import (HERE, LINK, MALPAN, PATIENCE, QUICK, SLOW, Browser, Listener, Writer, computer,
                     refuses, serving)


def test_kills_lose_nothing():
    random = Random(6)
    with serving() as server:
        browser = Browser(server)
        game = browser.create("valley", [HERE, computer("random")])
        kept = browser.create("race", [HERE, HERE])
        for _ in range(3 if QUICK else 8):
            game = browser.settled(game)
            if game["over"]:
                break
            game = browser.step(game, random)
            kept = kept if kept["over"] else browser.step(kept, random)
            server.stop(signal.SIGKILL)
            server.start()
            found = browser.good(browser.get(f"/api/games/{kept['id']}"))
            same(found, kept)  # no computers play in it
            found = browser.good(browser.get(f"/api/games/{game['id']}"))
            same(found["steps"][:game["number"]], game["steps"])
            check(found["you"] == [0] and found["commitment"] == game["commitment"])
            game = found


def test_kills_while_many_write():
    """Several clients write when the server is killed: every acknowledged change is there."""
    random, kills = Random(7), 2 if QUICK else 100 if SLOW else 6
    with serving("--rate", "0") as server:
        people = [(Browser(server), {}) for _ in range(8)]
        for kill in range(kills):
            writers = [Writer(browser, games, f"{kill} {i}")
                       for i, (browser, games) in enumerate(people)]
            for writer in writers:
                writer.start()
            time.sleep(random.uniform(0.05, 0.5))
            server.stop(signal.SIGKILL)
            for writer in writers:
                writer.join(PATIENCE)
                check(not writer.is_alive(), "a request has no end")
            server.start()
            for writer in writers:
                writer.check()
        check(all(browser.cookies for browser, _ in people), "somebody never wrote anything")


def test_stops_while_somebody_listens_and_searches():
    with serving() as server:
        browser = Browser(server)
        game = browser.create("valley", [HERE, HERE])
        listener = Listener(server, f"/api/games/{game['id']}/events")
        listener.wait(1)
        far = "1S1sS/1s1s1/5/k3K/1sS1S w 9"
        searcher = threading.Thread(target=lambda: browser.get("/api/eval", game="valley",
                                                               position=far))
        searcher.start()
        time.sleep(0.3)
        same(server.stop(), (0, b""))
        searcher.join(PATIENCE)
        listener.join(PATIENCE)
        check(not searcher.is_alive() and not listener.is_alive())


def test_what_cannot_be_kept_has_not_been():
    """With a full disk, changes are refused and undone; with space again, the game goes on."""
    with serving(restore_signals=False) as server:  # SIGXFSZ stays ignored
        browser, random = Browser(server), Random(11)
        room = lambda size: resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE,
                                             (size, resource.RLIM_INFINITY))
        game = browser.step(browser.create("box", [HERE, HERE]), random)
        alone = browser.create("yut", [computer("random"), computer("random")], "--pieces 1")
        path = f"/api/games/{game['id']}"
        room(0)
        refuses(browser.post(f"{path}/moves", {"number": game["number"], "move":
                                               game["now"]["moves"][0]["move"]}), 500, "store")
        same(browser.good(browser.get(path)), game)
        refuses(browser.post("/api/games", {"game": "race", "seats": [HERE, HERE]}), 500)
        stuck = browser.good(browser.get(f"/api/games/{alone['id']}"))
        for _ in range(5):
            time.sleep(0.02)
            found = browser.good(browser.get(f"/api/games/{alone['id']}"))
            same(found["number"], stuck["number"])
        room(resource.RLIM_INFINITY)
        game = browser.step(game, random)
        alone = browser.settled(browser.good(browser.get(f"/api/games/{alone['id']}")))
        check(alone["over"])
        server.stop(signal.SIGKILL)
        server.start()
        same(browser.good(browser.get(path))["steps"], game["steps"])


def test_one_server_a_folder():
    with serving() as server:
        done = run(MALPAN, "serve", "--port", "0", "--data", server.data)
        check(done.code == 1 and b"another program" in done.err, done.err)


# --- keys ---

def key(number):
    return f"key-{number:018}"


def test_keys_outlast_other_games_and_restarts():
    """A request repeated with its key gets its game, whatever happened in between."""
    count, others = (10, 20) if QUICK else (500, 2000) if SLOW else (60, 300)
    with serving("--rate", "0") as server:
        first, second = Browser(server), Browser(server)
        body = {"game": "valley", "seats": [HERE, LINK]}
        made = [first.good(first.post("/api/games", body | {"key": key(number)}), 201)
                for number in range(count)]
        record = first.get(f"/api/games/{made[0]['id']}/record").body.decode()
        loaded = first.good(first.post("/api/import", {"record": record, "key": key(-1)}), 201)
        for number in range(others):
            Browser(server).post("/api/games", body | {"key": key(10000 + number)})

        def repeat(what):
            again = [second.post("/api/games", body | {"key": key(number)}).json()
                     for number in range(count)]
            wrong = sum(one != other for one, other in zip(again, made))
            check(wrong == 0, what, wrong, "of", count, "keys have another game")
            answer = second.post("/api/import", {"record": record, "key": key(-1)})
            check(answer.json() == loaded, what, "the imported game", answer.json())
            check(second.cookies == first.cookies, what, "the cookies")
        repeat("after other games:")
        for number in (signal.SIGTERM, signal.SIGKILL):
            server.stop(number)
            server.start()
            repeat(f"after signal {number}:")


def test_a_key_whose_answer_was_lost():
    """Whoever repeats a request after a kill has one game, not two."""
    with serving("--rate", "0") as server:
        browser, random = Browser(server), Random(3)
        body = {"game": "valley", "seats": [HERE, HERE]}
        attempts = 2 if QUICK else 40 if SLOW else 5
        for attempt in range(attempts):
            asked = body | {"key": key(attempt)}
            thread = threading.Thread(target=ask_in_vain, args=(server, asked))
            thread.start()
            time.sleep(random.uniform(0, 0.01))
            server.stop(signal.SIGKILL)
            thread.join(PATIENCE)
            server.start()
            game = browser.good(browser.post("/api/games", asked), 201)
            same(browser.good(browser.post("/api/games", asked), 201)["id"], game["id"])
            browser.step(game, random)
        server.stop()
        with contextlib.closing(sqlite3.connect(f"{server.data}/games.sqlite")) as store:
            same(store.execute("SELECT count(*) FROM games").fetchone(), (attempts,))


def ask_in_vain(server, body):
    with contextlib.suppress(Exception):  # the server may be gone
        Browser(server).post("/api/games", body)


if __name__ == "__main__":
    sys.exit(run_tests("web_store.py", dict(globals()), sys.argv[2:]))
