#include "game/variant.h"

#include <string.h>

#include "game/repetition.h"

Variant variant_default(const Game *game) {
    return (Variant){.game = game, .rules = game->rules.defaults()};
}

bool variant_equals(const Variant *a, const Variant *b) {
    return a->game == b->game && memcmp(&a->rules, &b->rules, sizeof a->rules) == 0;
}

/* Adds an option, after a space unless it is the first. */
static void add_option(const OptionSpec *option, const char *value, bool is_first, Text *text) {
    text_addf(text, "%s--%s", is_first ? "" : " ", option->name);
    if (option->argument)
        text_addf(text, " %s", value);
}

static void print_options(const Variant *variant, bool with_start, Text *text) {
    const Game *game = variant->game;
    for (size_t i = 0, shown = 0; i < game->rules.option_count; i++) {
        const OptionSpec *option = &game->rules.options[i];
        char value[GAME_TEXT_BYTES];
        bool is_unusual = variant_is_unusual(variant, option->name, value);
        if (value[0] != '\0' && (with_start || !option->is_start) &&
            (is_unusual || !option->omits_default))
            add_option(option, value, shown++ == 0, text);
    }
}

void variant_print(const Variant *variant, Text *text) {
    print_options(variant, true, text);
}

void variant_print_for_table(const Variant *variant, Text *text) {
    print_options(variant, false, text);
}

void variant_print_unusual(const Variant *variant, Text *text) {
    const Game *game = variant->game;
    for (size_t i = 0, shown = 0; i < game->rules.option_count; i++) {
        char value[GAME_TEXT_BYTES];
        if (variant_is_unusual(variant, game->rules.options[i].name, value))
            add_option(&game->rules.options[i], value, shown++ == 0, text);
    }
}

bool variant_is_unusual(const Variant *variant, const char *option, char value[GAME_TEXT_BYTES]) {
    const Game *game = variant->game;
    Rules usual_rules = game->rules.defaults();
    char usual[GAME_TEXT_BYTES];
    Text text = text_over(value, GAME_TEXT_BYTES), usual_text = text_over(usual, sizeof usual);
    game->rules.get(&variant->rules, option, &text);
    game->rules.get(&usual_rules, option, &usual_text);
    return text.length > 0 && strcmp(value, usual) != 0;
}

size_t variant_steps(const Variant *variant, const State *state, Move steps[]) {
    const Game *game = variant->game;
    int actor = game->tree.actor(&variant->rules, state);
    if (actor == GAME_END)
        return 0;
    if (actor != GAME_CHANCE)
        return game->tree.moves(&variant->rules, state, steps);
    Chance chances[GAME_CHANCES_MAX];
    uint64_t denominator;
    size_t count = game->tree.chances(&variant->rules, state, chances, &denominator);
    for (size_t i = 0; i < count; i++)
        steps[i] = chances[i].move;
    return count;
}

Move variant_draw_chance(const Variant *variant, const State *state, Random *random) {
    Chance chances[GAME_CHANCES_MAX];
    uint64_t denominator;
    variant->game->tree.chances(&variant->rules, state, chances, &denominator);
    uint64_t x = random_below(random, denominator);
    size_t i = 0;
    while (x >= chances[i].weight)
        x -= chances[i++].weight;
    return chances[i].move;
}

State variant_normalized(const Variant *variant, const State *state) {
    State copy = *state;
    if (variant->game->repetition)
        variant->game->repetition->normalize(&variant->rules, &copy);
    return copy;
}

bool variant_is_repetition(const Variant *variant, const State states[], size_t count) {
    int times = 0;
    if (!variant->game->tree.is_deterministic || count == 0)
        return false;
    State last = variant_normalized(variant, &states[count - 1]);
    for (size_t i = 0; i < count; i++) {
        State state = variant_normalized(variant, &states[i]);
        times += memcmp(&state, &last, sizeof state) == 0;
    }
    return times >= GAME_REPEATS_MAX;
}

bool variant_allows(const Variant *variant, const State *state, Move move) {
    Move steps[GAME_MOVES_MAX];
    size_t count = variant_steps(variant, state, steps);
    for (size_t i = 0; i < count; i++)
        if (steps[i] == move)
            return true;
    return false;
}

Status variant_play(const Variant *variant, State *state, Move move) {
    if (!variant_allows(variant, state, move)) {
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        variant->game->text.print_state(&variant->rules, state, &text);
        return status_make(STATUS_USAGE, "move %u is not possible at %s", (unsigned)move, bytes);
    }
    variant->game->tree.apply(&variant->rules, state, move);
    return status_ok();
}
