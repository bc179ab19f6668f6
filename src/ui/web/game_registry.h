/* All hosted games, in memory and in the archive.
 *
 * A game is in memory while somebody uses it, and always in the archive. A change is in the archive
 * before anybody sees it; if it cannot be stored, it is undone and reported as an error.
 *
 * All functions but game_registry_init and game_registry_free expect the caller to hold
 * registry->lock.
 */
#ifndef MALPAN_UI_WEB_GAME_REGISTRY_H
#define MALPAN_UI_WEB_GAME_REGISTRY_H

#include <pthread.h>

#include "ui/web/archive.h"
#include "ui/web/hosted_game.h"

enum { GAME_REGISTRY_BUCKETS = 1024 };

/* Shared by all request threads, all workers and the main thread; `lock` guards everything in it
 * and the server's `phase` and `listener_count`.
 *
 * Lock order: this lock comes first. While it is held, the locks of the work queue and of a reply
 * cache may be taken; all other locks are taken alone. */
struct GameRegistry {
    pthread_mutex_t lock;
    Archive *archive;
    HostedGame *buckets[GAME_REGISTRY_BUCKETS]; /* a hash table by id */
    size_t count;
    uint64_t clock;
    void (*on_change)(HostedGame *game); /* called after every change; NULL: nobody listens */
};

/* Takes ownership of the archive. */
void game_registry_init(GameRegistry *registry, Archive *archive);

/* Frees all games and closes the archive; no other thread may use the registry any more. */
void game_registry_free(GameRegistry *registry);

/* What a new game starts with. */
typedef struct GamePlan {
    Variant variant;
    State start;
    SeatKind kinds[GAME_PLAYERS_MAX];
    Seat seats[GAME_PLAYERS_MAX]; /* the computer players */
} GamePlan;

/* The tokens of a new game, which only its creator receives: one for all seats at this browser, and
 * one per seat with a link. */
typedef struct SeatTokens {
    char here[SECRET_TEXT_BYTES];
    char links[GAME_PLAYERS_MAX][SECRET_TEXT_BYTES];
} SeatTokens;

GameError game_registry_create(GameRegistry *registry, const GamePlan *plan, SeatTokens *tokens,
                               HostedGame **game);

/* Creates a game from the text of a record. Its people sit at this browser; future throws come from
 * a new seed. */
GameError game_registry_import(GameRegistry *registry, const char *text, SeatTokens *tokens,
                               HostedGame **game);

/* Finds the game with that id, loading it from the archive if necessary. */
GameError game_registry_find(GameRegistry *registry, const char *id, HostedGame **game);

/* Stores a change that affects the steps from `from` on, increments the version and notifies
 * listeners. If the change cannot be stored, the version stays the same and the caller has to undo
 * the change. For hosted_game.c. */
GameError game_registry_commit(GameRegistry *registry, HostedGame *game, size_t from);

#endif
