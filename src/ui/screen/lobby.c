#include "ui/screen/lobby.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play/saved_game.h"
#include "ui/screen/app.h"
#include "values/registry.h"

enum { LIST_COLUMNS = 34, PICTURE_FROM = 76 };

void lobby_enter(App *app) {
    Lobby *lobby = &app->lobby;
    if (!lobby->stored)
        lobby->stored = malloc(STORE_GAMES_MAX * sizeof *lobby->stored);
    lobby->stored_count = lobby->stored ? store_list_games(app->options->state, lobby->stored) : 0;
    if (lobby->chosen >= registry_count() + lobby->stored_count)
        lobby->chosen = 0;
    lobby->is_removing = false;
    app->page = PAGE_LOBBY;
}

/* The stored game that is chosen, or NULL. */
static const StoredGame *chosen_game(const Lobby *lobby) {
    size_t games = registry_count();
    return lobby->chosen >= games ? &lobby->stored[lobby->chosen - games] : NULL;
}

static void entry_text(const App *app, size_t index, Text *text) {
    static const Phrase steps = {{"{0}, {1}, {2} steps", "{0}, {1}, {2}수째"}};
    size_t games = registry_count();
    if (index < games) {
        text_addf(text, "%zu  %s", index + 1, app_words(app, registry_at(index)->identity.title));
        return;
    }
    const StoredGame *stored = &app->lobby.stored[index - games];
    char number[24];
    snprintf(number, sizeof number, "%zu", stored->steps);
    text_add(text, "   ");
    phrase_add(
        text, steps, app->lang,
        (const char *const[]){app_words(app, stored->game->identity.title), stored->seats, number});
}

/* The row of the screen, from the top of the list: a heading stands above the unfinished games. */
static int row_of_entry(size_t index) {
    return (int)index + (index >= registry_count() ? 2 : 0);
}

