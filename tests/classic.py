#!/usr/bin/env python3
"""The classic game as its players meet it: samples, wrong answers, sudden ends, damaged files.

usage: tests/classic.py FOLDER [NAME ...]      FOLDER holds yunnori
"""
import collections
import fcntl
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
import termios
import time

from classic_game import (ANIMAL, BEFORE, GO_ON, ID, MENU, PASSWORD, PASSWORDS, PIECES, PLAYERS,
                          POSITION, PROGRAM, PROMPT, RESULTS, RESUME, USERS, YUT, Model, data,
                          lines, log_in, place, play_whole_game, sample, saves_after, without)
from driving import (ENVIRONMENT, PATIENCE, Talk, catches, check, default_signals, refused,
                     run_tests, same, wait_for)

SELDOM = 10 if "QUICK" in os.environ else 1  # under the sanitizers, one of so many
SAMPLES = ["basic-1", "basic-2", "advanced-1", "advanced-2"]



# --- the samples ---

def test_samples():
    """Byte for byte, with colour and without, and the saves after."""
    for name in SAMPLES:
        kind, words, throws, out, after = sample(name)
        for color, expected in [("never", out.encode()), ("always", data(name + ".color.out"))]:
            with place() as here:
                here.write("throws", throws.encode())
                for given in [["--throws", throws], ["--throws-from", "throws"]]:
                    here.write("game_info.txt", BEFORE)
                    result = here.run(kind, *given, f"--color={color}", stdin=lines(words))
                    same(result.out, expected, name, color)
                    check(result.code == 0 and result.err == b"", name, result.code, result.err)
                    same(here.saves(), after, name, "saves")
        if kind == "advanced":
            same(saves_after(words, throws, BEFORE.decode(), PASSWORDS), after.decode(), "model")


def test_white_space():
    """Any of it separates two words."""
    kind, words, throws, out, _ = sample("basic-1")
    for blank in ["\r\n", " ", "\t", "\v\f", "\n \n\n\t"]:
        with place() as here:
            result = here.run(kind, "--throws", throws, stdin=blank + blank.join(words))
        same(result.out.decode(), out, repr(blank))


def test_ascii_and_empty_rows():
    """Letters for the marks; a row with nothing to show as an empty line."""
    for name in SAMPLES:
        kind, words, throws, out, _ = sample(name)
        ascii_out = out.replace("□", "a").replace("■", "b")
        empty = out.replace("Not started : \nA", "Not started : \n\nA")
        empty = empty.replace("Arrived : \n-", "Arrived : \n\n-")
        for option, expected in [("--ascii", ascii_out), ("--empty-rows", empty)]:
            check(expected != out)
            with place() as here:
                result = here.run(kind, option, "--throws", throws, stdin=lines(words))
            same(result.out.decode(), expected, name, option)


def test_colour_at_a_terminal():
    """The whole of a sample at a terminal."""
    _, words, throws, out, _ = sample("basic-1")
    color_out = data("basic-1.color.out").decode()
    for env, expected in [({}, color_out), ({"NO_COLOR": ""}, color_out), ({"NO_COLOR": "1"}, out)]:
        with place() as here, here.terminal("basic", "--throws", throws, plain=True,
                                            env=env) as terminal:
            seen = terminal.read() + "".join(terminal.say(word) for word in words[:-1])
            terminal.type(words[-1])
            check(terminal.wait() == 0)
            same(seen + terminal.rest(), expected, env)


def test_asks_which():
    """The same question, whatever is answered; then the game."""
    with place() as here:
        nothing = here.run()
        question = nothing.out.decode()
        check(nothing.code == 0 and nothing.err == b"" and "\n" not in question, nothing.err)
        check("basic" in question and "advanced" in question, question)
        for number, name in [("1", "basic-1"), ("2", "advanced-1")]:
            _, words, throws, out, _ = sample(name)
            for wrong in [[], ["3", "x"]]:
                here.write("game_info.txt", BEFORE)
                typed = wrong + [number] + words
                result = here.run("--throws", throws, stdin=lines(typed))
                same(result.out.decode(), question * (len(wrong) + 1) + out)
                check(result.code == 0 and result.err.count(b"\n") == len(wrong), result.err)


