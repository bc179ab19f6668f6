#!/usr/bin/env python3
"""The data folder of `malpan serve` when the power fails, the disk is full, or the folder is
read-only.

usage: tests/web_folder.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import contextlib
import mmap
import os
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from random import Random

from driving import ENVIRONMENT, check, run_tests, same
from serving import (HERE, MALPAN, PATIENCE, QUICK, SLOW, Browser, Listener, Writer, find_library,
                     refuses, serving)


class Power:
    """What tests/fault/power_fault.c is told, and tells, through a file."""

    WORDS = struct.Struct("=QQ")  # count, delay_us

    def __init__(self):
        self.file = tempfile.NamedTemporaryFile()
        self.file.write(self.WORDS.pack(0, 0))
        self.file.flush()
        self.map = mmap.mmap(self.file.fileno(), self.WORDS.size)
        self.env = {"LD_PRELOAD": find_library("power_fault"), "POWER_FAULT": self.file.name,
                    "ASAN_OPTIONS": "verify_asan_link_order=0"}

    def count(self):
        """How many files were synced so far."""
        return self.WORDS.unpack_from(self.map)[0]

    def delay(self, seconds):
        """From now on each takes this much longer."""
        struct.pack_into("=Q", self.map, 8, int(seconds * 1e6))

    @staticmethod
    def fail(server):
        """Kills the server, and leaves of its files what was synced, if only in an earlier run. What
        was removed stays removed."""
        server.stop(signal.SIGKILL)
        files = set(os.listdir(server.data))
        for name in files:
            path = os.path.join(server.data, name)
            if f"{name}.synced" in files:
                shutil.copyfile(f"{path}.synced", path)
            elif not (name.endswith(".synced") and name.removesuffix(".synced") in files):
                os.unlink(path)


# --- power failures ---

def test_power_failures():
    """Several clients write when the power fails: every acknowledged change is there."""
    random, power = Random(9), Power()
    with serving("--rate", "0", env=power.env) as server:
        people = [(Browser(server), {}) for _ in range(6)]
        for failure in range(2 if QUICK else 100 if SLOW else 5):
            writers = [Writer(browser, games, f"{failure} {number}")
                       for number, (browser, games) in enumerate(people)]
            for writer in writers:
                writer.start()
            time.sleep(random.uniform(0.1, 0.5))
            power.fail(server)
            for writer in writers:
                writer.join(PATIENCE)
                check(not writer.is_alive(), "a request has no end")
            server.start()
            for writer in writers:
                writer.check()
        check(all(browser.cookies for browser, _ in people), "somebody never wrote anything")


def test_every_change_is_synced():
    """Before it is acknowledged; and questions sync nothing."""
    power = Power()
    with serving("--rate", "0", env=power.env) as server:
        browser, counts = Browser(server), [power.count()]
        game = browser.create("valley", [HERE, HERE])
        path = f"/api/games/{game['id']}"
        counts.append(power.count())
        for number in range(3):
            browser.step(browser.good(browser.get(path)), Random(number))
            counts.append(power.count())
        browser.good(browser.post(f"{path}/undo", {"number": 3}))
        counts.append(power.count())
        record = browser.get(f"{path}/record").body.decode()
        browser.good(browser.post("/api/import", {"record": record}), 201)
        counts.append(power.count())
        check(all(one < other for one, other in zip(counts, counts[1:])), "syncs:", counts)
        for _ in range(10):
            browser.good(browser.get(path))
        same([power.count()], counts[-1:])


def write_at_once(server, clients, moves):
    """Each client makes so many moves, in a game of its own."""
    browsers = [Browser(server) for _ in range(clients)]
    games = [browser.create("valley", [HERE, HERE]) for browser in browsers]
    failures = []

    def play(browser, game):
        cycle = ["a1a4", "a5d2", "a4a1", "d2a5"]
        try:
            for number in range(moves):
                browser.good(browser.post(f"/api/games/{game['id']}/moves",
                                          {"number": number, "move": cycle[number % 4]}))
        except Exception as failure:  # for the test to report
            failures.append(failure)
    threads = [threading.Thread(target=play, args=pair) for pair in zip(browsers, games)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    check(not failures, *failures)


def test_changes_are_synced_together():
    """Where a sync takes long, those who come meanwhile share the next one."""
    power = Power()
    with serving("--rate", "0", env=power.env) as server:
        power.delay(0.03)
        before = power.count()
        write_at_once(server, 12, 8)
        syncs = power.count() - before
        check(0 < syncs < 12 + 0.75 * 96, syncs, "syncs for 96 moves and 12 games")


def test_relaxed():
    """Nothing waits for the disk; a power failure may lose changes, but no more than that."""
    power = Power()
    with serving("--rate", "0", "--relaxed", env=power.env) as server:
        before = power.count()
        write_at_once(server, 4, 20)
        check(power.count() - before <= 4, power.count() - before, "syncs")
        power.fail(server)
        server.start()
        Browser(server).create("valley", [HERE, HERE])


# --- a folder that cannot be written to ---

def check_view_only(server, game):
    """The game can be seen, and nothing can be changed. Standard error has one line."""
    browser, path = Browser(server), f"/api/games/{game['id']}"
    browser.cookies = server.cookies
    found = browser.good(browser.get(path))
    for field in found:
        check(found[field] == game[field], field, found[field], game[field])
    same(browser.get(f"{path}/record").status, 200)
    listener = Listener(server, f"{path}/events")
    listener.wait(1)
    listener.close()
    for place, body in ((f"{path}/moves", {"number": 1, "move": "a5d2"}),
                        (f"{path}/undo", {"number": 1}),
                        ("/api/games", {"game": "valley", "seats": [HERE, HERE]})):
        answer = browser.post(place, body)
        refuses(answer, 503, "viewed but not changed")
        error = answer.json()["error"]
        check(error["code"] == "unavailable" and error["message_ko"], error)
        check(server.data not in error["message"], "the client is told where it is:", error)
    same(browser.good(browser.get(path))["number"], 1)
    same(browser.get("/api/health").status, 200)
    code, errors = server.stop()
    check(code == 0 and errors.count(b"\n") == 1 and server.data.encode() in errors, code, errors)


@contextlib.contextmanager
def stopped_server():
    """A server with a game of one move that has ended; and the game."""
    with serving("--rate", "0") as server:
        browser = Browser(server)
        game = browser.create("valley", [HERE, HERE])
        game = browser.good(browser.post(f"/api/games/{game['id']}/moves",
                                         {"number": 0, "move": "a1a4"}))
        server.cookies = browser.cookies
        same(server.stop(), (0, b""))
        yield server, game


def no_room():
    """For a new process: nothing can be written to files."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))


