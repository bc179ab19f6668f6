"""What the tests of the classic game share: its prompts, a plain model of it, a place to play."""
import collections
import contextlib
import os
import re
import sys
import tempfile

from driving import Talk, Terminal, check, run, same

PROGRAM = os.path.join(os.path.abspath(sys.argv[1]), "yunnori")
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "classic")
SELDOM = 10 if "QUICK" in os.environ else 1  # under the sanitizers, one of so many
SAMPLES = ["basic-1", "basic-2", "advanced-1", "advanced-2"]

MENU, ID, PASSWORD = "Select the function you want : ", "ID : ", "PASSWORD : "
PLAYERS, PIECES = "number of players (2, 3, 4) : ", "number of pieces per player (2, 3, 4) : "
RESUME = "There is a saved game. Start a new game (0) / Resume (1) : "
ANIMAL = "(0: pig, 1: dog, 2: sheep, 3:cow) : "
GO_ON = "Continue (0) / Save and Exit the game (1) : "
POSITION, YUT = ">> position : ", ">> yut : "
PROMPT = re.compile("|".join(re.escape(p) for p in [
    MENU, ID, PASSWORD, PLAYERS, PIECES, RESUME, ANIMAL, GO_ON, POSITION, YUT]))


def data(name):
    """A file of the samples."""
    with open(os.path.join(DATA, name), "rb") as file:
        return file.read()


BEFORE, USERS = data("game_info.before"), data("user_info.txt")
PASSWORDS = dict(line.split() for line in USERS.decode().splitlines())


class Place:
    """A folder with the two data files, to play in."""

    def __init__(self, path, users, saves):
        self.path, self.saves_path = path, os.path.join(path, "game_info.txt")
        self.write("user_info.txt", users)
        self.write("game_info.txt", saves)

    def write(self, name, content):
        """Makes a file, unless there is to be none."""
        if content is not None:
            with open(os.path.join(self.path, name), "wb") as file:
                file.write(content)

    def saves(self):
        """What game_info.txt holds."""
        with open(self.saves_path, "rb") as file:
            return file.read()

    def run(self, *arguments, stdin=b"", program=PROGRAM, **options):
        """Runs the program here to its end."""
        stdin = stdin.encode() if isinstance(stdin, str) else stdin
        return run(program, *arguments, stdin=stdin, cwd=self.path, **options)

    def talk(self, *arguments):
        """The program here, behind pipes."""
        return Talk(PROMPT, [PROGRAM, *arguments], cwd=self.path)

    def terminal(self, *arguments, **options):
        """The program here, at a terminal."""
        return Terminal(PROMPT, [PROGRAM, *arguments], cwd=self.path, **options)


@contextlib.contextmanager
def place(users=USERS, saves=BEFORE):
    """A new folder for a test, gone after it; in memory if possible, as saving waits for disks."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK | os.X_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as path:
        yield Place(path, users, saves)


def sample(name):
    """A sample's game, words typed, throws, output and saves after it."""
    kind = name.split("-")[0]
    return (kind, data(name + ".in").decode().split(), data(name + ".throws").decode().strip(),
            data(name + ".out").decode(),
            data(name + ".saves.after") if kind == "advanced" else BEFORE)


def log_in(*names):
    """What these players type to log in."""
    return [word for name in names for word in ("2", name, PASSWORDS.get(name, "secret"))]


def lines(words):
    """Each word on a line of its own."""
    return "".join(f"{word}\n" for word in words)


# --- the model ---

RESULTS = ["back-do", "do", "gae", "geol", "yut", "mo"]
PIG, DOG, SHEEP, COW = range(4)

TABLE = """
    0: 0 1 2 3 4 5            10: 9 25 26 22 27 28       20: 5 21 22 23 24 15
    1: 29 2 3 4 5 6           11: 10 12 13 14 15 16      21: 20 22 23 24 15 16
    2: 1 3 4 5 6 7            12: 11 13 14 15 16 17      22: 21 27 28 29 100 100
    3: 2 4 5 6 7 8            13: 12 14 15 16 17 18      23: 22 24 15 16 17 18
    4: 3 5 6 7 8 9            14: 13 15 16 17 18 19      24: 23 15 16 17 18 19
    5: 4 20 21 22 23 24       15: 14 16 17 18 19 29      25: 10 26 22 27 28 29
    6: 5 7 8 9 10 11          16: 15 17 18 19 29 100     26: 25 22 27 28 29 100
    7: 6 8 9 10 11 12         17: 16 18 19 29 100 100    27: 22 28 29 100 100 100
    8: 7 9 10 11 12 13        18: 17 19 29 100 100 100   28: 27 29 100 100 100 100
    9: 8 10 11 12 13 14       19: 18 29 100 100 100 100  29: 19 100 100 100 100 100"""
