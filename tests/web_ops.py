#!/usr/bin/env python3
"""What an operator of `malpan serve` sees: metrics and the access log.

usage: tests/web_ops.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import http.client
import json
import math
import os
import re
import resource
import signal
import sys
import tempfile
import threading
import time
from random import Random

from driving import check, refused, run, run_tests, same
from serving import HERE, MALPAN, PATIENCE, Browser, Listener, computer, serving

# --- a strict parser of the Prometheus text format 0.0.4 ---

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (\+Inf|[0-9]+(?:\.[0-9]+)?)")


def family_of(name, types):
    """The metric that a sample belongs to: that of a histogram has three kinds of samples."""
    for end in ("_bucket", "_sum", "_count"):
        if name.endswith(end) and types.get(name.removesuffix(end)) == "histogram":
            return name.removesuffix(end)
    return name


def parse(text):
    """The samples as {name: {labels: value}}, labels being a frozenset of pairs."""
    helps, types, samples, current = set(), {}, {}, None
    check(text.endswith("\n"), "the last line has no end")
    for line in text[:-1].split("\n"):
        if found := re.fullmatch(rf"# HELP ({NAME}) (\S.*)", line):
            current = found.group(1)
            check(current not in helps, "two HELP lines for", current)
            helps.add(current)
        elif found := re.fullmatch(rf"# TYPE ({NAME}) (counter|gauge|histogram)", line):
            same(found.group(1), current)
            check(current not in types, "two TYPE lines for", current)
            types[current] = found.group(2)
        else:
            found = SAMPLE.fullmatch(line)
            check(found, "not a sample:", line)
            name, labels, value = found.groups()
            same(family_of(name, types), current)
            check(current in types, "no TYPE for", current)
            pairs = re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels or "")
            check(len(dict(pairs)) == len(pairs), "a label twice:", line)
            key = frozenset(pairs)
            check(key not in samples.setdefault(name, {}), "a sample twice:", line)
            samples[name][key] = math.inf if value == "+Inf" else float(value)
            check(types[current] != "counter" or name.endswith("_total"), "a counter", name)
    same(helps, set(types))
    return samples


def check_histograms(samples):
    """Buckets are cumulative, and the last one is the count, which is what the counters say."""
    for key, count in samples["malpan_request_seconds_count"].items():
        buckets = {dict(k)["le"]: v for k, v in samples["malpan_request_seconds_bucket"].items()
                   if k - {("le", dict(k)["le"])} == key}
        bounds = sorted(buckets, key=lambda le: math.inf if le == "+Inf" else float(le))
        same(bounds[-1], "+Inf")
        check(len(bounds) > 10, bounds)
        values = [buckets[le] for le in bounds]
        same(values, sorted(values))
        same(values[-1], count)
        total = sum(v for k, v in samples.get("malpan_requests_total", {}).items() if key < k)
        same(total, count)
        check((samples["malpan_request_seconds_sum"][key] > 0) == (count > 0), key)


def metrics_of(browser):
    answer = browser.get("/metrics")
    same((answer.status, answer.headers["Content-Type"]),
         (200, "text/plain; version=0.0.4; charset=utf-8"))
    samples = parse(answer.body.decode())
    check_histograms(samples)
    return samples


def value(samples, name, **labels):
    return samples.get(name, {}).get(frozenset(labels.items()), 0)


def requests(samples, route, status):
    return value(samples, "malpan_requests_total", route=route, status=str(status))


def wait_for(condition, *what):
    end = time.monotonic() + PATIENCE
    while not condition():
        check(time.monotonic() < end, *what)
        time.sleep(0.01)


# --- metrics ---

def ask_everything(browser, random):
    """One request of each kind and some bad ones; returns how often each should be counted."""
    game = browser.create("race", [HERE, HERE])
    path = f"/api/games/{game['id']}"
    browser.step(game, random)
    for _ in range(3):
        browser.good(browser.get(path))
    browser.get(f"{path}/record")
    browser.get(f"{path}/review")
    browser.post(f"{path}/moves", {"number": 0, "move": "?"})
    browser.post("/api/games", {"game": "chess"})
    browser.get("/")
    browser.get("/style.css")
    browser.get("/api/games/AAAAAAAAAAAAAAAAAAAAAA")
    browser.get("/etc/passwd")
    browser.ask("DELETE", path)
    browser.ask("BREW", "/coffee")
    browser.ask("GET", "/api/health", headers={"Host": "evil.example"})
    browser.get("/api/eval", game="race", position="2 0 1")
    return game, {("/api/games", 201): 1, ("/api/games", 400): 1, ("/api/games/*", 200): 3,
                  ("/api/games/*", 404): 1, ("/api/games/*", 405): 1,
                  ("/api/games/*/record", 200): 1, ("/api/games/*/moves", 200): 1,
                  ("/api/games/*/review", 409): 1, ("/api/games/*/moves", 409): 1,
                  ("/api/health", 403): 1, ("/api/eval", 200): 1, ("none", 404): 2,
                  ("page", 200): 2}


def test_metrics_count_every_request():
    with serving() as server:
        browser = Browser(server)
        before = metrics_of(browser)
        game, expected = ask_everything(browser, Random(1))
        after = metrics_of(browser)
        for (route, status), count in expected.items():
            same((route, status, requests(after, route, status)), (route, status, count))
        same((requests(before, "/metrics", 200), requests(after, "/metrics", 200)), (0, 1))
        same(sum(after["malpan_requests_total"].values()), sum(expected.values()) + 1)
        check(value(after, "malpan_games") == 1 and value(after, "malpan_games_in_memory") == 1)
        check(value(after, "malpan_commits_total") == 2, after["malpan_commits_total"])
        check(1 <= value(after, "malpan_commit_batches_total") <= 2)
        check(value(after, "process_resident_memory_bytes") > 1e6)
        check(value(after, "malpan_connections") >= 1)
        text = browser.get("/metrics").body.decode()
        for word in (game["id"], "127.0.0.1", "chess", "passwd", "coffee", "evil", "BREW"):
            check(word not in text, word, "is in the metrics")


def test_metrics_show_what_goes_on():
    with serving("--threads", "1") as server:
        browser = Browser(server)
        game = browser.create("valley", [HERE, computer("random")])
        listeners = [Listener(server, f"/api/games/{game['id']}/events") for _ in range(3)]
        for listener in listeners:
            listener.wait(1)
        samples = metrics_of(browser)
        same(value(samples, "malpan_listeners"), 3)
        same(requests(samples, "/api/games/*/events", 200), 3)
        check(value(samples, "malpan_connections") >= 4)
        far = "1S1sS/1s1s1/5/k3K/1sS1S w 9"
        threads = [threading.Thread(target=browser.get, args=("/api/eval",),
                                    kwargs={"game": "valley", "position": far}) for _ in range(3)]
        for thread in threads:
            thread.start()
        seen = []
        wait_for(lambda: seen.append(metrics_of(browser)) or
                 (value(seen[-1], "malpan_jobs_running") >= 1
                  and value(seen[-1], "malpan_jobs_waiting", lane="long") == 2
                  and value(seen[-1], "malpan_solvers", state="busy") >= 1),
                 "no job is shown")
        for thread in threads:
            thread.join(PATIENCE)
        wait_for(lambda: value(metrics_of(browser), "malpan_jobs_running") == 0, "jobs never end")
        samples = metrics_of(browser)
        check(value(samples, "malpan_solvers", state="idle") >= 1)
        slow = value(samples, "malpan_request_seconds_bucket", route="/api/eval", le="0.5")
        check(slow < value(samples, "malpan_request_seconds_count", route="/api/eval"),
              "a search of two seconds took less than half a second")
        for listener in listeners:
            listener.close()
        while value(metrics_of(browser), "malpan_listeners") > 0:  # the server sees it when it sends
            game = browser.settled(browser.step(browser.settled(game), Random(2)))
            check(not game["over"], "closed streams are still counted")


def test_metrics_add_up_under_load():
    """Snapshots taken while others ask are consistent, and no request is lost or counted twice."""
    with serving("--rate", "0") as server:
        def ask():
            browser = Browser(server)
            for _ in range(60):
                same(browser.get("/api/health").status, 200)
        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        last, browser = 0, Browser(server)
        while any(thread.is_alive() for thread in threads):
            count = requests(metrics_of(browser), "/api/health", 200)
            check(count >= last, "a counter falls")
            last = count
        for thread in threads:
            thread.join()
        same(requests(metrics_of(browser), "/api/health", 200), 240)


# --- the access log ---

def parse_log(text):
    """The entries of a log; every line must be whole and have exactly the promised fields."""
    check(text == "" or text.endswith("\n"), "the last line has no end")
    entries = [json.loads(line) for line in text.splitlines()]
    for entry in entries:
        same(list(entry), ["time", "method", "route", "status", "bytes", "ms"])
        check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", entry["time"]), entry)
        check(isinstance(entry["status"], int) and 100 <= entry["status"] <= 599, entry)
        check(isinstance(entry["bytes"], int) and entry["bytes"] >= 0, entry)
        check(isinstance(entry["ms"], float) and 0 <= entry["ms"] < 1000 * PATIENCE, entry)
    return entries


def read(file):
    with open(file, encoding="utf-8") as stream:
        return stream.read()


def test_log_has_every_request():
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "access.log")
        with serving("--log", file) as server:
            browser = Browser(server)
            game, expected = ask_everything(browser, Random(1))
            page = browser.get("/")
            same(server.stop(), (0, b""))  # at once: what was not written yet is written now
        entries = parse_log(read(file))
        expected["page", 200] += 1
        found = {}
        for entry in entries:
            key = (entry["route"], entry["status"])
            found[key] = found.get(key, 0) + 1
        same(sorted(found.items()), sorted(expected.items()))
        same((entries[-1]["route"], entries[-1]["bytes"]), ("page", len(page.body)))
        same({entry["method"] for entry in entries}, {"GET", "POST", "DELETE", "other"})
        now = time.strftime("%Y-%m-%dT%H", time.gmtime(time.time()))
        past = time.strftime("%Y-%m-%dT%H", time.gmtime(time.time() - 600))
        check(all(entry["time"][:13] in (now, past) for entry in entries), entries[0], now)
        same([entry["time"] for entry in entries], sorted(entry["time"] for entry in entries))
        for word in (game["id"], "127.0.0.1", "chess", "passwd", "coffee", "BREW",
                     "evil", "AAAA", "position"):
            check(word not in read(file), word, "is in the log")


def test_log_is_written_soon_and_reopened():
    with tempfile.TemporaryDirectory() as folder:
        file, moved = os.path.join(folder, "access.log"), os.path.join(folder, "access.log.1")
        with open(file, "w", encoding="utf-8") as stream:
            stream.write("kept\n")  # the log is appended to
        with serving("--log", file) as server:
            browser = Browser(server)
            for _ in range(3):
                same(browser.get("/api/health").status, 200)
            wait_for(lambda: read(file).count("\n") == 4, "lines are not written")
            for turn in range(1, 4):
                os.replace(file, moved)
                same(browser.get("/api/position", game="box").status, 200)  # to the old file
                wait_for(lambda: "/api/position" in read(moved), "the old file is not in use")
                server.process.send_signal(signal.SIGHUP)
                wait_for(lambda: os.path.exists(file), "the log is not reopened")
                check(read(moved).startswith("kept\n") == (turn == 1))
                same([entry["route"] for entry in parse_log(read(moved).removeprefix("kept\n"))],
                     ["/api/health"] * 3 + ["/api/position"])
                for _ in range(3):
                    same(browser.get("/api/health").status, 200)
                wait_for(lambda: read(file).count("\n") == 3, "lines are not written")
            os.replace(file, moved)
            os.mkdir(file)  # cannot be reopened: the old file stays in use
            server.process.send_signal(signal.SIGHUP)
            same(browser.get("/api/games").status, 200)
            wait_for(lambda: '"/api/games"' in read(moved), "the old file is not in use")
            code, errors = server.stop()
            check(code == 0 and errors.count(b"\n") == 1 and b"cannot reopen the log" in errors,
                  code, errors)


def test_full_disk_does_not_disturb():
    with serving("--log", "/dev/full") as server:
        browser = Browser(server)
        game = browser.create("race", [HERE, HERE])
        for _ in range(100):
            same(browser.get(f"/api/games/{game['id']}").status, 200)
        time.sleep(0.3)
        browser.step(game, Random(1))
        code, errors = server.stop()
        check(code == 0 and errors.count(b"\n") == 1 and b"cannot write the log" in errors, code,
              errors)


def test_log_goes_on_when_there_is_room_again():
    """Lines wait while the disk is full, and none is torn or lost unless there are too many."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "access.log")
        with serving("--log", file, "--rate", "0", restore_signals=False) as server:
            browser = Browser(server)
            limit = lambda size: resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE,
                                                  (size, resource.RLIM_INFINITY))
            ask = lambda: same(browser.get("/api/health").status, 200)
            ask()
            wait_for(lambda: os.path.getsize(file) > 0, "lines are not written")
            limit(os.path.getsize(file) + 50)  # half a line
            ask()
            wait_for(lambda: not read(file).endswith("\n"), "there is no half line")
            ask()
            limit(resource.RLIM_INFINITY)
            wait_for(lambda: read(file).count("\n") == 3, "the rest is not written")
            parse_log(read(file))
            limit(os.path.getsize(file) + 50)
            line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
            for _ in range(6000):  # more than the buffers hold
                line.request("GET", "/api/health")
                line.getresponse().read()
            line.close()
            lost = value(metrics_of(browser), "malpan_log_lines_lost_total")
            check(lost > 0, "no line was lost")
            limit(resource.RLIM_INFINITY)
            wait_for(lambda: os.path.getsize(file) > 250000 and read(file).endswith("\n"),
                     "the rest is not written")  # of both buffers
            lost = value(metrics_of(browser), "malpan_log_lines_lost_total")
            code, errors = server.stop()
            check(code == 0 and errors.count(b"\n") == 2, code, errors)
        same(len(parse_log(read(file))) + lost, 3 + 6000 + 2)


def test_hangup_and_standard_error():
    with serving() as server:  # without a log, a hangup stops the server
        same(server.stop(signal.SIGHUP), (0, b""))
    with serving("--log", "-") as server:
        same(Browser(server).get("/api/health").status, 200)
        code, errors = server.stop(signal.SIGHUP)
        same((code, [entry["route"] for entry in parse_log(errors.decode())]), (0, ["/api/health"]))
    with tempfile.TemporaryDirectory() as folder:
        refused(run(MALPAN, "serve", "--port", "0", "--data", folder, "--log", folder), 1,
                "cannot open the log")


if __name__ == "__main__":
    sys.exit(run_tests("web_ops.py", dict(globals()), sys.argv[2:]))
