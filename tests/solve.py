#!/usr/bin/env python3
"""malpan solve: threads, kills, signals, small machines, tables that are there already.

usage: tests/solve.py FOLDER [--slow | NAME ...]      FOLDER holds malpan
"""
import json
import os
import pathlib
import random
import re
import resource
import signal
import struct
import subprocess
import sys
import time

from driving import (ENVIRONMENT, catches, check, refused, run, run_tests, wait_for,
                     wait_until_it_works)
from solving import (Folder, LONGER, MALPAN, QUICK, SMALL, quoted, report, same_outcome, solved,
                     table_of)

CHECKPOINT_HEAD = 656  # bytes before where the work stands, which begins with what is being done:
MENDING = 3


def test_threads_do_not_matter():
    for options in (SMALL, LONGER, f"{SMALL} --animals sn"):
        with Folder() as one, Folder() as two:
            expected = solved(one, f"{options} --threads 1")
            same_outcome(solved(two, f"{options} --threads 2"), expected)
            check(expected["error_bound"] <= 1e-6, expected["error_bound"])
            names = one.names()
            check(names == two.names() and len(names) == 1, "left:", names)
            check((one.path / names[0]).read_bytes() == (two.path / names[0]).read_bytes(),
                  "the files differ")


def cpu_seconds(folder, command, threads):
    """The processor time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([MALPAN, *command.split(), "--threads", str(threads)],
                   env=ENVIRONMENT | folder.env, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_idle_threads_do_not_spin():
    """Beside busy processes, a second thread costs hardly any processor time of its own, also where
    loops are many and short."""
    with Folder() as folder:
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
                for _ in range(os.cpu_count())]
        try:
            for command in (f"solve yut {LONGER} --again", f"yut facts {SMALL} --games 20"):
                one, two = (cpu_seconds(folder, command, threads) for threads in (1, 2))
                check(two < 1.6 * one + 0.1, command, "takes", one, "s with one thread,", two,
                      "s with two")
        finally:
            for process in busy:
                process.kill()
                process.wait()


def kill_and_go_on(options, kills):
    """Kills a solve so many times at random moments, some in each run; the outcome is that of a run
    left alone. How many of those killed had something to go on from."""
    options += " --again"  # a kill may come between the end of the work and that of the process
    start = time.monotonic()
    with Folder() as alone:
        expected = solved(alone, options)
    longest = (time.monotonic() - start) / 3
    moments = random.Random(1)
    killed = resumed = 0
    with Folder() as folder:
        name = pathlib.Path(expected["table"]).name
        while killed < kills:
            goes_on = (folder.path / f"{name}.part").exists()
            process = folder.start(f"solve yut {options} --json")
            try:
                out, _ = process.communicate(timeout=moments.uniform(0, longest))
                # It came to its end: begin anew.
                same_outcome(json.loads(out), expected)
                check(folder.names() == [name], "left:", folder.names())
                (folder.path / name).unlink()
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                killed += 1
                resumed += goes_on
                # A kill after the table is there may find what was to be removed next.
                check(not (folder.path / name).exists() or
                      folder.malpan(f"verify yut {options.split(' --check')[0]} --full").code == 0,
                      "an unfinished table")
        same_outcome(solved(folder, options), expected)
        check(folder.names() == [name], "left:", folder.names())
    return resumed


def test_a_killed_solve_goes_on():
    resumed = kill_and_go_on(f"{LONGER} --checkpoint 0", 10)
    check(resumed >= 3, "only", resumed, "runs had something to go on from")


def slow_kills():
    """A solve that takes long enough for the checkpoints of ordinary runs."""
    options = "--pieces 2 --animals dn --memory 6G --checkpoint 0.5"
    resumed = kill_and_go_on(options, 10)
    check(resumed >= 5, "only", resumed, "runs had something to go on from")


def test_a_kill_while_saving_leaves_nothing():
    with Folder() as folder:
        (folder.path / "yut-pieces-1.table.part.tmp").write_bytes(b"half a checkpoint")
        (folder.path / "yut-pieces-1.table.tmp").write_bytes(b"half a table")
        solved(folder, SMALL)
        check(folder.names() == ["yut-pieces-1.table"], "left:", folder.names())


def stop_after(folder, options, number, saves):
    """Sends a solve the signal once it has saved so many checkpoints; how it ended."""
    process = folder.start(f"solve yut {options} --checkpoint 0 --json")
    wait_until_it_works(process)
    seen = set()

    def saved():
        for path in folder.path.glob("*.part"):
            try:
                seen.add(path.stat().st_mtime_ns)
            except FileNotFoundError:  # it was just removed
                pass
        return len(seen) >= saves or process.poll() is not None

    wait_for(saved, "checkpoints")
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_a_signal_stops_it():
    for number, saves, options in ((signal.SIGINT, 0, SMALL), (signal.SIGTERM, 1, SMALL),
                                   (signal.SIGHUP, 5, SMALL), (signal.SIGINT, 10, LONGER),
                                   (signal.SIGTERM, 30, LONGER)):
        with Folder() as alone:
            expected = solved(alone, options)
        name = pathlib.Path(expected["table"]).name
        with Folder() as folder:
            for _ in range(5):
                code, out, err = stop_after(folder, options, number, saves)
                if code != 0:
                    break
                (folder.path / name).unlink()  # it was over before: once more
            check(code == 5, number, "exit code", code, out, err)
            check(json.loads(out)["error"]["code"] == "stopped", out)
            check(b"resumes it" in out or b"resumes it" in err, "not a word of resuming:", out, err)
            check(folder.names() == [f"{name}.part"], "left:", folder.names())
            # With another interval it is the same work.
            same_outcome(solved(folder, f"{options} --checkpoint 1e4"), expected)
            check(folder.names() == [name], "left:", folder.names())


def phase_of(part):
    """What a checkpoint says is being done; -1 when there is none."""
    try:
        with open(part, "rb") as file:
            file.seek(CHECKPOINT_HEAD)
            return struct.unpack("<i", file.read(4))[0]
    except (FileNotFoundError, struct.error):
        return -1


def test_mending_goes_on():
    """Bounds that the proof found too close are mended by sweeps of their own; one that is stopped
    among them goes on there."""
    if QUICK:
        return
    with Folder() as alone:
        expected = solved(alone, LONGER)
    name = pathlib.Path(expected["table"]).name
    with Folder() as folder:
        part = folder.path / f"{name}.part"
        for _ in range(20):
            process = folder.start(f"solve yut {LONGER} --checkpoint 0 --json")
            wait_for(lambda: phase_of(part) == MENDING or process.poll() is not None, "mending")
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
            if phase_of(part) == MENDING:
                break
            for path in folder.path.iterdir():  # it was past that: once more
                path.unlink()
        check(phase_of(part) == MENDING, "it was never stopped while mending")
        same_outcome(solved(folder, LONGER), expected)


def test_a_stopped_solve_says_how_to_go_on():
    with Folder() as folder:
        process = folder.start(f"solve yut {LONGER} --checkpoint 0")
        wait_until_it_works(process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        check(process.returncode == 5 and out == b"", process.returncode, out)
        check(err.count(b"\n") == 1 and b"the same command resumes it" in err, err)
        result = folder.malpan(f"solve yut {LONGER}")
        check(result.code == 0 and b"resuming from" in result.err, result.err)
        check(result.err.count(b"\n") == 1 and result.out.count(b"\n") == 2, result.out)


def test_a_second_signal_ends_it_at_once():
    killed = 0
    with Folder() as folder:
        for _ in range(20):
            process = folder.start(f"solve yut {LONGER} --checkpoint 0")
            wait_until_it_works(process)
            process.send_signal(signal.SIGINT)
            # Once the first has been noticed, the next one is not caught any more.
            wait_for(lambda: not catches(process, signal.SIGINT), "the first signal")
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
            check(process.returncode in (5, -signal.SIGINT), "exit code", process.returncode)
            killed += process.returncode == -signal.SIGINT
            if killed:
                break
        check(killed > 0, "the second signal always came too late")
        solved(folder, LONGER)
        check(len(folder.names()) == 1, "left:", folder.names())


def test_small_machines_are_told():
    with Folder() as folder:
        refused(folder.malpan("solve yut --pieces 2 --memory 5M"), 3, "MB of memory", "5 MB")
        refused(folder.malpan("solve yut --pieces 4 --memory 100M"), 3, "MB of memory", "100 MB")
        solved(folder, SMALL)
        refused(folder.malpan(f"verify yut {SMALL} --full --memory 1M"), 3, "MB", "--sample")
        check(folder.names() == ["yut-pieces-1.table"], "left:", folder.names())


def test_files_stand_in_for_memory():
    """What memory has no room for goes to files without names; the table comes out the same."""
    with Folder() as folder, Folder() as other:
        rules = "--pieces 2 --threads 2" + (" --eps 1e-3" if QUICK else "")
        needs = folder.malpan(f"solve yut {rules} --memory 1M").err
        memory = f"{int(re.search(rb'takes ([0-9]+) MB of memory', needs)[1]) + 1}M"
        whole = solved(folder, rules)
        process = other.start(f"solve yut {rules} --memory {memory} --json")
        maps, seen = pathlib.Path(f"/proc/{process.pid}/maps"), 0
        while process.poll() is None:
            try:
                here = str(other.path)
                seen = max(seen, sum("(deleted)" in line and here in line
                                     for line in maps.read_text().splitlines()))
            except OSError:
                break
        out, err = process.communicate()
        check(process.returncode == 0, "exit code", process.returncode, err)
        check(seen >= 2, "files seen:", seen)  # the rows of long lists, and the corrections
        same_outcome(json.loads(out), whole)
        check(other.names() == ["yut-pieces-2.table"], other.names())


def test_nowhere_to_write():
    with Folder() as folder:
        (folder.path / "file").write_text("not a folder\n")
        (folder.path / "folder").mkdir()
        for target in ("file/x.table", "folder", "/dev/full", "/proc/x.table", "/proc/no/x.table"):
            result = folder.malpan(f"solve yut {SMALL} -o {target}", cwd=folder.path)
            refused(result, 1)
        check(folder.names() == ["file", "folder"], "left:", folder.names())
        if os.getuid() != 0:  # the super-user may write anywhere
            (folder.path / "folder").chmod(0o555)
            refused(folder.malpan(f"solve yut {SMALL} -o folder/x", cwd=folder.path), 1,
                    "Permission denied")


def little_room():
    """For a new process: files of more than 2000 bytes cannot be written."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))


