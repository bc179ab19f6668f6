/* One hosted game: who sits where, whose turn it is, and what each seat may do.
 *
 * All functions expect the caller to hold the registry's lock. A pointer to a HostedGame is valid
 * until the lock is released: a game that nobody listens to may then be dropped from memory.
 */
#ifndef MALPAN_UI_WEB_HOSTED_GAME_H
#define MALPAN_UI_WEB_HOSTED_GAME_H

#include <jansson.h>

#include "play/record.h"
#include "ui/web/secret.h"

typedef struct GameRegistry GameRegistry;

/* Who plays a seat: a person at the browser that created the game, a person with the seat's link,
 * or a computer player. Stored in the archive as numbers. */
typedef enum SeatKind { SEAT_HERE, SEAT_LINK, SEAT_COMPUTER } SeatKind;

typedef struct HostedSeat {
    SeatKind kind;
    SecretHash token_hash; /* of the token that opens the seat; unused for computers */
    bool asks_undo;
} HostedSeat;

typedef struct Listener Listener;

enum { HOSTED_GAME_STEPS_MAX = 5000 }; /* a longer game is over */

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

/* A failure as an HTTP status and a message. */
typedef struct GameError {
    unsigned code; /* 0: no error */
    char message[STATUS_MESSAGE_BYTES];
    const char *message_ko; /* NULL: only in English */
} GameError;

GameError game_error_make(unsigned code, Phrase message);

/* No error if the status is fine; otherwise its message, in English. */
GameError game_error_from_status(unsigned code, const Status *status);

int hosted_game_player_count(const HostedGame *game);

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
