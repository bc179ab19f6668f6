#include "ui/screen/analysis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/value_text.h"
#include "ui/screen/app.h"

enum { PANEL_COLUMNS = 32, PANEL_FROM = 76 };

static const AnalysisNode *here(const Analysis *analysis) {
    return &analysis->nodes[analysis->here];
}

static const Variant *variant_of(const App *app) {
    return play_screen_variant(&app->play);
}

/* --- evaluations --- */

static bool is_of(const ThinkResult *result, const State *state) {
    return memcmp(&result->state, state, sizeof *state) == 0;
}

/* Lists the moves or throws of the position: best first, if they are evaluated. */
static void list_moves(App *app) {
    Analysis *analysis = &app->analysis;
    const State *state = &here(analysis)->state;
    analysis->move_count = variant_steps(variant_of(app), state, analysis->moves);
    if (!analysis->has_known || !is_of(&analysis->known, state))
        return;
    const Evaluation *evaluation = analysis->known.evaluation;
    if (evaluation->move_count == analysis->move_count)
        for (size_t i = 0; i < evaluation->move_count; i++)
            analysis->moves[i] = evaluation->moves[i].move;
}

static void take_values(void *context, ThinkResult *result) {
    App *app = context;
    Analysis *analysis = &app->analysis;
    if (!status_is_ok(&result->status)) {
        if (result->status.code != STATUS_STOPPED)
            snprintf(analysis->message, sizeof analysis->message, "%s", result->status.message);
        think_result_free(result);
        return;
    }
    bool is_line = result->kind == THINK_LINE;
    ThinkResult *kept = is_line ? &analysis->line : &analysis->known;
    think_result_free(kept);
    *kept = *result;
    if (is_line) {
        analysis->has_line = true;
        return;
    }
    analysis->has_known = true;
    list_moves(app);
    const ThinkJob job = {.kind = THINK_LINE, .state = here(analysis)->state};
    thinker_post(app->play.thinker, &job);
}

static void evaluate_here(App *app) {
    Analysis *analysis = &app->analysis;
    const ThinkJob open = {.kind = THINK_OPEN};
    const ThinkJob job = {.kind = THINK_VALUES, .state = here(analysis)->state};
    thinker_cancel(app->play.thinker);
    if (!app->play.is_open && !app->play.has_failed)
        thinker_post(app->play.thinker, &open);
    thinker_post(app->play.thinker, &job);
    analysis->chosen = 0;
    analysis->message[0] = '\0';
    list_moves(app);
}

/* --- the tree --- */

static void set_root(App *app, const State *state) {
    Analysis *analysis = &app->analysis;
    analysis->nodes[0] = (AnalysisNode){.parent = -1, .last = -1, .state = *state};
    analysis->count = 1;
    analysis->here = 0;
    evaluate_here(app);
}

/* Goes to the child by this move, which is made if it is new. */
static void try_move(App *app, Move move) {
    static const Phrase full = {{"that is as many positions as an analysis holds",
                                 "분석에 담을 수 있는 국면이 꽉 찼습니다"}};
    Analysis *analysis = &app->analysis;
    int child = 1;
    while (child < analysis->count &&
           (analysis->nodes[child].parent != analysis->here || analysis->nodes[child].move != move))
        child++;
    if (child == ANALYSIS_NODES_MAX) {
        snprintf(analysis->message, sizeof analysis->message, "%s", app_words(app, full));
        return;
    }
    if (child == analysis->count) {
        AnalysisNode *node = &analysis->nodes[analysis->count++];
        *node = (AnalysisNode){
            .parent = analysis->here, .last = -1, .move = move, .state = here(analysis)->state};
        variant_of(app)->game->tree.apply(&variant_of(app)->rules, &node->state, move);
    }
    analysis->nodes[analysis->here].last = child;
    analysis->here = child;
    evaluate_here(app);
}

static void go_to(App *app, int node) {
    if (node < 0)
        return;
    app->analysis.here = node;
    evaluate_here(app);
}

/* --- entering and leaving --- */

