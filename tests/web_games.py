#!/usr/bin/env python3
"""Games hosted by `malpan serve`: throws, seats, repeated requests, events, computers.

usage: tests/web_games.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import hashlib
import json
import os
import sys
import time
from random import Random

from driving import check, run, run_tests, same
from serving import (HERE, LINK, MALPAN, PATIENCE, QUICK, TABLES, Browser, Listener, computer,
                     play_out, refuses, serving)


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
    every = (step.get("loss", 0) for step in review["steps"])
    same(losses, sorted((loss for loss in every if loss > 1e-9), reverse=True)[:3])


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
        for _ in range(10):  # it tries again, in vain, which is no change
            time.sleep(0.02)
            same(browser.good(browser.get(path))["version"], found["version"])
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


if __name__ == "__main__":
    sys.exit(run_tests("web_games.py", dict(globals()), sys.argv[2:]))
