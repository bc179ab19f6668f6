#!/usr/bin/env python3
"""scripts/mutate, on a tree of one source file whose tests miss what is known here.

usage: tests/mutate.py FOLDER [NAME ...]      FOLDER is not used
"""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
from unittest import mock

from driving import check, run_tests, same, wait_for

sys.dont_write_bytecode = True
SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "scripts" / "mutate"
sys.path.insert(0, str(SCRIPT.parent))
loader = importlib.machinery.SourceFileLoader("mutate_script", str(SCRIPT))
mutate = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate_script", loader))
sys.modules["mutate_script"] = mutate
loader.exec_module(mutate)
from mutation import mutants, trees
trees.GRACE_SECONDS = 5

MAKEFILE = """
BUILD ?= build
PROGRAM_SCRIPTS := tests/script.sh
all: $(BUILD)/toy
$(BUILD)/toy: $(BUILD)/src/toy.o $(BUILD)/tests/main.o
\t$(CC) $(SANITIZE) $^ -o $@
$(BUILD)/tests/test_toy: $(BUILD)/src/toy.o $(BUILD)/tests/test_toy.o
\t$(CC) $(SANITIZE) $^ -o $@
$(BUILD)/%.o: %.c
\t@mkdir -p $(@D)
\t$(CC) -O1 $(SANITIZE) -c $< -o $@
"""

# What becomes of each mutant is beside it.
SOURCE = """
#include "toy.h" /* 1 < 2 && true */
int toy_tested(int age) { return age >= 18; } // killed by the program
int toy_script(int age) { return age == 18; } // killed by the script
int toy_missed(int size) { return size < 10; } // survives
int toy_hangs(volatile int n) { while (n > 3 && n < 9) n--; return n; } // killed; || hangs
int toy_double(int n) { switch (n) { case 0: return 5; case 1: return 6; } return n; } // invalid
int toy_larger(int a, int b) { return a > b ? a : b; } // reviewed
int toy_nothing(int a) { (void)(a == 4); return 7; } // the same code
"""

OVERRUN = """
int other_has(const int *all, int count, int x) {
    while (count-- > 0) if (all[count] == x) return 5;
    return 7;
}
"""

TEST = """
#include "../src/toy.h"
int main(void) { return !(toy_tested(18) && !toy_tested(17) && toy_missed(3) && !toy_missed(20) &&
                          toy_hangs(8) == 3 && toy_hangs(9) == 9 && toy_hangs(2) == 2); }
"""

HEADER = "".join(f"int toy_{name};\n" for name in (
    "tested(int)", "script(int)", "missed(int)", "hangs(volatile int)", "double(int)",
    "larger(int, int)", "nothing(int)")) + "int other_has(const int *, int, int);\n"

# Leaves a process behind, in a session of its own, and a file; and notes that it ran.
SCRIPT_TEST = """
setsid sleep {marker} &
touch "$TMPDIR/left"
echo run >>"{ran}"
{pause}
[ "$1" = . ] && exec build/toy
"$1/toy"
"""

EQUIVALENT = """# Reviewed.

src/toy.c
- int toy_larger(int a, int b) { return a > b ? a : b; } // reviewed
+ int toy_larger(int a, int b) { return a >= b ? a : b; } // reviewed
  If both are the same, it does not matter which is returned.
"""


