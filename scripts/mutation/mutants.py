"""The mutants of a file, and those that were reviewed."""
import fnmatch
import hashlib
import pathlib
import re
import sys
from typing import NamedTuple


class Mutant(NamedTuple):
    """`new` in place of the bytes start..end of a file. The lines are stripped."""
    file: str
    start: int
    end: int
    new: str
    number: int  # of the line
    old_line: str
    new_line: str

    def shown(self):
        """As in the list of equivalent mutants."""
        return f"{self.file}:{self.number}\n- {self.old_line}\n+ {self.new_line}"


EXCHANGES = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||",
             "||": "&&", "true": "false", "false": "true", "!": "", "0": "1", "1": "0"}

# Longer operators first, so that the `<` of `<<` is not taken for a comparison.
TOKEN = re.compile(r"->|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[<>!]|\b(?:true|false)\b|"
                   r"(?<![\w.])[01](?![\w.])")

HIDDEN = re.compile(r"""
    /\*.*?\*/ | //[^\n]*                              # comments
  | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'         # texts
  | ^[ \t]*\#(?:\\\n|[^\n])*                          # for the preprocessor
""", re.DOTALL | re.MULTILINE | re.VERBOSE)

ASSERTION = re.compile(r"\b(?:static_)?assert\(")


def blank(match):
    """As long as the match, and with the same lines."""
    return re.sub(r"[^\n]", " ", match.group())


def code_of(text):
    """The text with spaces for all that is not code, and for assertions, which only watch."""
    code = HIDDEN.sub(blank, text)
    while found := ASSERTION.search(code):
        end, depth = found.end(), 1
        while depth > 0 and end < len(code):
            depth += {"(": 1, ")": -1}.get(code[end], 0)
            end += 1
        code = code[:found.start()] + re.sub(r"[^\n]", " ", code[found.start():end]) + code[end:]
    return code


def mutants_of(file, text):
    """All mutants of a file."""
    for token in TOKEN.finditer(code_of(text)):
        if token.group() not in EXCHANGES:
            continue
        start, end, new = token.start(), token.end(), EXCHANGES[token.group()]
        line_start = text.rfind("\n", 0, start) + 1
        line_end = text.find("\n", end)
        line_end = len(text) if line_end < 0 else line_end
        changed = text[line_start:start] + new + text[end:line_end]
        yield Mutant(file, start, end, new, text.count("\n", 0, start) + 1,
                     text[line_start:line_end].strip(), changed.strip())


def find_mutants(tree, patterns, seed):
    """All mutants of the files that match, in an order that the seed decides. It hardly changes
    when lines are added or moved: each mutant has its place by a hash of its own lines."""
    found = []
    for path in sorted(pathlib.Path(tree, "src").rglob("*.c")):
        file = str(path.relative_to(tree))
        if file.endswith("_data.c") or not any(fnmatch.fnmatch(file, one) for one in patterns):
            continue
        seen = {}
        for mutant in mutants_of(file, path.read_text(encoding="utf-8")):
            lines = (mutant.old_line, mutant.new_line)
            seen[lines] = seen.get(lines, 0) + 1
            key = f"{seed}\0{path.name}\0{seen[lines]}\0" + "\0".join(lines)
            found.append((hashlib.sha256(key.encode()).digest(), mutant))
    return [mutant for _, mutant in sorted(found)]


def read_equivalents(path):
    """(file, old line, new line) of each reviewed mutant. Blocks of lines, between empty ones:
    the file, `- ` and the line, `+ ` and the mutant, the reason."""
    if not path.exists():
        return set()
    equivalents = set()
    text = re.sub(r"^#.*\n", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for block in filter(None, (one.strip() for one in re.split(r"\n\s*\n", text))):
        lines = block.splitlines()
        if len(lines) < 4 or not lines[1].startswith("- ") or not lines[2].startswith("+ "):
            sys.exit(f"mutate: {path.name}: expected a file, '- LINE', '+ LINE' and a reason:\n"
                     f"{block}")
        equivalents.add((lines[0].strip(), lines[1][2:].strip(), lines[2][2:].strip()))
    return equivalents
