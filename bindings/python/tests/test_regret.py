"""Exact regret of policies whose regret is known."""
import os
import pathlib
import subprocess
import sys

import malpan
import pytest


def test_best_and_worst():
    game = malpan.load("box", tiles=5, players=1)
    states = [state for state in malpan.reachable(game) if state.legal_moves()]
    best = malpan.regret(game, lambda state: state.moves_by_value()[0].move)
    assert best.positions == len(states) and best.max < 1e-9 and best.optimal == 1 and not best.worst
    worst = malpan.regret(game, lambda state: state.moves_by_value()[-1].move)
    gaps = [abs(ranked[0].value - ranked[-1].value)
            for ranked in (state.moves_by_value() for state in states)]
    assert worst.mean == pytest.approx(sum(gaps) / len(gaps)) and worst.max == max(gaps) > 0
    assert worst.worst[0][0] == worst.max and worst.is_exact
    uniform = malpan.regret(game, lambda state: {
        move: 1 / len(state.legal_moves()) for move in state.legal_moves()})
    assert 0 < uniform.mean < worst.mean


def test_samples_and_refusals():
    game = malpan.load("yut", pieces=2)
    some = malpan.regret(game, game.player("greedy"), samples=50)
    assert some.positions == 50 and 0 <= some.mean < 0.2
    assert some == malpan.regret(game, game.player("greedy"), samples=50)
    with pytest.raises(ValueError, match="legal"):
        malpan.regret(game, lambda state: 511, samples=1)
    for mix in ({}, {1: 2.0, 2: -1.0}, {1: 0.5}):
        with pytest.raises(ValueError, match="probabilities|legal"):
            malpan.regret(game, lambda state: {state.legal_moves()[0]: share for share in mix.values()},
                          samples=1)
    with pytest.raises(TypeError):
        malpan.regret(game, lambda state: None, samples=1)
    with pytest.raises(ValueError, match="more than 100"):
        list(malpan.reachable(game, limit=100))


def test_numpy_policies():
    """A policy may return what numpy.argmax does."""
    numpy = pytest.importorskip("numpy")
    game = malpan.load("box", tiles=5, players=1)
    first = malpan.regret(game, lambda state: state.legal_moves()[0])
    assert malpan.regret(game, lambda state: numpy.array(state.legal_moves())[0]) == first


def test_q_learning_learns(tmp_path):
    """The example: regret falls, and a plot is drawn."""
    script = pathlib.Path(__file__).parents[1] / "examples/q_learning.py"
    plot = tmp_path / "regret.svg"
    out = subprocess.run([sys.executable, str(script), "--episodes", "4000", "--measures", "2",
                          "--plot", str(plot)], check=True, text=True, stdout=subprocess.PIPE,
                         env=os.environ | {"PYTHONPATH": str(script.parents[1]),
                              "MALPAN_LIBRARY": malpan.native._candidates()[0]}).stdout
    regrets = [float(line.split()[2]) for line in out.splitlines() if line.startswith("episodes")]
    assert len(regrets) == 3 and regrets[-1] < 0.8 * regrets[0], out
    assert plot.read_text().startswith("<svg") and "polyline" in plot.read_text()