# --- wrong answers ---

HUGE = b"9" * (1 << 20)
NEVER_GOOD = [b"x", b"-1", b"+1", b"1.0", b"0x1", b"99", b"18446744073709551617", b"\xff\xfe",
              b"\0", b"1\0", "１".encode(), b"%s%n", b"\x1b[31m", b"\xc3", b"1,", "윷".encode(),
              b"1" * 63]
WRONG = {PLAYERS: [b"1", b"5"], PIECES: [b"0", b"5"], ANIMAL: [b"4"], RESUME: [b"2"], GO_ON: [b"2"],
         POSITION: [b"30", b"100"], YUT: [b"DO", b"back", b"doo", b"1", b"back-do-"]}


def wrong_answers(kind, out, prompt, words, at, count):
    """Wrong answers to a prompt of a sample, those that the state makes wrong first."""
    name, special = prompt.group(), []
    if name == MENU:
        special = [b"0", b"3" if kind == "basic" else b"4"]
    if name in (POSITION, YUT):
        pieces = re.findall(r"Piece : (.*)\n", out[:prompt.start()])[-1].split()
        yuts = re.findall(r"Yut : (.*)\n", out[:prompt.start()])[-1].split()
        on_board = set(pieces) != {"0"}
        if name == POSITION:
            free = [str(s).encode() for s in range(30) if str(s) not in pieces]
            special = [free[at % len(free)]]
            if on_board and "0" in pieces and set(yuts) == {"back-do"}:
                special.append(b"0")
        else:
            missing = [r.encode() for r in RESULTS if r not in yuts]
            special = [missing[at % len(missing)]] if missing else []
            if on_board and words[at - 1] == "0" and "back-do" in yuts:
                special.append(b"back-do")
                count["back-do with 0"] += 1
    if count[name] == 0:
        special.append(HUGE)
    general = WRONG.get(name, []) + NEVER_GOOD
    count[name] += 1
    return special + [general[count[name] % len(general)]]


def test_wrong_answers():
    """At every prompt: one line each, the same prompt again, and otherwise the same game."""
    count = collections.Counter()
    for name in SAMPLES:
        kind, words, throws, out, after = sample(name)
        prompts = list(PROMPT.finditer(out))
        check(len(prompts) == len(words), name, len(prompts), len(words))
        typed, expected, wrong, last = [], "", [], 0
        for at, (prompt, word) in enumerate(zip(prompts, words)):
            answers = [] if prompt.group() in (ID, PASSWORD) else wrong_answers(
                kind, out, prompt, words, at, count)
            typed += answers + [word.encode()]
            wrong += answers
            expected += out[last:prompt.end()] + prompt.group() * len(answers)
            last = prompt.end()
        with place() as here:
            result = here.run(kind, "--throws", throws, stdin=b"\n".join(typed))
            saves = here.saves()
        same(result.out.decode(), expected + out[last:], name)
        check(result.code == 0)
        complaints = result.err.decode().splitlines()
        check(len(complaints) == len(wrong), name, len(complaints), "lines for", len(wrong))
        for line, answer in zip(complaints, wrong):
            check(line.startswith("yunnori: ") and len(line) < 300 and line.isprintable(), line)
            if len(answer) < 40 and answer.isalnum():
                check(f"'{answer.decode()}'" in line, answer, line)
        same(saves, after, name)
    check(all(count[p] for p in [*WRONG, MENU, "back-do with 0"]), count)


