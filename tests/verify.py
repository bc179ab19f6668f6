#!/usr/bin/env python3
"""malpan verify: proofs, samples, and tables that are wrong or damaged.

usage: tests/verify.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import json
import struct
import sys

import table_reference
from driving import check, refused, run, run_tests
from solving import Folder, LONGER, MALPAN, QUICK, SMALL, report, solved, table_of


def test_verify():
    for options in [SMALL] if QUICK else [SMALL, "--pieces 2"]:
        with Folder() as folder:
            stated = solved(folder, options)["error_bound"]
            sample = report(folder.malpan(f"verify yut {options} --sample 20 --json"))
            check(sample["checked"] == 20 and sample["proof"] is False, sample)
            check(sample["residual"] <= 2 * stated == 2 * sample["stated_error_bound"], sample)
            check(0 < sample["within"] <= stated / 99, sample)
            full = report(folder.malpan(f"verify yut {options} --full --json"))
            check(full["proof"] is True and full["error_bound"] <= stated, full)
            check(full["residual"] <= full["error_bound"], full)
            check(full["checked"] in (871, 217562), full)
            again = report(folder.malpan(f"verify yut {options} --full --json --threads 1"))
            check(again == full, again, "with one thread, not", full)


def test_verify_with_little_memory():
    """Turns are searched less deep then."""
    with Folder() as folder:
        rules = "--pieces 2" + (" --eps 1e-3" if QUICK else "")
        stated = solved(folder, rules)["error_bound"]
        limits = "--threads 2 --memory 1M"
        sample = report(folder.malpan(f"verify yut --pieces 2 --sample 5 {limits} --json"))
        check(stated / 50 < sample["within"] < 0.1, sample)
        check(sample["residual"] <= sample["within"] + stated, sample)


def test_values_with_little_memory():
    """Values with a throw pending come with any memory; they say how far off they may be."""
    with Folder() as folder:
        solved(folder, "--pieces 2" + (" --eps 1e-3" if QUICK else ""))
        known = []
        for memory in ("1G", "256K", "16K"):
            found = report(run(MALPAN, "eval", "yut", "9,21/4,20 0 yut+", "--memory", memory, "--json",
                               env=folder.env))
            known.append((found["value"], found["error_bound"]))
            check(abs(found["value"] - known[0][0]) <= found["error_bound"] + known[0][1], known)
            check(("memory" in found.get("note", "")) == (memory != "1G"), found)
        check(known[0][1] < known[1][1] < known[2][1], known)
        result = folder.malpan("match yut perfect random --pieces 2 --games 20 --memory 64M")
        check(result.code == 0, result.err)


def test_animals():
    """A sheep throws twice for a catch: its lists get long. Solved, and proven again."""
    with Folder() as folder:
        options = f"{LONGER} --animals sn"
        bound = solved(folder, f"{options} --eps 1e-4")["error_bound"]
        check(bound <= 1e-4, bound)
        found = report(folder.malpan(f"verify yut {options} --full --json"))
        check(found["error_bound"] <= bound, found)


def test_a_wrong_value_is_found():
    with Folder() as folder:
        table = table_of(folder, SMALL)
        head, values = table_reference.load(table.read_bytes())
        places = 31  # a value for each pair of squares; the last is home
        most = 256 ** head.value_bytes - 1
        for own, other, wrong, sample in ((3, 7, 0.05, 200), (0, 0, -0.001, 0),
                                          (29, 5, -1e-5, 0), (12, 29, 1e-5, 0 if QUICK else 600)):
            changed = list(values)
            at = other * places + own
            changed[at] = min(most, max(0, changed[at] + round(wrong * most)))
            check(changed[at] != values[at], "nothing was changed")
            table.write_bytes(table_reference.make(changed, *head))
            for how in ("--full", f"--sample {sample}")[:2 if sample else 1]:
                result = folder.malpan(f"verify yut {SMALL} {how}")
                check(result.code == 4, how, "of a wrong value: exit code", result.code)
                check(b"violates the error bound it states" in result.err, result.err)
                check(b"\nproven" not in result.out, "a failed proof is called one:", result.out)
                check(how != "--full" or b"\nnot proven" in result.out, result.out)
                lines = folder.malpan(f"verify yut {SMALL} {how} --json").out.splitlines()
                answer = json.loads(lines[0])
                check(answer["proof"] is False and "error_bound" not in answer, answer)
        # So far off that nothing can be proven: that is not called a proof.
        changed = list(values)
        changed[7 * places + 3] = most
        table.write_bytes(table_reference.make(changed, *head))
        result = folder.malpan(f"verify yut {SMALL} --full")
        check(result.code == 4 and b"violates the error bound" in result.err, result.err)
        check(b"\nproven" not in result.out and b"no bound could be proven" in result.out, result.out)
        lines = folder.malpan(f"verify yut {SMALL} --full --json").out.splitlines()
        found = json.loads(lines[0])
        check(found["proof"] is False and "error_bound" not in found, found)
        # Made by the second implementation, with nothing wrong in it.
        table.write_bytes(table_reference.make(values, *head))
        check(folder.malpan(f"verify yut {SMALL} --full").code == 0, "the same values")


def with_header_sum(data):
    """The same bytes with the right checksum over the header."""
    head = table_reference.HEADER.size
    return data[:8] + struct.pack("<Q", table_reference.checksum(data[16:head])) + data[16:]


def flipped(data, at):
    """The same bytes with one bit changed."""
    return data[:at] + bytes([data[at] ^ 4]) + data[at + 1:]


def test_damaged_tables_are_refused():
    with Folder() as folder:
        table = table_of(folder, SMALL)
        other = table_of(folder, f"{SMALL} --animals sn").read_bytes()
        good = table.read_bytes()
        newer = with_header_sum(good[:16] + struct.pack("<I", 2) + good[20:])
        head, values = table_reference.load(good)
        short = table_reference.make(values[:-1], *head)
        damages = [(good[:100], "truncated"), (b"", "truncated"), (good[:-1], "truncated"),
                   (good + b"x", "too long"),
                   (flipped(good, 40), "header fails its checksum"),
                   (flipped(good, 515), "index fails its checksum"),
                   (flipped(good, len(good) - 5), "block 0 fails its checksum"),
                   (other, "is for yut with '--animals sn"), (newer, "version 2"), (short, "not one of yut's"),
                   (b"a letter, not a table\n" * 50, "not a malpan table"), (bytes(5000), "not a")]
        commands = [f"verify yut {SMALL} --sample 5", f"verify yut {SMALL} --full",
                    f"match yut perfect random {SMALL} --games 2", f"eval yut {SMALL} --value"]
        for data, words in damages:
            table.write_bytes(data)
            before = table.stat().st_mtime_ns
            for command in commands:
                refused(folder.malpan(command), 4, words)
            check(table.read_bytes() == data and table.stat().st_mtime_ns == before,
                  words, "the file has changed")
        table.write_bytes(good)
        for command in commands:
            result = folder.malpan(command)
            check(result.code == 0 and result.err == b"", command, result.err)


if __name__ == "__main__":
    sys.exit(run_tests("verify", dict(globals()), sys.argv[2:]))
