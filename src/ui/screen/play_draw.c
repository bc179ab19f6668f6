/* Draws a game: the board, and beside it the players, the moves, the history and a chart. */
#include <math.h>
#include <string.h>

#include "game/value_text.h"
#include "ui/screen/app.h"
#include "ui/screen/chart.h"

enum {
    BELOW_FROM = 26,
    PANEL_BELOW = 12,
    PANEL_COLUMNS = 30,
    PANEL_WIDE = 42,
    PANEL_FROM = 72,
    BOARD_LEAST = 42
};

/* --- the board and what is marked on it --- */

static void mark_last(Play *play) {
    const Record *record = &play->record;
    const Variant *variant = play_screen_variant(play);
    for (size_t step = record->step_count; step-- > 0;) {
        if (board_view_mark_path(&play->view, variant, &record->states[step], record->moves[step],
                                 -1, GROUND_LAST) > 0)
            return;
    }
}

static void mark_choices(Play *play) {
    bool allowed[CELLS_SPOTS_MAX];
    Picker *picker = &play->picker;
    const Variant *variant = play_screen_variant(play);
    size_t index;
    memset(play->view.marks, 0, sizeof play->view.marks);
    picker_list_spots(picker, allowed);
    if (picker_preview(picker, &index))
        board_view_mark_path(&play->view, variant, record_state(&play->record),
                             picker->moves[index], -1, GROUND_PATH);
    for (size_t i = 0; i < CELLS_SPOTS_MAX; i++)
        if (allowed[i])
            play->view.marks[i] = GROUND_TARGET;
    for (int i = 0; i < picker->picked_count; i++)
        play->view.marks[picker->picked[i]] = GROUND_SELECTED;
    if (picker->cursor >= 0 && !picker->uses_list)
        play->view.marks[picker->cursor] = GROUND_CURSOR;
}

static void draw_board(App *app, Area area) {
    Play *play = &app->play;
    const Variant *variant = play_screen_variant(play);
    const State *state = record_state(&play->record);
    play_lay_out(play, area);
    if (play->phase == PLAY_PERSON)
        mark_choices(play);
    else if (play->animation.is_running && !play->animation.is_throw)
        board_view_mark_path(&play->view, variant, state, play->animation.move,
                             play->animation.frame, GROUND_PATH);
    else
        mark_last(play);
    board_view_draw(&play->view, &app->canvas, variant, state, area, app->lang);
}

/* --- the panel --- */

/* The last line of the drawn board: whose turn it is, and what is to be played. */
static void status_line(const App *app, char bytes[GAME_DRAW_BYTES]) {
    const Variant *variant = play_screen_variant(&app->play);
    const State *state = record_state(&app->play.record);
    Text text = text_over(bytes, GAME_DRAW_BYTES);
    const DrawStyle style = {.ascii = app->canvas.ascii, .lang = app->lang, .columns = 80};
    if (app->play.phase == PLAY_END) {
        static const Phrase endless = {{"The same position has occurred five times: nobody wins.",
                                        "같은 국면이 다섯 번 나왔습니다: 승자 없음."}};
        if (variant->game->tree.actor(&variant->rules, state) == GAME_END)
            variant->game->text.narrate_end(&variant->rules, state, app->lang, &text);
        else
            text_add(&text, app_words(app, endless));
        return;
    }
    variant->game->text.draw(&variant->rules, state, style, &text);
    while (text.length > 0 && bytes[text.length - 1] == '\n')
        bytes[--text.length] = '\0';
    char *last = strrchr(bytes, '\n');
    if (last)
        memmove(bytes, last + 1, strlen(last + 1) + 1);
}

/* The value of the position to a player, or "". */
static void value_of(const Play *play, int player, Lang lang, char bytes[GAME_TEXT_BYTES]) {
    Text text = text_over(bytes, GAME_TEXT_BYTES);
    if (play->hints == HINTS_OFF || !play_is_evaluated(play))
        return;
    value_text_add_worded(&text, play_screen_variant(play), play->known.evaluation->values[player],
                          play->known.evaluation->kind == VALUE_ESTIMATE, lang);
}

