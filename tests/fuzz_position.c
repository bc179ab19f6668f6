/* Any bytes as rule options, a position and a move of any game: accepted or rejected with a
 * message; what is accepted is legal and reads back as itself. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "game/resolve.h"
#include "values/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Copies the bytes up to the next line end and moves past it. */
static char *take_line(const uint8_t **data, size_t *size) {
    const uint8_t *end = *size ? memchr(*data, '\n', *size) : NULL;
    size_t length = end ? (size_t)(end - *data) : *size;
    char *line = malloc(length + 1);
    assert(line);
    if (length)
        memcpy(line, *data, length);
    line[length] = '\0';
    *data += length + (end != NULL);
    *size -= length + (end != NULL);
    return line;
}

static void try_position(const Variant *variant, const char *position, const char *move) {
    const Game *game = variant->game;
    State state;
    Status status = game->text.parse_state(&variant->rules, position, &state);
    assert(status_is_ok(&status) || status.message[0]);
    if (!status_is_ok(&status))
        return;
    status = game->tree.check(&variant->rules, &state);
    assert(status_is_ok(&status));

    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    State again;
    game->text.print_state(&variant->rules, &state, &text);
    assert(!text.truncated);
    status = game->text.parse_state(&variant->rules, bytes, &again);
    assert(status_is_ok(&status) && memcmp(&state, &again, sizeof state) == 0);

    Move parsed;
    status = game->text.parse_move(&variant->rules, &state, move, LANG_EN, &parsed);
    if (!status_is_ok(&status)) {
        assert(status.message[0]);
        return;
    }
    status = variant_play(variant, &state, parsed);
    assert(status_is_ok(&status));
    status = game->tree.check(&variant->rules, &state);
    assert(status_is_ok(&status));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    const Game *game = registry_at(data[0] % registry_count());
    data++;
    size--;
    char *options = take_line(&data, &size);
    char *position = take_line(&data, &size);
    char *move = take_line(&data, &size);
    Variant variant;
    Status status = variant_parse(game, options, &variant);
    if (status_is_ok(&status))
        try_position(&variant, position, move);
    variant = variant_default(game);
    try_position(&variant, position, move);
    free(options);
    free(position);
    free(move);
    return 0;
}