class Toy:
    """The tree, and a folder for temporary files that has to be empty in the end."""

    def __init__(self, folder, pause=""):
        self.root, self.tmp = pathlib.Path(folder, "toy"), pathlib.Path(folder, "tmp")
        self.ran = pathlib.Path(folder, "ran")
        self.marker = f"77{os.getpid()}"
        self.tmp.mkdir()
        files = {
            "Makefile": MAKEFILE, "src/toy.c": SOURCE, "src/toy.h": HEADER,
            "tests/test_toy.c": TEST,
            "tests/main.c": '#include "../src/toy.h"\n'
                            "int main(void) { return !(toy_script(18) && !toy_script(17) && "
                            "toy_missed(9)); }\n",
            "tests/script.sh": SCRIPT_TEST.format(marker=self.marker, ran=self.ran, pause=pause),
            "scripts/mutants-equivalent.txt": EQUIVALENT}
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def add_to_script(self, line):
        """Another line before the script runs the program; it may refer to {ran}."""
        path = self.root / "tests/script.sh"
        text = path.read_text(encoding="utf-8")
        start = text.index('[ "$1"')
        path.write_text(text[:start] + line.format(ran=self.ran) + "\n" + text[start:],
                        encoding="utf-8")

    def run(self, *words):
        """What the script prints, and its exit code."""
        tempfile.tempdir = str(self.tmp)
        output = io.StringIO()
        try:
            with contextlib.redirect_stdout(output):
                code = mutate.mutate(["--timeout", "20", *words], self.root)
        finally:
            tempfile.tempdir = None
        self.check_clean()
        return output.getvalue(), code

    def is_running(self):
        """Whether a process of the script's is there."""
        found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
        return f"sleep {self.marker}" in found.stdout

    def check_clean(self):
        """No files and no processes are left, and the sources are as they were."""
        same(os.listdir(self.tmp), [], "files are left:")
        check(not self.is_running(), "a process is left")
        same((self.root / "src/toy.c").read_text(encoding="utf-8"), SOURCE, "the source")

    def runs(self):
        """How often the script ran so far."""
        return len(self.ran.read_text(encoding="utf-8").splitlines()) if self.ran.exists() else 0


@contextlib.contextmanager
def toy(**options):
    with tempfile.TemporaryDirectory() as folder:
        yield Toy(folder, **options)


def outcomes_of(output):
    """The outcomes by line of the source, sorted."""
    found = {}
    for line in output.splitlines():
        words = line.split()
        if len(words) > 2 and words[0].isdigit() and words[2].startswith("src/"):
            found.setdefault(int(words[2].split(":")[1]), []).append(words[1])
    return {number: sorted(found[number]) for number in sorted(found)}


SURVIVORS = """
src/toy.c:5
- int toy_missed(int size) { return size < 10; } // survives
+ int toy_missed(int size) { return size <= 10; } // survives
"""


SUMMARY = "\n8 mutants, 5 killed (62 %), 2 equivalent, 1 survived\n"


def test_code():
    """Only code is mutated, and every kind of mutant is found."""
    text = """
#define MORE(a) \\
    ((a) < 1)
/* a < b
   && c */ int x = a<<1; // true
char *s = "\\"a == 0", c = '<';
static_assert(sizeof(int) >= (1),
              "0"); assert(a < f(0));
p->q = !f && 10 != g[0] || 0x1 > 1.0 || true;
"""
    found = [(one.number, one.new_line) for one in mutants.mutants_of("x.c", text)]
    line = "p->q = !f && 10 != g[0] || 0x1 > 1.0 || true;"
    same(found, [(5, "&& c */ int x = a<<0; // true")] + [(9, changed) for changed in (
        line.replace("!f", "f"), line.replace("&&", "||"), line.replace("!=", "=="),
        line.replace("[0]", "[1]"), line.replace("] ||", "] &&"), line.replace(" > ", " >= "),
        line.replace("0 || t", "0 && t"), line.replace("true", "false"))])


def test_order():
    """The seed decides the order; a line more does not."""
    with toy() as tree:
        def order(seed):
            return [one.new_line for one in mutants.find_mutants(tree.root, ["src/*"], seed)]
        first = order(1)
        check(first != order(2) and sorted(first) == sorted(order(2)), "orders")
        path = tree.root / "src/toy.c"
        path.write_text(SOURCE.replace("int toy_script", "int toy_more(int a);\nint toy_script"))
        same(order(1), first)
        same(mutants.find_mutants(tree.root, ["src/other*"], 1), [])