void analysis_enter(App *app) {
    Analysis *analysis = &app->analysis;
    Play *play = &app->play;
    const Record *record = &play->record;
    const State *state =
        app->page == PAGE_REVIEW ? &record->states[app->review.step] : record_state(record);
    if (!analysis->nodes)
        analysis->nodes = malloc(ANALYSIS_NODES_MAX * sizeof *analysis->nodes);
    if (!analysis->moves)
        analysis->moves = malloc(GAME_MOVES_MAX * sizeof *analysis->moves);
    if (!analysis->nodes || !analysis->moves)
        return;
    play->on_values = take_values;
    play->values_context = app;
    play->is_asked = play->is_evaluating = false; /* withdrawn by evaluate_here */
    app->page = PAGE_ANALYSIS;
    set_root(app, state);
}

void analysis_close(Analysis *analysis) {
    think_result_free(&analysis->known);
    think_result_free(&analysis->line);
    free(analysis->nodes);
    free(analysis->moves);
    *analysis = (Analysis){.nodes = NULL};
}

static void leave(App *app) {
    Play *play = &app->play;
    const ThinkJob open = {.kind = THINK_OPEN};
    thinker_cancel(play->thinker);
    if (!play->is_open && !play->has_failed)
        thinker_post(play->thinker, &open);
    play->on_values = NULL;
    play->is_paused = false;
    play_set_hints(play, play->hints);
    app->page = PAGE_PLAY;
}

/* --- drawing --- */

static void value_text(const App *app, Move move, char bytes[GAME_TEXT_BYTES]) {
    const Analysis *analysis = &app->analysis;
    const State *state = &here(analysis)->state;
    const Variant *variant = variant_of(app);
    Text text = text_over(bytes, GAME_TEXT_BYTES);
    if (variant->game->tree.actor(&variant->rules, state) == GAME_CHANCE) {
        Chance chances[GAME_CHANCES_MAX];
        uint64_t whole;
        size_t count = variant->game->tree.chances(&variant->rules, state, chances, &whole);
        for (size_t i = 0; i < count; i++)
            if (chances[i].move == move)
                text_addf(&text, "%.1f %%", 100 * (double)chances[i].weight / (double)whole);
        return;
    }
    if (!analysis->has_known || !is_of(&analysis->known, state))
        return;
    const Evaluation *evaluation = analysis->known.evaluation;
    for (size_t i = 0; i < evaluation->move_count; i++)
        if (evaluation->moves[i].move == move)
            value_text_add_worded(&text, variant, evaluation->moves[i].value,
                                  evaluation->moves[i].is_estimate, app->lang);
}

/* Whether the move was tried before. */
static bool is_tried(const Analysis *analysis, Move move) {
    for (int i = 1; i < analysis->count; i++)
        if (analysis->nodes[i].parent == analysis->here && analysis->nodes[i].move == move)
            return true;
    return false;
}

static void draw_list(App *app, Area area) {
    Analysis *analysis = &app->analysis;
    const Variant *variant = variant_of(app);
    size_t rows = area.rows > 0 ? (size_t)area.rows : 0;
    analysis->first = analysis->chosen >= rows ? analysis->chosen - rows + 1 : 0;
    analysis->first_row = area.row;
    analysis->rows = area.rows;
    for (size_t i = analysis->first; i < analysis->move_count && i < analysis->first + rows; i++) {
        char name[GAME_TEXT_BYTES], value[GAME_TEXT_BYTES];
        Text text = text_over(name, sizeof name);
        variant->game->text.print_move(&variant->rules, &here(analysis)->state, analysis->moves[i],
                                       app->lang, &text);
        value_text(app, analysis->moves[i], value);
        int row = area.row + (int)(i - analysis->first), used = text_columns(value);
        int ground = i == analysis->chosen ? GROUND_CURSOR : GROUND_NONE;
        canvas_fill(&app->canvas, (Area){row, area.column, 1, area.columns}, ground);
        canvas_write(&app->canvas, row, area.column, 2,
                     is_tried(analysis, analysis->moves[i]) ? ">" : " ", INK_ACCENT, ground);
        canvas_write(&app->canvas, row, area.column + 2, area.columns - used - 3, name, INK_TEXT,
                     ground);
        canvas_write(&app->canvas, row, area.column + area.columns - used - 1, used, value,
                     INK_TEXT, ground);
    }
}

