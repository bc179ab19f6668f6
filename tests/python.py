#!/usr/bin/env python3
"""The Python package, by pytest.

Usage: tests/python.py FOLDER
"""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    environment = dict(os.environ, MALPAN_BUILD="build" if sys.argv[1] == "." else sys.argv[1],
                       PYTHONDONTWRITEBYTECODE="1")
    done = subprocess.run(["pytest-3", "-q", "-p", "no:cacheprovider", "bindings/python/tests"], cwd=ROOT,
                          env=environment, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    print(done.stdout)
    counts = {word: int(number) for number, word in
              re.findall(r"(\d+) (passed|failed|error)", done.stdout.splitlines()[-1])}
    failed = counts.get("failed", 0) + counts.get("error", 0)
    print(f"{counts.get('passed', 0)} passed, {failed} failed")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
