/* One hosted game: who sits where, whose turn it is, and what each seat may do.
 *
 * All functions expect the caller to hold the registry's lock. A pointer to a HostedGame is valid
 * until the lock is released: a game that nobody needs may then be dropped from memory. Games with
 * listeners, with a job in the work queue or with a change being stored stay where they are.
 */
#ifndef MALPAN_UI_WEB_HOSTED_GAME_H
#define MALPAN_UI_WEB_HOSTED_GAME_H

#include "play/record.h"
#include "ui/web/committer.h"
#include "ui/web/job.h"
#include "ui/web/secret.h"

typedef struct GameRegistry GameRegistry;
typedef struct HostedGame HostedGame;
typedef struct Listener Listener;
typedef struct EventText EventText;

/* A failure as an HTTP status and a message. */
typedef struct GameError {
    unsigned code; /* 0: no error */
    char message[STATUS_MESSAGE_BYTES];
    const char *message_ko; /* NULL: only in English */
} GameError;

/* Who plays a seat: a person at the browser that created the game, a person with the seat's link,
 * or a computer player. Stored in the archive as numbers. */
typedef enum SeatKind { SEAT_HERE, SEAT_LINK, SEAT_COMPUTER } SeatKind;

/* Of a player's name: bytes of UTF-8 with the zero byte, and characters. */
enum { HOSTED_NAME_BYTES = 65, HOSTED_NAME_LETTERS = 24 };

typedef struct HostedSeat {
    SeatKind kind;
    SecretHash token_hash; /* of the token that opens the seat; unused for computers */
    bool asks_undo;
    bool is_taken;                /* a browser has used the seat's link */
    SecretHash taker;             /* of the key of that browser */
    char name[HOSTED_NAME_BYTES]; /* that its player chose; "": none */
} HostedSeat;

/* Somebody who waits until a game is settled: loaded, or its change stored. */
typedef struct GameWaiter {
    /* Called with the registry's lock held. `error` is the outcome of the waiter's own change; no
     * error for those who only wait for somebody else's. */
    void (*resume)(struct GameWaiter *waiter, const GameError *error);
    struct GameWaiter *next;
} GameWaiter;

typedef enum GamePhase {
    GAME_LOADING,   /* being read from the archive; nothing but `id` is valid */
    GAME_SETTLED,   /* as in the archive */
    GAME_COMMITTING /* changed, but the change is not stored yet: nobody may see it */
} GamePhase;

/* What a change touches, so that it can be undone if it cannot be stored. */
typedef struct UndoState {
    unsigned undo_for;
    size_t step_count, given;
    HostedSeat seats[GAME_PLAYERS_MAX];
} UndoState;

/* The change that is being stored, while the phase is GAME_COMMITTING. */
typedef struct GameChange {
    Commit commit;
    GameRegistry *registry;
    HostedGame *game;
    UndoState before;
    size_t from;          /* the first step that it affects */
    GameWaiter *waiter;   /* who made the change; NULL: a computer */
    bool is_new;          /* the game was created */
    HostedGame *next_new; /* in the registry's list of games that are being created */
    char *record;         /* of a new game, owned */
    char step[ARCHIVE_STEP_BYTES], seats[ARCHIVE_SEATS_BYTES];
    char key_hash[SECRET_COMMITMENT_BYTES], key_secret[SECRET_TEXT_BYTES]; /* "": no key */
    char trouble[STATUS_MESSAGE_BYTES]; /* why a computer cannot move; "": it can */
} GameChange;

enum { HOSTED_GAME_STEPS_MAX = 5000 }; /* a longer game is over */

/* Guarded by the registry's lock, all of it; except `change.commit`, which belongs to the committer
 * while the phase is GAME_COMMITTING, and `job`, which the work queue's lock guards. */
struct HostedGame {
    char id[SECRET_TEXT_BYTES];
    GamePhase phase;
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
    char trouble[STATUS_MESSAGE_BYTES]; /* why a computer cannot move; "" if it can */
    GameChange change;
    GameWaiter *waiters; /* until it is settled */
    Job job;             /* the next step of a computer */
    bool is_scheduled;   /* the job is in the work queue, or a worker has it */
    Listener *listeners;
    uint64_t presence;         /* incremented when it is known that somebody came or went */
    bool is_presence_new;      /* somebody came or went since then */
    EventText *event;          /* the last change as an event; NULL: not encoded yet */
    size_t bytes;              /* that it takes in memory */
    HostedGame *next;          /* in its bucket */
    HostedGame *older, *newer; /* in the order of last use */
};

GameError game_error_make(unsigned code, Phrase message);

/* No error if the status is fine; otherwise its message, in English. */
GameError game_error_from_status(unsigned code, const Status *status);

/* Frees a game that nobody has any more. */
void hosted_game_free(HostedGame *game);

int hosted_game_player_count(const HostedGame *game);

/* The seats that a token opens, one bit each. */
unsigned hosted_game_find_seats(const HostedGame *game, const char *token);

/* Whether the game is over: ended, drawn by repetition, or too long. */
bool hosted_game_is_over(const HostedGame *game);

/* The seat that acts next, or -1 if the game is over. `is_throw`: it has to throw first. */
int hosted_game_next_seat(const HostedGame *game, bool *is_throw);

/* Whether a computer acts next. */
bool hosted_game_is_computer_next(const HostedGame *game);

/* Whether a person takes part in the game. */
bool hosted_game_has_person(const HostedGame *game);

/* --- changes: they check and make the change, and let the committer store it. The phase is
 * GAME_COMMITTING afterwards, unless there was an error or nothing to change. The game has to be
 * settled. --- */

/* Records why the computer that acts next cannot move, for everybody to see. */
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

typedef enum UndoAnswer {
    UNDO_ASK,      /* or agree */
    UNDO_WITHDRAW, /* one's own request or agreement */
    UNDO_DECLINE   /* the request of somebody else */
} UndoAnswer;

/* Asks to take back the last move of these seats, or answers such a request. The move is taken back
 * once everybody concerned has agreed (docs/http-api.md). */
GameError hosted_game_undo(GameRegistry *registry, HostedGame *game, unsigned seats, size_t number,
                           UndoAnswer answer);

/* Seats a browser: `seats` are those that its link opens, `own` those that it has already, `key` is
 * a secret of the browser, or NULL. An error if another browser has used the link, unless this one
 * sits in the game already. `name` may be "". */
GameError hosted_game_take_seat(GameRegistry *registry, HostedGame *game, unsigned seats,
                                unsigned own, const char *key, const char *name);

/* Whether a text can be a name: not too long, no control characters, no space at either end. */
bool hosted_game_is_name(const char *text);

/* Changes the name of these seats. */
GameError hosted_game_set_name(GameRegistry *registry, HostedGame *game, unsigned seats,
                               const char *name);

/* Whether names or takers of seats differ from what they were. */
bool hosted_game_seats_changed(const HostedGame *game, const UndoState *before);

/* Undoes a change that could not be stored. For the registry. */
void hosted_game_restore(HostedGame *game, const UndoState *before);

/* Copies the record, without the seed while it is secret: what takes long is done with the copy,
 * without the lock. The caller closes it in any case. False if out of memory. */
bool hosted_game_copy_record(const HostedGame *game, Record *copy);

#endif
