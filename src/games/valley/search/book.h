/* The opening books: exact values of the positions after the first few moves of each setup, so that
 * the opening is played perfectly without a table. Only for four soldiers a side.
 *
 * book_open generates the positions: a breadth-first search from the start, in the game's move
 * order, with one position for all its images. The order never changes, so a stored book is just
 * the list of their codes: book_standard_data.c and book_retrieve_data.c, which `malpan valley
 * book` writes from the table.
 */
#ifndef MALPAN_GAMES_VALLEY_SEARCH_BOOK_H
#define MALPAN_GAMES_VALLEY_SEARCH_BOOK_H

#include "games/valley/solve/solver.h"

enum { BOOK_DEPTH = 5 }; /* plies; the book has all positions up to this one */

/* A stored book. Codes are those of solve/solver.h. */
typedef struct BookData {
    uint32_t count; /* 0: the book has not been written yet */
    uint64_t sum;   /* checksum of the positions, see book_is_current */
    const uint8_t *codes;
} BookData;

extern const BookData book_standard, book_retrieve;

/* The stored book of a setup. */
const BookData *book_data_of(ValleyStart start);

typedef struct Book {
    const BookData *data;
    Symmetries symmetries;
    size_t count, capacity;
    size_t expanded_count; /* for the first so many positions, all successors are in the book too */
    uint64_t *keys;    /* [i]: of position i; position 0 is the start, with key 0, as the rule of
                          the first move makes it a position of its own */
    State *states;     /* [i] */
    uint32_t *slots;   /* hash table: position + 1 by key, 0 for empty */
    size_t slot_count; /* a power of two */
} Book;

/* Generates the positions of a setup. The caller closes the book, also after a failure. Constant
 * afterwards: threads may share it. */
Status book_open(Book *book, ValleyStart start);
void book_close(Book *book);

/* Whether the stored codes belong to these positions: the checksum over the keys, in order, is the
 * one that was written with the codes. */
bool book_is_current(const Book *book);
uint64_t book_sum_of(const Book *book);

/* Looks up the code of a state. Returns false if it is not in the book; otherwise `has_successors`
 * says whether the positions after its moves are in the book as well. */
bool book_probe(const Book *book, const State *state, uint32_t *code, bool *has_successors);

/* Finds the number of a state's position. Returns false if it is not in the book. */
bool book_find(const Book *book, const State *state, size_t *number);

#endif
