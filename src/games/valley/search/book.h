/* The opening book: exact values of the positions of the first moves, so that the opening is played
 * perfectly without a table.
 *
 * The positions are found by playing all moves from the start, images folded into one, in an order
 * that never changes; so the book is nothing but their values in that order (book_data.c, written
 * by `malpan valley book` from the table). */
#ifndef MALPAN_GAMES_VALLEY_SEARCH_BOOK_H
#define MALPAN_GAMES_VALLEY_SEARCH_BOOK_H

#include "games/valley/solve/solver.h"

enum { BOOK_DEPTH = 5 }; /* the positions after so many moves are in it, and those before */

/* The values as in solver.h; book_count is 0 where there is no book yet. */
extern const uint32_t book_count;
extern const uint64_t book_sum; /* of the positions, see book_is_current */
extern const uint8_t book_codes[];

typedef struct Book {
    Fold fold;
    size_t count, room;
    size_t inner; /* of the first so many, all positions after a move are in it too */
    uint64_t
        *keys; /* [i]: of position i; the first is the start, under the rule of the first move */
    State *states;   /* [i] */
    uint32_t *slots; /* by key: number + 1, 0 for none */
    size_t slot_count;
} Book;

/* Finds the positions. The caller closes it; also when this fails. */
Status book_open(Book *book);
void book_close(Book *book);

/* Whether the values are those of these positions: a sum over their keys, in their order, is the
 * one that was written with them. */
bool book_is_current(const Book *book);
uint64_t book_sum_of(const Book *book);

/* The value of a state of the game with four soldiers, if it is in the book; `is_inner` says
 * whether those after its moves are, too. */
bool book_code(const Book *book, const State *state, uint32_t *code, bool *is_inner);

/* The number of a state of the game with four soldiers, if it is in the book. */
bool book_find(const Book *book, const State *state, size_t *number);

#endif
