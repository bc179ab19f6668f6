#include "games/valley/search/book.h"

#include <stdlib.h>

static uint64_t key_of(const Book *book, const ValleyState *valley) {
    int symmetry;
    /* The start under the rule of the first move is a position of its own. */
    return valley->ply == 1 ? 0
                            : fold_key(&book->fold, &valley->board, (int)valley->turn, &symmetry);
}

static uint32_t *slot_of(const Book *book, uint64_t key) {
    const uint64_t golden = 0x9e3779b97f4a7c15u;
    size_t at = (size_t)(key * golden >> 20) & (book->slot_count - 1);
    while (book->slots[at] != 0 && book->keys[book->slots[at] - 1] != key)
        at = (at + 1) & (book->slot_count - 1);
    return &book->slots[at];
}

/* Adds a state, unless it is there. */
static void add_state(Book *book, const State *state) {
    ValleyState valley = valley_state(state);
    uint64_t key = key_of(book, &valley);
    uint32_t *slot = slot_of(book, key);
    if (*slot != 0)
        return;
    book->keys[book->count] = key;
    book->states[book->count] = *state;
    *slot = (uint32_t)++book->count;
}

Status book_open(Book *book) {
    enum { ROOM = 1 << 17 };
    Rules rules = valley_rules_default();
    State start = valley_start(&rules);
    *book = (Book){.room = ROOM, .slot_count = (size_t)2 * ROOM};
    fold_init(&book->fold);
    book->keys = malloc(ROOM * sizeof *book->keys);
    book->states = malloc(ROOM * sizeof *book->states);
    book->slots = calloc(book->slot_count, sizeof *book->slots);
    if (!book->keys || !book->states || !book->slots)
        return status_make(STATUS_FAILED, "out of memory");
    add_state(book, &start);
    size_t first = 0;
    for (int depth = 0; depth < BOOK_DEPTH; depth++) {
        size_t last = book->count;
        book->inner = last;
        for (; first < last; first++) {
            Move moves[GAME_MOVES_MAX];
            size_t count = valley_moves(&rules, &book->states[first], moves);
            for (size_t i = 0; i < count; i++) {
                State next = book->states[first];
                valley_apply(&rules, &next, moves[i]);
                if (valley_actor(&rules, &next) == GAME_END)
                    continue;
                if (book->count == book->room)
                    return status_make(STATUS_FAILED, "the book has no room for its positions");
                add_state(book, &next);
            }
        }
    }
    return status_ok();
}

void book_close(Book *book) {
    free(book->keys);
    free(book->states);
    free(book->slots);
    *book = (Book){.count = 0};
}

uint64_t book_sum_of(const Book *book) {
    uint64_t sum = 0;
    for (size_t i = 0; i < book->count; i++)
        sum = (sum ^ book->keys[i]) * 0x9e3779b97f4a7c15u + (sum >> 32);
    return sum;
}

bool book_is_current(const Book *book) {
    return book->count == book_count && book_sum_of(book) == book_sum;
}

bool book_find(const Book *book, const State *state, size_t *number) {
    ValleyState valley = valley_state(state);
    if (valley.ply == 1) {
        /* Any other position may be set up at the first move; that one is not the start. */
        *number = 0;
        return book->count > 0 && memcmp(state, &book->states[0], sizeof *state) == 0;
    }
    uint32_t slot = *slot_of(book, key_of(book, &valley));
    *number = slot - 1;
    return slot != 0;
}

bool book_code(const Book *book, const State *state, uint32_t *code, bool *is_inner) {
    size_t number;
    if (!book_find(book, state, &number) || number >= book_count)
        return false;
    *code = book_codes[number];
    *is_inner = number < book->inner;
    return true;
}
