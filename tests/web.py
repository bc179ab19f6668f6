#!/usr/bin/env python3
"""The HTTP API of `malpan serve`, tested against the real server.

usage: tests/web.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import contextlib
import hashlib
import http.client
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from random import Random
from urllib.parse import quote, urlencode

from driving import ENVIRONMENT, check, run, run_tests, same

MALPAN = os.path.join(os.path.abspath(sys.argv[1]), "malpan")
TABLES = tempfile.TemporaryDirectory()
ENVIRONMENT["MALPAN_TABLES"] = TABLES.name
QUICK, SLOW = "QUICK" in os.environ, "SLOW" in os.environ
PATIENCE = 60
GAMES = ("yut", "race", "box", "dice", "valley")


class Server:
    """A server process on a free port."""

    def __init__(self, data, *options, **more):
        self.data, self.more = data, more
        self.command = [MALPAN, "serve", "--port", "0", "--data", data, "--threads", "2", *options]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=ENVIRONMENT, **self.more)
        line = self.process.stdout.readline().decode()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\n", line)
        check(found, "no address:", line, self.process.stderr.peek()[:300] if not found else "")
        self.port = int(found.group(1))

    def stop(self, number=signal.SIGTERM):
        """Stops it; returns its exit code and standard error."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=PATIENCE)
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


