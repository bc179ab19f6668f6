#!/usr/bin/env python3
"""Who waits for whom at `malpan serve`: clients take turns, and short work never waits behind long
work.

usage: tests/web_queue.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import contextlib
import http.client
import signal
import sys
import threading
import time
from random import Random

from driving import check, run_tests, same
from serving import (FAR, FAR_MOVE, HERE, LARGE, MALPAN, PATIENCE, QUICK, SLOW, Browser, computer,
                     refuses, serving, wait_for_searches)

OTHERS_S = 20 if "san" in MALPAN else 5  # how long somebody else may have to wait
MOVES_MAX, REQUESTS_MAX = 64, 8  # of one client at a time


@contextlib.contextmanager
def busy_server(*options):
    """A server that is killed in the end, because it would finish what it was asked for."""
    with serving("--rate", "0", *options) as server:
        try:
            yield server
        finally:
            server.stop(signal.SIGKILL)


class Crowd:
    """Requests of one client, all at once. `answers` are in the order in which they came."""

    def __init__(self, requests):
        self.answers = []
        self.threads = [threading.Thread(target=self.ask, args=(number, request), daemon=True)
                        for number, request in enumerate(requests)]
        for thread in self.threads:
            thread.start()

    def ask(self, number, request):
        with contextlib.suppress(OSError, http.client.HTTPException):
            self.answers.append((number, request()))

    def wait(self, count=None):
        """Waits until there are so many answers, or all."""
        end = time.monotonic() + PATIENCE
        while len(self.answers) < (len(self.threads) if count is None else count):
            check(time.monotonic() < end, "only", len(self.answers), "answers")
            time.sleep(0.005)
        return self.answers


def evals(server, address, count):
    """Requests of one client for values that take seconds each, as long as they are computed."""
    return [lambda rules=rules: Browser(server, address).get("/api/eval", game="box", rules=rules)
            for rules in LARGE[:count]]


def check_told_to_wait(answer):
    """The client has too much under way, and is told when to come again."""
    refuses(answer, 429)
    same(answer.json()["error"]["code"], "too_many")
    seconds = answer.headers.get("Retry-After", "")
    check(seconds.isdigit() and 0 < int(seconds) <= 3600, "Retry-After:", seconds)


def check_served_soon(server, address):
    """Another client's game against a quick computer goes on while others wait."""
    browser, random = Browser(server, address), Random(3)
    for name, player in (("valley", "random"), ("race", "random"), ("yut", "greedy")):
        begin = time.monotonic()
        game = browser.step(browser.create(name, [HERE, computer(player)]), random)
        game = browser.settled(game)
        took = time.monotonic() - begin
        check(took < OTHERS_S, name, "against", player, "took", took, "s")


# --- one client asks for too much ---

def test_too_many_moves():
    """A client may have 64 moves of computers under way. One too many is refused and not played;
    another client does not notice, nor do people who play each other."""
    count = 90 if QUICK else 300 if SLOW else 100
    with busy_server() as server:
        one = Browser(server, "127.0.0.2")
        games = [one.create("valley", [HERE, computer("alphabeta:1s")], position=FAR.format(9))
                 for _ in range(count)]
        people = one.create("valley", [HERE, HERE], position=FAR.format(9))
        played = [[] for _ in range(4)]

        def play(part):
            for game in games[part::4]:
                answer = one.post(f"/api/games/{game['id']}/moves",
                                  {"number": 0, "move": FAR_MOVE})
                played[part].append((game, answer))
        crowd = Crowd([lambda part=part: play(part) for part in range(4)])
        crowd.wait()
        one.good(one.post(f"/api/games/{people['id']}/moves", {"number": 0, "move": FAR_MOVE}))
        check_served_soon(server, "127.0.0.3")
        accepted = done = 0
        for game, answer in sum(played, []):
            number = one.good(one.get(f"/api/games/{game['id']}"))["number"]
            if answer.status == 200:
                accepted += 1
                done += number > 1
            else:
                check_told_to_wait(answer)
                same([number], [0])
        # Those of the four threads that are stored at the same moment do not count yet.
        check(MOVES_MAX <= accepted <= MOVES_MAX + done + 4, accepted, "of", count,
              "were accepted, and", done, "are done")


def test_too_many_requests():
    """A client may have 8 requests under way, and so may another."""
    with busy_server("--threads", "1") as server:
        for address in ("127.0.0.2", "127.0.0.3"):
            crowd = Crowd(evals(server, address, REQUESTS_MAX + 4))
            for _, answer in crowd.wait(4)[:4]:
                check_told_to_wait(answer)
            wait_for_searches(server, REQUESTS_MAX)


# --- turns ---

def test_clients_take_turns():
    """Whoever comes later with one request does not wait for all those of somebody else."""
    with busy_server("--threads", "1") as server:
        many = Crowd([lambda ply=ply: Browser(server, "127.0.0.2").get(
            "/api/eval", game="valley", position=FAR.format(2 * ply + 9))
            for ply in range(REQUESTS_MAX)])
        wait_for_searches(server, REQUESTS_MAX)
        one = Browser(server, "127.0.0.3")
        same(one.get("/api/eval", game="valley", position=FAR.format(99)).status, 200)
        check(len(many.answers) <= 3, len(many.answers), "requests of another client came first")


def test_short_work_comes_first():
    """Quick computers and known values do not wait for values that take long."""
    with busy_server("--threads", "1") as server:
        one = Browser(server, "127.0.0.3")
        for _ in range(2):
            one.good(one.get("/api/eval", game="race", position="5 10 0"))
        crowds = [Crowd(evals(server, address, REQUESTS_MAX))
                  for address in ("127.0.0.2", "127.0.0.4")]
        wait_for_searches(server, 2)
        check_served_soon(server, "127.0.0.3")
        before = sum(len(crowd.answers) for crowd in crowds)
        for square in range(20):
            one.good(one.get("/api/eval", game="race", position=f"{square} 3 0"))
        came_first = sum(len(crowd.answers) for crowd in crowds) - before
        check(came_first < REQUESTS_MAX // 2, came_first, "values that take long came first")


def test_quick_work_does_not_wait_for_memory():
    """While one value has all the memory of solvers, and more of its kind wait, others are served."""
    with busy_server("--threads", "1") as server:
        one = Browser(server, "127.0.0.3")
        known = lambda: one.good(one.get("/api/eval", game="race", position="5 10 0", rules=rules))
        for number in range(3):
            rules = " " * number  # not from the cache
            known()
        # The solver of four players needs more than its share.
        crowd = Crowd([lambda rules=f"--players 4 --pieces 1{' ' * number}": Browser(
            server, "127.0.0.2").get("/api/eval", game="yut", rules=rules)
                       for number in range(REQUESTS_MAX)])
        wait_for_searches(server, REQUESTS_MAX)
        for number in range(3, 8):
            rules = " " * number
            known()
            same(one.get("/api/health").status, 200)
        game = one.create("valley", [HERE, computer("random")])
        one.settled(one.step(game, Random(3)))
        check(len(crowd.answers) < REQUESTS_MAX // 2, len(crowd.answers), "values came first")


if __name__ == "__main__":
    sys.exit(run_tests("web_queue.py", dict(globals()), sys.argv[2:]))
