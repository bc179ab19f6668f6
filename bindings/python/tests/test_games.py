"""Games, states and values, on all games, against the program."""
import ast
import copy
import json
import os
import pathlib
import pickle
import random
import signal
import subprocess
import sys
import threading

import malpan
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
GAMES = list(malpan.games())


def program(*words):
    folder = os.environ.get("MALPAN_BUILD", "build")
    malpan_program = ROOT / ("" if folder == "build" else folder) / "malpan"
    return subprocess.run([str(malpan_program), *map(str, words)], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def walk(game, steps, seed=1):
    """States of random games."""
    chooser, state = random.Random(seed), game.start()
    for _ in range(steps):
        yield state
        choices = state.legal_moves() or [event for event, _ in state.chances()]
        state = state.apply(chooser.choice(choices)) if choices else game.start()


def test_catalogue():
    assert GAMES == [json.loads(line)["game"] for line in program("games", "--json").splitlines()]
    assert "pieces" in malpan.options("yut") and "perfect" in malpan.players()
    with pytest.raises(malpan.UsageError, match="did you mean"):
        malpan.options("yot")


@pytest.mark.parametrize("name", GAMES)
def test_states(name):
    game = malpan.load(name)
    for state in walk(game, 300):
        assert game.state(str(state)) == state and hash(game.state(str(state))) == hash(state)
        assert pickle.loads(pickle.dumps(state)) == state == copy.copy(state)
        assert str(state) in repr(state) and state.draw() in repr(state)
        moves, (events, whole) = state.legal_moves(), state.chance_weights()
        assert bool(moves) + bool(events) + state.is_terminal() == 1
        assert sum(weight for _, weight in events) == whole
        assert abs(sum(chance for _, chance in state.chances()) - bool(events)) < 1e-12
        for move in moves[:5] + [event for event, _ in events[:5]]:
            assert 0 <= move < game.num_moves
            assert state.parse_move(state.move_text(move)) == move
            assert state.apply(move) == state.apply(state.move_text(move)) != state
            assert state.narrate(move) and state.narrate(move, "ko")
        if state.is_terminal():
            assert len(state.returns()) == game.num_players and state.narrate_end()
        else:
            assert not state.narrate_end()
            with pytest.raises(malpan.UsageError, match="not over"):
                state.returns()


@pytest.mark.parametrize("name, rules", [("yut", {"pieces": 1}), ("box", {}), ("race", {}),
                                         ("dice", {}), ("box", {"players": 1, "aim": "score"})])
def test_values_are_the_programs(name, rules):
    game = malpan.load(name, policy="exact", **rules)
    options = game.rules.split()
    for state in list(walk(game, 60))[::6]:
        if state.is_terminal():
            continue
        said = json.loads(program("eval", name, str(state), *options, "--json"))
        value = state.value()
        assert value == pytest.approx(said["value"], abs=1e-6)
        assert value.kind == "exact" and value.values[value.player] == value
        ranked = state.moves_by_value()
        for mine, theirs in zip(ranked, said.get("moves", [])):
            assert mine.value == pytest.approx(theirs["value"], abs=1e-6)
        assert sorted(move.move for move in ranked) == sorted(state.legal_moves())
        assert (state.best_line(1) == [ranked[0].move]) if ranked else state.best_line() == []


def test_outcomes():
    game = malpan.load("valley", policy="proof", seconds=1)
    value = game.start().value()
    assert (value.outcome, value.plies, value.kind) == ("win", 9, "proven")
    assert game.method


def test_fractions():
    game = malpan.load("dice")
    state = game.start()
    assert float(state.fraction()) == pytest.approx(state.value(), abs=1e-9)
    with pytest.raises(malpan.Error, match="fraction"):
        malpan.load("box").start().fraction()


def test_batches():
    game = malpan.load("box", threads=2)
    states = list(walk(game, 3000))
    values = game.values(states)
    assert values == game.values(game.pack(states)) == game.values(bytes(game.pack(states)))
    for state, value in list(zip(states, values))[::100]:
        assert state.value() == value
    with pytest.raises(malpan.UsageError, match="72"):
        game.values(b"short")
    with pytest.raises(malpan.UsageError, match="position 0"):
        game.values([malpan.load("yut").start()])
    with pytest.raises(TypeError, match="int"):
        game.values([1, 2])
    assert len(game.values([])) == 0
    assert game.unpack(game.pack(states)) == states and game.unpack(b"") == []
    damaged = game.pack(states[:3])
    damaged[80] ^= 1
    with pytest.raises(malpan.UsageError, match="position 1"):
        game.values(damaged)
    with pytest.raises(malpan.UsageError, match="damaged"):
        game.unpack(damaged)


def test_numpy():
    numpy = pytest.importorskip("numpy")
    game = malpan.load("box")
    states = list(walk(game, 500))
    block = numpy.frombuffer(game.pack(states), dtype=numpy.uint64).reshape(-1, 9)
    values = game.values(block)
    assert isinstance(values, numpy.ndarray) and list(values) == list(game.values(states))
    assert game.unpack(block) == states and game.unpack(block[::-1])[0] == states[-1]
    for wrong in (block.ravel(), block.astype(float), block.view(numpy.int64)):
        with pytest.raises(malpan.UsageError, match="shape"):
            game.values(wrong)
    state = game.start()
    event = numpy.int64(state.chances()[0][0])
    assert state.apply(event) == state.apply(int(event))


def test_threads_share_a_game():
    game = malpan.load("box", tiles=6)
    expected = [state.value() for state in walk(game, 50)]
    found = {}

    def work(number):
        found[number] = [state.value() for state in walk(game, 50)]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found[i] == expected for i in range(4))


