/* An independent, slow implementation of King's Valley: a board of letters, pieces that move step
 * by step. Shares nothing with src/games/valley but the text of positions. */
#ifndef MALPAN_TESTS_VALLEY_PLAIN_H
#define MALPAN_TESTS_VALLEY_PLAIN_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct Plain {
    char board[5][5]; /* [rank][file]: K S white, k s black, . empty */
    char side;        /* w or b, who moves */
    int ply;
} Plain;

typedef struct PlainMove {
    int from_file, from_rank, to_file, to_rank;
} PlainMove;

enum { PLAIN_MOVES_MAX = 64 };

static inline Plain plain_read(const char *text) {
    Plain plain;
    memset(plain.board, '.', sizeof plain.board);
    int rank = 4, file = 0;
    for (; *text != ' '; text++) {
        if (*text == '/') {
            rank--;
            file = 0;
        } else if (isdigit((unsigned char)*text)) {
            file += *text - '0';
        } else {
            plain.board[rank][file++] = *text;
        }
    }
    plain.side = text[1];
    plain.ply = atoi(text + 3);
    return plain;
}

static inline bool plain_on_board(int file, int rank) {
    return file >= 0 && file < 5 && rank >= 0 && rank < 5;
}

static inline bool plain_is_mine(const Plain *plain, char piece) {
    return piece != '.' && (plain->side == 'w') == (isupper((unsigned char)piece) != 0);
}

static inline bool plain_is_king(char piece) {
    return piece == 'K' || piece == 'k';
}

/* All slides, without regard to the rule of the first move. */
static inline int plain_slides(const Plain *plain, PlainMove moves[]) {
    int count = 0;
    for (int rank = 0; rank < 5; rank++) {
        for (int file = 0; file < 5; file++) {
            char piece = plain->board[rank][file];
            if (!plain_is_mine(plain, piece))
                continue;
            for (int way = 0; way < 9; way++) {
                int by_file = way % 3 - 1, by_rank = way / 3 - 1, f = file, r = rank;
                if (by_file == 0 && by_rank == 0)
                    continue;
                while (plain_on_board(f + by_file, r + by_rank) &&
                       plain->board[r + by_rank][f + by_file] == '.') {
                    f += by_file;
                    r += by_rank;
                }
                bool moved = f != file || r != rank;
                bool soldier_in_valley = !plain_is_king(piece) && f == 2 && r == 2;
                if (moved && !soldier_in_valley)
                    moves[count++] = (PlainMove){file, rank, f, r};
            }
        }
    }
    return count;
}

static inline int plain_moves(const Plain *plain, PlainMove moves[]) {
    int count = plain_slides(plain, moves), soldiers = 0;
    if (plain->ply != 1)
        return count;
    for (int i = 0; i < count; i++)
        if (!plain_is_king(plain->board[moves[i].from_rank][moves[i].from_file]))
            moves[soldiers++] = moves[i];
    return soldiers > 0 ? soldiers : count;
}

static inline Plain plain_after(const Plain *plain, PlainMove move) {
    Plain next = *plain;
    next.board[move.to_rank][move.to_file] = plain->board[move.from_rank][move.from_file];
    next.board[move.from_rank][move.from_file] = '.';
    next.side = plain->side == 'w' ? 'b' : 'w';
    next.ply++;
    return next;
}

static inline void plain_find_king(const Plain *plain, char king, int *file, int *rank) {
    for (int i = 0; i < 25; i++) {
        if (plain->board[i / 5][i % 5] == king) {
            *file = i % 5;
            *rank = i / 5;
        }
    }
}

static inline bool plain_is_walled(const Plain *plain, char king) {
    int file = 0, rank = 0;
    plain_find_king(plain, king, &file, &rank);
    for (int f = file - 1; f <= file + 1; f++)
        for (int r = rank - 1; r <= rank + 1; r++)
            if (plain_on_board(f, r) && plain->board[r][f] == '.')
                return false;
    return true;
}

/* The result for the side that just moved: 1 won, -1 lost, 0 the game goes on. */
static inline int plain_outcome(const Plain *plain) {
    char mine = plain->side == 'w' ? 'k' : 'K', theirs = plain->side == 'w' ? 'K' : 'k';
    if (plain->board[2][2] == mine || plain_is_walled(plain, theirs))
        return 1;
    return plain_is_walled(plain, mine) ? -1 : 0;
}

static inline uint64_t plain_perft(const Plain *plain, int depth) {
    PlainMove moves[PLAIN_MOVES_MAX];
    uint64_t paths = 0;
    if (depth == 0)
        return 1;
    int count = plain_moves(plain, moves);
    for (int i = 0; i < count; i++) {
        Plain next = plain_after(plain, moves[i]);
        if (depth == 1 || plain_outcome(&next) == 0)
            paths += plain_perft(&next, depth - 1);
    }
    return paths;
}

/* Whether the king could stop in the valley with its next move. */
static inline bool plain_sees_valley(const Plain *plain, char king) {
    PlainMove moves[PLAIN_MOVES_MAX];
    Plain turned = *plain;
    turned.side = king == 'K' ? 'w' : 'b';
    int count = plain_slides(&turned, moves);
    for (int i = 0; i < count; i++)
        if (turned.board[moves[i].from_rank][moves[i].from_file] == king && moves[i].to_file == 2 &&
            moves[i].to_rank == 2)
            return true;
    return false;
}

static inline bool plain_is_next_to(const Plain *plain, char king, int file, int rank) {
    int f = 0, r = 0;
    plain_find_king(plain, king, &f, &r);
    return abs(f - file) <= 1 && abs(r - rank) <= 1;
}

/* The study's evaluation of a move, line by line. */
static inline double plain_judge(const Plain *plain, PlainMove move) {
    char mine = plain->side == 'w' ? 'K' : 'k', theirs = plain->side == 'w' ? 'k' : 'K';
    Plain next = plain_after(plain, move);
    bool soldier = !plain_is_king(plain->board[move.from_rank][move.from_file]);
    bool leaves_own = plain_is_next_to(plain, mine, move.from_file, move.from_rank);
    bool lands_by_own = plain_is_next_to(&next, mine, move.to_file, move.to_rank);
    bool lands_by_enemy = plain_is_next_to(&next, theirs, move.to_file, move.to_rank);
    if (plain_outcome(&next) == 1)
        return 1000000;
    if (plain_outcome(&next) == -1)
        return -1000000;
    if (plain_sees_valley(&next, theirs))
        return -900000;
    if (plain_sees_valley(&next, mine))
        return 900000;
    if (plain_sees_valley(plain, theirs) && !plain_sees_valley(&next, theirs))
        return 250000;
    if (soldier && leaves_own && !lands_by_own)
        return 250000;
    if (soldier && lands_by_own)
        return -500000;
    if (soldier && lands_by_enemy)
        return 500000;
    return 0;
}

/* Minimax to `depth` plies for the side to move; lines are scored by their last move. */
static inline double plain_minimax(const Plain *plain, int depth, int *best) {
    PlainMove moves[PLAIN_MOVES_MAX];
    int count = plain_moves(plain, moves);
    double most = -1e9;
    for (int i = 0; i < count; i++) {
        Plain next = plain_after(plain, moves[i]);
        int unused;
        double worth = depth == 1 || plain_outcome(&next) != 0
                           ? plain_judge(plain, moves[i])
                           : -plain_minimax(&next, depth - 1, &unused);
        if (worth > most) {
            most = worth;
            *best = i;
        }
    }
    return most;
}

#endif
