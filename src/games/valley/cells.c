/* The board in character cells. */
#include "game/cells.h"
#include "games/valley/valley.h"

#include <stdio.h>

/* The inner size of a square. */
typedef struct SquareSize {
    int tall, wide;
} SquareSize;

static SquareSize choose_size(CellStyle style) {
    for (int tall = 4; tall > 1; tall--) {
        SquareSize size = {.tall = tall, .wide = 2 * tall + 1};
        if (VALLEY_WIDTH * (tall + 1) + 2 <= style.rows &&
            VALLEY_WIDTH * (size.wide + 1) + 3 <= style.columns)
            return size;
    }
    return (SquareSize){.tall = 1, .wide = style.columns >= 33 ? 5 : 3};
}

/* The lines of the board: corners and crossings. */
static uint32_t crossing(int rank, int file) {
    static const uint16_t glyphs[3][3] = {
        {0x250C, 0x252C, 0x2510}, {0x251C, 0x253C, 0x2524}, {0x2514, 0x2534, 0x2518}};
    return glyphs[rank == 0             ? 0
                  : rank < VALLEY_WIDTH ? 1
                                        : 2][file == 0             ? 0
                                             : file < VALLEY_WIDTH ? 1
                                                                   : 2];
}

static void draw_lines(SquareSize size, CellBoard *board) {
    for (int rank = 0; rank <= VALLEY_WIDTH; rank++)
        for (int i = 0; i < VALLEY_WIDTH * (size.wide + 1); i++)
            cells_put(board, rank * (size.tall + 1), 2 + i, 0x2500, CELL_LINE);
    for (int file = 0; file <= VALLEY_WIDTH; file++)
        for (int i = 0; i < VALLEY_WIDTH * (size.tall + 1); i++)
            cells_put(board, i, 2 + file * (size.wide + 1), 0x2502, CELL_LINE);
    for (int rank = 0; rank <= VALLEY_WIDTH; rank++)
        for (int file = 0; file <= VALLEY_WIDTH; file++)
            cells_put(board, rank * (size.tall + 1), 2 + file * (size.wide + 1),
                      crossing(rank, file), CELL_LINE);
}

/* A soldier is a circle with S, a king a diamond with K; white's are filled. */
static void draw_piece(const ValleyBoard *valley, uint32_t square, int row, int column,
                       CellBoard *board) {
    static const uint16_t shapes[2][2] = {{0x25CF, 0x25C6}, {0x25CB, 0x25C7}};
    for (int colour = 0; colour < 2; colour++) {
        bool king = valley->kings[colour] == square;
        if (!king && !(valley->soldiers[colour] & valley_bit(square)))
            continue;
        uint32_t letter = king ? 'K' : 'S';
        cells_put(board, row, column, shapes[colour][king], CELL_PLAYER + colour);
        cells_put(board, row, column + 1, colour == VALLEY_WHITE ? letter : letter + ('a' - 'A'),
                  CELL_PLAYER + colour);
        return;
    }
    if (square == VALLEY_CENTRE)
        cells_put(board, row, column, 0x25C7, CELL_SPECIAL);
}

static void draw(const Rules *rules, const State *state, CellStyle style, CellBoard *board) {
    ValleyState valley = valley_state(state);
    SquareSize size = choose_size(style);
    (void)rules;
    draw_lines(size, board);
    for (uint32_t square = 0; square < VALLEY_SQUARES; square++) {
        int file = (int)square % VALLEY_WIDTH, rank = (int)square / VALLEY_WIDTH;
        int row = (VALLEY_WIDTH - 1 - rank) * (size.tall + 1) + 1;
        int column = 3 + file * (size.wide + 1);
        char name[4] = {(char)('a' + file), (char)('1' + rank), '\0'};
        cells_add_spot(board, name, row, column, size.tall, size.wide);
        draw_piece(&valley.board, square, row + size.tall / 2, column + size.wide / 2, board);
    }
    for (int i = 0; i < VALLEY_WIDTH; i++) {
        cells_put(board, i * (size.tall + 1) + 1 + size.tall / 2, 0,
                  (uint32_t)('0' + VALLEY_WIDTH - i), CELL_FAINT);
        cells_put(board, VALLEY_WIDTH * (size.tall + 1) + 1,
                  3 + i * (size.wide + 1) + size.wide / 2, (uint32_t)('a' + i), CELL_FAINT);
    }
}

static void picks(const Rules *rules, const State *state, Move move, Text *text) {
    char squares[16];
    Text squares_text = text_over(squares, sizeof squares);
    valley_print_move(rules, state, move, LANG_EN, &squares_text);
    text_addf(text, "%.2s %s", squares, squares + 2);
}

const GameCells valley_cells = {.draw = draw, .picks = picks};
