"""Processes that leave nothing behind, and workers that do tasks."""
import ctypes
import multiprocessing
import multiprocessing.connection
import os
import resource
import signal
import subprocess
import sys
import time


class BrokenTest(Exception):
    """A test fails without a mutant."""


def adopt_orphans():
    """Processes that lose their parent become children of this one, so that it can end them."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def descendants():
    """The numbers of all processes below this one."""
    children = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                    parent = int(file.read().rpartition(")")[2].split()[1])
            except (OSError, ValueError, IndexError):
                continue  # it has ended
            children.setdefault(parent, []).append(int(entry))
    found, waiting = [], [os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def end_descendants():
    """Kills and reaps everything below this process, also what left its group or session."""
    while remaining := descendants():
        for number in remaining:
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass
        time.sleep(0.001)


def environment():
    """That of this process, without what a make above it has set."""
    above = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "BUILD", "OPTIMIZE", "SANITIZE", "WERROR", "QUICK")
    return {name: value for name, value in os.environ.items() if name not in above}


def run(command, folder, env, timeout, limits=(), output=os.devnull):
    """Runs a command: its exit code, or None if it took too long. No process of it stays."""
    def prepare():
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        for which, value in limits:
            resource.setrlimit(which, (value, resource.getrlimit(which)[1]))  # a test may raise it

    with open(output, "wb") as file:
        process = subprocess.Popen(command, cwd=folder, env=env, stdin=subprocess.DEVNULL,
                                   stdout=file, stderr=subprocess.STDOUT, start_new_session=True,
                                   preexec_fn=prepare)
    try:
        return process.wait(timeout)
    except subprocess.TimeoutExpired:
        return None
    finally:
        process.poll()
        if process.returncode is None:
            process.kill()
            process.wait()
        end_descendants()


def begin_worker():
    """A worker ends with its parent, and takes what it started along."""
    def end(*_):
        end_descendants()
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, end)
    ctypes.CDLL(None).prctl(1, signal.SIGTERM, 0, 0, 0)  # PR_SET_PDEATHSIG
    adopt_orphans()


class Workers:
    """Processes that do tasks, each with a pipe of its own: this process has no other threads and
    shares no locks with them, so one that dies is noticed and holds up nobody."""

    def __init__(self, count, target, *arguments):
        self.processes, self.pipes = [], []
        for _ in range(count):
            pipe, other = multiprocessing.Pipe()
            process = multiprocessing.Process(target=target, args=(other, *arguments))
            process.start()
            other.close()
            self.processes.append(process)
            self.pipes.append(pipe)

    def run(self, tasks):
        """Has the tasks done; yields the results as they come."""
        rest, busy = iter(tasks), set()

        def give(pipe):
            task = next(rest, None)
            if task:
                pipe.send(task)
                busy.add(pipe)

        for pipe in self.pipes:
            give(pipe)
        while busy:
            for pipe in multiprocessing.connection.wait(list(busy)):
                try:
                    result = pipe.recv()
                except EOFError:
                    sys.exit("a worker ended by itself; the same command continues")
                busy.remove(pipe)
                if isinstance(result, BrokenTest):
                    raise result
                give(pipe)
                yield result

    def close(self):
        """Ends them. A signal that comes just before a read begins does not interrupt it, so it is
        sent until the process has ended."""
        for process in self.processes:
            while process.is_alive():
                process.terminate()
                process.join(0.2)
