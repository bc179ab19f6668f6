#include "game/outcomes.h"

const char *outcome_name(OutcomeKind kind) {
    static const char *const names[] = {
        [OUTCOME_WIN] = "win", [OUTCOME_LOSS] = "loss", [OUTCOME_ENDLESS] = "endless"};
    return names[kind];
}

void outcome_print(Outcome outcome, Text *text) {
    text_add(text, outcome_name(outcome.kind));
    if (outcome.kind != OUTCOME_ENDLESS)
        text_addf(text, " %d", outcome.plies);
}
