#include "ui/web/game_snapshot.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/json/build.h"
#include "ui/json/encode.h"
#include "ui/web/view.h"

static const char *const kind_names[] = {"here", "link", "computer"};

/* --- taking --- */

/* Copies the steps. */
static bool copy_steps(const Record *record, size_t from, size_t count_max,
                       GameSnapshot *snapshot) {
    snapshot->from = from < record->step_count ? from : record->step_count;
    size_t rest = record->step_count - snapshot->from;
    snapshot->count = rest < count_max ? rest : count_max;
    snapshot->states = malloc((snapshot->count + 1) * sizeof *snapshot->states);
    snapshot->moves = malloc((snapshot->count + 1) * sizeof *snapshot->moves);
    if (!snapshot->states || !snapshot->moves)
        return false;
    memcpy(snapshot->states, record->states + snapshot->from,
           (snapshot->count + 1) * sizeof *snapshot->states);
    memcpy(snapshot->moves, record->moves + snapshot->from,
           snapshot->count * sizeof *snapshot->moves);
    return true;
}

/* Copies whose turn it is, and what was asked. */
static void copy_turn(const HostedGame *game, GameSnapshot *snapshot) {
    snapshot->next_seat = hosted_game_next_seat(game, &snapshot->is_throw);
    snapshot->is_over = snapshot->next_seat < 0;
    snapshot->is_computer_next =
        !snapshot->is_over && game->seats[snapshot->next_seat].kind == SEAT_COMPUTER;
    snapshot->can_undo = hosted_game_can_undo(game);
    for (int i = 0; i < GAME_PLAYERS_MAX; i++) {
        snapshot->players[i] = game->record.seats[i];
        snapshot->kinds[i] = game->seats[i].kind;
        snapshot->taken[i] = game->seats[i].is_taken;
        memcpy(snapshot->names[i], game->seats[i].name, sizeof snapshot->names[i]);
        snapshot->undo_asked |= (unsigned)game->seats[i].asks_undo << i;
    }
}

bool game_snapshot_take(const HostedGame *game, size_t from, size_t count_max,
                        GameSnapshot *snapshot) {
    assert(game->phase == GAME_SETTLED);
    const Record *record = &game->record;
    *snapshot = (GameSnapshot){.variant = record->variant,
                               .version = game->version,
                               .seed = record->seed,
                               .number = record->step_count,
                               .start = record->states[0],
                               .now = *record_state(record),
                               .given = game->given};
    memcpy(snapshot->id, game->id, sizeof snapshot->id);
    memcpy(snapshot->salt, game->salt, sizeof snapshot->salt);
    memcpy(snapshot->commitment, game->commitment, sizeof snapshot->commitment);
    memcpy(snapshot->trouble, game->trouble, sizeof snapshot->trouble);
    copy_turn(game, snapshot);
    return copy_steps(record, from, count_max, snapshot);
}

void game_snapshot_free(GameSnapshot *snapshot) {
    free(snapshot->states);
    free(snapshot->moves);
}

size_t game_snapshot_first_change(const HostedGame *game, uint64_t since) {
    size_t from = game->record.step_count;
    if (since < game->first_version || since > game->version)
        return 0;
    for (uint64_t i = since; i < game->version; i++)
        if (game->changes[i - game->first_version] < from)
            from = game->changes[i - game->first_version];
    return from;
}

/* --- encoding --- */

/* What could have been thrown, so that a throw can be checked against the seed. */
static json_t *encode_with_weights(const Variant *variant, const State *state, json_t *json) {
    Chance chances[GAME_CHANCES_MAX];
    uint64_t whole;
    json_t *list = json_array();
    size_t count = variant->game->tree.chances(&variant->rules, state, chances, &whole);
    char digits[24];
    for (size_t i = 0; i < count; i++) {
        snprintf(digits, sizeof digits, "%" PRIu64, chances[i].weight);
        list = json_with_item(
            list, json_pack("[o, s]", encode_move(variant, state, chances[i].move), digits));
    }
    snprintf(digits, sizeof digits, "%" PRIu64, whole);
    return json_with(json_with(json, "weights", list), "whole", json_string(digits));
}

