#!/usr/bin/env python3
"""How `malpan serve` does under load, beside what it promises.

usage: bench/web_load.py MALPAN [--slow]      --slow: a thousand stops, and a million games in the store
"""
import http.client
import json
import os
import selectors
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from server import Server, verdict

HERE = {"kind": "here"}
STOP_S = 3


class Player:
    """A client with a connection that stays open and one game of two people at one browser."""

    def __init__(self, server, number=0):
        self.line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30,
                                               source_address=(f"127.0.1.{1 + number % 250}", 0))
        self.game = self.cookie = None

    def ask(self, method, path, body=None):
        headers = {"Content-Type": "application/json"}
        if self.cookie:
            headers["Cookie"] = self.cookie
        self.line.request(method, path, json.dumps(body) if body else None, headers)
        reply = self.line.getresponse()
        answer = json.loads(reply.read())
        if cookie := reply.getheader("Set-Cookie"):
            self.cookie = cookie.split(";")[0]
        return reply.status, answer

    def create(self, game="race"):
        self.cookie = None
        status, self.game = self.ask("POST", "/api/games", {"game": game, "seats": [HERE, HERE]})
        if status != 201:
            sys.exit(f"a game was not created: {self.game}")

    def step(self):
        """Makes the next step; returns how long it took to be acknowledged."""
        body = {"number": self.game["number"]}
        if self.game["waits"]["for"] == "throw":
            body["throw"] = True
        else:
            body["move"] = self.game["now"]["moves"][0]["move"]
        start = time.monotonic()
        status, game = self.ask("POST", f"/api/games/{self.game['id']}/moves", body)
        taken = time.monotonic() - start
        if status != 200:
            sys.exit(f"a step was refused: {game}")
        self.game = game
        return taken


def play_steadily(server, number, rate, seconds, taken):
    """Makes `rate` steps a second, whatever their answers take."""
    player = Player(server, number)
    player.create()
    due = time.monotonic()
    end = due + seconds
    while due < end:
        if player.game["over"]:
            player.create()
        time.sleep(max(0, due - time.monotonic()))
        taken.append(player.step())
        due += 1 / rate


def bench_moves(malpan):
    """500 moves a second by ten clients: how long until each is acknowledged."""
    clients, rate, seconds = 10, 50, 6
    for options, name, goal in (((), "on the disk", 20), (("--relaxed",), "--relaxed", None)):
        with running(malpan, *options) as server:
            taken = []
            threads = [threading.Thread(target=play_steadily, args=(server, i, rate, seconds, taken))
                       for i in range(clients)]
            start = time.monotonic()
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            reached = len(taken) / (time.monotonic() - start)
            taken.sort()
            middle, late = (1e3 * taken[int(part * (len(taken) - 1))] for part in (0.5, 0.99))
            judged = f", goal {goal} ms: {verdict(late <= goal and reached > 450)}" if goal else ""
            print(f"{reached:,.0f} moves a second, acknowledged {name}: {middle:.1f} ms in the middle, "
                  f"99 % within {late:.1f} ms{judged}")
    print("  limit: a sync of the disk for each group of moves, and the client's own threads")


def bench_listeners(malpan):
    """A step in each of 200 games with ten listeners each: when the last of them hears of it."""
    games, each = 200, 10
    with running(malpan) as server:
        poll, rest, game_of = selectors.DefaultSelector(), {}, {}
        player_of = [Player(server, i) for i in range(games)]
        for i, player in enumerate(player_of):
            player.create("valley")
            for _ in range(each):
                line = socket.create_connection(("127.0.0.1", server.port),
                                                source_address=(f"127.0.2.{1 + i % 250}", 0))
                line.sendall(f"GET /api/games/{player.game['id']}/events HTTP/1.1\r\n"
                             f"Host: 127.0.0.1:{server.port}\r\n\r\n".encode())
                line.setblocking(False)
                poll.register(line, selectors.EVENT_READ)
                rest[line], game_of[line] = b"", i
        heard = {i: 0 for i in range(games)}  # first events
        late = []

        def read_events(wanted, until):
            """Reads until all games have been heard of by so many; notes when."""
            times = {}
            while len(times) < games and time.monotonic() < until:
                for key, _ in poll.select(0.05):
                    line = key.fileobj
                    rest[line] += line.recv(1 << 16)
                    *whole, rest[line] = rest[line].split(b"\n\n")
                    i = game_of[line]
                    heard[i] += sum(b"data: " in event for event in whole)
                    if heard[i] >= wanted and i not in times:
                        times[i] = time.monotonic()
            return times

        if len(read_events(each, time.monotonic() + 30)) < games:
            sys.exit("not all listeners were heard of")
        for number in range(2, 5):
            sent = {}
            with ThreadPoolExecutor(4) as pool:
                def step(i):
                    sent[i] = time.monotonic()
                    player_of[i].step()
                done = pool.map(step, range(games))
                times = read_events(number * each, time.monotonic() + 30)
                list(done)
            late += [times[i] - sent[i] if i in times else 99 for i in range(games)]
        late.sort()
        worst = 1e3 * late[-1]
        print(f"{games * each:,} listeners on {games} games, {len(late)} steps as fast as they are "
              f"acknowledged: all hear of a step within {1e3 * late[len(late) // 2]:.0f} ms in the "
              f"middle, {worst:.0f} ms at worst, goal 100 ms: {verdict(worst <= 100)}")
        print(f"  memory meanwhile: {server.megabytes():.0f} MB")
        for line in rest:
            line.close()


