#include "ui/web/game_registry.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "values/playout.h"

enum { CACHED_MAX = 512, STEPS_MAX = 5000, CHANGES_STEP = 64 };

static const Phrase out_of_memory = {{"out of memory", "메모리가 부족합니다"}},
                    no_such_game = {{"no such game", "그런 게임이 없습니다"}},
                    moved_on = {{"the game has moved on since then",
                                 "그사이 게임이 진행되었습니다"}},
                    game_over = {{"the game is over", "이미 끝난 게임입니다"}},
                    not_your_turn = {{"it is not your turn", "당신 차례가 아닙니다"}},
                    not_your_seat = {{"this is not your seat", "당신의 자리가 아닙니다"}},
                    throw_first = {{"you have to throw before you move", "먼저 던져야 합니다"}},
                    nothing_to_throw = {{"there is nothing to throw; play a move",
                                         "던질 차례가 아닙니다. 수를 두세요"}},
                    nothing_to_undo = {{"there is nothing to take back", "무를 수가 없습니다"}},
                    seed_is_public = {{"the game is over and its seed is public",
                                       "끝난 게임은 시드가 공개되어 무를 수 없습니다"}};

static GameError no_error(void) {
    return (GameError){.code = 0};
}

static GameError make_error(unsigned code, Phrase message) {
    GameError error = {.code = code, .message_ko = message.in[LANG_KO]};
    snprintf(error.message, sizeof error.message, "%s", message.in[LANG_EN]);
    return error;
}

static GameError error_from_status(unsigned code, const Status *status) {
    return status_is_ok(status) ? no_error() : make_error(code, (Phrase){{status->message, NULL}});
}

/* --- games in memory --- */

void game_registry_init(GameRegistry *registry, Archive *archive) {
    *registry = (GameRegistry){.archive = archive};
    pthread_mutex_init(&registry->lock, NULL);
}

static void free_game(HostedGame *game) {
    record_close(&game->record);
    free(game->changes);
    free(game);
}

void game_registry_free(GameRegistry *registry) {
    for (size_t i = 0; i < GAME_REGISTRY_BUCKETS; i++) {
        while (registry->buckets[i]) {
            HostedGame *game = registry->buckets[i];
            registry->buckets[i] = game->next;
            free_game(game);
        }
    }
    archive_close(registry->archive);
    pthread_mutex_destroy(&registry->lock);
}

static size_t find_bucket(const char *id) {
    size_t hash = 0;
    for (; *id; id++)
        hash = hash * 31 + (unsigned char)*id;
    return hash % GAME_REGISTRY_BUCKETS;
}

/* Drops the least recently used game from memory, of those without listeners or computers at
 * work. */
static void drop_oldest(GameRegistry *registry) {
    HostedGame **oldest = NULL;
    for (size_t i = 0; i < GAME_REGISTRY_BUCKETS; i++)
        for (HostedGame **at = &registry->buckets[i]; *at; at = &(*at)->next)
            if (!(*at)->listeners && !(*at)->is_scheduled &&
                (!oldest || (*at)->used < (*oldest)->used))
                oldest = at;
    if (!oldest)
        return;
    HostedGame *game = *oldest;
    *oldest = game->next;
    registry->count--;
    free_game(game);
}

static void add_game(GameRegistry *registry, HostedGame *game) {
    HostedGame **bucket = &registry->buckets[find_bucket(game->id)];
    if (registry->count >= CACHED_MAX)
        drop_oldest(registry);
    game->used = ++registry->clock;
    game->next = *bucket;
    *bucket = game;
    registry->count++;
}

/* --- games in the archive --- */

static int player_count(const HostedGame *game) {
    return game->record.variant.game->rules.player_count(&game->record.variant.rules);
}

