#include "ui/client/remote_game.h"

#include <stdio.h>
#include <string.h>

#include "game/resolve.h"
#include "values/registry.h"

enum { STEPS_MAX = 100000 }; /* no server has longer games; what it says must not fill the memory */

static Status nonsense(const char *field) {
    return status_make(STATUS_FAILED, "the server's answer makes no sense: %s", field);
}

static const char *text_of(const json_t *json, const char *field) {
    const char *text = json_string_value(json_object_get(json, field));
    return text ? text : "";
}

/* Reads a number that is not negative. */
static bool read_count(const json_t *json, const char *field, uint64_t *count) {
    const json_t *value = json_object_get(json, field);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return false;
    *count = (uint64_t)json_integer_value(value);
    return true;
}

/* The numbers of a list as bits; other numbers than those of seats are ignored. */
static unsigned read_bits(const json_t *list) {
    unsigned bits = 0;
    size_t index;
    json_t *item;
    json_array_foreach(list, index, item) {
        json_int_t number = json_is_integer(item) ? json_integer_value(item) : -1;
        if (number >= 0 && number < GAME_PLAYERS_MAX)
            bits |= 1u << number;
    }
    return bits;
}

/* --- steps --- */

static Status add_step(Record *record, const json_t *step) {
    const Variant *variant = &record->variant;
    Move move;
    Status status = variant->game->text.parse_move(&variant->rules, record_state(record),
                                                   text_of(step, "move"), LANG_EN, &move);
    return status_is_ok(&status) ? record_add(record, move) : status;
}

/* Whether step number `index` of the record is this one already. */
static bool has_step(const Record *record, size_t index, const json_t *step) {
    const Variant *variant = &record->variant;
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    if (index >= record->step_count)
        return false;
    variant->game->text.print_move(&variant->rules, &record->states[index], record->moves[index],
                                   LANG_EN, &text);
    return strcmp(bytes, text_of(step, "move")) == 0;
}

/* Replaces the steps from number `from` on. Those after a gap are left to be fetched. */
static Status take_steps(RemoteGame *game, const json_t *json) {
    uint64_t from = 0;
    size_t index;
    json_t *step;
    Record *record = &game->record;
    const json_t *steps = json_object_get(json, "steps");
    if (!read_count(json, "from", &from))
        return nonsense("from");
    if (from > record->step_count)
        return status_ok();
    if (json_array_size(steps) > STEPS_MAX - from)
        return nonsense("steps");
    json_array_foreach(steps, index, step) {
        if (has_step(record, from + index, step))
            continue;
        if (from + index < record->step_count)
            record_cut(record, from + index);
        Status status = add_step(record, step);
        if (!status_is_ok(&status))
            return nonsense("steps");
    }
    record_cut(record, from + json_array_size(steps));
    return status_ok();
}

/* --- everything else --- */

static void take_names(RemoteState *state, const json_t *seats) {
    size_t index;
    json_t *seat;
    json_array_foreach(seats, index, seat) {
        if (index >= GAME_PLAYERS_MAX)
            break;
        const char *player = text_of(seat, "player");
        snprintf(state->names[index], sizeof state->names[index], "%s",
                 *player ? player : text_of(seat, "name"));
        text_make_printable(state->names[index]);
    }
}

static void take_state(RemoteState *state, const json_t *json) {
    const json_t *waits = json_object_get(json, "waits"), *undo = json_object_get(json, "undo");
    uint64_t seat;
    state->waits_for = -1;
    if (read_count(waits, "seat", &seat) && seat < GAME_PLAYERS_MAX)
        state->waits_for = (int)seat;
    state->is_throw = strcmp(text_of(waits, "for"), "throw") == 0;
    state->is_over = json_is_true(json_object_get(json, "over"));
    state->can_undo = json_is_true(json_object_get(undo, "possible"));
    state->asked = read_bits(json_object_get(undo, "asked"));
    snprintf(state->trouble, sizeof state->trouble, "%s", text_of(json, "trouble"));
    text_make_printable(state->trouble);
    take_names(state, json_object_get(json, "seats"));
    if (json_object_get(json, "you")) /* changes go to everybody, and do not tell */
        state->mine = read_bits(json_object_get(json, "you"));
}

Status remote_game_update(RemoteGame *game, const json_t *json) {
    uint64_t version, number;
    if (!read_count(json, "version", &version))
        return nonsense("version");
    if (!read_count(json, "number", &number) || number > STEPS_MAX)
        return nonsense("number");
    if (version < game->state.version)
        return status_ok();
    game->state.version = version;
    game->state.number = number;
    if (!json_is_true(json_object_get(json, "reload")))
        take_state(&game->state, json);
    return take_steps(game, json);
}

/* --- opening and closing --- */

Status remote_game_open(const json_t *json, RemoteGame *game) {
    static const char person[] = "you";
    const Game *found;
    Variant variant;
    State start;
    Seat seats[GAME_PLAYERS_MAX];
    *game = (RemoteGame){.record = {.seed = 0}};
    Status status = registry_find(text_of(json, "game"), &found);
    if (!status_is_ok(&status))
        return nonsense("game");
    status =
        resolve_text(found, text_of(json, "rules_text"), text_of(json, "start"), &variant, &start);
    for (int i = 0; i < GAME_PLAYERS_MAX && status_is_ok(&status); i++)
        status = seat_parse(person, &seats[i]); /* nobody's moves are computed here */
    if (!status_is_ok(&status))
        return nonsense(status.message);
    status = record_open(&variant, seats, 0, &start, &game->record);
    if (!status_is_ok(&status))
        return status;
    status = remote_game_update(game, json);
    if (!status_is_ok(&status))
        remote_game_close(game);
    return status;
}

void remote_game_close(RemoteGame *game) {
    record_close(&game->record);
    *game = (RemoteGame){.record = {.seed = 0}};
}
