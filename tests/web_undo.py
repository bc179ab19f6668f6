#!/usr/bin/env python3
"""Steps in games hosted by `malpan serve`, taking them back, and repeating them.

usage: tests/web_undo.py FOLDER [NAME ...]      FOLDER holds malpan
"""
import resource
import signal
import sys
from random import Random

from driving import check, run_tests, same
from serving import HERE, LINK, Browser, Listener, computer, play_out, refuses, serving

# Nobody wins before everybody has had a few turns.
LONG_FOR_THREE = "--players 3 --pieces 4"


class Party:
    """A game and the people in it: one browser for all seats here, and one for each link."""

    def __init__(self, server, name, seats, rules="", **more):
        self.server, self.random = server, Random(12)
        owner = Browser(server)
        game = owner.create(name, seats, rules, **more)
        self.path = f"/api/games/{game['id']}"
        self.people = [owner] * len(seats)
        for link in game["links"]:
            self.people[link["seat"]] = guest = Browser(server)
            game |= guest.good(guest.post(f"{self.path}/join", {"token": link["token"]}))
        self.game = owner.settled(game | {"you": owner.good(owner.get(self.path))["you"]})
        self.game.pop("links", None)

    def post(self, seat, what, **body):
        """Asks for a change of the game as it is now; returns the answer."""
        person = self.people[seat]
        return person.post(f"{self.path}/{what}", {"number": self.game["number"]} | body)

    def step(self, wanted=None):
        """Plays a step for the seat that has to act: the wanted move, or any."""
        seat, what = self.game["waits"]["seat"], self.game["waits"]["for"]
        person, number = self.people[seat], self.game["number"]
        moves = [move["move"] for move in self.game["now"].get("moves", [])]
        body = {"throw": True} if what == "throw" else {"move": wanted or self.random.choice(moves)}
        self.game = person.settled(person.good(self.post(seat, "moves", **body)))
        return {"seat": seat, "number": number, **body}

    def play_until(self, seat, what):
        """Plays until that seat has to move or throw."""
        while self.game["waits"] != {"seat": seat, "for": what}:
            self.step()

    def last_move(self, seat):
        """The number of the last move of that seat."""
        return max(number for number, step in enumerate(self.game["steps"])
                   if (step["actor"], step["player"]) == ("player", seat))

    def undo(self, seat, *expected, changes=True, **more):
        """Asks to take back a move, agrees or withdraws. Then there are so many steps, these seats
        have asked, and the game has a new version or not."""
        before = self.game["version"]
        self.game = self.people[seat].good(self.post(seat, "undo", **more))
        same((self.game["number"], self.game["undo"]["asked"]), expected)
        same(self.game["version"], before + changes)

    def refuses_undo(self, seat, status, *words, **more):
        refuses(self.post(seat, "undo", **more), status, *words)
        self.is_as_before()

    def is_as_before(self):
        """The server has the game as this one was last told it is."""
        found = self.people[0].good(self.people[0].get(self.path))
        for field in found.keys() - {"you"}:  # which depends on who is told
            check(found[field] == self.game[field], field, found[field], "not", self.game[field])

    def restart(self):
        """The game is the same after a kill."""
        self.server.stop(signal.SIGKILL)
        self.server.start()
        self.is_as_before()


def test_undo():
    random = Random(4)
    with serving() as server:
        owner, guest = Browser(server), Browser(server)
        # All people sit at this browser: throws can be taken back, too.
        game = owner.create("race", [HERE, HERE])
        undo = lambda browser, game, **more: browser.post(f"/api/games/{game['id']}/undo",
                                                          {"number": game["number"]} | more)
        refuses(undo(owner, game), 400, "nothing")
        game = owner.create("yut", [HERE, computer("random")], "--pieces 4")
        game = owner.settled(owner.step(game, random))
        while game["waits"]["for"] != "move":
            game = owner.settled(owner.step(game, random))
        before = game["number"]
        game = owner.settled(owner.step(game, random))
        game = owner.good(undo(owner, game))
        same(game["number"], before)
        # Two people and a throw in between: both have to agree.
        game = owner.create("yut", [HERE, LINK], "--pieces 4")
        token = game["links"][0]["token"]
        guest.good(guest.post(f"/api/games/{game['id']}/join", {"token": token}))
        while game["waits"] != {"seat": 1, "for": "move"}:
            game = (owner if game["waits"]["seat"] == 0 else guest).step(game, random)
        number = game["number"]
        game = owner.good(undo(owner, game))
        check(game["number"] == number and game["undo"]["asked"] == [0], game["undo"])
        game = owner.good(undo(owner, game, withdraw=True))
        same(game["undo"]["asked"], [])
        owner.good(undo(owner, game))
        game = guest.good(undo(guest, game))
        check(game["number"] < number and game["undo"]["asked"] == [] and
              game["waits"]["seat"] == 0, game["waits"])
        # The same throw comes again, so nobody gains by it.
        refuses(undo(Browser(server), game), 403)
        refuses(owner.post(f"/api/games/{game['id']}/undo", {"number": 999}), 409)


