#!/usr/bin/env python3
"""The Python package, by pytest. A library under AddressSanitizer needs that to be loaded first.

Usage: tests/python.py FOLDER
"""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def sanitizer_of(library):
    """The sanitizer's own library, if this one is linked with it."""
    needed = subprocess.run(["readelf", "-d", library], check=True, text=True,
                            stdout=subprocess.PIPE).stdout
    name = re.search(r"\[(libasan\.so[^]]*)\]", needed)
    return name and subprocess.run(["gcc", f"-print-file-name={name.group(1)}"], check=True,
                                   text=True, stdout=subprocess.PIPE).stdout.strip()


def main():
    environment = dict(os.environ, MALPAN_BUILD="build" if sys.argv[1] == "." else sys.argv[1],
                       PYTHONDONTWRITEBYTECODE="1")
    sanitizer = sanitizer_of(ROOT / environment["MALPAN_BUILD"] / "libmalpan.so.1")
    if sanitizer:  # Python itself does not free everything at its end
        environment |= {"LD_PRELOAD": sanitizer, "ASAN_OPTIONS": "detect_leaks=0"}
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
