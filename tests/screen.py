#!/usr/bin/env python3
"""The full-screen interface, through a pseudo-terminal and an emulator.

usage: tests/screen.py FOLDER [NAME ...]      FOLDER holds malpan

With UPDATE set, the golden screens in tests/data/screens are written anew.
"""
import fcntl
import os
import pathlib
import random
import re
import select
import signal
import struct
import sys
import tempfile
import termios
import time

from driving import PATIENCE, Terminal, check, run, run_tests, same, wait_for
from emulator import Emulator

MALPAN = os.path.join(os.path.abspath(sys.argv[1]), "malpan")
GOLDEN = pathlib.Path(__file__).parent / "data" / "screens"
QUICK = "QUICK" in os.environ
GAMES = ["yut", "race", "box", "dice", "valley"]
TARGET, CURSOR = "48;5;22", "7"
OVER = "r: review, q: leave"


class Screen(Terminal):
    """malpan on a full screen, with an emulator that follows it."""

    def __init__(self, *arguments, rows=24, columns=80, env=None, command=None):
        self.folder = tempfile.TemporaryDirectory()
        env = {"TERM": "xterm-256color", "XDG_STATE_HOME": self.folder.name,
               "MALPAN_TABLES": self.folder.name} | (env or {})
        self.emulator = Emulator(rows, columns)
        super().__init__(re.compile("$"), (command or [MALPAN]) + list(arguments), env=env,
                         cwd=self.folder.name, size=(rows, columns))

    def pump(self, seconds):
        """Shows the emulator what the program writes for this long. False if it wrote nothing."""
        if not select.select([self.output], [], [], seconds)[0]:
            return False
        try:
            more = os.read(self.output, 1 << 16)
        except OSError:
            return False
        self.emulator.feed(self.decode(more))
        return bool(more)

    def wait_for(self, words):
        """Waits until these words are on the screen."""
        end = time.monotonic() + PATIENCE
        while words not in self.emulator.text():
            self.pump(0.2)
            check(time.monotonic() < end and (self.process.poll() is None or self.pump(0)),
                  f"no '{words}' on the screen:\n" + self.emulator.text())

    def settle(self):
        """Waits until the program has nothing more to show. Its threads are looked at one by one, so
        one may have woken another meanwhile: the second look, or what it has written, shows that."""
        end = time.monotonic() + PATIENCE
        while self.pump(0.02) or self.process.poll() is None and (
                not self.is_idle() or not self.is_idle() or "thinking..." in self.text() or
                self.pump(0)):
            check(time.monotonic() < end, "never settles:\n" + self.text())

    def keys(self, text):
        """Types keys, and waits for what they do."""
        os.write(self.input, text.encode())
        end = time.monotonic() + PATIENCE
        while not self.pump(0.05):
            if self.process.poll() is not None or self.is_idle():
                break
            check(time.monotonic() < end, "does not read its keys")
        self.settle()

    def is_idle(self):
        """Whether all threads of the program sleep and everything typed has been read."""
        waiting = struct.unpack("i", fcntl.ioctl(self.slave, termios.FIONREAD, b"\0\0\0\0"))[0]
        try:
            states = [open(f"/proc/{self.process.pid}/task/{task}/stat").read().rsplit(")")[1].split()[0]
                      for task in os.listdir(f"/proc/{self.process.pid}/task")]
        except (FileNotFoundError, ProcessLookupError):  # a thread has just ended
            return False
        return waiting == 0 and all(state == "S" for state in states)

    def click(self, row, column):
        self.keys(f"\x1b[<0;{column + 1};{row + 1}M\x1b[<0;{column + 1};{row + 1}m")

    def resize(self, rows, columns):
        self.emulator.resize(rows, columns)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def text(self):
        return self.emulator.text()

    def finish(self):
        """Waits for the end; the exit code, once the terminal is as it was."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            self.pump(0.05)
            check(time.monotonic() < end, "does not end")
        while self.pump(0.05):
            pass
        check(self.emulator.is_restored(), "the screen is not restored")
        check(self.settings() == self.before, "the terminal's settings are not restored")
        return self.process.returncode

    def games(self):
        """The files of unfinished games."""
        return sorted(pathlib.Path(self.folder.name).glob("malpan/games/*.txt"))


def steps_of(record):
    """How many steps a record has; fails if the program cannot read it."""
    game = re.search(r"^game (\S+)", record.read_text(), re.M)[1]
    result = run(MALPAN, "play", game, "--file", str(record), "--lang", "en")
    check(result.code == 0, result.err)
    return len(re.search(r"^start [^\n]*\n(.*)\Z", record.read_text(), re.M | re.S)[1].splitlines())


# --- playing ---

def test_every_game_by_keys():
    for game in GAMES:
        with Screen("play", game, "--seed", "7", "--no-animation", "--seats", "you,random"
                    if game not in ("dice",) else "you") as screen:
            screen.settle()
            for _ in range(2000):
                if OVER in screen.text():
                    break
                screen.keys("\r")
            check(OVER in screen.text(), game, "does not end:", screen.text())
            screen.keys("r")
            screen.wait_for("player 0: luck")
            screen.keys("\x1b")
            screen.keys("q")
            check(screen.finish() == 0)
            check(screen.games() == [], "an ended game is still unfinished")


def test_every_game_by_mouse():
    for game in GAMES:
        with Screen("play", game, "--seed", "8", "--no-animation", "--seats",
                    "you" if game == "dice" else "you,random") as screen:
            screen.settle()
            for _ in range(2000):
                if OVER in screen.text():
                    break
                wanted = screen.emulator.find(TARGET) or screen.emulator.find(CURSOR)
                # Not the panel: its list would be easier.
                wanted = [place for place in wanted if place[1] < 47 and place[0] < 21]
                screen.click(*(wanted[0] if wanted else (10, 10)))
            check(OVER in screen.text(), game, "does not end:", screen.text())
            screen.keys("q")
            check(screen.finish() == 0)


def test_enter_always_leads_on():
    """In Shut the Box, where the cursor could stay on a tile and Enter give it back."""
    with Screen("play", "box", "--from", "123467 1 11 10", "--seats", "random,you", "--seed", "1",
                "--no-animation") as screen:
        screen.settle()
        for _ in range(4):
            screen.keys("\r")
        check("player 1 closes" in screen.text(), screen.text())


def test_a_click_in_the_list():
    with Screen("play", "box", "--seed", "5", "--no-animation", "--seats", "you,random") as screen:
        screen.wait_for("Enter: throw")
        screen.keys("\r")
        row = next(r for r in range(24) if "4 3+4" in screen.emulator.line(r))
        screen.click(row, 60)
        check("player 0 closes 3+4" in screen.text(), screen.text())


def test_typing_a_move():
    with Screen("play", "box", "--seed", "5", "--no-animation", "--seats", "you,random") as screen:
        screen.wait_for("Enter: throw")
        screen.keys("\r")
        screen.keys("3+5\r")
        check("3+5" in screen.emulator.line(22), "no reason:", screen.text())
        screen.keys("9\x1b")
        screen.keys("#2\r")
        check("player 0 closes 1+6" in screen.text(), screen.text())
        screen.keys("u")
        screen.keys(":2+5\r")
        check("player 0 closes 2+5" in screen.text(), screen.text())


def test_hints_undo_and_analysis():
    with Screen("play", "box", "--seed", "5", "--no-animation") as screen:
        screen.wait_for("Enter: throw")
        screen.keys("\r")
        check("0.508" not in screen.text(), "hints are not off by default")
        screen.keys("h")
        screen.wait_for("0.508072")
        check("0.491928" in screen.text(), screen.text())
        screen.keys("hh")
        check(re.search(r"\* 1 7 +0\.508072", screen.text()), screen.text())
        check(re.search(r"  5 1\+2\+4 +0\.\d{6}", screen.text()), screen.text())
        screen.keys("a")
        screen.wait_for("best line: 7")
        screen.keys("\r")
        check("Analysis" in screen.text() and "%" in screen.text(), screen.text())
        screen.keys("\x1b[D")
        screen.keys("e")
        screen.keys("\x7f" * 30 + "123456789 0 - 12\r")
        screen.wait_for("3+9")
        screen.keys("q")
        check("player 0 rolled 7" in screen.text(), screen.text())
        screen.keys("\x03")
        check(screen.finish() == 0)


def test_hints_on_a_small_screen():
    """Without a panel the list, the best move and the value of the position are still there."""
    with Screen("play", "box", "--seed", "5", "--no-animation", rows=16, columns=40) as screen:
        screen.wait_for("Enter: throw")
        screen.keys("\r")
        screen.keys("h")
        screen.wait_for("0.508072")
        screen.keys("h\t\t")
        screen.wait_for("#2 1+6; best: #1 7 0.508072")
        screen.keys("\r")
        check("player 0 closes 1+6" in screen.text(), screen.text())


def test_lobby_setup_and_resume():
    with Screen("--no-animation", "--seed", "5") as screen:
        screen.wait_for("King's Valley")
        screen.keys("3")
        screen.wait_for("Start the game")
        screen.keys("\x1b[B\x1b[B\x1b[C")  # player 1: the kind after `normal`
        check("strong" in screen.text(), screen.text())
        screen.keys("\x1b[B\r" + "12\r")
        check(re.search("tiles +12", screen.text()), screen.text())
        screen.keys("\r99\r")
        check("from 1 to 24" in screen.text(), screen.text())
        screen.keys("\t" * 20)
        while "▶ Start" not in screen.emulator.line(2) or not any(
                "7" in part for part in screen.emulator.cells[2][5][1]):
            screen.keys("\t")
        screen.keys("\r")
        screen.wait_for("--tiles 12")
        screen.keys("\r")
        screen.keys("q")
        screen.wait_for("Go on with")
        check("you,strong" in screen.text(), screen.text())
        screen.keys("3")
        check(re.search("tiles +12", screen.text()) and "strong" in screen.text(),
              "the setup is not remembered:", screen.text())
        screen.keys("\x1b")
        screen.keys("\x1b[A" * 3 + "\x1b[B" * 3)
        screen.keys("\t" * 3)
        screen.keys("q")
        check(screen.finish() == 0)
        check(len(screen.games()) == 1 and steps_of(screen.games()[0]) >= 1)


# --- every way out ---

def test_setup_explains_the_chosen_rule():
    """In full, at the bottom, where the row has no room for it."""
    about = "one a player: p pig, d dog, s sheep, c cow, n none"
    with Screen("--lang", "en") as screen:
        screen.settle()
        screen.keys("1")
        for _ in range(5):
            screen.keys("\x1b[B")
        check(about not in screen.text(), screen.text())
        screen.keys("\x1b[B")
        check(about in screen.text(), screen.text())
        check("↓" in screen.text(), "no sign that there is more below")
        screen.keys("\x03")
        check(screen.finish() == 0)


def playing(*more):
    """A game of Yut after its first throw."""
    screen = Screen("play", "yut", "--seed", "5", "--no-animation", "--seats", "you,random", *more)
    screen.wait_for("Enter: throw")
    screen.keys("\r")
    return screen


def test_signals_restore_the_terminal():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGSEGV,
                   signal.SIGABRT, signal.SIGFPE):
        with playing() as screen:
            os.kill(screen.process.pid, number)
            code = screen.finish()
            sanitized = number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE) and code > 0
            check(code == -number or sanitized, number, code)
            check(len(screen.games()) == 1 and steps_of(screen.games()[0]) == 1)


def test_a_kill_loses_nothing():
    with playing() as screen:
        screen.process.kill()
        screen.process.wait()
        check(len(screen.games()) == 1 and steps_of(screen.games()[0]) == 1)


def test_a_hang_up_loses_nothing():
    with playing() as screen:
        screen.hang_up()
        check(screen.wait() in (0, -signal.SIGHUP), screen.process.returncode)
        check(len(screen.games()) == 1 and steps_of(screen.games()[0]) == 1)


def test_control_z_and_back():
    script = 'set -m; "$@"; echo stopped; read -r _; fg >/dev/null; echo ended $?'
    with Screen("play", "yut", "--seed", "5", "--no-animation",
                command=["bash", "-c", script, "bash", MALPAN]) as screen:
        screen.wait_for("Enter: throw")
        os.write(screen.input, b"\x1a")
        wait_for(lambda: screen.pump(0.05) is None or not screen.emulator.alternate, "the shell")
        check(screen.emulator.is_restored())
        screen.emulator.clear()
        os.write(screen.input, b"\n")
        screen.wait_for("Enter: throw")
        screen.keys("\x03")
        check(screen.finish() == 0)


def test_stopped_from_outside():
    """Whoever stops the program may use the terminal; then everything is drawn anew."""
    with playing() as screen:
        before = screen.text()
        os.kill(screen.process.pid, signal.SIGSTOP)
        screen.emulator.clear()
        os.kill(screen.process.pid, signal.SIGCONT)
        screen.wait_for("player 0 to play")
        screen.settle()
        same(screen.text(), before)
        screen.keys("\x03")
        check(screen.finish() == 0)


def test_pipes_and_line_mode():
    result = run(MALPAN, "play", "box", "--seed", "5", stdin=b"quit\n")
    check(result.code == 0 and b"\x1b" not in result.out and b"player 0> " in result.out)
    for env, options in [({}, ["--line"]), ({"TERM": "dumb"}, []), ({"TERM": "no-such"}, [])]:
        terminal = Terminal(re.compile("player 0> "), [MALPAN, "play", "box", "--seed", "5", *options],
                            env=env)
        with terminal:
            check("\x1b[?1049h" not in terminal.read())


# --- what is drawn ---

LOOKS = [("plain", [], {}), ("korean", ["--lang", "ko"], {}), ("ascii", ["--ascii"], {}),
         ("mono", [], {"NO_COLOR": "1"})]


def golden(name, text):
    """Compares a screen with the one that is kept."""
    path = GOLDEN / (name + ".txt")
    if "UPDATE" in os.environ:
        GOLDEN.mkdir(exist_ok=True)
        path.write_text(text)
    same(text, path.read_text(), name)


def test_golden_screens():
    for game in GAMES:
        for rows, columns in [(24, 80), (40, 120), (16, 40)]:
            for look, options, env in LOOKS:
                seats = "you" if game == "dice" else "you,random"
                with Screen("play", game, "--seed", "5", "--no-animation", "--seats", seats,
                            *options, rows=rows, columns=columns, env=env) as screen:
                    screen.settle()
                    for _ in range(3):
                        screen.keys("\r")
                    golden(f"{game}-{columns}x{rows}-{look}", screen.text())
                    check(bool(screen.emulator.colors) == (look != "mono"), game, look,
                          screen.emulator.colors)
                    if look == "ascii":
                        check(screen.text().isascii(), screen.text())


def test_golden_lobby():
    for rows, columns in [(24, 80), (40, 120), (16, 40)]:
        for look, options, env in LOOKS:
            with Screen(*options, rows=rows, columns=columns, env=env) as screen:
                screen.settle()
                golden(f"lobby-{columns}x{rows}-{look}", screen.text())
                screen.keys("1")
                golden(f"setup-{columns}x{rows}-{look}", screen.text())


def test_color_depths():
    for term, wanted in [("xterm-256color", r"38;5;\d+"), ("xterm", r"3\d"), ("xterm-mono", None)]:
        with Screen("play", "yut", "--seed", "5", env={"TERM": term}) as screen:
            screen.wait_for("Enter: throw")
            colors = screen.emulator.colors
            check(all(re.fullmatch("[34][0-7]", c) for c in colors) if term == "xterm" else True,
                  colors)
            check(any(re.fullmatch(wanted, c) for c in colors) if wanted else not colors, term,
                  colors)


def test_light_backgrounds():
    for env, wanted in [({}, "48;5;22"), ({"COLORFGBG": "15;0"}, "48;5;22"),
                        ({"COLORFGBG": "0;15"}, "48;5;157"), ({"COLORFGBG": "0;default;7"}, "48;5;157")]:
        with Screen("play", "valley", "--seats", "you", env=env) as screen:
            screen.wait_for("white to move")
            check(screen.emulator.find(wanted), env)


def test_animation_shows_throws():
    with Screen("play", "yut", "--seed", "5", "--seats", "you,random") as screen:
        screen.wait_for("Enter: throw")
        os.write(screen.input, b"\r")
        seen = set()
        while "player 0 throws gae" not in screen.text():
            screen.pump(0.01)
            seen.add(screen.text())
        check(len(seen) > 3, "the sticks do not tumble")


def test_watching():
    with Screen("watch", "race", "--seed", "5", "--no-animation", "--pace", "1ms") as screen:
        screen.wait_for(OVER)
    with Screen("watch", "race", "--seed", "5", "--no-animation", "--pace", "1s") as screen:
        screen.wait_for("So far")
        screen.keys("p")
        screen.wait_for("paused")
        before = screen.text()
        screen.pump(1.2)
        same(screen.text(), before)
        screen.keys("p+++++++++++")
        screen.wait_for(OVER)


def test_small_screens_wait():
    with playing() as screen:
        before = screen.text()
        screen.resize(10, 30)
        screen.wait_for("enlarge")
        screen.keys("q")
        check("enlarge" in screen.text(), screen.text())
        screen.resize(1, 1)
        screen.settle()
        screen.resize(24, 80)
        screen.wait_for("player 0 to play")
        screen.settle()
        same(screen.text(), before)


RANDOM_KEYS = ["\r", "\r", "\r", " ", "\t", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b", "h", "u",
               "a", "r", "s", "n", "c", "l", "p", "+", "-", "?", "5", "#", ":", "a1", "가", "\x7f",
               "e", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\x1b[Z", "\x1bOA", "\x1b[<64;5;5M",
               "\x1b[<65;5;5M", "\x1b[M !!", "\x0c", "1", "w", "\x00", "\x1b[999;9;9;9x", "q"]


def random_session(generator, keys):
    """Types random keys, clicks and resizes until the program ends; returns how many are left."""
    with Screen("--no-animation", "--seed", "3") as screen:
        screen.settle()
        while keys > 0 and screen.process.poll() is None:
            keys -= 1
            kind = generator.random()
            if kind < 0.04:
                screen.resize(generator.choice([1, 5, 15, 16, 24, 30, 40, 60]),
                              generator.choice([1, 20, 39, 40, 71, 72, 80, 110, 150]))
            elif kind < 0.2:
                row, column = generator.randrange(60), generator.randrange(150)
                os.write(screen.input, f"\x1b[<0;{column};{row}M".encode())
            else:
                os.write(screen.input, generator.choice(RANDOM_KEYS).encode())
            screen.pump(0.002)
            if keys % 8 == 0:
                screen.settle()
        if screen.process.poll() is None:
            screen.settle()
            os.write(screen.input, b"\x03")
        check(screen.finish() == 0, "ended badly")
    return keys


def test_random_keys_and_resizes():
    generator = random.Random(20)
    keys = 300 if QUICK else 1000
    while keys > 0:
        keys = random_session(generator, keys)


def test_one_write_per_frame():
    """By counting: each key that changes the screen is answered by one write."""
    with playing() as screen:
        def writes():
            text = open(f"/proc/{screen.process.pid}/io").read()
            return int(re.search(r"^syscw: (\d+)", text, re.M)[1])
        screen.settle()
        before = writes()
        for _ in range(10):
            screen.keys("n")
        check(writes() - before == 10, "writes:", writes() - before)


if __name__ == "__main__":
    sys.exit(run_tests("screen", dict(globals()), sys.argv[2:]))