/* The game as the text that is stored; NULL if out of memory. */
static char *print_game(const HostedGame *game) {
    char *record = record_print(&game->record);
    json_t *seats = json_array();
    for (int i = 0; i < player_count(game); i++) {
        char hash[SECRET_COMMITMENT_BYTES];
        secret_hash_print(&game->seats[i].token_hash, hash);
        json_array_append_new(seats, json_pack("{s:i, s:s, s:b}", "kind", (int)game->seats[i].kind,
                                               "print", hash, "undo", game->seats[i].asks_undo));
    }
    json_t *json = json_pack("{s:s?, s:o, s:i, s:s, s:I, s:I}", "record", record, "seats", seats,
                             "undo_for", (int)game->undo_for, "salt", game->salt, "given",
                             (json_int_t)game->given, "version", (json_int_t)game->version);
    char *text = record ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    free(record);
    return text;
}

static bool read_seats(HostedGame *game, const json_t *seats) {
    for (int i = 0; i < player_count(game); i++) {
        int kind = 0, undo = 0;
        const char *hash;
        if (json_unpack(json_array_get(seats, (size_t)i), "{s:i, s:s, s:b}", "kind", &kind, "print",
                        &hash, "undo", &undo) != 0 ||
            kind < SEAT_HERE || kind > SEAT_COMPUTER ||
            !secret_hash_parse(hash, &game->seats[i].token_hash))
            return false;
        game->seats[i].kind = (SeatKind)kind;
        game->seats[i].asks_undo = undo != 0;
    }
    return true;
}

static Status parse_game(const char *id, const char *text, HostedGame *game) {
    const char *record, *salt;
    json_int_t given, version;
    int undo_for;
    const json_t *seats;
    json_t *json = json_loads(text, 0, NULL);
    Status status = status_make(STATUS_FAILED, "the stored game is damaged");
    if (json && json_unpack(json, "{s:s, s:o, s:i, s:s, s:I, s:I}", "record", &record, "seats",
                            &seats, "undo_for", &undo_for, "salt", &salt, "given", &given,
                            "version", &version) == 0) {
        status = record_parse(record, &game->record);
        snprintf(game->id, sizeof game->id, "%s", id);
        snprintf(game->salt, sizeof game->salt, "%s", salt);
        game->given = (size_t)given;
        game->undo_for = (unsigned)undo_for;
        game->version = game->first_version = (uint64_t)version;
        if (status_is_ok(&status) && !read_seats(game, seats))
            status = status_make(STATUS_FAILED, "the stored game is damaged");
        secret_commit(game->salt, game->record.seed, game->commitment);
    }
    json_decref(json);
    return status;
}

static Status store_game(GameRegistry *registry, const HostedGame *game) {
    char *text = print_game(game);
    if (!text)
        return status_make(STATUS_FAILED, "out of memory");
    Status status = archive_put(registry->archive, game->id, text);
    free(text);
    return status;
}

/* Stores a change that affects the steps from `from` on, and notifies listeners. If it cannot be
 * stored, the version stays the same and the caller has to undo its change. */
static GameError commit_change(GameRegistry *registry, HostedGame *game, size_t from) {
    uint64_t count = game->version - game->first_version;
    if (count % CHANGES_STEP == 0) {
        size_t *larger = realloc(game->changes, (count + CHANGES_STEP) * sizeof *larger);
        if (!larger)
            return make_error(500, out_of_memory);
        game->changes = larger;
    }
    game->version++;
    Status status = store_game(registry, game);
    if (!status_is_ok(&status)) {
        game->version--;
        return error_from_status(500, &status);
    }
    game->changes[count] = from;
    game->trouble[0] = '\0'; /* the computer tries again */
    game->used = ++registry->clock;
    if (registry->on_change)
        registry->on_change(game);
    return no_error();
}

