#include "ui/json/review.h"

#include "ui/json/build.h"
#include "ui/json/encode.h"

enum { WORST_MAX = 3 };

static json_t *encode_step(const Record *record, const Review *review, size_t index) {
    const Variant *variant = &record->variant;
    const ReviewStep *step = &review->steps[index];
    json_t *json = json_pack("{s:o, s:o, s:b, s:i}", "move",
                             encode_move(variant, &record->states[index], record->moves[index]),
                             "values", encode_values(variant, step->values), "exact",
                             !step->is_estimate, "player", step->player);
    if (step->is_chance) {
        json = json_with(json, "luck", json_real(step->luck));
    } else {
        json = json_with(json, "loss", json_real(step->loss));
        json = json_with(json, "best", encode_move(variant, &record->states[index], step->best));
        json = json_with(json, "verdict", json_string(review_verdict_name(step->verdict)));
    }
    return encode_with_outcome(json, variant, step->values[step->player], step->is_estimate);
}

static json_t *encode_steps(const Record *record, const Review *review) {
    json_t *list = json_array();
    for (size_t i = 0; i < review->step_count; i++)
        list = json_with_item(list, encode_step(record, review, i));
    return list;
}

/* The numbers of the costliest moves, the worst first. */
static json_t *encode_worst(const Review *review) {
    size_t worst[WORST_MAX], count = review_list_worst(review, worst, WORST_MAX);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        list = json_with_item(list, json_integer((json_int_t)worst[i]));
    return list;
}

static json_t *encode_players(const Record *record, const Review *review) {
    const Variant *variant = &record->variant;
    json_t *list = json_array();
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++)
        list =
            json_with_item(list, json_pack("{s:f, s:f, s:f, s:f, s:f}", "start", review->start[i],
                                           "luck", review->luck[i], "skill", review->skill[i],
                                           "others", review->others[i], "result", review->end[i]));
    return list;
}

json_t *encode_review(const Record *record, const Review *review) {
    const Variant *variant = &record->variant;
    json_t *json =
        json_pack("{s:o, s:o, s:o, s:o, s:b}", "steps", encode_steps(record, review), "end",
                  encode_values(variant, review->end), "players", encode_players(record, review),
                  "worst", encode_worst(review), "exact", !review->has_estimates);
    return encode_with_meaning(json, variant);
}
