#include "ui/json/encode.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/number.h"
#include "game/outcomes.h"
#include "ui/json/build.h"

json_t *encode_phrase(Phrase phrase) {
    return json_pack("{s:s, s:s}", "en", phrase.in[LANG_EN], "ko", phrase.in[LANG_KO]);
}

json_t *encode_count(uint64_t number) {
    char digits[24];
    if (number <= INT64_MAX)
        return json_integer((json_int_t)number);
    snprintf(digits, sizeof digits, "%" PRIu64, number);
    return json_string(digits);
}

json_t *encode_values(const Variant *variant, const double values[]) {
    json_t *list = json_array();
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++)
        list = json_with_item(list, json_real(values[i]));
    return list;
}

/* The rules so far with one more option. */
static json_t *with_option(json_t *rules, const Variant *variant, const OptionSpec *option) {
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    uint64_t number;
    variant->game->rules.get(&variant->rules, option->name, &text);
    if (!option->argument)
        return json_with(rules, option->name, json_boolean(text.length > 0));
    if (text.length == 0) /* a preset has no value of its own */
        return rules;
    return json_with(rules, option->name,
                     number_read(bytes, &number) ? json_integer((json_int_t)number)
                                                 : json_string(bytes));
}

json_t *encode_rules(const Variant *variant) {
    json_t *rules = json_object();
    for (size_t i = 0; i < variant->game->rules.option_count; i++)
        rules = with_option(rules, variant, &variant->game->rules.options[i]);
    return rules;
}

json_t *encode_state(const Variant *variant, const State *state) {
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    variant->game->text.print_state(&variant->rules, state, &text);
    return json_string(bytes);
}

json_t *encode_move(const Variant *variant, const State *state, Move move) {
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    variant->game->text.print_move(&variant->rules, state, move, LANG_EN, &text);
    return json_string(bytes);
}

json_t *encode_position(const Variant *variant, const State *state) {
    return json_pack("{s:s, s:o, s:o, s:i}", "game", variant->game->identity.name, "rules",
                     encode_rules(variant), "position", encode_state(variant, state), "player",
                     variant->game->tree.turn(&variant->rules, state));
}

json_t *encode_with_meaning(json_t *object, const Variant *variant) {
    ValueInfo info = variant->game->rules.value_info(&variant->rules);
    object = json_with(object, "meaning", encode_phrase(info.name));
    object = json_with(object, "counted", json_boolean(info.is_counted));
    return json_with(object, "lower_is_better", json_boolean(info.lower_is_better));
}

json_t *encode_with_outcome(json_t *object, const Variant *variant, double value,
                            bool is_estimate) {
    if (!variant->game->outcomes || is_estimate)
        return object;
    Outcome outcome = variant->game->outcomes->decode(value);
    object = json_with(object, "outcome", json_string(outcome_name(outcome.kind)));
    if (outcome.kind != OUTCOME_ENDLESS)
        object = json_with(object, "plies", json_integer(outcome.plies));
    return object;
}