TABLE = {int(square): [int(to) for to in row.split()]
         for square, row in re.findall(r"(\d+): ((?:\d+ ?){6})", TABLE)}
SQUARES = """
    1 (8,10)  2 (6,10)  3 (4,10)  4 (2,10)  5 (0,10)  6 (0,8)   7 (0,6)   8 (0,4)   9 (0,2)
    10 (0,0)  11 (2,0)  12 (4,0)  13 (6,0)  14 (8,0)  15 (10,0) 16 (10,2) 17 (10,4) 18 (10,6)
    19 (10,8) 29 (10,10)
    20 (1,9)  21 (3,7)  22 (5,5)  23 (7,3)  24 (9,1)  25 (1,1)  26 (3,3)  27 (7,7)  28 (9,9)"""
SQUARES = [tuple(map(int, found)) for found in re.findall(r"(\d+) \((\d+),(\d+)\)", SQUARES)]
BOARD = """\
[ ] - [ ] - [ ] - [ ] - [ ] - [ ]
 | [ ]                     [ ] |
[ ]    .                 .    [ ]
 |       [ ]         [ ]       |
[ ]          .     .          [ ]
 |             [ ]             |
[ ]          .     .          [ ]
 |       [ ]         [ ]       |
[ ]    .                 .    [ ]
 | [ ]                     [ ] |
[ ] - [ ] - [ ] - [ ] - [ ] - [ ]^Start"""
COW_ROUTE = [0, 1, 2, 3, 4, 5, 20, 21, 22, 23, 24, 15, 16, 17, 18, 19, 29] + [100] * 5


def destination(square, result, animal):
    """Where a piece goes."""
    steps = RESULTS.index(result)
    if animal != COW or (steps == 0 and square in (0, 1, 29)):
        return TABLE[square][steps]
    return COW_ROUTE[COW_ROUTE.index(square) + (steps or -1)]


class Model:
    """A game; `animals` holds None for each player of a basic one."""

    def __init__(self, animals, pieces=4, names=None):
        self.animals, self.names = animals, names
        self.pieces = [[0] * pieces for _ in animals]
        self.turn, self.list, self.throws = 0, [], 1

    @staticmethod
    def of_line(line):
        """The game of a line of game_info.txt."""
        names, *players, turn = line.split(" | ")
        model = Model([int(p.split()[1]) for p in players], names=names.split())
        model.pieces = [[int(square) for square in p.split()[2:]] for p in players]
        model.turn = int(turn)
        return model

    def line(self):
        """The game as a line of game_info.txt."""
        players = [" ".join(map(str, [name, animal, *pieces]))
                   for name, animal, pieces in zip(self.names, self.animals, self.pieces)]
        return " | ".join([" ".join(self.names), *players, str(self.turn)])

    def screen(self):
        """The state as it is printed, without colour."""
        board = [list(line) for line in BOARD.splitlines()]
        everything = sum(self.pieces, [])
        for square, row, column in SQUARES:
            if square in everything:
                board[row][column * 3 + 1] = str(everything.count(square))
        rule = "-" * 41
        shown = ["".join(line) for line in board] + [rule]
        if self.names:
            animals = [["pig", "dog", "sheep", "cow"][animal] for animal in self.animals]
            shown += [" ".join(f"{n}({a})" for n, a in zip(self.names, animals)), rule]
        shown += ["Not started : ", " □ " * everything.count(0)]
        shown += ["Arrived : ", " ■ " * everything.count(100), rule]
        return lines(line for line in shown if line)

    def ask(self):
        """What is printed to ask for a move."""
        name = f" {self.names[self.turn]}" if self.names else ""
        mine = [p for p in self.pieces[self.turn] if p != 100]
        return lines([
            f"Player {self.turn}{name} turn", "Piece : " + "".join(f"{p} " for p in mine),
            "Yut : " + "".join(f"{r} " for r in sorted(self.list, key=RESULTS.index)),
            "Write down the position of the player to move and yut",
            "(back-do, do, gae, geol, yut, and mo)"]) + POSITION

    def add_throw(self, result):
        """Joins a result to the list."""
        self.list.append(result)
        again = ["yut", "mo"] + ["geol"] * (self.animals[self.turn] == DOG)
        self.throws -= result not in again

    def squares(self, result):
        """Where this result can be played."""
        mine = {p for p in self.pieces[self.turn] if p != 100}
        return (mine - {0} or {0}) if result == "back-do" else mine

    def winner(self):
        """The player who has won, or None."""
        return next((p for p, pieces in enumerate(self.pieces) if set(pieces) == {100}), None)

    def play(self, square, result):
        """Plays a result; whether the turn is over."""
        mine, animal = self.pieces[self.turn], self.animals[self.turn]
        to = destination(square, result, animal)
        self.list.remove(result)
        for _ in range(1 if square == 0 else mine.count(square)):
            mine[mine.index(square)] = to
        mine.sort()
        if self.winner() is not None:
            return True
        pig = False
        for other, pieces in enumerate(self.pieces):
            if other != self.turn and 0 < to < 100 and to in pieces:
                self.throws = 2 if animal == SHEEP else 1
                pig = self.animals[other] == PIG
                pieces[:] = sorted(0 if p == to else p for p in pieces)
        if pig or (not self.list and self.throws == 0):
            self.turn, self.list, self.throws = (self.turn + 1) % len(self.pieces), [], 1
            return True
        return False