/* Whether values are shares of winning, which a bar can show. */
static bool is_share(double value) {
    return value >= 0 && value <= 1;
}

static int draw_players(App *app, Area area) {
    static const Phrase marks[2] = {{{"  ", "  "}}, {{"▶ ", "▶ "}}};
    Play *play = &app->play;
    Canvas *canvas = &app->canvas;
    const Variant *variant = play_screen_variant(play);
    int turn = variant->game->tree.turn(&variant->rules, record_state(&play->record));
    int count = variant->game->rules.player_count(&variant->rules), row = area.row;
    for (int i = 0; i < count && row < area.row + area.rows; i++, row++) {
        char name[GAME_TEXT_BYTES], value[GAME_TEXT_BYTES];
        Text text = text_over(name, sizeof name);
        bool is_turn = i == turn && play->phase != PLAY_END;
        int column = canvas_write(canvas, row, area.column, 2, app_words(app, marks[is_turn]),
                                  INK_ACCENT, GROUND_NONE);
        canvas_put(canvas, row, column, cells_shape(i), INK_PLAYER + i, GROUND_NONE);
        text_addf(&text, "%d ", i);
        if (play->connection)
            online_add_name(play, i, app->lang, &text);
        else
            seat_print(&play->record.seats[i], &text);
        column = canvas_write(canvas, row, column + 2, 16, name, is_turn ? INK_TITLE : INK_TEXT,
                              GROUND_NONE);
        value_of(play, i, app->lang, value);
        if (!value[0])
            continue;
        int room = area.column + area.columns - column - 2 - text_columns(value);
        double share = play->known.evaluation->values[i];
        if (room >= 4 && is_share(share) && count > 1)
            canvas_bar(canvas, row, column + 1, room, share, INK_PLAYER + i);
        canvas_write(canvas, row, area.column + area.columns - text_columns(value),
                     text_columns(value), value, INK_TEXT, GROUND_NONE);
    }
    return row;
}

/* Draws dice or sticks: those that tumble, else the last throw of this turn. */
static void draw_throw(App *app, int row, int column) {
    Play *play = &app->play;
    const Record *record = &play->record;
    const Variant *variant = play_screen_variant(play);
    if (play->animation.is_running && play->animation.is_throw) {
        board_view_draw_event(&app->canvas, variant, record_state(record), play->animation.shown,
                              row, column);
        return;
    }
    for (size_t step = record->step_count; step-- > 0;) {
        if (variant->game->tree.actor(&variant->rules, &record->states[step]) != GAME_CHANCE)
            continue;
        board_view_draw_event(&app->canvas, variant, &record->states[step], record->moves[step],
                              row, column);
        return;
    }
}

/* The value of a move by the evaluation; false if it is not known or not to be shown. */
static const MoveValue *value_of_move(const Play *play, Move move, bool *is_best) {
    if (play->hints < HINTS_BEST || !play_is_evaluated(play))
        return NULL;
    const Evaluation *evaluation = play->known.evaluation;
    for (size_t i = 0; i < evaluation->move_count; i++) {
        if (evaluation->moves[i].move != move)
            continue;
        *is_best = i == 0;
        return &evaluation->moves[i];
    }
    return NULL;
}