def test_players_and_reviews():
    game = malpan.load("box", tiles=6)
    perfect, chance = game.player("perfect"), random.Random(3)
    record = malpan.Record(game, "perfect random", seed=5)
    while not record.state.is_terminal():
        state = record.state
        if state.is_chance():
            events, _ = state.chance_weights()
            record.add(chance.choices(*zip(*events))[0])
        else:
            record.add(perfect(state) if state.actor() == 0 else state.legal_moves()[-1])
    review = record.review()
    assert len(review.steps) == len(record) == len(record.moves)
    start, end, luck, skill, others = review.totals[0]
    assert start + luck + skill + others == pytest.approx(end) and skill == pytest.approx(0)
    assert sum(step.loss for step in review.steps) > 0
    for step in review.steps:
        assert (step.verdict is None) == step.is_chance == (step.best is None)
        assert step.is_chance or (step.verdict == "best") == (step.loss < 1e-9)
        assert (step.verdict == "blunder") == (step.loss >= 0.1), step
    again = malpan.Record.parse(str(record))
    assert str(again) == str(record) and again.states == record.states and again.game == game
    assert again.review(game) == review


def test_tables(tmp_path):
    game = malpan.load("yut", pieces=1, tables=str(tmp_path))
    report = game.solve()
    assert report.positions == 961 and not report.existed and game.solve().existed
    assert game.verify().is_proven and not game.verify(sample=10).is_proven
    assert game.start().value() == pytest.approx(malpan.load("yut", pieces=1).start().value(), abs=1e-6)
    with pytest.raises(malpan.TableError):
        malpan.load("yut", pieces=2, tables=str(tmp_path)).verify()
    seen = []

    def stop(what, fraction, seconds):
        seen.append((what, fraction, seconds))
        return False

    with pytest.raises(malpan.Stopped):
        malpan.load("yut", pieces=2, tables=str(tmp_path)).solve(progress=stop)
    assert seen and seen[0][0]


def test_refusals():
    with pytest.raises(malpan.UsageError, match="did you mean"):
        malpan.load("bxo")
    with pytest.raises(malpan.UsageError):
        malpan.load("box", tiles=99)
    with pytest.raises(malpan.UsageError, match="policy"):
        malpan.load("box", policy="perfect")
    game = malpan.load("box")
    for text in ("nonsense", "x" * 10_000_000, "a\0b", ""):
        with pytest.raises(malpan.UsageError):
            game.state(text)
        with pytest.raises(malpan.UsageError):
            game.start().apply(text)
    with pytest.raises(malpan.UsageError):
        game.start().apply(4_000_000)
    with pytest.raises(malpan.UsageError):
        malpan.Record.parse("nonsense")
    with pytest.raises(malpan.Error):
        malpan.load("yut", players=3, pieces=4, policy="exact").start().value()
    assert malpan.load("yut", players=3, pieces=4).start().value().kind == "estimate"


def test_moves_are_not_cut_off():
    """ctypes takes 2 ** 32 + 32 for 32, which is a legal move."""
    state = malpan.load("yut", pieces=2).start().apply("do")
    move = state.legal_moves()[0]
    for wrong in (2 ** 32 + move, move - 2 ** 32, -1, 2 ** 64):
        with pytest.raises(malpan.UsageError, match="does not exist"):
            state.apply(wrong)
    for wrong in (None, 1.5, [], b"do"):
        with pytest.raises(TypeError):
            state.apply(wrong)
    assert state.best_line(-1) == [] and state.best_line(10 ** 12)
    with pytest.raises(malpan.UsageError, match="language"):
        state.draw(lang="fr")


