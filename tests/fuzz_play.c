/* A whole game from any bytes: the first line is a game and its rule options, then each byte is a
 * step, a step back or a return to the record as text. Every state on the way is legal, and the
 * record reads back as itself. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "game/resolve.h"
#include "play/record.h"
#include "values/registry.h"

enum { STEPS_MAX = 2000, OPTIONS_BYTES = 256 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads the game and its options. The default variant if they are not accepted. */
static Variant read_variant(const uint8_t **data, size_t *size) {
    const Game *game = registry_at(**data % registry_count());
    const uint8_t *end = memchr(*data, '\n', *size);
    size_t length = end ? (size_t)(end - *data) : *size;
    char options[OPTIONS_BYTES] = "";
    if (length > 1 && length < sizeof options)
        memcpy(options, *data + 1, length - 1);
    *data += length + (end != NULL);
    *size -= length + (end != NULL);
    Variant variant;
    Status status = variant_parse(game, options, &variant);
    return status_is_ok(&status) ? variant : variant_default(game);
}

static void check_state(const Variant *variant, const State *state) {
    const Game *game = variant->game;
    Status status = game->tree.check(&variant->rules, state);
    assert(status_is_ok(&status));
    if (game->tree.actor(&variant->rules, state) != GAME_END)
        return;
    double payoffs[GAME_PLAYERS_MAX];
    game->tree.payoff(&variant->rules, state, payoffs);
    for (int i = 0; i < game->rules.player_count(&variant->rules); i++)
        assert(isfinite(payoffs[i]));
}

/* Adds the step that the byte chooses among the legal ones. False at the end of the game. */
static bool add_step(Record *record, uint8_t byte) {
    const Variant *variant = &record->variant;
    static Move moves[GAME_MOVES_MAX > GAME_CHANCES_MAX ? GAME_MOVES_MAX : GAME_CHANCES_MAX];
    if (variant->game->tree.actor(&variant->rules, record_state(record)) == GAME_END)
        return false;
    size_t count = variant_steps(variant, record_state(record), moves);
    assert(count > 0);
    Status status = record_add(record, moves[byte % count]);
    assert(status_is_ok(&status));
    return true;
}

/* Replaces the record by what its text says, which has to be the same. */
static void read_back(Record *record) {
    Record again;
    char *text = record_print(record), *twice;
    assert(text);
    Status status = record_parse(text, &again);
    assert(status_is_ok(&status) && again.step_count == record->step_count);
    assert(memcmp(record_state(&again), record_state(record), sizeof(State)) == 0);
    twice = record_print(&again);
    assert(twice && strcmp(text, twice) == 0);
    free(text);
    free(twice);
    record_close(record);
    *record = again;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    Variant variant = read_variant(&data, &size);
    Record record;
    Seat seats[GAME_PLAYERS_MAX];
    Status status = status_ok();
    for (int i = 0; i < GAME_PLAYERS_MAX && status_is_ok(&status); i++)
        status = seat_parse("you", &seats[i]);
    assert(status_is_ok(&status));
    State start = variant.game->tree.start(&variant.rules);
    status = record_open(&variant, seats, size, &start, &record);
    assert(status_is_ok(&status));
    for (; size > 0 && record.step_count < STEPS_MAX; data++, size--) {
        if (*data == 255)
            record_cut(&record, record.step_count / 2);
        else if (*data == 254)
            read_back(&record);
        else if (!add_step(&record, *data))
            break;
        check_state(&variant, record_state(&record));
    }
    read_back(&record);
    record_close(&record);
    return 0;
}
