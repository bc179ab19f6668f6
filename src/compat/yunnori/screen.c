#include "compat/yunnori/screen.h"

#include <stdio.h>

static void repeat(char letter, int count) {
    for (int i = 0; i < count; i++)
        putchar(letter);
}

static void print_line(char letter, int count) {
    repeat(letter, count);
    putchar('\n');
}

void screen_menu_head(void) {
    print_line('*', 60);
    repeat('*', 24);
    fputs("   Menu   ", stdout);
    print_line('*', 26);
    print_line('*', 60);
}

static void add_colored(const Screen *screen, int player, const char *words, Text *text) {
    text_addf(text, "%s%s%s", screen->color ? yut_player_color(player) : "", words,
              screen->color ? "\x1b[0m" : "");
}

static void print_board(const Screen *screen, const YutRules *rules, const YutState *state) {
    enum { CELL_BYTES = 24 };
    char bytes[YUT_SQUARES][CELL_BYTES];
    const char *cells[YUT_SQUARES];
    for (int square = 0; square < YUT_SQUARES; square++) {
        int count = 0, owner = 0;
        for (int player = 0; player < rules->players; player++) {
            int here = yut_count_on(rules, state, player, square);
            count += here;
            if (here > 0)
                owner = player;
        }
        char number[16];
        Text cell = text_over(bytes[square], CELL_BYTES);
        snprintf(number, sizeof number, "%d", count);
        text_add_char(&cell, '[');
        if (count > 0)
            add_colored(screen, owner, number, &cell);
        else
            text_add_char(&cell, ' ');
        text_add_char(&cell, ']');
        cells[square] = bytes[square];
    }
    char board[GAME_DRAW_BYTES];
    Text text = text_over(board, sizeof board);
    yut_draw_grid(cells, "^Start", &text);
    fputs(board, stdout);
}

/* A mark for each piece on the square, player by player. */
static void print_row(const Screen *screen, const YutRules *rules, const YutState *state,
                      int square, const char *mark) {
    char row[GAME_DRAW_BYTES];
    Text text = text_over(row, sizeof row);
    for (int player = 0; player < rules->players; player++)
        for (int i = 0; i < yut_count_on(rules, state, player, square); i++)
            add_colored(screen, player, mark, &text);
    if (text.length > 0 || screen->empty_rows)
        puts(row);
}

void screen_state(const Screen *screen, const YutRules *rules, const YutState *state,
                  const char *const ids[]) {
    enum { RULE = 41 };
    static const char *const animals[] = {"pig", "dog", "sheep", "cow"};
    print_board(screen, rules, state);
    print_line('-', RULE);
    if (ids) {
        for (int player = 0; player < rules->players; player++)
            printf("%s%s(%s)", player > 0 ? " " : "", ids[player], animals[rules->animals[player]]);
        putchar('\n');
        print_line('-', RULE);
    }
    puts("Not started : ");
    print_row(screen, rules, state, 0, screen->ascii ? " a " : " □ ");
    puts("Arrived : ");
    print_row(screen, rules, state, YUT_ARRIVED, screen->ascii ? " b " : " ■ ");
    print_line('-', RULE);
}

void screen_turn(const Screen *screen, const YutRules *rules, const YutState *state,
                 const char *id) {
    char bytes[64], number[16];
    Text text = text_over(bytes, sizeof bytes);
    snprintf(number, sizeof number, "%d", state->turn);
    add_colored(screen, state->turn, number, &text);
    printf("Player %s%s%s turn\n", bytes, id ? " " : "", id ? id : "");
    fputs("Piece : ", stdout);
    for (int i = 0; i < rules->pieces; i++)
        if (state->pieces[state->turn][i] != YUT_ARRIVED)
            printf("%d ", state->pieces[state->turn][i]);
    fputs("\nYut : ", stdout);
    for (int result = 0; result < YUT_RESULTS; result++)
        for (int i = 0; i < state->list[result]; i++)
            printf("%s ", yut_result_names[result]);
    puts("\nWrite down the position of the player to move and yut\n"
         "(back-do, do, gae, geol, yut, and mo)");
}