def test_a_disk_that_gets_full():
    with Folder() as folder:
        expected = table_of(folder, SMALL).read_bytes()
        for options in ("--again", "--again --checkpoint 0"):
            refused(folder.malpan(f"solve yut {SMALL} {options}", preexec_fn=little_room), 1,
                    "cannot write", "File too large")
        # The old table is still there, and nothing else.
        check(folder.names() == ["yut-pieces-1.table"], "left:", folder.names())
        check((folder.path / "yut-pieces-1.table").read_bytes() == expected, "another table")


def test_wrong_usage():
    with Folder() as folder:
        for eps in ("x", "0", "-1", "1e-9", "0.6", "nan", "inf", "1e-6x", "0x1p-20"):
            refused(folder.malpan(f"solve yut {SMALL} --eps={eps}"), 2, "--eps")
        for seconds in ("x", "-1", "nan", "1e9"):
            refused(folder.malpan(f"solve yut {SMALL} --checkpoint={seconds}"), 2, "--checkpoint")
        refused(folder.malpan(f"verify yut {SMALL} --sample 10 --full"), 2, "--sample", "--full")
        refused(folder.malpan(f"verify yut {SMALL} --sample 0"), 2, "--sample")
        refused(folder.malpan("solve box"), 3, "needs no table")
        refused(folder.malpan("verify box"), 3, "needs no table")
        refused(folder.malpan("solve yut --players 3"), 3)
        refused(folder.malpan(f"verify yut {SMALL}"), 4, quoted(folder.path / "yut-pieces-1.table"),
                "`malpan solve yut --pieces 1` makes one (less than 1 s", "of memory", "of disk)")
        check(folder.names() == [], "left:", folder.names())


