#!/usr/bin/env python3
"""malpan fetch: from folders and from servers that drop connections, lie or send rubbish.

usage: tests/fetch.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import http.client
import http.server
import json
import os
import pathlib
import resource
import shutil
import signal
import socket
import sys
import tempfile
import threading

from driving import PATIENCE, check, refused, run_tests, wait_for
from serving import Server
from solving import Folder

NAME = "valley-soldiers-1.table"
RULES = "valley --soldiers 1"


class Source:
    """A folder with a table, and a server for it that behaves as it is told."""

    def __enter__(self):
        self.folder = Folder().__enter__()
        self.path = self.folder.path
        check(self.folder.malpan(f"solve {RULES}").code == 0)
        self.bytes = (self.path / NAME).read_bytes()
        source = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                source.answer(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/tables/"
        self.requests = []  # the ranges asked for
        self.body = self.bytes
        self.ranges = True  # whether it knows them
        self.drop_after = None  # bytes of each answer, after which the connection is lost
        self.claim = 0  # how much longer it says that an answer is
        self.chunks = False  # sends no length, and no end
        self.pause = None  # an event to wait for after half of an answer
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.folder.__exit__()

    def answer(self, handler):
        wanted = handler.headers.get("Range")
        self.requests.append(wanted)
        if handler.path != f"/tables/{NAME}":
            handler.send_error(404)
            return
        begin = int(wanted.split("=")[1].rstrip("-")) if wanted and self.ranges else 0
        if begin and begin >= len(self.body):
            handler.send_error(416)
            return
        rest = self.body[begin:]
        handler.send_response(206 if begin else 200)
        if begin:
            handler.send_header("Content-Range",
                                f"bytes {begin}-{len(self.body) - 1}/{len(self.body)}")
        if not self.chunks:
            handler.send_header("Content-Length", str(len(rest) + self.claim))
        handler.end_headers()
        try:
            self.send(handler, rest)
        except OSError:  # the client has enough
            pass
        handler.close_connection = True

    def send(self, handler, rest):
        if self.drop_after is not None:
            handler.wfile.write(rest[:self.drop_after])
            if len(rest) > self.drop_after:
                handler.wfile.flush()
                handler.connection.shutdown(socket.SHUT_RDWR)
            return
        half = len(rest) // 2
        handler.wfile.write(rest[:half])
        handler.wfile.flush()
        if self.pause:
            self.pause.wait(PATIENCE)
        handler.wfile.write(rest[half:])
        while self.chunks:
            handler.wfile.write(bytes(1 << 16))


def fetch(folder, source, **options):
    return folder.malpan(f"fetch {RULES} --from {source}", **options)


def arrived(folder, source):
    """The table, and nothing else, is there."""
    check(folder.names() == [NAME], "left:", folder.names())
    check((folder.path / NAME).read_bytes() == source.bytes, "another table")


def test_from_a_folder_and_a_server():
    with Source() as source:
        for place in (source.path, source.url, source.url.rstrip("/"), f"{source.path}/../{source.path.name}"):
            with Folder() as folder:
                done = folder.malpan(f"fetch {RULES} --from {place} --json")
                check(done.code == 0 and done.err == b"", done.code, done.err)
                answer = json.loads(done.out)
                check(answer["fetched"] == len(source.bytes) and not answer["existed"], answer)
                arrived(folder, source)
                check(folder.malpan(f"verify {RULES} --full").code == 0, "it is no table")
                # What is there already is not fetched again, wherever from.
                done = fetch(folder, "/nowhere")
                check(done.code == 0 and b"the table exists" in done.out, done.code, done.err)
                refused(folder.malpan(f"fetch {RULES} --again --from /nowhere"), 1, "/nowhere")
                done = folder.malpan(f"fetch {RULES} --again --from {place}")
                check(done.code == 0 and b"fetched" in done.out, done.code, done.err)
                arrived(folder, source)


def test_folders_with_unusual_names():
    with Source() as source, Folder() as folder, tempfile.TemporaryDirectory() as place:
        odd = pathlib.Path(place, "50% #1?")
        odd.mkdir()
        shutil.copy(source.path / NAME, odd)
        done = folder.malpan(f"fetch {RULES} --from .", cwd=odd)
        check(done.code == 0, done.err)
        arrived(folder, source)


def test_lost_connections_go_on():
    with Source() as source, Folder() as folder:
        source.drop_after = len(source.bytes) // 5 + 1
        done = fetch(folder, source.url)
        check(done.code == 0, done.code, done.err)
        arrived(folder, source)
        check(len(source.requests) == 5 and source.requests[1] == f"bytes={source.drop_after}-",
              source.requests)


def test_a_server_that_sends_nothing_is_given_up():
    with Source() as source, Folder() as folder:
        source.drop_after = 0
        refused(fetch(folder, source.url), 1, NAME)
        check(folder.names() == [], "left:", folder.names())
        source.drop_after = None
        check(fetch(folder, source.url).code == 0)
        arrived(folder, source)


def test_a_stopped_fetch_goes_on():
    with Source() as source:
        for number, code in ((signal.SIGINT, 5), (signal.SIGKILL, -signal.SIGKILL)):
            with Folder() as folder:
                source.pause = threading.Event()
                source.requests.clear()
                process = folder.start(f"fetch {RULES} --from {source.url}")
                half = folder.path / f"{NAME}.fetch"
                wait_for(lambda: half.exists() and half.stat().st_size > 0, "half of the table")
                refused(fetch(folder, source.url), 1, "another process is fetching")
                process.send_signal(number)
                _, err = process.communicate(timeout=PATIENCE)
                source.pause.set()
                check(process.returncode == code, process.returncode, err)
                check(number == signal.SIGKILL or b"the same command goes on" in err, err)
                size = half.stat().st_size
                check(not (folder.path / NAME).exists(), "half a table is used")
                check(fetch(folder, source.url).code == 0)
                check(source.requests[-1] == f"bytes={size}-", source.requests)
                arrived(folder, source)
            source.pause = None


def test_a_server_without_ranges_begins_anew():
    with Source() as source, Folder() as folder:
        (folder.path / f"{NAME}.fetch").write_bytes(source.bytes[:100])
        source.ranges = False
        check(fetch(folder, source.url).code == 0)
        arrived(folder, source)
    with Source() as source, Folder() as folder:
        source.ranges, source.drop_after = False, len(source.bytes) // 2
        refused(fetch(folder, source.url), 1, "cannot fetch", "goes on")  # not again and again
        check(len(source.requests) == 4, source.requests)


def test_all_may_have_arrived_before():
    with Source() as source:
        for place in (source.url, source.path):
            with Folder() as folder:
                (folder.path / f"{NAME}.fetch").write_bytes(source.bytes)
                done = fetch(folder, place)
                check(done.code == 0, done.err)
                arrived(folder, source)


def test_what_was_there_is_too_long():
    with Source() as source, Folder() as folder:
        with open(folder.path / f"{NAME}.fetch", "wb") as part:
            part.truncate(1 << 30)
        check(fetch(folder, source.url).code == 0)
        arrived(folder, source)


def test_damaged_bytes_are_not_used():
    with Source() as source:
        size = len(source.bytes)
        for at in (3, 40, size // 2, size - 1):
            with Folder() as folder:
                source.body = bytearray(source.bytes)
                source.body[at] ^= 0x10
                refused(fetch(folder, source.url), 4, "removed")
                check(folder.names() == [], "left:", folder.names())
        for body in (b"", source.bytes[:-1], source.bytes + b"x", b"<html>no</html>"):
            with Folder() as folder:
                source.body = body
                refused(fetch(folder, source.url), 4, "removed")
                check(folder.names() == [], "left:", folder.names())
                source.body = source.bytes
                check(fetch(folder, source.url).code == 0)
                arrived(folder, source)
        # Another variant's table under this name.
        with Folder() as other, Folder() as folder:
            check(other.malpan("solve valley --soldiers 0").code == 0)
            source.body = (other.path / "valley-soldiers-0.table").read_bytes()
            refused(fetch(folder, source.url), 4, "removed")


def test_a_server_that_lies_about_lengths():
    with Source() as source:
        with Folder() as folder:  # there is less; but the checksums are right
            source.claim = 1000
            check(fetch(folder, source.url).code == 0)
            arrived(folder, source)
        with Folder() as folder:  # more than there can be
            source.claim = 10**15
            refused(fetch(folder, source.url), 4, "more bytes than such a table can have")
            source.claim = -10
            refused(fetch(folder, source.url), 4, "removed")
        with Folder() as folder:  # without end
            source.claim, source.chunks = 0, True
            refused(fetch(folder, source.url), 4, "more bytes than such a table can have")


def test_a_full_disk():
    with Source() as source, Folder() as folder:
        room = len(source.bytes) // 3

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

        refused(fetch(folder, source.url, preexec_fn=limit), 1, "cannot write", "goes on")
        check((folder.path / f"{NAME}.fetch").stat().st_size <= room, "too much")
        check(fetch(folder, source.url).code == 0)
        arrived(folder, source)


def test_what_cannot_be_fetched():
    with Source() as source, Folder() as folder:
        refused(folder.malpan(f"fetch {RULES}"), 2, "--from")
        refused(folder.malpan(f"fetch valley --from {source.url}"), 4, "there is no")
        refused(folder.malpan(f"fetch valley --from {source.path}"), 4, "there is no")
        refused(folder.malpan(f"fetch {RULES} --from ftp://127.0.0.1/"), 2, "http://")
        refused(folder.malpan(f"fetch {RULES} --from http://127.0.0.1:1/"), 1, "cannot fetch")
        refused(folder.malpan(f"fetch box --from {source.url}"), 3, "no table")
        os.mkdir(folder.path / f"{NAME}.fetch")
        refused(fetch(folder, source.url), 1, "cannot write", "directory")
    with Source() as source, Folder() as folder:
        os.mkfifo(folder.path / f"{NAME}.fetch")
        refused(fetch(folder, source.url), 1, "not a regular file")
        check(folder.names() == [f"{NAME}.fetch"], "removed what is not its own")


def asked(port, path, **headers):
    """The status, headers and body of a request to malpan serve."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    found = answer.status, dict(answer.getheaders()), answer.read()
    connection.close()
    return found


