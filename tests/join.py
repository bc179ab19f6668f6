#!/usr/bin/env python3
"""Games on a `malpan serve`, joined from the terminal: against another client, and two terminals
against each other.

usage: tests/join.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import os
import pathlib
import signal
import sys
import tempfile
import time
from random import Random

from driving import PATIENCE, check, refused, run, run_tests, same
from screen import MALPAN, OVER, Screen
from serving import HERE, LINK, Browser, computer, serving


def link(server, game, token=None):
    """The link that the page shows."""
    return f"http://127.0.0.1:{server.port}/#/play/{game['id']}" + (f"/{token}" if token else "")


def joining(server, game, seat=0, **options):
    """A terminal at a seat that has a link."""
    token = game["links"][seat]["token"]
    return Screen("play", "--server", link(server, game), "--seat", token, "--lang", "en",
                  "--no-animation", **options)


def refuses(words, code, message):
    """At a terminal, the program ends with this code and message."""
    with Screen("play", *words, "--lang", "en",
                command=["sh", "-c", 'exec "$0" "$@" 2>errors', MALPAN]) as screen:
        check(screen.finish() == code, words)
        errors = pathlib.Path(screen.folder.name, "errors").read_text()
        check(message in errors and errors.count("\n") == 1, words, errors)


def now(browser, game):
    return browser.good(browser.get(f"/api/games/{game['id']}"))


def wait_until(screen, condition, what):
    """Waits until the condition holds, while the screen goes on."""
    end = time.monotonic() + PATIENCE
    while not condition():
        screen.pump(0.05)
        check(time.monotonic() < end, what, screen.text())


def play_to_end(browser, game, screens, random):
    """Steps of the browser's seats, and Enter at the screens, until everybody sees the end."""
    end = time.monotonic() + PATIENCE * 3
    while not (game := now(browser, game))["over"]:
        check(time.monotonic() < end, "does not end", game["waits"], screens[0].text())
        if game["waits"] and game["waits"]["seat"] in game["you"]:
            browser.step(game, random)
            continue
        for screen in screens:
            screen.keys("\r")
    for screen in screens:
        screen.wait_for(OVER)
    return game


def test_a_game_against_another_client():
    for name, rules in (("yut", "--pieces 1"), ("box", ""), ("race", "")):
        with serving("--rate", "0") as server:
            ada = Browser(server)
            game = ada.create(name, [HERE | {"name": "Ada"}, LINK], rules)
            with joining(server, game) as screen:
                screen.wait_for("0 Ada")
                screen.wait_for("1 you")
                game = play_to_end(ada, game, [screen], Random(3))
                check(game["number"] > 1, name)
                screen.keys("r")
                screen.wait_for("player 0: luck")
                screen.keys("\x1b")
                screen.keys("q")
                check(screen.finish() == 0)
                check(screen.games() == [], "a game on a server is stored here, too")


def test_two_terminals():
    with serving("--rate", "0") as server:
        host = Browser(server)
        game = host.create("yut", [LINK, LINK], "--pieces 1")
        with joining(server, game, 0) as one, joining(server, game, 1, rows=16, columns=40) as two:
            play_to_end(host, game, [one, two], Random(4))


def test_moves_by_cursor_and_text():
    with serving() as server:
        browser = Browser(server)
        game = browser.create("valley", [LINK, HERE])
        with joining(server, game) as screen:
            screen.wait_for("0 you")
            screen.keys("#99\r")  # there are not so many
            check(now(browser, game)["number"] == 0)
            screen.keys(":b1b4\r")
            wait_until(screen, lambda: now(browser, game)["number"] == 1, "no move")
            same(now(browser, game)["steps"][0]["move"], "b1b4")
            screen.wait_for("waiting for player 1")
            screen.keys(":a5a2\r")  # it is not this seat's turn
            check(now(browser, game)["number"] == 1)


def test_taking_back_a_move():
    with serving() as server:
        browser = Browser(server)
        game = browser.create("valley", [LINK, HERE | {"name": "Ada"}])
        with joining(server, game) as screen:
            screen.wait_for("0 you")
            screen.keys("u")
            screen.wait_for("nothing to take back")
            screen.keys(":b1b4\r")
            screen.wait_for("waiting for Ada")
            screen.keys("u")
            screen.wait_for("a move was taken back")
            check(now(browser, game)["number"] == 0)
            # Ada asks for her move, and with it for one of this seat.
            screen.keys(":b1b4\r")
            screen.wait_for("waiting for Ada")
            browser.good(browser.post(f"/api/games/{game['id']}/moves",
                                      {"number": 1, "move": "a5a2"}))
            wait_until(screen, lambda: "waiting for Ada" not in screen.text(), "no move of Ada's")
            screen.keys(":d1d4\r")
            wait_until(screen, lambda: now(browser, game)["number"] == 3, "no move")
            for key, left in (("U", 3), ("u", 1)):
                browser.good(browser.post(f"/api/games/{game['id']}/undo", {"number": 3}))
                screen.wait_for("Ada asks to take back a move")
                screen.keys(key)
                wait_until(screen, lambda: now(browser, game)["undo"]["asked"] == [], "still asked")
                check(now(browser, game)["number"] == left, key)
                wait_until(screen, lambda: "asks to take" not in screen.text(), "still says so")