def test_back_do_on_0():
    """Refused with a piece on the board: alone in the list, and beside others."""
    with place() as here, here.talk("basic", "--throws", "do,gae,back-do,mo,back-do") as talk:
        talk.read()
        check("Piece : 0 1 \nYut : back-do \n" in talk.say("1", "2", "2", "0", "do", "0", "gae"))
        check(talk.say("0") == POSITION and len(talk.complaints()) == 1, talk.complaints())
        check("Piece : 0 2 \nYut : back-do mo \n" in talk.say("1", "back-do"))
        check(talk.say("0", "back-do") == YUT + YUT and len(talk.complaints()) == 2)
        check("Piece : 2 5 \nYut : back-do \n" in talk.say("mo"))


def test_ids_and_passwords_of_any_kind():
    """They are never refused, only wrong."""
    typed = b""
    odd = [word for word in NEVER_GOOD + [HUGE] for _ in range(2)]
    for id_, password in itertools.pairwise(odd):
        typed += b"2\n" + id_ + b"\n" + password + b"\n"
    with place() as here:
        result = here.run("advanced", stdin=typed + b"3\n")
    check(result.code == 0 and result.err == b"", result.err[:300])
    check(result.out.count(b"Login Failed!\n") == len(odd) - 1, result.out.count(b"Login Failed!"))


def test_long_words_count_whole():
    """What is beyond the first bytes of a word still belongs to it."""
    name, password, longer = "N" * 63, "p" * 63, "q" * 100
    with place(users=f"{name} {password}\nLiam {longer}\n".encode(), saves=None) as here:
        for typed, good in [([name, password], True), ([name, password + "x"], False),
                            ([name + "x", password], False), (["Liam", longer], True)]:
            out = here.run("advanced", stdin=lines(["2", *typed, "3"])).out
            check((b"Login Succeed!" in out) == good, list(map(len, typed)), "good:", good)


def test_long_numbers_count_whole():
    """Eighty zeros and a nine are nine, not zero."""
    nine = "0" * 80 + "9"
    with place(saves=None) as here:
        typed = log_in("Noah", "Liam") + ["1", "0", nine, "0", nine, "0", "do", nine]
        result = here.run("advanced", "--throws", "do", stdin=lines(typed))
    check(result.err.count(b"\n") == 3, "refused:", result.err.count(b"\n"), "of 3", result.err)


def test_long_lists():
    """Every throw joins the list, however many there are."""
    with place() as here:
        result = here.run("basic", "--throws", "mo," * 100 + "do", stdin="1\n2\n4\n")
    found = re.search(r"Yut : (.*)\n", result.out.decode())[1].split()
    check(found == ["do"] + ["mo"] * 100, f"{len(found)} results, not 101:", found)


# --- the end of the input, and signals ---

def test_end_of_input():
    """Everywhere: what comes out is the beginning of the sample, and the game is saved."""
    for name, step in [("basic-1", 1), ("basic-2", 3), ("advanced-1", 1), ("advanced-2", 4)]:
        kind, words, throws, out, _ = sample(name)
        prompts = list(PROMPT.finditer(out))
        with place() as here:
            for cut in range(0, len(words), step * SELDOM):
                here.write("game_info.txt", BEFORE)
                result = here.run(kind, "--throws", throws, stdin=lines(words[:cut]).rstrip("\n"))
                check(result.code == 0 and result.err == b"", name, cut, result.code, result.err)
                same(result.out.decode(), out[:prompts[cut].end()], name, cut)
                saves = BEFORE.decode()
                if kind == "advanced":
                    saves = saves_after(words[:cut], throws, saves, PASSWORDS)
                same(here.saves().decode(), saves, name, cut, "saves")


