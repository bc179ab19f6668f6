/* What all pages have: the title, the keys, the message, the help. */
#include <string.h>

#include "ui/screen/app.h"

Area frame_body(const App *app) {
    return (Area){1, 0, app->canvas.rows - 4, app->canvas.columns};
}

void frame_title(App *app, const char *left, const char *right) {
    Canvas *canvas = &app->canvas;
    canvas_fill(canvas, (Area){0, 0, 1, canvas->columns}, GROUND_BAR);
    int room = canvas->columns - 2, used = text_columns(right);
    int column = canvas_write(canvas, 0, 1, room, left, INK_TITLE, GROUND_BAR);
    if (used > 0 && column + 2 + used <= canvas->columns)
        canvas_write(canvas, 0, canvas->columns - 1 - used, used, right, INK_TEXT, GROUND_BAR);
}

void frame_keys(App *app, const char *const pairs[]) {
    Canvas *canvas = &app->canvas;
    int row = canvas->rows - 1, column = 1;
    canvas_fill(canvas, (Area){row, 0, 1, canvas->columns}, GROUND_BAR);
    for (size_t i = 0; pairs[i]; i += 2) {
        int wanted = text_columns(pairs[i]) + 1 + text_columns(pairs[i + 1]);
        bool is_language = strcmp(pairs[i], "l") == 0;
        if (is_language && app->lang == LANG_EN && !app->options->can_korean)
            continue;
        if (column + wanted >= canvas->columns)
            return;
        column = canvas_write(canvas, row, column, wanted, pairs[i], INK_ACCENT, GROUND_BAR);
        column = canvas_write(canvas, row, column + 1, wanted, pairs[i + 1], INK_TEXT, GROUND_BAR);
        column += 2;
    }
}

void frame_message(App *app, const char *message, bool is_error) {
    Canvas *canvas = &app->canvas;
    canvas_write(canvas, canvas->rows - 2, 1, canvas->columns - 2, message,
                 is_error ? INK_BAD : INK_TEXT, GROUND_NONE);
}

void frame_help(App *app) {
    static const Phrase title = {{"Keys", "키"}};
    static const Phrase lines[] = {
        {{"arrows, Enter   choose on the board", "화살표, Enter   판에서 고르기"}},
        {{"Tab             choose in the list", "Tab             목록에서 고르기"}},
        {{"0-9, :          type a move or #number", "0-9, :          수나 #번호를 적기"}},
        {{"mouse           click squares or moves", "마우스          칸이나 수를 누르기"}},
        {{"Esc             give back a choice", "Esc             고른 것 놓기"}},
        {{"h               hints: bar, best, all", "h               힌트: 막대, 최선, 모두"}},
        {{"u  U            take back; decline (server)", "u  U            무르기; 거절(서버에서)"}},
        {{"a               analysis", "a               분석"}},
        {{"r               review", "r               복기"}},
        {{"c  n            chart, square numbers", "c  n            그래프, 자리 번호"}},
        {{"s               save now", "s               저장"}},
        {{"l               language", "l               언어 (English)"}},
        {{"p  + -          pause, faster, slower", "p  + -          멈춤, 빠르게, 느리게"}},
        {{"q               leave; games are saved", "q               나가기; 게임은 저장됨"}}};
    enum { LINES = sizeof lines / sizeof lines[0], WIDE = 46 };
    Canvas *canvas = &app->canvas;
    int rows = LINES + 2 < canvas->rows ? LINES + 2 : canvas->rows;
    int columns = WIDE < canvas->columns ? WIDE : canvas->columns;
    Area inside = canvas_frame(
        canvas, (Area){(canvas->rows - rows) / 2, (canvas->columns - columns) / 2, rows, columns},
        app_words(app, title));
    for (int i = 0; i < LINES && i < inside.rows; i++)
        canvas_write(canvas, inside.row + i, inside.column, inside.columns,
                     app_words(app, lines[i]), INK_TEXT, GROUND_NONE);
}
