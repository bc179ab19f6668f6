/* The scores of all inputs, for `malpan stats dice --all`. */
#include "games/dice/best_play.h"

static uint64_t count(const Rules *rules) {
    (void)rules;
    return dice_power(DICE_THROWS);
}

static void print(const Rules *rules, uint64_t index, Text *text) {
    (void)rules;
    for (int i = 0; i < DICE_THROWS; i++)
        text_addf(text, "%s%d", i > 0 ? " " : "",
                  (int)(index / dice_power(DICE_THROWS - 1 - i) % DICE_SIDES) + 1);
}

static Status scores(const Rules *rules, int16_t **points) {
    DiceInputs inputs = {.count = DICE_THROWS};
    DiceOnline player = {.table = dice_move_table()};
    size_t number;
    if (dice_rules(rules).online)
        inputs.online_player = &player;
    Status status = dice_score_inputs(&inputs, points, &number);
    dice_memo_free(&player.memo);
    return status;
}

const GameInputs dice_inputs = {.count = count, .print = print, .scores = scores};
