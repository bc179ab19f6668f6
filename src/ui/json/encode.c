#include "ui/json/encode.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/number.h"
#include "game/outcomes.h"

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
        json_array_append_new(list, json_real(values[i]));
    return list;
}

json_t *encode_rules(const Variant *variant) {
    json_t *rules = json_object();
    for (size_t i = 0; i < variant->game->rules.option_count; i++) {
        const OptionSpec *option = &variant->game->rules.options[i];
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        uint64_t number;
        variant->game->rules.get(&variant->rules, option->name, &text);
        if (!option->argument)
            json_object_set_new(rules, option->name, json_boolean(text.length > 0));
        else if (text.length > 0) /* a preset has no value of its own */
            json_object_set_new(rules, option->name,
                                number_read(bytes, &number) ? json_integer((json_int_t)number)
                                                            : json_string(bytes));
    }
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

void encode_add_meaning(const Variant *variant, json_t *json) {
    ValueInfo info = variant->game->rules.value_info(&variant->rules);
    json_object_set_new(json, "meaning", encode_phrase(info.name));
    json_object_set_new(json, "counted", json_boolean(info.is_counted));
    json_object_set_new(json, "lower_is_better", json_boolean(info.lower_is_better));
}

void encode_add_outcome(const Variant *variant, double value, bool is_estimate, json_t *json) {
    if (!variant->game->outcomes || is_estimate)
        return;
    Outcome outcome = variant->game->outcomes->decode(value);
    json_object_set_new(json, "outcome", json_string(outcome_name(outcome.kind)));
    if (outcome.kind != OUTCOME_ENDLESS)
        json_object_set_new(json, "plies", json_integer(outcome.plies));
}
