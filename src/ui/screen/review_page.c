#include "ui/screen/review_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "game/value_text.h"
#include "ui/screen/app.h"
#include "ui/screen/chart.h"

enum { LIST_COLUMNS = 40, BOARD_FROM = 80, CHART_ROWS = 4 };

/* A loss smaller than this is not shown. */
#define LOSS_SHOWN 0.0005

void review_page_enter(App *app) {
    Play *play = &app->play;
    if (play->record.step_count == 0)
        return;
    play->is_paused = true;
    app->review.step = play->record.step_count;
    bool is_known = play->review && play->review->step_count == play->record.step_count;
    const ThinkJob job = {.kind = THINK_REVIEW, .record = record_print(&play->record)};
    if (is_known)
        free(job.record);
    else if (job.record)
        thinker_post(play->thinker, &job);
    app->page = PAGE_REVIEW;
}

void review_page_close(ReviewPage *page) {
    free(page->values);
    *page = (ReviewPage){.values = NULL};
}

/* The review, if it is of the game as it stands. */
static const Review *current_review(const App *app) {
    const Review *review = app->play.review;
    return review && review->step_count == app->play.record.step_count ? review : NULL;
}

static void collect_values(App *app, const Review *review) {
    ReviewPage *page = &app->review;
    size_t count = review->step_count + 1;
    if (page->count != count) {
        double *values = realloc(page->values, count * sizeof *values);
        if (!values)
            return;
        page->values = values;
        page->count = count;
    }
    for (size_t i = 0; i < count; i++)
        page->values[i] = i < review->step_count ? review->steps[i].values[0] : review->end[0];
}

static void draw_step(App *app, const Review *review, size_t step, int row, Area area) {
    const Record *record = &app->play.record;
    const Variant *variant = &record->variant;
    char words[GAME_DRAW_BYTES], mark[64] = "";
    Text text = text_over(words, sizeof words), mark_text = text_over(mark, sizeof mark);
    variant->game->text.narrate(&variant->rules, &record->states[step], record->moves[step],
                                app->lang, &text);
    int ink = INK_FAINT;
    if (review && review->steps[step].is_chance)
        text_addf(&mark_text, "%+.3f", review->steps[step].luck);
    else if (review) {
        bool lost = review->steps[step].loss > LOSS_SHOWN;
        ink = lost ? INK_BAD : INK_GOOD;
        if (lost)
            text_addf(&mark_text, "-%.3f", review->steps[step].loss);
        else
            text_add(&mark_text, "ok");
    }
    int ground = step == app->review.step ? GROUND_CURSOR : GROUND_NONE;
    canvas_fill(&app->canvas, (Area){row, area.column, 1, area.columns}, ground);
    int used = text_columns(mark);
    canvas_write(&app->canvas, row, area.column + 1, area.columns - used - 3, words, INK_TEXT,
                 ground);
    canvas_write(&app->canvas, row, area.column + area.columns - used - 1, used, mark, ink, ground);
}

static void draw_steps(App *app, const Review *review, Area area) {
    const Record *record = &app->play.record;
    int scroll = (int)app->review.step - area.rows / 2;
    int most = (int)record->step_count - area.rows + 1;
    scroll = scroll > most ? most : scroll;
    scroll = scroll < 0 ? 0 : scroll;
    app->review.first_row = area.row - scroll;
    for (size_t i = 0; i < record->step_count; i++) {
        int row = app->review.first_row + (int)i;
        if (row >= area.row && row < area.row + area.rows)
            draw_step(app, review, i, row, area);
    }
}