static void draw_move(App *app, size_t index, int row, Area area) {
    Play *play = &app->play;
    const Variant *variant = play_screen_variant(play);
    const Picker *picker = &play->picker;
    char name[GAME_TEXT_BYTES], value[GAME_TEXT_BYTES] = "", line[2 * GAME_TEXT_BYTES];
    Text text = text_over(name, sizeof name);
    bool is_best = false;
    size_t preview;
    variant->game->text.print_move(&variant->rules, record_state(&play->record),
                                   picker->moves[index], app->lang, &text);
    const MoveValue *known = value_of_move(play, picker->moves[index], &is_best);
    text = text_over(value, sizeof value);
    if (known && (play->hints == HINTS_ALL || is_best))
        value_text_add_worded(&text, variant, known->value, known->is_estimate, app->lang);
    text = text_over(line, sizeof line);
    text_addf(&text, "%2zu %s", index + 1, name);
    bool is_chosen = picker_preview(picker, &preview) && preview == index;
    int ground = is_chosen && picker->uses_list ? GROUND_CURSOR
                 : is_chosen                    ? GROUND_PATH
                                                : GROUND_NONE;
    if (ground != GROUND_NONE)
        canvas_fill(&app->canvas, (Area){row, area.column, 1, area.columns}, ground);
    if (is_best)
        canvas_put(&app->canvas, row, area.column, '*', INK_GOOD, ground);
    int room = area.columns - 1 - (value[0] ? text_columns(value) + 1 : 0);
    canvas_write(&app->canvas, row, area.column + 1, room, line, is_best ? INK_GOOD : INK_TEXT,
                 ground);
    canvas_write(&app->canvas, row, area.column + area.columns - text_columns(value),
                 text_columns(value), value, INK_TEXT, ground);
}

/* Draws the moves that fit what is picked, around the chosen one. Returns the row below. */
static int draw_moves(App *app, Area area) {
    Play *play = &app->play;
    const Picker *picker = &play->picker;
    size_t fitting = 0, chosen_at = 0, seen = 0, preview = SIZE_MAX;
    picker_preview(picker, &preview);
    for (size_t i = 0; i < picker->count; i++) {
        if (!picker_fits(picker, i))
            continue;
        if (i == preview)
            chosen_at = fitting;
        fitting++;
    }
    size_t rows = (size_t)area.rows;
    size_t first = chosen_at >= rows ? chosen_at - rows + 1 : 0;
    int row = area.row;
    for (size_t i = 0; i < picker->count && row < area.row + area.rows; i++) {
        if (!picker_fits(picker, i) || seen++ < first)
            continue;
        if (row < PLAY_ROWS_MAX)
            play->rows_of_moves[row] = (int)i;
        draw_move(app, i, row++, area);
    }
    return row;
}

