/* Values as text. Pure functions; any thread may call them. */
#ifndef MALPAN_GAME_VALUE_TEXT_H
#define MALPAN_GAME_VALUE_TEXT_H

#include "game/variant.h"

/* Adds a value in machine-readable form: `win 9` if values are outcomes, a whole number of points,
 * `0.502810`, or `~0.503` for an estimate. */
void value_text_add(Text *text, const Variant *variant, double value, bool is_estimate);

/* The same for people: outcomes are written out in their language. */
void value_text_add_worded(Text *text, const Variant *variant, double value, bool is_estimate,
                           Lang lang);

#endif
