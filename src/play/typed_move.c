#include "play/typed_move.h"

#include <stdio.h>

#include "base/number.h"

/* Whether a bare number typed here means a move of the game, such as a tile, rather than a number
 * in the list. */
static bool has_numeric_moves(const Variant *variant, const State *state, const Move moves[],
                              size_t count) {
    for (size_t i = 0; i < count; i++) {
        char bytes[GAME_TEXT_BYTES];
        uint64_t number;
        Text text = text_over(bytes, sizeof bytes);
        variant->game->text.print_move(&variant->rules, state, moves[i], LANG_EN, &text);
        if (number_read(bytes, &number))
            return true;
    }
    return false;
}

static Status no_such_number(const char *typed, size_t count, Lang lang) {
    static const Phrase phrase = {{"there is no move {0}; the list goes from #1 to #{1}",
                                   "{0}번 수는 없습니다. 목록은 #1부터 #{1}까지입니다"}};
    char last[24];
    snprintf(last, sizeof last, "%zu", count);
    return phrase_failure(STATUS_USAGE, phrase, lang,
                          (const char *const[]){quote(typed).text, last});
}

Status typed_move_read(const Variant *variant, const State *state, const char *typed, Lang lang,
                       Move *move) {
    Move moves[GAME_MOVES_MAX];
    size_t count = variant->game->tree.moves(&variant->rules, state, moves);
    if (typed[0] == '\0' && count == 1) {
        *move = moves[0];
        return status_ok();
    }
    uint64_t number;
    if (typed[0] != '#') {
        Status status = variant->game->text.parse_move(&variant->rules, state, typed, lang, move);
        if (status_is_ok(&status) && variant_allows(variant, state, *move))
            return status;
        if (!number_read(typed, &number) || has_numeric_moves(variant, state, moves, count))
            return status;
    }
    if (!number_read(typed + (typed[0] == '#'), &number) || number < 1 || number > count)
        return no_such_number(typed, count, lang);
    *move = moves[number - 1];
    return status_ok();
}