def test_resume_after_the_end_of_input():
    """The game goes on where the last turn began, whatever the order of logging in."""
    with place(saves=None) as here:
        new = log_in("Noah", "Ava", "Liam") + ["1", "1", "2", "3"]
        for words in [["0", "do", "0", "0", "mo", "5"], []]:
            here.run("advanced", "--throws", "do,mo,gae", stdin=lines(new + words))
            line = ("Noah Ava Liam | Noah 1 0 0 0 1 | Ava 2 0 0 0 0 | Liam 3 0 0 0 0 | 1\n" if words
                    else "Noah Ava Liam | Noah 1 0 0 0 0 | Ava 2 0 0 0 0 | Liam 3 0 0 0 0 | 0\n")
            same(here.saves().decode(), line)
            again = log_in("Liam", "Noah", "Ava") + ["1", "1"]
            out = here.run("advanced", "--throws", "do", stdin=lines(again)).out.decode()
            check("Logged-in ID List : Liam Noah Ava\n" in out and RESUME in out, out[-2000:])
            check("Noah(dog) Ava(sheep) Liam(cow)\n" in out, out[-2000:])
            check(f"Player {1 if words else 0} {'Ava' if words else 'Noah'} turn\n" in out)
            same(here.saves().decode(), line, "resumed")
            new = log_in("Noah", "Ava", "Liam") + ["1", "0", "1", "2", "3"]


def waiting_at(kinds=(MENU, ID, PASSWORD, RESUME, ANIMAL, POSITION, YUT, GO_ON)):
    """For each kind of prompt: a terminal where advanced-1 waits at one, and the saves expected."""
    _, words, throws, out, _ = sample("advanced-1")
    prompts = [prompt.group() for prompt in PROMPT.finditer(out)]
    for kind in kinds:
        cut = next((at for at in range(40, 14, -1) if prompts[at] == kind), prompts.index(kind))
        with place() as here, here.terminal("advanced", "--throws", throws) as terminal:
            terminal.read()
            for word in words[:cut]:
                terminal.say(word)
            expected = saves_after(words[:cut], throws, BEFORE.decode(), PASSWORDS)
            yield kind, terminal, lambda: same(here.saves().decode(), expected, kind)


def test_signals_and_keys():
    """At every prompt: saved, the terminal as before, dead of that signal."""
    stops = [(number, lambda t, n=number: t.process.send_signal(n))
             for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)]
    stops.append((signal.SIGINT, lambda t: os.write(t.master, b"\x03")))
    stops.append((0, lambda t: os.write(t.master, b"\x04")))
    for number, stop in stops:
        for kind, terminal, check_saves in waiting_at():
            stop(terminal)
            check(terminal.wait() == -number, kind, number, terminal.process.returncode)
            check(terminal.settings() == terminal.before, kind, number, "terminal changed")
            check_saves()


def test_ignored_signals():
    """What was ignored before, as by nohup, stays ignored."""
    def ignore():
        default_signals()
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with place() as here, Talk(PROMPT, [PROGRAM, "advanced"], cwd=here.path,
                               preexec_fn=ignore) as talk:
        talk.read()
        check(not catches(talk.process, signal.SIGHUP), "SIGHUP")
        check(catches(talk.process, signal.SIGTERM), "SIGTERM")


def test_half_a_word():
    """A word that a signal cut off is no answer, one that the input's end cut off is."""
    for end in [signal.SIGTERM, None]:
        with place(saves=None) as here, here.talk("advanced", "--throws", "do") as talk:
            talk.read()
            talk.say(*log_in("Noah", "Ava"), "1", "0", "0", "0")
            os.write(talk.input, b"do")
            wait_for(lambda: not any(fcntl.ioctl(talk.input, termios.FIONREAD, bytes(4))),
                     "an empty pipe")
            if end:
                talk.process.send_signal(end)
            else:
                talk.process.stdin.close()
            check(talk.wait() == (-end if end else 0), end, talk.process.returncode)
            same(here.saves(), b"Noah Ava | Noah 0 0 0 0 %d | Ava 0 0 0 0 0 | %d\n"
                 % ((0, 0) if end else (1, 1)), end)


def test_a_line_that_goes_dead():
    """The game is saved, whatever comes first, the signal or the end of the input."""
    for kind, terminal, check_saves in waiting_at():
        terminal.hang_up()
        check(terminal.wait() in (0, 1, -signal.SIGHUP), kind, terminal.process.returncode)
        check_saves()


