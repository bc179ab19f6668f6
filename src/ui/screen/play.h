/* A game on the screen: who is to do what, the animation under way, and what has been evaluated.
 *
 *     person    chooses with the picker or types a move
 *     throw     a person is to throw: one key
 *     busy      a computer thinks, or an animation runs
 *     end       the game is over
 *
 * play_tick moves on whenever the time has come; play_results takes what the thinker found. All of
 * this belongs to the main thread.
 */
#ifndef MALPAN_UI_SCREEN_PLAY_H
#define MALPAN_UI_SCREEN_PLAY_H

#include <limits.h>

#include "play/saved_game.h"
#include "ui/client/connection.h"
#include "ui/screen/board_view.h"
#include "ui/screen/picker.h"
#include "ui/screen/thinker.h"

typedef enum Hints { HINTS_OFF, HINTS_BAR, HINTS_BEST, HINTS_ALL, HINTS_COUNT } Hints;

typedef enum PlayPhase { PLAY_PERSON, PLAY_THROW, PLAY_BUSY, PLAY_END } PlayPhase;

/* A step that is shown before it is made. */
typedef struct Animation {
    bool is_running, is_throw;
    Move move;  /* the step */
    Move shown; /* a throw: the event shown now */
    int frame, count;
    double next_s; /* when the next frame is due */
} Animation;

/* A game on a server, as the main thread knows it; see online.h. */
typedef struct Online {
    RemoteState state;
    ConnectionPhase phase;
    bool is_sending;                    /* something sent has not been answered */
    bool has_more;                      /* steps that are still to be shown */
    unsigned changes;                   /* of the connection, when this was copied */
    char message[STATUS_MESSAGE_BYTES]; /* the last complaint */
} Online;

enum { PLAY_ROWS_MAX = 512, PLAY_ENTRY_BYTES = 128, PLAY_MESSAGE_BYTES = 512 };

typedef struct Play {
    Record record;
    SavedGame saved;
    char path[PATH_MAX]; /* its file, or "" */
    Thinker *thinker;
    Connection *connection; /* the game is on a server; NULL: it is not */
    Online online;          /* what the connection said last */
    PlayPhase phase;
    bool is_open;  /* the computer players are ready */
    bool is_asked; /* a computer player is choosing */
    bool is_paused;
    bool has_failed; /* a computer player could not be opened, or cannot move */
    bool numbers, animates, shows_chart;
    int pace_ms;
    Lang lang;
    Animation animation;
    double stepped_s; /* when the last step was made */
    Picker picker;
    BoardView view;
    Area board_area;
    int rows_of_moves[PLAY_ROWS_MAX]; /* the move listed in each row of the screen, or -1 */
    Hints hints;
    ThinkResult known; /* the last evaluation, of known.state */
    bool has_known, is_evaluating;
    double *values; /* of player 0 before each step, NAN if not evaluated */
    size_t value_capacity;
    /* While another page shows evaluations, they go there; it owns the result. NULL: to the game.
     */
    void (*on_values)(void *context, ThinkResult *result);
    void *values_context;
    Review *review; /* of the whole game, once it has been asked for; or NULL */
    bool is_typing;
    char entry[PLAY_ENTRY_BYTES];
    char message[PLAY_MESSAGE_BYTES];
    bool message_is_error;
} Play;

/* Starts a game, which takes over the record. `path` is its file, or "". */
Status play_open(Play *play, Record *record, const char *path, const SolveLimits *limits);
void play_close(Play *play);

/* The time of the next thing to do by itself, in seconds of the clock; INFINITY for none. */
double play_due(const Play *play);

/* Does what is due. */
void play_tick(Play *play, double now_s);

/* Takes the results of the thinker. */
void play_results(Play *play, double now_s);

/* What the files of a game share: finds out what is to be done at the position on the board; makes
 * a step, with its animation or at once; forgets what is known of steps that were removed. */
void play_find_phase(Play *play);
void play_animate(Play *play, Move move, bool is_throw, double now_s);
void play_make_step(Play *play, Move move, double now_s);
void play_forget_cut(Play *play);

/* Lays the board out anew, after a step or for another size of the screen. */
void play_lay_out(Play *play, Area area);

/* Makes a person's move, with its animation. */
void play_make(Play *play, Move move, double now_s);

/* Throws, where a person is to throw. */
void play_throw(Play *play, double now_s);

/* Takes back the person's last choice. False if there is none. On a server it asks for that. */
bool play_undo(Play *play, double now_s);

/* Shows the next layer of hints. */
void play_set_hints(Play *play, Hints hints);

/* Whether the evaluation belongs to the position on the board. */
bool play_is_evaluated(const Play *play);

void play_say(Play *play, bool is_error, const char *message);

static inline const Variant *play_screen_variant(const Play *play) {
    return &play->record.variant;
}

#endif
