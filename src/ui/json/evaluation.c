#include "ui/json/evaluation.h"

#include <math.h>

#include "base/fraction.h"
#include "game/line_text.h"
#include "ui/json/build.h"
#include "ui/json/encode.h"

const char *evaluation_note(const EvaluationReport *report) {
    if (report->evaluation->note[0])
        return report->evaluation->note;
    return report->evaluation->kind == VALUE_ESTIMATE && report->missing ? report->missing : "";
}

static json_t *encode_fraction(uint64_t numerator, uint64_t denominator) {
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    fraction_add(&text, numerator, denominator);
    return json_string(bytes);
}

static json_t *encode_moves(const EvaluationReport *report) {
    const Evaluation *evaluation = report->evaluation;
    json_t *list = json_array();
    for (size_t i = 0; i < evaluation->move_count; i++) {
        const MoveValue *move = &evaluation->moves[i];
        double loss = move->value - evaluation->moves[0].value;
        json_t *json = json_pack(
            "{s:o, s:f, s:b, s:f}", "move", encode_move(report->variant, report->state, move->move),
            "value", move->value, "exact", !move->is_estimate, "loss", loss < 0 ? -loss : loss);
        json = encode_with_outcome(json, report->variant, move->value, move->is_estimate);
        list = json_with_item(list, json);
    }
    return list;
}

static json_t *encode_events(const EvaluationReport *report) {
    json_t *list = json_array();
    for (size_t i = 0; i < report->event_count; i++) {
        json_t *move = encode_move(report->variant, report->state, report->events[i].move);
        list = json_with_item(list, json_pack("{s:o, s:f, s:f}", "move", move, "chance",
                                              report->event_chances[i], "value",
                                              report->event_values[i]));
    }
    return list;
}

/* Move number `index` of the best line in words; `before` is the state it is played at. */
static json_t *encode_line_words(const EvaluationReport *report, const State *before,
                                 size_t index) {
    const Variant *variant = report->variant;
    const Move *moves = report->lines->moves;
    char bytes[LANG_COUNT][GAME_DRAW_BYTES];
    for (int lang = 0; lang < LANG_COUNT; lang++) {
        Text text = text_over(bytes[lang], sizeof bytes[lang]);
        if (variant->game->line_text)
            variant->game->line_text->narrate(&variant->rules, report->state, moves, index + 1,
                                              (Lang)lang, &text);
        else
            variant->game->text.narrate(&variant->rules, before, moves[index], (Lang)lang, &text);
    }
    return encode_phrase((Phrase){{bytes[LANG_EN], bytes[LANG_KO]}});
}

static json_t *encode_line(const EvaluationReport *report) {
    const Variant *variant = report->variant;
    State state = *report->state;
    json_t *list = json_array();
    for (size_t i = 0; i < report->lines->length; i++) {
        Move move = report->lines->moves[i];
        json_t *words = encode_line_words(report, &state, i);
        json_t *text = encode_move(variant, &state, move);
        variant->game->tree.apply(&variant->rules, &state, move);
        list = json_with_item(list, json_pack("{s:o, s:o, s:o}", "move", text, "after",
                                              encode_state(variant, &state), "told", words));
    }
    return list;
}

/* The object with the value of the position and how it was found. */
static json_t *with_value(json_t *json, const EvaluationReport *report) {
    const Evaluation *evaluation = report->evaluation;
    bool is_estimate = evaluation->kind == VALUE_ESTIMATE;
    double value = evaluation->values[evaluation->player];
    json = json_with(json, "value", json_real(value));
    json = json_with(json, "values", encode_values(report->variant, evaluation->values));
    json = json_with(json, "exact", json_boolean(!is_estimate));
    bool is_equilibrium = evaluation->kind == VALUE_EQUILIBRIUM;
    json = json_with(json, "error_bound",
                     is_estimate || is_equilibrium ? json_null() : json_real(evaluation->error));
    if (is_equilibrium)
        json = json_with(json, "residual", json_real(evaluation->error));
    json = json_with(json, "typical_error",
                     isfinite(evaluation->typical_error) ? json_real(evaluation->typical_error)
                                                         : json_null());
    json = json_with(json, "method", json_string(report->method));
    json = encode_with_outcome(json, report->variant, value, is_estimate);
    if (evaluation_note(report)[0])
        json = json_with(json, "note", json_string(evaluation_note(report)));
    if (report->denominator > 0)
        json = json_with(json, "fraction", encode_fraction(report->numerator, report->denominator));
    return json;
}

json_t *encode_evaluation(const EvaluationReport *report) {
    json_t *json = encode_position(report->variant, report->state);
    json = encode_with_meaning(json, report->variant);
    json = with_value(json, report);
    if (report->lines && report->lines->count > 0) {
        json = json_with(json, "best_lines", encode_count(report->lines->count));
        json = json_with(json, "best_line", encode_line(report));
    }
    if (report->evaluation->move_count > 0)
        json = json_with(json, "moves", encode_moves(report));
    if (report->event_count > 0)
        json = json_with(json, "throws", encode_events(report));
    return json;
}
