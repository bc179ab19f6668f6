#include "ui/web/game_registry.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "values/playout.h"

enum { RESTING_MAX = 512, STEPS_MAX = 5000, CHANGES_STEP = 64 };

static LiveError fine(void) {
    return (LiveError){.code = 0};
}

static LiveError wrong(unsigned code, const char *message) {
    LiveError error = {.code = code};
    snprintf(error.message, sizeof error.message, "%s", message);
    return error;
}

static LiveError of_status(unsigned code, const Status *status) {
    return status_is_ok(status) ? fine() : wrong(code, status->message);
}

/* --- in memory --- */

void lives_init(Lives *lives, Archive *archive) {
    *lives = (Lives){.archive = archive};
    pthread_mutex_init(&lives->lock, NULL);
}

static void free_game(LiveGame *game) {
    record_close(&game->record);
    free(game->changes);
    free(game);
}

void lives_free(Lives *lives) {
    for (size_t i = 0; i < LIVE_BUCKETS; i++) {
        while (lives->buckets[i]) {
            LiveGame *game = lives->buckets[i];
            lives->buckets[i] = game->next;
            free_game(game);
        }
    }
    archive_close(lives->archive);
    pthread_mutex_destroy(&lives->lock);
}

static size_t bucket_of(const char *id) {
    size_t hash = 0;
    for (; *id; id++)
        hash = hash * 31 + (unsigned char)*id;
    return hash % LIVE_BUCKETS;
}

/* Lets go of the game that was used longest ago, of those that nobody needs. */
static void drop_oldest(Lives *lives) {
    LiveGame **oldest = NULL;
    for (size_t i = 0; i < LIVE_BUCKETS; i++)
        for (LiveGame **at = &lives->buckets[i]; *at; at = &(*at)->next)
            if (!(*at)->listeners && !(*at)->is_thinking &&
                (!oldest || (*at)->used < (*oldest)->used))
                oldest = at;
    if (!oldest)
        return;
    LiveGame *game = *oldest;
    *oldest = game->next;
    lives->count--;
    free_game(game);
}

static void add_game(Lives *lives, LiveGame *game) {
    LiveGame **bucket = &lives->buckets[bucket_of(game->id)];
    if (lives->count >= RESTING_MAX)
        drop_oldest(lives);
    game->used = ++lives->clock;
    game->next = *bucket;
    *bucket = game;
    lives->count++;
}

/* --- in the archive --- */

static int player_count(const LiveGame *game) {
    return game->record.variant.game->rules.player_count(&game->record.variant.rules);
}

/* Everything about the game as one text. */
static char *to_text(const LiveGame *game) {
    char *record = record_print(&game->record);
    json_t *seats = json_array();
    for (int i = 0; i < player_count(game); i++) {
        char print[SECRET_COMMITMENT_BYTES];
        secret_print_text(&game->seats[i].print, print);
        json_array_append_new(seats, json_pack("{s:i, s:s, s:b}", "kind", (int)game->seats[i].kind,
                                               "print", print, "undo", game->seats[i].asks_undo));
    }
    json_t *json = json_pack("{s:s?, s:o, s:i, s:s, s:I, s:I}", "record", record, "seats", seats,
                             "undo_for", (int)game->undo_for, "salt", game->salt, "given",
                             (json_int_t)game->given, "version", (json_int_t)game->version);
    char *text = record ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    free(record);
    return text;
}

static bool read_seats(LiveGame *game, const json_t *seats) {
    for (int i = 0; i < player_count(game); i++) {
        int kind = 0, undo = 0;
        const char *print;
        if (json_unpack(json_array_get(seats, (size_t)i), "{s:i, s:s, s:b}", "kind", &kind, "print",
                        &print, "undo", &undo) != 0 ||
            kind < LIVE_HERE || kind > LIVE_COMPUTER ||
            !secret_print_parse(print, &game->seats[i].print))
            return false;
        game->seats[i].kind = (LiveKind)kind;
        game->seats[i].asks_undo = undo != 0;
    }
    return true;
}

