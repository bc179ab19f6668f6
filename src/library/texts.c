/* Positions, moves, boards and values as text. */
#include "game/value_text.h"
#include "library/library.h"

enum { COLUMNS_DEFAULT = 80 };

int malpan_parse(const MalpanGame *game, const char *text, MalpanPosition *position,
                 MalpanError *error) {
    State state;
    Status status = !game   ? library_expected("a game")
                    : !text ? library_expected("the text of a position")
                    : !position
                        ? library_expected("room for the position")
                        : game->variant.game->text.parse_state(&game->variant.rules, text, &state);
    if (status_is_ok(&status))
        library_set_state(game->tag, &state, position);
    return library_finish(error, status);
}

size_t malpan_print(const MalpanGame *game, const MalpanPosition *position, char *text,
                    size_t capacity) {
    char bytes[GAME_TEXT_BYTES];
    Text printed = text_over(bytes, sizeof bytes);
    State state;
    if (library_get_game_state(game, position, &state))
        game->variant.game->text.print_state(&game->variant.rules, &state, &printed);
    return library_give_text(&printed, text, capacity);
}

int malpan_parse_move(const MalpanGame *game, const MalpanPosition *position, const char *text,
                      int lang, MalpanMove *move, MalpanError *error) {
    State state;
    Move parsed;
    Status status =
        game ? library_read_position(game->tag, position, &state) : library_expected("a game");
    if (status_is_ok(&status) && (!text || !move))
        status = library_expected(text ? "room for the move" : "the text of a move");
    if (status_is_ok(&status))
        status = game->variant.game->text.parse_move(&game->variant.rules, &state, text,
                                                     library_lang(lang), &parsed);
    if (status_is_ok(&status))
        *move = parsed;
    return library_finish(error, status);
}

/* Whether the move, or chance event, is possible at the position, whose state is copied. */
static bool get_step(const MalpanGame *game, const MalpanPosition *position, MalpanMove move,
                     State *state) {
    return library_get_game_state(game, position, state) &&
           variant_allows(&game->variant, state, move);
}

size_t malpan_print_move(const MalpanGame *game, const MalpanPosition *position, MalpanMove move,
                         int lang, char *text, size_t capacity) {
    char bytes[GAME_TEXT_BYTES];
    Text printed = text_over(bytes, sizeof bytes);
    State state;
    if (get_step(game, position, move, &state))
        game->variant.game->text.print_move(&game->variant.rules, &state, move, library_lang(lang),
                                            &printed);
    return library_give_text(&printed, text, capacity);
}

size_t malpan_draw(const MalpanGame *game, const MalpanPosition *position, const MalpanStyle *style,
                   char *text, size_t capacity) {
    static const MalpanStyle plain = {0};
    char bytes[GAME_DRAW_BYTES];
    Text drawn = text_over(bytes, sizeof bytes);
    State state;
    if (!style)
        style = &plain;
    if (library_get_game_state(game, position, &state))
        game->variant.game->text.draw(
            &game->variant.rules, &state,
            (DrawStyle){.color = style->color != 0,
                        .ascii = style->ascii != 0,
                        .numbers = style->numbers != 0,
                        .lang = library_lang(style->lang),
                        .columns = style->columns > 0 ? style->columns : COLUMNS_DEFAULT},
            &drawn);
    return library_give_text(&drawn, text, capacity);
}

size_t malpan_narrate(const MalpanGame *game, const MalpanPosition *before, MalpanMove move,
                      int lang, char *text, size_t capacity) {
    char bytes[GAME_DRAW_BYTES];
    Text told = text_over(bytes, sizeof bytes);
    State state;
    if (get_step(game, before, move, &state))
        game->variant.game->text.narrate(&game->variant.rules, &state, move, library_lang(lang),
                                         &told);
    return library_give_text(&told, text, capacity);
}

size_t malpan_narrate_end(const MalpanGame *game, const MalpanPosition *end, int lang, char *text,
                          size_t capacity) {
    char bytes[GAME_DRAW_BYTES];
    Text told = text_over(bytes, sizeof bytes);
    State state;
    if (library_get_game_state(game, end, &state) &&
        game->variant.game->tree.actor(&game->variant.rules, &state) == GAME_END)
        game->variant.game->text.narrate_end(&game->variant.rules, &state, library_lang(lang),
                                             &told);
    return library_give_text(&told, text, capacity);
}

size_t malpan_print_value(const MalpanGame *game, double value, int kind, int lang, char *text,
                          size_t capacity) {
    char bytes[GAME_TEXT_BYTES];
    Text printed = text_over(bytes, sizeof bytes);
    if (game)
        value_text_add_worded(&printed, &game->variant, value, kind == MALPAN_ESTIMATE,
                              library_lang(lang));
    return library_give_text(&printed, text, capacity);
}