def test_quit_key_leaves_the_terminal():
    """Control-\\ while a password is typed does not leave the terminal dark."""
    for _, terminal, _ in waiting_at([PASSWORD]):
        wait_for(lambda: terminal.settings() != terminal.before, "a hidden password")
        os.write(terminal.master, b"\x1c")
        terminal.wait()
        check(terminal.settings() == terminal.before, "the terminal no longer echoes")


def test_a_signal_while_input_never_pauses():
    """Input that is always there does not keep the program from being stopped."""
    with place() as here, open("/dev/zero", "rb") as zeros:
        process = subprocess.Popen([PROGRAM, "advanced"], stdin=zeros, stdout=subprocess.PIPE,
                                   cwd=here.path, env=ENVIRONMENT, preexec_fn=default_signals)
        try:
            while not process.stdout.readline().startswith(b"3. end"):
                pass
            process.stdout.read(len(MENU))
            process.terminate()
            check(process.wait(15) == -signal.SIGTERM, process.returncode)
        finally:
            process.kill()
            process.stdout.close()
            process.wait()


def test_passwords_are_hidden():
    """However fast they are typed; everything else is shown."""
    with place() as here, here.terminal("advanced") as terminal:
        terminal.read()
        for _ in range(300):
            check(terminal.say("2") == "2\r\n" + ID)
            check(terminal.say("Nobody") == "Nobody\r\n" + PASSWORD)
            seen = terminal.say("qwerty")
            check("qwerty" not in seen and "\r\nLogin Failed!" in seen, "shown:", seen[:40])
        check(terminal.settings() == terminal.before)
        check(terminal.say("x").startswith("x\r\nyunnori: "))
        terminal.type("3")
        check(terminal.wait() == 0 and terminal.settings() == terminal.before)


# --- saving ---

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


# --- the menu and the options ---

def test_logging_in():
    """Twice, with a wrong password, a fifth player, and too few to start."""
    with place() as here, here.talk("advanced") as talk:
        check("ID List : No player is logged in\n" in talk.read())
        needed = "More than 1 player is needed to start the game\n"
        check(talk.say("1").startswith(needed))
        for name, password, good, list_ in [
                ("Noah", "22d34h", True, "Noah"), ("Noah", "22d34h", False, "Noah"),
                ("Liam", "22d34h", False, "Noah"), ("noah", "22d34h", False, "Noah"),
                ("Liam", "912ynd", True, "Noah Liam"), ("Ava", "qws0853", True, "Noah Liam Ava"),
                ("Olivia", "tyb14", True, "Noah Liam Ava Olivia"),
                ("Ethan", "a2b7", False, "Noah Liam Ava Olivia")]:
            seen = talk.say("2", name, password)
            word = "Succeed" if good else "Failed"
            check(f"{ID}{PASSWORD}Login {word}!\n" in seen, name, seen)
            check(f"Logged-in ID List : {list_}\n1. game start\n2. login\n3. end program\n" in seen)
            check(" " in list_ or talk.say("1").startswith(needed))
        check(talk.complaints() == [])


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


