/* What the keys and the mouse do while a game is played. */
#include <math.h>
#include <string.h>

#include "play/typed_move.h"
#include "ui/screen/app.h"

/* --- choosing --- */

static void say(App *app, bool is_error, Phrase phrase) {
    play_say(&app->play, is_error, app_words(app, phrase));
}

/* Says why the spot cannot be picked. */
static void say_wrong(App *app) {
    static const Phrase none = {
        {"no legal move uses this place; the legal ones are marked",
         "여기로 둘 수 있는 수가 없습니다. 둘 수 있는 곳은 표시되어 있습니다"}};
    say(app, true, none);
}

static void settle(App *app, PickResult result, Move move) {
    if (result == PICK_MOVE)
        play_make(&app->play, move, app->now_s);
    else if (result == PICK_WRONG)
        say_wrong(app);
    else
        app->play.message[0] = '\0';
}

static void confirm(App *app) {
    Play *play = &app->play;
    Move move = 0;
    if (play->phase == PLAY_THROW) {
        play_throw(play, app->now_s);
        return;
    }
    if (play->phase != PLAY_PERSON)
        return;
    PickResult result = picker_confirm(&play->picker, &move);
    settle(app, result, move);
}

static void click(App *app, const Event *event) {
    Play *play = &app->play;
    Move move = 0;
    if (play->phase == PLAY_THROW) {
        play_throw(play, app->now_s);
        return;
    }
    if (play->phase != PLAY_PERSON)
        return;
    int listed = event->row < PLAY_ROWS_MAX && event->column >= play->board_area.columns
                     ? play->rows_of_moves[event->row]
                     : -1;
    if (listed >= 0) {
        play_make(play, play->picker.moves[listed], app->now_s);
        return;
    }
    int spot = board_view_spot_at(&play->view, event->row, event->column);
    if (spot >= 0) {
        PickResult result = picker_pick(&play->picker, spot, &move);
        settle(app, result, move);
    } else if (play->picker.count == 1) {
        play_make(play, play->picker.moves[0], app->now_s);
    }
}

static void move_cursor(App *app, uint32_t key) {
    Play *play = &app->play;
    if (play->phase != PLAY_PERSON)
        return;
    picker_move(&play->picker, &play->view,
                key == KEY_CURSOR_DOWN ? 1
                : key == KEY_CURSOR_UP ? -1
                                       : 0,
                key == KEY_CURSOR_RIGHT  ? 1
                : key == KEY_CURSOR_LEFT ? -1
                                         : 0);
}

/* --- typing a move --- */

static void start_typing(App *app, uint32_t key) {
    Play *play = &app->play;
    if (play->phase != PLAY_PERSON)
        return;
    Text text = text_over(play->entry, sizeof play->entry);
    if (key != ':')
        text_add_code_point(&text, key);
    play->is_typing = true;
}

static void enter_typed(App *app) {
    Play *play = &app->play;
    Move move;
    play->is_typing = false;
    Status status = typed_move_read(play_screen_variant(play), record_state(&play->record),
                                    play->entry, app->lang, &move);
    if (status_is_ok(&status))
        play_make(play, move, app->now_s);
    else
        play_say(play, true, status.message);
}

static void type(App *app, uint32_t key) {
    Play *play = &app->play;
    size_t length = strlen(play->entry);
    if (key == KEY_RETURN) {
        enter_typed(app);
    } else if (key == KEY_ESCAPE || (key == KEY_ERASE && length == 0)) {
        play->is_typing = false;
    } else if (key == KEY_ERASE) {
        text_cut(play->entry, length - 1);
    } else if (key >= ' ' && key < KEY_CURSOR_UP && key != KEY_ERASE) {
        Text text = {.bytes = play->entry, .capacity = sizeof play->entry, .length = length};
        text_add_code_point(&text, key);
    }
}

/* --- commands --- */

