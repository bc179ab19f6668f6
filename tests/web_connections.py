#!/usr/bin/env python3
"""Connections to `malpan serve` that are no use to anybody: half-open ones, and requests that two
servers would read differently.

usage: tests/web_connections.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import contextlib
import re
import resource
import socket
import sys
import threading
import time
from random import Random

from driving import check, run, run_tests, same
from serving import HERE, MALPAN, PATIENCE, QUICK, Browser, Listener, serving

OTHERS_S = 20 if "san" in MALPAN else 5  # how long somebody else may have to wait
HALF_OPEN_MAX, HALF_OPEN_ALL_MAX = 256, 1024  # connections of one address, and of all

# Two thousand connections, and some files.
_, MOST_FILES = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, MOST_FILES), MOST_FILES))


# --- half-open connections ---

class HalfOpen:
    """Connections from one address that never send a whole request."""

    def __init__(self, server, address, count, text=b"GET /api/health HTTP/1.1\r\n"):
        self.lines = []
        for _ in range(count):
            with contextlib.suppress(OSError):  # refused, or closed at once
                line = socket.create_connection(("127.0.0.1", server.port), timeout=OTHERS_S,
                                                source_address=(address, 0))
                self.lines.append(line)
                line.sendall(text)

    def count_open(self):
        """How many the server has not closed yet."""
        count = 0
        for line in self.lines:
            line.setblocking(False)
            try:
                line.recv(1, socket.MSG_PEEK)
            except BlockingIOError:
                count += 1
            except OSError:
                pass
        return count

    def wait_for(self, most):
        """Waits until at most so many are open."""
        end = time.monotonic() + OTHERS_S
        while (count := self.count_open()) > most:
            check(time.monotonic() < end, count, "are open, not", most)
            time.sleep(0.02)

    def close(self):
        for line in self.lines:
            line.close()


def check_served(server, address):
    """Somebody else gets in."""
    begin = time.monotonic()
    browser = Browser(server, address)
    for _ in range(5):
        same(browser.get("/api/health").status, 200)
    browser.create("race", [HERE, HERE])
    took = time.monotonic() - begin
    check(took < OTHERS_S, "it took", took, "s")


@contextlib.contextmanager
def patient_server():
    """One that closes no connection for being slow while a test runs."""
    with serving("--rate", "0", "--request-timeout", "600") as server:
        yield server


def test_half_open_connections_of_one_client():
    """The oldest are closed; the newest may finish its request."""
    with patient_server() as server:
        for text in (b"", b"GET /api/health HTTP/1.1\r\n",
                     b"POST /api/games HTTP/1.1\r\nContent-Length: 99\r\n\r\n{"):
            half = HalfOpen(server, "127.0.0.2", HALF_OPEN_MAX + 60, text)
            half.wait_for(HALF_OPEN_MAX)
            check(half.count_open() >= HALF_OPEN_MAX - 4, half.count_open(), "are left")
            check_served(server, "127.0.0.3")
            check_served(server, "127.0.0.2")
            half.close()
        half = HalfOpen(server, "127.0.0.2", HALF_OPEN_MAX + 60)
        half.wait_for(HALF_OPEN_MAX)
        last = half.lines[-1]
        last.settimeout(PATIENCE)
        last.sendall(f"Host: 127.0.0.1:{server.port}\r\n\r\n".encode())
        check(last.recv(1000).startswith(b"HTTP/1.1 200 "), "the newest was closed")
        half.close()


def test_half_open_connections_of_many_clients():
    """However many addresses have however many of them, others get in."""
    with patient_server() as server:
        crowd = [HalfOpen(server, f"127.0.0.{number}", 100 if QUICK else 500)
                 for number in range(2, 6)]
        check_served(server, "127.0.1.1")
        for half in crowd:
            half.close()
        crowd = [HalfOpen(server, f"127.0.2.{number}", HALF_OPEN_MAX)
                 for number in range(4 if QUICK else HALF_OPEN_ALL_MAX // HALF_OPEN_MAX + 4)]
        end = time.monotonic() + OTHERS_S
        while (count := sum(half.count_open() for half in crowd)) > HALF_OPEN_ALL_MAX:
            check(time.monotonic() < end, count, "are open")
            time.sleep(0.05)
        same(crowd[-1].count_open(), HALF_OPEN_MAX)
        check_served(server, "127.0.1.1")
        for half in crowd:
            half.close()


def test_others_are_not_closed():
    """Whoever listens, and whoever keeps a connection for more, is no half-open connection."""
    with patient_server() as server:
        browser = Browser(server, "127.0.0.2")
        game = browser.create("valley", [HERE, HERE])
        listeners = [Listener(server, f"/api/games/{game['id']}/events", "127.0.0.2")
                     for _ in range(HALF_OPEN_MAX + 16)]
        for listener in listeners:
            listener.wait(1)
        half = HalfOpen(server, "127.0.0.2", 2 * HALF_OPEN_MAX)
        half.wait_for(HALF_OPEN_MAX)
        browser.good(browser.post(f"/api/games/{game['id']}/moves", {"number": 0, "move": "a1a4"}))
        for listener in listeners:
            listener.wait(2)
            listener.close()
        half.close()


# --- when nearly all connections are in use ---

FILES = 400  # leave room for 272 connections, three quarters of which may be streams


@contextlib.contextmanager
def small_server():
    """One that may have few connections, and closes none for being slow while a test runs."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))
    with serving("--rate", "0", "--request-timeout", "600", preexec_fn=limit) as server:
        yield server