def test_undo_is_told_and_kept():
    """What is taken back at once is a change like any other; asking again is none."""
    random = Random(6)
    with serving() as server:
        owner, guest = Browser(server), Browser(server)
        game = owner.create("box", [HERE, HERE])
        path = f"/api/games/{game['id']}"
        check(not game["undo"]["possible"], "there is nothing to take back")
        while game["waits"]["for"] != "move":
            game = owner.step(game, random)
        check(not game["undo"]["possible"], "a throw alone is not taken back")
        before = game
        game = owner.step(game, random)
        check(game["undo"]["possible"], game["undo"])
        listener = Listener(server, f"{path}/events")
        listener.wait(1)
        undone = owner.good(owner.post(f"{path}/undo", {"number": game["number"]}))
        same(undone["steps"], before["steps"])
        check(undone["version"] == game["version"] + 1, undone["version"], game["version"])
        listener.wait(2)
        same(listener.events[-1]["number"], before["number"])
        listener.close()
        server.stop(signal.SIGKILL)
        server.start()
        same(owner.good(owner.get(path))["steps"], before["steps"])
        # With another person: asking once is a change, asking again is none.
        game = owner.create("yut", [HERE, LINK], "--pieces 4")
        path = f"/api/games/{game['id']}"
        guest.good(guest.post(f"{path}/join", {"token": game["links"][0]["token"]}))
        while game["waits"] != {"seat": 1, "for": "move"}:
            game = (owner if game["waits"]["seat"] == 0 else guest).step(game, random)
        for versions in (1, 0):
            asked = owner.good(owner.post(f"{path}/undo", {"number": game["number"]}))
            check(asked["version"] == game["version"] + versions, asked["version"], game["version"])
            same(asked["undo"]["asked"], [0])
            game = asked


def test_undo_by_three():
    """Those who agree go back to the move of the player who asked first."""
    with serving() as server:
        people = [Browser(server) for _ in range(3)]
        game = people[0].create("yut", [HERE, LINK, LINK], LONG_FOR_THREE)
        path = f"/api/games/{game['id']}"
        for link in game["links"]:
            person = people[link["seat"]]
            person.good(person.post(f"{path}/join", {"token": link["token"]}))
        random, moved = Random(9), {}
        while not (game["waits"]["seat"] == 2 and game["waits"]["for"] == "move"):
            seat = game["waits"]["seat"]
            if game["waits"]["for"] == "move":
                moved[seat] = game["number"]
            game = people[seat].step(game, random)
        undo = {"number": game["number"]}
        for person in people[:2]:
            found = person.good(person.post(f"{path}/undo", undo))
            same(found["number"], game["number"])
        found = people[2].good(people[2].post(f"{path}/undo", undo))
        same(found["number"], moved[0])
        # Withdrawing nothing changes nothing.
        version = found["version"]
        for _ in range(3):
            found = people[1].good(people[1].post(f"{path}/undo", {"number": found["number"],
                                                                   "withdraw": True}))
        same(found["version"], version)


def test_no_undo_once_the_seed_is_known():
    with serving("--rate", "0") as server:
        browser = Browser(server)
        game = play_out(browser, browser.create("box", [HERE, HERE]), Random(10))
        refuses(browser.post(f"/api/games/{game['id']}/undo", {"number": game["number"]}), 409,
                "seed")
        game = play_out(browser, browser.create("valley", [HERE, HERE]), Random(10))
        check(not browser.good(browser.post(f"/api/games/{game['id']}/undo",
                                            {"number": game["number"]}))["over"])


