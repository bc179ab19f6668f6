"""Sources, where they are built and tested, and workers for that."""
import contextlib
import json
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import time
from typing import NamedTuple

from mutation.processes import BrokenTest, begin_worker, environment, run

# A test is ended after this many times what it is known to take, and some seconds more. It hangs if
# without the mutant, just afterwards, it takes a small part of that: the machine may be busy.
SLOWER = 6
GRACE_SECONDS = 10
HANGS = 3
SANITIZERS = "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"


class Mode(NamedTuple):
    """A way to build and run the tests."""
    name: str
    build: str
    variables: tuple
    env: dict
    is_limited: bool  # in memory; the sanitizers need much of it


ORDINARY = Mode("", "build", (), {}, True)
COUNTING = Mode("counters", "build-counters",
                ("OPTIMIZE=-O2", "SANITIZE=--coverage -fprofile-update=single"), {}, True)
# Samples reach the same lines as everything does, but for tests that say what they leave out.
COUNTING_QUICKLY = COUNTING._replace(env={"QUICK": "1"})
SANITIZED = Mode("sanitizers", "build-asan", ("OPTIMIZE=-O1", f"SANITIZE={SANITIZERS}"),
                 {"QUICK": "1"}, False)


def make_folder(above):
    """A new folder that every user may enter: some tests are run as nobody."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=above))
    folder.chmod(0o755)
    return folder


class Tree:
    """Sources, where they are built, and what one worker does with them. Only one worker may try
    mutants in a tree, one at a time."""

    def __init__(self, path, folder, timeout, make_jobs):
        self.path, self.scratch, self.output = path, folder / "tmp", folder / "output"
        self.counts = folder / "counts"
        self.timeout, self.make_jobs = timeout, make_jobs
        self.built = set()  # targets that are up to date, with the names of modes
        self.seconds = {}  # that a test takes, by the names of mode and test
        self.sound = set()  # tests that were seen to succeed without a mutant, likewise

    def make(self, mode, *targets):
        """Whether the targets could be built."""
        command = ["make", "-s", f"-j{self.make_jobs}", f"BUILD={mode.build}", *mode.variables,
                   *targets]
        return run(command, self.path, environment() | {"SETUP": "no"}, 1800,
                   output=self.output) == 0

    def make_test(self, mode, test):
        """Builds what a test needs, unless that has been built since the sources changed."""
        target = f"{mode.build}/tests/{test}" if test.startswith("test_") else "all"
        if (mode.name, target) not in self.built and self.make(mode, target):
            self.built.add((mode.name, target))
        return (mode.name, target) in self.built

    def run_test(self, mode, test, timeout):
        """Runs one test: its exit code, or None if it took too long."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir()
        out = "." if mode.build == "build" else mode.build
        if test.startswith("test_"):
            command = [f"{mode.build}/tests/{test}"]
        else:
            script, _, names = test.partition(":")
            command = ["python3" if script.endswith(".py") else "bash", f"tests/{script}", out,
                       *filter(None, names.split(","))]
        env = environment() | mode.env | {
            "TMPDIR": str(self.scratch), "HOME": str(self.scratch),
            "GCOV_PREFIX": str(self.counts)}
        limits = [(resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 8 << 30)]
        if mode.is_limited:
            memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
            limits.append((resource.RLIMIT_AS, memory))
        return run(command, self.path, env, timeout, limits, self.output)

    def measure_test(self, mode, test):
        """Runs a test that counts: how long it takes, and the lines that it reaches and that have
        code. Whether it succeeds does not matter: one that looks at all files, say, finds the
        counts among them."""
        shutil.rmtree(self.counts, ignore_errors=True)
        start = time.monotonic()
        self.run_test(mode, test, self.timeout)
        return time.monotonic() - start, *self.read_counts()

    def read_counts(self):
        """The lines that were reached, by file, and those that have code."""
        found = list(self.counts.rglob("*.gcda"))
        for path in found:
            notes = path.with_suffix(".gcno")
            parts = notes.parts[notes.parts.index(COUNTING.build):]
            notes.symlink_to(self.path.joinpath(*parts).resolve())
        reached, code = {}, {}
        if not found:
            return reached, code
        printed = subprocess.run(["gcov", "--json-format", "--stdout", *found], cwd=self.path,
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        for report in printed.stdout.splitlines():
            for file in json.loads(report)["files"]:
                lines = {line["line_number"]: line["count"] for line in file["lines"]}
                code.setdefault(file["file"], set()).update(lines)
                reached.setdefault(file["file"], set()).update(
                    number for number, count in lines.items() if count)
        return {file: sorted(lines) for file, lines in reached.items() if lines}, {
            file: sorted(lines) for file, lines in code.items()}

    def measure_unchanged(self, mode, test):
        """Makes sure that a test succeeds without a mutant, and notes how long that takes now. It
        may fail once: the machine may be busy."""
        for _ in range(2):
            if self.make_test(mode, test):
                start = time.monotonic()
                if self.run_test(mode, test, self.timeout) == 0:
                    self.seconds[mode.name, test] = time.monotonic() - start
                    return self.seconds[mode.name, test]
        lines = self.output.read_text(encoding="utf-8", errors="replace").splitlines()[-40:]
        raise BrokenTest("\n".join(lines + [f"mutate: {test} fails without a mutant"]))

    def change(self, path, text):
        """Gives a source file another text."""
        path.write_text(text, encoding="utf-8")
        self.built.clear()

    @contextlib.contextmanager
    def changed(self, path, text):
        """Another text for a source file, for a while."""
        before = path.read_text(encoding="utf-8")
        try:
            self.change(path, text)
            yield
        finally:
            self.change(path, before)

    def try_mutant(self, mutant, modes, tests):
        """The outcome, and what killed it. `tests` are the seconds each test may take, by name, in
        the order in which to try them."""
        path = self.path / mutant.file
        text = path.read_text(encoding="utf-8")
        target = f"build/{mutant.file[:-2]}.o"
        self.make(ORDINARY, target)
        before = (self.path / target).read_bytes()
        with self.changed(path, text[:mutant.start] + mutant.new + text[mutant.end:]):
            if not self.make(ORDINARY, target):
                return "invalid", ""
            if (self.path / target).read_bytes() == before:
                return "equivalent", "same object code"
            for mode in modes:
                for test, seconds in tests.items():
                    self.seconds.setdefault((mode.name, test), seconds)
                    how = self.find_failure(mode, test, path, text)
                    if how is not None:
                        return "killed", f"{test}{' with ' if mode.name else ''}{mode.name}{how}"
        return "survived", ""

    def find_failure(self, mode, test, path, original):
        """How a test fails with the mutant in place; None if it does not. It has to fail again, and
        to succeed with the original text of the source file: a test that fails now and then finds
        nothing."""
        if not self.make_test(mode, test):
            return " (does not link)"
        timeout = min(self.timeout, SLOWER * self.seconds[mode.name, test] + GRACE_SECONDS)
        code = self.run_test(mode, test, timeout)
        if code == 0 or (code is not None and self.run_test(mode, test, timeout) == 0):
            return None
        if code is not None and (mode.name, test) in self.sound:
            return ""
        with self.changed(path, original):
            seconds = self.measure_unchanged(mode, test)
        self.sound.add((mode.name, test))
        if code is not None:
            return ""
        if HANGS * seconds < timeout:
            return " (timeout)"
        if timeout == self.timeout:
            raise BrokenTest(f"mutate: {test} takes {seconds:.0f} s without a mutant: "
                             "a larger --timeout is needed")
        return self.find_failure(mode, test, path, original)


def try_mutants(pipe, sources, folder, timeout, make_jobs):
    """A worker: tries the mutants that come through the pipe."""
    begin_worker()
    mine = make_folder(folder)
    shutil.copytree(sources, mine / "tree")
    tree = Tree(mine / "tree", mine, timeout, make_jobs)
    while True:
        mutant, modes, tests = pipe.recv()
        start = time.monotonic()
        try:
            outcome, by = tree.try_mutant(mutant, modes, tests)
        except BrokenTest as broken:
            pipe.send(broken)
        else:
            pipe.send((mutant, outcome, by, time.monotonic() - start))


def measure_tests(pipe, path, folder, timeout):
    """A worker: runs the tests that come through the pipe, all in one tree that was built."""
    begin_worker()
    tree = Tree(path, make_folder(folder), timeout, 1)
    while True:
        mode, test = pipe.recv()
        pipe.send((test, *tree.measure_test(mode, test)))
