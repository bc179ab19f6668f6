"""A terminal emulator for tests: just what the full-screen interface uses. Anything else it is sent,
and anything drawn outside the screen, fails the test."""
import re
import unicodedata

from driving import check

SEQUENCE = re.compile(r"\x1b(\[[?<>=!]?[0-9;]*[@-~]|\([B0]|[=>78])")
IGNORED = {"(B", "[?1h", "[?1l", "=", ">", "[?12l", "[?12h", "[22;0;0t", "[23;0;0t", "[3J", "[!p",
           "[4l", "[?3;4l", "7", "8"}


def width(character):
    """How many columns a character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class Emulator:
    """What a terminal shows."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.most_rows, self.most_columns = rows, columns  # until the next clear
        self.row = self.column = 0
        self.style = ()
        self.alternate = self.hidden = self.mouse = False
        self.colors = set()  # sequences that set colors, ever
        self.frames = 0
        self.unread = ""
        self.clear()

    def clear(self):
        self.cells = [[(" ", ())] * self.columns for _ in range(self.rows)]
        self.most_rows, self.most_columns = self.rows, self.columns

    def resize(self, rows, columns):
        """The next frames may still be for the old size, up to the one that clears the screen."""
        self.most_rows = max(self.most_rows, rows)
        self.most_columns = max(self.most_columns, columns)
        old = self.cells
        self.rows, self.columns = rows, columns
        self.cells = [[old[r][c] if r < len(old) and c < len(old[r]) else (" ", ())
                       for c in range(columns)] for r in range(rows)]

    def feed(self, text):
        self.unread += text
        while self.unread:
            if self.unread[0] == "\x1b":
                found = SEQUENCE.match(self.unread)
                if not found:
                    check(len(self.unread) < 40, "not a sequence:", repr(self.unread[:40]))
                    return
                self.unread = self.unread[found.end():]
                self.obey(found[1])
            else:
                character, self.unread = self.unread[0], self.unread[1:]
                self.put(character)

    def obey(self, command):
        if command in IGNORED:
            return
        if command in ("[?1049h", "[?47h"):
            self.alternate = True
        elif command in ("[?1049l", "[?47l"):
            self.alternate = False
        elif command in ("[?25l", "[?25h"):
            self.hidden = command.endswith("l")
        elif command in ("[?1000h", "[?1006h", "[?1000l", "[?1006l"):
            self.mouse = command.endswith("h")
        elif command in ("[2J", "[J"):
            self.clear()
        elif command.endswith("H"):
            numbers = [int(n) if n else 1 for n in command[1:-1].split(";")]
            self.row, self.column = (numbers + [1, 1])[0] - 1, (numbers + [1, 1])[1] - 1
            if len(numbers) == 1:
                self.column = 0
            check(self.row < self.most_rows and self.column < self.most_columns,
                  "the cursor leaves the screen:", command, self.rows, self.columns)
        elif command.endswith("m"):
            self.set_style(command[1:-1])
        else:
            check(False, "unknown sequence", repr(command))

    def set_style(self, numbers):
        if numbers in ("", "0"):
            self.style = ()
            return
        self.style += (numbers,)
        if re.match("[349]", numbers) and numbers not in ("3", "4", "7", "9"):
            self.colors.add(numbers)

    def put(self, character):
        if character == "\r":
            self.column = 0
            return
        if character == "\n":
            self.row = min(self.row + 1, self.most_rows - 1)
            return
        if not self.alternate:
            return  # what is printed before or after
        check(character >= " " and character != "\x7f", "a control character", repr(character), repr(self.unread[:60]),
              self.row, self.column)
        wide = width(character)
        check(self.row < self.most_rows and self.column + wide <= self.most_columns,
              "drawn outside the screen:", character, self.row, self.column)
        for i in range(wide):
            if self.row < self.rows and self.column + i < self.columns:
                self.cells[self.row][self.column + i] = (character if i == 0 else "", self.style)
        self.column += wide

    def line(self, row):
        return "".join(cell[0] for cell in self.cells[row]).rstrip()

    def text(self):
        """The screen as lines of text."""
        return "\n".join(self.line(row) for row in range(self.rows)) + "\n"

    def find(self, style):
        """The places of the cells whose style has one of these sequences."""
        return [(row, column) for row in range(self.rows) for column in range(self.columns)
                if any(part in style for part in self.cells[row][column][1])]

    def is_restored(self):
        """Whether everything that a full-screen program changes is as before."""
        return not (self.alternate or self.hidden or self.mouse)