static Status from_text(const char *id, const char *text, LiveGame *game) {
    const char *record, *salt;
    json_int_t given, version;
    int undo_for;
    const json_t *seats;
    json_t *json = json_loads(text, 0, NULL);
    Status status = status_make(STATUS_FAILED, "the kept game is damaged");
    if (json && json_unpack(json, "{s:s, s:o, s:i, s:s, s:I, s:I}", "record", &record, "seats",
                            &seats, "undo_for", &undo_for, "salt", &salt, "given", &given,
                            "version", &version) == 0) {
        status = record_parse(record, &game->record);
        snprintf(game->id, sizeof game->id, "%s", id);
        snprintf(game->salt, sizeof game->salt, "%s", salt);
        game->given = (size_t)given;
        game->undo_for = (unsigned)undo_for;
        game->version = game->first = (uint64_t)version;
        if (status_is_ok(&status) && !read_seats(game, seats))
            status = status_make(STATUS_FAILED, "the kept game is damaged");
        secret_commit(game->salt, game->record.seed, game->commitment);
    }
    json_decref(json);
    return status;
}

static Status keep(Lives *lives, const LiveGame *game) {
    char *text = to_text(game);
    if (!text)
        return status_make(STATUS_FAILED, "out of memory");
    Status status = archive_put(lives->archive, game->id, text);
    free(text);
    return status;
}

/* Makes a change known: from step `from` on the game is another. When it cannot be kept, it is as
 * if it had not been, but for what the caller has to take back. */
static LiveError change(Lives *lives, LiveGame *game, size_t from) {
    uint64_t count = game->version - game->first;
    if (count % CHANGES_STEP == 0) {
        size_t *larger = realloc(game->changes, (count + CHANGES_STEP) * sizeof *larger);
        if (!larger)
            return wrong(500, "out of memory");
        game->changes = larger;
    }
    game->version++;
    Status status = keep(lives, game);
    if (!status_is_ok(&status)) {
        game->version--;
        return of_status(500, &status);
    }
    game->changes[count] = from;
    game->trouble[0] = '\0'; /* whatever it was: it will be tried again */
    game->used = ++lives->clock;
    if (lives->wake)
        lives->wake(game);
    return fine();
}

LiveError live_find(Lives *lives, const char *id, LiveGame **game) {
    if (!secret_is_text(id))
        return wrong(404, "no such game");
    for (LiveGame *at = lives->buckets[bucket_of(id)]; at; at = at->next) {
        if (strcmp(at->id, id) == 0) {
            at->used = ++lives->clock;
            *game = at;
            return fine();
        }
    }
    char *text;
    Status status = archive_get(lives->archive, id, &text);
    if (!status_is_ok(&status))
        return of_status(500, &status);
    if (!text)
        return wrong(404, "no such game");
    LiveGame *found = calloc(1, sizeof *found);
    status = found ? from_text(id, text, found) : status_make(STATUS_FAILED, "out of memory");
    free(text);
    if (!status_is_ok(&status)) {
        if (found)
            free_game(found);
        return of_status(500, &status);
    }
    add_game(lives, found);
    *game = found;
    return fine();
}

/* --- new games --- */

/* Draws what a new game needs beside its record, keeps it, and puts it among the others. */
static LiveError begin(Lives *lives, LiveGame *game, LiveTokens *tokens) {
    secret_draw(game->id);
    secret_draw(game->salt);
    secret_draw(tokens->here);
    for (int i = 0; i < player_count(game); i++) {
        secret_draw(tokens->links[i]);
        if (game->seats[i].kind == LIVE_HERE)
            game->seats[i].print = secret_print_of(tokens->here);
        else if (game->seats[i].kind == LIVE_LINK)
            game->seats[i].print = secret_print_of(tokens->links[i]);
    }
    game->record.seed = secret_seed();
    secret_commit(game->salt, game->record.seed, game->commitment);
    Status status = keep(lives, game);
    if (!status_is_ok(&status)) {
        free_game(game);
        return of_status(500, &status);
    }
    add_game(lives, game);
    return fine();
}

LiveError live_create(Lives *lives, const LivePlan *plan, LiveTokens *tokens, LiveGame **game) {
    Seat seats[GAME_PLAYERS_MAX], person;
    Status status = seat_parse("you", &person);
    assert(status_is_ok(&status));
    LiveGame *made = calloc(1, sizeof *made);
    if (!made)
        return wrong(500, "out of memory");
    for (int i = 0; i < GAME_PLAYERS_MAX; i++) {
        made->seats[i].kind = plan->kinds[i];
        seats[i] = plan->kinds[i] == LIVE_COMPUTER ? plan->seats[i] : person;
    }
    status = record_open(&plan->variant, seats, 0, &plan->start, &made->record);
    if (!status_is_ok(&status)) {
        free_game(made);
        return of_status(500, &status);
    }
    *game = made;
    return begin(lives, made, tokens);
}