def test_options():
    """What is wrong is refused in one line, before anything is printed."""
    with place() as here:
        here.write("bad", b"do gae\nxyz\n")
        for arguments, code, words in [
            (["basic", "--sed", "1"], 2, ["--sed", "did you mean '--seed'?"]),
            (["basic", "-x"], 2, ["unknown option '-x'"]),
            (["basik"], 2, ["basik", "did you mean 'basic'?"]),
            (["basic", "advanced"], 2, ["basic or advanced"]),
            (["basic", "--throws", "do,xyz"], 2, ["throws", "xyz"]),
            (["basic", "--throws", "do," + "x" * 100000], 2, ["throws"]),
            (["basic", "--throws", "DO"], 2, ["throws"]),
            (["basic", "--throws-from", "bad"], 2, ["xyz"]),
            (["basic", "--throws-from", "missing"], 1, ["missing", "No such file"]),
            (["basic", "--throws-from", "."], 1, ["'.'"]),
            (["basic", "--throws", "do", "--throws-from", "bad"], 2, ["--throws-from", "not both"]),
            (["basic", "--throws"], 2, ["--throws"]),
            (["basic", "--seed", "x"], 2, ["--seed"]),
            (["basic", "--seed", "-1"], 2, ["--seed"]),
            (["basic", "--color", "blue"], 2, ["always, never or auto"]),
            (["basic", "--ascii=1"], 2, ["--ascii"]),
            (["basic", *["--ascii"] * 1000], 2, []),
        ]:
            refused(here.run(*arguments, stdin="2\n"), code, *words)
        for arguments in [["--throws", "do gae\tmo,,yut, back-do"], ["--throws", ""], ["--ascii"]]:
            check(here.run("basic", *arguments, stdin="2\n").code == 0, arguments)
        result = here.run("--help")
        check(result.code == 0 and result.out.startswith(b"usage: yunnori") and result.err == b"")
        for option in ["--seed", "--throws", "--throws-from", "--color", "--ascii", "--empty-rows",
                       "--users", "--saves", "--help", "--version"]:
            check(option.encode() in result.out, option)
        result = here.run("--version")
        check(result.code == 0 and re.fullmatch(rb"yunnori \(malpan\) [\d.]+\n", result.out))
        check(not os.path.exists(os.path.join(here.path, "elsewhere")))
        words = log_in("Noah", "Ava") + ["1", "0", "0"]
        here.write("people", USERS)
        os.remove(os.path.join(here.path, "user_info.txt"))
        here.run("advanced", "--users", "people", "--saves", "elsewhere", stdin=lines(words))
        check(os.path.exists(os.path.join(here.path, "elsewhere")) and here.saves() == BEFORE)


def test_seed():
    """The same sticks every time, others with another seed or with none."""
    def throws(*arguments):
        with place() as here, here.talk("basic", *arguments) as talk:
            talk.read()
            seen, model = talk.say("1", "4", "4"), Model([None])
            for _ in range(30):
                model.pieces = [[int(p) for p in re.findall(r"Piece : (.*)\n", seen)[-1].split()]]
                result = re.findall(r"Yut : (.*)\n", seen)[-1].split()[-1]
                seen += talk.say(max(model.squares(result)), result)
            return seen

    check(throws("--seed", "7") == throws("--seed", "7"))
    check(len({throws("--seed", "8"), throws("--seed", "7"), throws(), throws()}) == 4)
    given = throws("--seed", "7", "--throws", "mo,mo,back-do")
    check("Yut : back-do mo mo \n" in given)


# --- whole games ---

def test_whole_games():
    """Two hundred, played from what is printed, each move checked against the model."""
    for number in range(200 // SELDOM):
        choose = random.Random(number)
        kind = ["basic", "advanced"][number % 2]
        names = choose.sample(sorted(PASSWORDS), choose.randint(2, 4))
        with place() as here, here.talk(kind, "--seed", str(number)) as talk:
            talk.read()
            if kind == "basic":
                model = Model([None] * len(names), pieces=choose.randint(1, 4))
                seen = talk.say("1", len(names), len(model.pieces[0]))
            else:
                model = Model([choose.randrange(4) for _ in names], names=names)
                seen = talk.say(*log_in(*names), "1")
                seen = talk.say(*["0"] * seen.endswith(RESUME), *model.animals)
            wrong = play_whole_game(here, choose, talk, model, seen)
            talk.type("2" if kind == "basic" else "3")
            check(talk.wait() == 0, number)
            check(len(talk.complaints()) == wrong, number, wrong, talk.complaints())
            left = BEFORE.decode() if kind == "basic" else without(BEFORE.decode(), names)
            same(here.saves().decode(), left, number)


if __name__ == "__main__":
    sys.exit(run_tests("classic", dict(globals()), sys.argv[2:]))
