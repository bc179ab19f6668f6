/* The program on the screen: which page is shown, and what the pages share. Each page has three
 * functions: draw, event, and what happens by itself.
 *
 *     lobby -> setup -> play -> review
 *       \________________^  \-> analysis
 *
 * All on the main thread.
 */
#ifndef MALPAN_UI_SCREEN_APP_H
#define MALPAN_UI_SCREEN_APP_H

#include "ui/screen/analysis.h"
#include "ui/screen/canvas.h"
#include "ui/screen/keys.h"
#include "ui/screen/lobby.h"
#include "ui/screen/online.h"
#include "ui/screen/paint.h"
#include "ui/screen/play.h"
#include "ui/screen/review_page.h"
#include "ui/screen/screen.h"
#include "ui/screen/setup.h"

typedef enum Page { PAGE_LOBBY, PAGE_SETUP, PAGE_PLAY, PAGE_REVIEW, PAGE_ANALYSIS } Page;

/* A smaller screen shows a notice instead. */
enum { APP_ROWS_LEAST = 16, APP_COLUMNS_LEAST = 40 };

struct App {
    const ScreenOptions *options;
    Lang lang;
    bool ascii;
    uint64_t seed; /* of the next game */
    Page page;
    bool has_lobby; /* leaving a game leads back there */
    bool is_leaving, shows_help;
    int ending; /* the signal that ends the program, or 0 */
    double now_s;
    Status status; /* what ended the program, if it failed */
    Canvas canvas;
    Painter painter;
    KeyDecoder keys;
    Lobby lobby;
    Setup setup;
    Play play;
    ReviewPage review;
    Analysis analysis;
    char left_file[PATH_MAX]; /* of the game that was left unfinished last */
};

/* --- app.c --- */

/* Starts playing. Takes over the record; `path` is its file, or "" for a new one. Without a record:
 * the game on the server. */
void app_play(App *app, Record *record, const char *path);

/* Leaves the game: to the lobby, or out of the program. */
void app_leave_game(App *app);

/* The phrase in the language of the screen. */
const char *app_words(const App *app, Phrase phrase);

/* --- frame.c: what all pages have --- */

/* The rows between the title and the lines at the bottom. */
Area frame_body(const App *app);

/* The title at the top: `left`, and `right` at the other side. */
void frame_title(App *app, const char *left, const char *right);

/* The keys at the bottom, such as `Enter play  h hints`: pairs of a key and its meaning, ending
 * with NULL; those that do not fit are left out. */
void frame_keys(App *app, const char *const pairs[]);

/* The line above the keys. */
void frame_message(App *app, const char *message, bool is_error);

void frame_help(App *app);

/* --- play_page.c, play_draw.c --- */

void play_page_draw(App *app);
void play_page_event(App *app, const Event *event);

#endif
