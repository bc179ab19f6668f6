/* All inputs of the puzzle, and of the online game: what `malpan stats dice --all` counts. */
#include "games/dice/best.h"

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
    DiceUnseen unseen = {.ways = dice_ways()};
    size_t number;
    if (dice_rules(rules).online)
        inputs.unseen = &unseen;
    Status status = dice_all(&inputs, points, &number);
    dice_memo_free(&unseen.memo);
    return status;
}

const GameInputs dice_inputs = {.count = count, .print = print, .scores = scores};