# --- who has to agree ---

def test_undo_between_two_people():
    """Who moved since has to agree; who did not is not asked."""
    with serving() as server:
        party = Party(server, "valley", [HERE, LINK])
        for seat in range(2):
            party.refuses_undo(seat, 400, "nothing")
        check(not party.game["undo"]["possible"])
        party.step()
        check(party.game["undo"]["possible"])
        party.refuses_undo(1, 400, "nothing")
        party.undo(0, 0, [])
        party.step()
        party.step()
        party.undo(0, 2, [0])
        party.step()  # declines it, even if it comes from the one who asked
        same((party.game["number"], party.game["undo"]["asked"]), (3, []))
        party.undo(1, 3, [1])
        party.undo(0, 3, [1], changes=False, withdraw=True)
        party.undo(0, 1, [])
        same(party.game["waits"], {"seat": 1, "for": "move"})
        party.restart()


def test_undo_after_throws():
    """After a throw everybody has to agree, also who has not moved yet; before it, nobody."""
    with serving() as server:
        party = Party(server, "yut", [HERE, LINK], position="0,0/0,0 0 do,gae")
        party.step()
        party.undo(0, 0, [])
        party.step()
        party.step()
        party.undo(0, 1, [])
        party.step()
        same(party.game["waits"], {"seat": 1, "for": "throw"})
        party.undo(0, 1, [])
        party.step()
        thrown = party.step()
        same((thrown["seat"], thrown["number"]), (1, 2))
        drawn = party.game["steps"][2]["move"]
        party.refuses_undo(1, 400, "nothing")
        party.undo(0, 3, [0])
        party.undo(1, 1, [])
        party.step()
        party.step()
        same(party.game["steps"][2]["move"], drawn)


def test_undo_with_computers():
    """Computers do not have to agree, and their moves alone are not taken back."""
    with serving() as server:
        party = Party(server, "valley", [HERE, computer("random")])
        party.step()
        same(party.game["number"], 2)
        party.undo(0, 0, [])
        party = Party(server, "valley", [computer("random"), HERE])
        check(party.game["number"] == 1 and not party.game["undo"]["possible"], party.game["undo"])
        party.refuses_undo(1, 400, "nothing")
        party.step()
        check(party.game["undo"]["possible"], party.game["undo"])
        party = Party(server, "yut", [HERE, LINK, computer("random")], LONG_FOR_THREE)
        party.play_until(1, "move")
        party.undo(0, party.game["number"], [0])
        party.undo(1, party.last_move(0), [])
        party = Party(server, "yut", [computer("random"), HERE, LINK], LONG_FOR_THREE)
        party.play_until(2, "move")
        number = party.game["number"]
        party.undo(1, number, [1])
        party.undo(2, number, [1], withdraw=True, changes=False)
        party.undo(2, party.last_move(1), [])
        # Nobody sits at a game of computers.
        watcher = Browser(server)
        game = watcher.create("race", [computer("random"), computer("random")])
        refuses(watcher.post(f"/api/games/{game['id']}/undo", {"number": 0}), 403, "seat")


def test_people_at_one_browser_agree():
    """All seats of a browser ask together, so that throws are taken back, too."""
    with serving() as server:
        party = Party(server, "yut", [HERE, HERE], position="0,0/0,0 0 do,gae")
        party.step()
        party.step()
        party.step()
        party.undo(0, 1, [])
        party.undo(0, 0, [])
        party.refuses_undo(0, 400, "nothing")
        party = Party(server, "yut", [HERE, LINK, HERE], LONG_FOR_THREE)
        party.play_until(2, "move")
        number = party.game["number"]
        party.undo(0, number, [0, 2])
        party.undo(2, number, [], withdraw=True)
        party.undo(1, number, [1])
        party.undo(0, party.last_move(1), [])