/* What would have been better, and what the game owes to luck and to skill. */
static void draw_words(App *app, const Review *review) {
    static const Phrase waits = {{"evaluating the game...", "게임을 평가하는 중..."}};
    static const Phrase better = {{"best: {0}", "최선: {0}"}};
    static const Phrase sums = {{"player 0: luck {0}, skill {1}", "선수 0: 운 {0}, 실력 {1}"}};
    Play *play = &app->play;
    const Variant *variant = play_screen_variant(play);
    char bytes[GAME_DRAW_BYTES], first[GAME_TEXT_BYTES], second[32];
    Text text = text_over(bytes, sizeof bytes);
    size_t step = app->review.step;
    if (!review) {
        text_add(&text, play->message_is_error ? play->message : app_words(app, waits));
    } else if (step < review->step_count && !review->steps[step].is_chance) {
        Text move = text_over(first, sizeof first);
        variant->game->text.print_move(&variant->rules, &play->record.states[step],
                                       review->steps[step].best, app->lang, &move);
        phrase_add(&text, better, app->lang, (const char *const[]){first});
    }
    canvas_write(&app->canvas, app->canvas.rows - 3, 1, app->canvas.columns - 2, bytes, INK_TITLE,
                 GROUND_NONE);
    if (!review)
        return;
    snprintf(first, sizeof first, "%+.3f", review->luck[0]);
    snprintf(second, sizeof second, "%+.3f", review->skill[0]);
    text = text_over(bytes, sizeof bytes);
    phrase_add(&text, sums, app->lang, (const char *const[]){first, second});
    frame_message(app, bytes, false);
}

void review_page_draw(App *app) {
    static const Phrase title = {{"Review", "복기"}};
    static const char *const keys[LANG_COUNT][16] = {
        {"?", "keys", "up down", "step", "a", "analysis from here", "Esc", "back", NULL},
        {"?", "키", "위아래", "한 수씩", "a", "여기서 분석", "Esc", "뒤로", NULL}};
    Play *play = &app->play;
    const Record *record = &play->record;
    const Variant *variant = play_screen_variant(play);
    const Review *review = current_review(app);
    Area body = frame_body(app);
    frame_title(app, app_words(app, title), app_words(app, variant->game->identity.title));
    bool has_board = body.columns >= BOARD_FROM;
    int columns = has_board ? LIST_COLUMNS : body.columns - 2;
    draw_steps(app, review, (Area){body.row, 1, body.rows - CHART_ROWS - 1, columns});
    if (review) {
        collect_values(app, review);
        chart_draw(&app->canvas, (Area){body.row + body.rows - CHART_ROWS, 1, CHART_ROWS, columns},
                   app->review.values, app->review.count, app->review.step);
    }
    if (has_board) {
        Area area = {body.row, columns + 2, body.rows, body.columns - columns - 3};
        const State *state = &record->states[app->review.step];
        board_view_set(&play->view, variant, state, area, play->numbers, app->lang);
        if (app->review.step < record->step_count)
            board_view_mark_path(&play->view, variant, state, record->moves[app->review.step], -1,
                                 GROUND_PATH);
        board_view_draw(&play->view, &app->canvas, variant, state, area, app->lang);
    }
    draw_words(app, review);
    frame_keys(app, keys[app->lang]);
}

static void leave(App *app) {
    app->play.is_paused = false;
    app->page = PAGE_PLAY;
}

void review_page_event(App *app, const Event *event) {
    ReviewPage *page = &app->review;
    size_t count = app->play.record.step_count;
    uint32_t key = event->key;
    if (event->kind == EVENT_CLICK) {
        int step = event->row - page->first_row;
        if (step >= 0 && (size_t)step < count)
            page->step = (size_t)step;
        return;
    }
    if (event->kind == EVENT_WHEEL)
        key = event->turns < 0 ? KEY_CURSOR_UP : KEY_CURSOR_DOWN;
    if ((key == KEY_CURSOR_UP || key == KEY_CURSOR_LEFT) && page->step > 0)
        page->step--;
    else if ((key == KEY_CURSOR_DOWN || key == KEY_CURSOR_RIGHT) && page->step < count)
        page->step++;
    else if (key == KEY_TOP)
        page->step = 0;
    else if (key == KEY_BOTTOM)
        page->step = count;
    else if (key == KEY_PAGE_UP)
        page->step = page->step > 10 ? page->step - 10 : 0;
    else if (key == KEY_PAGE_DOWN)
        page->step = page->step + 10 < count ? page->step + 10 : count;
    else if (key == 'n')
        app->play.numbers = !app->play.numbers;
    else if (key == 'a')
        analysis_enter(app);
    else if (key == KEY_ESCAPE || key == 'q' || key == 'r')
        leave(app);
}
