/* A hosted game as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/json/encode.h"
#include "ui/web/hosted_game.h"
#include "ui/web/view.h"

static const char *const kind_names[] = {"here", "link", "computer"};

/* Adds what could have been thrown, so that a throw can be checked against the seed. */
static void add_weights(const Variant *variant, const State *state, json_t *json) {
    Chance chances[GAME_CHANCES_MAX];
    uint64_t whole;
    json_t *list = json_array();
    size_t count = variant->game->tree.chances(&variant->rules, state, chances, &whole);
    char digits[24];
    for (size_t i = 0; i < count; i++) {
        snprintf(digits, sizeof digits, "%" PRIu64, chances[i].weight);
        json_array_append_new(
            list, json_pack("[o, s]", encode_move(variant, state, chances[i].move), digits));
    }
    snprintf(digits, sizeof digits, "%" PRIu64, whole);
    json_object_set_new(json, "weights", list);
    json_object_set_new(json, "whole", json_string(digits));
}

static json_t *view_steps(const HostedGame *game, size_t from) {
    const Record *record = &game->record;
    const Variant *variant = &record->variant;
    json_t *steps = json_array();
    for (size_t i = from; i < record->step_count; i++) {
        const State *before = &record->states[i];
        bool is_chance = variant->game->tree.actor(&variant->rules, before) == GAME_CHANCE;
        json_t *step =
            json_pack("{s:s, s:i, s:o, s:o, s:o, s:o}", "actor", is_chance ? "chance" : "player",
                      "player", variant->game->tree.turn(&variant->rules, before), "move",
                      encode_move(variant, before, record->moves[i]), "told",
                      view_narration(variant, before, record->moves[i]), "trace",
                      view_trace(variant, before, record->moves[i]), "position",
                      encode_state(variant, &record->states[i + 1]));
        if (is_chance)
            add_weights(variant, before, step);
        json_array_append_new(steps, step);
    }
    return steps;
}

static json_t *view_seats(const HostedGame *game) {
    const Variant *variant = &game->record.variant;
    json_t *seats = json_array();
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++) {
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        json_t *seat = json_pack("{s:s}", "kind", kind_names[game->seats[i].kind]);
        seat_print(&game->record.seats[i], &text);
        if (game->seats[i].kind == SEAT_COMPUTER)
            json_object_set_new(seat, "player", json_string(bytes));
        json_array_append_new(seats, seat);
    }
    return seats;
}

static json_t *view_waits(const HostedGame *game) {
    bool is_throw;
    int seat = hosted_game_next_seat(game, &is_throw);
    if (seat < 0 || hosted_game_is_computer_next(game))
        return json_null();
    return json_pack("{s:i, s:s}", "seat", seat, "for", is_throw ? "throw" : "move");
}

/* Who asked to take back a move, and whether there is one to take back. */
static json_t *view_undo(const HostedGame *game) {
    json_t *asked = json_array();
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        if (game->seats[i].asks_undo)
            json_array_append_new(asked, json_integer(i));
    return json_pack("{s:o, s:b}", "asked", asked, "possible", hosted_game_can_undo(game));
}

/* The seed of the throws; null while it is secret. */
static json_t *view_seed(const HostedGame *game) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, game->record.seed);
    if (!hosted_game_is_over(game))
        return json_null();
    return json_pack("{s:s, s:s, s:I}", "seed", digits, "salt", game->salt, "given",
                     (json_int_t)game->given);
}

static json_t *view_trouble(const HostedGame *game) {
    return game->trouble[0] ? json_string(game->trouble) : json_null();
}

/* What a change and the whole game have in common: the present position, and the steps from `from`
 * on. */
static json_t *view_now(const HostedGame *game, size_t from) {
    const Record *record = &game->record;
    return json_pack("{s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "version",
                     (json_int_t)game->version, "number", (json_int_t)record->step_count, "from",
                     (json_int_t)from, "steps", view_steps(game, from), "now",
                     view_position(&record->variant, record_state(record)), "waits",
                     view_waits(game), "trouble", view_trouble(game), "undo", view_undo(game),
                     "seats", view_seats(game), "seed", view_seed(game), "over",
                     hosted_game_is_over(game));
}

json_t *hosted_game_encode(const HostedGame *game, unsigned seats) {
    const Variant *variant = &game->record.variant;
    json_t *json = view_now(game, 0), *you = json_array();
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        if (seats >> i & 1)
            json_array_append_new(you, json_integer(i));
    json_object_set_new(json, "id", json_string(game->id));
    json_object_set_new(json, "game", json_string(variant->game->identity.name));
    json_object_set_new(json, "rules", encode_rules(variant));
    json_object_set_new(json, "rules_text", view_rules_text(variant));
    json_object_set_new(json, "you", you);
    json_object_set_new(json, "start", encode_state(variant, &game->record.states[0]));
    json_object_set_new(json, "commitment", json_string(game->commitment));
    return json;
}

json_t *hosted_game_encode_change(const HostedGame *game, uint64_t since) {
    size_t from = game->record.step_count;
    if (since < game->first_version || since > game->version)
        return view_now(game, 0);
    for (uint64_t i = since; i < game->version; i++)
        if (game->changes[i - game->first_version] < from)
            from = game->changes[i - game->first_version];
    return view_now(game, from);
}

char *hosted_game_print_record(const HostedGame *game) {
    Record copy = game->record; /* shares the steps, which are only read */
    if (!hosted_game_is_over(game))
        copy.seed = 0;
    return record_print(&copy);
}
