"""Boards as SVG: what is drawn is what the state says, and browsers read it."""
import random
import re
import xml.etree.ElementTree as ElementTree

import malpan
import pytest
from malpan import svg

VARIANTS = [(name, {}) for name in malpan.games()] + [
    ("yut", {"players": 4, "pieces": 2, "teams": True}), ("box", {"tiles": 12}), ("dice", {"online": True})]


def shapes(drawn):
    """The drawing as XML, and its words with spaces as they are shown."""
    root = ElementTree.fromstring(drawn)
    words = [node.text.replace("\u00a0", " ") for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert " " not in "".join(node.text for node in root.iter("{http://www.w3.org/2000/svg}text"))
    return root, words


def expected_labels(state):
    """The words that the pieces of the state add to the empty board."""
    first = str(state).split()[0]
    if state.game.name == "valley":
        return sorted(letter.upper() for letter in re.sub(r"[^A-Za-z]", "", first))
    if state.game.name == "box":
        return sorted(first.split(",") if state.game.option("tiles") == "12" else first.replace("-", ""))
    if state.game.name == "yut":
        stacks = {(letter, station): stations.split(",").count(station)
                  for letter, stations in zip("ABCD", first.split("/")) for station in stations.split(",")
                  if station in svg._YUT}
        return sorted(letter + (str(count) if count > 1 else "") for (letter, _), count in stacks.items())
    if state.game.name == "race":
        return sorted(letter for letter, square in zip("AB", str(state).split()) if square != "50")
    return ["A"] * sum(square in svg._DICE for square in first.split(","))


@pytest.mark.parametrize("name, rules", VARIANTS)
def test_pieces(name, rules):
    game, chooser = malpan.load(name, **rules), random.Random(3)
    state, seen = game.start(), set()
    for _ in range(150):
        root, words = shapes(state._repr_svg_())
        status = state.draw().rstrip("\n").split("\n")[svg._BOARDS[name][2]:]
        assert status and words[-len(status):] == status
        fixed = {"valley": [*"54321", *"abcde"], "yut": list(svg._YUT), "race": list(svg._RACE),
                 "dice": list(svg._DICE), "box": []}[name]
        drawn = sorted(words[:-len(status)])
        for word in fixed:
            drawn.remove(word)
        assert drawn == expected_labels(state), str(state)
        assert float(root.get("width")) >= 320 and float(root.get("height")) > 80
        seen.add(tuple(drawn))
        choices = state.legal_moves() or [event for event, _ in state.chances()]
        state = state.apply(chooser.choice(choices)) if choices else game.start()
    assert len(seen) >= 3 or name == "valley"


@pytest.mark.parametrize("name", ["yut", "race", "dice"])
def test_stations(name):
    """They are those of the board as text, in their rows and columns; no two are at one place."""
    stations = {"yut": svg._YUT, "race": svg._RACE, "dice": svg._DICE}[name]
    lines = malpan.load(name).start().draw(numbers=True).split("\n")[:svg._BOARDS[name][2]]
    assert len({(round(x), round(y)) for x, y in stations.values()}) == len(stations)
    found = {word: (row, match.start()) for row, line in enumerate(lines)
             for match in re.finditer(r"\d+i?", line) for word in [match.group()]}
    assert set(found) | {"0"} == set(stations) | {"0"}
    for one, (row, column) in found.items():
        for other, (lower, right) in found.items():
            assert row + 1 >= lower or stations[one][1] < stations[other][1], (one, other)
            assert column + 6 >= right or stations[one][0] < stations[other][0], (one, other)


def test_unknown_games():
    """A game without a board is shown as text, with its columns."""
    root, words = shapes(svg.draw("chess", "8/8", "a   b\n <&>\n", lambda option: ""))
    assert words == ["a   b", " <&>"] and root.get("font-family") == "monospace"
