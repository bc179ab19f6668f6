/* What the tests of Yut share: variants, positions, and moves from one to the next. */
#ifndef MALPAN_TESTS_YUT_TESTING_H
#define MALPAN_TESTS_YUT_TESTING_H

#include <string.h>

#include "games/yut/yut.h"
#include "testing.h"

static inline Variant variant_of(const char *options) {
    Variant variant;
    assert_ok(variant_parse(&yut_game, options, &variant));
    return variant;
}

static inline State state_of(const Variant *variant, const char *text) {
    State state;
    Status status = yut_parse_state(&variant->rules, text, &state);
    if (!status_is_ok(&status))
        fail_msg("%s: %s", text, status.message);
    return state;
}

/* Plays moves or throws, separated by spaces; the position then reads like this. */
static inline void assert_leads(const char *options, const char *from, const char *steps,
                                const char *to) {
    Variant variant = variant_of(options);
    State state = state_of(&variant, from);
    char storage[GAME_TEXT_BYTES], bytes[GAME_TEXT_BYTES];
    char *words[16];
    size_t count = text_split(steps, storage, sizeof storage, words, 16);
    for (size_t i = 0; i < count; i++) {
        Move move;
        Status status = yut_parse_move(&variant.rules, &state, words[i], LANG_EN, &move);
        if (!status_is_ok(&status))
            fail_msg("%s at %s: %s", words[i], from, status.message);
        assert_ok(variant_play(&variant, &state, move));
        assert_ok(yut_check(&variant.rules, &state));
    }
    Text text = text_over(bytes, sizeof bytes);
    yut_print_state(&variant.rules, &state, &text);
    assert_string_equal(bytes, to);
}

static inline void assert_refused(const char *options, const char *position, const char *move,
                                  const char *words) {
    Variant variant = variant_of(options);
    State state = state_of(&variant, position);
    Move parsed;
    assert_fails(yut_parse_move(&variant.rules, &state, move, LANG_EN, &parsed), STATUS_USAGE,
                 words);
}

#endif
