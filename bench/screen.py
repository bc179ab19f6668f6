#!/usr/bin/env python3
"""How long the full screen takes for a frame: processor time of the program, in each game at three
sizes. Every key is answered by one frame, and the time includes reading the key. It is a key that
shows or hides the numbers of the squares; the baseline is one that changes nothing, after which the
frame is drawn and compared, but not written.

Usage: bench/screen.py PROGRAM
"""
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios

PROMISED_MS, FRAMES = 2, 200


def seconds_of(process):
    """The processor time of the process."""
    fields = open(f"/proc/{process.pid}/schedstat").read().split()
    return int(fields[0]) / 1e9


def read_all(master, seconds):
    while select.select([master], [], [], seconds)[0]:
        os.read(master, 1 << 16)
        seconds = 0.005


def per_key(master, process, key, patience):
    """Milliseconds of processor time per key."""
    read_all(master, 0.3)
    begin = seconds_of(process)
    for _ in range(FRAMES):
        os.write(master, key)
        read_all(master, patience)
    return 1000 * (seconds_of(process) - begin) / FRAMES


def measure(program, game, rows, columns, folder):
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    env = os.environ | {"TERM": "xterm-256color", "XDG_STATE_HOME": folder, "LC_ALL": "C.UTF-8"}
    process = subprocess.Popen(
        [program, "play", game, "--no-animation", "--seats", "you", "--seed", "1"], stdin=slave,
        stdout=slave, stderr=slave, env=env, start_new_session=True)
    read_all(master, 2)  # until it has been drawn
    os.write(master, b"\r")
    numbers = per_key(master, process, b"n", 0.05)
    nothing = per_key(master, process, b"\x1b[99~", 0.002)
    process.kill()
    process.wait()
    os.close(master)
    os.close(slave)
    return numbers, nothing


def main():
    with tempfile.TemporaryDirectory() as folder:
        for rows, columns in ((24, 80), (40, 120), (60, 200)):
            for game in ("yut", "race", "box", "dice", "valley"):
                frame, nothing = measure(sys.argv[1], game, rows, columns, folder)
                print(f"screen, {game}, {columns}x{rows}: {frame:.2f} ms per frame (promised "
                      f"{PROMISED_MS}; without a change {nothing:.2f})")


if __name__ == "__main__":
    main()
