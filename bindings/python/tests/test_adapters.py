"""The adapters by random play to the end, every method against the states of the library."""
import random

import malpan
import pytest
from malpan import openspiel, pettingzoo

VARIANTS = [(name, {}) for name in malpan.games()] + [("yut", {"players": 3, "pieces": 1})]


@pytest.mark.parametrize("name, rules", VARIANTS)
def test_openspiel(name, rules):
    game = openspiel.load_game(name, **rules)
    chooser = random.Random(2)
    assert game.num_players() == game.game.num_players
    for _ in range(3):
        state, plain = game.new_initial_state(), game.game.start()
        while not state.is_terminal() and len(state.history()) < 5000:
            assert state.state == plain
            assert state.current_player() == (-1 if plain.is_chance() else plain.actor())
            actions = state.legal_actions()
            assert actions == sorted(plain.legal_moves() or [e for e, _ in plain.chances()])
            assert actions and all(0 <= a < game.num_distinct_actions() for a in actions)
            if len(state.history()) < 20:
                mask = state.legal_actions_mask()
                assert [a for a, legal in enumerate(mask) if legal] == actions
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                assert outcomes == sorted(plain.chances())
                action = chooser.choices(*zip(*outcomes))[0]
            else:
                action = chooser.choice(actions)
                assert state.legal_actions(1 + state.current_player()) == []
            text = state.action_to_string(state.current_player(), action)
            assert text == plain.move_text(action) == state.action_to_string(action)
            assert state.string_to_action(text) == action
            twin = state.clone()
            child = state.child(action)
            state.apply_action(action)
            plain = plain.apply(action)
            assert twin.state != plain and child.state == plain == state.state
            assert state.history() == twin.history() + [action]
            assert state.full_history()[:-1] == twin.full_history()
            assert state.full_history()[-1] == (twin.current_player(), action)
            assert state.move_number() == len(state.history()) and not state.is_initial_state()
            assert twin.is_player_node() == (twin.current_player() >= 0) != twin.is_chance_node()
            assert not twin.is_simultaneous_node()
            with pytest.raises(ValueError):
                twin.apply_action(game.num_distinct_actions() + 1)
        if state.is_terminal():
            assert state.current_player() == -4 and state.legal_actions() == []
            assert state.returns() == state.rewards() == plain.returns()
            assert state.player_return(0) == plain.returns()[0]
        assert str(state) == plain.draw()
        assert state.observation_string() == state.information_state_string(0) == str(plain)
    assert game.new_initial_state().returns() == [0.0] * game.num_players()
    assert game.new_initial_state(str(plain)).state == plain


@pytest.mark.parametrize("name, rules", [variant for variant in VARIANTS if variant[0] != "race"])
def test_pettingzoo(name, rules):
    env = pettingzoo.env(name, **rules)
    chooser = random.Random(4)
    for seed in range(3):
        env.reset(seed=seed)
        rewards, turns = {agent: 0.0 for agent in env.possible_agents}, 0
        for agent in env.agent_iter():
            observation, reward, termination, truncation, info = env.last()
            rewards[agent] += reward
            assert env.action_space(agent).n == len(observation["action_mask"])
            assert len(observation["observation"]) == 64
            if termination or truncation:
                with pytest.raises(ValueError):
                    env.step(0)
                env.step(None)
                continue
            mask = observation["action_mask"]
            legal = [action for action, bit in enumerate(mask) if bit]
            assert legal == sorted(env.state.legal_moves())
            assert agent == env.possible_agents[env.state.actor()]
            action = chooser.choice(legal)
            assert env.action_space(agent).contains(action)
            env.step(action)
            turns += 1
        assert turns > 0 and env.agents == [] and env.state.is_terminal()
        assert list(rewards.values()) == env.state.returns()
        assert env.render() == env.state.draw()


def test_utilities():
    """Players want much: few points are a high utility."""
    game = openspiel.load_game("box", tiles=5, players=1, aim="score")
    assert game.game.lower_is_better
    state, chooser = game.new_initial_state(), random.Random(5)
    while not state.is_terminal():
        state.apply_action(chooser.choice(state.legal_actions()))
    assert state.returns() == [-state.state.returns()[0]] and state.returns()[0] <= 0
    env = pettingzoo.env("box", tiles=5, players=1, aim="score")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, _, _ = env.last()
        env.step(None if termination else observation["action_mask"].index(1))
        if termination:
            assert reward == -env.state.returns()[0] <= 0


def test_numpy_actions():
    numpy = pytest.importorskip("numpy")
    state = openspiel.load_game("box", tiles=5).new_initial_state()
    state.apply_action(numpy.int64(state.legal_actions()[0]))
    assert state.history() and not state.is_chance_node()


def test_pettingzoo_seeds_and_truncation():
    env = pettingzoo.env("yut", pieces=1, max_steps=3)
    states = []
    for _ in range(2):
        env.reset(seed=9)
        for _ in range(3):
            env.step(env.observe(env.agent_selection)["action_mask"].index(1))
        states.append(str(env.state))
        assert all(env.truncations.values()) and not any(env.terminations.values())
    assert states[0] == states[1]
    env.reset(options={"position": "9/13 0 do"})
    assert str(env.state) == "9/13 0 do"
    with pytest.raises(ValueError):
        env.step(None)


def test_a_race_without_choices():
    """Chance alone plays: every agent learns its result at once."""
    env = pettingzoo.env("race")
    env.reset(seed=1)
    seen = {}
    for agent in env.agent_iter():
        _, reward, termination, _, _ = env.last()
        assert termination
        seen[agent] = reward
        env.step(None)
    assert [seen[agent] for agent in env.possible_agents] == env.state.returns()