def test_more_connections_than_there_is_room_for():
    """They come all at once, again and again. The server does not get stuck, and others are served."""
    with small_server() as server:
        for round_ in range(3 if QUICK else 10):
            crowd, half = [], lambda number: crowd.append(
                HalfOpen(server, f"127.0.{round_}.{number}", 100, b""))
            threads = [threading.Thread(target=half, args=(number,)) for number in range(2, 8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            check_served(server, "127.0.20.1")
            for one in crowd:
                one.close()


def test_streams_leave_room_for_others():
    """However many streams some clients open, others are served, and keep theirs."""
    with small_server() as server:
        browser = Browser(server, "127.0.0.9")
        game = browser.create("valley", [HERE, HERE])
        path = f"/api/games/{game['id']}/events"
        own = [Listener(server, path, "127.0.0.9") for _ in range(20)]
        for listener in own:
            listener.wait(1)
        text = request(server, method=b"GET", path=path.encode())
        crowd = [HalfOpen(server, f"127.0.0.{number}", 130, text) for number in range(2, 5)]
        check_served(server, "127.0.0.5")
        listeners = browser.get("/api/health").json()["listeners"]
        check(150 < listeners <= 204, listeners, "streams are open")
        browser.step(game, Random(1))
        for listener in own:
            listener.wait(2)
            check(listener.is_alive(), "a stream of somebody who has few was ended")
            listener.close()
        for half in crowd:
            half.close()


def test_replies_that_nobody_reads():
    """Whoever asks for more than the system takes over, and reads nothing, gives way to others."""
    record = ("malpan-record 1\ngame valley\nrules --soldiers 4\nseats you you\nseed 1\n"
              "start sskss/5/5/5/SSKSS w 1\n" + "0 a1a4\n1 a5d2\n0 a4a1\n1 d2a5\n" * 1250)
    with small_server() as server:
        browser = Browser(server, "127.0.0.9")
        game = browser.good(browser.post("/api/import", {"record": record}), 201)
        lines = []
        for number in range(FILES):
            line = socket.socket()
            lines.append(line)
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
            line.settimeout(OTHERS_S)
            line.bind((f"127.0.0.{2 + number % 3}", 0))
            with contextlib.suppress(OSError):
                line.connect(("127.0.0.1", server.port))
                line.sendall(request(server, method=b"GET",
                                     path=b"/api/games/%s/record" % game["id"].encode()) * 9)
        check_served(server, "127.0.0.5")
        for line in lines:
            line.close()


# --- who a client is ---

def test_the_client_behind_a_proxy():
    """It is the last entry of the header that the proxy writes; what comes before it is hearsay."""
    origin = {"Host": "games.example", "Origin": "https://games.example"}
    body = {"game": "race", "seats": [HERE, HERE]}
    with serving("--rate", "2", "--origin", "https://games.example", "--client-header",
                 "X-Forwarded-For") as server:
        browser = Browser(server)
        ask = lambda header: browser.post("/api/games", body, headers=origin | header).status

        def exhaust(name, *forms):
            codes = [ask({name: forms[number % len(forms)]}) for number in range(40)]
            check(codes[:20] == [201] * 20 and codes.count(429) > 10, forms, codes)
        exhaust("X-Forwarded-For", "192.0.2.1", "192.0.2.7, 192.0.2.1", "192.0.2.8,192.0.2.1 ",
                "192.0.2.1, 192.0.2.8, 192.0.2.1")
        exhaust("x-forwarded-for", "192.0.2.2", "192.0.2.1, 192.0.2.2")
        exhaust("X-Forwarded-For", "2001:db8::1", "192.0.2.1, 2001:db8::1")
        codes = [ask({"X-Forwarded-For": "192.0.2.3, 192.0.2.1"}) for _ in range(30)]
        check(429 in codes, codes)
        check(ask({"X-Forwarded-For": "192.0.2.1, 192.0.2.3"}) == 201)
        # Rubbish is not a client of its own each time.
        codes = [ask({"X-Forwarded-For": f"192.0.2.3, rubbish {number}"}) for number in range(60)]
        check(429 in codes, codes)
    # Without the option, the header means nothing.
    with serving("--rate", "2", "--origin", "https://games.example") as server:
        browser = Browser(server)
        codes = [browser.post("/api/games", body, headers=origin | {
            "X-Forwarded-For": f"192.0.2.{number}"}).status for number in range(40)]
        check(codes.count(429) > 10, codes)
    done = run(MALPAN, "serve", "--port", "0", "--client-header", "X-Forwarded-For")
    check(done.code == 2 and b"--origin" in done.err and done.err.count(b"\n") == 1, done.err)
    for wrong in ("", "X Forwarded", "X:"):
        done = run(MALPAN, "serve", "--port", "0", "--origin", "https://games.example",
                   f"--client-header={wrong}")
        check(done.code == 2 and b"--client-header" in done.err, wrong, done.code, done.err)


# --- requests that two servers would read differently ---

def talk(server, data):
    """Sends bytes; returns what comes until the server closes the connection."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=OTHERS_S) as line:
        answer = b""
        try:
            line.sendall(data)
            while part := line.recv(65536):
                answer += part
        except ConnectionError:
            pass
        except TimeoutError:
            check(False, "the connection stays open after", answer[:200], "to", data[:200])
    return answer


def check_rejected(server, data):
    """The answer is 400 and nothing else, and the connection is closed. libmicrohttpd repeats the
    header of errors that it finds itself."""
    answer = talk(server, data)
    check(answer.startswith(b"HTTP/1.1 400 "), answer[:200], "to", data[:300])
    same(set(re.findall(rb"HTTP/1\.1 (\d{3}) ", answer)), {b"400"})


def request(server, *headers, method=b"POST", path=b"/api/games", end=b"\r\n", body=b""):
    host = b"Host: 127.0.0.1:%d" % server.port
    lines = [b"%s %s HTTP/1.1" % (method, path), host, *headers, b"", b""]
    return end.join(lines) + body


BODY = b'{"game":"race","seats":[{"kind":"here"},{"kind":"here"}]}'
LENGTH, JSON = b"Content-Length: %d" % len(BODY), b"Content-Type: application/json"


def test_the_length_is_clear():
    """A body whose length could be read in two ways is not read at all."""
    with serving("--rate", "0") as server:
        # As it should be: the answer is a game, and the connection stays open until we close it.
        good = request(server, LENGTH, JSON, b"Connection: close", body=BODY)
        check(talk(server, good).startswith(b"HTTP/1.1 201 "))
        games = Browser(server).get("/api/health").json()["games"]
        chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)
        hidden = request(server, method=b"GET", path=b"/api/health")
        for headers, body in (([LENGTH, b"Content-Length: 5"], BODY),
                              ([b"Content-Length: 5", LENGTH], BODY),
                              ([LENGTH, LENGTH], BODY),
                              ([b"Content-Length: %d, %d" % (len(BODY), len(BODY))], BODY),
                              ([b"content-length: 0", LENGTH], BODY + hidden),
                              ([LENGTH, b"Transfer-Encoding: chunked"], chunks),
                              ([b"Transfer-Encoding: chunked", LENGTH], chunks),
                              ([b"Transfer-Encoding: chunked", b"Content-Length: 4"],
                               b"0\r\n\r\n" + hidden),
                              ([b"Content-Length: +%d" % len(BODY)], BODY),
                              ([b"Content-Length: -1"], BODY),
                              ([b"Content-Length: 0x10"], BODY),
                              ([b"Content-Length: "], BODY)):
            check_rejected(server, request(server, JSON, *headers, body=body))
        same(Browser(server).get("/api/health").json()["games"], games)


def test_the_host_is_clear():
    with serving("--rate", "0") as server:
        host = b"Host: 127.0.0.1:%d" % server.port
        for other in (host, b"Host: evil.example", b"host: evil.example", b"Host: "):
            check_rejected(server, request(server, other, method=b"GET", path=b"/api/health"))


def test_lines_are_clear():
    """Lines end with CR LF, and a header has no NUL."""
    with serving("--rate", "0") as server:
        get = {"method": b"GET", "path": b"/api/health"}
        check_rejected(server, request(server, end=b"\n", **get))
        whole = request(server, b"X-One: 1", b"X-Two: 2", **get)
        for number in range(whole.count(b"\r\n")):
            parts = whole.split(b"\r\n")
            bare = b"\r\n".join(parts[:number + 1]) + b"\n" + b"\r\n".join(parts[number + 1:])
            check_rejected(server, bare)
        for header in (b"X-One: a\0b", b"X-One: \0", b"X-\0One: a", b"\0X-One: a", b"X-One: a\0"):
            check_rejected(server, request(server, header, **get))


def test_queries_are_short():
    """A hundred arguments are enough; more are refused, and at once."""
    with serving("--rate", "0") as server:
        query = lambda count: b"/api/position?game=valley" + b"".join(
            b"&a%d=%d" % (number, number) for number in range(count - 1))
        fine = request(server, b"Connection: close", method=b"GET", path=query(100))
        check(talk(server, fine).startswith(b"HTTP/1.1 200 "))
        for count in (101, 1000):
            check_rejected(server, request(server, method=b"GET", path=query(count)))
        # As many as the header can have, from several clients: nobody waits for them.
        many = request(server, method=b"GET", path=b"/api/position?game=valley" + b"&a" * 7000)
        begin = time.monotonic()
        for _ in range(20):
            check_rejected(server, many)
        check(time.monotonic() - begin < OTHERS_S, "refusing takes long")
        # Of a request with a body, too.
        check_rejected(server, request(server, LENGTH, JSON, path=b"/api/games?a" + b"&a" * 100,
                                       body=BODY))


if __name__ == "__main__":
    sys.exit(run_tests("web_connections.py", dict(globals()), sys.argv[2:]))
