/* Resolves rules and position from text, for every front end.
 *
 * A rule comes from the first of these that sets it:
 *
 *     1. an explicit option          --pieces 2
 *     2. the text of the position    "0,5/0,7 1 gae" has two pieces a side
 *     3. a preset                    --preset plain
 *     4. the game's default
 *
 * The order in which options are typed is irrelevant; of an option given twice, the last counts.
 */
#ifndef MALPAN_GAME_RESOLVE_H
#define MALPAN_GAME_RESOLVE_H

#include "game/variant.h"

/* Resolves the rules. Options that are not the game's are ignored: the caller has already checked
 * which ones it accepts. `position` may be NULL. */
Status resolve_rules(const Game *game, const OptionGiven given[], size_t given_count,
                     const char *position, Variant *variant);

/* Resolves the rules and parses the position; NULL stands for the start. */
Status resolve_position(const Game *game, const OptionGiven given[], size_t given_count,
                        const char *position, Variant *variant, State *state);

/* The same with the options as one text, such as "--tiles 12 --players 1"; NULL or "" for none. */
Status resolve_text(const Game *game, const char *options, const char *position, Variant *variant,
                    State *state);

/* The game under rule options as one text, without a position. */
Status variant_parse(const Game *game, const char *options, Variant *variant);

#endif
