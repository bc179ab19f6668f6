/* The main loop: waits for keys, signals, results and the clock; draws a frame when something has
 * changed. */
#include "ui/screen/app.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "ui/screen/tty.h"

const char *app_words(const App *app, Phrase phrase) {
    return phrase.in[app->lang];
}

bool screen_is_possible(void) {
    return tty_is_usable();
}

/* --- games --- */

/* Ends the game on the screen, if there is one: its file stays if it is unfinished. */
static void close_game(App *app) {
    Play *play = &app->play;
    if (!play->thinker)
        return;
    analysis_close(&app->analysis);
    review_page_close(&app->review);
    bool is_over = play->phase == PLAY_END;
    if (is_over)
        store_finish_game(app->options->state, play->path);
    snprintf(app->left_file, sizeof app->left_file, "%s", is_over ? "" : play->path);
    play_close(play);
}

void app_play(App *app, Record *record, const char *path) {
    char named[PATH_MAX] = "";
    close_game(app);
    if (*path)
        snprintf(named, sizeof named, "%s", path);
    else if (record)
        store_name_game(app->options->state, record->variant.game, named);
    app->play = (Play){.numbers = app->options->numbers,
                       .animates = app->options->animation,
                       .pace_ms = app->options->pace_ms,
                       .lang = app->lang};
    Status status = record
                        ? play_open(&app->play, record, named, &app->options->limits)
                        : online_open(&app->play, app->options->connection, &app->options->limits);
    if (!status_is_ok(&status)) {
        app->status = status;
        app->is_leaving = true;
        return;
    }
    app->play.stepped_s = app->now_s;
    if (app->options->hints)
        play_set_hints(&app->play, HINTS_BEST);
    app->page = PAGE_PLAY;
}

void app_leave_game(App *app) {
    if (!app->has_lobby) {
        app->is_leaving = true;
        return;
    }
    close_game(app);
    lobby_enter(app);
}

/* --- drawing --- */

static void draw_notice(App *app) {
    static const Phrase small = {
        {"Please enlarge the window to at least 40 x 16.", "창을 적어도 40 x 16으로 키워 주세요."}};
    canvas_wrap(&app->canvas, (Area){0, 0, app->canvas.rows, app->canvas.columns},
                app_words(app, small), INK_TEXT);
}

static void draw_page(App *app) {
    switch (app->page) {
    case PAGE_LOBBY:
        lobby_draw(app);
        break;
    case PAGE_SETUP:
        setup_draw(app);
        break;
    case PAGE_PLAY:
        play_page_draw(app);
        break;
    case PAGE_REVIEW:
        review_page_draw(app);
        break;
    case PAGE_ANALYSIS:
        analysis_draw(app);
        break;
    }
}

/* The terminal is gone, whether or not a signal says so. */
static void lose_terminal(App *app) {
    app->ending = SIGHUP;
    app->is_leaving = true;
}

static void draw(App *app) {
    int rows, columns;
    tty_size(&rows, &columns);
    if ((rows != app->canvas.rows || columns != app->canvas.columns) &&
        !canvas_resize(&app->canvas, rows, columns)) {
        app->status = status_make(STATUS_FAILED, "out of memory");
        app->is_leaving = true;
        return;
    }
    canvas_clear(&app->canvas);
    if (rows < APP_ROWS_LEAST || columns < APP_COLUMNS_LEAST)
        draw_notice(app);
    else {
        draw_page(app);
        if (app->shows_help)
            frame_help(app);
    }
    if (!paint_frame(&app->painter, &app->canvas))
        lose_terminal(app);
}

/* --- events --- */

static void switch_language(App *app) {
    if (app->lang == LANG_EN && !app->options->can_korean)
        return;
    app->lang = app->lang == LANG_EN ? LANG_KO : LANG_EN;
    app->play.lang = app->lang;
}

/* Whether keys are letters of a text. */
static bool is_typing(const App *app) {
    return (app->page == PAGE_PLAY && app->play.is_typing) ||
           (app->page == PAGE_SETUP && app->setup.is_typing) ||
           (app->page == PAGE_ANALYSIS && app->analysis.is_typing);
}