def test_output():
    with Folder() as folder:
        expected = solved(folder, SMALL)
        for name in ("x", "./y.table", "new/folder/z"):
            found = report(folder.malpan(f"solve yut {SMALL} -o {name} --json", cwd=folder.path))
            check(found["table"] == name, found["table"])
            same_outcome(found, expected)
            result = report(folder.malpan(f"verify yut {SMALL} --table {name} --sample 7 --json",
                                          cwd=folder.path))
            check(result["checked"] == 7, result)
        check(folder.names() == ["new", "x", "y.table", "yut-pieces-1.table"], folder.names())


def test_output_that_is_not_utf8():
    """A file name may be any bytes; in JSON the others are question marks."""
    with Folder() as folder:
        name = os.fsencode(folder.path) + b"/\xff\n.table"
        for again in ([], ["--again"]):
            for _ in range(2):  # solved, and there already
                found = report(run(MALPAN, "solve", "yut", *SMALL.split(), "-o", name, "--json", *again,
                                   env=folder.env))
                check(found["table"] == f"{folder.path}/??.table", found)
        check(os.path.exists(name), folder.names())


def test_a_checkpoint_of_other_work():
    with Folder() as folder:
        name = "yut-pieces-1.table.part"
        process = folder.start(f"solve yut {SMALL} --checkpoint 0 --eps 1e-5")
        wait_until_it_works(process)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        check(folder.names() == [name], "left:", folder.names())
        kept = (folder.path / name).read_bytes()
        refused(folder.malpan(f"solve yut {SMALL} -q"), 4, "is for other work; remove it")
        check((folder.path / name).read_bytes() == kept, "the checkpoint has changed")
        # And one that is damaged.
        (folder.path / name).write_bytes(kept[:-1])
        refused(folder.malpan(f"solve yut {SMALL} -q --eps 1e-5"), 4, "damaged; remove it")
        check((folder.path / name).read_bytes() == kept[:-1], "the checkpoint has changed")
        (folder.path / name).write_bytes(kept)
        solved(folder, f"{SMALL} --eps 1e-5")
        check(folder.names() == ["yut-pieces-1.table"], "left:", folder.names())


