/* New games, before the registry has them: their secrets and tokens, and the text that is stored.
 *
 * Thread-safe: a game that is being prepared belongs to the thread that prepares it.
 */
#ifndef MALPAN_UI_WEB_NEW_GAME_H
#define MALPAN_UI_WEB_NEW_GAME_H

#include "ui/web/hosted_game.h"

/* What a new game starts with. */
typedef struct GamePlan {
    Variant variant;
    State start;
    SeatKind kinds[GAME_PLAYERS_MAX];
    char names[GAME_PLAYERS_MAX][HOSTED_NAME_BYTES]; /* of the people at this browser, or "" */
    Seat seats[GAME_PLAYERS_MAX];                    /* the computer players */
} GamePlan;

/* The tokens of a new game, which only its creator receives: one for all seats at this browser, and
 * one per seat with a link. */
typedef struct SeatTokens {
    char here[SECRET_TEXT_BYTES];
    char links[GAME_PLAYERS_MAX][SECRET_TEXT_BYTES];
} SeatTokens;

/* Prepares a new game, or one from a parsed record, of which it takes ownership: its people sit at
 * this browser, and future throws come from a new seed. `key` is the request's idempotency key, or
 * NULL. NULL if out of memory. */
HostedGame *new_game_prepare(const GamePlan *plan, const char *key, SeatTokens *tokens);
HostedGame *new_game_prepare_import(Record *record, const char *key, SeatTokens *tokens);

/* Draws the tokens of a game's seats; with a key, derives them from it and the secret that is
 * stored with its hash, so that a repeated request gets the same ones. */
void new_game_make_tokens(const char *key, const char *secret, SeatTokens *tokens);

/* Prints the hash under which a key is stored. */
void new_game_hash_key(const char *key, char text[SECRET_COMMITMENT_BYTES]);

#endif