GameError game_registry_find(GameRegistry *registry, const char *id, HostedGame **game) {
    if (!secret_is_text(id))
        return make_error(404, no_such_game);
    for (HostedGame *at = registry->buckets[find_bucket(id)]; at; at = at->next) {
        if (strcmp(at->id, id) == 0) {
            at->used = ++registry->clock;
            *game = at;
            return no_error();
        }
    }
    char *text;
    Status status = archive_get(registry->archive, id, &text);
    if (!status_is_ok(&status))
        return error_from_status(500, &status);
    if (!text)
        return make_error(404, no_such_game);
    HostedGame *found = calloc(1, sizeof *found);
    status = found ? parse_game(id, text, found) : status_make(STATUS_FAILED, "out of memory");
    free(text);
    if (!status_is_ok(&status)) {
        if (found)
            free_game(found);
        return error_from_status(500, &status);
    }
    add_game(registry, found);
    *game = found;
    return no_error();
}

/* --- new games --- */

/* Draws the secrets of a new game, stores it and adds it to the registry. Frees it on failure. */
static GameError add_new_game(GameRegistry *registry, HostedGame *game, SeatTokens *tokens) {
    secret_draw(game->id);
    secret_draw(game->salt);
    secret_draw(tokens->here);
    for (int i = 0; i < player_count(game); i++) {
        secret_draw(tokens->links[i]);
        if (game->seats[i].kind == SEAT_HERE)
            game->seats[i].token_hash = secret_hash_token(tokens->here);
        else if (game->seats[i].kind == SEAT_LINK)
            game->seats[i].token_hash = secret_hash_token(tokens->links[i]);
    }
    game->record.seed = secret_draw_seed();
    secret_commit(game->salt, game->record.seed, game->commitment);
    Status status = store_game(registry, game);
    if (!status_is_ok(&status)) {
        free_game(game);
        return error_from_status(500, &status);
    }
    add_game(registry, game);
    return no_error();
}

GameError game_registry_create(GameRegistry *registry, const GamePlan *plan, SeatTokens *tokens,
                               HostedGame **game) {
    Seat seats[GAME_PLAYERS_MAX], person;
    Status status = seat_parse("you", &person);
    assert(status_is_ok(&status));
    HostedGame *made = calloc(1, sizeof *made);
    if (!made)
        return make_error(500, out_of_memory);
    for (int i = 0; i < GAME_PLAYERS_MAX; i++) {
        made->seats[i].kind = plan->kinds[i];
        seats[i] = plan->kinds[i] == SEAT_COMPUTER ? plan->seats[i] : person;
    }
    status = record_open(&plan->variant, seats, 0, &plan->start, &made->record);
    if (!status_is_ok(&status)) {
        free_game(made);
        return error_from_status(500, &status);
    }
    *game = made;
    return add_new_game(registry, made, tokens);
}

GameError game_registry_import(GameRegistry *registry, const char *text, SeatTokens *tokens,
                               HostedGame **game) {
    HostedGame *made = calloc(1, sizeof *made);
    if (!made)
        return make_error(500, out_of_memory);
    Status status = record_parse(text, &made->record);
    if (status_is_ok(&status) && made->record.step_count > STEPS_MAX)
        status = status_make(STATUS_USAGE, "the record has more than %d steps", STEPS_MAX);
    if (!status_is_ok(&status)) {
        free_game(made);
        return error_from_status(400, &status);
    }
    for (int i = 0; i < player_count(made); i++)
        made->seats[i].kind = made->record.seats[i].kind->open ? SEAT_COMPUTER : SEAT_HERE;
    made->given = made->record.step_count;
    *game = made;
    return add_new_game(registry, made, tokens);
}

/* --- whose turn it is --- */

unsigned hosted_game_find_seats(const HostedGame *game, const char *token) {
    unsigned seats = 0;
    for (int i = 0; i < player_count(game); i++)
        if (game->seats[i].kind != SEAT_COMPUTER &&
            secret_hash_matches(&game->seats[i].token_hash, token))
            seats |= 1u << i;
    return seats;
}

/* Whether a game between computers is drawn because a position has repeated. */
static bool is_repetition(const HostedGame *game) {
    for (int i = 0; i < player_count(game); i++)
        if (game->seats[i].kind != SEAT_COMPUTER)
            return false;
    return variant_is_repetition(&game->record.variant, game->record.states,
                                 game->record.step_count + 1);
}