def test_outcomes():
    """Every mutant of the tree; then again from the results; then the survivor again."""
    with toy() as tree:
        output, code = tree.run("--count", "100", "--jobs", "2")
        check(code == 1, code)
        expected = {3: ["killed"], 4: ["killed"], 5: ["survived"], 6: ["killed"] * 3,
                    8: ["equivalent"], 9: ["equivalent"]}
        check(outcomes_of(output) == expected, output)
        same(output[output.index("\nsrc/"):], SURVIVORS + SUMMARY)
        for words in ("3 by test_toy (", "4 by script.sh (", "6 by test_toy (timeout) ("):
            check(f"src/toy.c:{words}" in output, words, output)
        runs = tree.runs()
        again, _ = tree.run("--count", "100")
        check(outcomes_of(again) == expected, again)
        check(tree.runs() == runs, "known results were tested again")
        tree.run("--count", "100", "--retry")
        check(tree.runs() == runs + 1, "not the survivor alone")


def test_budget():
    """A small budget is used up by the first test, which is always run; what survives it is tried
    again without a budget, and nothing else is."""
    with toy(pause="sleep 0.5") as tree:
        words = ("--count", "100")
        for _ in range(2):
            output, _ = tree.run(*words, "--budget", "0.1")
            check(output.endswith(SUMMARY), output)
            runs = tree.runs()
        output, _ = tree.run(*words)
        check(output.endswith(SUMMARY), output)
        same(tree.runs(), runs + 1, "runs of the script:")


def test_sanitizers():
    """What reads one element too many is only noticed with sanitizers. Those of a make that runs
    this test do not count."""
    with toy() as tree, mock.patch.dict(os.environ, SANITIZE="-fsanitize=address"):
        (tree.root / "src/other.c").write_text(OVERRUN, encoding="utf-8")
        path = tree.root / "Makefile"
        path.write_text(MAKEFILE.replace("/src/toy.o", "/src/toy.o $(BUILD)/src/other.o"))
        path = tree.root / "tests/test_toy.c"
        path.write_text(TEST.replace("{ return", "{ int all[] = {1, 2, 3}; return "
                                     "other_has(all, 3, 1) != 5 || other_has(all, 3, 4) != 7 ||"))
        words = ("--count", "9", "--files", "src/other*")
        output, _ = tree.run(*words)
        check(output.endswith("3 mutants, 2 killed (66 %), 0 equivalent, 1 survived\n"), output)
        output, _ = tree.run(*words, "--sanitize")
        check(output.endswith("3 mutants, 3 killed (100 %), 0 equivalent, 0 survived\n"), output)
        check("by test_toy with sanitizers (" in output, output)


def test_sanitizers_for_survivors():
    """What was found without sanitizers is not tried again: only the survivor is, with them."""
    with toy() as tree:
        tree.run("--count", "100")
        runs = tree.runs()
        output, _ = tree.run("--count", "100", "--sanitize")
        check(output.endswith(SUMMARY), output)
        same(tree.runs(), runs + 1, "runs of the script:")


def test_coverage():
    """Only tests that reach the line of a mutant are run; of a line without code, those that reach
    its file. A test that has changed is measured again, and only that one."""
    with toy() as tree:
        (tree.root / "src/other.c").write_text("""
const int other_limit[] = {
    1 };
int other_small(int a) { return a < other_limit[0]; }
int other_unused(int a) { return a > 3; }
""", encoding="utf-8")
        path = tree.root / "Makefile"
        path.write_text(MAKEFILE.replace("/src/toy.o", "/src/toy.o $(BUILD)/src/other.o"))
        path = tree.root / "tests/test_toy.c"
        test = "int other_small(int);\n" + TEST.replace("{ return", "{ return !other_small(0) ||")
        path.write_text(test)
        words = ("--count", "9", "--files", "src/other*")
        output, _ = tree.run(*words)
        expected = {3: ["killed"], 4: ["killed", "survived"], 5: ["survived"]}
        check(outcomes_of(output) == expected, output)
        same(tree.runs(), 1, "more than measured:")
        check("measured test_toy" in output and "measured script.sh" in output, output)
        path.write_text(test.replace("!other_small(0)", "!other_small(0) || other_small(1)"))
        output, _ = tree.run(*words, "--retry")
        expected[4] = ["killed"] * 2
        check(outcomes_of(output) == expected, output)
        check("measured test_toy" in output and "measured script.sh" not in output, output)


