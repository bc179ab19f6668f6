#!/usr/bin/env python3
"""malpan learn: threads, seeds, kills, signals, wrong usage and damaged files.

usage: tests/learn.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

from driving import ENVIRONMENT, check, default_signals, refused, run, run_tests, same

MALPAN = os.path.join(os.path.abspath(sys.argv[1]), "malpan")
QUICK = "QUICK" in os.environ  # under the sanitizers
TABLE = "--players 3 --steps 12"
DUEL = "--steps 60"
# Solving two pieces each, which a duel learns from, takes long under the sanitizers.
BOTH = [TABLE] if QUICK else [TABLE, DUEL]


class Folder:
    """A folder for weights and tables, gone in the end."""

    tables = tempfile.TemporaryDirectory()  # shared: solved once

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.temporary.name)
        self.file = self.path / "learned.weights"
        self.env = {"MALPAN_TABLES": self.tables.name}
        return self

    def __exit__(self, *_):
        self.temporary.cleanup()

    def command(self, options):
        return [MALPAN, "learn", "yut", *options.split(), "-o", str(self.file)]

    def learn(self, options):
        """Learns to the end; what it reports."""
        result = run(*self.command(options + " --json"), env=self.env)
        check(result.code == 0, result.code, result.err)
        return json.loads(result.out)

    def names(self):
        return sorted(path.name for path in self.path.iterdir())


def learned(options):
    """The bytes of a run left alone."""
    with Folder() as folder:
        folder.learn(options)
        check(folder.names() == ["learned.weights"], "left:", folder.names())
        return folder.file.read_bytes()


def test_threads_do_not_matter():
    for options in BOTH:
        one = learned(f"{options} --threads 1")
        check(learned(f"{options} --threads 2") == one, options, "differs with two threads")
        check(QUICK or learned(f"{options} --threads 3") == one, options, "differs with three threads")


def test_seeds_matter():
    if QUICK:
        return
    one = learned(TABLE)
    check(learned(f"{TABLE} --seed 1") == one, "the usual seed is 1")
    check(learned(f"{TABLE} --seed 2") != one, "two seeds learned the same")


def test_a_report():
    with Folder() as folder:
        report = folder.learn(TABLE)
        check(report["game"] == "yut" and report["rules"]["players"] == 3, report)
        check(report["steps"] == 12 and report["samples"] == 12 * 1024, report)
        check(report["bytes"] == folder.file.stat().st_size and len(report["checksum"]) == 16, report)
        # The same on every machine, as the weights in the program are.
        same(report["checksum"], "450b11cc5c959c60")
        check(report["exact_values"] == "one piece each" and len(report["errors"]) == 7, report)
        check(any(error["count"] > 0 and 0 < error["typical_error"] < 1 for error in report["errors"]),
              report)
        page = run(*folder.command(TABLE), env=folder.env).out.decode()
        check(report["checksum"] in page and "held-out positions" in page, page)


def test_house_rules():
    """Weights for other rules share a layer with those in the program."""
    if QUICK:
        return
    with Folder() as folder:
        report = folder.learn("--preset korean --steps 20")
        check(report["rules"]["catch-bonus"] == "weak" and report["bytes"] < 20000, report)
        for rules in "--preset korean", "":
            measured = run(MALPAN, "learn", "yut", *rules.split(), "--steps", "10", "--measure",
                           str(folder.file), env=folder.env)
            check(measured.code == 0 and b"other rules" in measured.out, rules, measured.err)


def kill_and_go_on(options, kills):
    """Kills at random moments; the bytes are those of a run left alone. How many runs had something
    to go on from."""
    options += " --checkpoint 0"
    start = time.monotonic()
    expected = learned(options)
    longest = time.monotonic() - start
    moments = random.Random(1)
    resumed = 0
    with Folder() as folder:
        for _ in range(kills):
            resumed += folder.file.with_suffix(".weights.part").exists()
            process = subprocess.Popen(folder.command(options), env=ENVIRONMENT | folder.env,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(timeout=moments.uniform(longest / 4, longest / 2))
                check(folder.file.read_bytes() == expected, "other weights after a kill")
                folder.file.unlink()
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        folder.learn(options)
        same(folder.file.read_bytes(), expected, "after kills:")
        check(folder.names() == ["learned.weights"], "left:", folder.names())
    return resumed


def test_killed_learning_goes_on():
    for options in BOTH:
        resumed = kill_and_go_on(options, 3 if QUICK else 6)
        check(resumed > 0, options, "never had anything to go on from")


def test_a_signal_stops_it():
    # A thousand steps and more solve pairs of animals first, which takes minutes under sanitizers; fewer
    # are over too soon without them.
    options = f"--players 3 --steps {900 if QUICK else 12000} --checkpoint 1000 --progress"
    with Folder() as folder:
        process = subprocess.Popen(folder.command(options), env=ENVIRONMENT | folder.env,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=default_signals)
        while b"round" not in process.stderr.readline():  # before that there is nothing to save
            check(process.poll() is None, "ended early")
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        check(process.returncode == 5 and b"resumes" in err and out == b"", process.returncode, err)
        check(folder.names() == ["learned.weights.part"], folder.names())
        # A checkpoint of other work is refused and kept.
        refused_run = run(*folder.command(TABLE), "-q", env=folder.env)
        refused(refused_run, 4, "for other work")
        check(folder.names() == ["learned.weights.part"], folder.names())


def test_wrong_usage():
    with Folder() as folder:
        for words, code, what in [(["learn"], 2, "game"), (["learn", "yut"], 2, "-o FILE"),
                                  (["learn", "yut", "--steps", "0", "-o", "x"], 2, "--steps"),
                                  (["learn", "yut", "--measure", "none"], 1, "none"),
                                  (["learn", "yut", "-o", "no/x"], 1, "no/x"),
                                  (["learn", "yut", "--players", "3", "--preset", "korean", "-o", "x"],
                                   3, "only learned under the usual rules"),
                                  (["learn", "box", "-o", "x"], 3, "box learns nothing")]:
            refused(run(MALPAN, *words, cwd=folder.path, env=folder.env), code, what)
        check(folder.names() == [], folder.names())


def test_files_are_measured():
    with Folder() as folder:
        folder.learn(TABLE)
        data = folder.file.read_bytes()
        measured = run(MALPAN, "learn", "yut", "--players", "4", "--steps", "10", "--measure",
                       str(folder.file), "--json", env=folder.env)
        check(measured.code == 0, measured.err)
        check(len(json.loads(measured.out)["errors"]) == 7, measured.out)
        refused(run(MALPAN, "learn", "yut", "--measure", str(folder.file), env=folder.env), 4,
                "not weights for two players")
        for damaged, what in [(data[:-1], "cut off"), (data[:200] + b"?" + data[201:], "checksum"),
                              (b"", "too short"), (b"x" * 1000, "not a file of weights")]:
            folder.file.write_bytes(damaged)
            refused(run(MALPAN, "learn", "yut", "--players", "3", "--measure", str(folder.file),
                        env=folder.env), 4, what)
        if not QUICK:
            table = run(MALPAN, "learn", "yut", "--players", "3", "--steps", "10", "--measure", "-",
                        env=folder.env)
            check(table.code == 0 and b"four players" in table.out, table.out, table.err)
            ours = run(MALPAN, "learn", "yut", "--steps", "10", "--measure", "-", env=folder.env)
            check(ours.code == 0 and b"four pieces" in ours.out, ours.out, ours.err)
            others = run(MALPAN, "learn", "yut", "--steps", "10", "--measure", "-", "--validate",
                         env=folder.env)
            check(others.code == 0 and others.out != ours.out, others.out, others.err)


if __name__ == "__main__":
    sys.exit(run_tests("learn", globals(), sys.argv[2:]))