LiveError live_import(Lives *lives, const char *text, LiveTokens *tokens, LiveGame **game) {
    LiveGame *made = calloc(1, sizeof *made);
    if (!made)
        return wrong(500, "out of memory");
    Status status = record_parse(text, &made->record);
    if (status_is_ok(&status) && made->record.step_count > STEPS_MAX)
        status = status_make(STATUS_USAGE, "the game has more than %d steps", STEPS_MAX);
    if (!status_is_ok(&status)) {
        free_game(made);
        return of_status(400, &status);
    }
    for (int i = 0; i < player_count(made); i++)
        made->seats[i].kind = made->record.seats[i].kind->open ? LIVE_COMPUTER : LIVE_HERE;
    made->given = made->record.step_count;
    *game = made;
    return begin(lives, made, tokens);
}

/* --- who may do what --- */

unsigned live_seats_of(const LiveGame *game, const char *token) {
    unsigned seats = 0;
    for (int i = 0; i < player_count(game); i++)
        if (game->seats[i].kind != LIVE_COMPUTER && secret_matches(&game->seats[i].print, token))
            seats |= 1u << i;
    return seats;
}

/* Where only computers play without chance, a position that comes back for the fifth time ends it.
 */
static bool goes_round(const LiveGame *game) {
    for (int i = 0; i < player_count(game); i++)
        if (game->seats[i].kind != LIVE_COMPUTER)
            return false;
    return variant_is_repetition(&game->record.variant, game->record.states,
                                 game->record.step_count + 1);
}

static int actor_of(const LiveGame *game) {
    const Variant *variant = &game->record.variant;
    return variant->game->tree.actor(&variant->rules, record_state(&game->record));
}

bool live_is_over(const LiveGame *game) {
    return actor_of(game) == GAME_END || goes_round(game) || game->record.step_count >= STEPS_MAX;
}

int live_turn(const LiveGame *game, bool *is_throw) {
    const Variant *variant = &game->record.variant;
    *is_throw = actor_of(game) == GAME_CHANCE;
    return live_is_over(game)
               ? -1
               : variant->game->tree.turn(&variant->rules, record_state(&game->record));
}

bool live_computer_is_next(const LiveGame *game) {
    bool is_throw;
    int seat = live_turn(game, &is_throw);
    return seat >= 0 && game->seats[seat].kind == LIVE_COMPUTER;
}

void live_tell_trouble(Lives *lives, LiveGame *game, const char *why) {
    if (strcmp(game->trouble, why) != 0 && change(lives, game, game->record.step_count).code == 0)
        snprintf(game->trouble, sizeof game->trouble, "%s", why);
}

/* --- steps --- */

/* What undo changes, so that it can be put back. */
typedef struct UndoState {
    unsigned undo_for;
    size_t step_count, given;
    LiveSeat seats[GAME_PLAYERS_MAX];
} UndoState;

static UndoState undo_state(const LiveGame *game) {
    UndoState state = {
        .undo_for = game->undo_for, .step_count = game->record.step_count, .given = game->given};
    memcpy(state.seats, game->seats, sizeof state.seats);
    return state;
}

static bool is_as_before(const LiveGame *game, const UndoState *state) {
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        if (game->seats[i].asks_undo != state->seats[i].asks_undo)
            return false;
    return game->undo_for == state->undo_for && game->record.step_count == state->step_count;
}

static void restore(LiveGame *game, const UndoState *state) {
    game->undo_for = state->undo_for;
    game->record.step_count = state->step_count; /* the steps are still there */
    game->given = state->given;
    memcpy(game->seats, state->seats, sizeof state->seats);
}

static void forget_undo(LiveGame *game) {
    game->undo_for = 0;
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        game->seats[i].asks_undo = false;
}

Move live_throw(const LiveGame *game) {
    Random random = record_random(&game->record);
    return variant_draw_chance(&game->record.variant, record_state(&game->record), &random);
}

LiveError live_add(Lives *lives, LiveGame *game, Move move) {
    UndoState before = undo_state(game);
    Status status = record_add(&game->record, move);
    if (!status_is_ok(&status))
        return of_status(400, &status);
    forget_undo(game); /* the game went on */
    LiveError error = change(lives, game, before.step_count);
    if (error.code != 0)
        restore(game, &before);
    return error;
}

/* Whether step `number`, which has been made, is this one. */
static bool is_step(const LiveGame *game, size_t number, const char *move) {
    const Variant *variant = &game->record.variant;
    const State *before = &game->record.states[number];
    Move parsed;
    if (!move)
        return variant->game->tree.actor(&variant->rules, before) == GAME_CHANCE;
    Status status = variant->game->text.parse_move(&variant->rules, before, move, LANG_EN, &parsed);
    return status_is_ok(&status) && parsed == game->record.moves[number];
}

