/* Dice Yut a second time, plainly: the board as the four ways of the rules, a piece as a way and a
 * place on it, and every choice tried. */
#ifndef MALPAN_TESTS_DICE_PLAIN_H
#define MALPAN_TESTS_DICE_PLAIN_H

#include <stdbool.h>

enum { PLAIN_RING, PLAIN_FROM_10, PLAIN_FROM_20, PLAIN_FROM_30, PLAIN_WAYS, PLAIN_LENGTH = 22 };

/* Numbers on the way; 0 at the start, -1 for the finish. */
static const int plain_ways[PLAIN_WAYS][PLAIN_LENGTH] = {
    {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, -1},
    {10, 13, 16, 19, 25, 30, 35, 40, -1},
    {20, 22, 24, 25, 30, 35, 40, -1},
    {30, 28, 27, 26, 25, 30, 35, 40, -1}};

typedef struct PlainPiece {
    int way, place;
} PlainPiece;

static inline int plain_number(PlainPiece piece) {
    return plain_ways[piece.way][piece.place];
}

static inline PlainPiece plain_move(PlainPiece piece, int steps) {
    int number = plain_number(piece);
    if (piece.way == PLAIN_RING && number > 0 && number <= 30 && number % 10 == 0)
        piece = (PlainPiece){.way = number / 10, .place = 0};
    while (steps-- > 0 && plain_number(piece) >= 0)
        piece.place++;
    return piece;
}

/* Whether two pieces that are on the board are on one square. Short cuts share 25 and what follows
 * it, and all ways share 40. */
static inline bool plain_same(PlainPiece a, PlainPiece b) {
    int number = plain_number(a);
    if (number != plain_number(b) || number <= 0)
        return false;
    bool both_inside = a.way != PLAIN_RING && b.way != PLAIN_RING;
    bool is_shared = number == 25 || number == 30 || number == 35;
    return number == 40 || (a.way == b.way && a.place == b.place) ||
           (both_inside && is_shared && a.place > 0 && b.place > 0);
}

/* The best score by trying each of `count` pieces in every turn; with `once`, of several pieces at
 * the start only one. */
static inline int plain_best_of(const int throws[], int left, PlainPiece pieces[], int count,
                                bool once) {
    int best = 0;
    for (int i = 0; i < count && left > 0; i++) {
        PlainPiece from = pieces[i], to = plain_move(from, throws[0]);
        bool blocked = plain_number(from) < 0;
        for (int j = 0; j < count; j++) {
            bool waits_too = j < i && plain_number(pieces[j]) == 0 && plain_number(from) == 0;
            blocked = blocked || (j != i && plain_same(pieces[j], to)) || (once && waits_too);
        }
        if (blocked)
            continue;
        int points = plain_number(to) > 0 ? plain_number(to) : 0;
        pieces[i] = to;
        points += plain_best_of(throws + 1, left - 1, pieces, count, once);
        pieces[i] = from;
        best = points > best ? points : best;
    }
    return best;
}

static inline int plain_best(const int throws[], int left, PlainPiece pieces[4], bool once) {
    return plain_best_of(throws, left, pieces, 4, once);
}

/* The mean best score when all throws are known before the first move. `throws` has room for all;
 * those before `made` are set. */
static inline double plain_mean(const int weights[6], int throws[], int made, int left,
                                PlainPiece pieces[], int count) {
    double sum = 0, total = 0;
    if (made == left)
        return plain_best_of(throws, left, pieces, count, true);
    for (int face = 1; face <= 5; face++) {
        throws[made] = face;
        total += weights[face];
        if (weights[face] > 0)
            sum += weights[face] * plain_mean(weights, throws, made + 1, left, pieces, count);
    }
    return sum / total;
}

/* The expected score when each throw is seen as it is made. */
static inline double plain_online(const int weights[6], int left, PlainPiece pieces[], int count) {
    double sum = 0, total = 0;
    for (int face = 1; face <= 5 && left > 0; face++) {
        double best = 0;
        total += weights[face];
        for (int i = 0; i < count && weights[face] > 0; i++) {
            PlainPiece from = pieces[i], to = plain_move(from, face);
            bool blocked = plain_number(from) < 0;
            for (int j = 0; j < count; j++)
                blocked = blocked || (j != i && plain_same(pieces[j], to));
            if (blocked)
                continue;
            pieces[i] = to;
            double points = (plain_number(to) > 0 ? plain_number(to) : 0) +
                            plain_online(weights, left - 1, pieces, count);
            pieces[i] = from;
            best = points > best ? points : best;
        }
        sum += weights[face] * best;
    }
    return left > 0 ? sum / total : 0;
}

#endif