static void draw_list(App *app, Area area) {
    static const Phrase unfinished = {{"Go on with", "이어서 하기"}};
    Lobby *lobby = &app->lobby;
    size_t count = registry_count() + lobby->stored_count;
    /* A long list is shown around the chosen entry. */
    int scroll = row_of_entry(lobby->chosen) - area.rows + 1;
    scroll = scroll > 0 ? scroll : 0;
    lobby->first_row = area.row - scroll;
    int heading = lobby->first_row + (int)registry_count() + 1;
    if (lobby->stored_count > 0 && heading >= area.row && heading < area.row + area.rows)
        canvas_write(&app->canvas, heading, area.column, area.columns, app_words(app, unfinished),
                     INK_ACCENT, GROUND_NONE);
    for (size_t i = 0; i < count; i++) {
        int row = lobby->first_row + row_of_entry(i);
        if (row < area.row || row >= area.row + area.rows)
            continue;
        char bytes[2 * GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        entry_text(app, i, &text);
        int ground = i == lobby->chosen ? GROUND_CURSOR : GROUND_NONE;
        canvas_fill(&app->canvas, (Area){row, area.column, 1, area.columns}, ground);
        canvas_write(&app->canvas, row, area.column + 1, area.columns - 2, bytes, INK_TEXT, ground);
    }
}

/* Draws the position of the chosen entry: the last example of a game, or where a stored one is. */
static void draw_picture(App *app, Area area) {
    static BoardView view;
    const StoredGame *stored = chosen_game(&app->lobby);
    Record record = {.seed = 0};
    Variant variant;
    State state;
    if (stored) {
        Status status = saved_game_read(stored->path, &record);
        if (!status_is_ok(&status))
            return;
        variant = record.variant;
        state = *record_state(&record);
        record_close(&record);
    } else {
        variant = variant_default(registry_at(app->lobby.chosen));
        state = variant.game->tree.start(&variant.rules);
    }
    board_view_set(&view, &variant, &state, area, false, app->lang);
    board_view_draw(&view, &app->canvas, &variant, &state, area, app->lang);
}

void lobby_draw(App *app) {
    static const Phrase title = {{"malpan", "말판"}};
    static const Phrase subtitle = {
        {"five board games, and what every move is worth", "다섯 가지 판놀이와 수마다의 값"}};
    static const char *const keys[LANG_COUNT][20] = {
        {"?", "keys", "Enter", "play", "w", "watch", "d", "remove", "l", "한국어", "q", "quit",
         NULL},
        {"?", "키", "Enter", "하기", "w", "구경", "d", "지우기", "l", "English", "q", "끝내기",
         NULL}};
    Lobby *lobby = &app->lobby;
    Area body = frame_body(app);
    bool has_picture = body.columns >= PICTURE_FROM;
    frame_title(app, app_words(app, title), app_words(app, subtitle));
    body.row++;
    body.rows--;
    draw_list(app, (Area){body.row, 1, body.rows, has_picture ? LIST_COLUMNS : body.columns - 2});
    if (has_picture)
        draw_picture(
            app, (Area){body.row, LIST_COLUMNS + 3, body.rows, body.columns - LIST_COLUMNS - 4});
    const StoredGame *stored = chosen_game(lobby);
    const Game *game = stored ? stored->game : registry_at(lobby->chosen);
    canvas_write(&app->canvas, app->canvas.rows - 3, 1, app->canvas.columns - 2,
                 app_words(app, game->identity.about), INK_FAINT, GROUND_NONE);
    frame_message(app, lobby->message, true);
    frame_keys(app, keys[app->lang]);
}

static void resume(App *app, const StoredGame *stored) {
    Record record;
    Status status = saved_game_read(stored->path, &record);
    if (status_is_ok(&status))
        app_play(app, &record, stored->path);
    else
        snprintf(app->lobby.message, sizeof app->lobby.message, "%s", status.message);
}

/* Two computers of medium strength. */
static void watch(App *app, const Game *game) {
    Variant variant = variant_default(game);
    State start = game->tree.start(&variant.rules);
    Seat seats[GAME_PLAYERS_MAX];
    Record record;
    for (int i = 0; i < GAME_PLAYERS_MAX; i++) {
        Status status = seat_parse("strong", &seats[i]);
        (void)status; /* that player exists */
    }
    Status status = record_open(&variant, seats, app->seed++, &start, &record);
    if (status_is_ok(&status))
        app_play(app, &record, "");
    else
        snprintf(app->lobby.message, sizeof app->lobby.message, "%s", status.message);
}

static void open_chosen(App *app) {
    const StoredGame *stored = chosen_game(&app->lobby);
    if (stored)
        resume(app, stored);
    else
        setup_enter(app, registry_at(app->lobby.chosen));
}

/* Removes the chosen stored game, at the second key in a row. */
static void remove_chosen(App *app) {
    static const Phrase again = {
        {"press d again to remove this game", "d를 한 번 더 누르면 지웁니다"}};
    Lobby *lobby = &app->lobby;
    const StoredGame *stored = chosen_game(lobby);
    if (!stored)
        return;
    if (!lobby->is_removing) {
        lobby->is_removing = true;
        snprintf(lobby->message, sizeof lobby->message, "%s", app_words(app, again));
        return;
    }
    store_remove_game(stored->path);
    lobby->message[0] = '\0';
    lobby_enter(app);
}

static void click(App *app, int row) {
    Lobby *lobby = &app->lobby;
    for (size_t i = 0; i < registry_count() + lobby->stored_count; i++) {
        if (lobby->first_row + row_of_entry(i) != row)
            continue;
        bool again = lobby->chosen == i;
        lobby->chosen = i;
        if (again)
            open_chosen(app);
        return;
    }
}

void lobby_event(App *app, const Event *event) {
    Lobby *lobby = &app->lobby;
    size_t count = registry_count() + lobby->stored_count;
    if (event->kind == EVENT_CLICK) {
        click(app, event->row);
        return;
    }
    uint32_t key = event->kind == EVENT_WHEEL
                       ? (event->turns < 0 ? (uint32_t)KEY_CURSOR_UP : (uint32_t)KEY_CURSOR_DOWN)
                       : event->key;
    if (key == 'd') {
        remove_chosen(app);
        return;
    }
    lobby->is_removing = false;
    lobby->message[0] = '\0';
    if (key == KEY_CURSOR_DOWN || key == '\t')
        lobby->chosen = (lobby->chosen + 1) % count;
    else if (key == KEY_CURSOR_UP || key == KEY_BACK_TAB)
        lobby->chosen = (lobby->chosen + count - 1) % count;
    else if (key == KEY_RETURN || key == ' ')
        open_chosen(app);
    else if (key == 'w')
        watch(app, chosen_game(lobby) ? chosen_game(lobby)->game : registry_at(lobby->chosen));
    else if (key >= '1' && key < '1' + registry_count()) {
        lobby->chosen = key - '1';
        open_chosen(app);
    } else if (key == 'q' || key == KEY_ESCAPE)
        app->is_leaving = true;
}

void lobby_close(App *app) {
    free(app->lobby.stored);
    app->lobby = (Lobby){.stored = NULL};
}
