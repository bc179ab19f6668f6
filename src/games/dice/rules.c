/* The rules: legal moves, their effect, and the end of the game. */
#include "games/dice/dice.h"

State dice_start(const Rules *rules) {
    DiceRules all = dice_rules(rules);
    DiceState dice = {.left = all.throws};
    for (int i = all.pieces; i < DICE_PIECES; i++)
        dice.pieces[i] = DICE_FINISH;
    return dice_state_pack(&dice);
}

int dice_known_count(const DiceState *dice) {
    int known = 0;
    while (known < dice->left && dice->throws[known] > 0)
        known++;
    return known;
}

/* Lists the steps that the present throw allows. */
static int list_steps(const DiceState *dice, DiceStep steps[DICE_PIECES]) {
    DiceMoveTable table = {{{0}}}; /* only the entries needed here are filled in */
    for (int i = 0; i < DICE_PIECES; i++)
        table.to[dice->throws[0]][dice->pieces[i]] =
            dice_destination(dice->pieces[i], dice->throws[0]);
    return dice_steps(&table, dice_placement(dice->pieces), dice->throws[0], steps);
}

int dice_actor(const Rules *rules, const State *state) {
    DiceState dice = dice_state(state);
    DiceStep steps[DICE_PIECES];
    if (dice.left == 0 || dice.pieces[0] == DICE_FINISH)
        return GAME_END;
    int known = dice_known_count(&dice);
    if (known < (dice_rules(rules).online ? 1 : dice.left))
        return GAME_CHANCE;
    return list_steps(&dice, steps) > 0 ? 0 : GAME_END;
}

int dice_turn(const Rules *rules, const State *state) {
    (void)rules, (void)state;
    return 0;
}

/* A move is the square that a piece leaves. */
size_t dice_moves(const Rules *rules, const State *state, Move moves[]) {
    (void)rules;
    DiceState dice = dice_state(state);
    DiceStep steps[DICE_PIECES];
    int count = list_steps(&dice, steps);
    for (int i = 0; i < count; i++)
        moves[i] = steps[i].from;
    return (size_t)count;
}

size_t dice_chances(const Rules *rules, const State *state, Chance chances[],
                    uint64_t *denominator) {
    (void)state;
    DiceFaces faces = dice_rules(rules).faces;
    size_t count = 0;
    for (Move throw = 1; throw <= DICE_SIDES; throw ++)
        if (faces.weights[throw] > 0)
            chances[count++] = (Chance){.move = throw, .weight = faces.weights[throw]};
    *denominator = dice_faces_total(&faces);
    return count;
}

static void play_step(DiceState *dice, Move from) {
    DiceStep steps[DICE_PIECES];
    int i = 0;
    list_steps(dice, steps);
    while (steps[i].from != from)
        i++;
    for (int j = 0; j < DICE_PIECES; j++)
        dice->pieces[j] = (uint8_t)(steps[i].placement >> 8 * j);
    dice->score = (uint16_t)(dice->score + dice_squares[steps[i].to].points);
    memmove(dice->throws, dice->throws + 1, DICE_THROWS_MAX - 1);
    dice->throws[DICE_THROWS_MAX - 1] = 0;
    dice->left--;
}

void dice_apply(const Rules *rules, State *state, Move move) {
    DiceState dice = dice_state(state);
    if (dice_actor(rules, state) == GAME_CHANCE)
        dice.throws[dice_known_count(&dice)] = (uint8_t)move;
    else
        play_step(&dice, move);
    *state = dice_state_pack(&dice);
}

void dice_payoff(const Rules *rules, const State *state, double payoffs[]) {
    (void)rules;
    payoffs[0] = dice_state(state).score;
}

Status dice_check(const Rules *rules, const State *state) {
    DiceRules all = dice_rules(rules);
    DiceState dice = dice_state(state);
    if (dice.left > all.throws)
        return status_make(STATUS_USAGE, "throws: more than %d", all.throws);
    int score_max =
        DICE_SCORE_MAX - DICE_POINTS_MAX * dice.left; /* so that no score can exceed the maximum */
    if (dice.score > score_max)
        return status_make(STATUS_USAGE, "score: expected at most %d, not %d", score_max,
                           dice.score);
    int known = dice_known_count(&dice);
    for (int i = 0; i < DICE_THROWS_MAX; i++) {
        if (dice.throws[i] > DICE_SIDES || (i >= known && dice.throws[i] > 0))
            return status_make(STATUS_USAGE, "throws: expected numbers from 1 to 5, then ? for "
                                             "each throw still to be made");
        if (dice.throws[i] > 0 && all.faces.weights[dice.throws[i]] == 0)
            return status_make(STATUS_USAGE, "throws: %d never comes up: its weight is 0",
                               dice.throws[i]);
    }
    if (all.online && known > 1)
        return status_make(STATUS_USAGE, "throws: online only the present throw is known");
    for (int i = 0; i < DICE_PIECES; i++) {
        if (dice.pieces[i] > DICE_FINISH || (i > 0 && dice.pieces[i] < dice.pieces[i - 1]))
            return status_make(STATUS_USAGE, "pieces: no such squares");
        if (i > 0 && dice.pieces[i] == dice.pieces[i - 1] && dice.pieces[i] != DICE_START &&
            dice.pieces[i] != DICE_FINISH)
            return status_make(STATUS_USAGE,
                               "pieces: two on %s; only the start and the finish "
                               "hold more than one",
                               dice_squares[dice.pieces[i]].name);
        if (i >= all.pieces && dice.pieces[i] != DICE_FINISH)
            return status_make(STATUS_USAGE, "pieces: more than %d", all.pieces);
    }
    return status_ok();
}
