#include "ui/web/hosted_game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/web/event_text.h"
#include "ui/web/game_registry.h"

static const Phrase moved_on = {{"the game has moved on since then",
                                 "그사이 게임이 진행되었습니다"}},
                    game_over = {{"the game is over", "이미 끝난 게임입니다"}},
                    not_your_turn = {{"it is not your turn", "당신 차례가 아닙니다"}},
                    not_your_seat = {{"this is not your seat", "당신의 자리가 아닙니다"}},
                    throw_first = {{"you have to throw before you move", "먼저 던져야 합니다"}},
                    nothing_to_throw = {{"there is nothing to throw; play a move",
                                         "던질 차례가 아닙니다. 수를 두세요"}},
                    seat_is_taken = {{"this seat is already taken by another browser",
                                      "이미 다른 사람이 앉은 자리입니다"}},
                    nothing_to_undo = {{"there is nothing to take back", "무를 수가 없습니다"}},
                    seed_is_public = {{"the game is over and its seed is public",
                                       "끝난 게임은 시드가 공개되어 무를 수 없습니다"}};

static GameError no_error(void) {
    return (GameError){.code = 0};
}

GameError game_error_make(unsigned code, Phrase message) {
    GameError error = {.code = code, .message_ko = message.in[LANG_KO]};
    snprintf(error.message, sizeof error.message, "%s", message.in[LANG_EN]);
    return error;
}

GameError game_error_from_status(unsigned code, const Status *status) {
    return status_is_ok(status) ? no_error()
                                : game_error_make(code, (Phrase){{status->message, NULL}});
}

void hosted_game_free(HostedGame *game) {
    event_text_release(game->event);
    record_close(&game->record);
    free(game->change.record);
    free(game->changes);
    free(game);
}

int hosted_game_player_count(const HostedGame *game) {
    return game->record.variant.game->rules.player_count(&game->record.variant.rules);
}

/* --- whose turn it is --- */

unsigned hosted_game_find_seats(const HostedGame *game, const char *token) {
    unsigned seats = 0;
    for (int i = 0; i < hosted_game_player_count(game); i++)
        if (game->seats[i].kind != SEAT_COMPUTER &&
            secret_hash_matches(&game->seats[i].token_hash, token))
            seats |= 1u << i;
    return seats;
}

/* Whether a game between computers is drawn because a position has repeated. */
static bool is_repetition(const HostedGame *game) {
    return !hosted_game_has_person(game) &&
           variant_is_repetition(&game->record.variant, game->record.states,
                                 game->record.step_count + 1);
}

static int find_actor(const HostedGame *game) {
    const Variant *variant = &game->record.variant;
    return variant->game->tree.actor(&variant->rules, record_state(&game->record));
}