static json_t *encode_step(const GameSnapshot *snapshot, size_t i) {
    const Variant *variant = &snapshot->variant;
    const State *before = &snapshot->states[i];
    Move move = snapshot->moves[i];
    bool is_chance = variant->game->tree.actor(&variant->rules, before) == GAME_CHANCE;
    json_t *step =
        json_pack("{s:s, s:i, s:o, s:o, s:o, s:o}", "actor", is_chance ? "chance" : "player",
                  "player", variant->game->tree.turn(&variant->rules, before), "move",
                  encode_move(variant, before, move), "told", view_narration(variant, before, move),
                  "trace", view_trace(variant, before, move), "position",
                  encode_state(variant, &snapshot->states[i + 1]));
    return is_chance ? encode_with_weights(variant, before, step) : step;
}

static json_t *encode_steps(const GameSnapshot *snapshot) {
    json_t *steps = json_array();
    for (size_t i = 0; i < snapshot->count && steps; i++)
        steps = json_with_item(steps, encode_step(snapshot, i));
    return steps;
}

static json_t *encode_seats(const GameSnapshot *snapshot) {
    const Variant *variant = &snapshot->variant;
    json_t *seats = json_array();
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++) {
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        json_t *seat = json_pack("{s:s}", "kind", kind_names[snapshot->kinds[i]]);
        seat_print(&snapshot->players[i], &text);
        if (snapshot->kinds[i] == SEAT_COMPUTER)
            seat = json_with(seat, "player", json_string(bytes));
        if (snapshot->kinds[i] == SEAT_LINK)
            seat = json_with(seat, "taken", json_boolean(snapshot->taken[i]));
        if (snapshot->names[i][0])
            seat = json_with(seat, "name", json_string(snapshot->names[i]));
        seats = json_with_item(seats, seat);
    }
    return seats;
}

/* The numbers of the bits that are set. */
static json_t *encode_bits(unsigned bits) {
    json_t *list = json_array();
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        if (bits >> i & 1)
            list = json_with_item(list, json_integer(i));
    return list;
}

static json_t *encode_waits(const GameSnapshot *snapshot) {
    if (snapshot->is_over || snapshot->is_computer_next)
        return json_null();
    return json_pack("{s:i, s:s}", "seat", snapshot->next_seat, "for",
                     snapshot->is_throw ? "throw" : "move");
}

/* The seed of the throws; null while it is secret. */
static json_t *encode_seed(const GameSnapshot *snapshot) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, snapshot->seed);
    if (!snapshot->is_over)
        return json_null();
    return json_pack("{s:s, s:s, s:I}", "seed", digits, "salt", snapshot->salt, "given",
                     (json_int_t)snapshot->given);
}

/* What a change and the whole game have in common. */
static json_t *encode_now(const GameSnapshot *snapshot) {
    json_t *undo = json_pack("{s:o, s:b}", "asked", encode_bits(snapshot->undo_asked), "possible",
                             snapshot->can_undo);
    return json_pack(
        "{s:I, s:I, s:I, s:o, s:o, s:o, s:s?, s:o, s:o, s:o, s:b}", "version",
        (json_int_t)snapshot->version, "number", (json_int_t)snapshot->number, "from",
        (json_int_t)snapshot->from, "steps", encode_steps(snapshot), "now",
        view_position(&snapshot->variant, &snapshot->now), "waits", encode_waits(snapshot),
        "trouble", snapshot->trouble[0] ? snapshot->trouble : NULL, "undo", undo, "seats",
        encode_seats(snapshot), "seed", encode_seed(snapshot), "over", snapshot->is_over);
}

json_t *game_snapshot_encode(const GameSnapshot *snapshot, unsigned seats) {
    const Variant *variant = &snapshot->variant;
    json_t *json = encode_now(snapshot);
    json = json_with(json, "id", json_string(snapshot->id));
    json = json_with(json, "game", json_string(variant->game->identity.name));
    json = json_with(json, "rules", encode_rules(variant));
    json = json_with(json, "rules_text", view_rules_text(variant));
    json = json_with(json, "you", encode_bits(seats));
    json = json_with(json, "start", encode_state(variant, &snapshot->start));
    return json_with(json, "commitment", json_string(snapshot->commitment));
}

json_t *game_snapshot_encode_change(const GameSnapshot *snapshot) {
    if (snapshot->from + snapshot->count == snapshot->number)
        return encode_now(snapshot);
    return json_pack("{s:I, s:I, s:I, s:b}", "version", (json_int_t)snapshot->version, "number",
                     (json_int_t)snapshot->number, "from", (json_int_t)snapshot->from, "reload", 1);
}