def without(text, names):
    """The lines that are not games of exactly these players."""
    return "".join(line for line in text.splitlines(True)
                   if sorted(line.split(" | ")[0].split()) != sorted(names))


def saves_after(words, throws, saves, passwords):
    """game_info.txt when the input of an advanced game ends after these words, all of them good."""
    words, throws = iter(words), iter(throws.split(","))
    players, between = [], None
    try:
        while (choice := next(words)) != "3":
            if choice == "2":
                name, password = next(words), next(words)
                if passwords.get(name) == password and name not in players and len(players) < 4:
                    players.append(name)
                continue
            if len(players) < 2:
                continue
            saved = [line for line in saves.splitlines()
                     if sorted(line.split(" | ")[0].split()) == sorted(players)]
            if saved and next(words) == "1":
                model = Model.of_line(saved[-1])
            else:
                model = Model([int(next(words)) for _ in players], names=players)
            players, between = [], model
            while model.winner() is None:
                between, over = Model.of_line(model.line()), False
                while not over:
                    while model.throws:
                        model.add_throw(next(throws, None))
                    over = model.play(int(next(words)), next(words))
                if model.winner() is None:
                    between = Model.of_line(model.line())
                    if next(words) == "1":
                        break
            saves = without(saves, model.names)
            saves += model.line() + "\n" if model.winner() is None else ""
            between = None
    except StopIteration:
        if between:
            saves = without(saves, between.names) + between.line() + "\n"
    return saves


# --- a player ---

def take_throws(model, seen):
    """Takes the throws over from what was printed last, which must agree with the model."""
    yuts = re.findall(r"Yut : (.*)\n", seen)[-1].split()
    new = collections.Counter(yuts)
    new.subtract(model.list)
    check(min(new.values()) >= 0, "lost from the list:", model.list, yuts)
    check(model.throws or not +new, "thrown:", +new, "without a right to")
    for result in new.elements():
        model.add_throw(result)
    check(model.throws == 0, "a throw too few or too many:", +new, "in", yuts)
    expected = model.screen() + model.ask()
    same(seen[-len(expected):], expected, "the state")


def play_whole_game(here, choose, talk, model, seen):
    """Plays at random to the end, with wrong answers, saving and resuming; how many were wrong."""
    wrong = 0
    while model.winner() is None:
        over = False
        while not over:
            take_throws(model, seen)
            if choose.random() < 0.03:
                bad = choose.choice(["x", "100", "-1", "9" * 5000])
                check(talk.say(bad) == POSITION)
                wrong += 1
            result = choose.choice(model.list)
            square = choose.choice(sorted(model.squares(result)))
            if choose.random() < 0.03:
                check(talk.say(str(square), choose.choice(["x", "dodo", "0"])).endswith(YUT))
                seen = talk.say(result)
                wrong += 1
            else:
                seen = talk.say(str(square), result)
            over = model.play(square, result)
        if model.winner() is not None or not model.names:
            continue
        expected = model.screen() + GO_ON
        same(seen[-len(expected):], expected, "between two turns")
        if choose.random() < 0.02:
            same(talk.say("1")[:25], "Game saved successfully!\n")
            same(here.saves().decode(), without(here.saves().decode(), model.names) +
                 model.line() + "\n")
            again = choose.sample(model.names, len(model.names))
            check(talk.say(*log_in(*again), "1").endswith(RESUME))
            seen = talk.say("1")
        else:
            seen = talk.say("0")
    check(f"Player {model.winner()} win\n*****" in seen and seen.endswith(MENU), seen[-500:])
    return wrong
