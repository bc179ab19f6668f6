/* Positions, evaluations and the catalogue of games as JSON. docs/http-api.md lists the
 * fields. The encoding that the command line shares is in ui/json; this adds what the page
 * displays.
 *
 * As in ui/json/encode.h, every JSON value that is returned is a new reference that the caller
 * owns, or NULL if memory ran out, never a part of a value. None keeps state, so any thread may
 * call any of them. */
#ifndef MALPAN_UI_WEB_VIEW_H
#define MALPAN_UI_WEB_VIEW_H

#include <jansson.h>

#include "play/record.h"
#include "ui/web/solver_pool.h"

/* What a move or chance event at the state does, in words. */
json_t *view_narration(const Variant *variant, const State *before, Move move);

/* The squares that a piece passes; an empty list for a game without squares. */
json_t *view_trace(const Variant *variant, const State *state, Move move);

/* The rules as the text that requests take. */
json_t *view_rules_text(const Variant *variant);

/* A position without its value. */
json_t *view_position(const Variant *variant, const State *state);

/* A position with its value, by a pooled solver for values that this thread has acquired. *json is
 * set on success only; STATUS_FAILED if memory ran out. */
Status view_evaluation(PooledSolver *pooled, const State *state, json_t **json);

/* The catalogue: what can be played, and by which computer players. */
json_t *view_games(const SolveLimits *limits);

/* Resolves the game, rules and position of a request. A position of NULL means the start. */
Status view_read(const char *game, const char *rules, const char *position, Variant *variant,
                 State *state);

#endif
