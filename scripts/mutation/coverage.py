"""Which tests there are, and which lines they reach."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess

from mutation.processes import BrokenTest, Workers, environment
from mutation.trees import COUNTING, COUNTING_QUICKLY, Tree, make_folder, measure_tests

# A process that leaves by _exit writes its counts, too.
COUNTING_EXIT = """
#include <unistd.h>
void __gcov_dump(void);
_Noreturn void __real__exit(int code);
_Noreturn void __wrap__exit(int code);
_Noreturn void __wrap__exit(int code) {
    __gcov_dump();
    __real__exit(code);
}
"""


def digest_of(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def find_scripts(tree):
    """The scripts that test the programs, as the Makefile lists them."""
    command = ["make", "-s", "--eval=mutate-scripts: ; @echo $(PROGRAM_SCRIPTS)", "mutate-scripts"]
    return subprocess.run(command, cwd=tree, env=environment(), stdout=subprocess.PIPE, text=True,
                          check=True).stdout.split()


def find_tests(tree):
    """All tests, each with its own text: programs, scripts, and of a script with functions
    test_NAME, each of these, as SCRIPT:test_NAME."""
    found = {path.stem: path.read_text(encoding="utf-8")
             for path in sorted(pathlib.Path(tree, "tests").glob("test_*.c"))}
    for path in find_scripts(tree):
        text = pathlib.Path(tree, path).read_text(encoding="utf-8")
        script = pathlib.Path(path).name
        parts = re.split(r"^def (test_\w+)", text, flags=re.MULTILINE)
        if len(parts) == 1:
            found[script] = text
        for name, body in zip(parts[1::2], parts[2::2]):
            found[f"{script}:{name}"] = body
    return found


class Coverage:
    """Which lines each test reaches, and how long it takes: measured with tests that count, kept
    as lines of JSON. A test is measured again when its text changes. Of a file that has changed
    since, all that counts is whether the test reached it. A test that is left out by mistake cannot
    kill a mutant, only let it survive."""

    def __init__(self, path, sources, fresh):
        self.path, self.sources, self.tests, self.digests = path, sources, {}, {}
        path.parent.mkdir(parents=True, exist_ok=True)
        if fresh:
            path.unlink(missing_ok=True)
        self.code = {}  # the lines with code, by digest of the file
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    self.add(json.loads(line))
                except json.JSONDecodeError:
                    continue  # the last line of a run that was killed

    def add(self, entry):
        """An entry is of a test, or of a file."""
        if "test" in entry:
            self.tests[entry["test"]] = entry
        else:
            self.code[entry["file"]] = set(entry["code"])

    def put(self, entry):
        self.add(entry)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")

    def file_digest(self, file):
        """Of its content now."""
        if file not in self.digests:
            path = self.sources / file  # there is none for what was made by a script
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            self.digests[file] = digest_of(text)
        return self.digests[file]

    def measure(self, folder, timeout, jobs):
        """Runs what is not known yet."""
        texts = find_tests(self.sources)
        self.tests = {test: entry for test, entry in self.tests.items()
                      if test in texts and entry["digest"] == digest_of(texts[test])}
        missing = [test for test in texts if test not in self.tests]
        if not missing:
            return
        mine = make_folder(folder)
        shutil.copytree(self.sources, mine / "tree")
        tree = Tree(mine / "tree", mine, timeout, len(os.sched_getaffinity(0)))
        (tree.path / "exit.c").write_text(COUNTING_EXIT, encoding="utf-8")
        if not tree.make(COUNTING, f"{COUNTING.build}/exit.o"):
            raise BrokenTest(tree.output.read_text(encoding="utf-8", errors="replace"))
        programs = [f"{COUNTING.build}/tests/{test}" for test in missing if "." not in test]
        if not tree.make(COUNTING, f"LDFLAGS={COUNTING.build}/exit.o -Wl,--wrap=_exit", "all",
                         *programs):
            raise BrokenTest(tree.output.read_text(encoding="utf-8", errors="replace"))
        workers = Workers(jobs, measure_tests, tree.path, mine, timeout)
        try:
            tasks = [(COUNTING if "QUICK" in texts[test] else COUNTING_QUICKLY, test)
                     for test in missing]
            for test, seconds, reached, code in workers.run(tasks):
                self.note(test, digest_of(texts[test]), seconds, reached, code)
        finally:
            workers.close()
        shutil.rmtree(mine)

    def note(self, test, digest, seconds, reached, code):
        """Keeps what was measured of a test."""
        print(f"measured {test} ({seconds:.1f} s)", flush=True)
        files = {file: [self.file_digest(file), lines] for file, lines in reached.items()}
        for file, lines in code.items():
            if self.file_digest(file) not in self.code:
                self.put({"file": self.file_digest(file), "code": lines})
        self.put({"test": test, "digest": digest, "seconds": round(seconds, 2), "reached": files})

    def reaches(self, entry, mutant):
        """Whether a test can notice a mutant."""
        digest, lines = entry["reached"].get(mutant.file, ("", []))
        if not lines or mutant.number not in self.code.get(self.file_digest(mutant.file), ()):
            return bool(lines)  # such as a line of an array
        return digest != self.file_digest(mutant.file) or mutant.number in lines

    def cost(self, entry, mutant):
        """Seconds, times how many lines a test reaches for each one in the file of the mutant:
        what is quick comes first, and what is about this file."""
        lines = sum(len(lines) for _, lines in entry["reached"].values())
        return entry["seconds"] * lines / len(entry["reached"][mutant.file][1])

    def tests_of(self, mutant, budget):
        """The tests that may notice a mutant, in the order in which to try them, with the seconds
        that each took when it was measured. Those after the first are within the budget, which is
        in seconds; 0 means all."""
        found = [entry for entry in self.tests.values() if self.reaches(entry, mutant)]
        found.sort(key=lambda one: self.cost(one, mutant))
        chosen, total = {}, 0
        for entry in found:
            total += entry["seconds"]
            if not chosen or not budget or total <= budget:
                chosen[entry["test"]] = entry["seconds"]
        return chosen