def test_a_full_disk_at_the_start():
    with stopped_server() as (server, game):
        server.more["preexec_fn"] = no_room
        server.start()
        check_view_only(server, game)
        # With room again, all is well.
        del server.more["preexec_fn"]
        server.start()
        browser = Browser(server)
        browser.cookies = server.cookies
        browser.good(browser.post(f"/api/games/{game['id']}/moves", {"number": 1, "move": "a5d2"}))


def test_a_folder_that_is_read_only():
    with stopped_server() as (server, game), tempfile.TemporaryDirectory() as copies:
        if os.getuid() == 0:  # who may write anywhere: be somebody else
            os.chmod(copies, 0o755)
            server.command[0] = shutil.copy(MALPAN, copies)
            server.more |= {"user": 65534, "group": 65534, "extra_groups": []}
        for name in os.listdir(server.data):
            os.chmod(os.path.join(server.data, name), 0o444)
        os.chmod(server.data, 0o555)
        try:
            server.start()
            check_view_only(server, game)
        finally:
            os.chmod(server.data, 0o755)


def test_a_folder_without_games_that_is_read_only():
    """Nothing could be viewed, so it does not start, and says which folder it is."""
    with tempfile.TemporaryDirectory() as data:
        os.chmod(data, 0o755)
        command = [shutil.copy(MALPAN, data), "serve", "--port", "0", "--data"]
        os.mkdir(f"{data}/empty", 0o555)
        somebody = {"user": 65534, "group": 65534, "extra_groups": []} if os.getuid() == 0 else {}
        for folder in (f"{data}/empty", f"{data}/empty/new"):
            done = subprocess.run([*command, folder], capture_output=True, timeout=PATIENCE,
                                  env=ENVIRONMENT, check=False, **somebody)
            same((done.returncode, done.stdout, done.stderr.count(b"\n")), (1, b"", 1))
            check(f"{data}/empty".encode() in done.stderr, done.stderr)


if __name__ == "__main__":
    sys.exit(run_tests("web_folder.py", dict(globals()), sys.argv[2:]))
