/* The hosted games: who sits where, what each seat may do, and storage of every change.
 *
 * A game is in memory while somebody uses it, and always in the archive. A change is in the archive
 * before anybody sees it; if it cannot be stored, it is undone and reported as an error.
 *
 * All functions expect the caller to hold registry->lock. A pointer to a HostedGame is valid until
 * the lock is released: a game that nobody listens to may then be dropped from memory.
 */
#ifndef MALPAN_UI_WEB_GAME_REGISTRY_H
#define MALPAN_UI_WEB_GAME_REGISTRY_H

#include <jansson.h>
#include <pthread.h>

#include "play/record.h"
#include "ui/web/archive.h"
#include "ui/web/secret.h"

/* Who plays a seat: a person at the browser that created the game, a person with the seat's link,
 * or a computer player. Stored in the archive as numbers. */
typedef enum SeatKind { SEAT_HERE, SEAT_LINK, SEAT_COMPUTER } SeatKind;

typedef struct HostedSeat {
    SeatKind kind;
    SecretHash token_hash; /* of the token that opens the seat; unused for computers */
    bool asks_undo;
} HostedSeat;

typedef struct Listener Listener;

/* Guarded by the registry's lock, all of it. */
typedef struct HostedGame {
    char id[SECRET_TEXT_BYTES];
    Record record;
    HostedSeat seats[GAME_PLAYERS_MAX];
    unsigned undo_for; /* the seats whose last move is to be taken back; 0: nobody asked */
    size_t given;      /* steps that came with an imported record, not from this game's seed */
    char salt[SECRET_TEXT_BYTES], commitment[SECRET_COMMITMENT_BYTES];
    uint64_t version; /* incremented by every change */
    /* changes[i] is the first step that the change from version first_version + i affected. The
     * list starts when the game is loaded into memory. */
    uint64_t first_version;
    size_t *changes;
    bool is_scheduled;                  /* in the work queue, or a worker has it */
    char trouble[STATUS_MESSAGE_BYTES]; /* why a computer cannot move; "" if it can */
    uint64_t used;                      /* last use, in ticks of the registry's clock */
    Listener *listeners;
    struct HostedGame *next;
} HostedGame;

enum { GAME_REGISTRY_BUCKETS = 1024 };

/* Shared by all request threads, all workers and the main thread; `lock` guards everything in it
 * and the server's `phase` and `listener_count`.
 *
 * Lock order: this lock comes first. While it is held, the locks of the work queue and of a reply
 * cache may be taken; all other locks are taken alone. */
typedef struct GameRegistry {
    pthread_mutex_t lock;
    Archive *archive;
    HostedGame *buckets[GAME_REGISTRY_BUCKETS]; /* a hash table by id */
    size_t count;
    uint64_t clock;
    void (*on_change)(HostedGame *game); /* called after every change; NULL: nobody listens */
} GameRegistry;

/* A failure as an HTTP status and a message. */
typedef struct GameError {
    unsigned code; /* 0: no error */
    char message[STATUS_MESSAGE_BYTES];
    const char *message_ko; /* NULL: only in English */
} GameError;

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

/* The seats that a token opens, one bit each. */
unsigned hosted_game_find_seats(const HostedGame *game, const char *token);

/* Whether the game is over: ended, drawn by repetition, or too long. */
bool hosted_game_is_over(const HostedGame *game);

/* The seat that acts next, or -1 if the game is over. `is_throw`: it has to throw first. */
int hosted_game_next_seat(const HostedGame *game, bool *is_throw);

/* Whether a computer acts next. */
bool hosted_game_is_computer_next(const HostedGame *game);

/* Records why that computer cannot move, for everybody to see. */
void hosted_game_report_trouble(GameRegistry *registry, HostedGame *game, const char *why);

/* Plays step `number` for these seats: a move by its text, or a throw if `move` is NULL. Repeating
 * a step that was already played succeeds without effect. */
GameError hosted_game_play(GameRegistry *registry, HostedGame *game, unsigned seats, size_t number,
                           const char *move);

/* Adds a step that a computer chose or chance drew. */
GameError hosted_game_add_step(GameRegistry *registry, HostedGame *game, Move move);

/* The next throw, determined by the game's seed. */
Move hosted_game_draw_throw(const HostedGame *game);

/* Whether there is a person's move to take back. */
bool hosted_game_can_undo(const HostedGame *game);

/* Asks to take back the last move of these seats, agrees to such a request, or withdraws it. The
 * move is taken back once everybody concerned has agreed (docs/http-api.md). */
GameError hosted_game_undo(GameRegistry *registry, HostedGame *game, unsigned seats, size_t number,
                           bool withdraw);

/* --- game_view.c --- */

/* The game as JSON, as these seats see it. */
json_t *hosted_game_encode(const HostedGame *game, unsigned seats);

/* What changed since a version; everything if that version is too old. */
json_t *hosted_game_encode_change(const HostedGame *game, uint64_t since);

/* The record as text, without the seed while it is secret. The caller frees it; NULL if out of
 * memory. */
char *hosted_game_print_record(const HostedGame *game);

#endif