def test_agreement_of_three():
    """Agreement can be given in any order, withdrawn, and is kept through a kill."""
    with serving() as server:
        party = Party(server, "yut", [HERE, LINK, LINK], LONG_FOR_THREE)
        party.play_until(2, "move")
        number = party.game["number"]
        party.undo(0, number, [0])
        party.undo(1, number, [0, 1])
        party.undo(1, number, [0], withdraw=True)
        party.undo(1, number, [0], changes=False, withdraw=True)
        party.undo(2, number, [0, 2])
        party.restart()
        party.undo(0, number, [], withdraw=True)  # it was his request: with it goes the agreement
        party.undo(1, number, [1])
        party.undo(0, number, [0, 1])
        party.undo(0, number, [0, 1], changes=False)
        party.undo(0, number, [1], withdraw=True)
        party.undo(0, number, [0, 1])
        party.restart()
        party.undo(2, party.last_move(1), [])
        # A step declines a request, and what was agreed to is forgotten.
        party.play_until(2, "move")
        number = party.game["number"]
        party.undo(1, number, [1])
        party.undo(0, number, [0, 1])
        party.step()
        same(party.game["undo"]["asked"], [])
        party.undo(2, number, [])


def test_agreement_of_eight():
    """As many as there can be: the last seat is like the others."""
    with serving() as server:
        party = Party(server, "box", [HERE] + [LINK] * 7, "--players 8")
        party.step()
        party.step()
        party.step()
        number = party.game["number"]
        for seat in range(7):
            party.undo(seat, number, list(range(seat + 1)))
        party.undo(7, 1, [])


# --- when nothing can be taken back ---

CYCLE = ["a1a4", "a5d2", "a4a1", "d2a5"]


def valley_record(seats, steps):
    """A game of King's Valley in which two soldiers go to and fro."""
    moves = "".join(f"{i % 2} {CYCLE[i % 4]}\n" for i in range(steps))
    return ("malpan-record 1\ngame valley\nrules --soldiers 4\n"
            f"seats {seats}\nseed 1\nstart sskss/5/5/5/SSKSS w 1\n{moves}")


def test_undo_at_the_end():
    """Of games without throws only, because the others have a seed that is public then."""
    with serving("--rate", "0") as server:
        party = Party(server, "valley", [HERE, HERE], position="2k2/2S2/5/s4/2K2 w 1")
        while not party.game["over"]:
            party.step()
        check(party.game["undo"]["possible"] and party.game["seed"])
        number = party.game["number"]
        refuses(party.post(0, "moves", move="a1a2"), 409, "over")
        party.undo(0, number - 1, [])
        check(not party.game["over"] and party.game["seed"] is None)
        party = Party(server, "race", [HERE, HERE])
        while not party.game["over"]:
            party.step()
        check(not party.game["undo"]["possible"])
        for withdraw in (False, True):
            party.refuses_undo(0, 409, "seed", withdraw=withdraw)
        refuses(party.post(0, "moves", throw=True), 409, "over")
        party.game = party.people[0].good(party.post(0, "moves", number=party.game["number"] - 1,
                                                     throw=True))
        check(party.game["over"])


def test_long_and_repeated_games():
    """A game is over after 5,000 steps. Repetition ends a game only if no person is in it."""
    with serving("--rate", "0") as server:
        browser = Browser(server)

        def load(seats, steps):
            return browser.good(browser.post("/api/import",
                                             {"record": valley_record(seats, steps)}), 201)
        check(not load("you you", 4999)["over"])
        game = load("you you", 5000)
        check(game["over"] and game["number"] == 5000 and game["waits"] is None)
        path = f"/api/games/{game['id']}"
        refuses(browser.post(f"{path}/moves", {"number": 5000, "move": "a1a4"}), 409, "over")
        game = browser.good(browser.post(f"{path}/undo", {"number": 5000}))
        check(game["number"] == 4999 and not game["over"] and game["waits"])
        refuses(browser.post("/api/import", {"record": valley_record("you you", 5001)}), 400,
                "5000")
        # After step 17 the position is there for the fifth time; the first move has its own rule.
        check(load("random random", 17)["over"] and not load("random random", 16)["over"])
        for seats in ("you you", "random you", "you random"):
            check(not load(seats, 17)["over"], seats)


def undo_here(browser, game):
    """Takes back the last move of a browser at which everybody sits."""
    return browser.good(browser.post(f"/api/games/{game['id']}/undo", {"number": game["number"]}))