/* The moves from the root to here. */
static void path_text(const App *app, Text *text) {
    const Analysis *analysis = &app->analysis;
    const Variant *variant = variant_of(app);
    int nodes[64];
    int count = 0;
    for (int node = analysis->here; node > 0 && count < 64; node = analysis->nodes[node].parent)
        nodes[count++] = node;
    while (count-- > 0) {
        const AnalysisNode *node = &analysis->nodes[nodes[count]];
        char move[GAME_TEXT_BYTES];
        Text move_text = text_over(move, sizeof move);
        variant->game->text.print_move(&variant->rules, &analysis->nodes[node->parent].state,
                                       node->move, app->lang, &move_text);
        text_addf(text, "%s ", move);
    }
}

static void line_text(const App *app, Text *text) {
    static const Phrase best = {{"best line: ", "최선의 진행: "}};
    const Analysis *analysis = &app->analysis;
    const Variant *variant = variant_of(app);
    State state = here(analysis)->state;
    if (!analysis->has_line || !is_of(&analysis->line, &state) || analysis->line.line->length == 0)
        return;
    text_add(text, app_words(app, best));
    for (size_t i = 0; i < analysis->line.line->length; i++) {
        Move move = analysis->line.line->moves[i];
        char bytes[GAME_TEXT_BYTES];
        Text move_text = text_over(bytes, sizeof bytes);
        variant->game->text.print_move(&variant->rules, &state, move, app->lang, &move_text);
        text_addf(text, "%s%s", i > 0 ? ", " : "", bytes);
        variant->game->tree.apply(&variant->rules, &state, move);
    }
}

/* The value of the position, or how the game ended. */
static void draw_value(App *app, Area area) {
    static const Phrase value_words = {{"player {0}: {1}", "선수 {0}: {1}"}};
    static const Phrase waits = {{"evaluating...", "평가하는 중..."}};
    const Analysis *analysis = &app->analysis;
    const Variant *variant = variant_of(app);
    bool is_known = analysis->has_known && is_of(&analysis->known, &here(analysis)->state);
    int count = variant->game->rules.player_count(&variant->rules);
    if (!is_known) {
        canvas_write(&app->canvas, area.row, area.column, area.columns,
                     analysis->message[0] ? "" : app_words(app, waits), INK_FAINT, GROUND_NONE);
        return;
    }
    const Evaluation *evaluation = analysis->known.evaluation;
    for (int i = 0; i < count && i < area.rows; i++) {
        char number[16], value[GAME_TEXT_BYTES], bytes[2 * GAME_TEXT_BYTES];
        Text value_words_text = text_over(value, sizeof value);
        Text text = text_over(bytes, sizeof bytes);
        snprintf(number, sizeof number, "%d", i);
        value_text_add_worded(&value_words_text, variant, evaluation->values[i],
                              evaluation->kind == VALUE_ESTIMATE, app->lang);
        phrase_add(&text, value_words, app->lang, (const char *const[]){number, value});
        canvas_write(&app->canvas, area.row + i, area.column, area.columns, bytes, INK_TITLE,
                     GROUND_NONE);
    }
}

static void draw_board(App *app, Area area) {
    Analysis *analysis = &app->analysis;
    BoardView *view = &app->play.view;
    const State *state = &here(analysis)->state;
    board_view_set(view, variant_of(app), state, area, app->play.numbers, app->lang);
    if (analysis->chosen < analysis->move_count)
        board_view_mark_path(view, variant_of(app), state, analysis->moves[analysis->chosen], -1,
                             GROUND_PATH);
    board_view_draw(view, &app->canvas, variant_of(app), state, area, app->lang);
}

