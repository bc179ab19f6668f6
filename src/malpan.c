/* The public library over the common interface. */
#include "malpan.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/resolve.h"
#include "values/evaluate.h"
#include "values/policy.h"
#include "values/registry.h"

static_assert((int)MALPAN_TABLE == (int)STATUS_TABLE, "the public codes are the internal ones");
static_assert((int)MALPAN_TEXT_BYTES >= (int)GAME_TEXT_BYTES, "a text must fit");
static_assert((int)MALPAN_ERROR_BYTES >= (int)STATUS_MESSAGE_BYTES, "a message must fit");
static_assert((int)MALPAN_MOVES_MAX >= (int)GAME_MOVES_MAX, "the moves must fit");

struct MalpanGame {
    Variant variant;
    size_t memory_bytes;
    char tables[PATH_MAX]; /* the folder; "": none */
    Solver *solver;        /* NULL until the first value */
    Status status;
    Evaluation evaluation;
};

/* Keeps what happened for malpan_error, and turns it into a code. */
static int finish(MalpanGame *game, Status status) {
    game->status = status;
    return (int)status.code;
}

/* Drops the solver, so that the next value is computed under the new settings. */
static void drop_solver(MalpanGame *game) {
    if (game->solver)
        game->solver->free(game->solver);
    game->solver = NULL;
}

const char *malpan_version(void) {
    return MALPAN_VERSION;
}

const char *malpan_game_name(size_t index) {
    return index < registry_count() ? registry_at(index)->identity.name : NULL;
}

MalpanGame *malpan_open(const char *name, const char *options, char error[MALPAN_ERROR_BYTES]) {
    return malpan_open_at(name, options, NULL, error);
}

MalpanGame *malpan_open_at(const char *name, const char *options, const char *position,
                           char error[MALPAN_ERROR_BYTES]) {
    const Game *found = NULL;
    State state;
    MalpanGame *game = calloc(1, sizeof *game);
    Status status = !game  ? status_make(STATUS_FAILED, "out of memory")
                    : name ? registry_find(name, &found)
                           : status_make(STATUS_USAGE, "expected the name of a game, not NULL");
    if (status_is_ok(&status))
        status = resolve_text(found, options, position, &game->variant, &state);
    if (status_is_ok(&status)) {
        game->memory_bytes = (size_t)1 << 30;
        return game;
    }
    if (error)
        snprintf(error, MALPAN_ERROR_BYTES, "%s", status.message);
    free(game);
    return NULL;
}

void malpan_close(MalpanGame *game) {
    if (game)
        drop_solver(game);
    free(game);
}

const char *malpan_error(const MalpanGame *game) {
    return game->status.message;
}

void malpan_set_memory(MalpanGame *game, size_t bytes) {
    game->memory_bytes = bytes;
    drop_solver(game);
}

int malpan_set_tables(MalpanGame *game, const char *folder) {
    char tables[PATH_MAX];
    Text text = text_over(tables, sizeof tables);
    text_add(&text, folder ? folder : "");
    if (text.truncated)
        return finish(game,
                      status_make(STATUS_USAGE, "the name of the tables' folder is too long"));
    memcpy(game->tables, tables, text.length + 1);
    drop_solver(game);
    return finish(game, status_ok());
}

int malpan_rules(MalpanGame *game, char options[MALPAN_TEXT_BYTES]) {
    Text text = text_over(options, MALPAN_TEXT_BYTES);
    variant_print(&game->variant, &text);
    return finish(game, status_ok());
}

int malpan_player_count(const MalpanGame *game) {
    return game->variant.game->rules.player_count(&game->variant.rules);
}

static void print_position(const MalpanGame *game, const State *state, char *position) {
    Text text = text_over(position, MALPAN_TEXT_BYTES);
    game->variant.game->text.print_state(&game->variant.rules, state, &text);
}

int malpan_start(MalpanGame *game, char position[MALPAN_TEXT_BYTES]) {
    State state = game->variant.game->tree.start(&game->variant.rules);
    print_position(game, &state, position);
    return finish(game, status_ok());
}

static Status parse_position(const MalpanGame *game, const char *position, State *state) {
    return game->variant.game->text.parse_state(&game->variant.rules, position, state);
}

int malpan_turn(MalpanGame *game, const char *position, int *player, int *is_chance) {
    State state;
    Status status = parse_position(game, position, &state);
    if (status_is_ok(&status)) {
        const Variant *variant = &game->variant;
        int actor = variant->game->tree.actor(&variant->rules, &state);
        *player = actor == GAME_END ? -1 : variant->game->tree.turn(&variant->rules, &state);
        if (is_chance)
            *is_chance = actor == GAME_CHANCE;
    }
    return finish(game, status);
}

static Status find_solver(MalpanGame *game) {
    SolveLimits limits = {.memory_bytes = game->memory_bytes,
                          .threads = 1,
                          .tables = game->tables[0] ? game->tables : NULL};
    return game->solver ? status_ok()
                        : values_open(&game->variant, VALUES_PROOF, &limits, &game->solver, NULL);
}

int malpan_values(MalpanGame *game, const char *position, double values[]) {
    State state;
    Status status = parse_position(game, position, &state);
    if (status_is_ok(&status))
        status = find_solver(game);
    if (status_is_ok(&status))
        status = game->solver->values(game->solver, &state, values);
    return finish(game, status);
}

int malpan_value(MalpanGame *game, const char *position, double *value) {
    State state;
    double values[GAME_PLAYERS_MAX];
    int code = malpan_values(game, position, values);
    if (code == MALPAN_OK) {
        parse_position(game, position, &state);
        *value = values[game->variant.game->tree.turn(&game->variant.rules, &state)];
    }
    return code;
}

int malpan_moves(MalpanGame *game, const char *position, MalpanMove moves[], size_t capacity,
                 size_t *count) {
    State state;
    Status status = parse_position(game, position, &state);
    *count = 0;
    if (status_is_ok(&status) && game->variant.game->tree.actor(&game->variant.rules, &state) < 0)
        return finish(game, status); /* nobody chooses here, so no values are needed */
    if (status_is_ok(&status))
        status = find_solver(game);
    if (status_is_ok(&status))
        status = evaluate_state(&game->variant, game->solver, &state, &game->evaluation);
    if (status_is_ok(&status) && evaluate_has_estimates(&game->evaluation))
        status =
            status_make(STATUS_TABLE, "no proof for every move: looked %s", game->evaluation.note);
    if (!status_is_ok(&status))
        return finish(game, status);
    *count = game->evaluation.move_count;
    for (size_t i = 0; i < *count && i < capacity; i++) {
        Text text = text_over(moves[i].text, sizeof moves[i].text);
        game->variant.game->text.print_move(&game->variant.rules, &state,
                                            game->evaluation.moves[i].move, LANG_EN, &text);
        moves[i].value = game->evaluation.moves[i].value;
    }
    return finish(game, status);
}

int malpan_play(MalpanGame *game, const char *position, const char *move,
                char next[MALPAN_TEXT_BYTES]) {
    const Variant *variant = &game->variant;
    State state;
    Move parsed;
    Status status = parse_position(game, position, &state);
    if (status_is_ok(&status))
        status = variant->game->text.parse_move(&variant->rules, &state, move, LANG_EN, &parsed);
    if (status_is_ok(&status))
        status = variant_play(variant, &state, parsed);
    if (status_is_ok(&status))
        print_position(game, &state, next);
    return finish(game, status);
}
