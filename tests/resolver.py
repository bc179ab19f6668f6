#!/usr/bin/env python3
"""Rules and positions resolve the same way on the command line and over HTTP: tests/data/resolver.txt.

The library reads the same cases in tests/test_resolver.c.

usage: tests/resolver.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import http.client
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
from urllib.parse import urlencode

from driving import ENVIRONMENT, check, run, run_tests

MALPAN = os.path.join(os.path.abspath(sys.argv[1]), "malpan")
CASES = pathlib.Path(__file__).with_name("data") / "resolver.txt"
TABLES = tempfile.TemporaryDirectory()
ENVIRONMENT["MALPAN_TABLES"] = TABLES.name


def cases():
    """The (game, options, position, expected) of the file."""
    for line in CASES.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            yield [field.strip() for field in line.split("|")]


def compare(case, rules, message):
    """Checks what a front end found: rules as a dictionary of texts, or the message of an error."""
    expected = case[3]
    if expected.startswith("error:"):
        words = expected.removeprefix("error:").strip()
        check(rules is None and words in message, case, "found", rules, message)
        return
    check(rules is not None, case, "was refused:", message)
    for pair in expected.split():
        name, _, value = pair.partition("=")
        check(rules.get(name) == value, case, name, "is", rules.get(name))


def text_of(value):
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def test_there_are_forty_cases():
    check(len(list(cases())) >= 40, "too few cases")


def test_command_line():
    for case in cases():
        game, options, position, _ = case
        words = [MALPAN, "perft", game, "1", *options.split(), "--json"]
        if position:
            words += ["--position", position]
        done = run(*words)
        answer = json.loads(done.out)
        rules = answer.get("rules")
        compare(case, rules and {k: text_of(v) for k, v in rules.items()},
                answer.get("error", {}).get("message", ""))


def test_command_line_in_another_order():
    """Options before the verb, or reversed, mean the same."""
    for case in cases():
        game, options, position, _ = case
        groups = ["--" + part for part in options.split("--")[1:]]
        names = [group.split()[0] for group in groups]
        if len(groups) < 2 or len(set(names)) < len(names):
            continue
        backwards = [word for group in reversed(groups) for word in group.split()]
        words = [MALPAN, *backwards, "perft", game, "1", "--json"]
        if position:
            words += ["--position", position]
        answer = json.loads(run(*words).out)
        rules = answer.get("rules")
        compare(case, rules and {k: text_of(v) for k, v in rules.items()},
                answer.get("error", {}).get("message", ""))


def test_eval_resolves_alike():
    """`eval` takes its position as words: the same rules, where it has an answer."""
    for case in cases():
        game, options, position, expected = case
        if not position or expected.startswith("error:"):
            continue
        answer = json.loads(run(MALPAN, "eval", game, position, *options.split(), "--json").out)
        check("rules" in answer, case, answer)
        compare(case, {k: text_of(v) for k, v in answer["rules"].items()}, "")


def test_http():
    with tempfile.TemporaryDirectory() as data:
        server = subprocess.Popen([MALPAN, "serve", "--port", "0", "--data", data],
                                  stdout=subprocess.PIPE, env=ENVIRONMENT)
        try:
            port = int(server.stdout.readline().decode().rsplit(":", 1)[1].strip("/\n"))
            for case in cases():
                game, options, position, _ = case
                query = {"game": game, "rules": options} | ({"position": position} if position else {})
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
                connection.request("GET", "/api/position?" + urlencode(query))
                reply = connection.getresponse()
                answer = json.loads(reply.read())
                connection.close()
                rules = ({k: text_of(v) for k, v in answer["rules"].items()} if reply.status == 200
                         else None)
                compare(case, rules, json.dumps(answer, ensure_ascii=False))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=60)
            server.stdout.close()


if __name__ == "__main__":
    sys.exit(run_tests("resolver.py", dict(globals()), sys.argv[2:]))