void analysis_draw(App *app) {
    static const Phrase title = {{"Analysis", "분석"}};
    static const char *const keys[LANG_COUNT][16] = {
        {"?", "keys", "Enter", "try", "<-", "back", "->", "forward", "e", "position", "Esc",
         "leave", NULL},
        {"?", "키", "Enter", "두어 보기", "<-", "뒤로", "->", "앞으로", "e", "국면", "Esc",
         "나가기", NULL}};
    Analysis *analysis = &app->analysis;
    Canvas *canvas = &app->canvas;
    char path[GAME_DRAW_BYTES], line[GAME_DRAW_BYTES];
    Text path_words = text_over(path, sizeof path), line_words = text_over(line, sizeof line);
    Area body = frame_body(app);
    bool is_wide = body.columns >= PANEL_FROM;
    int count = variant_of(app)->game->rules.player_count(&variant_of(app)->rules);
    path_text(app, &path_words);
    line_text(app, &line_words);
    frame_title(app, app_words(app, title), path);
    if (is_wide) {
        int board = body.columns - PANEL_COLUMNS - 2;
        draw_board(app, (Area){body.row, 0, body.rows, board});
        draw_value(app, (Area){body.row, board + 1, count, PANEL_COLUMNS});
        draw_list(app,
                  (Area){body.row + count + 1, board + 1, body.rows - count - 1, PANEL_COLUMNS});
    } else {
        draw_value(app, (Area){body.row, 1, 1, body.columns - 2});
        draw_list(app, (Area){body.row + 1, 1, body.rows - 1, body.columns - 2});
    }
    canvas_write(canvas, canvas->rows - 3, 1, canvas->columns - 2, line, INK_TITLE, GROUND_NONE);
    if (analysis->is_typing) {
        int column = canvas_write(canvas, canvas->rows - 2, 1, 2, "> ", INK_ACCENT, GROUND_NONE);
        column = canvas_write(canvas, canvas->rows - 2, column, canvas->columns - 5,
                              analysis->entry, INK_TITLE, GROUND_NONE);
        canvas_put(canvas, canvas->rows - 2, column, '_', INK_ACCENT, GROUND_NONE);
    } else {
        frame_message(app, analysis->message, true);
    }
    frame_keys(app, keys[app->lang]);
}

/* --- events --- */

static void enter_position(App *app) {
    Analysis *analysis = &app->analysis;
    const Variant *variant = variant_of(app);
    State state;
    Status status = variant->game->text.parse_state(&variant->rules, analysis->entry, &state);
    analysis->is_typing = false;
    if (status_is_ok(&status))
        set_root(app, &state);
    else
        snprintf(analysis->message, sizeof analysis->message, "%s", status.message);
}

static void type(App *app, uint32_t key) {
    Analysis *analysis = &app->analysis;
    size_t length = strlen(analysis->entry);
    if (key == KEY_RETURN) {
        enter_position(app);
    } else if (key == KEY_ESCAPE) {
        analysis->is_typing = false;
    } else if (key == KEY_ERASE && length > 0) {
        text_cut(analysis->entry, length - 1);
    } else if (key >= ' ' && key < KEY_CURSOR_UP && key != KEY_ERASE) {
        Text text = {
            .bytes = analysis->entry, .capacity = sizeof analysis->entry, .length = length};
        text_add_code_point(&text, key);
    }
}

/* The position as text, to be changed. */
static void start_typing(App *app) {
    Analysis *analysis = &app->analysis;
    const Variant *variant = variant_of(app);
    Text text = text_over(analysis->entry, sizeof analysis->entry);
    variant->game->text.print_state(&variant->rules, &here(analysis)->state, &text);
    analysis->message[0] = '\0';
    analysis->is_typing = true;
}

static void click(App *app, int row) {
    Analysis *analysis = &app->analysis;
    int at = row - analysis->first_row;
    if (at < 0 || at >= analysis->rows || analysis->first + (size_t)at >= analysis->move_count)
        return;
    try_move(app, analysis->moves[analysis->first + (size_t)at]);
}

void analysis_event(App *app, const Event *event) {
    Analysis *analysis = &app->analysis;
    uint32_t key = event->key;
    if (event->kind == EVENT_CLICK) {
        click(app, event->row);
        return;
    }
    if (event->kind == EVENT_WHEEL)
        key = event->turns < 0 ? KEY_CURSOR_UP : KEY_CURSOR_DOWN;
    if (analysis->is_typing)
        type(app, key);
    else if (key == KEY_CURSOR_UP && analysis->chosen > 0)
        analysis->chosen--;
    else if (key == KEY_CURSOR_DOWN && analysis->chosen + 1 < analysis->move_count)
        analysis->chosen++;
    else if (key == KEY_RETURN && analysis->chosen < analysis->move_count)
        try_move(app, analysis->moves[analysis->chosen]);
    else if (key == KEY_CURSOR_LEFT || key == KEY_ERASE || key == 'u')
        go_to(app, here(analysis)->parent);
    else if (key == KEY_CURSOR_RIGHT)
        go_to(app, here(analysis)->last);
    else if (key == 'e')
        start_typing(app);
    else if (key == 'n')
        app->play.numbers = !app->play.numbers;
    else if (key == KEY_ESCAPE || key == 'q' || key == 'a')
        leave(app);
}