def test_a_server_shares_its_tables():
    with Source() as source, tempfile.TemporaryDirectory() as data:
        (source.path / "secret.txt").write_text("not a table")
        (source.path / "broken.table").write_text("nor this")
        (source.path / ".hidden.table").write_bytes(source.bytes)
        server = Server(data, "--share-tables", "--tables", str(source.path))
        try:
            with Folder() as folder:
                check(fetch(folder, f"http://127.0.0.1:{server.port}/tables").code == 0)
                arrived(folder, source)
            size = len(source.bytes)
            for header, status, part in (
                    (None, 200, source.bytes), ("bytes=10-", 206, source.bytes[10:]),
                    ("bytes=0-0", 206, source.bytes[:1]), ("bytes=5-99999999", 206, source.bytes[5:]),
                    (f"bytes={size - 1}-{size - 1}", 206, source.bytes[-1:]),
                    ("bytes=9-3", 200, source.bytes), ("bytes=-5", 200, source.bytes),
                    ("bytes=0-1,3-4", 200, source.bytes), ("bytes=x-", 200, source.bytes),
                    ("bytes=99999999999999999999-", 416, None), (f"bytes={size}-", 416, None)):
                found, headers, body = asked(server.port, f"/tables/{NAME}",
                                             **({"Range": header} if header else {}))
                check(found == status and (part is None or body == part), header, found, headers)
                check(status != 206 or headers["Content-Range"].endswith(f"/{size}"), headers)
            status, _, body = asked(server.port, "/tables")
            tables = json.loads(body)["tables"]
            check(status == 200 and [table["name"] for table in tables] == [NAME], tables)
            check(tables[0]["bytes"] == size and tables[0]["game"] == "valley", tables)
            report = json.loads(source.folder.malpan(f"solve {RULES} --json").out)
            check(tables[0]["checksum"] == report["checksum"], tables)
            for path in ("secret.txt", ".hidden.table", "no.table", "../x.table", "..%2fx.table", ""):
                check(asked(server.port, f"/tables/{path}")[0] == 404, path)
        finally:
            server.stop()
        server = Server(data, "--tables", str(source.path))
        try:
            check(asked(server.port, "/tables")[0] == 404, "shared without being told to")
            check(asked(server.port, f"/tables/{NAME}")[0] == 404, "shared without being told to")
        finally:
            server.stop()


def test_tables_that_nobody_reads_leave_room():
    """Each answer has a file open. Those that wait for their clients do not use up all files."""
    files = 700

    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as data:
        with open(f"{folder}/big.table", "wb") as table:
            table.truncate(1 << 26)
        server = Server(data, "--share-tables", "--tables", folder, preexec_fn=limit)
        lines = []
        try:
            for _ in range(files // 2):
                lines.append(socket.create_connection(("127.0.0.1", server.port)))
                lines[-1].sendall(b"GET /tables/big.table HTTP/1.1\r\n"
                                  b"Host: 127.0.0.1:%d\r\n\r\n" % server.port)
            check(asked(server.port, "/api/health")[0] == 200)
            check(asked(server.port, "/tables/big.table", Range="bytes=0-0")[0] == 206)
        finally:
            for line in lines:
                line.close()
            server.stop()


if __name__ == "__main__":
    sys.exit(run_tests("fetch", globals(), sys.argv[2:]))