def test_pipes_are_refused():
    """A pipe in place of a file is refused or left alone, and nobody waits for its other end."""
    for game, table in ((f"yut {SMALL}", "yut-pieces-1.table"),
                        ("valley --soldiers 1", "valley-soldiers-1.table")):
        for pipe, code, word in ((table, 1, None), (f"{table}.tmp", 1, "temporary file"),
                                 (f"{table}.part", 4, "remove it"),
                                 (f"{table}.part.tmp", 1, "temporary file")):
            with Folder() as folder:
                os.mkfifo(folder.path / pipe)
                refused(folder.malpan(f"solve {game} -q --checkpoint 0"), code,
                        "not a regular file", word or quoted(folder.path / table))
                check((folder.path / pipe).is_fifo() and folder.names() == [pipe], folder.names())
                if pipe == table:
                    refused(folder.malpan(f"verify {game}"), 4, "not a regular file")
    # Without a checkpoint there is no need for the last of them.
    with Folder() as folder:
        os.mkfifo(folder.path / "yut-pieces-1.table.part.tmp")
        solved(folder, SMALL)


def test_a_damaged_table_is_replaced_on_request():
    with Folder() as folder:
        expected = solved(folder, SMALL)
        table = pathlib.Path(expected["table"])
        table.write_bytes(b"damaged")
        refused(folder.malpan(f"solve yut {SMALL}"), 4, quoted(table), "--again replaces it")
        check(table.read_bytes() == b"damaged", "the file was changed")
        same_outcome(solved(folder, f"{SMALL} --again"), expected)