static int find_actor(const HostedGame *game) {
    const Variant *variant = &game->record.variant;
    return variant->game->tree.actor(&variant->rules, record_state(&game->record));
}

bool hosted_game_is_over(const HostedGame *game) {
    return find_actor(game) == GAME_END || is_repetition(game) ||
           game->record.step_count >= STEPS_MAX;
}

int hosted_game_next_seat(const HostedGame *game, bool *is_throw) {
    const Variant *variant = &game->record.variant;
    *is_throw = find_actor(game) == GAME_CHANCE;
    return hosted_game_is_over(game)
               ? -1
               : variant->game->tree.turn(&variant->rules, record_state(&game->record));
}

bool hosted_game_is_computer_next(const HostedGame *game) {
    bool is_throw;
    int seat = hosted_game_next_seat(game, &is_throw);
    return seat >= 0 && game->seats[seat].kind == SEAT_COMPUTER;
}

void hosted_game_report_trouble(GameRegistry *registry, HostedGame *game, const char *why) {
    if (strcmp(game->trouble, why) != 0 &&
        commit_change(registry, game, game->record.step_count).code == 0)
        snprintf(game->trouble, sizeof game->trouble, "%s", why);
}

/* --- steps --- */

/* What adding a step and undo change, so that it can be restored. */
typedef struct UndoState {
    unsigned undo_for;
    size_t step_count, given;
    HostedSeat seats[GAME_PLAYERS_MAX];
} UndoState;

static UndoState save_undo_state(const HostedGame *game) {
    UndoState state = {
        .undo_for = game->undo_for, .step_count = game->record.step_count, .given = game->given};
    memcpy(state.seats, game->seats, sizeof state.seats);
    return state;
}

static bool is_unchanged(const HostedGame *game, const UndoState *state) {
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        if (game->seats[i].asks_undo != state->seats[i].asks_undo)
            return false;
    return game->undo_for == state->undo_for && game->record.step_count == state->step_count;
}

static void restore_undo_state(HostedGame *game, const UndoState *state) {
    game->undo_for = state->undo_for;
    game->record.step_count = state->step_count; /* the record keeps steps that were cut */
    game->given = state->given;
    memcpy(game->seats, state->seats, sizeof state->seats);
}

static void clear_undo(HostedGame *game) {
    game->undo_for = 0;
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        game->seats[i].asks_undo = false;
}

Move hosted_game_draw_throw(const HostedGame *game) {
    Random random = record_random(&game->record);
    return variant_draw_chance(&game->record.variant, record_state(&game->record), &random);
}

GameError hosted_game_add_step(GameRegistry *registry, HostedGame *game, Move move) {
    UndoState before = save_undo_state(game);
    Status status = record_add(&game->record, move);
    if (!status_is_ok(&status))
        return error_from_status(400, &status);
    clear_undo(game); /* a step declines the request */
    GameError error = commit_change(registry, game, before.step_count);
    if (error.code != 0)
        restore_undo_state(game, &before);
    return error;
}

/* Whether step `number` of the record is this move, or a throw if `move` is NULL. */
static bool is_step(const HostedGame *game, size_t number, const char *move) {
    const Variant *variant = &game->record.variant;
    const State *before = &game->record.states[number];
    Move parsed;
    if (!move)
        return variant->game->tree.actor(&variant->rules, before) == GAME_CHANCE;
    Status status = variant->game->text.parse_move(&variant->rules, before, move, LANG_EN, &parsed);
    return status_is_ok(&status) && parsed == game->record.moves[number];
}

