#!/usr/bin/env python3
"""The classic game as its players meet it: samples, wrong answers, sudden ends, whole games.

usage: tests/classic.py FOLDER [NAME ...]      FOLDER holds yunnori
"""
import collections
import fcntl
import itertools
import os
import random
import re
import signal
import subprocess
import sys
import termios

from classic_game import (ANIMAL, BEFORE, GO_ON, ID, MENU, PASSWORD, PASSWORDS, PIECES, PLAYERS,
                          POSITION, PROGRAM, PROMPT, RESULTS, RESUME, SAMPLES, SELDOM, USERS, YUT,
                          Model, data, lines, log_in, place, play_whole_game, sample, saves_after,
                          without)
from driving import (ENVIRONMENT, Talk, catches, check, default_signals, refused, run_tests, same,
                     wait_for)


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