def test_a_table_that_exists_is_reported():
    """Not recomputed, unless that is asked for or it is not as accurate as wanted."""
    with Folder() as folder:
        first = solved(folder, SMALL)
        table = pathlib.Path(first["table"])
        made = table.stat().st_mtime_ns
        again = solved(folder, SMALL)
        check(again["existed"] is True and "seconds" not in again and "existed" not in first, again)
        for field in ("checksum", "error_bound", "positions", "bytes", "table"):
            check(again[field] == first[field], field, again)
        line = folder.malpan(f"solve yut {SMALL} --eps 0.01")
        check(line.code == 0 and line.err == b"", line.err)
        words = line.out.decode()
        check(words.startswith("the table exists: ") and words.count("\n") == 1, words)
        for part in (str(table), "error bound ", first["checksum"], "--again recomputes it"):
            check(part in words, words)
        check(table.stat().st_mtime_ns == made, "it was solved again")
        same_outcome(solved(folder, f"{SMALL} --again"), first)
        check(table.stat().st_mtime_ns != made, "it was not solved again")
        coarse = solved(folder, f"{SMALL} --eps 0.1 --again")
        check(coarse["error_bound"] > 1e-4, coarse)
        check("existed" in solved(folder, f"{SMALL} --eps 0.1"), "it is as accurate as wanted")
        same_outcome(solved(folder, SMALL), first)
        # Not the file of another variant, either.
        refused(folder.malpan(f"solve yut --pieces 2 -o {table}"), 4, "--again replaces it")


def test_nearly_the_smallest_error():
    """Little more than rounding allows: bounds are kept in the smallest units there are."""
    with Folder() as folder:
        found = solved(folder, f"{SMALL} --eps 1.5e-7")
        check(0 < found["error_bound"] <= 1.5e-7, found)


def test_the_error_that_would_do():
    """An error that is refused as too small comes with one that is not."""
    with Folder() as folder:
        for error in ("1e-8", "5e-8", "1e-7"):
            refusal = folder.malpan(f"solve yut {SMALL} --again --eps {error}")
            found = re.search(rb"less than rounding allows; (\S+) would do", refusal.err)
            check(refusal.code == 3 and found, refusal.code, refusal.err)
            enough = found.group(1).decode()
            check(solved(folder, f"{SMALL} --again --eps {enough}")["error_bound"] <= float(enough))


def test_odds_that_mostly_repeat():
    """Six throws in ten throw again: proven. More than eight in ten: refused before any work, with the reason."""
    with Folder() as folder:
        found = solved(folder, "--pieces 1 --odds 1,1,1,1,3,3")
        check(found["error_bound"] <= 1e-6, found)
        value = folder.malpan("eval yut --pieces 1 --odds 1,1,1,1,3,3 --value")
        check(value.out == b"0.569097\n", value.out, value.err)
        refused(folder.malpan("solve yut --pieces 2 --odds 1,1,1,1,10,10"), 3, "throws again so often", "0.83")


def test_exact_values_have_no_error_to_choose():
    with Folder() as folder:
        refused(folder.malpan("solve valley --soldiers 1 --eps 0.1"), 2, "--eps", "exact")
        check(folder.names() == [], "left:", folder.names())
        for existed in (False, True):  # nothing is more accurate
            answer = report(folder.malpan("solve valley --soldiers 1 --json"))
            check(("existed" in answer) == existed, answer)


def test_a_preset_does_not_undo_an_option():
    """The number of pieces counts, wherever the preset stands: a small table, not one of 15 GB."""
    with Folder() as folder:
        for number, options in enumerate(("--pieces 1 --preset plain", "--preset plain --pieces 1")):
            answer = report(folder.malpan(f"solve yut {options} --json"))
            check(answer["rules"]["pieces"] == 1 and answer["positions"] < 1000, answer)
            check(("existed" in answer) == (number > 0), answer)


def main():
    if sys.argv[2:] == ["--slow"]:
        return run_tests("solve", {"test_slow_kills": slow_kills}, [])
    return run_tests("solve", globals(), sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
