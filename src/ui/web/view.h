/* Positions and their values as JSON: what docs/http-api.md calls the fields of a position. */
#ifndef MALPAN_UI_WEB_VIEW_H
#define MALPAN_UI_WEB_VIEW_H

#include <jansson.h>

#include "ui/web/solver_pool.h"

/* {"en": ..., "ko": ...} */
json_t *view_phrase(Phrase phrase);

/* What a move or a chance event at the state does, in words. */
json_t *view_told(const Variant *variant, const State *before, Move move);

/* The text of a state; of a move at a state; of the rules. */
json_t *view_state_text(const Variant *variant, const State *state);
json_t *view_move_text(const Variant *variant, const State *state, Move move);
json_t *view_rules(const Variant *variant);

/* The squares of a move; an empty list for a game without squares. */
json_t *view_trace(const Variant *variant, const State *state, Move move);

/* What values mean: a phrase, and whether they are points, told as whole numbers where they are. */
json_t *view_meaning(const Variant *variant);

/* A position without its value. */
json_t *view_position(const Variant *variant, const State *state);

/* The same with values, by a brain for values. */
Status view_evaluation(Brain *brain, const State *state, json_t **json);

/* Adds `outcome`: how an exact value is told, where that is in words. */
void view_add_outcome(const Variant *variant, double value, bool is_exact, json_t *json);

/* What can be played, and by whom. */
json_t *view_games(const SolveLimits *limits);

/* Reads a variant and a position as they stand in a request. No position: the start. */
Status view_read(const char *game, const char *rules, const char *position, Variant *variant,
                 State *state);

#endif
