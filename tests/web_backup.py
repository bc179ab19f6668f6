#!/usr/bin/env python3
"""`malpan serve --backup`, `--list` and `--keep`: copies and lists of a store in use, and old games
that go.

usage: tests/web_backup.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from random import Random

from driving import check, refused, run, run_tests, same
from serving import (HERE, LINK, MALPAN, PATIENCE, QUICK, SLOW, Browser, Server, Writer, refuses,
                     serving)


def back_up(data, file):
    done = run(MALPAN, "serve", "--data", data, "--backup", file)
    same((done.code, done.out, done.err), (0, b"", b""))


def restore(file, data):
    """A server on a new folder with nothing but the backup."""
    shutil.copy(file, os.path.join(data, "games.sqlite"))
    return Server(data, "--rate", "0")


def find(server, cookies, identity):
    browser = Browser(server)
    browser.cookies = cookies
    return browser.good(browser.get(f"/api/games/{identity}"))


def test_a_backup_of_a_server_at_work():
    """Several clients write all the time. Every backup ends, and has at least what was acknowledged
    before it began: whole games, in which the same browsers have the same seats."""
    with serving("--rate", "0") as server, tempfile.TemporaryDirectory() as folder:
        browsers = [Browser(server) for _ in range(4)]
        writers = [Writer(browser, {}, number) for number, browser in enumerate(browsers)]
        for writer in writers:
            writer.start()
        for number in range(2 if QUICK else 40 if SLOW else 4):
            time.sleep(0.2)
            before = [dict(writer.games) for writer in writers]
            file = os.path.join(folder, f"{number}.sqlite")
            back_up(server.data, file)
            check(not [name for name in os.listdir(folder) if not name.endswith(".sqlite")],
                  os.listdir(folder))
            with tempfile.TemporaryDirectory() as data:
                restored = restore(file, data)
                try:
                    for writer, games in zip(writers, before):
                        for game in games.values():
                            found = find(restored, writer.browser.cookies, game["id"])
                            check(found["version"] >= game["version"], "an older version")
                            same((found["you"], found["start"], found["commitment"]),
                                 (game["you"], game["start"], game["commitment"]))
                            if found["version"] == game["version"]:
                                same(found["steps"], game["steps"])
                finally:
                    same(restored.stop(), (0, b""))
        check(all(writer.is_alive() and writer.count > 0 for writer in writers), "nobody wrote")
        server.stop(signal.SIGKILL)  # which ends the writers
        for writer in writers:
            writer.join(PATIENCE)


def test_a_restored_game_goes_on():
    random = Random(1)
    with serving() as server, tempfile.TemporaryDirectory() as folder:
        browser = Browser(server)
        game = browser.create("valley", [HERE, LINK])
        game = browser.step(game, random)
        file = os.path.join(folder, "copy")
        back_up(server.data, file)
        game_after = browser.good(browser.post(f"/api/games/{game['id']}/undo",
                                               {"number": game["number"]}))
        check(game_after["undo"] != game["undo"], "the undo changes nothing")
        with tempfile.TemporaryDirectory() as data:
            restored = restore(file, data)
            try:
                again = Browser(restored)
                again.cookies = browser.cookies
                found = again.good(again.get(f"/api/games/{game['id']}"))
                same(found, game)  # as it was when it was copied
                again.good(again.post(f"/api/games/{game['id']}/undo", {"number": game["number"]}))
            finally:
                same(restored.stop(), (0, b""))


def test_a_backup_replaces_the_last_one():
    with serving() as server, tempfile.TemporaryDirectory() as folder:
        browser = Browser(server)
        file = os.path.join(folder, "copy")
        ids = []
        for _ in range(2):
            ids.append(browser.create("race", [HERE, HERE])["id"])
            back_up(server.data, file)
            with sqlite3.connect(file) as copy:
                found = [row[0] for row in copy.execute("SELECT id FROM games ORDER BY game")]
            copy.close()
            same(found, ids)
            same(os.listdir(folder), ["copy"])


def test_a_backup_that_is_killed_leaves_the_last_one():
    with serving() as server, tempfile.TemporaryDirectory() as folder:
        Browser(server).create("race", [HERE, HERE])
        file = os.path.join(folder, "copy")
        back_up(server.data, file)
        with open(file, "rb") as opened:
            before = opened.read()
        for pause in (0, 0.001, 0.005, 0.02):
            process = subprocess.Popen([MALPAN, "serve", "--data", server.data, "--backup", file])
            time.sleep(pause)
            process.send_signal(signal.SIGKILL)
            process.wait()
            with open(file, "rb") as opened:
                same(opened.read(), before)
        back_up(server.data, file)  # what was left behind does not matter


def test_backups_that_fail():
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "copy")
        done = run(MALPAN, "serve", "--data", folder, "--backup", file)
        same((done.code, os.listdir(folder)), (1, []))
        check(b"there are no games in" in done.err and done.err.count(b"\n") == 1, done.err)
        with open(os.path.join(folder, "games.sqlite"), "wb") as damaged:
            damaged.write(b"this is not a database" * 1000)
        done = run(MALPAN, "serve", "--data", folder, "--backup", file)
        same((done.code, os.listdir(folder)), (1, ["games.sqlite"]))
        check(b"not a database" in done.err and done.err.count(b"\n") == 1, done.err)
    with serving() as server:
        done = run(MALPAN, "serve", "--data", server.data, "--backup", "/nowhere/copy")
        same(done.code, 1)
        check(b"/nowhere/copy" in done.err and done.err.count(b"\n") == 1, done.err)


# --- lists ---

def test_a_list_of_a_server_at_work():
    """A line for each game, in the order of creation, as it is at that moment."""
    with serving("--rate", "0") as server:
        browser, random = Browser(server), Random(4)
        games = [browser.create(name, [HERE, HERE]) for name in ("race", "valley", "box") * 5]
        for game in games[:7]:
            for _ in range(3):
                game |= browser.step(game, random)
        begin = time.gmtime(time.time() - 600)
        for _ in range(2):  # also when no server is there
            done = run(MALPAN, "serve", "--data", server.data, "--list")
            same((done.code, done.err), (0, b""))
            lines = [line.split(" ") for line in done.out.decode().splitlines()]
            same([line[1:] for line in lines],
                 [[game["id"], game["game"], str(game["number"])] for game in games])
            for changed, *_ in lines:
                check(begin <= time.strptime(changed, "%Y-%m-%dT%H:%M:%SZ") <= time.gmtime(),
                      changed)
            if server.process.poll() is None:
                same(server.stop(), (0, b""))


def test_lists_that_fail():
    with tempfile.TemporaryDirectory() as folder:
        refused(run(MALPAN, "serve", "--data", folder, "--list"), 1, "there are no games in")
        same(os.listdir(folder), [])
        with open(os.path.join(folder, "games.sqlite"), "wb") as damaged:
            damaged.write(b"this is not a database" * 1000)
        refused(run(MALPAN, "serve", "--data", folder, "--list"), 1, "not a database")
    with serving() as server, open("/dev/full", "wb") as full:
        for _ in range(3):
            Browser(server).create("race", [HERE, HERE])
        done = subprocess.run([MALPAN, "serve", "--data", server.data, "--list"], stdout=full,
                              stderr=subprocess.PIPE, check=False)
        check(done.returncode == 1 and done.stderr.count(b"\n") == 1, done)


# --- old games ---

def age(data, ids, days):
    """Makes games look as if nobody had changed them for so long."""
    store = sqlite3.connect(os.path.join(data, "games.sqlite"))
    with store:
        for identity in ids:
            store.execute("UPDATE games SET changed = unixepoch() - ? WHERE id = ?",
                          (int(days * 86400), identity))
    store.close()


def test_old_games_are_deleted():
    random = Random(2)
    with tempfile.TemporaryDirectory() as data:
        server = Server(data)
        browser = Browser(server)
        games = [browser.step(browser.create("race", [HERE, HERE]), random) for _ in range(6)]
        ids = [game["id"] for game in games]
        same(server.stop(), (0, b""))
        age(data, ids[:3], 10.1)
        age(data, ids[3:5], 9.9)
        server.start()  # without --keep nothing is deleted
        for game in games:
            browser.good(browser.get(f"/api/games/{game['id']}"))
        same(server.stop(), (0, b""))
        server.command += ["--keep", "10"]
        server.start()
        end = time.monotonic() + PATIENCE
        while browser.get("/api/health").json()["games"] > 3:
            check(time.monotonic() < end, "old games stay")
            time.sleep(0.01)
        for identity in ids[:3]:
            refuses(browser.get(f"/api/games/{identity}"), 404)
        for game in games[3:]:
            same(browser.good(browser.get(f"/api/games/{game['id']}")), game)
        same(server.stop(), (0, b""))
        store = sqlite3.connect(os.path.join(data, "games.sqlite"))
        counts = [store.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                  for table in ("games", "steps")]
        store.close()
        same(counts, [3, 3])  # the steps went with their games


def test_what_keep_accepts():
    for text in ("0", "-1", "1.5", "ten", "36501", ""):
        done = run(MALPAN, "serve", "--port", "0", "--keep", text)
        same(done.code, 2)
        check(b"--keep" in done.err and done.err.count(b"\n") == 1, done.err)


if __name__ == "__main__":
    sys.exit(run_tests("web_backup.py", dict(globals()), sys.argv[2:]))
