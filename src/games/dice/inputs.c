/* The scores of all inputs, for `malpan stats dice --all`. */
#include "games/dice/best_play.h"

enum { INPUT_THROWS_MAX = 10 }; /* for eleven the rows would take 200 MB, for twelve a gigabyte */

static uint64_t count(const Rules *rules) {
    return dice_power(DICE_SIDES, dice_rules(rules).throws);
}

static void print(const Rules *rules, uint64_t index, Text *text) {
    int throws = dice_rules(rules).throws;
    for (int i = 0; i < throws; i++)
        text_addf(text, "%s%d", i > 0 ? " " : "",
                  (int)(index / dice_power(DICE_SIDES, throws - 1 - i) % DICE_SIDES) + 1);
}

static Status scores(const Rules *rules, int16_t **points) {
    DiceRules dice = dice_rules(rules);
    State start = dice_start(rules);
    DiceInputs inputs = {.placement = dice_placement(dice_state(&start).pieces),
                         .count = dice.throws};
    DiceOnline player = dice_online_make(&dice.faces);
    size_t number;
    *points = NULL;
    if (dice.throws > INPUT_THROWS_MAX)
        return status_make(STATUS_UNSUPPORTED, "all inputs: expected at most %d throws, not %d",
                           INPUT_THROWS_MAX, dice.throws);
    if (player.total != DICE_SIDES)
        return status_make(STATUS_UNSUPPORTED,
                           "all inputs: with --faces they are not equally likely; `malpan eval "
                           "dice` has the mean");
    if (dice.online)
        inputs.online_player = &player;
    Status status = dice_score_inputs(&inputs, points, &number);
    dice_memo_free(&player.memo);
    return status;
}

const GameInputs dice_inputs = {.count = count, .print = print, .scores = scores};
