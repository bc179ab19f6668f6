"""Boards as SVG, for notebooks: State._repr_svg_.

Each game's board is drawn from the state's text, 320 units wide, with the lines of State.draw that
describe the state in words below it. A game without a board here is shown as text.
"""
from __future__ import annotations

import html
from collections import Counter
from typing import Callable, Dict, List, Tuple

Point = Tuple[float, float]

SIZE, MARGIN = 320.0, 30.0
COLORS = ("#2a6fb0", "#c0504d", "#4f8f3a", "#8064a2")
LINE_HEIGHT = 18


def _circle(at: Point, radius: float, fill: str, stroke: str = "#6b5a3a") -> str:
    return f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius}" fill="{fill}" stroke="{stroke}"/>'


def _text(at: Point, size: int, words: str, fill: str = "#333", anchor: str = "middle") -> str:
    """Words around a point. Spaces are kept: they stand for columns."""
    kept = html.escape(words).replace(" ", "\u00a0")
    return (f'<text x="{at[0]:.1f}" y="{at[1] + size * 0.36:.1f}" font-size="{size}" '
            f'text-anchor="{anchor}" fill="{fill}">{kept}</text>')


def _piece(at: Point, player: int, words: str) -> str:
    return _circle(at, 12, COLORS[player % len(COLORS)], "#222") + _text(at, 13, words, "#fff")


# --- the mat of Yut: a ring of 20 stations from the corner at the lower right, and two diagonals ---

def _ring(station: int) -> Point:
    side, step = divmod(station % 20, 5)
    low, high = MARGIN, SIZE - MARGIN
    gone = (high - low) * step / 5
    return [(high, high - gone), (high - gone, low), (low, low + gone), (low + gone, high)][side]


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _falling(share: float) -> Point:
    """From the upper right to the lower left."""
    return _between(_ring(5), _ring(15), share)


def _rising(share: float) -> Point:
    """From the upper left to the lower right."""
    return _between(_ring(10), _ring(0), share)


_SIXTHS = (1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6)
_YUT: Dict[str, Point] = {
    **{str(i): _ring(i) for i in range(1, 20)}, "29": _ring(0),
    **{str(20 + i): _falling(share) for i, share in enumerate(_SIXTHS)},
    **{str(number): _rising(_SIXTHS[i]) for i, number in ((0, 25), (1, 26), (3, 27), (4, 28))}}
_RACE: Dict[str, Point] = {
    **{str(i): _ring(i) for i in range(20)}, "26": _falling(1 / 2),
    **{str(number): _falling(_SIXTHS[i]) for i, number in ((0, 20), (1, 21), (3, 22), (4, 23))},
    **{str(number): _rising(_SIXTHS[i]) for i, number in ((0, 24), (1, 25), (3, 27), (4, 28))}}
_DICE: Dict[str, Point] = {
    **{str(2 * i): _ring(i) for i in range(1, 21)},
    **{name: _falling((i + 1) / 8) for i, name in
       enumerate(("13", "16i", "19", "25", "26i", "27", "28i"))},
    **{name: _rising(_SIXTHS[i]) for i, name in ((0, "22i"), (1, "24i"), (3, "30i"), (4, "35"))}}


def _mat(stations: Dict[str, Point], pieces: List[Tuple[str, int]]) -> str:
    """The mat, and pieces: each the name of its station, and its player. Those beside the mat are
    left out. Pieces of one player that share a station are one disc with their number."""
    corners = [_ring(corner) for corner in (0, 5, 10, 15)]
    lines = corners + [corners[0], corners[2], corners[1], corners[3]]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in lines)
    drawn = [f'<path d="{path}" fill="none" stroke="#b09a6a" stroke-width="2"/>']
    for name, at in stations.items():
        is_large = at in corners or at == _falling(1 / 2)
        drawn.append(_circle(at, 14 if is_large else 11, "#fffaf0") + _text(at, 9, name, "#8a7a5a"))
    stacks = Counter((name, player) for name, player in pieces if name in stations)
    crowd = Counter(name for name, _ in stacks)
    shown: Counter[str] = Counter()
    for (name, player), count in stacks.items():
        x, y = stations[name]
        at = (x + 16 * shown[name] - 8 * (crowd[name] - 1), y)
        shown[name] += 1
        drawn.append(_piece(at, player, chr(ord("A") + player) + (str(count) if count > 1 else "")))
    return "".join(drawn)