def test_rules_as_python_values(tmp_path):
    """True and False are on and off; a value is one word; folders may be paths."""
    assert malpan.load("yut", back_do=False).option("back-do") == "off"
    assert malpan.load("yut", back_do=True) == malpan.load("yut", back_do="on") == malpan.load("yut")
    assert malpan.load("dice", online=True) != malpan.load("dice", online=False) == malpan.load("dice")
    assert malpan.load("yut", odds=[1, 1, 1, 1, 1, 1]).option("odds") == "1,1,1,1,1,1"
    for wrong in ("2 --players 3", "", " "):
        with pytest.raises(malpan.UsageError, match="one word"):
            malpan.load("yut", pieces=wrong)
    with pytest.raises(malpan.UsageError, match="pieces: expected N, not True"):
        malpan.load("yut", pieces=True)
    with pytest.raises(TypeError, match="text"):
        malpan.load(3)
    game = malpan.load("yut", pieces=1, tables=tmp_path / "inner")
    assert game.solve().positions == 961 and (tmp_path / "inner").is_dir()
    assert pickle.loads(pickle.dumps(game)).solve().existed
    with pytest.raises(malpan.UsageError, match="tables=FOLDER"):
        malpan.load("yut", pieces=1).solve()


def test_values_are_pickled():
    value = malpan.load("yut", pieces=1).start().value()
    again = pickle.loads(pickle.dumps(value))
    assert again == value and (again.kind, again.error) == (value.kind, value.error)


def test_trouble_in_a_callback(tmp_path):
    """An exception stops the work and comes out of solve(), which can go on later."""
    game = malpan.load("yut", pieces=2, tables=tmp_path)

    def trouble(what, fraction, seconds):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        game.solve(progress=trouble)
    assert not game.solve().existed and game.verify(sample=100).checked == 100


INTERRUPTED = """
import malpan, os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the shell made of it
game = malpan.load("yut", pieces=3, memory=4 << 30, tables=sys.argv[1])
said = []
try:
    game.solve(progress=lambda *words: said or (said.append(1), print("started", flush=True)))
except KeyboardInterrupt:
    print("interrupted", len(os.listdir(sys.argv[1])))
"""


def test_ctrl_c_stops_solving(tmp_path):
    """When solve() is left, the work is over, and its checkpoint is there."""
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED, str(tmp_path)], text=True,
                               stdout=subprocess.PIPE,
                               env=os.environ | {"PYTHONPATH": str(ROOT / "bindings/python"),
                                                 "MALPAN_LIBRARY": malpan.native._candidates()[0]})
    try:
        assert process.stdout.readline() == "started\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=120)[0] == "interrupted 1\n"
        assert process.returncode == 0
    finally:
        process.kill()


def test_typical_errors():
    """Of estimates whose error was measured, and of nothing else."""
    assert 0.0001 < malpan.load("yut", pieces=4).start().value().typical_error < 0.05
    assert 0.001 < malpan.load("yut", players=3).start().value().typical_error < 0.1
    found = malpan.load("valley", soldiers=3, seconds=0.01).start().value()
    assert found.kind == "estimate" and found.typical_error is None
    assert malpan.load("yut", pieces=1).start().value().typical_error is None


def test_python_3_9():
    """The package uses nothing that Python 3.9 does not have."""
    files = list((ROOT / "bindings/python").rglob("*.py"))
    assert len(files) > 8
    for file in files:
        ast.parse(file.read_text(), feature_version=(3, 9))


def test_everything_is_annotated():
    """For type checkers, which py.typed invites."""
    package = ROOT / "bindings/python/malpan"
    assert (package / "py.typed").exists()
    for file in package.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if not isinstance(node, ast.FunctionDef):
                continue
            missing = [argument.arg for argument in node.args.args + node.args.kwonlyargs
                       if argument.annotation is None and argument.arg not in ("self", "cls")]
            assert not missing and node.returns is not None, (file.name, node.name, missing)


def test_structs_are_the_librarys():
    """Sizes and offsets, against the list that the library is checked with."""
    from malpan import _native
    lines = dict(line.split(" ", 1)[1].rsplit(" ", 1) for line in
                 (ROOT / "tests/data/abi.txt").read_text().splitlines()
                 if line.startswith(("struct", "member")))
    checked = 0
    for name, struct in vars(_native).items():
        if not (isinstance(struct, type) and issubclass(struct, _native.ctypes.Structure)):
            continue
        public = "Malpan" + (name[1:] if name.startswith("C") and name != "Chance" else name)
        assert _native.ctypes.sizeof(struct) == int(lines[public]), public
        for field, *_ in struct._fields_:
            assert getattr(struct, field).offset == int(lines[f"{public}.{field}"]), (public, field)
        checked += 1
    assert checked >= 14
