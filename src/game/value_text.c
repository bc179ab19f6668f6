#include "game/value_text.h"

#include <math.h>
#include <stdio.h>

#include "game/outcomes.h"

void value_text_add(Text *text, const Variant *variant, double value, bool is_estimate) {
    ValueInfo info = variant->game->rules.value_info(&variant->rules);
    if (variant->game->outcomes && !is_estimate)
        outcome_print(variant->game->outcomes->decode(value), text);
    else if (info.is_counted && !is_estimate && value == floor(value))
        text_addf(text, "%.0f", value);
    else
        text_addf(text, is_estimate ? "~%.3f" : "%.6f", value);
}

void value_text_add_worded(Text *text, const Variant *variant, double value, bool is_estimate,
                           Lang lang) {
    static const Phrase worded[] = {[OUTCOME_WIN] = {{"win {0}", "{0}수 만에 이김"}},
                                    [OUTCOME_LOSS] = {{"loss {0}", "{0}수 만에 짐"}},
                                    [OUTCOME_ENDLESS] = {{"endless", "끝없음"}}};
    if (!variant->game->outcomes || is_estimate) {
        value_text_add(text, variant, value, is_estimate);
        return;
    }
    Outcome outcome = variant->game->outcomes->decode(value);
    char plies[16];
    snprintf(plies, sizeof plies, "%d", outcome.plies);
    phrase_add(text, worded[outcome.kind], lang, (const char *const[]){plies});
}