LiveError live_move(Lives *lives, LiveGame *game, unsigned seats, size_t number, const char *move) {
    const Variant *variant = &game->record.variant;
    size_t count = game->record.step_count;
    bool is_throw;
    int seat = live_turn(game, &is_throw);
    if (number < count && seats != 0 && is_step(game, number, move))
        return fine();
    if (number != count)
        return wrong(409, "the game has moved on");
    if (seat < 0)
        return wrong(409, "the game is over");
    if (!(seats >> seat & 1))
        return wrong(403, seats ? "it is not your turn" : "this is not your seat");
    if (is_throw && move)
        return wrong(400, "the sticks or dice are thrown first: {\"throw\": true}");
    if (!is_throw && !move)
        return wrong(400, "there is nothing to throw: a move is expected");
    if (is_throw)
        return live_add(lives, game, live_throw(game));
    Move parsed;
    Status status = variant->game->text.parse_move(&variant->rules, record_state(&game->record),
                                                   move, LANG_EN, &parsed);
    return status_is_ok(&status) ? live_add(lives, game, parsed) : of_status(400, &status);
}

/* The step before which the last move of these seats was made; the number of steps for none.
 * `needs` becomes the seats of others who have to agree. */
static size_t undo_target(const LiveGame *game, unsigned seats, unsigned *needs) {
    const Record *record = &game->record;
    const Variant *variant = &record->variant;
    unsigned others = 0;
    *needs = 0;
    for (int i = 0; i < player_count(game); i++)
        if (game->seats[i].kind != LIVE_COMPUTER && !(seats >> i & 1))
            others |= 1u << i;
    for (size_t step = record->step_count; step-- > 0;) {
        int actor = variant->game->tree.actor(&variant->rules, &record->states[step]);
        /* Across a throw all have to agree, and across a move its player. */
        if (actor == GAME_CHANCE)
            *needs |= others;
        else if (seats >> actor & 1)
            return step;
        else
            *needs |= others & 1u << actor;
    }
    return record->step_count;
}

/* Once the seed is known, throws are no longer chance. */
static bool is_closed(const LiveGame *game) {
    return live_is_over(game) && !game->record.variant.game->tree.is_deterministic;
}

bool live_may_undo(const LiveGame *game) {
    unsigned persons = 0, needs;
    for (int i = 0; i < player_count(game); i++)
        if (game->seats[i].kind != LIVE_COMPUTER)
            persons |= 1u << i;
    return !is_closed(game) && undo_target(game, persons, &needs) < game->record.step_count;
}

/* Notes that these seats ask, or agree with those who do; goes back where all have agreed. */
static LiveError ask_undo(LiveGame *game, unsigned seats) {
    unsigned needs, whose = game->undo_for ? game->undo_for : seats;
    size_t target = undo_target(game, whose, &needs);
    if (target == game->record.step_count)
        return wrong(400, "there is nothing to take back");
    bool agreed = true;
    game->undo_for = whose;
    for (int i = 0; i < player_count(game); i++) {
        if (seats >> i & 1)
            game->seats[i].asks_undo = true;
        agreed = agreed && (!(needs >> i & 1) || game->seats[i].asks_undo);
    }
    if (agreed) {
        forget_undo(game);
        record_cut(&game->record, target);
        game->given = game->given < target ? game->given : target;
    }
    return fine();
}

static void withdraw_undo(LiveGame *game, unsigned seats) {
    if (game->undo_for & seats)
        forget_undo(game);
    for (int i = 0; i < player_count(game); i++)
        if (seats >> i & 1)
            game->seats[i].asks_undo = false;
}

LiveError live_undo(Lives *lives, LiveGame *game, unsigned seats, size_t number, bool withdraw) {
    UndoState before = undo_state(game);
    LiveError error = fine();
    if (seats == 0)
        return wrong(403, "this is not your seat");
    if (number != game->record.step_count)
        return wrong(409, "the game has moved on");
    if (is_closed(game))
        return wrong(409, "the game is over, and everybody knows its seed");
    if (withdraw)
        withdraw_undo(game, seats);
    else
        error = ask_undo(game, seats);
    if (error.code == 0 && !is_as_before(game, &before))
        error = change(lives, game, game->record.step_count);
    if (error.code != 0)
        restore(game, &before);
    return error;
}