static void undo(App *app) {
    static const Phrase nothing = {{"there is nothing to take back", "무를 것이 없습니다"}};
    static const Phrase asks = {
        {"asked the server to take back a move", "서버에 무르기를 청했습니다"}};
    const bool is_online = app->play.connection != NULL;
    if ((is_online && !app->play.online.state.can_undo) || !play_undo(&app->play, app->now_s))
        say(app, true, nothing);
    else if (is_online)
        say(app, false, asks);
    else
        app->play.message[0] = '\0';
}

static void next_hints(App *app) {
    static const Phrase names[HINTS_COUNT] = {
        {{"hints: off", "힌트 끔"}},
        {{"hints: the value of the position", "힌트: 국면의 값"}},
        {{"hints: the best move", "힌트: 최선의 수"}},
        {{"hints: the value of every move", "힌트: 모든 수의 값"}}};
    Hints hints = (Hints)((app->play.hints + 1) % HINTS_COUNT);
    say(app, false, names[hints]);
    play_set_hints(&app->play, hints);
}

static void save(App *app) {
    static const Phrase saved = {{"saved in {0}", "{0}에 저장했습니다"}};
    static const Phrase unsaved = {
        {"there is no folder to save games in", "게임을 저장할 폴더가 없습니다"}};
    static const Phrase served = {{"the server keeps this game", "이 게임은 서버에 저장됩니다"}};
    Play *play = &app->play;
    if (!play->path[0]) {
        say(app, !play->connection, play->connection ? served : unsaved);
        return;
    }
    Status status = saved_game_write(&play->saved, &play->record);
    char bytes[PATH_MAX + GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    phrase_add(&text, saved, app->lang, (const char *const[]){play->path});
    play_say(play, !status_is_ok(&status), status_is_ok(&status) ? bytes : status.message);
}

/* Faster or slower moves of computers. */
static void change_pace(Play *play, bool faster) {
    enum { USUAL_MS = 500, LEAST_MS = 60, MOST_MS = 8000 };
    int pace = play->pace_ms >= 0 ? play->pace_ms : USUAL_MS;
    pace = faster ? pace / 2 : pace * 2 + LEAST_MS;
    play->pace_ms = pace < LEAST_MS ? 0 : pace > MOST_MS ? MOST_MS : pace;
}

static void command(App *app, uint32_t key) {
    Play *play = &app->play;
    switch (key) {
    case 'u':
        undo(app);
        break;
    case 'U':
        if (play->connection)
            online_send(play, CONNECTION_DECLINE, NULL);
        break;
    case 'h':
        next_hints(app);
        break;
    case 's':
        save(app);
        break;
    case 'n':
        play->numbers = !play->numbers;
        break;
    case 'c':
        play->shows_chart = !play->shows_chart;
        break;
    case 'p':
        play->is_paused = !play->is_paused;
        play->stepped_s = app->now_s;
        break;
    case '+':
    case '=':
        change_pace(play, true);
        break;
    case '-':
        change_pace(play, false);
        break;
    case 'a':
        analysis_enter(app);
        break;
    case 'r':
        review_page_enter(app);
        break;
    case 'q':
        app_leave_game(app);
        break;
    default:
        if (key == ':' || key == '#' || (key > ' ' && key < KEY_CURSOR_UP && key != KEY_ERASE))
            start_typing(app, key);
    }
}

void play_page_event(App *app, const Event *event) {
    Play *play = &app->play;
    uint32_t key = event->key;
    if (event->kind == EVENT_CLICK) {
        click(app, event);
    } else if (event->kind == EVENT_WHEEL) {
        if (play->phase == PLAY_PERSON)
            picker_step(&play->picker, event->turns);
    } else if (play->is_typing) {
        type(app, key);
    } else if (key == KEY_RETURN || key == ' ') {
        confirm(app);
    } else if (key >= KEY_CURSOR_UP && key <= KEY_CURSOR_RIGHT) {
        move_cursor(app, key);
    } else if (key == '\t' || key == KEY_BACK_TAB) {
        if (play->phase == PLAY_PERSON)
            picker_step(&play->picker, key == '\t' ? 1 : -1);
    } else if (key == KEY_ESCAPE || key == KEY_ERASE) {
        if (play->phase == PLAY_PERSON)
            picker_back(&play->picker);
    } else {
        command(app, key);
    }
}
