/* All hosted games, in memory and in the archive.
 *
 * A game is in memory while somebody uses it, and always in the archive. A change is in the archive
 * before anybody sees it; if it cannot be stored, it is undone and reported as an error:
 *
 *             game_registry_find        game_registry_commit
 *     archive ----> LOADING ----> SETTLED ----> COMMITTING
 *        ^                         |   ^            |
 *        '------- dropped ---------'   '------------'  the committer is done
 *
 * A request for a game that is not settled waits until it is (game_registry_wait).
 *
 * Unless they say otherwise, functions expect the caller to hold registry->lock, except those that
 * begin and end the registry.
 */
#ifndef MALPAN_UI_WEB_GAME_REGISTRY_H
#define MALPAN_UI_WEB_GAME_REGISTRY_H

#include <pthread.h>

#include "ui/web/archive.h"
#include "ui/web/hosted_game.h"
#include "ui/web/new_game.h"

enum { GAME_REGISTRY_BUCKETS = 4096 };

typedef enum GameRegistryPhase {
    GAME_REGISTRY_OPEN,
    GAME_REGISTRY_FINISHING /* accepts no changes; the committer stores those it has */
} GameRegistryPhase;

/* Shared by all request threads, all workers, the committer and the main thread; `lock` guards
 * everything in it and the server's `phase` and `streams`. It is never held while a file is
 * read or written, or while a game is encoded.
 *
 * Lock order: this lock comes first. While it is held, the locks of the work queue, the committer,
 * the solver pool and libmicrohttpd may be taken. */
struct GameRegistry {
    pthread_mutex_t lock;
    pthread_cond_t settled; /* a game became settled, for threads that wait */
    GameRegistryPhase phase;
    Archive *archive;
    Committer committer;
    HostedGame *buckets[GAME_REGISTRY_BUCKETS]; /* a hash table by id */
    HostedGame *oldest, *newest;                /* in the order of last use */
    size_t count, bytes;                        /* of the games in memory */
    HostedGame *creating;                       /* games whose creation is being stored */
    uint64_t created;                           /* games in the archive, but for deleted ones */
    /* Called when a game is settled after a change, whether it could be stored or not. */
    void (*on_settled)(GameRegistry *registry, HostedGame *game, bool is_stored);
};

/* Takes ownership of the archive. Games that were not changed for `keep_seconds` are deleted; 0:
 * none are. */
void game_registry_init(GameRegistry *registry, Archive *archive, uint64_t keep_seconds);

/* Counts the games and starts the committer. */
Status game_registry_start(GameRegistry *registry);

/* Refuses further changes with 503, stores all that were accepted and ends the committer. The
 * caller does not hold the lock. */
void game_registry_finish(GameRegistry *registry);

/* Frees all games and closes the archive; no other thread may use the registry any more. */
void game_registry_free(GameRegistry *registry);

/* Adds a prepared game (new_game.h) and lets the committer store it. If an earlier request with the
 * same key created a game, `made` is freed, `game` is that one and `tokens` are its tokens; it may
 * not be settled. With a key, the lock is released meanwhile. */
GameError game_registry_add(GameRegistry *registry, HostedGame *made, const char *key,
                            SeatTokens *tokens, HostedGame **game);

/* Finds the game with that id, loading it from the archive if necessary; then the lock is released
 * meanwhile. The game may not be settled: somebody else may be loading or changing it. */
GameError game_registry_find(GameRegistry *registry, const char *id, HostedGame **game);

/* Calls waiter->resume as soon as the game is settled; it must not be now. */
void game_registry_wait(HostedGame *game, GameWaiter *waiter);

/* The same for a thread that can block: returns with the game settled. */
GameError game_registry_find_settled(GameRegistry *registry, const char *id, HostedGame **game);

/* Lets the committer store what has changed since `before`, with this reason why a computer cannot
 * move, or "". If the committer fails, the change is undone. An error means that it was not even
 * tried; then the caller undoes it. For hosted_game.c. */
GameError game_registry_commit(GameRegistry *registry, HostedGame *game, const UndoState *before,
                               const char *trouble);

#endif
