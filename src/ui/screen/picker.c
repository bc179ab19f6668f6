#include "ui/screen/picker.h"

#include <string.h>

static void read_picks(Picker *picker, size_t index, const Variant *variant, const State *state,
                       const CellBoard *board) {
    char bytes[GAME_TEXT_BYTES], storage[GAME_TEXT_BYTES];
    char *names[PICKER_PICKS_MAX];
    Text text = text_over(bytes, sizeof bytes);
    picker->lengths[index] = 0;
    if (!variant->game->cells || !variant->game->cells->picks)
        return;
    variant->game->cells->picks(&variant->rules, state, picker->moves[index], &text);
    size_t count = text_split(bytes, storage, sizeof storage, names, PICKER_PICKS_MAX);
    for (size_t i = 0; i < count && i < PICKER_PICKS_MAX; i++) {
        int spot = cells_find_spot(board, names[i]);
        if (spot >= 0)
            picker->picks[index][picker->lengths[index]++] = (uint8_t)spot;
    }
}

static bool is_picked(const Picker *picker, int spot) {
    return memchr(picker->picked, spot, (size_t)picker->picked_count) != NULL;
}

/* Puts the cursor on the first spot that can be picked and is not, so that Enter always leads on;
 * with none, the list has the keys. */
static void place_cursor(Picker *picker) {
    bool allowed[CELLS_SPOTS_MAX];
    picker_list_spots(picker, allowed);
    picker->cursor = -1;
    for (size_t i = 0; i < picker->count && picker->cursor < 0; i++)
        for (int j = 0; picker_fits(picker, i) && j < picker->lengths[i]; j++)
            if (allowed[picker->picks[i][j]] && !is_picked(picker, picker->picks[i][j]) &&
                picker->cursor < 0)
                picker->cursor = picker->picks[i][j];
    picker->uses_list = picker->cursor < 0;
    picker->chosen = 0;
    while (picker->chosen + 1 < picker->count && !picker_fits(picker, picker->chosen))
        picker->chosen++;
}

void picker_start(Picker *picker, const Variant *variant, const State *state,
                  const CellBoard *board) {
    picker->count = variant->game->tree.moves(&variant->rules, state, picker->moves);
    picker->is_set = variant->game->cells && variant->game->cells->picks_are_a_set;
    picker->picked_count = 0;
    for (size_t i = 0; i < picker->count; i++)
        read_picks(picker, i, variant, state, board);
    place_cursor(picker);
}

static bool has_pick(const Picker *picker, size_t index, uint8_t spot) {
    return memchr(picker->picks[index], spot, picker->lengths[index]) != NULL;
}

bool picker_fits(const Picker *picker, size_t index) {
    if (picker->picked_count > picker->lengths[index])
        return false;
    for (int i = 0; i < picker->picked_count; i++) {
        bool agrees = picker->is_set ? has_pick(picker, index, picker->picked[i])
                                     : picker->picks[index][i] == picker->picked[i];
        if (!agrees)
            return false;
    }
    return true;
}

void picker_list_spots(const Picker *picker, bool allowed[CELLS_SPOTS_MAX]) {
    memset(allowed, 0, CELLS_SPOTS_MAX * sizeof *allowed);
    for (size_t i = 0; i < picker->count; i++) {
        if (!picker_fits(picker, i))
            continue;
        if (!picker->is_set && picker->picked_count < picker->lengths[i])
            allowed[picker->picks[i][picker->picked_count]] = true;
        for (int j = 0; picker->is_set && j < picker->lengths[i]; j++)
            allowed[picker->picks[i][j]] = true;
    }
}

/* The only move that fits, or false. */
static bool only_move(const Picker *picker, size_t *index) {
    size_t found = 0;
    for (size_t i = 0; i < picker->count; i++) {
        if (!picker_fits(picker, i))
            continue;
        *index = i;
        found++;
    }
    return found == 1;
}

