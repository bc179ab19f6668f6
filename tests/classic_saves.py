#!/usr/bin/env python3
"""The files of the classic game: kills and failures while saving, several programs, damaged lines.

usage: tests/classic_saves.py FOLDER [NAME ...]      FOLDER holds yunnori
"""
import itertools
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from classic_game import ANIMAL, BEFORE, GO_ON, PROGRAM, RESUME, SELDOM, lines, log_in, place
from driving import ENVIRONMENT, PATIENCE, check, run_tests, same, wait_for


def saving_words(pairs):
    """What is typed to save new games of these players: each throws do, moves it and saves."""
    words = []
    for first, second, animals, there in pairs:
        words += log_in(first, second) + ["1"] + ["0"] * there + [str(a) for a in animals]
        words += ["0", "do", "1"]
    return words


def test_killed_while_saving():
    """A thousand times: the file is the whole old or new one, other lines as they were."""
    choose = random.Random(5)
    others = BEFORE.splitlines(True)[0] + b"not a game \xff\n" + b"".join(
        b"A%d B%d | A%d 0 0 0 0 %d | B%d 1 0 0 0 0 | 1\r\n" % (i, i, i, i % 29 + 1, i)
        for i in range(300))
    animals = list(itertools.product(range(4), range(4))) * 30
    whole = {others + f"Noah Liam | Noah {a} 0 0 0 1 | Liam {b} 0 0 0 0 | 1\n".encode()
             for a, b in animals}
    seen = set()
    with place(saves=others) as here, open(os.path.join(here.path, "errors"), "w+b") as errors:
        here.run("advanced", "--throws", "do",
                 stdin=lines(saving_words([("Noah", "Liam", (0, 0), False)])))
        check(here.saves() in whole)
        here.write("words", lines(
            saving_words(("Noah", "Liam", both, True) for both in animals)).encode())
        here.write("throws", b"do\n" * len(animals))
        command = [PROGRAM, "advanced", "--throws-from", "throws"]

        def stamp():
            status = os.stat(here.saves_path)
            return status.st_ino, status.st_mtime_ns

        for _ in range(1000 // SELDOM):
            before = stamp()
            with open(os.path.join(here.path, "words"), "rb") as words:
                process = subprocess.Popen(command, stdin=words, stdout=subprocess.DEVNULL,
                                           stderr=errors, cwd=here.path, env=ENVIRONMENT)
            wait_for(lambda: stamp() != before or process.poll() is not None, "a save")
            time.sleep(choose.uniform(0, 0.004))
            process.kill()
            process.wait()
            content = here.saves()
            check(content in whole, "neither old nor new:", len(content), content[-200:])
            seen.add(content)
        errors.seek(0)
        complaints = set(errors.read().splitlines())
    check(all(b"line 2: " in line for line in complaints), complaints)
    check(len(seen) > 1, "no kill came between two saves")


def save_at_once(*paths):
    """A program for each path, saving a hundred different games each: every one is there."""
    users = lines(f"{letter}{i} secret" for letter in "ABCD" for i in range(16))
    with place(users=users.encode()) as here:
        os.mkdir(os.path.join(here.path, "other"))
        os.symlink("../game_info.txt", os.path.join(here.path, "other", "link"))
        jobs, expected = [], BEFORE.decode().splitlines()
        for letter, path in zip("ABCD", paths):
            pairs = list(itertools.combinations([f"{letter}{i}" for i in range(16)], 2))
            expected += [f"{a} {b} | {a} 0 0 0 0 1 | {b} 3 0 0 0 0 | 1" for a, b in pairs]
            words = saving_words((*pair, (0, 3), False) for pair in pairs)
            here.write(letter, lines(words).encode())
            with open(os.path.join(here.path, letter), "rb") as file:
                jobs.append(subprocess.Popen(
                    [PROGRAM, "advanced", "--throws", "do," * len(pairs), "--saves", path],
                    stdin=file, stdout=subprocess.DEVNULL, cwd=here.path, env=ENVIRONMENT))
        check([job.wait(PATIENCE) for job in jobs] == [0] * len(jobs))
        found = here.saves().decode().splitlines()
        lost = set(expected) - set(found)
        check(not lost, len(lost), "games lost, such as", sorted(lost)[:3])
        check(found[:2] == expected[:2] and len(found) == len(expected), "other lines:", found[:4])
        check(os.path.islink(os.path.join(here.path, "other", "link")), "the link was replaced")


def test_saving_at_once():
    """Two programs, several times, and four."""
    for _ in range(3):
        save_at_once("game_info.txt", "./game_info.txt")
    save_at_once(*["game_info.txt"] * 4)


def test_saving_at_once_through_a_link():
    """One file under two names."""
    save_at_once("game_info.txt", "other/link")


def fails_to_save(here, *arguments, clear=(), first=0, **options):
    """Cannot save twice when asked to and once at the end: a line each, and the game goes on."""
    listing = sorted(os.listdir(here.path))
    before = here.saves() if os.path.isfile(here.saves_path) else None
    words = log_in("Noah", "Ava") + ["1", "0", "1", "0", "do", "1", "1", "0", "0", "gae"]
    result = here.run("advanced", "--throws", "do,gae", *arguments, stdin=lines(words), **options)
    out, complaints = result.out.decode(), result.err.decode().splitlines()
    check(result.code == 0 and len(complaints) == first + 3, result.code, complaints)
    for line in complaints:
        check(line.startswith("yunnori: ") and any(word in line for word in clear), line)
    check(out.count(GO_ON * 3 + "[ ] - ") == 1 and out.endswith(GO_ON), out[-300:])
    check("saved successfully" not in out and "Player 1 Ava turn" in out)
    check(before is None or here.saves() == before, "the old file changed")
    same(sorted(os.listdir(here.path)), listing, "files")


def test_cannot_save():
    """No folder, no folder there, a folder in its place, a full disk."""
    def full(size):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    with place() as here:
        fails_to_save(here, "--saves", "no/such/game_info.txt", clear=["No such file"])
        fails_to_save(here, "--saves", "user_info.txt/game_info.txt", clear=["Not a directory"])
        fails_to_save(here, "--saves", ".", clear=["irectory", "regular"], first=1)
        fails_to_save(here, preexec_fn=lambda: full(100), clear=["File too large"])
    with place(saves=None) as here:
        fails_to_save(here, preexec_fn=lambda: full(0), clear=["File too large"])


def test_read_only_folder():
    """As anybody but root, who may write everywhere."""
    with place() as here, tempfile.TemporaryDirectory() as folder:
        program = shutil.copy(PROGRAM, folder)
        os.chmod(folder, 0o755)
        os.chmod(here.path, 0o555)
        try:
            fails_to_save(here, clear=["Permission denied"], program=program,
                          user=65534 if os.getuid() == 0 else None)
        finally:
            os.chmod(here.path, 0o755)


def test_cannot_read_users():
    """A clear line, the login fails, and the menu comes again."""
    for users, word in [("missing", "No such file"), (".", "irectory"), ("no/where", "No such")]:
        with place() as here:
            words = log_in("Noah", "Ava") + ["3"]
            result = here.run("advanced", "--users", users, stdin=lines(words))
        check(result.code == 0 and result.out.count(b"Login Failed!\n") == 2, result.out)
        check(result.err.count(b"\n") == 2 and word.encode() in result.err, result.err)
        check(f"'{users}'".encode() in result.err, result.err)


def test_bad_lines_of_users():
    """Reported with their numbers; the good ones work, with any line end."""
    users = (b"\nAda one\r\nlonely\n  \n\r\nthree words here\nBo  two\n\xff\xfe\n" + b"i" * 100 +
             b" pw\n\0\nCy\tthree\n" + b"w" * 100000 + b"\nDi four")
    with place(users=users) as here:
        words = ["2", "Ada", "one", "2", "Bo", "two", "2", "Cy", "three", "2", "Di", "four", "3"]
        result = here.run("advanced", stdin=lines(words))
        check(b"Logged-in ID List : Ada Bo Cy Di\n" in result.out, result.out[-300:], result.err)
        found = re.findall(r"^yunnori: 'user_info.txt', line (\d+): ", result.err.decode(), re.M)
        check(found == ["3", "6", "8", "9", "10", "12"] * 4, found)
        check(result.err.decode().count("\n") == len(found), result.err)
        for id_, password in [("lonely", "x"), ("three", "words"), ("Ada", "one\r"), ("", "")]:
            out = here.run("advanced", stdin=lines(["2", id_, password, "3"])).out
            check((b"Succeed" in out) == (id_ == "Ada"), id_)


GOOD = b"Noah Liam | Noah 0 0 0 0 5 | Liam 0 0 0 0 6 | 0"
BAD_LINES = [GOOD.replace(good, bad) for good, bad in [
    (GOOD, b"nonsense"), (GOOD, b"|"), (GOOD, b"\xff\xfe\x80"), (GOOD, b"\0"), (GOOD, GOOD * 9999),
    (b" | Noah 0 0 0 0 5 | Liam 0 0 0 0 6 | 0", b""), (b"6 | 0", b"6"), (b"6 | 0", b"6 | 2"),
    (b"6 | 0", b"6 | -1"), (b"6 | 0", b"6 | 0 0"), (b"6 | 0", b"6 | x"), (b"6 | 0", b"6 | 0\0"),
    (b"| Noah 0", b"| Noah 4"), (b"0 5", b"0 30"), (b"0 5", b"0 101"), (b"0 5", b"0 -1"),
    (b"0 5", b"5"), (b"0 5", b"0 0 5"), (b"0 5", b"5 0"), (b"0 5", b"0 6"), (b"0 5", b"0 1e1"),
    (b"0 5", b"0 18446744073709551621"), (b"0 0 0 5", b"100 100 100 100"), (b"| Noah", b"| Ava"),
    (b"| Noah 0 0 0 0 5", b"| Noah 3 0 0 0 10"), (b"Liam", b"Noah"), (b" | Liam 0 0 0 0 6", b""),
    (b"Noah Liam |", b"Noah Liam Ava |"), (b"Noah Liam |", b"Noah |"), (b" | ", b" "),
    (b"Noah Liam |", b"Noah Liam Noah |"),
    (b"Noah Liam | Noah 0 0 0 0 5 | Liam", b"Noah Liam Noah | Noah 0 0 0 0 5 | Liam 0 0 0 0 7 | Noah"),
]]


def test_bad_lines_of_saves():
    """Reported with their numbers, never used, kept byte for byte when the file is rewritten."""
    check(len(set(BAD_LINES) - {GOOD}) == len(BAD_LINES), "a line stands there twice")
    text = BEFORE.splitlines(True)[0] + b"\n" + b"".join(line + b"\n" for line in BAD_LINES)
    words = log_in("Noah", "Liam") + ["1", "0", "0", "0", "do", "1", "3"]
    with place(saves=text) as here:
        result = here.run("advanced", "--throws", "do", stdin=lines(words))
        found = re.findall(r"^yunnori: 'game_info.txt', line (\d+): ", result.err.decode(), re.M)
        check(found == [str(i + 3) for i in range(len(BAD_LINES))], found)
        check(result.err.count(b"\n") == len(found) and result.code == 0, result.err)
        check(RESUME.encode() not in result.out and b"Game saved successfully!\n" in result.out)
        saved = b"Noah Liam | Noah 0 0 0 0 1 | Liam 0 0 0 0 0 | 1\n"
        same(here.saves(), text + saved)


def test_a_set_twice():
    """The last line counts, and saving removes both."""
    other = BEFORE.splitlines(True)[0]
    first = b"Noah Liam | Noah 0 0 0 0 1 | Liam 0 0 0 0 2 | 0\n"
    last = b"Liam Noah | Liam 1 0 0 0 3 | Noah 2 0 0 0 4 | 1\n"
    with place(saves=first + other + last + b"Noah\n") as here:
        words = log_in("Noah", "Liam") + ["1", "1"]
        result = here.run("advanced", "--throws", "do", stdin=lines(words + ["0", "do", "1", "3"]))
        check(b"Liam(dog) Noah(sheep)\n" in result.out and b"Player 1 Noah turn\n" in result.out)
        same(here.saves(), other + b"Noah\n" +
             b"Liam Noah | Liam 1 0 0 0 3 | Noah 2 0 0 1 4 | 0\n")


def test_line_ends_of_saves():
    """CRLF, empty lines and no end at the last line."""
    other = BEFORE.splitlines()[0]
    words = log_in("Noah", "Liam") + ["1", "1", "0", "do", "1", "3"]
    mine = b"Noah Liam | Noah 0 0 0 0 1 | Liam 0 0 0 0 2 | 0"
    new = b"Noah Liam | Noah 0 0 0 1 1 | Liam 0 0 0 0 2 | 1\n"
    for before, after in [
        (mine + b"\r\n" + other + b"\r\n", other + b"\r\n" + new),
        (other + b"\n\n\n" + mine, other + b"\n\n\n" + new),
        (mine + b"\n" + other, other + b"\n" + new),
        (b"\n" + mine + b"\n\n" + other + b"\n\n", b"\n\n" + other + b"\n\n" + new),
        (b"\r\n" + mine + b"\r\n\r\n" + other, b"\r\n\r\n" + other + b"\n" + new),
    ]:
        with place(saves=before) as here:
            result = here.run("advanced", "--throws", "do", stdin=lines(words))
            check(RESUME.encode() in result.out, before)
            same(here.saves(), after, before)
            check(result.err == b"", before, result.err)


def test_saves_keep_their_permissions():
    """A file that others may not read stays so."""
    with place() as here:
        os.chmod(here.saves_path, 0o640)
        here.run("advanced", stdin=lines(log_in("Noah", "Ava") + ["1", "0", "0"]))
        check(here.saves() != BEFORE and os.stat(here.saves_path).st_mode & 0o777 == 0o640)


def test_a_win_removes_the_saved_game():
    """Only that of these players, in whatever order they stand."""
    other = BEFORE.splitlines(True)[0]
    saves = b"bad\n" + b"Liam Noah | Liam 0 0 0 0 1 | Noah 1 29 100 100 100 | 1\n" + other
    with place(saves=saves) as here:
        words = log_in("Noah", "Liam") + ["1", "1", "29", "do"]
        for end in [[], ["3"]]:
            here.write("game_info.txt", saves)
            result = here.run("advanced", "--throws", "do", stdin=lines(words + end))
            check(result.code == 0 and b"Player 1 win\n*****" in result.out)
            check(b"No player is logged in" in result.out.split(b"Player 1 win\n")[1])
            same(here.saves(), b"bad\n" + other)
        result = here.run("advanced", stdin=lines(log_in("Liam", "Noah") + ["1"]))
        check(RESUME.encode() not in result.out and result.out.endswith(ANIMAL.encode()))


if __name__ == "__main__":
    sys.exit(run_tests("classic_saves", dict(globals()), sys.argv[2:]))
