/* Games between people and computers: who sits where, what may be done, and every change kept at
 * once.
 *
 * A game is in memory while somebody uses it, and always in the archive. All functions want
 * `lives->lock` to be held by the caller; a LiveGame is good until the lock is let go.
 */
#ifndef MALPAN_UI_WEB_GAME_REGISTRY_H
#define MALPAN_UI_WEB_GAME_REGISTRY_H

#include <jansson.h>
#include <pthread.h>

#include "play/record.h"
#include "ui/web/archive.h"
#include "ui/web/secret.h"

typedef enum LiveKind { LIVE_HERE, LIVE_LINK, LIVE_COMPUTER } LiveKind;

typedef struct LiveSeat {
    LiveKind kind;
    SecretPrint print; /* of the token of whoever moves here; of computers none */
    bool asks_undo;
} LiveSeat;

typedef struct Listener Listener;

typedef struct LiveGame {
    char id[SECRET_TEXT_BYTES];
    Record record;
    LiveSeat seats[GAME_PLAYERS_MAX];
    unsigned undo_for; /* the seats whose last move is to be taken back; 0: nobody asks */
    size_t given;      /* steps that came with an imported record: not from this game's seed */
    char salt[SECRET_TEXT_BYTES], commitment[SECRET_COMMITMENT_BYTES];
    uint64_t version; /* grows with every change */
    /* Since the game came into memory, at version `first`: the step from which each change changed
     * what was there. */
    uint64_t first;
    size_t *changes;
    bool is_thinking;                   /* somebody works on the next step of a computer */
    char trouble[STATUS_MESSAGE_BYTES]; /* why there is none; "" where there is no trouble */
    uint64_t used;                      /* when, as a counter */
    Listener *listeners;
    struct LiveGame *next;
} LiveGame;

enum { LIVE_BUCKETS = 1024 };

typedef struct Lives {
    pthread_mutex_t lock;
    Archive *archive;
    LiveGame *buckets[LIVE_BUCKETS];
    size_t count;
    uint64_t clock;
    void (*wake)(LiveGame *game); /* called after a change; NULL: nobody listens */
} Lives;

/* The HTTP status of a failure, and what is wrong. */
typedef struct LiveError {
    unsigned code; /* 0: fine */
    char message[STATUS_MESSAGE_BYTES];
} LiveError;

/* Takes over the archive. */
void lives_init(Lives *lives, Archive *archive);
void lives_free(Lives *lives);

/* What a new game is made of. */
typedef struct LivePlan {
    Variant variant;
    State start;
    LiveKind kinds[GAME_PLAYERS_MAX];
    Seat seats[GAME_PLAYERS_MAX]; /* of computers */
} LivePlan;

/* Tokens that are told once: of those who sit here together, and of each seat with a link. */
typedef struct LiveTokens {
    char here[SECRET_TEXT_BYTES];
    char links[GAME_PLAYERS_MAX][SECRET_TEXT_BYTES];
} LiveTokens;

LiveError live_create(Lives *lives, const LivePlan *plan, LiveTokens *tokens, LiveGame **game);

/* A game from the text of a record: its people sit here, its throws to come are new ones. */
LiveError live_import(Lives *lives, const char *text, LiveTokens *tokens, LiveGame **game);

/* The game of that name. */
LiveError live_find(Lives *lives, const char *id, LiveGame **game);

/* The seats that a token opens, one bit each. */
unsigned live_seats_of(const LiveGame *game, const char *token);

/* Whether the game is over, or goes round for ever. */
bool live_is_over(const LiveGame *game);

/* The seat that has the next step, or -1 when it is over. `is_throw`: the step is chance's. */
int live_turn(const LiveGame *game, bool *is_throw);

/* Whether that is a computer's. */
bool live_computer_is_next(const LiveGame *game);

/* Tells why that computer makes no step. */
void live_tell_trouble(Lives *lives, LiveGame *game, const char *why);

/* Makes step `number`: a move by its text, or with NULL the throw. Doing the same twice is fine. */
LiveError live_move(Lives *lives, LiveGame *game, unsigned seats, size_t number, const char *move);

/* Adds a step that a computer or chance has chosen. */
LiveError live_add(Lives *lives, LiveGame *game, Move move);

/* The throw of the next step, by the game's seed. */
Move live_throw(const LiveGame *game);

/* Asks for the last move of these seats to be taken back, or no longer asks. */
/* Whether any person's move could be taken back. */
bool live_may_undo(const LiveGame *game);
LiveError live_undo(Lives *lives, LiveGame *game, unsigned seats, size_t number, bool withdraw);

/* --- live_view.c: as JSON --- */

/* All of the game, as seen from these seats. */
json_t *live_view(const LiveGame *game, unsigned seats);

/* What has changed since a version; all, where that is not known any more. */
json_t *live_change(const LiveGame *game, uint64_t since);

/* The record as text, without a seed that is not to be known yet. NULL: out of memory. */
char *live_record(const LiveGame *game);

#endif
