"""Helpers for tests of programs: run one to its end, drive one through pipes or a terminal, and a
small test runner."""
import codecs
import fcntl
import os
import pathlib
import pty
import resource
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import traceback

PATIENCE = 120  # seconds; only a program that hangs takes this long
ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LC_ALL")}
ENVIRONMENT |= {"LANG": "C.UTF-8", "TERM": "xterm"}


def check(condition, *what):
    """Fails the test with the given details unless the condition holds."""
    if not condition:
        raise AssertionError(" ".join(str(w)[:1000] for w in what))


def same(found, expected, *what):
    """Fails the test and shows the first difference unless both are equal."""
    if found != expected:
        at = next((i for i, (a, b) in enumerate(zip(found, expected)) if a != b),
                  min(len(found), len(expected)))
        low = max(0, at - 60)
        check(False, *what, f"differs at {at}: {found[low:at + 60]!r}, not",
              repr(expected[low:at + 60]))


def default_signals():
    """Restores the default signal handlers in a new process; the tests may ignore some."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


class Result:
    """The exit code of a program and its output, as bytes."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


def run(*command, stdin=b"", **options):
    """Runs a command to its end."""
    env = ENVIRONMENT | options.pop("env", {})
    done = subprocess.run(command, input=stdin, capture_output=True, timeout=PATIENCE, env=env,
                          **options)
    return Result(done.returncode, done.stdout, done.stderr)


def answer_of(*command, **options):
    """The output of a command as text; fails the test if the command fails."""
    done = run(*command, **options)
    check(done.code == 0 and done.err == b"", command, done.code, done.err)
    return done.out.decode()


def refused(result, code, *words):
    """Expects this exit code, no output, and one line with these words on standard error."""
    check(result.code == code, "exit code", result.code, "not", code, result.err)
    check(result.out == b"", "standard output is not empty:", result.out[:200])
    check(result.err.count(b"\n") == 1 and result.err.endswith(b"\n"), "not one line:", result.err)
    check(len(result.err) < 400, "a long message")
    for word in words:
        check(word.encode() in result.err, f"'{word}' is not in:", result.err)


class Talk:
    """A program driven through pipes; `prompt` is a pattern that matches each of its prompts."""

    def __init__(self, prompt, command, **options):
        self.prompt = prompt
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.errors, bufsize=0, env=ENVIRONMENT, **options)
        self.input, self.output = self.process.stdin.fileno(), self.process.stdout.fileno()
        self.decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self.unread = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.close()

    def close(self):
        """Closes the pipes or the terminal of a program that has ended."""
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()
        self.errors.close()

    def read(self, prompts=1):
        """Reads the output up to and including this many more prompts."""
        found = list(self.prompt.finditer(self.unread))
        end = time.monotonic() + PATIENCE
        while len(found) < prompts:
            if not select.select([self.output], [], [], 0.5)[0]:
                check(self.process.poll() is None and time.monotonic() < end, "no prompt:",
                      self.unread[-300:])
                continue
            more = os.read(self.output, 65536)
            check(more, "ended before a prompt:", self.unread[-300:])
            self.unread += self.decode(more)
            found = list(self.prompt.finditer(self.unread))
        end = found[prompts - 1].end()
        seen, self.unread = self.unread[:end], self.unread[end:]
        return seen

    def type(self, *words):
        """Types lines."""
        os.write(self.input, "".join(f"{word}\n" for word in words).encode())

    def say(self, *words):
        """Types lines and reads the output up to the prompt after the last of them."""
        self.type(*words)
        return self.read(len(words))

    def wait(self):
        """Waits for the program to end; returns its exit code, or minus the number of a signal."""
        return self.process.wait(PATIENCE)

    def complaints(self):
        """The lines on standard error so far."""
        return os.pread(self.errors.fileno(), 1 << 24, 0).decode(errors="replace").splitlines()


class Terminal(Talk):
    """A program at a pseudo-terminal, of `size` rows and columns; a plain one does not echo
    input."""

    def __init__(self, prompt, command, plain=False, env=None, size=None, **options):
        self.prompt = prompt
        self.master, self.slave = pty.openpty()
        if size:
            fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        self.input = self.output = self.master
        if plain:
            settings = termios.tcgetattr(self.slave)
            settings[1] &= ~termios.OPOST
            settings[3] &= ~termios.ECHO
            termios.tcsetattr(self.slave, termios.TCSANOW, settings)
        self.before = self.settings()

        def take_the_terminal():
            default_signals()
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            command, stdin=self.slave, stdout=self.slave, stderr=self.slave,
            start_new_session=True, preexec_fn=take_the_terminal, env=ENVIRONMENT | (env or {}),
            **options)
        self.decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self.unread = ""

    def settings(self):
        """The current settings of the terminal."""
        return termios.tcgetattr(self.slave)

    def rest(self):
        """Reads what is left after the program has ended, and closes the terminal."""
        os.close(self.slave)
        self.slave = None
        seen, self.unread = self.unread, ""
        try:
            while more := os.read(self.output, 65536):
                seen += self.decode(more)
        except OSError:  # how a terminal reports that the other side is closed
            pass
        return seen

    def hang_up(self):
        """Closes the terminal, as when a connection is lost."""
        for file in (self.slave, self.master):
            if file is not None:
                os.close(file)
        self.slave = self.master = None

    def close(self):
        """Closes the pipes or the terminal of a program that has ended."""
        self.hang_up()
        self.process.wait()


def wait_for(condition, what):
    """Waits until the condition holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        check(time.monotonic() < end, "waited in vain for", what)
        time.sleep(0.0002)


def catches(process, number):
    """Whether the process has installed a handler for the signal; false once it has ended."""
    try:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    except FileNotFoundError:
        return False
    caught = [line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:")]
    return bool(caught) and int(caught[0], 16) >> number - 1 & 1 == 1


def wait_until_it_works(process):
    """Waits until SIGTERM would stop the process gracefully."""
    wait_for(lambda: catches(process, signal.SIGTERM) or process.poll() is not None, "a handler")


def run_tests(name, tests, wanted):
    """Runs the functions named test_*, or only the wanted ones; returns the exit code."""
    passed = failed = 0
    for test_name, test in tests.items():
        if not test_name.startswith("test_") or (wanted and test_name not in wanted):
            continue
        start = time.monotonic()
        try:
            test()
            passed += 1
        except Exception:  # a failed check, a timeout or a broken test: all count
            failed += 1
            print(f"FAILED {test_name}")
            traceback.print_exc(file=sys.stdout)
        if wanted or os.environ.get("TEST_TIMES"):
            print(f"{time.monotonic() - start:7.2f} s  {test_name}", flush=True)
    print(f"{name}: {passed} passed, {failed} failed")
    return 1 if failed else 0
