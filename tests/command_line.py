"""The programs as their users call them, for tests of the command line: with a fixed environment and
without tables, output as text. The first argument of the test is the folder of the programs."""
import codecs
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time

from driving import default_signals

FOLDER = os.path.abspath(sys.argv[1])
MALPAN = os.path.join(FOLDER, "malpan")
ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LC_ALL")}
TABLES = tempfile.TemporaryDirectory()  # none but those that the tests themselves make
ENVIRONMENT |= {"LANG": "C.UTF-8", "TERM": "xterm", "MALPAN_TABLES": TABLES.name}
QUICK = "QUICK" in os.environ  # under the sanitizers


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


def run(*command, stdin=b"", env=None, cwd=None):
    """Runs a command to its end; outputs as text, undecodable bytes kept."""
    if isinstance(stdin, str):
        stdin = stdin.encode()
    done = subprocess.run(command, input=stdin, capture_output=True, timeout=120, cwd=cwd,
                          env=ENVIRONMENT | (env or {}))
    return Result(done.returncode, done.stdout.decode(errors="surrogateescape"),
                  done.stderr.decode(errors="surrogateescape"))


def malpan(*arguments, **options):
    return run(MALPAN, *arguments, **options)


def check(condition, *what):
    if not condition:
        raise AssertionError(" ".join(str(w) for w in what))


def refused(result, code, *words):
    """Nothing on standard output, one line with these words on standard error, this exit code."""
    check(result.code == code, "exit code", result.code, "not", code, result.err)
    check(result.out == "", "standard output is not empty:", result.out[:200])
    check(result.err.count("\n") == 1 and result.err.endswith("\n"), "not one line:", result.err)
    check(len(result.err) < 400, "a long message")
    for word in words:
        check(word in result.err, f"'{word}' is not in:", result.err)


def printed(result, out):
    check(result.code == 0, "exit code", result.code, result.err)
    check(result.err == "", "standard error:", result.err)
    check(result.out == out, "printed", repr(result.out), "not", repr(out))


def columns_of(line):
    """How many columns of a terminal the line takes."""
    return sum(2 if "\u1100" <= c <= "\ud7a3" else 1 for c in line)


class Terminal:
    """A program at a pseudo-terminal of a given width."""

    def __init__(self, *command, columns=80, env=None):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            default_signals()
            os.execve(command[0], command, ENVIRONMENT | (env or {}))
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
        self.unread = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def read_until(self, words, seconds=60):
        """What the program prints up to and including these words."""
        end = time.time() + seconds
        while words not in self.unread:
            check(time.time() < end, f"no '{words}' in", repr(self.unread))
            if select.select([self.file], [], [], 0.1)[0]:
                try:
                    self.unread += self.decoder.decode(os.read(self.file, 65536))
                except OSError:  # the program has ended
                    check(words in self.unread, f"ended before '{words}':", repr(self.unread))
        at = self.unread.index(words) + len(words)
        seen, self.unread = self.unread[:at], self.unread[at:]
        return seen

    def type(self, line):
        os.write(self.file, (line + "\n").encode())

    def close(self):
        """Waits for the program to end by itself; its exit code."""
        try:
            while os.read(self.file, 65536):
                pass
        except OSError:
            pass
        os.close(self.file)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