def test_computers_and_watchers():
    with serving("--rate", "0") as server:
        browser = Browser(server)
        game = browser.create("race", [LINK, computer("random")])
        with Screen("play", "--server", f"http://127.0.0.1:{server.port}/#/watch/{game['id']}",
                    "--lang", "en", "--no-animation") as watcher, joining(server, game) as screen:
            watcher.wait_for("waiting for player 0")
            watcher.keys("\r")  # a watcher has no seat
            check(now(browser, game)["number"] == 0)
            play_to_end(browser, game, [screen], Random(1))
            watcher.wait_for(OVER)


def test_the_server_restarts():
    with tempfile.TemporaryDirectory() as data, serving("--data", data) as server:
        browser = Browser(server)
        game = browser.create("yut", [LINK, HERE], "--pieces 2")
        with joining(server, game) as screen:
            screen.wait_for("Enter: throw")
            port = server.port
            server.stop()
            screen.wait_for("no connection, trying again")
            screen.keys("\r")  # is sent when the server is back
            server.command[server.command.index("--port") + 1] = str(port)
            server.start()
            wait_until(screen, lambda: now(browser, game)["number"] == 1, "no throw")
            wait_until(screen, lambda: "no connection" not in screen.text(), "no connection")
            screen.wait_for("throws")


def test_a_seat_is_for_one_person():
    with serving() as server:
        game = Browser(server).create("race", [LINK, HERE])
        with joining(server, game) as screen:
            screen.wait_for("Enter: throw")
            refuses(["--server", link(server, game, game["links"][0]["token"])], 1, "taken")
            os.kill(screen.process.pid, signal.SIGTERM)
            screen.finish()
            # The same person is known again.
            with joining(server, game, env={"XDG_STATE_HOME": screen.folder.name}) as again:
                again.wait_for("Enter: throw")


def test_without_a_folder_for_the_key():
    with serving() as server:
        game = Browser(server).create("race", [LINK, HERE])
        with joining(server, game, env={"XDG_STATE_HOME": "/dev/null"}) as screen:
            screen.wait_for("Enter: throw")


def test_moves_that_come_faster_than_they_are_shown():
    moves = "b1b4 a5a2 d1d4 e5e2 b4b1 a2a5 d4d1 e2e5".split()
    with serving("--rate", "0") as server:
        browser = Browser(server)
        game = browser.create("valley", [HERE, HERE])
        with Screen("play", "--server", f"http://127.0.0.1:{server.port}/#/watch/{game['id']}",
                    "--lang", "en") as watcher:
            watcher.wait_for("waiting for player 0")
            for number, move in enumerate(moves):
                if number == 6:  # comes while the first one is moving, which is then skipped
                    wait_until(watcher, lambda: not watcher.pump(0.1), "does not wait")
                    wait_until(watcher, lambda: watcher.pump(0.1), "does not move")
                if number == 7:
                    watcher.wait_for("ply 3")
                browser.good(browser.post(f"/api/games/{game['id']}/moves",
                                          {"number": number, "move": move}))
            watcher.wait_for("ply 5")


def test_what_is_refused():
    with serving() as server:
        game = Browser(server).create("race", [LINK, HERE])
        token = game["links"][0]["token"]
        good = link(server, game)
        refused(run(MALPAN, "play", "--server", good), 2, "terminal")
        for words, code, message in (
                (["--server", "http://127.0.0.1"], 2, "--server: expected the link"),
                (["--server", good, "--seat", "x"], 2, "--seat: expected"),
                (["--server", good, "--line"], 2, "--line does not go with"),
                (["race", "--server", good], 2, "leave out race"),
                (["--seat", token], 2, "goes with --server"),
                (["--server", good, "--seat", "A" * 22], 1, "does not belong to a seat"),
                (["--server", link(server, {"id": "A" * 22})], 1, ""),
                (["--server", "http://127.0.0.1:1/#/play/" + "A" * 22], 1, "")):
            refuses(words, code, message)


if __name__ == "__main__":
    sys.exit(run_tests("join", dict(globals()), sys.argv[2:]))