def bench_open_games(malpan):
    count, goal = 10000, 64
    with running(malpan, "--relaxed") as server:
        def create(number):
            player = Player(server, number)
            for _ in range(count // 8):
                player.create("valley")
                player.step()
        start = time.monotonic()
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(create, range(8)))
        taken = time.monotonic() - start
        size = server.megabytes()
        print(f"{count:,} open games, created with a step each at {2 * count / taken:,.0f} changes a "
              f"second (--relaxed): {size:.0f} MB, goal {goal} MB: {verdict(size <= goal)}")


def load(server, stop, number):
    """Keeps the server busy until it is gone: searches, games, listeners."""
    try:
        player = Player(server, number)
        while not stop.is_set():
            if number % 3 == 0:
                player.ask("GET", "/api/eval?game=box&rules=--tiles%2021%20--dice%204%20--sides%20"
                           f"{7 + number % 6}")
            elif number % 3 == 1:
                player.create()
                while not player.game["over"] and not stop.is_set():
                    player.step()
            else:
                player.create("valley")
                player.line.sock.sendall(f"GET /api/games/{player.game['id']}/events HTTP/1.1\r\n"
                                         f"Host: 127.0.0.1:{server.port}\r\n\r\n".encode())
                while not stop.is_set() and player.line.sock.recv(1 << 16):
                    pass
    except (OSError, http.client.HTTPException, SystemExit, ValueError):
        pass


def bench_stops(malpan, stops=30):
    slowest, most = 0, 0
    for _ in range(stops):
        with running(malpan) as server:
            stop = threading.Event()
            threads = [threading.Thread(target=load, args=(server, stop, i)) for i in range(12)]
            for thread in threads:
                thread.start()
            time.sleep(0.5)
            most = max(most, server.megabytes())
            start = time.monotonic()
            server.process.terminate()
            code = server.process.wait()
            slowest = max(slowest, time.monotonic() - start)
            stop.set()
            for thread in threads:
                thread.join()
            if code != 0:
                sys.exit(f"the server ended with {code}")
    print(f"{stops:,} stops under searches, moves and listeners: at most {slowest:.2f} s, goal {STOP_S} s: "
          f"{verdict(slowest <= STOP_S)}; memory before: at most {most:.0f} MB, goal 200 MB: "
          f"{verdict(most <= 200)}")


def fill_store(data, count):
    """Copies the only game in the store, with its steps, under other names."""
    store = sqlite3.connect(os.path.join(data, "games.sqlite"))
    columns = [row[1] for row in store.execute("PRAGMA table_info(games)")
               if row[1] not in ("game", "id")]
    names = ", ".join(columns)
    with store:
        store.execute(f"WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more "
                      f"WHERE n < {count}) INSERT INTO games (id, {names}) "
                      f"SELECT printf('%0' || length(id) || 'd', n), {names} FROM more, "
                      f"(SELECT * FROM games LIMIT 1)")
        store.execute("INSERT INTO steps SELECT games.game, number, step FROM games, "
                      "(SELECT number, step FROM steps WHERE game = (SELECT min(game) FROM games)) "
                      "WHERE games.game > (SELECT min(game) FROM games)")
    store.close()


def bench_a_million(malpan):
    """A million games of ten steps in the store: starting, opening, creating, counting, listing."""
    count = 1000000
    with tempfile.TemporaryDirectory() as data:
        server = Server(malpan, data)
        player = Player(server)
        player.create("valley")
        for _ in range(10):
            player.step()
        length = len(player.game["id"])
        stop(server)
        fill_store(data, count)
        size = os.path.getsize(os.path.join(data, "games.sqlite")) / 1e9
        start = time.monotonic()
        server = Server(malpan, data)
        started = time.monotonic() - start
        opened, created = [], []
        for i in range(2000):
            asker = Player(server, i) if i % 100 == 0 else asker
            start = time.monotonic()
            status, _ = asker.ask("GET", f"/api/games/{i * 499 + 1:0{length}d}")
            opened.append(time.monotonic() - start)
            if status != 200:
                sys.exit("a game is missing")
        for _ in range(500):
            start = time.monotonic()
            asker.create("valley")
            created.append(time.monotonic() - start)
        start = time.monotonic()
        _, health = asker.ask("GET", "/api/health")
        counted = time.monotonic() - start
        if health["games"] != count + 1 + 500:
            sys.exit(f"{health['games']} games")
        start = time.monotonic()
        lines = subprocess.run([malpan, "serve", "--data", data, "--list"], check=True,
                               stdout=subprocess.PIPE).stdout.count(b"\n")
        listed = time.monotonic() - start
        if lines != health["games"]:
            sys.exit(f"{lines} games are listed")
        print(f"a million games of ten steps ({size:.1f} GB): the server starts within {started:.2f} s; "
              f"opening one takes {1e3 * sorted(opened)[1000]:.2f} ms, creating one "
              f"{1e3 * sorted(created)[250]:.2f} ms (in the middle), counting them "
              f"{1e3 * counted:.2f} ms, listing them (--list) {listed:.1f} s; "
              f"{server.megabytes():.0f} MB of memory")
        stop(server)


def stop(server):
    server.process.send_signal(signal.SIGTERM)
    server.process.wait()


class running:
    """A server on an empty folder, for a `with` statement."""

    def __init__(self, malpan, *options):
        self.malpan, self.options = malpan, options

    def __enter__(self):
        self.data = tempfile.TemporaryDirectory()
        self.server = Server(self.malpan, self.data.name, *self.options)
        return self.server

    def __exit__(self, *_):
        if self.server.process.poll() is None:
            stop(self.server)
        self.data.cleanup()


def main():
    malpan = sys.argv[1]
    if "--slow" in sys.argv[2:]:
        bench_stops(malpan, 1000)
        bench_a_million(malpan)
        return
    for bench in (bench_moves, bench_listeners, bench_open_games, bench_stops):
        bench(malpan)


if __name__ == "__main__":
    main()