def test_count():
    """As many as asked for, in the order of the seed; what does not compile is replaced."""
    with toy() as tree:
        order = [one.number for one in mutants.find_mutants(tree.root, ["src/*"], 18)]
        check(order[:9] == [8, 5, 7, 7, 6, 4, 3, 9, 6], order)
        output, _ = tree.run("--count", "6", "--seed", "18")
        check(sorted(outcomes_of(output)) == [3, 4, 5, 6, 8, 9], output)
        check(output.endswith("\n6 mutants, 3 killed (50 %), 2 equivalent, 1 survived\n"), output)
        check(not any(name.endswith(".o") for _, _, names in os.walk(tree.root) for name in names),
              "it was built in the checkout")


def test_broken_tests():
    """A test that fails anyway finds nothing."""
    with toy(pause="for one in build*/toy; do $one; done; exit 1") as tree:
        try:
            tree.run("--count", "3", "--seed", "18")
            check(False, "no complaint")
        except SystemExit as end:
            check("script.sh fails without a mutant" in str(end.code), end.code)
        tree.check_clean()


# The number of runs of the script so far, this one included.
COUNT_RUNS = 'runs=$(wc -l < "{ran}")'


def test_flaky_tests():
    """A script that fails every second time kills only what it would kill anyway."""
    with toy() as tree:
        tree.add_to_script(f"{COUNT_RUNS}; [ $((runs % 2)) = 1 ] || exit 1")
        output, _ = tree.run("--count", "100")
        outcomes = outcomes_of(output)
        same((outcomes[4], outcomes[5]), (["killed"], ["survived"]), output)
        check(output.endswith(SUMMARY), output)


def test_busy_machine():
    """A script that takes longer than its timeout does not hang if it does so without a mutant."""
    with toy() as tree, mock.patch.object(trees, "GRACE_SECONDS", 0.2):
        tree.add_to_script(f"{COUNT_RUNS}; [ $runs = 1 ] || sleep 2")
        output, _ = tree.run("--count", "100")
        check(outcomes_of(output)[5] == ["survived"], output)


def test_signal():
    """Stopped in the middle of a test, it ends at once and leaves nothing; then it goes on."""
    with toy(pause="sleep 0.4") as tree:
        env = os.environ | {"TMPDIR": str(tree.tmp), "PYTHONDONTWRITEBYTECODE": "1"}
        words = ["--count", "7", "--seed", "18"]
        command = [sys.executable, __file__, "--toy", str(tree.root), *words]
        with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL) as process:
            wait_for(lambda: tree.is_running() or process.poll() is not None, "the script")
            check(process.poll() is None, "it ended by itself")
            process.send_signal(signal.SIGTERM)
            check(process.wait(20) == 143, process.returncode)
        tree.check_clean()
        output, _ = tree.run(*words)
        check("(timeout)" not in output, "a mutant was left out:", output)
        check(output.endswith("\n7 mutants, 4 killed (57 %), 2 equivalent, 1 survived\n"), output)


def test_equivalents():
    """Each reviewed mutant is one of a line that is still there."""
    root = SCRIPT.parent.parent
    found = {(one.file, one.old_line, one.new_line) for one in mutants.find_mutants(root, ["*"], 1)}
    listed = mutants.read_equivalents(root / mutate.EQUIVALENT)
    check(listed and listed <= found, "not there any more:", listed - found)


if __name__ == "__main__":
    if sys.argv[1] == "--toy":  # for test_signal
        sys.exit(mutate.mutate(sys.argv[3:], pathlib.Path(sys.argv[2])))
    sys.exit(run_tests("mutate", dict(globals()), sys.argv[2:]))
