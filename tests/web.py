#!/usr/bin/env python3
"""The HTTP API of `malpan serve`, tested against the real server: what needs no hosted game.

usage: tests/web.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import contextlib
import gzip
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import tempfile

from driving import ENVIRONMENT, check, run, run_tests, same
from serving import GAMES, HERE, MALPAN, PATIENCE, TABLES, Browser, computer, refuses, serving


def test_page_and_headers():
    with serving() as server:
        browser = Browser(server)
        page = browser.get("/")
        check(page.status == 200 and page.headers["Content-Type"].startswith("text/html"))
        same(page.headers["X-Content-Type-Options"], "nosniff")
        policy = page.headers["Content-Security-Policy"]
        check("default-src 'none'" in policy and "unsafe" not in policy, policy)
        text, at_once = page.body.decode(), None
        fetched_at_once = set(re.findall(r'rel="modulepreload" href="/?([a-z_]+\.js)"', text))
        names = {"main.js"} | set(re.findall(r'href="/?([a-z_]+\.(?:css|svg))"', text))
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
        check(size < 300000, "the page has", size, "bytes")


def test_the_page_is_small():
    """All its files, also those that are loaded later: 300 kB, 100 kB as they are sent."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "web")
    with serving() as server:
        browser, plain, packed = Browser(server), 0, 0
        for name in os.listdir(folder):
            file = browser.get(f"/{name}")
            sent = browser.ask("GET", f"/{name}", headers={"Accept-Encoding": "gzip"})
            same(sent.headers["Content-Encoding"], "gzip", name)
            same(gzip.decompress(sent.body), file.body, name)
            plain, packed = plain + len(file.body), packed + len(sent.body)
        check(plain < 300000 and packed < 100000, plain, packed)


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
    """The page learns about a game from the server: only board modules, what they draw
    with, and guides may name one."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "web")
    shared = [name for name in os.listdir(folder) if name.endswith((".js", ".html"))
              and not name.startswith(("board_", "draw_", "guide_"))]
    check(len(shared) > 10, shared)
    for name in shared:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                found = re.search(r"\b(%s)\b" % "|".join(GAMES), line)
                check(not found, f"web/{name}:{number} names a game:", line.strip())


def test_house_rules_are_explained():
    """Every house rule that people play by has a title and one sentence in both languages."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "web")
    rules = {"yut": "bias catch-bonus nak nak-loses traps centre short-cut finish empty-back-do centre-stack "
                    "marked back-do back-from-1 preset teams",
             "box": "shut-wins two-to-go limit rounds", "dice": "throw-count pieces faces online",
             "valley": "soldiers start"}
    for game, names in rules.items():
        with open(os.path.join(folder, f"guide_{game}.js"), encoding="utf-8") as file:
            guide = file.read()
        for name in names.split():
            line = re.search(r'option: "%s", title: \["([^"]+)", "([^"]+)"\], about: \["([^"]+\.)", "([^"]+\.)"\]' % name,
                             guide)
            check(line, f"guide_{game}.js does not explain {name}")
            check(all(re.search("[가-힣]", line[i]) for i in (2, 4)), f"{name} has no Korean words")


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


# --- a socket that somebody else has opened, as systemd does ---

ACTIVATE = """
import os, sys
file, pid, count, *command = sys.argv[1:]
os.dup2(int(file), 3)
os.set_inheritable(3, True)
if file != "3":
    os.close(int(file))
os.environ.update(LISTEN_PID=pid or str(os.getpid()), LISTEN_FDS=count)
os.execv(command[0], command)
"""


def activate(file, data, pid, count):
    """Starts a server that is given an open file."""
    return subprocess.Popen(
        [sys.executable, "-c", ACTIVATE, str(file.fileno()), pid, count, MALPAN, "serve",
         "--port", "0", "--data", data], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=ENVIRONMENT, pass_fds=[file.fileno()])


@contextlib.contextmanager
def activated(listener, data, pid="", count="1"):
    """A server that is given the listening socket; yields the address that it announces."""
    process = activate(listener, data, pid, count)
    try:
        yield process.stdout.readline().decode()
        process.terminate()
        _, errors = process.communicate(timeout=PATIENCE)
        same((process.returncode, errors), (0, b""))
    finally:
        process.kill()
        process.communicate()


def test_socket_activation():
    """The server uses the socket, and leaves it to the next one: nobody is turned away."""
    with socket.create_server(("127.0.0.1", 0)) as listener, \
            tempfile.TemporaryDirectory() as data:
        port = listener.getsockname()[1]
        for _ in range(2):
            early = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            early.request("GET", "/api/health")  # before there is a server
            with activated(listener, data) as line:
                same(line, f"http://127.0.0.1:{port}/\n")
                same(early.getresponse().status, 200)
                early.close()


def test_no_socket_activation():
    """A socket for another process, or none, means nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener, \
            tempfile.TemporaryDirectory() as data:
        port = listener.getsockname()[1]
        for pid, count in (("1", "1"), ("", "0"), ("", ""), ("nonsense", "1")):
            with activated(listener, data, pid, count) as line:
                found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\n", line)
                check(found and int(found.group(1)) != port, pid, count, line)


def test_a_socket_that_is_none():
    """A file in its place is an error."""
    with tempfile.TemporaryDirectory() as data, open(os.devnull, "rb") as file:
        process = activate(file, data, "", "1")
        serves = process.stdout.readline() != b""
        process.terminate()
        _, errors = process.communicate(timeout=PATIENCE)
        check(not serves and process.returncode == 1 and errors.count(b"\n") == 1, errors)


if __name__ == "__main__":
    sys.exit(run_tests("web.py", dict(globals()), sys.argv[2:]))
