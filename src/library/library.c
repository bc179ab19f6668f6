#include "library/library.h"

#include <string.h>
#include <xxhash.h>

#include "play/review.h"

static_assert((int)MALPAN_STOPPED == (int)STATUS_STOPPED, "the public codes are the internal ones");
static_assert((int)MALPAN_TEXT_BYTES >= (int)GAME_TEXT_BYTES, "a text must fit");
static_assert((int)MALPAN_DRAW_BYTES >= (int)GAME_DRAW_BYTES, "a board must fit");
static_assert((int)MALPAN_MOVES_MAX >= (int)GAME_MOVES_MAX, "the moves must fit");
static_assert((int)MALPAN_CHANCES_MAX >= (int)GAME_CHANCES_MAX, "the chance events must fit");
static_assert((int)MALPAN_PLAYERS_MAX == (int)GAME_PLAYERS_MAX, "the players must fit");
static_assert((int)MALPAN_LANG_COUNT == (int)LANG_COUNT, "as many languages");
static_assert((int)MALPAN_CHANCE == (int)GAME_CHANCE && (int)MALPAN_END == (int)GAME_END,
              "actors are the internal ones");
static_assert((int)MALPAN_EQUILIBRIUM == (int)VALUE_EQUILIBRIUM &&
                  (int)MALPAN_ESTIMATE == (int)VALUE_ESTIMATE,
              "kinds are the internal ones");
static_assert((int)MALPAN_NO_VERDICT == (int)REVIEW_NONE &&
                  (int)MALPAN_BLUNDER == (int)REVIEW_BLUNDER &&
                  (int)MALPAN_BLUNDER + 1 == (int)REVIEW_VERDICT_COUNT,
              "verdicts are the internal ones");
static_assert(sizeof(MalpanError) == sizeof(Status), "a message must fit");
static_assert(sizeof(MalpanRandom) == sizeof(Random), "a MalpanRandom is a Random");
static_assert(sizeof(MalpanPosition) == sizeof(State) + sizeof(uint64_t), "a State and a seal");

enum { SEAL_WORD = GAME_STATE_BYTES / 8 };

const char *malpan_version(void) {
    return MALPAN_VERSION;
}

const char *malpan_code_name(int code) {
    return code >= 0 && code < STATUS_CODE_COUNT ? status_name((StatusCode)code) : "unknown";
}

/* --- positions --- */

uint64_t library_tag(const Variant *variant) {
    const char *name = variant->game->identity.name;
    uint64_t seed = XXH3_64bits(name, strlen(name));
    return XXH3_64bits_withSeed(&variant->rules, sizeof variant->rules, seed) | 1;
}

static uint64_t seal_of(uint64_t tag, const State *state) {
    return XXH3_64bits_withSeed(state, sizeof *state, tag);
}

bool library_get_state(uint64_t tag, const MalpanPosition *position, State *state) {
    if (!position)
        return false;
    memcpy(state, position->opaque, sizeof *state);
    return position->opaque[SEAL_WORD] == seal_of(tag, state);
}

Status library_read_position(uint64_t tag, const MalpanPosition *position, State *state) {
    if (!position)
        return library_expected("a position");
    return library_get_state(tag, position, state)
               ? status_ok()
               : status_make(STATUS_USAGE, "the position belongs to other rules, is damaged or "
                                           "was never set");
}

void library_set_state(uint64_t tag, const State *state, MalpanPosition *position) {
    memcpy(position->opaque, state, sizeof *state);
    position->opaque[SEAL_WORD] = seal_of(tag, state);
}

int malpan_compare(const MalpanPosition *a, const MalpanPosition *b) {
    if (!a || !b)
        return (a != NULL) - (b != NULL);
    return memcmp(a, b, sizeof *a);
}

int malpan_equals(const MalpanPosition *a, const MalpanPosition *b) {
    return malpan_compare(a, b) == 0;
}

uint64_t malpan_hash(const MalpanPosition *position) {
    return position ? XXH3_64bits(position, sizeof *position) : 0;
}

/* --- errors and texts --- */

int library_finish(MalpanError *error, Status status) {
    if (error) {
        error->code = (int)status.code;
        memcpy(error->message, status.message, sizeof error->message);
    }
    return (int)status.code;
}

size_t library_give_text(const Text *source, char *text, size_t capacity) {
    if (text && capacity > 0) {
        size_t length = source->length < capacity ? source->length : capacity - 1;
        memcpy(text, source->bytes, length);
        text[length] = '\0';
    }
    return source->length;
}

Lang library_lang(int lang) {
    return lang == MALPAN_KO ? LANG_KO : LANG_EN;
}
