#!/usr/bin/env python3
"""malpan-mpi: several ranks on this machine, against malpan, one process.

usage: tests/mpi.py FOLDER [NAME ...]      FOLDER holds malpan and malpan-mpi
"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from driving import ENVIRONMENT, PATIENCE, check, default_signals, run, run_tests, wait_for

FOLDER = os.path.abspath(sys.argv[1])
MALPAN = os.path.join(FOLDER, "malpan")
MALPAN_MPI = os.path.join(FOLDER, "malpan-mpi")
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe"]
RANKS = (1, 2, 3, 4, 7)
SLOW = "SLOW" in os.environ
LONGEST = "solve valley --soldiers 2 --threads 1"


def on_ranks(count, line, **options):
    """Runs malpan-mpi on so many ranks to its end."""
    return run(*MPIRUN, "-n", str(count), MALPAN_MPI, *line.split(), **options)


def alone(line, **options):
    """What malpan prints."""
    done = run(MALPAN, *line.split(), **options)
    check(done.code == 0, line, done.code, done.err)
    return done.out


def table_in(folder):
    """The bytes of the only file there."""
    files = list(pathlib.Path(folder).iterdir())
    check(len(files) == 1, "not one file:", files)
    return files[0].read_bytes()


def solved_alone(soldiers):
    """The bytes of the table that malpan makes."""
    with tempfile.TemporaryDirectory() as folder:
        alone(f"solve valley --soldiers {soldiers} --tables {folder}")
        return table_in(folder)


def refused(result, code, *words):
    """Expects this exit code, nothing on standard output, and these words once on standard error:
    from rank 0. mpirun adds some of its own."""
    check(result.code == code, "exit code", result.code, "not", code, result.err)
    check(result.out == b"", "standard output is not empty:", result.out)
    for word in words:
        check(result.err.count(word.encode()) == 1, f"'{word}' is not once in:", result.err)


def test_tables_do_not_depend_on_ranks():
    for soldiers in (0, 1, 2, 3) if SLOW else (0, 1, 2):
        expected = solved_alone(soldiers)
        for ranks in RANKS:
            with tempfile.TemporaryDirectory() as folder:
                line = f"solve valley --soldiers {soldiers} --tables {folder} --threads {1 + ranks % 2}"
                done = on_ranks(ranks, line)
                check(done.code == 0, line, done.code, done.err)
                check(done.out.count(b"checksum") == 1, "not from rank 0 alone:", done.out)
                check(table_in(folder) == expected, ranks, "ranks make another table")


def test_results_do_not_depend_on_ranks():
    with tempfile.TemporaryDirectory() as folder:
        for line in ("match yut greedy random --games 100 --pieces 2",
                     "match valley minimax:2 random --games 20 --soldiers 1 --json",
                     "rate yut greedy --pieces 1 --positions 100", "stats race --games 20000",
                     "stats box --perfect --games 100 --json", "stats dice --all"):
            line += f" --tables {folder}"
            expected = alone(line)
            for ranks in RANKS if SLOW else (1, 3, 7):
                done = on_ranks(ranks, line)
                check(done.code == 0 and done.out == expected, ranks, "ranks:", line, done.code,
                      done.out, "not", expected, done.err)


def workers_of(process):
    """The processes that compute: children of the children of mpirun."""
    def children(pid):
        try:
            return [int(child) for child in
                    pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        except OSError:  # it has ended
            return []
    return [worker for parent in children(process.pid) for worker in children(parent)]


def start(folder, ranks):
    return subprocess.Popen([*MPIRUN, "-n", str(ranks), MALPAN_MPI, *LONGEST.split(), "--tables",
                             folder, "--checkpoint", "0"], env=ENVIRONMENT, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, preexec_fn=default_signals)


def written(folder):
    """When the last checkpoint was written; 0: there is none."""
    try:
        return pathlib.Path(folder, "valley-soldiers-2.table.part").stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def saved(folder, process, before=0):
    """Waits for a checkpoint other than that before, or the end of the run. Then all ranks work:
    mpirun may hang if a rank dies while MPI starts, whatever the program."""
    wait_for(lambda: written(folder) not in (0, before) or process.poll() is not None,
             "a checkpoint")


def test_a_killed_rank_ends_the_job_which_can_be_resumed():
    expected = solved_alone(2)
    moments = random.Random(3)
    with tempfile.TemporaryDirectory() as folder:
        kills = 0
        for ranks in RANKS[1:] * (5 if SLOW else 1):
            before = written(folder)
            process = start(folder, ranks)
            saved(folder, process, before)
            time.sleep(moments.uniform(0, 0.2))
            workers = workers_of(process)
            if len(workers) == ranks:
                os.kill(moments.choice(workers), signal.SIGKILL)
                kills += 1
            _, err = process.communicate(timeout=PATIENCE)
            if process.returncode == 0:  # it came to its end first
                check(table_in(folder) == expected, "another table")
                pathlib.Path(folder, "valley-soldiers-2.table").unlink()
                continue
            check(process.returncode == 5, "exit code", process.returncode, err)
            check(b"was ended by signal 9; the same command resumes" in err, err)
        check(kills >= 2, "only", kills, "ranks were killed")
        done = on_ranks(2, f"{LONGEST} --tables {folder}")
        check(done.code == 0, done.code, done.err)
        check(table_in(folder) == expected, "another table after resuming")


def test_one_process_resumes_what_ranks_began():
    expected = solved_alone(2)
    with tempfile.TemporaryDirectory() as folder:
        process = start(folder, 3)
        saved(folder, process)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        check(process.returncode != 0, "it was not stopped")
        done = run(MALPAN, *LONGEST.split(), "--tables", folder)
        check(done.code == 0 and b"resuming from" in done.err, done.code, done.err)
        check(table_in(folder) == expected, "another table after resuming")


def unlike(*ranks):
    """Runs a job whose ranks have these commands."""
    command = list(MPIRUN)
    for words in ranks:
        command += ([":"] if len(command) > len(MPIRUN) else []) + ["-n", "1", *words]
    return run(*command)


def test_ranks_that_differ_are_named():
    with tempfile.TemporaryDirectory() as folder:
        other = os.path.join(folder, "malpan-mpi")
        shutil.copy(MALPAN_MPI, other)
        with open(other, "ab") as file:
            file.write(b"another build")
        tables = os.path.join(folder, "tables")
        solve = ["solve", "valley", "--tables", tables, "--soldiers"]
        refused(unlike([MALPAN_MPI, *solve, "1"], [MALPAN_MPI, *solve, "1"], [other, *solve, "1"]), 2,
                "rank 2 on ", "another program than rank 0")
        refused(unlike([MALPAN_MPI, *solve, "1"], [MALPAN_MPI, *solve, "2"]), 2, "rank 1 on ",
                "other arguments than rank 0")
        refused(unlike([MALPAN_MPI, *solve, "2", "--memory", "1G"],
                       [MALPAN_MPI, *solve, "2", "--memory", "1M"]), 3, "rank 1 on ",
                "MB of memory", "--memory")
        check(not os.path.exists(tables) or os.listdir(tables) == [], "files were written")
        done = unlike([MALPAN_MPI, *solve, "1", "--memory=1G", "--threads", "1"],
                      [MALPAN_MPI, *solve, "1", "--memory", "2G"])
        check(done.code == 0, done.code, done.err)


def test_what_ranks_cannot_share_is_refused():
    refused(on_ranks(2, "solve yut --pieces 1"), 3, "solved by one process")
    refused(on_ranks(2, "eval box"), 3, "for eval use malpan")
    refused(on_ranks(2, "valley facts"), 2, "malpan: ")
    refused(on_ranks(2, ""), 2, "expected solve, match, rate or stats")
    refused(on_ranks(2, "match box random"), 2, "expected two players")
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "file")
        pathlib.Path(file).touch()
        done = on_ranks(3, f"solve valley --soldiers 1 --output {file}/table")
        check(done.code == 1 and done.out == b"", done.code, done.err)


if __name__ == "__main__":
    sys.exit(run_tests("mpi", globals(), sys.argv[2:]))
