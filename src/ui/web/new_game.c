#include "ui/web/new_game.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/web/seat_text.h"

void new_game_make_tokens(const char *key, const char *secret, SeatTokens *tokens) {
    char label[16];
    if (!key) {
        secret_draw(tokens->here);
        for (int i = 0; i < GAME_PLAYERS_MAX; i++)
            secret_draw(tokens->links[i]);
        return;
    }
    secret_derive(key, secret, "here", tokens->here);
    for (int i = 0; i < GAME_PLAYERS_MAX; i++) {
        snprintf(label, sizeof label, "seat %d", i);
        secret_derive(key, secret, label, tokens->links[i]);
    }
}

void new_game_hash_key(const char *key, char text[SECRET_COMMITMENT_BYTES]) {
    SecretHash hash = secret_hash_token(key);
    secret_hash_print(&hash, text);
}

/* Draws the secrets of a new game. */
static void make_secrets(HostedGame *game, const char *key, SeatTokens *tokens) {
    GameChange *change = &game->change;
    secret_draw(game->id);
    secret_draw(game->salt);
    secret_draw(change->key_secret);
    if (key)
        new_game_hash_key(key, change->key_hash);
    new_game_make_tokens(key, change->key_secret, tokens);
    for (int i = 0; i < hosted_game_player_count(game); i++) {
        if (game->seats[i].kind == SEAT_HERE)
            game->seats[i].token_hash = secret_hash_token(tokens->here);
        else if (game->seats[i].kind == SEAT_LINK)
            game->seats[i].token_hash = secret_hash_token(tokens->links[i]);
    }
    game->record.seed = secret_draw_seed();
    secret_commit(game->salt, game->record.seed, game->commitment);
}

/* Whether the text reads back as the same record. */
static bool reads_back(const char *text, const Record *record) {
    Record parsed;
    Status status = record_parse(text, &parsed);
    if (!status_is_ok(&status))
        return false;
    bool is_same =
        parsed.seed == record->seed && parsed.step_count == record->step_count &&
        memcmp(&parsed.variant.rules, &record->variant.rules, sizeof record->variant.rules) == 0 &&
        memcmp(parsed.states, record->states, (record->step_count + 1) * sizeof(State)) == 0;
    record_close(&parsed);
    return is_same;
}

/* Completes a game that has its record and the kinds of its seats. NULL, and the game is freed, if
 * out of memory. */
static HostedGame *complete_new(HostedGame *game, const char *key, SeatTokens *tokens) {
    GameChange *change = &game->change;
    make_secrets(game, key, tokens);
    seat_text_print(game, change->seats);
    change->is_new = true;
    change->record = record_print(&game->record);
    if (change->record && reads_back(change->record, &game->record))
        return game;
    hosted_game_free(game);
    return NULL;
}

HostedGame *new_game_prepare(const GamePlan *plan, const char *key, SeatTokens *tokens) {
    Seat seats[GAME_PLAYERS_MAX], person;
    Status status = seat_parse("you", &person);
    assert(status_is_ok(&status));
    HostedGame *game = calloc(1, sizeof *game);
    if (!game)
        return NULL;
    for (int i = 0; i < GAME_PLAYERS_MAX; i++) {
        game->seats[i].kind = plan->kinds[i];
        memcpy(game->seats[i].name, plan->names[i], sizeof game->seats[i].name);
        seats[i] = plan->kinds[i] == SEAT_COMPUTER ? plan->seats[i] : person;
    }
    status = record_open(&plan->variant, seats, 0, &plan->start, &game->record);
    if (status_is_ok(&status))
        return complete_new(game, key, tokens);
    hosted_game_free(game);
    return NULL;
}

HostedGame *new_game_prepare_import(Record *record, const char *key, SeatTokens *tokens) {
    HostedGame *game = calloc(1, sizeof *game);
    if (!game) {
        record_close(record);
        return NULL;
    }
    game->record = *record;
    for (int i = 0; i < hosted_game_player_count(game); i++)
        game->seats[i].kind = game->record.seats[i].kind->open ? SEAT_COMPUTER : SEAT_HERE;
    game->given = game->record.step_count;
    return complete_new(game, key, tokens);
}
