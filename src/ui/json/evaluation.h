/* An evaluation as JSON: what `malpan eval --json` prints and what GET /api/eval returns, to which
 * the server adds display texts. docs/http-api.md lists the fields. */
#ifndef MALPAN_UI_JSON_EVALUATION_H
#define MALPAN_UI_JSON_EVALUATION_H

#include <jansson.h>

#include "game/solver.h"
#include "values/principal_variation.h"

/* What is known about a position. The caller owns everything that is pointed to. */
typedef struct EvaluationReport {
    const Variant *variant;
    const State *state;
    const Evaluation *evaluation;
    const char *method;  /* how values were found, in a few words */
    const char *missing; /* why values are not exact; NULL or "" if they are */
    /* The value as a fraction; a denominator of 0 means that it is not known as one. */
    uint64_t numerator, denominator;
    const PrincipalVariation *lines; /* NULL, or a count of 0: there is no best line to report */
    /* At a chance node: what can happen, with which probability, and the value after each event to
     * the player whose turn it is. No events: not asked for, or not a chance node. */
    size_t event_count;
    const Chance *events;
    const double *event_chances, *event_values;
} EvaluationReport;

/* How the values were found, or why they are not exact; "" if there is nothing to say. */
const char *evaluation_note(const EvaluationReport *report);

/* The report as a JSON object, which the caller owns; NULL if memory ran out. Any thread may call
 * it. */
json_t *encode_evaluation(const EvaluationReport *report);

#endif
