#include "game/game.h"

#include <string.h>

Variant variant_default(const Game *game) {
    return (Variant){.game = game, .rules = game->rules_default()};
}

Status variant_parse(const Game *game, const char *options, Variant *variant) {
    enum { WORDS = 2 * OPTIONS_GIVEN_MAX };
    char storage[2 * GAME_TEXT_BYTES];
    char *words[WORDS];
    size_t count = text_split(options ? options : "", storage, sizeof storage, words, WORDS);
    if (count > WORDS)
        return status_make(STATUS_USAGE, "the rule options are too long");

    const OptionSpec *specs[OPTIONS_GIVEN_MAX];
    for (size_t i = 0; i < game->option_count; i++)
        specs[i] = &game->options[i];
    CommandLine line;
    Status status =
        options_parse(specs, game->option_count, (const char *const *)words, count, &line);
    if (!status_is_ok(&status))
        return status;
    if (line.word_count > 0)
        return status_make(STATUS_USAGE, "%s is not a rule option", quote(line.words[0]).text);

    *variant = variant_default(game);
    for (size_t i = 0; i < line.given_count; i++) {
        status = game->rules_set(&variant->rules, line.given[i].spec->name, line.given[i].value);
        if (!status_is_ok(&status))
            return status;
    }
    return game->rules_check(&variant->rules);
}

void variant_print(const Variant *variant, Text *text) {
    const Game *game = variant->game;
    for (size_t i = 0, shown = 0; i < game->option_count; i++) {
        char bytes[GAME_TEXT_BYTES];
        Text value = text_over(bytes, sizeof bytes);
        game->rules_get(&variant->rules, game->options[i].name, &value);
        bool is_switch = !game->options[i].argument;
        if (value.length > 0)
            text_addf(text, "%s--%s%s%s", shown++ > 0 ? " " : "", game->options[i].name,
                      is_switch ? "" : " ", is_switch ? "" : bytes);
    }
}

bool variant_is_unusual(const Variant *variant, const char *option, char value[GAME_TEXT_BYTES]) {
    const Game *game = variant->game;
    Rules usual_rules = game->rules_default();
    char usual[GAME_TEXT_BYTES];
    Text text = text_over(value, GAME_TEXT_BYTES), usual_text = text_over(usual, sizeof usual);
    game->rules_get(&variant->rules, option, &text);
    game->rules_get(&usual_rules, option, &usual_text);
    return text.length > 0 && strcmp(value, usual) != 0;
}

size_t variant_steps(const Variant *variant, const State *state, Move steps[]) {
    const Game *game = variant->game;
    int actor = game->actor(&variant->rules, state);
    if (actor == GAME_END)
        return 0;
    if (actor != GAME_CHANCE)
        return game->moves(&variant->rules, state, steps);
    Chance chances[GAME_CHANCES_MAX];
    uint64_t denominator;
    size_t count = game->chances(&variant->rules, state, chances, &denominator);
    for (size_t i = 0; i < count; i++)
        steps[i] = chances[i].move;
    return count;
}

static State stripped(const Variant *variant, const State *state) {
    State plain = *state;
    if (variant->game->strip)
        variant->game->strip(&variant->rules, &plain);
    return plain;
}

bool variant_goes_round(const Variant *variant, const State states[], size_t count) {
    int times = 0;
    if (!variant->game->has_no_chance || count == 0)
        return false;
    State last = stripped(variant, &states[count - 1]);
    for (size_t i = 0; i < count; i++) {
        State state = stripped(variant, &states[i]);
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
        variant->game->print_state(&variant->rules, state, &text);
        return status_make(STATUS_USAGE, "move %u is not possible at %s", (unsigned)move, bytes);
    }
    variant->game->apply(&variant->rules, state, move);
    return status_ok();
}