GameError hosted_game_play(GameRegistry *registry, HostedGame *game, unsigned seats, size_t number,
                           const char *move) {
    const Variant *variant = &game->record.variant;
    size_t count = game->record.step_count;
    bool is_throw;
    int seat = hosted_game_next_seat(game, &is_throw);
    if (number < count && seats != 0 && is_step(game, number, move))
        return no_error();
    if (number != count)
        return make_error(409, moved_on);
    if (seat < 0)
        return make_error(409, game_over);
    if (!(seats >> seat & 1))
        return make_error(403, seats ? not_your_turn : not_your_seat);
    if (is_throw && move)
        return make_error(400, throw_first);
    if (!is_throw && !move)
        return make_error(400, nothing_to_throw);
    if (is_throw)
        return hosted_game_add_step(registry, game, hosted_game_draw_throw(game));
    Move parsed;
    Status status = variant->game->text.parse_move(&variant->rules, record_state(&game->record),
                                                   move, LANG_EN, &parsed);
    return status_is_ok(&status) ? hosted_game_add_step(registry, game, parsed)
                                 : error_from_status(400, &status);
}

/* The step to go back to in order to take back the last move of these seats; the number of steps if
 * they have none. `needs` receives the seats of other people who have to agree. */
static size_t find_undo_target(const HostedGame *game, unsigned seats, unsigned *needs) {
    const Record *record = &game->record;
    const Variant *variant = &record->variant;
    unsigned others = 0;
    *needs = 0;
    for (int i = 0; i < player_count(game); i++)
        if (game->seats[i].kind != SEAT_COMPUTER && !(seats >> i & 1))
            others |= 1u << i;
    for (size_t step = record->step_count; step-- > 0;) {
        int actor = variant->game->tree.actor(&variant->rules, &record->states[step]);
        /* Taking back a throw needs everybody, taking back a move its player. */
        if (actor == GAME_CHANCE)
            *needs |= others;
        else if (seats >> actor & 1)
            return step;
        else
            *needs |= others & 1u << actor;
    }
    return record->step_count;
}

/* Whether nothing can be taken back any more: the seed is public, so the throws to come are known.
 */
static bool is_final(const HostedGame *game) {
    return hosted_game_is_over(game) && !game->record.variant.game->tree.is_deterministic;
}

bool hosted_game_can_undo(const HostedGame *game) {
    unsigned persons = 0, needs;
    for (int i = 0; i < player_count(game); i++)
        if (game->seats[i].kind != SEAT_COMPUTER)
            persons |= 1u << i;
    return !is_final(game) && find_undo_target(game, persons, &needs) < game->record.step_count;
}

/* Records that these seats ask for an undo or agree to one, and goes back once all have agreed. */
static GameError request_undo(HostedGame *game, unsigned seats) {
    unsigned needs, whose = game->undo_for ? game->undo_for : seats;
    size_t target = find_undo_target(game, whose, &needs);
    if (target == game->record.step_count)
        return make_error(400, nothing_to_undo);
    bool agreed = true;
    game->undo_for = whose;
    for (int i = 0; i < player_count(game); i++) {
        if (seats >> i & 1)
            game->seats[i].asks_undo = true;
        agreed = agreed && (!(needs >> i & 1) || game->seats[i].asks_undo);
    }
    if (agreed) {
        clear_undo(game);
        record_cut(&game->record, target);
        game->given = game->given < target ? game->given : target;
    }
    return no_error();
}

static void withdraw_undo(HostedGame *game, unsigned seats) {
    if (game->undo_for & seats)
        clear_undo(game);
    for (int i = 0; i < player_count(game); i++)
        if (seats >> i & 1)
            game->seats[i].asks_undo = false;
}

GameError hosted_game_undo(GameRegistry *registry, HostedGame *game, unsigned seats, size_t number,
                           bool withdraw) {
    UndoState before = save_undo_state(game);
    GameError error = no_error();
    if (seats == 0)
        return make_error(403, not_your_seat);
    if (number != game->record.step_count)
        return make_error(409, moved_on);
    if (is_final(game))
        return make_error(409, seed_is_public);
    if (withdraw)
        withdraw_undo(game, seats);
    else
        error = request_undo(game, seats);
    if (error.code == 0 && !is_unchanged(game, &before))
        error = commit_change(registry, game, game->record.step_count);
    if (error.code != 0)
        restore_undo_state(game, &before);
    return error;
}
