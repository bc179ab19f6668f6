"""What the tests of malpan solve and malpan verify share."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from driving import ENVIRONMENT, check, default_signals, run

MALPAN = os.path.join(os.path.abspath(sys.argv[1]), "malpan")
QUICK = "QUICK" in os.environ  # under the sanitizers
SMALL = "--pieces 1"
# Takes about a second, most of which goes into checkpoints, when there is one after every sweep.
LONGER = SMALL if QUICK else "--pieces 2"


class Folder:
    """A folder of tables, gone in the end."""

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.temporary.name)
        self.env = {"MALPAN_TABLES": str(self.path)}
        return self

    def __exit__(self, *_):
        self.temporary.cleanup()

    def malpan(self, line, **options):
        """Runs `malpan LINE` to its end."""
        return run(MALPAN, *line.split(), env=self.env, **options)

    def start(self, line):
        """Starts `malpan LINE`."""
        return subprocess.Popen([MALPAN, *line.split()], env=ENVIRONMENT | self.env,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                preexec_fn=default_signals)

    def names(self):
        """The files there are."""
        return sorted(path.name for path in self.path.iterdir())


def quoted(path):
    """A path as messages show it: cut if it is long."""
    return f"'{path}'" if len(str(path)) <= 40 else f"'{str(path)[:40]}...'"


def report(result):
    """The report of a run that succeeded with --json."""
    check(result.code == 0, "exit code", result.code, result.err)
    return json.loads(result.out)


def solved(folder, options):
    """Solves; what it says."""
    return report(folder.malpan(f"solve yut {options} --json"))


def table_of(folder, options):
    """Solves; the table's file."""
    return pathlib.Path(solved(folder, options)["table"])


def same_outcome(found, expected):
    """Both made the same table with the same work."""
    for field in ("checksum", "error_bound", "sweeps", "positions", "bytes"):
        check(found[field] == expected[field], field, found[field], "not", expected[field])
