#!/usr/bin/env python3
"""The example programs of docs/examples, built as anybody would build them, and run.

Usage: tests/examples.py FOLDER
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(*command, code=0, text_in=""):
    done = subprocess.run([str(word) for word in command], text=True, input=text_in,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == code, (command, done.returncode, done.stdout[-500:], done.stderr)
    return done.stdout if code == 0 else done.stderr


def compile_examples(build, folder):
    for source in sorted((ROOT / "docs/examples").glob("*.c")):
        run("cc", "-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/include", source,
            f"-L{build}", "-lmalpan", "-lm", f"-Wl,-rpath,{build}", "-o", folder / source.stem)


def test_first(folder):
    assert run(folder / "first") == "0.502810\n"


def test_opponent(folder):
    for game, player in (("box", "perfect"), ("valley", "random"), ("yut", "greedy")):
        last = run(folder / "opponent", game, player).splitlines()[-1]
        assert last, (game, player)
    typed = run(folder / "opponent", "valley", "random", text_in="nonsense\n")
    assert typed.count("moves:") == 2, typed  # asked again after an illegal move
    assert "did you mean" in run(folder / "opponent", "bxo", code=2)
    assert "unknown player" in run(folder / "opponent", "box", "nobody", code=2)


def test_simulate(folder):
    out = run(folder / "simulate", "box", 4000, 1)
    assert out == run(folder / "simulate", "box", 4000, 1), "not repeatable"
    mean, margin = float(out.split()[2]), float(out.split()[4])
    assert abs(mean - 0.5) < 0.1 and 0 < margin < 0.02, out
    assert "perfect play: 0.502810" in out, out


def test_dump(folder, malpan):
    """Every value of the CSV is what the program says."""
    rows = list(csv.DictReader(run(folder / "dump", "yut", "--pieces 1", 3000).splitlines()))
    assert len(rows) == 3000, len(rows)
    for row in rows[:400:40]:
        value = run(malpan, "eval", "yut", row["position"], "--pieces", 1, "--value")
        assert abs(float(value) - float(row["value"])) < 2e-6, (row, value)
    rows = list(csv.DictReader(run(folder / "dump").splitlines()))
    assert len({row["position"] for row in rows}) == len(rows) == 76, len(rows)


def main():
    build = (ROOT / ("build" if sys.argv[1] == "." else sys.argv[1])).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        compile_examples(build, folder)
        test_first(folder)
        test_opponent(folder)
        test_simulate(folder)
        test_dump(folder, (ROOT / sys.argv[1] / "malpan").resolve())
    print("4 passed, 0 failed")


if __name__ == "__main__":
    main()
