#!/usr/bin/env python3
"""How fast `malpan serve` answers, beside what it promises.

usage: bench/web.py MALPAN      needs wrk
"""
import os
import re
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from urllib.parse import quote

from server import Server, verdict

SECONDS = 5
LISTENERS = 300
STEPS = 60


def wrk(url, *options):
    """Requests a second."""
    shown = subprocess.run(["wrk", *options, url], capture_output=True, text=True, check=True)
    if "Non-2xx" in shown.stdout:
        sys.exit(f"not all was answered: {shown.stdout}")
    return float(re.search(r"Requests/sec:\s+([\d.]+)", shown.stdout).group(1))


# Any of 1,682 positions, each asked for in as many ways as `{}` says: what was asked for before in the
# same words is remembered.
POSITIONS = """
request = function()
    local path = "/api/eval?game=race&rules=" .. string.rep("%20", math.random({})) .. "&position=" ..
                 math.random(0, 28) .. "%20" .. math.random(0, 28) .. "%20" .. math.random(0, 1)
    return wrk.format("GET", path)
end
"""

# Twelve connections that wait a millisecond after each answer: a little more than is promised.
STEADY = "function delay() return 1 end"


def write(data, lua):
    """A script for wrk."""
    path = os.path.join(data, "wrk.lua")
    with open(path, "w", encoding="ascii") as file:
        file.write(lua)
    return path


def bench_page(server):
    """What a browser loads: the page, and all that it leads to."""
    sizes, found = {}, {""}
    while found - sizes.keys():
        name = (found - sizes.keys()).pop()
        with urllib.request.urlopen(f"{server.address}/{name}") as reply:
            body = reply.read()
        sizes[name] = len(body)
        found |= set(re.findall(r'(?:(?:src|href)="/?|"\./)([a-z_]+\.(?:js|css|svg))"', body.decode()))
    size = sum(sizes.values())
    print(f"the page: {len(sizes)} files, {size / 1000:.0f} kB, goal 300 kB: "
          f"{verdict(size <= 300000)}")


def bench_eval(server, data):
    print(f"values without a search, {SECONDS} s of wrk on the same cores, 32 connections")
    server.ask("GET", "/api/eval?game=race")
    for ways, name in ((1, "remembered soon"), (40, "asked in 40 ways, few remembered")):
        script = write(data, POSITIONS.format(ways))
        rate = wrk(server.address, "-t1", "-c32", f"-d{SECONDS}s", "-s", script)
        goal = f", goal 50,000: {verdict(rate >= 50000)}" if ways == 1 else ""
        print(f"  race, any of 1,682 positions, {name}: {rate:,.0f} a second{goal}")
    for game, rules, position in (("box", "", "13456789 1 17 12"), ("race", "", "5 10 0"),
                                  ("dice", "--online", "0,0,10,25 37 4 3")):
        path = f"/api/eval?game={game}&rules={quote(rules)}&position={quote(position)}"
        for _ in range(3):
            server.ask("GET", path)
        rate = wrk(server.address + path, "-t1", "-c32", f"-d{SECONDS}s")
        print(f"  {game}, one position: {rate:,.0f} a second, goal 50,000: {verdict(rate >= 50000)}")
    print("  limit: building the JSON, some 200 small allocations; when remembered, the network stack")


def listen(server, path, arrived, done):
    """Notes when each of the listeners has heard of each step."""
    poll = selectors.DefaultSelector()
    rest = {}
    for _ in range(LISTENERS):
        line = socket.create_connection(("127.0.0.1", server.port))
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        line.setblocking(False)
        poll.register(line, selectors.EVENT_READ)
        rest[line] = b""
    while not done.is_set():
        for key, _ in poll.select(0.05):
            line = key.fileobj
            rest[line] += line.recv(1 << 16)
            *whole, rest[line] = rest[line].split(b"\n\n")
            now = time.monotonic()
            for event in whole:
                if found := re.search(rb'"number":(\d+)', event):
                    arrived.setdefault(int(found.group(1)), []).append(now)
    for line in rest:
        line.close()


def bench_listeners(server, data):
    game, cookie = server.ask("POST", "/api/games", {
        "game": "yut", "rules": "--pieces 4", "seats": [{"kind": "here"}, {"kind": "here"}]})
    path = f"/api/games/{game['id']}"
    arrived, made, done = {}, {}, threading.Event()
    thread = threading.Thread(target=listen, args=(server, path + "/events", arrived, done))
    thread.start()
    while len(arrived.get(0, [])) < LISTENERS:
        time.sleep(0.01)
    load = subprocess.Popen(["wrk", "-t1", "-c12", "-d12s", "-s", write(data, STEADY),
                             server.address + "/api/health"], stdout=subprocess.PIPE, text=True)
    time.sleep(0.5)
    for _ in range(STEPS):
        step = {"number": game["number"]}
        if game["waits"]["for"] == "throw":
            step["throw"] = True
        else:
            step["move"] = game["now"]["moves"][0]["move"]
        made[game["number"] + 1] = time.monotonic()
        game, _ = server.ask("POST", path + "/moves", step, cookie)
        time.sleep(0.1)
    time.sleep(0.5)
    done.set()
    thread.join()
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", load.communicate()[0]).group(1))
    late = [max(arrived[number]) - start for number, start in made.items()]
    whole = all(len(arrived[number]) == LISTENERS for number in made)
    worst = 1e3 * max(late)
    print(f"{LISTENERS} listeners, {STEPS} steps, while {rate:,.0f} requests a second are answered "
          f"(goal 5,000: {verdict(rate >= 5000)})")
    print(f"  the last listener hears of a step within {worst:.0f} ms at worst, "
          f"{1e3 * sorted(late)[len(late) // 2]:.0f} ms in the middle, goal 100 ms: "
          f"{verdict(worst <= 100 and whole)}")


def main():
    with tempfile.TemporaryDirectory() as data:
        server = Server(sys.argv[1], data)
        try:
            print(f"memory at the start: {server.megabytes():.0f} MB, goal 64 MB: "
                  f"{verdict(server.megabytes() <= 64)}")
            bench_page(server)
            bench_eval(server, data)
            bench_listeners(server, data)
            print(f"memory at the end: {server.megabytes():.0f} MB, goal 64 MB: "
                  f"{verdict(server.megabytes() <= 64)}")
        finally:
            server.process.terminate()
            server.process.wait()


if __name__ == "__main__":
    main()