bool picker_preview(const Picker *picker, size_t *index) {
    if (picker->uses_list) {
        *index = picker->chosen;
        return picker->chosen < picker->count;
    }
    if (picker->cursor < 0)
        return false;
    size_t found = 0;
    for (size_t i = 0; i < picker->count; i++) {
        if (!picker_fits(picker, i))
            continue;
        bool agrees = picker->is_set ? has_pick(picker, i, (uint8_t)picker->cursor)
                                     : picker->picked_count < picker->lengths[i] &&
                                           picker->picks[i][picker->picked_count] == picker->cursor;
        if (!agrees)
            continue;
        *index = i;
        found++;
    }
    return found == 1;
}

/* After a pick: the choice, or what comes next. */
static PickResult settle(Picker *picker, Move *move) {
    size_t index = 0;
    if (only_move(picker, &index) && picker->lengths[index] == picker->picked_count) {
        *move = picker->moves[index];
        return PICK_MOVE;
    }
    place_cursor(picker);
    return PICK_MORE;
}

PickResult picker_pick(Picker *picker, int spot, Move *move) {
    bool allowed[CELLS_SPOTS_MAX];
    if (spot < 0)
        return PICK_WRONG;
    picker->cursor = spot;
    if (is_picked(picker, spot)) {
        uint8_t *at = memchr(picker->picked, spot, (size_t)picker->picked_count);
        size_t rest = picker->is_set ? (size_t)(picker->picked + picker->picked_count - at - 1) : 0;
        memmove(at, at + 1, rest);
        picker->picked_count = picker->is_set ? picker->picked_count - 1 : 0;
        picker->uses_list = false;
        return PICK_MORE;
    }
    picker_list_spots(picker, allowed);
    if (!allowed[spot] && !picker->is_set && picker->picked_count > 0) {
        /* Another piece instead. */
        int before = picker->picked_count;
        picker->picked_count = 0;
        picker_list_spots(picker, allowed);
        if (!allowed[spot])
            picker->picked_count = before;
    }
    if (!allowed[spot])
        return PICK_WRONG;
    picker->picked[picker->picked_count++] = (uint8_t)spot;
    return settle(picker, move);
}

PickResult picker_confirm(Picker *picker, Move *move) {
    size_t index;
    if (picker->count == 1 || picker->uses_list) {
        *move = picker->moves[picker->count == 1 ? 0 : picker->chosen];
        return PICK_MOVE;
    }
    if (only_move(picker, &index) && picker->is_set) {
        *move = picker->moves[index];
        return PICK_MOVE;
    }
    return picker_pick(picker, picker->cursor, move);
}

bool picker_back(Picker *picker) {
    if (picker->picked_count == 0 && !picker->uses_list)
        return false;
    bool changed = picker->picked_count > 0;
    if (picker->picked_count > 0)
        picker->picked_count--;
    place_cursor(picker);
    return changed;
}

void picker_move(Picker *picker, const BoardView *view, int rows, int columns) {
    bool allowed[CELLS_SPOTS_MAX];
    if (picker->uses_list && picker->picked_count == 0) {
        int cursor = picker->cursor;
        size_t chosen = picker->chosen;
        place_cursor(picker);
        if (picker->uses_list || rows != 0) { /* a list is left sideways, if there is a board */
            picker->cursor = cursor;
            picker->chosen = chosen;
            picker->uses_list = true;
            picker_step(picker, rows + columns);
        }
        return;
    }
    if (picker->uses_list) {
        picker_step(picker, rows + columns);
        return;
    }
    picker_list_spots(picker, allowed);
    picker->cursor = board_view_neighbor(view, picker->cursor, rows, columns, allowed);
}

void picker_step(Picker *picker, int step) {
    if (picker->count == 0)
        return;
    size_t at = picker->chosen;
    if (!picker->uses_list) {
        picker->uses_list = true;
        size_t index;
        if (!picker_fits(picker, at) && only_move(picker, &index))
            at = index;
        else if (picker_fits(picker, at)) {
            picker->chosen = at;
            return;
        }
    }
    for (size_t tried = 0; tried < picker->count; tried++) {
        at = (at + picker->count + (size_t)(step > 0 ? 1 : -1)) % picker->count;
        if (picker_fits(picker, at))
            break;
    }
    picker->chosen = at;
}