def _yut(words: List[str], _option: Callable[[str], str]) -> str:
    return _mat(_YUT, [(station, player) for player, stations in enumerate(words[0].split("/"))
                       for station in stations.split(",")])


def _race(words: List[str], _option: Callable[[str], str]) -> str:
    return _mat(_RACE, [(words[0], 0), (words[1], 1)])


def _dice(words: List[str], _option: Callable[[str], str]) -> str:
    return _mat(_DICE, [(station, 0) for station in words[0].split(",")])


# --- the others ---

def _valley(words: List[str], _option: Callable[[str], str]) -> str:
    cell = (SIZE - 2 * MARGIN) / 5
    drawn = []
    for row, squares in enumerate(words[0].split("/")):
        column = 0
        for letter in "".join("." * int(c) if c.isdigit() else c for c in squares):
            x, y = MARGIN + cell * column, MARGIN + cell * row
            fill = "#e8c96a" if row == column == 2 else "#f3e6c4" if (row + column) % 2 else "#fffaf0"
            drawn.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{cell:.1f}" height="{cell:.1f}" '
                         f'fill="{fill}" stroke="#b09a6a"/>')
            at = (x + cell / 2, y + cell / 2)
            if letter != ".":
                fill, ink = ("#fff", "#222") if letter.isupper() else ("#333", "#fff")
                drawn.append(_circle(at, 20 if letter in "Kk" else 15, fill, "#222"))
                drawn.append(_text(at, 18 if letter in "Kk" else 13, letter.upper(), ink))
            column += 1
        drawn.append(_text((MARGIN / 2, MARGIN + cell * (row + 0.5)), 13, str(5 - row)))
        drawn.append(_text((MARGIN + cell * (row + 0.5), SIZE - MARGIN / 2), 13, "abcde"[row]))
    return "".join(drawn)


def _box(words: List[str], option: Callable[[str], str]) -> str:
    tiles = int(option("tiles"))
    up = set(words[0].split(",") if tiles > 9 else words[0])
    width = (SIZE - 20) / tiles
    drawn = ['<rect x="4" y="4" width="312" height="72" rx="6" fill="#4a6b4a"/>']
    for tile in range(1, tiles + 1):
        is_up, x = str(tile) in up, 10 + width * (tile - 1)
        y, height, fill = (10, 60, "#f3e6c4") if is_up else (56, 14, "#7d6a45")
        drawn.append(f'<rect x="{x + 1:.1f}" y="{y}" width="{width - 2:.1f}" height="{height}" rx="3" '
                     f'fill="{fill}" stroke="#5a4a2a"/>')
        if is_up:
            drawn.append(_text((x + width / 2, 40), 18 if tiles < 10 else 14, str(tile)))
    return "".join(drawn)


# The board, its height, and how many lines of State.draw it stands for.
_BOARDS: Dict[str, Tuple[Callable[[List[str], Callable[[str], str]], str], float, int]] = {
    "yut": (_yut, SIZE, 11), "race": (_race, SIZE, 7), "dice": (_dice, SIZE, 9),
    "valley": (_valley, SIZE, 13), "box": (_box, 80, 3)}


def draw(name: str, text: str, drawing: str, option: Callable[[str], str]) -> str:
    """The board of a game at a position. `drawing` is State.draw's, and `option` gives the value of
    a rule option."""
    lines = drawing.rstrip("\n").split("\n")
    board, height = "", 0.0
    if name in _BOARDS:
        draw_board, height, replaced = _BOARDS[name]
        board, lines = draw_board(text.split(), option), lines[replaced:]
    width = max([SIZE] + [9.0 * len(line) + 20 for line in lines])
    rows = "".join(_text((10, height + LINE_HEIGHT * (i + 0.8)), 14, line, anchor="start")
                   for i, line in enumerate(lines))
    height += LINE_HEIGHT * (len(lines) + 0.6)
    family = "sans-serif" if board else "monospace"
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="{family}">'
            f'<rect width="100%" height="100%" fill="#fbf6ea"/>{board}{rows}</svg>')