static void draw_history(App *app, Area area) {
    const Play *play = &app->play;
    const Record *record = &play->record;
    const Variant *variant = play_screen_variant(play);
    size_t rows = area.rows > 0 ? (size_t)area.rows : 0;
    size_t first = record->step_count > rows ? record->step_count - rows : 0;
    for (size_t step = first; step < record->step_count; step++) {
        char bytes[GAME_DRAW_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        variant->game->text.narrate(&variant->rules, &record->states[step], record->moves[step],
                                    app->lang, &text);
        canvas_write(&app->canvas, area.row + (int)(step - first), area.column, area.columns, bytes,
                     step + 1 == record->step_count ? INK_TEXT : INK_FAINT, GROUND_NONE);
    }
}

static int draw_heading(App *app, int row, Area area, Phrase words) {
    canvas_write(&app->canvas, row, area.column, area.columns, app_words(app, words), INK_ACCENT,
                 GROUND_NONE);
    return row + 1;
}

static void draw_panel(App *app, Area area) {
    static const Phrase moves = {{"Moves", "둘 수 있는 수"}};
    static const Phrase history = {{"So far", "지금까지"}};
    static const Phrase chart = {{"Player 0's value", "선수 0의 값"}};
    enum { CHART_ROWS = 6, MOVES_LEAST = 3 };
    Play *play = &app->play;
    const Variant *variant = play_screen_variant(play);
    int end = area.row + area.rows, row = draw_players(app, area) + 1;
    if (variant->game->cells && variant->game->cells->draw_event && end - row > 9) {
        draw_throw(app, row, area.column);
        row += CELLS_EVENT_ROWS + 1;
    }
    if (play->phase == PLAY_PERSON && end - row > MOVES_LEAST) {
        row = draw_heading(app, row, area, moves);
        int rows = play->picker.picked_count > 0 || play->hints == HINTS_ALL
                       ? end - row - MOVES_LEAST
                       : (end - row) / 2;
        row = draw_moves(app, (Area){row, area.column, rows, area.columns}) + 1;
    }
    if (play->shows_chart && end - row > CHART_ROWS) {
        row = draw_heading(app, row, area, chart);
        chart_draw(&app->canvas, (Area){row, area.column, CHART_ROWS - 1, area.columns},
                   play->values,
                   play->value_capacity > play->record.step_count ? play->record.step_count + 1
                                                                  : play->value_capacity,
                   SIZE_MAX);
        row += CHART_ROWS;
    }
    if (end - row > 1) {
        row = draw_heading(app, row, area, history);
        draw_history(app, (Area){row, area.column, end - row, area.columns});
    }
}

/* --- the lines at the bottom --- */

/* A throw in words while it tumbles; a small screen has no room for a picture. */
static void draw_thrown(App *app) {
    const Play *play = &app->play;
    const Variant *variant = play_screen_variant(play);
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    variant->game->text.print_move(&variant->rules, record_state(&play->record),
                                   play->animation.shown, app->lang, &text);
    frame_message(app, bytes, false);
}

/* Whether the panel is on the screen, beside the board or below it. */
static bool has_panel(const App *app) {
    Area body = frame_body(app);
    return body.columns >= PANEL_FROM || body.rows > BELOW_FROM;
}

/* Adds a move with its number in the list and, if it is to be shown, its value. */
static void add_move(const App *app, size_t index, Text *text) {
    const Play *play = &app->play;
    const Variant *variant = play_screen_variant(play);
    char name[GAME_TEXT_BYTES];
    Text name_text = text_over(name, sizeof name);
    bool is_best = false;
    variant->game->text.print_move(&variant->rules, record_state(&play->record),
                                   play->picker.moves[index], app->lang, &name_text);
    text_addf(text, "#%zu %s", index + 1, name);
    const MoveValue *known = value_of_move(play, play->picker.moves[index], &is_best);
    if (known && (play->hints == HINTS_ALL || is_best)) {
        text_add_char(text, ' ');
        value_text_add_worded(text, variant, known->value, known->is_estimate, app->lang);
    }
}

/* Without the panel: the move that is pointed at, and the best one. False if there is neither. */
static bool draw_choice(App *app) {
    static const Phrase best = {{"best: ", "최선: "}};
    const Play *play = &app->play;
    char bytes[2 * GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    size_t index;
    if (has_panel(app) || play->phase != PLAY_PERSON || play->message_is_error)
        return false;
    if (play->message[0] && !play->picker.uses_list && play->hints < HINTS_BEST)
        return false; /* what has just happened matters more */
    if (picker_preview(&play->picker, &index))
        add_move(app, index, &text);
    for (size_t i = 0; i < play->picker.count && play->hints >= HINTS_BEST; i++) {
        bool is_best = false;
        if (!value_of_move(play, play->picker.moves[i], &is_best) || !is_best)
            continue;
        text_addf(&text, "%s%s", text.length > 0 ? "; " : "", app_words(app, best));
        add_move(app, i, &text);
    }
    if (text.length > 0)
        frame_message(app, bytes, false);
    return text.length > 0;
}

static void draw_bottom(App *app) {
    static const Phrase to_throw = {{"Enter: throw", "Enter: 던지기"}};
    static const Phrase thinks = {{"thinking...", "생각하는 중..."}};
    static const Phrase prepares = {{"preparing the players...", "선수를 준비하는 중..."}};
    static const Phrase paused = {{"paused (p goes on)", "멈춤 (p로 계속)"}};
    static const Phrase over = {{"r: review, q: leave", "r: 복기, q: 나가기"}};
    Play *play = &app->play;
    Canvas *canvas = &app->canvas;
    char status[GAME_DRAW_BYTES];
    const char *doing = !play->is_open && !play->has_failed     ? app_words(app, prepares)
                        : play->phase == PLAY_THROW             ? app_words(app, to_throw)
                        : play->phase == PLAY_END               ? app_words(app, over)
                        : play->is_paused                       ? app_words(app, paused)
                        : play->is_asked || play->is_evaluating ? app_words(app, thinks)
                                                                : "";
    char online[GAME_TEXT_BYTES] = "", value[GAME_TEXT_BYTES] = "";
    Text online_text = text_over(online, sizeof online);
    if (play->connection)
        online_describe(play, app->lang, &online_text);
    if (online[0])
        doing = online;
    int turn = play_screen_variant(play)->game->tree.turn(&play_screen_variant(play)->rules,
                                                          record_state(&play->record));
    value_of(play, turn, app->lang, value);
    if (!*doing && !has_panel(app))
        doing = value;
    status_line(app, status);
    int row = canvas->rows - 3, used = text_columns(doing);
    canvas_write(canvas, row, 1, canvas->columns - 3 - used, status, INK_TITLE, GROUND_NONE);
    canvas_write(canvas, row, canvas->columns - 1 - used, used, doing, INK_ACCENT, GROUND_NONE);
    if (play->is_typing) {
        int column = canvas_write(canvas, canvas->rows - 2, 1, 2, "> ", INK_ACCENT, GROUND_NONE);
        column = canvas_write(canvas, canvas->rows - 2, column, canvas->columns - 5, play->entry,
                              INK_TITLE, GROUND_NONE);
        canvas_put(canvas, canvas->rows - 2, column, '_', INK_ACCENT, GROUND_NONE);
    } else if (play->animation.is_running && play->animation.is_throw) {
        draw_thrown(app);
    } else if (!draw_choice(app)) {
        frame_message(app, play->message, play->message_is_error);
    }
}

static void draw_keys(App *app) {
    static const char *const keys[LANG_COUNT][24] = {
        {"?",     "keys",     "Enter", "play",   "Tab",     "list",  "h",
         "hints", "u",        "undo",  "n",      "numbers", "c",     "chart",
         "a",     "analysis", "l",     "한국어", "q",       "leave", NULL},
        {"?",    "키", "Enter",  "두기", "Tab",  "목록", "h",       "힌트", "u",      "무르기", "n",
         "번호", "c",  "그래프", "a",    "분석", "l",    "English", "q",    "나가기", NULL}};
    frame_keys(app, keys[app->lang]);
}

void play_page_draw(App *app) {
    Play *play = &app->play;
    const Variant *variant = play_screen_variant(play);
    Area body = frame_body(app);
    char rules[GAME_RULES_TEXT_BYTES];
    Text text = text_over(rules, sizeof rules);
    variant_print_unusual(variant, &text);
    frame_title(app, app_words(app, variant->game->identity.title), rules);
    memset(play->rows_of_moves, 0xFF, sizeof play->rows_of_moves);
    if (body.columns >= PANEL_FROM) {
        int wide = body.columns >= 110 ? PANEL_WIDE : PANEL_COLUMNS;
        int board = body.columns - wide - 2;
        draw_board(app, (Area){body.row, 0, body.rows, board});
        draw_panel(app, (Area){body.row, board + 1, body.rows, wide});
    } else {
        int below = body.rows > BELOW_FROM ? PANEL_BELOW : 0;
        draw_board(app, (Area){body.row, 0, body.rows - below, body.columns});
        if (below > 0)
            draw_panel(app, (Area){body.row + body.rows - below, 1, below, body.columns - 2});
    }
    draw_bottom(app);
    draw_keys(app);
}
