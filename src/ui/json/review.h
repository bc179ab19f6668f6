/* The review of a game as JSON, for the command line and the server. docs/http-api.md lists the
 * fields.
 *
 * As in ui/json/encode.h: returns a new reference that the caller owns, or NULL if memory ran out;
 * any thread may call it. */
#ifndef MALPAN_UI_JSON_REVIEW_H
#define MALPAN_UI_JSON_REVIEW_H

#include <jansson.h>

#include "play/review.h"

json_t *encode_review(const Record *record, const Review *review);

#endif
