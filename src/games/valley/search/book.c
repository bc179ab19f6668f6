#include "games/valley/search/book.h"

#include <stdlib.h>

const BookData *book_data_of(ValleyStart start) {
    return start == VALLEY_RETRIEVE ? &book_retrieve : &book_standard;
}

static uint64_t key_of(const Book *book, const ValleyState *valley) {
    int symmetry;
    /* The start under the rule of the first move is a position of its own. */
    return valley->ply == 1
               ? 0
               : symmetry_key(&book->symmetries, &valley->board, (int)valley->turn, &symmetry);
}

static uint32_t *slot_of(const Book *book, uint64_t key) {
    const uint64_t golden = 0x9e3779b97f4a7c15u;
    size_t at = (size_t)(key * golden >> 20) & (book->slot_count - 1);
    while (book->slots[at] != 0 && book->keys[book->slots[at] - 1] != key)
        at = (at + 1) & (book->slot_count - 1);
    return &book->slots[at];
}

/* Adds a state unless an image of it is there. */
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

Status book_open(Book *book, ValleyStart start) {
    enum { CAPACITY = 1 << 17 };
    Rules rules = valley_rules_pack(&(ValleyRules){VALLEY_SOLDIERS_MAX, start});
    State first_state = valley_start(&rules);
    *book = (Book){
        .data = book_data_of(start), .capacity = CAPACITY, .slot_count = (size_t)2 * CAPACITY};
    symmetries_init(&book->symmetries);
    book->keys = malloc(CAPACITY * sizeof *book->keys);
    book->states = malloc(CAPACITY * sizeof *book->states);
    book->slots = calloc(book->slot_count, sizeof *book->slots);
    if (!book->keys || !book->states || !book->slots)
        return status_make(STATUS_FAILED, "out of memory");
    add_state(book, &first_state);
    size_t first = 0;
    for (int depth = 0; depth < BOOK_DEPTH; depth++) {
        size_t last = book->count;
        book->expanded_count = last;
        for (; first < last; first++) {
            Move moves[GAME_MOVES_MAX];
            size_t count = valley_moves(&rules, &book->states[first], moves);
            for (size_t i = 0; i < count; i++) {
                State next = book->states[first];
                valley_apply(&rules, &next, moves[i]);
                if (valley_actor(&rules, &next) == GAME_END)
                    continue;
                if (book->count == book->capacity)
                    return status_make(STATUS_FAILED,
                                       "the opening book has more positions than expected");
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
    return book->count == book->data->count && book_sum_of(book) == book->data->sum;
}

bool book_find(const Book *book, const State *state, size_t *number) {
    ValleyState valley = valley_state(state);
    if (valley.ply == 1) {
        /* Other positions may be set up at ply 1, too. */
        *number = 0;
        return book->count > 0 && memcmp(state, &book->states[0], sizeof *state) == 0;
    }
    uint32_t slot = *slot_of(book, key_of(book, &valley));
    *number = slot - 1;
    return slot != 0;
}

bool book_probe(const Book *book, const State *state, uint32_t *code, bool *has_successors) {
    size_t number;
    if (!book_find(book, state, &number) || number >= book->data->count)
        return false;
    *code = book->data->codes[number];
    *has_successors = number < book->expanded_count;
    return true;
}
