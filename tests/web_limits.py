#!/usr/bin/env python3
"""Overload and abuse of `malpan serve`: limits, long work, slow clients, nonsense, many games.

usage: tests/web_limits.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import contextlib
import http.client
import json
import re
import signal
import socket
import sys
import threading
import time
from random import Random
from urllib.parse import quote

from driving import check, run_tests, same
from serving import HERE, MALPAN, PATIENCE, QUICK, SLOW, Browser, refuses, serving


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


def test_clients_are_limited_separately():
    """Whoever has used up what it may ask for does not use up what others may."""
    with serving("--rate", "2") as server:
        one, other = Browser(server, "127.0.0.2"), Browser(server, "127.0.0.3")
        body = {"game": "race", "seats": [HERE, HERE]}
        for client in (one, other):
            codes = [client.post("/api/games", body).status for _ in range(30)]
            check(codes[:20] == [201] * 20 and 429 in codes, client.address, codes)
    with serving("--rate", "0") as server:
        far, codes = "1S1sS/1s1s1/5/k3K/1sS1S w 9", []
        ask = lambda: codes.append(one.get("/api/eval", game="valley", position=far).status)
        one, other = Browser(server, "127.0.0.2"), Browser(server, "127.0.0.3")
        threads = [threading.Thread(target=ask) for _ in range(9)]
        for thread in threads:
            thread.start()
        end = time.monotonic() + PATIENCE
        while 429 not in codes:
            check(time.monotonic() < end, "one client may have any number of searches")
            time.sleep(0.01)
        same(other.get("/api/eval", game="race", position="5 10 0").status, 200)
        same(server.stop(), (0, b""))
        for thread in threads:
            thread.join(PATIENCE)


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
    with serving(peak_mb=1100) as server:  # solvers may use 1 GiB
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


if __name__ == "__main__":
    sys.exit(run_tests("web_limits.py", dict(globals()), sys.argv[2:]))
