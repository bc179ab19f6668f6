#!/usr/bin/env python3
"""People at `malpan serve`: names, presence, seats that one browser takes, declining, and what other
programs ask for: HEAD, pages that do not exist, embedded boards, addresses.

usage: tests/web_people.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import http.client
import json
import signal
import sys
import time

from driving import check, run_tests, same
from serving import HERE, LINK, PATIENCE, Browser, refuses, serving

KEYS = ["AbCdEf_-0123456789abcd", "BbCdEf_-0123456789abcd"]


def make(server, **more):
    owner = Browser(server)
    game = owner.create("valley", [HERE | more, LINK])
    return owner, game, f"/api/games/{game['id']}", game["links"][0]["token"]


def test_a_link_seats_one_browser():
    with serving() as server:
        owner, game, path, token = make(server)
        guest, other = Browser(server), Browser(server)
        check(game["seats"][1]["taken"] is False, game["seats"])
        found = guest.good(guest.post(f"{path}/join", {"token": token, "key": KEYS[0]}))
        same(found["you"], [1])
        check(found["seats"][1]["taken"] is True, found["seats"])
        refuses(other.post(f"{path}/join", {"token": token, "key": KEYS[1]}), 409, "already taken")
        refuses(other.post(f"{path}/join", {"token": token}), 409, "already taken")
        same(other.good(other.get(path))["you"], [])
        # The same browser may come again, also if the answer with the cookie was lost.
        again = Browser(server)
        same(again.good(again.post(f"{path}/join", {"token": token, "key": KEYS[0]}))["you"], [1])
        same(guest.good(guest.post(f"{path}/join", {"token": token}))["you"], [1])


def test_the_first_seat_is_like_the_others():
    with serving() as server:
        owner, guest, other = Browser(server), Browser(server), Browser(server)
        game = owner.create("valley", [LINK, HERE])
        path, token = f"/api/games/{game['id']}", game["links"][0]["token"]
        found = guest.good(guest.post(f"{path}/join", {"token": token}))
        check(found["you"] == [0] and found["seats"][0]["taken"] is True, found["seats"])
        refuses(other.post(f"{path}/join", {"token": token}), 409, "already taken")


def test_taken_seats_and_names_survive_a_kill():
    with serving() as server:
        owner, game, path, token = make(server, name="Ada")
        guest, other = Browser(server), Browser(server)
        guest.good(guest.post(f"{path}/join", {"token": token, "key": KEYS[0], "name": "민수"}))
        server.stop(signal.SIGKILL)
        server.start()
        found = other.good(other.get(path))
        same([seat.get("name") for seat in found["seats"]], ["Ada", "민수"])
        refuses(other.post(f"{path}/join", {"token": token, "key": KEYS[1]}), 409)


def test_names():
    with serving() as server:
        owner, game, path, token = make(server, name="Ada")
        same(game["seats"][0]["name"], "Ada")
        version = game["version"]
        game = owner.good(owner.post(f"{path}/name", {"name": "가나다 Ω"}))
        same((game["seats"][0]["name"], game["version"]), ("가나다 Ω", version + 1))
        same(owner.good(owner.post(f"{path}/name", {"name": "가나다 Ω"}))["version"], version + 1)
        game = owner.good(owner.post(f"{path}/name", {"name": ""}))
        check("name" not in game["seats"][0], game["seats"])
        for wrong in ("x" * 25, "가" * 21 + "ab", "a\nb", " ", " a", "a ", 5, None, ["a"]):
            refuses(owner.post(f"{path}/name", {"name": wrong}), 400, "name")
            refuses(Browser(server).post("/api/games", {
                "game": "valley", "seats": [HERE | {"name": wrong}, HERE]}), 400, "name")
        refuses(Browser(server).post(f"{path}/name", {"name": "Eve"}), 403)
        for longest in ("x" * 24, "가" * 21 + "a"):  # 24 letters, 64 bytes
            game = owner.good(owner.post(f"{path}/name", {"name": longest}))
            same(game["seats"][0]["name"], longest)


def test_declining():
    with serving() as server:
        owner, game, path, token = make(server)
        guest = Browser(server)
        guest.good(guest.post(f"{path}/join", {"token": token}))
        for number, person in enumerate((owner, guest)):
            moves = person.good(person.get(path))["now"]["moves"]
            game = person.good(person.post(f"{path}/moves",
                                           {"number": number, "move": moves[0]["move"]}))
        same(owner.good(owner.post(f"{path}/undo", {"number": 2}))["undo"]["asked"], [0])
        # Who asked cannot decline; the other one can.
        game = owner.good(owner.post(f"{path}/undo", {"number": 2, "decline": True}))
        same(game["undo"]["asked"], [0])
        game = guest.good(guest.post(f"{path}/undo", {"number": 2, "decline": True}))
        same((game["undo"]["asked"], game["number"]), ([], 2))
        version = game["version"]
        game = guest.good(guest.post(f"{path}/undo", {"number": 2, "decline": True}))
        same(game["version"], version)
        refuses(Browser(server).post(f"{path}/undo", {"number": 2, "decline": True}), 403)


class Stream:
    """An event stream that also tells who is there."""

    def __init__(self, browser, path):
        self.connection = http.client.HTTPConnection("127.0.0.1", browser.server.port,
                                                     timeout=PATIENCE)
        cookies = "; ".join(browser.cookies.values())
        self.connection.request("GET", f"{path}/events?presence=1", headers={"Cookie": cookies})
        self.reply = self.connection.getresponse()

    def presence(self, wanted):
        """Reads until somebody is announced as wanted."""
        is_next = False
        for line in self.reply:
            if is_next and line.startswith(b"data: "):
                found = json.loads(line[6:])
                if found == wanted:
                    return
            is_next = line == b"event: presence\n"
        check(False, "the stream ended")

    def close(self):
        self.reply.close()
        self.connection.close()


def test_presence():
    with serving() as server:
        owner, game, path, token = make(server)
        guest = Browser(server)
        guest.good(guest.post(f"{path}/join", {"token": token}))
        first = Stream(owner, path)
        first.presence({"seats": [0], "watchers": 0})
        second, third = Stream(guest, path), Stream(Browser(server), path)
        first.presence({"seats": [0, 1], "watchers": 1})
        third.presence({"seats": [0, 1], "watchers": 1})
        second.close()
        third.close()
        # A lost connection is noticed when the next event is sent to it.
        owner.good(owner.post(f"{path}/name", {"name": "Ada"}))
        time.sleep(0.1)
        owner.good(owner.post(f"{path}/name", {"name": "Bob"}))
        first.presence({"seats": [0], "watchers": 0})
        first.close()


def test_head_wherever_get_works():
    with serving() as server:
        browser = Browser(server)
        game = browser.create("valley", [HERE, HERE])
        path = f"/api/games/{game['id']}"
        for at in ("/", "/main.js", "/embed", "/api/health", "/api/games", path, f"{path}/record",
                   "/api/position?game=valley", "/api/eval?game=race", "/metrics"):
            found = browser.ask("HEAD", at)
            same((found.status, found.body), (200, b""), at)
            same(found.headers["Content-Type"], browser.get(at).headers["Content-Type"], at)
        found = browser.ask("HEAD", f"{path}/events")
        same((found.status, found.headers["Content-Type"]), (200, "text/event-stream"))
        same(browser.get("/api/health").json()["listeners"], 0)
        same(browser.ask("HEAD", "/api/import").status, 405)
        same(browser.ask("HEAD", "/api/games/AAAAAAAAAAAAAAAAAAAAAA").status, 404)


def test_pages_that_do_not_exist():
    with serving() as server:
        browser = Browser(server)
        found = browser.ask("GET", "/nowhere", headers={"Accept": "text/html,*/*;q=0.8"})
        check(found.status == 404 and found.headers["Content-Type"].startswith("text/html"))
        check(b"no such page" in found.body and "없는 주소".encode() in found.body, found.body)
        refuses(browser.get("/nowhere"), 404)
        refuses(browser.ask("GET", "/api/nowhere", headers={"Accept": "text/html"}), 404)


def test_only_embedded_boards_may_be_framed():
    with serving() as server:
        browser = Browser(server)
        policy = browser.get("/embed").headers["Content-Security-Policy"]
        check(policy.endswith("frame-ancestors *"), policy)
        for at in ("/", "/embed.html", "/embed.js", "/api/games", "/nowhere"):
            other = browser.get(at).headers["Content-Security-Policy"]
            same(other, policy.replace("frame-ancestors *", "frame-ancestors 'none'"), at)
        same(browser.get("/manifest.webmanifest").headers["Content-Type"],
             "application/manifest+json")


def test_addresses_for_others():
    with serving() as server:
        health = Browser(server).get("/api/health").json()
        same((health["loopback"], health["addresses"]), (True, []))
    with serving("--origin", "https://games.example") as server:
        health = Browser(server).get("/api/health").json()
        same((health["loopback"], health["addresses"]), (False, ["https://games.example/"]))


if __name__ == "__main__":
    sys.exit(run_tests("web_people.py", dict(globals()), sys.argv[2:]))