bool hosted_game_is_over(const HostedGame *game) {
    return find_actor(game) == GAME_END || is_repetition(game) ||
           game->record.step_count >= HOSTED_GAME_STEPS_MAX;
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

bool hosted_game_has_person(const HostedGame *game) {
    for (int i = 0; i < hosted_game_player_count(game); i++)
        if (game->seats[i].kind != SEAT_COMPUTER)
            return true;
    return false;
}

/* --- steps --- */

static UndoState save_undo_state(const HostedGame *game) {
    UndoState state = {
        .undo_for = game->undo_for, .step_count = game->record.step_count, .given = game->given};
    memcpy(state.seats, game->seats, sizeof state.seats);
    return state;
}

bool hosted_game_seats_changed(const HostedGame *game, const UndoState *before) {
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        if (game->seats[i].is_taken != before->seats[i].is_taken ||
            strcmp(game->seats[i].name, before->seats[i].name) != 0)
            return true;
    return false;
}

static bool is_unchanged(const HostedGame *game, const UndoState *state) {
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        if (game->seats[i].asks_undo != state->seats[i].asks_undo)
            return false;
    return game->undo_for == state->undo_for && game->record.step_count == state->step_count &&
           !hosted_game_seats_changed(game, state);
}

void hosted_game_restore(HostedGame *game, const UndoState *before) {
    game->undo_for = before->undo_for;
    game->record.step_count = before->step_count; /* the record keeps steps that were cut */
    game->given = before->given;
    memcpy(game->seats, before->seats, sizeof before->seats);
}

/* Lets the committer store what has changed since `before`; on an error, undoes it. */
static GameError store_change(GameRegistry *registry, HostedGame *game, const UndoState *before) {
    GameError error = game_registry_commit(registry, game, before, "");
    if (error.code != 0)
        hosted_game_restore(game, before);
    return error;
}

void hosted_game_report_trouble(GameRegistry *registry, HostedGame *game, const char *why) {
    UndoState before = save_undo_state(game);
    if (strcmp(game->trouble, why) != 0)
        game_registry_commit(registry, game, &before, why);
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
        return game_error_from_status(status.code == STATUS_USAGE ? 400 : 503, &status);
    clear_undo(game); /* a step declines the request */
    return store_change(registry, game, &before);
}

/* Whether step `number` of the record is this move, or a throw if `move` is NULL. */
static bool is_step(const HostedGame *game, size_t number, const char *move) {
    const Variant *variant = &game->record.variant;
    const State *before = &game->record.states[number];
    Move parsed;
    bool is_throw = variant->game->tree.actor(&variant->rules, before) == GAME_CHANCE;
    if (!move || is_throw)
        return !move && is_throw;
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
        return game_error_make(409, moved_on);
    if (seat < 0)
        return game_error_make(409, game_over);
    if (!(seats >> seat & 1))
        return game_error_make(403, seats ? not_your_turn : not_your_seat);
    if (is_throw && move)
        return game_error_make(400, throw_first);
    if (!is_throw && !move)
        return game_error_make(400, nothing_to_throw);
    if (is_throw)
        return hosted_game_add_step(registry, game, hosted_game_draw_throw(game));
    Move parsed;
    Status status = variant->game->text.parse_move(&variant->rules, record_state(&game->record),
                                                   move, LANG_EN, &parsed);
    return status_is_ok(&status) ? hosted_game_add_step(registry, game, parsed)
                                 : game_error_from_status(400, &status);
}

/* The step to go back to in order to take back the last move of these seats; the number of steps if
 * they have none. `needs` receives the seats of other people who have to agree. */
static size_t find_undo_target(const HostedGame *game, unsigned seats, unsigned *needs) {
    const Record *record = &game->record;
    const Variant *variant = &record->variant;
    unsigned others = 0;
    *needs = 0;
    for (int i = 0; i < hosted_game_player_count(game); i++)
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
    for (int i = 0; i < hosted_game_player_count(game); i++)
        if (game->seats[i].kind != SEAT_COMPUTER)
            persons |= 1u << i;
    return !is_final(game) && find_undo_target(game, persons, &needs) < game->record.step_count;
}

/* Records that these seats ask for an undo or agree to one, and goes back once all have agreed. */
static GameError request_undo(HostedGame *game, unsigned seats) {
    unsigned needs, whose = game->undo_for ? game->undo_for : seats;
    size_t target = find_undo_target(game, whose, &needs);
    if (target == game->record.step_count)
        return game_error_make(400, nothing_to_undo);
    bool agreed = true;
    game->undo_for = whose;
    for (int i = 0; i < hosted_game_player_count(game); i++) {
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
    for (int i = 0; i < hosted_game_player_count(game); i++)
        if (seats >> i & 1)
            game->seats[i].asks_undo = false;
}

/* Declines what others have asked for. Who asked withdraws instead. */
static void decline_undo(HostedGame *game, unsigned seats) {
    if (game->undo_for & ~seats)
        clear_undo(game);
}

GameError hosted_game_undo(GameRegistry *registry, HostedGame *game, unsigned seats, size_t number,
                           UndoAnswer answer) {
    UndoState before = save_undo_state(game);
    GameError error = no_error();
    if (seats == 0)
        return game_error_make(403, not_your_seat);
    if (number != game->record.step_count)
        return game_error_make(409, moved_on);
    if (is_final(game))
        return game_error_make(409, seed_is_public);
    if (answer == UNDO_WITHDRAW)
        withdraw_undo(game, seats);
    else if (answer == UNDO_DECLINE)
        decline_undo(game, seats);
    else
        error = request_undo(game, seats);
    return error.code != 0 || is_unchanged(game, &before) ? error
                                                          : store_change(registry, game, &before);
}

/* --- people --- */

bool hosted_game_is_name(const char *text) {
    size_t length = strlen(text), letters = 0;
    for (const char *at = text; *at; at++) {
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            return false;
        letters += ((unsigned char)*at & 0xc0) != 0x80; /* not in the middle of a character */
    }
    return length < HOSTED_NAME_BYTES && letters <= HOSTED_NAME_LETTERS &&
           (length == 0 || (text[0] != ' ' && text[length - 1] != ' '));
}

static GameError store_if_changed(GameRegistry *registry, HostedGame *game,
                                  const UndoState *before) {
    return is_unchanged(game, before) ? no_error() : store_change(registry, game, before);
}

static void name_seats(HostedGame *game, unsigned seats, const char *name) {
    for (int i = 0; i < hosted_game_player_count(game); i++)
        if (seats >> i & 1)
            snprintf(game->seats[i].name, sizeof game->seats[i].name, "%s", name);
}

GameError hosted_game_take_seat(GameRegistry *registry, HostedGame *game, unsigned seats,
                                unsigned own, const char *key, const char *name) {
    UndoState before = save_undo_state(game);
    char drawn[SECRET_TEXT_BYTES];
    if (!key)
        secret_draw(drawn);
    for (int i = 0; i < hosted_game_player_count(game); i++) {
        HostedSeat *seat = &game->seats[i];
        if (!(seats >> i & 1) || seat->kind != SEAT_LINK)
            continue;
        if (seat->is_taken && !own && !(key && secret_hash_matches(&seat->taker, key))) {
            hosted_game_restore(game, &before);
            return game_error_make(409, seat_is_taken);
        }
        if (!seat->is_taken)
            seat->taker = secret_hash_token(key ? key : drawn);
        seat->is_taken = true;
    }
    if (name[0])
        name_seats(game, seats, name);
    return store_if_changed(registry, game, &before);
}

GameError hosted_game_set_name(GameRegistry *registry, HostedGame *game, unsigned seats,
                               const char *name) {
    UndoState before = save_undo_state(game);
    if (seats == 0)
        return game_error_make(403, not_your_seat);
    name_seats(game, seats, name);
    return store_if_changed(registry, game, &before);
}

bool hosted_game_copy_record(const HostedGame *game, Record *copy) {
    const Record *record = &game->record;
    size_t count = record->step_count;
    *copy = *record;
    copy->capacity = count + 1;
    copy->moves = malloc((count + 1) * sizeof *copy->moves);
    copy->states = malloc((count + 1) * sizeof *copy->states);
    if (!copy->moves || !copy->states)
        return false;
    memcpy(copy->moves, record->moves, count * sizeof *copy->moves);
    memcpy(copy->states, record->states, (count + 1) * sizeof *copy->states);
    if (!hosted_game_is_over(game))
        copy->seed = 0;
    return true;
}