class Browser:
    """An HTTP client that keeps cookies by path, as a browser does."""

    def __init__(self, server):
        self.server, self.cookies = server, {}

    def ask(self, method, path, body=None, headers=None, raw=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        sent = {"Origin": f"http://127.0.0.1:{self.server.port}"} if method == "POST" else {}
        cookies = [value for at, value in self.cookies.items() if path.startswith(at)]
        if cookies:
            sent["Cookie"] = "; ".join(cookies)
        data = raw
        if body is not None:
            data = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        sent |= headers or {}
        connection.request(method, path, data, {k: v for k, v in sent.items() if v is not None})
        reply = connection.getresponse()
        answer = Answer(reply.status, dict(reply.getheaders()), reply.read())
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


def computer(player):
    return {"kind": "computer", "player": player}


# --- without a hosted game ---

def test_page_and_headers():
    with serving() as server:
        browser = Browser(server)
        page = browser.get("/")
        check(page.status == 200 and page.headers["Content-Type"].startswith("text/html"))
        same(page.headers["X-Content-Type-Options"], "nosniff")
        policy = page.headers["Content-Security-Policy"]
        check("default-src 'none'" in policy and "unsafe" not in policy, policy)
        text, at_once = page.body.decode(), None
        fetched_at_once = set(re.findall(r'rel="modulepreload" href="/([a-z_]+\.js)"', text))
        names = {"main.js"} | set(re.findall(r'href="/([a-z_]+\.(?:css|svg))"', text))
        check({"style.css", "favicon.svg"} <= names, names)
        size = len(page.body)
        seen, later = set(), set()
        while names - seen:
            name = (names - seen).pop()
            seen.add(name)
            file = browser.get(f"/{name}")
            check(file.status == 200, name, file.status)
            size += len(file.body)
            names |= set(re.findall(r'from "\./([a-z_.]+\.js)"', file.body.decode()))
            later |= set(re.findall(r'import\("\./([a-z_.]+\.js)"\)', file.body.decode()))
            if names <= seen:  # all that the page needs at once
                at_once = at_once or set(seen)
                names |= later
            check(not re.search(rb"https?://(?!www\.w3\.org)", file.body), name, "names a host")
        same(fetched_at_once, {name for name in at_once if name.endswith(".js")} - {"main.js"})
        for game in browser.get("/api/games").json()["games"]:
            file = browser.get(f"/board_{game['board']}.js")
            check(file.status == 200, game["name"], "has no board")
            size += len(file.body)
        check(later and later <= seen, later)
        check(size < 200000, "the page has", size, "bytes")


def test_what_there_is():
    with serving() as server:
        browser = Browser(server)
        check(browser.get("/api/health").json()["ok"])
        answer = browser.good(browser.get("/api/games"))
        same(sorted(game["name"] for game in answer["games"]), sorted(GAMES))
        for game in answer["games"]:
            check(game["title"]["ko"] and game["about"]["en"] and game["start"], game)
            same(browser.get(f"/board_{game['board']}.js").status, 200)
            for option in game["options"]:
                check(option["help"]["en"] != option["help"]["ko"], option)
        players = {player["name"]: player for player in answer["players"]}
        check("valley" in players["alphabeta"]["games"] and players["alphabeta"]["levels"])
        check("box" not in players["alphabeta"]["games"] and "you" not in players)


def test_eval_is_that_of_the_program():
    with serving() as server:
        browser = Browser(server)
        for game, rules, position in (("box", "", "13456789 1 17 12"), ("race", "", "5 10 0"),
                                      ("yut", "--pieces 1", "9/4 0 gae,yut"),
                                      ("dice", "--online", "0,0,10,25 37 4 3"),
                                      ("dice", "", "5 1 2 3 4 5 5 3 2 4"),
                                      ("valley", "", "sskss/2S2/5/5/1SKSS w 3")):
            told = json.loads(run(MALPAN, "eval", game, *rules.split(), position, "--json").out)
            # First a worker computes it, then it comes from the cache; the same rules with other
            # spaces miss the cache, but are known to be fast by then.
            for said in (rules, rules, f" {rules}", f"  {rules}")[:1 if game == "valley" else 4]:
                found = browser.good(browser.get("/api/eval", game=game, rules=said,
                                                 position=position))
                same(found["value"], told["value"])
                # How much a search proves depends on its time; what both prove must agree.
                sure = lambda moves: {m["move"]: m["value"] for m in moves if m.get("exact", True)}
                here, there = sure(found.get("moves", [])), sure(told.get("moves", []))
                both = here.keys() & there.keys()
                check(len(both) >= len(there) - 3 and {m: here[m] for m in both} ==
                      {m: there[m] for m in both}, here, there)
                same(found["exact"], told["exact"])
        chances = browser.good(browser.get("/api/eval", game="race", position="0 0 0"))["throws"]
        check(abs(sum(t["chance"] * t["value"] for t in chances) - 0.570139) < 1e-6, chances)


def test_eval_and_the_page_have_one_encoding():
    """Every field of `malpan eval --json` is in the server's answer, with the same value."""
    def compare(told, found, where):
        if isinstance(told, dict):
            check(told.keys() <= found.keys(), where, "lacks", told.keys() - found.keys())
            for key in told:
                compare(told[key], found[key], f"{where}.{key}")
        elif isinstance(told, list):
            check(len(told) == len(found), where, len(told), len(found))
            for number, (one, other) in enumerate(zip(told, found)):
                compare(one, other, f"{where}[{number}]")
        else:
            check(told == found, where, told, found)

    with serving() as server:
        browser = Browser(server)
        seen = set()
        for game, rules, position in (("box", "", "13456789 1 17 12"),
                                      ("box", "--players 3 --tiles 6", "12346 0 - -"),
                                      ("race", "", "5 10 0"),
                                      ("yut", "--pieces 1", "9/4 0 gae,yut"),
                                      ("dice", "--online", "0,0,10,25 37 4 3"),
                                      ("dice", "", "0,0,10,25 37 4,3"),
                                      ("valley", "", "2k2/2S2/5/s4/2K2 w 1")):
            told = json.loads(run(MALPAN, "eval", game, *rules.split(), position, "--json",
                                  "--throws", "--time", "2s").out)
            found = browser.good(browser.get("/api/eval", game=game, rules=rules,
                                             position=position))
            for one in (told, found):
                one.pop("note", None)  # how long a search took
            compare(told, found, game)
            for key in ("moves", "throws"):
                for step in found.get(key, []):
                    check(step["told"]["ko"] and step["after"], step)
                    seen |= {f"{key}.{name}" for name in step}
            seen |= told.keys()
            # What the server adds to it is no part of the encoding.
            more = found.keys() - told.keys()
            check(more <= {"rules_text", "players", "actor", "result", "text"}, more)
        check({"game", "rules", "position", "player", "value", "values", "exact", "error_bound",
               "method", "meaning", "counted", "lower_is_better", "outcome", "plies", "fraction",
               "best_line", "best_lines", "moves.value", "moves.loss", "moves.exact",
               "moves.outcome", "moves.plies", "throws.chance", "throws.value"} <= seen, seen)


def test_outcomes_are_data():
    with serving() as server:
        browser = Browser(server)
        found = browser.good(browser.get("/api/eval", game="valley",
                                         position="sskss/2S2/5/5/1SKSS w 3"))
        same((found["outcome"], found["plies"]), ("win", 1))
        for move in found["moves"]:
            if move["exact"]:
                check(move["outcome"] in ("win", "loss", "endless"), move)
                check((move["outcome"] == "endless") != ("plies" in move), move)
            else:
                check("outcome" not in move and "plies" not in move, move)


def test_rules_and_position_are_resolved_together():
    with serving() as server:
        browser = Browser(server)
        found = browser.good(browser.get("/api/position", game="yut", rules="--back-do off",
                                         position="0,5/0,7 1 gae"))
        same((found["rules"]["pieces"], found["rules"]["back-do"], found["player"]), (2, "off", 1))
        check({m["move"] for m in found["moves"]} == {"0:gae", "7:gae"}, found["moves"])
        found = browser.good(browser.get("/api/position", game="yut", rules="--preset plain",
                                         position="0,5/0,7 1 gae"))
        same(found["rules"]["pieces"], 2)
        # The text of the rules leads to the same rules.
        again = browser.good(browser.get("/api/position", game="yut", rules=found["rules_text"],
                                         position=found["position"]))
        same(again, found)
        game = browser.create("yut", [HERE, HERE], "--back-do off", position="0,5/0,7 1 gae")
        same((game["rules"]["pieces"], game["now"]["player"]), (2, 1))
        refuses(browser.get("/api/position", game="yut", rules="--pieces 3",
                            position="0,5/0,7 1 gae"), 400)


def test_shared_modules_know_no_game():
    """The page learns about a game from the server: only board modules and what they draw with may
    name one."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "web")
    shared = [name for name in os.listdir(folder)
              if name.endswith((".js", ".html")) and not name.startswith(("board_", "draw_"))]
    check(len(shared) > 10, shared)
    for name in shared:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                found = re.search(r"\b(%s)\b" % "|".join(GAMES), line)
                check(not found, f"web/{name}:{number} names a game:", line.strip())


def test_positions():
    with serving() as server:
        browser = Browser(server)
        found = browser.good(browser.get("/api/position", game="yut", rules="--pieces 2"))
        check(found["actor"] == "chance" and found["players"] == 2)
        found = browser.good(browser.get("/api/position", game="yut", position="0,9/0,0 0 mo"))
        move = next(m for m in found["moves"] if m["move"].startswith("9:"))
        same(move["trace"], ["9", "10", "11", "12", "13", "14"])
        after = browser.good(browser.get("/api/position", game="yut", position="0,9/0,0 0 mo",
                                         move=move["move"]))
        same(after["position"], move["after"])
        move = browser.good(browser.get("/api/position", game="valley"))["moves"][0]
        check(move["trace"][0] + move["trace"][-1] == move["move"], move)
        end = browser.good(browser.get("/api/position", game="race", position="50 3 0"))
        check(end["actor"] == "end" and end["result"] == [1, 0] and end["told"]["ko"], end)


def test_refusals():
    with serving() as server:
        browser = Browser(server)
        refuses(browser.get("/api/eval"), 400, "game")
        refuses(browser.get("/api/eval", game="chess"), 400, "chess")
        refuses(browser.get("/api/eval", game="box", position="x"), 400)
        refuses(browser.get("/api/eval", game="box", rules="--tiles 99"), 400, "tiles")
        refuses(browser.get("/nothing"), 404)
        refuses(browser.get("/api/games/" + "A" * 22), 404, "no such game")
        refuses(browser.get("/../etc/passwd"), 404)
        refuses(browser.post("/api/health", {}), 405, "this path only accepts GET")
        refuses(browser.ask("DELETE", "/api/games"), 405, "this path only accepts GET and POST")
        refuses(browser.ask("POST", "/api/games", raw=b"{}"), 415)
        json_type = {"Content-Type": "application/json"}
        refuses(browser.ask("POST", "/api/games", raw=b"{", headers=json_type), 400, "JSON")
        refuses(browser.ask("POST", "/api/games", raw=b"[]", headers=json_type), 400, "JSON")
        refuses(browser.ask("POST", "/api/games", raw=b'{"game":"\xff"}', headers=json_type), 400)
        refuses(browser.ask("POST", "/api/games", raw=b"x" * 70000, headers=json_type), 413)
        for body in ({}, {"game": "yut"}, {"game": "yut", "seats": [HERE]},
                     {"game": "yut", "seats": [HERE, {"kind": "x"}]},
                     {"game": "yut", "seats": [HERE, computer("you")]},
                     {"game": "yut", "seats": [HERE, computer("alphabeta:60s")]},
                     {"game": "valley", "seats": [HERE, computer("alphabeta:99")]},
                     {"game": "box", "seats": [HERE, computer("alphabeta")]},
                     {"game": 5, "seats": 7}, {"game": "yut", "seats": [1, None]}):
            refuses(browser.post("/api/games", body), 400)


def test_only_from_here():
    with serving() as server:
        browser = Browser(server)
        body = {"game": "race", "seats": [HERE, HERE]}
        for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"},
                        {"Origin": f"https://127.0.0.1:{server.port}"},
                        {"Origin": f"http://localhost:{server.port}"},
                        {"Origin": None, "Sec-Fetch-Site": "cross-site"},
                        {"Host": f"evil.example:{server.port}"}, {"Host": "127.0.0.1:1"}):
            refuses(browser.post("/api/games", body, headers=headers), 403)
        refuses(browser.ask("GET", "/api/games", headers={"Host": "evil.example"}), 403)
        check(browser.post("/api/games", body, headers={"Origin": None}).status == 201)
        same(browser.get("/api/health").json()["games"], 1)


def test_another_address():
    """Behind a TLS-terminating proxy, its origin is accepted and no other."""
    with serving("--origin", "https://games.example") as server:
        browser = Browser(server)
        body = {"game": "race", "seats": [HERE, HERE]}
        front = {"Host": "games.example", "Origin": "https://games.example"}
        answer = browser.post("/api/games", body, headers=front)
        check(answer.status == 201 and answer.headers["Set-Cookie"].endswith("; Secure"), answer)
        check(browser.ask("GET", "/", headers={"Host": "Games.Example"}).status == 200)
        answer = browser.post("/api/games", body)
        check(answer.status == 201 and "Secure" not in answer.headers["Set-Cookie"], answer)
        for wrong in ({"Origin": "http://games.example"}, {"Origin": "https://evil.example"},
                      {"Origin": f"http://127.0.0.1:{server.port}"}, {"Host": "evil.example"},
                      {"Host": f"127.0.0.1:{server.port}"}, {"Host": "games.example:1"}):
            refuses(browser.post("/api/games", body, headers=front | wrong), 403)
    for wrong in ("games.example", "https://", "https://games.example/", "ftp://games.example"):
        done = run(MALPAN, "serve", "--port", "0", "--origin", wrong)
        check(done.code == 2 and b"--origin" in done.err, done.err)


# --- games ---

MASK = (1 << 64) - 1


def random_below(seed, stream, bound):
    """An independent implementation of the random numbers."""
    def mix(state):
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
        return state, z ^ z >> 31
    state = mix(stream)[1] ^ seed
    words = []
    for _ in range(4):
        state, word = mix(state)
        words.append(word)
    turn = lambda x, bits: (x << bits | x >> (64 - bits)) & MASK
    while True:
        result = turn(words[1] * 5 & MASK, 7) * 9 & MASK
        shifted = words[1] << 17 & MASK
        words[2] ^= words[0]
        words[3] ^= words[1]
        words[1] ^= words[2]
        words[0] ^= words[3]
        words[2] ^= shifted
        words[3] = turn(words[3], 45)
        if result >= (1 << 64) % bound:
            return result % bound


def check_fair(game):
    """Checks that the seed matches the commitment, and every throw the seed."""
    seed = game["seed"]
    same(hashlib.sha256(f"{seed['salt']}:{seed['seed']}".encode()).hexdigest(), game["commitment"])
    for number, step in enumerate(game["steps"]):
        if step["actor"] != "chance" or number < seed["given"]:
            continue
        x = random_below(int(seed["seed"]), number, int(step["whole"]))
        for move, weight in step["weights"]:
            x -= int(weight)
            if x < 0:
                break
        same(step["move"], move)


def check_review(browser, game):
    review = browser.good(browser.get(f"/api/games/{game['id']}/review"))
    same(len(review["steps"]), game["number"])
    if game["game"] == "valley":
        return
    for seat, player in enumerate(review["players"]):
        same(player["result"], game["now"]["result"][seat])
        total = player["luck"] + player["skill"] + player["others"]
        check(abs(total - (player["result"] - player["start"])) < 1e-9, player)
    if review["exact"]:
        check(all(step["loss"] >= -1e-12 for step in review["steps"] if "loss" in step))
    losses = [review["steps"][i]["loss"] for i in review["worst"]]
    same(losses, sorted(losses, reverse=True))


def play_out(browser, game, random):
    check(game["seed"] is None)
    while not game["over"]:
        game = browser.settled(browser.step(game, random))
    same(game["waits"], None)
    return game


def test_every_game_to_its_end():
    random = Random(1)
    with serving("--rate", "0") as server:
        browser = Browser(server)
        plans = [("yut", "--pieces 1", [HERE, computer("random")]),
                 ("yut", "--players 3 --pieces 2", [HERE, HERE, computer("greedy")]),
                 ("race", "", [HERE, HERE]), ("box", "", [HERE, computer("perfect")]),
                 ("dice", "--online", [HERE]), ("dice", "", [HERE]),
                 ("valley", "", [HERE, computer("alphabeta:4")])]
        for name, rules, seats in plans:
            game = play_out(browser, browser.settled(browser.create(name, seats, rules)), random)
            check(game["now"]["actor"] == "end" and game["now"]["result"], game["now"])
            check_fair(game)
            check_review(browser, game)
            record = browser.get(f"/api/games/{game['id']}/record").body.decode()
            check(f"seed {game['seed']['seed']}\n" in record, record)
            again = browser.good(browser.post("/api/import", {"record": record}), 201)
            same([s["move"] for s in again["steps"]], [s["move"] for s in game["steps"]])
            check(again["over"] and again["id"] != game["id"])


def test_computers_alone():
    with serving() as server:
        browser = Browser(server)
        game = browser.create("box", [computer("random"), computer("perfect")])
        game = browser.settled(game)
        check(game["over"] and game["you"] == [] and game["number"] > 3, game["number"])
        check_fair(game)


def test_the_seed_stays_secret():
    with serving() as server:
        browser = Browser(server)
        game = browser.create("race", [HERE, HERE])
        seen = b""
        listener = Listener(server, f"/api/games/{game['id']}/events")
        for _ in range(3):
            game = browser.step(game, Random(1))
            for path in ("", "/record", "/review?so-far=1"):
                answer = browser.get(f"/api/games/{game['id']}{path}")
                same(answer.status, 200)
                seen += answer.body
        listener.wait(3)
        seen += json.dumps(listener.events).encode()
        listener.close()
        secret = play_out(browser, game, Random(1))["seed"]
        check(secret["seed"].encode() not in seen and secret["salt"].encode() not in seen)
        game = browser.step(browser.create("race", [HERE, HERE]), Random(1))
        record = browser.get(f"/api/games/{game['id']}/record").body.decode()
        check("seed 0\n" in record, record)
        refuses(browser.get(f"/api/games/{game['id']}/review"), 409, "so-far")
        # An imported game continues with other throws, and says which ones it drew itself.
        again = browser.good(browser.post("/api/import", {"record": record}), 201)
        check(again["commitment"] != game["commitment"])
        check_fair(play_out(browser, again, Random(2)))


def test_seats_and_links():
    random = Random(3)
    with serving() as server:
        owner, guest, watcher = Browser(server), Browser(server), Browser(server)
        game = owner.create("valley", [HERE, LINK])
        check(len(game["links"]) == 1 and game["you"] == [0])
        path = f"/api/games/{game['id']}"
        token = game["links"][0]["token"]
        same(guest.good(guest.get(path))["you"], [])
        for wrong in ("A" * 22, "", "x", 5, None, token[:-1] + ("A" if token[-1] != "A" else "B")):
            refuses(guest.post(f"{path}/join", {"token": wrong}), 403)
        same(guest.good(guest.post(f"{path}/join", {"token": token}))["you"], [1])
        same(guest.good(guest.get(path))["you"], [1])
        move = {"number": 0, "move": game["now"]["moves"][0]["move"]}
        refuses(watcher.post(f"{path}/moves", move), 403, "not your seat")
        same(watcher.post(f"{path}/moves", move).json()["error"]["message_ko"],
             "당신의 자리가 아닙니다")
        refuses(guest.post(f"{path}/moves", move), 403, "not your turn")
        game = owner.good(owner.post(f"{path}/moves", move))
        refuses(owner.post(f"{path}/moves", {"number": 1, "move": "a1a1"}), 403)
        refuses(guest.post(f"{path}/moves", {"number": 1, "move": "a1a9"}), 400)
        refuses(guest.post(f"{path}/moves", {"number": 1, "throw": True}), 400, "nothing to throw")
        game = guest.step(game | {"id": game["id"]}, random)
        same(game["number"], 2)
        # One browser may hold both seats.
        owner.good(owner.post(f"{path}/join", {"token": token}))
        same(owner.good(owner.get(path))["you"], [0, 1])


def test_one_game_a_key():
    with serving() as server:
        first, second = Browser(server), Browser(server)
        body = {"game": "valley", "seats": [HERE, LINK], "key": "AbCdEf_-0123456789abcd"}
        game = first.good(first.post("/api/games", body), 201)
        same(second.good(second.post("/api/games", body), 201), game)
        same(second.cookies, first.cookies)
        same(first.get("/api/health").json()["games"], 1)
        check(first.step(game, Random(1))["number"] == 1)
        same(second.good(second.post("/api/games", body), 201)["number"], 1)
        for key in ("short", 5, "=" * 22):
            refuses(first.post("/api/games", body | {"key": key}), 400, "key")
        # After a failure the key can be used again.
        other = {"key": "Z" * 22, "record": "nonsense"}
        refuses(first.post("/api/import", other), 400)
        record = first.get(f"/api/games/{game['id']}/record").body.decode()
        made = first.good(first.post("/api/import", other | {"record": record}), 201)
        same(second.good(second.post("/api/import", other | {"record": record}), 201), made)


def test_repeated_requests():
    with serving() as server:
        browser = Browser(server)
        game = browser.create("box", [HERE, HERE])
        path = f"/api/games/{game['id']}/moves"
        first = browser.good(browser.post(path, {"number": 0, "throw": True}))
        same(browser.good(browser.post(path, {"number": 0, "throw": True}))["steps"],
             first["steps"])
        moves = [m["move"] for m in first["now"]["moves"]]
        second = browser.good(browser.post(path, {"number": 1, "move": moves[0]}))
        same(browser.good(browser.post(path, {"number": 1, "move": moves[0]}))["version"],
             second["version"])
        if len(moves) > 1:
            refuses(browser.post(path, {"number": 1, "move": moves[1]}), 409)
        refuses(browser.post(path, {"number": 7, "throw": True}), 409)
        refuses(browser.post(path, {"number": -1, "throw": True}), 400)
        refuses(browser.post(path, {"number": 2}), 400)
        refuses(browser.post(path, {"number": 2, "throw": True, "move": "1"}), 400)


def test_undo():
    random = Random(4)
    with serving() as server:
        owner, guest = Browser(server), Browser(server)
        # All people sit at this browser: throws can be taken back, too.
        game = owner.create("race", [HERE, HERE])
        undo = lambda browser, game, **more: browser.post(f"/api/games/{game['id']}/undo",
                                                          {"number": game["number"]} | more)
        refuses(undo(owner, game), 400, "nothing")
        game = owner.create("yut", [HERE, computer("random")], "--pieces 4")
        game = owner.settled(owner.step(game, random))
        while game["waits"]["for"] != "move":
            game = owner.settled(owner.step(game, random))
        before = game["number"]
        game = owner.settled(owner.step(game, random))
        game = owner.good(undo(owner, game))
        same(game["number"], before)
        # Two people and a throw in between: both have to agree.
        game = owner.create("yut", [HERE, LINK], "--pieces 4")
        token = game["links"][0]["token"]
        guest.good(guest.post(f"/api/games/{game['id']}/join", {"token": token}))
        while game["waits"] != {"seat": 1, "for": "move"}:
            game = (owner if game["waits"]["seat"] == 0 else guest).step(game, random)
        number = game["number"]
        game = owner.good(undo(owner, game))
        check(game["number"] == number and game["undo"]["asked"] == [0], game["undo"])
        game = owner.good(undo(owner, game, withdraw=True))
        same(game["undo"]["asked"], [])
        owner.good(undo(owner, game))
        game = guest.good(undo(guest, game))
        check(game["number"] < number and game["undo"]["asked"] == [] and
              game["waits"]["seat"] == 0, game["waits"])
        # The same throw comes again, so nobody gains by it.
        refuses(undo(Browser(server), game), 403)
        refuses(owner.post(f"/api/games/{game['id']}/undo", {"number": 999}), 409)


def test_undo_is_told_and_kept():
    """What is taken back at once is a change like any other; asking again is none."""
    random = Random(6)
    with serving() as server:
        owner, guest = Browser(server), Browser(server)
        game = owner.create("box", [HERE, HERE])
        path = f"/api/games/{game['id']}"
        check(not game["undo"]["possible"], "there is nothing to take back")
        while game["waits"]["for"] != "move":
            game = owner.step(game, random)
        check(not game["undo"]["possible"], "a throw alone is not taken back")
        before = game
        game = owner.step(game, random)
        check(game["undo"]["possible"], game["undo"])
        listener = Listener(server, f"{path}/events")
        listener.wait(1)
        undone = owner.good(owner.post(f"{path}/undo", {"number": game["number"]}))
        same(undone["steps"], before["steps"])
        check(undone["version"] == game["version"] + 1, undone["version"], game["version"])
        listener.wait(2)
        same(listener.events[-1]["number"], before["number"])
        listener.close()
        server.stop(signal.SIGKILL)
        server.start()
        same(owner.good(owner.get(path))["steps"], before["steps"])
        # With another person: asking once is a change, asking again is none.
        game = owner.create("yut", [HERE, LINK], "--pieces 4")
        path = f"/api/games/{game['id']}"
        guest.good(guest.post(f"{path}/join", {"token": game["links"][0]["token"]}))
        while game["waits"] != {"seat": 1, "for": "move"}:
            game = (owner if game["waits"]["seat"] == 0 else guest).step(game, random)
        for versions in (1, 0):
            asked = owner.good(owner.post(f"{path}/undo", {"number": game["number"]}))
            check(asked["version"] == game["version"] + versions, asked["version"], game["version"])
            same(asked["undo"]["asked"], [0])
            game = asked


def test_undo_by_three():
    """Those who agree go back to the move of the player who asked first."""
    with serving() as server:
        people = [Browser(server) for _ in range(3)]
        game = people[0].create("box", [HERE, LINK, LINK], "--players 3")
        path = f"/api/games/{game['id']}"
        for link in game["links"]:
            person = people[link["seat"]]
            person.good(person.post(f"{path}/join", {"token": link["token"]}))
        random, moved = Random(9), {}
        while not (game["waits"]["seat"] == 2 and game["waits"]["for"] == "move"):
            seat = game["waits"]["seat"]
            if game["waits"]["for"] == "move":
                moved[seat] = game["number"]
            game = people[seat].step(game, random)
        undo = {"number": game["number"]}
        for person in people[:2]:
            found = person.good(person.post(f"{path}/undo", undo))
            same(found["number"], game["number"])
        found = people[2].good(people[2].post(f"{path}/undo", undo))
        same(found["number"], moved[0])
        # Withdrawing nothing changes nothing.
        version = found["version"]
        for _ in range(3):
            found = people[1].good(people[1].post(f"{path}/undo", {"number": found["number"],
                                                                   "withdraw": True}))
        same(found["version"], version)


def test_no_undo_once_the_seed_is_known():
    with serving("--rate", "0") as server:
        browser = Browser(server)
        game = play_out(browser, browser.create("box", [HERE, HERE]), Random(10))
        refuses(browser.post(f"/api/games/{game['id']}/undo", {"number": game["number"]}), 409,
                "seed")
        game = play_out(browser, browser.create("valley", [HERE, HERE]), Random(10))
        check(not browser.good(browser.post(f"/api/games/{game['id']}/undo",
                                            {"number": game["number"]}))["over"])


class Listener(threading.Thread):
    """A thread that reads the events of a game until it is closed."""

    def __init__(self, server, path):
        super().__init__(daemon=True)
        self.events, self.times = [], []
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
                            .encode())
        self.start()

    def run(self):
        rest = b""
        with contextlib.suppress(OSError):
            while part := self.socket.recv(65536):
                rest += part
                for text in re.findall(rb"^data: (.*)$", rest[:rest.rfind(b"\n\n") + 1], re.M):
                    self.events.append(json.loads(text))
                    self.times.append(time.monotonic())
                rest = rest[rest.rfind(b"\n\n") + 1:]

    def wait(self, count):
        end = time.monotonic() + PATIENCE
        while len(self.events) < count:
            check(time.monotonic() < end, "events:", len(self.events), "of", count)
            time.sleep(0.002)

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.join()
        self.socket.close()


def test_events():
    random = Random(5)
    with serving("--rate", "0") as server:
        browser = Browser(server)
        game = browser.create("race", [HERE, HERE])
        listeners = [Listener(server, f"/api/games/{game['id']}/events") for _ in range(20)]
        for listener in listeners:
            listener.wait(1)
            same(listener.events[0]["from"], 0)
        same(browser.get("/api/health").json()["listeners"], 20)
        while not game["over"]:
            game = browser.step(game, random)
        for listener in listeners:
            steps = []
            listener.wait(2)
            end = time.monotonic() + PATIENCE
            while listener.events[-1]["number"] < game["number"]:
                check(time.monotonic() < end, "not all events came")
                time.sleep(0.002)
            for event in listener.events:
                steps[event["from"]:] = event["steps"]
            same([s["move"] for s in steps], [s["move"] for s in game["steps"]])
            check(listener.events[-1]["over"] and listener.events[-1]["seed"])
        late = Listener(server, f"/api/games/{game['id']}/events?since={game['version'] - 1}")
        late.wait(1)
        same(len(late.events[0]["steps"]), 1)
        for listener in listeners + [late]:
            listener.close()
        refuses(browser.get(f"/api/games/{'B' * 22}/events"), 404)


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


def test_a_computer_that_cannot_go_on_says_why():
    """Such as when its table is damaged; with a sound one the game goes on."""
    solved = run(MALPAN, "solve", "valley", "--soldiers", "1")
    check(solved.code == 0, solved.err)
    table = os.path.join(TABLES.name, "valley-soldiers-1.table")
    with open(table, "rb") as file:
        sound = file.read()
    with serving() as server:
        browser = Browser(server)
        game = browser.settled(browser.create("valley", [HERE, computer("perfect")],
                                              "--soldiers 1"))
        path = f"/api/games/{game['id']}"
        same(game["trouble"], None)
        same(server.stop(), (0, b""))
        with open(table, "wb") as file:
            file.write(sound[:40] + bytes(len(sound) - 40))
        server.start()
        random = Random(3)
        listener = Listener(server, f"{path}/events")
        listener.wait(1)
        while not listener.events[-1]["trouble"]:
            count, now = len(listener.events), listener.events[-1]
            if now["waits"]:
                browser.step(game | now, random)
            listener.wait(count + 1)
        check("damaged" in listener.events[-1]["trouble"], listener.events[-1]["trouble"])
        found = browser.good(browser.get(path))
        same((found["trouble"], found["waits"]), (listener.events[-1]["trouble"], None))
        listener.close()
        same(server.stop(), (0, b""))
        with open(table, "wb") as file:
            file.write(sound)
        server.start()
        game = browser.settled(browser.good(browser.get(path)))
        check(game["waits"] and game["trouble"] is None and game["number"] >= found["number"], game)


def test_little_memory_does_not_stop_a_computer():
    """With too little memory for a whole turn it searches less deeply, to the end of the game."""
    pieces = "1" if QUICK else "2"
    solved = run(MALPAN, "solve", "yut", "--pieces", pieces)
    check(solved.code == 0, solved.err)
    with serving("--memory", "16K") as server:
        browser, random = Browser(server), Random(3)
        game = browser.create("yut", [HERE, computer("perfect")], f"--pieces {pieces}")
        game = play_out(browser, game, random)
        check(game["over"] and game["trouble"] is None, game)


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


# --- overload and abuse ---

def test_too_many_changes():
    with serving("--rate", "2") as server:
        browser = Browser(server)
        body = {"game": "race", "seats": [HERE, HERE]}
        codes = [browser.post("/api/games", body).status for _ in range(40)]
        check(codes[:20] == [201] * 20 and 429 in codes and codes.count(429) > 10, codes)
        same(browser.get("/api/health").status, 200)


def test_too_many_questions():
    with serving("--rate", "1") as server:
        line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        for asked in range(20000):  # a thousand at once, then a hundred a second
            line.request("GET", "/api/health")
            reply = line.getresponse()
            reply.read()
            if reply.status != 200:
                break
        line.close()
        check(reply.status == 429 and asked >= 1000, asked, reply.status)


def test_too_many_searches():
    with serving() as server:
        far = quote("1S1sS/1s1s1/5/k3K/1sS1S w 9")
        codes = []

        def search():
            codes.append(Browser(server).get(f"/api/eval?game=valley&position={far}").status)
        threads = [threading.Thread(target=search) for _ in range(14)]
        for thread in threads:
            thread.start()
        time.sleep(0.2)
        start = time.monotonic()
        same(Browser(server).get("/api/health").status, 200)
        check(time.monotonic() - start < 1, "searches block other requests")
        for thread in threads:
            thread.join(PATIENCE)
        check(codes.count(429) >= 4 and codes.count(200) >= 8, codes)


def test_long_work_ends():
    """Work that would take for ever is refused or stopped, and does not delay the shutdown."""
    with serving("--rate", "0") as server:
        browser = Browser(server)
        head = "malpan-record 1\ngame valley\nrules --soldiers 4\nseats {}\nseed 1\nstart {}\n"
        start = "sskss/5/5/5/SSKSS w 1"
        for seats in ("minimax:64 minimax:64", "alphabeta:9h you"):
            refuses(browser.post("/api/import", {"record": head.format(seats, start)}), 400,
                    "too long")
        refuses(browser.post("/api/import", {"record": "malpan-record 1\ngame yut\nrules \n"
                                             "seats perfect you\nseed 1\nstart "
                                             "0,0,0,0/0,0,0,0 0 -\n"}), 503, "table")
        steps = "".join(f"{i % 2} {move}\n" for i, move in
                        enumerate(["a1a4", "a5d2", "a4a1", "d2a5"] * 500))
        game = browser.good(browser.post("/api/import", {
            "record": head.format("you you", start) + steps}), 201)
        threads = [threading.Thread(target=browser.get,
                                    args=(f"/api/games/{game['id']}/review?so-far=1",)),
                   threading.Thread(target=lambda: browser.get("/api/eval", game="box",
                                                               rules="--tiles 22"))]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        begin = time.monotonic()
        same(browser.get("/api/health").status, 200)
        same(server.stop(), (0, b""))
        check(time.monotonic() - begin < 10, "the end took", time.monotonic() - begin, "s")
        for thread in threads:
            thread.join(PATIENCE)


def test_large_variants_do_not_hold_up_others():
    with serving() as server:
        browser = Browser(server)
        rules = "--tiles 20 --sides 5"
        same(browser.get("/api/eval", game="box", rules=rules, position="1 1 5 -").status, 200)
        threads = [threading.Thread(target=lambda: browser.get("/api/eval", game="box",
                                                               rules=rules)) for _ in range(2)]
        for thread in threads:
            thread.start()
        time.sleep(0.1)
        begin = time.monotonic()
        same(browser.get("/api/health").status, 200)
        check(time.monotonic() - begin < 2, "a large variant blocks other requests")
        for thread in threads:
            thread.join(PATIENCE)


def test_slow_requests():
    """Many clients that send a byte now and then do not slow down others. In the end they get a
    408, or a closed connection if they have not finished the header."""
    with serving("--request-timeout", "1") as server:
        head = (f"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n").encode()
        lines = []
        for _ in range(100):
            line = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
            line.sendall(head + b"{")
            lines.append(line)
        for _ in range(50):
            line = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
            line.sendall(head[:30])
            lines.append(line)
        browser = Browser(server)
        start = time.monotonic()
        for _ in range(20):
            same(browser.get("/api/health").status, 200)
        check(time.monotonic() - start < 5, "slow clients block others")
        answers = [b""] * len(lines)
        open_lines = set(range(len(lines)))
        for line in lines:
            line.setblocking(False)
        while open_lines:
            check(time.monotonic() - start < PATIENCE, len(open_lines), "are never closed")
            time.sleep(0.1)
            for i in list(open_lines):
                with contextlib.suppress(BlockingIOError):
                    try:
                        lines[i].send(b" ")
                        part = lines[i].recv(1000)
                    except ConnectionError:
                        part = b""
                    answers[i] += part
                    if not part:
                        open_lines.remove(i)
        for line in lines:
            line.close()
        told = [answer for answer in answers[:100] if answer.startswith(b"HTTP/1.1 408 ")]
        check(len(told) > 90, "only", len(told), "of 100 got a 408")
        same(set(answers[100:]), {b""})
        head, body = told[0].split(b"\r\n\r\n")
        same(json.loads(body)["error"]["code"], "too_slow")
        check(f"Content-Length: {len(body)}".encode() in head, head)
        same(browser.get("/api/health").status, 200)


def damaged(whole, words, random):
    """A damaged request: a good one with a few bytes or words changed, or words in random order."""
    if random.random() < 0.3:
        return b"".join(random.choice(words) for _ in range(random.randint(1, 14))) + b"\r\n\r\n"
    data = bytearray(random.choice(whole))
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(data))
        how = random.randrange(4)
        if how == 0:
            data[at] = random.randrange(256)
        elif how == 1:
            del data[at:at + random.randint(1, 9)]
        elif how == 2:
            data[at:at] = random.choice(words)
        else:
            data[at:at] = random.randbytes(random.randint(1, 20))
        data = data or bytearray(b" ")
    return bytes(data)


def test_nonsense():
    """Bad requests from several threads: 500, or 100,000 in the slow tests."""
    with serving("--rate", "0") as server:
        browser = Browser(server)
        game = browser.create("box", [HERE, HERE])
        host = b"Host: 127.0.0.1:%d" % server.port
        path = f"/api/games/{game['id']}".encode()
        words = [b"GET ", b"POST ", b"/api/games", b"/api/eval?game=yut&position=", b" HTTP/1.1",
                 b"\r\n", host, b"Content-Length: 5", b"{}", b"\0", b"Cookie: malpan-seats=",
                 b"A" * 3000, b"/", path, b"/moves", b"Content-Type: application/json", b"%ff%00",
                 b"Transfer-Encoding: chunked", b'"', b"[" * 300, b"-1", b"1e999", b"\xff\xfe"]
        bodies = [(b"/api/games", b'{"game":"yut","rules":"--pieces 2","seats":[{"kind":"here"},'
                                  b'{"kind":"computer","player":"greedy"}],"position":null}'),
                  (b"/api/import", b'{"record":"malpan-record 1\\ngame box\\nrules \\nseats you '
                                   b'you\\nseed 1\\nstart 123456789 0 - -\\n"}'),
                  (path + b"/moves", b'{"number":0,"throw":true}'),
                  (path + b"/undo", b'{"number":0,"withdraw":true}'),
                  (path + b"/join", b'{"token":"AAAAAAAAAAAAAAAAAAAAAA"}')]
        whole = [b"POST %s HTTP/1.1\r\n%s\r\nContent-Type: application/json\r\nContent-Length: %d"
                 b"\r\n\r\n%s" % (at, host, len(body), body) for at, body in bodies]
        whole += [b"GET %s HTTP/1.1\r\n%s\r\nCookie: malpan-seats=AAAAAAAAAAAAAAAAAAAAAA\r\n\r\n"
                  % (at, host) for at in (
                      path, path + b"/record", path + b"/review?so-far=1",
                      b"/api/eval?game=race&position=5%2010%200", b"/api/position?game=valley&move="
                      b"a1a4", b"/api/health", b"/board.js")]

        def send(seed, count):
            random = Random(seed)
            for _ in range(count):
                with contextlib.suppress(OSError):
                    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as line:
                        line.sendall(damaged(whole, words, random))
                        line.shutdown(socket.SHUT_WR)
                        line.settimeout(0.05)
                        answered[seed] += line.recv(1000) != b""
        answered = [0] * 4
        count = 100 if QUICK else 100000 if SLOW else 500
        threads = [threading.Thread(target=send, args=(seed, count // 4)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        listen = b"GET %s/events?since=1 HTTP/1.1\r\n%s\r\n\r\n" % (path, host)
        for seed in range(30):  # few, because the server notices only later that they are gone
            with contextlib.suppress(OSError):
                with socket.create_connection(("127.0.0.1", server.port), timeout=5) as line:
                    line.sendall(damaged([listen], words, Random(seed)))
                    line.settimeout(0.05)
                    line.recv(1000)
        check(sum(answered) > count * 0.4, "only", sum(answered), "of", count, "were answered")
        random = Random(7)
        for _ in range(100):  # wrong tokens
            token = "".join(random.choices("AB-_z09.", k=random.choice([21, 22, 23, 45])))
            refuses(browser.ask("POST", f"/api/games/{game['id']}/moves",
                                {"number": 0, "throw": True},
                                {"Cookie": f"malpan-seats={token}"}), 403)
        same(browser.good(browser.get(path.decode()))["number"], 0)


def test_many_games():
    """Hundreds of games, in the slow tests ten thousand: all are stored, and memory stays small."""
    count = 100 if QUICK else 10000 if SLOW else 700
    with serving("--rate", "0") as server:
        browser, random = Browser(server), Random(8)
        games = [browser.create("race", [HERE, HERE]) for _ in range(count)]
        for i in random.sample(range(count), 50):
            games[i] = browser.step(games[i], random)
        with open(f"/proc/{server.process.pid}/status", encoding="ascii") as file:
            megabytes = int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) / 1024
        check(megabytes < 64 or "san" in MALPAN, "memory:", megabytes, "MB")
        server.stop(signal.SIGKILL)
        server.start()
        same(browser.get("/api/health").json()["games"], count)
        for i in random.sample(range(count), 80):
            found = browser.good(browser.get(f"/api/games/{games[i]['id']}"))
            same(found["steps"], games[i]["steps"])


def test_options():
    done = run(MALPAN, "serve", "--port", "99999")
    check(done.code == 2 and b"--port" in done.err, done.err)
    done = run(MALPAN, "serve", "--bind", "nowhere", "--port", "0", "--data", TABLES.name)
    check(done.code == 2 and b"--bind" in done.err, done.err)
    done = run(MALPAN, "serve", "--data", "/proc/nothing", "--port", "0")
    check(done.code == 1 and b"/proc/nothing" in done.err, done.err)
    with serving() as server:
        with tempfile.TemporaryDirectory() as data:
            done = run(MALPAN, "serve", "--port", str(server.port), "--data", data)
            check(done.code == 1 and b"in use" in done.err, done.err)


if __name__ == "__main__":
    sys.exit(run_tests("web.py", dict(globals()), sys.argv[2:]))
