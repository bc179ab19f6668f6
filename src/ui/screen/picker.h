/* Choosing one of the legal moves on the board: by picking its spots one after the other, or in the
 * list of moves.
 *
 *     picked: "5"        moves that begin at 5 fit; their destinations can be picked next
 *     picked: "5" "20"   one move fits and nothing of it is left: it is the choice
 *
 * Where several moves have the same spots, the list decides. A picker belongs to one thread at a
 * time.
 */
#ifndef MALPAN_UI_SCREEN_PICKER_H
#define MALPAN_UI_SCREEN_PICKER_H

#include "ui/screen/board_view.h"

enum { PICKER_PICKS_MAX = 24 };

typedef struct Picker {
    size_t count; /* of the legal moves, in the game's order */
    Move moves[GAME_MOVES_MAX];
    uint8_t lengths[GAME_MOVES_MAX]; /* how many spots each has */
    uint8_t picks[GAME_MOVES_MAX][PICKER_PICKS_MAX];
    bool is_set; /* the order of the spots does not matter */
    int picked_count;
    uint8_t picked[PICKER_PICKS_MAX];
    int cursor;     /* the spot under the cursor; -1: none */
    bool uses_list; /* the keys move in the list rather than on the board */
    size_t chosen;  /* in the list */
} Picker;

/* Starts with nothing picked. The board must be drawn for this state. */
void picker_start(Picker *picker, const Variant *variant, const State *state,
                  const CellBoard *board);

/* Whether move number `index` has the spots that are picked. */
bool picker_fits(const Picker *picker, size_t index);

/* Sets which spots can be picked next. */
void picker_list_spots(const Picker *picker, bool allowed[CELLS_SPOTS_MAX]);

/* The move that the cursor or the list points at; false if that is not a single one. */
bool picker_preview(const Picker *picker, size_t *index);

/* What a pick led to. */
typedef enum PickResult { PICK_MOVE, PICK_MORE, PICK_WRONG } PickResult;

/* Picks a spot, or gives it back if it is picked. PICK_MOVE sets `move`. */
PickResult picker_pick(Picker *picker, int spot, Move *move);

/* Confirms what is under the cursor or chosen in the list. */
PickResult picker_confirm(Picker *picker, Move *move);

/* Gives back the last pick, or leaves the list. False if there is nothing to give back. */
bool picker_back(Picker *picker);

/* Moves the cursor on the board, or in the list. */
void picker_move(Picker *picker, const BoardView *view, int rows, int columns);

/* Goes to the next move of the list that fits (`step` 1) or the one before (-1). */
void picker_step(Picker *picker, int step);

#endif