static void page_event(App *app, const Event *event) {
    switch (app->page) {
    case PAGE_LOBBY:
        lobby_event(app, event);
        break;
    case PAGE_SETUP:
        setup_event(app, event);
        break;
    case PAGE_PLAY:
        play_page_event(app, event);
        break;
    case PAGE_REVIEW:
        review_page_event(app, event);
        break;
    case PAGE_ANALYSIS:
        analysis_event(app, event);
        break;
    }
}

static void suspend(App *app) {
    tty_suspend();
    app->painter.is_stale = true;
}

static void handle(App *app, const Event *event) {
    uint32_t key = event->kind == EVENT_KEY ? event->key : KEY_NOTHING;
    bool is_small = app->canvas.rows < APP_ROWS_LEAST || app->canvas.columns < APP_COLUMNS_LEAST;
    if (key == KEY_CTRL_C)
        app->is_leaving = true;
    else if (key == KEY_CTRL_Z)
        suspend(app);
    else if (key == KEY_CTRL_L)
        app->painter.is_stale = true;
    else if (is_small)
        return; /* what it would do cannot be seen */
    else if (app->shows_help)
        app->shows_help = false;
    else if (key == '?' && !is_typing(app))
        app->shows_help = true;
    else if (key == 'l' && !is_typing(app))
        switch_language(app);
    else
        page_event(app, event);
}

static void read_keys(App *app) {
    enum { ESCAPE_MS = 40 };
    static const int nothing[TTY_OTHERS] = {-1, -1};
    char bytes[256];
    Event event;
    int count = tty_read(bytes, sizeof bytes);
    if (count <= 0) { /* there was input, so this is its end */
        lose_terminal(app);
        return;
    }
    keys_add(&app->keys, bytes, (size_t)count);
    while (!app->is_leaving && keys_take(&app->keys, false, &event))
        handle(app, &event);
    /* A lone escape may be the beginning of a sequence whose rest is on its way. */
    if (app->keys.count > 0 && !app->is_leaving && !tty_wait(nothing, ESCAPE_MS).has_input)
        while (keys_take(&app->keys, true, &event))
            handle(app, &event);
}

/* --- the loop --- */

static int wait_ms(const App *app) {
    double due = app->play.thinker && app->page == PAGE_PLAY ? play_due(&app->play) : INFINITY;
    if (isinf(due))
        return -1;
    double left = (due - app->now_s) * 1000;
    return left <= 0 ? 0 : left > 60000 ? 60000 : (int)left + 1;
}

static void run(App *app) {
    while (!app->is_leaving) {
        draw(app);
        if (app->is_leaving)
            break;
        const Play *play = &app->play;
        const int files[TTY_OTHERS] = {play->thinker ? thinker_file(play->thinker) : -1,
                                       play->connection ? connection_file(play->connection) : -1};
        TtyNews news = tty_wait(files, wait_ms(app));
        app->now_s = progress_clock_s();
        if (news.ending) {
            app->ending = news.ending;
            break;
        }
        if (news.has_resumed)
            app->painter.is_stale = true;
        if (news.should_suspend)
            suspend(app);
        if (news.others[0])
            play_results(&app->play, app->now_s);
        if (news.others[1])
            connection_drain(play->connection); /* play_tick looks what is new */
        if (news.has_input)
            read_keys(app);
        if (app->play.thinker && app->page == PAGE_PLAY)
            play_tick(&app->play, app->now_s);
    }
}

Status screen_run(const ScreenOptions *options, char *saved, int *ending) {
    static App app;
    app = (App){.options = options,
                .lang = options->lang,
                .seed = options->seed,
                .has_lobby = !options->record && !options->connection,
                .now_s = progress_clock_s()};
    saved[0] = '\0';
    *ending = 0;
    Status status = tty_open(true);
    if (!status_is_ok(&status))
        return status;
    app.canvas.ascii = options->ascii;
    app.painter.mode = paint_find_mode(options->color);
    app.painter.is_light = paint_is_light();
    if (!app.has_lobby)
        app_play(&app, options->record, options->file ? options->file : "");
    else
        lobby_enter(&app);
    run(&app);
    *ending = app.ending;
    tty_close(); /* before what takes time */
    close_game(&app);
    snprintf(saved, PATH_MAX, "%s", app.left_file);
    lobby_close(&app);
    canvas_free(&app.canvas);
    paint_free(&app.painter);
    return app.status;
}