def test_undo_of_imported_steps():
    """Throws that replace imported ones come from the new seed, and the game says so."""
    with serving("--rate", "0") as server:
        browser, party = Browser(server), Party(server, "yut", [HERE, HERE], "--pieces 2")
        for _ in range(2):
            party.play_until(0, "move")
            party.play_until(1, "move")
        record = browser.get(f"{party.path}/record").body.decode()
        given = party.game["number"]
        for undos in range(3):
            game = browser.good(browser.post("/api/import", {"record": record}), 201)
            if undos == 0:  # of a step that was not imported
                while game["number"] == given or game["steps"][-1]["actor"] == "chance":
                    game = browser.step(game, Random(1))
                game = undo_here(browser, game)
                check(game["number"] >= given, game["number"], given)
            for _ in range(undos):
                game = undo_here(browser, game)
                check(game["number"] < given, game["number"], given)
            kept = min(given, game["number"])
            same(play_out(browser, game, Random(1))["seed"]["given"], kept)


def test_undo_that_cannot_be_kept():
    """With a full disk, requests and agreement stay what they were."""
    with serving("--rate", "0", restore_signals=False) as server:  # SIGXFSZ stays ignored
        room = lambda size: resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE,
                                             (size, resource.RLIM_INFINITY))

        def fails(seat, what, **body):
            room(0)
            answer = party.post(seat, what, **body)
            check(answer.status in (500, 503), answer.status, answer.body)
            party.is_as_before()
            room(resource.RLIM_INFINITY)
        party = Party(server, "valley", [HERE, LINK])
        for _ in range(3):
            party.step()
        fails(1, "undo")
        party.undo(1, 3, [1])
        fails(0, "undo")
        fails(1, "undo", withdraw=True)
        fails(1, "moves", move=party.game["now"]["moves"][0]["move"])
        party.undo(0, 1, [])
        # The seed is told in the end, with how many steps were given.
        party = Party(server, "box", [HERE, HERE])
        party.play_until(0, "move")
        party.step()
        owner = party.people[0]
        record = owner.get(f"{party.path}/record").body.decode()
        party.game = owner.good(owner.post("/api/import", {"record": record}), 201)
        party.path = f"/api/games/{party.game['id']}"
        given = party.game["number"]
        fails(0, "undo")
        same(play_out(owner, party.game, Random(1))["seed"]["given"], given)


# --- repeated steps ---

def test_repeated_steps():
    """Who sits at the game may repeat any step that was played, and only that."""
    with serving() as server:
        party, watcher = Party(server, "valley", [HERE, LINK]), Browser(server)
        moves = [move["move"] for move in party.game["now"]["moves"]]
        first, second = party.step(moves[0]), party.step()
        path, version = f"{party.path}/moves", party.game["version"]
        for person in party.people:
            for step in (first, second):
                found = person.good(person.post(path, {"number": step["number"],
                                                       "move": step["move"]}))
                same((found["version"], found["number"]), (version, 2))
            for move in (moves[1], "a1a9", "nonsense", second["move"]):
                refuses(person.post(path, {"number": 0, "move": move}), 409, "moved on")
            refuses(person.post(path, {"number": 0, "throw": True}), 409, "moved on")
            refuses(person.post(path, {"number": 3, "move": moves[0]}), 409, "moved on")
        refuses(watcher.post(path, {"number": 0, "move": first["move"]}), 409, "moved on")
        party.is_as_before()


def test_repeated_throws():
    """A throw repeated is that throw; a move is none."""
    with serving() as server:
        party, watcher = Party(server, "box", [HERE, LINK]), Browser(server)
        path = f"{party.path}/moves"
        refuses(party.post(0, "moves", move="1"), 400, "throw before")
        refuses(party.post(1, "moves", throw=True), 403, "turn")
        refuses(watcher.post(path, {"number": 0, "throw": True}), 403, "seat")
        party.step()
        refuses(party.post(0, "moves", throw=True), 400, "nothing to throw")
        moved = party.step()
        version = party.game["version"]
        for person in party.people:
            for step in ({"number": 0, "throw": True}, {"number": 1, "move": moved["move"]}):
                same(person.good(person.post(path, step))["version"], version)
            refuses(person.post(path, {"number": 1, "throw": True}), 409, "moved on")
            refuses(person.post(path, {"number": 0, "move": moved["move"]}), 409, "moved on")
        refuses(watcher.post(path, {"number": 0, "throw": True}), 409, "moved on")
        party.is_as_before()


if __name__ == "__main__":
    sys.exit(run_tests("web_undo.py", dict(globals()), sys.argv[2:]))
