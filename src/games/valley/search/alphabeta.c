#include "games/valley/search/alphabeta.h"

enum { WATCH_NODES = 2048 }; /* how often the watch is looked at */

/* What may be done at a node. */
typedef struct Options {
    int pieces;
    uint32_t from[VALLEY_SOLDIERS_MAX + 1], to[VALLEY_SOLDIERS_MAX + 1];
} Options;

typedef struct Choice {
    Move move;
    uint32_t order;
} Choice;

/* A king wants room beside it, and not to see the other one reach the valley. */
int search_estimate(const ValleyBoard *board, int mover) {
    enum { ROOM = 10, THREAT = 60 };
    uint32_t occupied = valley_occupied(board);
    uint32_t mine = board->kings[mover], theirs = board->kings[1 - mover];
    int score = ROOM * ((int)valley_count(valley_neighbours[mine] & ~occupied) -
                        (int)valley_count(valley_neighbours[theirs] & ~occupied));
    if (valley_is_reached(occupied, theirs))
        score -= THREAT;
    return score;
}

static void list_options(const ValleyBoard *board, int mover, uint32_t occupied, Options *options) {
    options->pieces = 0;
    for (uint32_t set = board->soldiers[mover]; set; set &= set - 1) {
        uint32_t square = valley_lowest(set);
        options->from[options->pieces] = square;
        options->to[options->pieces++] = valley_soldier_moves(occupied, square);
    }
    options->from[options->pieces] = board->kings[mover];
    options->to[options->pieces++] = valley_slides(occupied, board->kings[mover]);
}

/* Scores are counted from the root within the search, and from the position in the table. */
static int from_position(int score, int ply) {
    return score > SEARCH_PROVEN ? score + ply : score < -SEARCH_PROVEN ? score - ply : score;
}

static int from_root(int score, int ply) {
    return score > SEARCH_PROVEN ? score - ply : score < -SEARCH_PROVEN ? score + ply : score;
}

/* What an entry says about the score at `depth`: whether it is at least, at most its own. An
 * estimate is of its own depth alone. A win holds at any depth that sees it; that there is none
 * sooner, at every depth. The same for losses. */
static HashBound bound_at(const HashEntry *entry, int depth) {
    if (!search_is_proven(entry->score))
        return entry->depth == depth ? entry->bound : HASH_NONE;
    int plies = SEARCH_WON - (entry->score > 0 ? entry->score : -entry->score);
    /* A bound from beyond what was looked through: it says nothing of what is found deeper. */
    if (plies > entry->depth + 1 && depth > entry->depth)
        return HASH_NONE;
    if (plies <= depth + 1)
        return entry->bound;
    HashBound kept = entry->score > 0 ? HASH_AT_MOST : HASH_AT_LEAST;
    return entry->bound == kept || entry->bound == HASH_EXACT ? kept : HASH_NONE;
}

static int list_choices(const Searcher *searcher, const Options *options, int mover, int ply,
                        Move first, Choice choices[VALLEY_MOVES_MAX]) {
    const uint32_t first_order = UINT32_MAX, killer_order = UINT32_MAX / 2;
    int count = 0;
    for (int i = 0; i < options->pieces; i++) {
        uint32_t from = options->from[i];
        for (uint32_t set = options->to[i]; set; set &= set - 1) {
            uint32_t to = valley_lowest(set);
            Move move = from | to << 5;
            uint32_t order = searcher->history[mover][from][to];
            if (move == first)
                order = first_order;
            else if (move == searcher->killers[ply][0])
                order = killer_order + 1;
            else if (move == searcher->killers[ply][1])
                order = killer_order;
            choices[count++] = (Choice){.move = move, .order = order};
        }
    }
    return count;
}

/* Brings the most promising of the choices from `first` on to that place. */
static Move pick(Choice choices[], int first, int count) {
    int best = first;
    for (int i = first + 1; i < count; i++)
        if (choices[i].order > choices[best].order)
            best = i;
    Choice chosen = choices[best];
    choices[best] = choices[first];
    choices[first] = chosen;
    return chosen.move;
}

static void remember_good(Searcher *searcher, int mover, Move move, int depth, int ply) {
    enum { HISTORY_MAX = 1 << 24 };
    Move *killers = searcher->killers[ply];
    uint32_t *history = &searcher->history[mover][move & 31][move >> 5];
    if (killers[0] != move) {
        killers[1] = killers[0];
        killers[0] = move;
    }
    *history += (uint32_t)(depth * depth);
    if (*history > HISTORY_MAX)
        for (int i = 0; i < VALLEY_SQUARES * VALLEY_SQUARES; i++)
            searcher->history[mover][i / VALLEY_SQUARES][i % VALLEY_SQUARES] /= 2;
}

static bool is_stopped(Searcher *searcher) {
    if (searcher->nodes % WATCH_NODES == 0 && searcher->watch && searcher->watch(searcher->context))
        atomic_store_explicit(searcher->stop, true, memory_order_relaxed);
    return atomic_load_explicit(searcher->stop, memory_order_relaxed);
}

static Move image(const Fold *fold, Move move, int symmetry) {
    return (Move)(fold->squares[symmetry][move & 31] | fold->squares[symmetry][move >> 5] << 5);
}

/* The score of a move, by a narrow window first if it is not the first one. */
static int score_of(Searcher *searcher, int mover, Move move, int depth, int alpha, int beta,
                    int ply, bool is_first) {
    ValleyBoard *board = &searcher->board;
    uint32_t from = move & 31, to = move >> 5;
    int score;
    valley_move(board, mover, from, to);
    /* It does not win on the spot: that was looked at before. */
    if (valley_is_walled(valley_occupied(board), board->kings[mover])) {
        score = -(SEARCH_WON - (ply + 1));
    } else {
        score = is_first
                    ? alpha + 1
                    : -search_score(searcher, 1 - mover, depth - 1, -alpha - 1, -alpha, ply + 1);
        if (score > alpha && (is_first || score < beta))
            score = -search_score(searcher, 1 - mover, depth - 1, -beta, -alpha, ply + 1);
    }
    valley_move(board, mover, to, from);
    return score;
}

int search_score(Searcher *searcher, int mover, int depth, int alpha, int beta, int ply) {
    ValleyBoard *board = &searcher->board;
    uint32_t occupied = valley_occupied(board);
    Options options;
    searcher->nodes++;
    if (valley_can_win(board, mover))
        return SEARCH_WON - (ply + 1);
    if (depth == 0)
        return search_estimate(board, mover);
    if (is_stopped(searcher))
        return 0;

    int symmetry;
    uint64_t key = fold_key(searcher->fold, board, mover, &symmetry);
    HashEntry entry = hash_read(searcher->hash, key);
    if (entry.bound != HASH_NONE) {
        HashBound bound = bound_at(&entry, depth);
        int score = from_root(entry.score, ply);
        if (bound == HASH_EXACT || (bound == HASH_AT_LEAST && score >= beta) ||
            (bound == HASH_AT_MOST && score <= alpha))
            return score;
    }

    Choice choices[VALLEY_MOVES_MAX];
    list_options(board, mover, occupied, &options);
    Move first =
        entry.move ? image(searcher->fold, entry.move, searcher->fold->inverse[symmetry]) : 0;
    int count = list_choices(searcher, &options, mover, ply, first, choices);
    int best = -SEARCH_WON, low = alpha;
    Move best_move = 0;
    for (int i = 0; i < count && best < beta; i++) {
        Move move = pick(choices, i, count);
        int score = score_of(searcher, mover, move, depth, low, beta, ply, i == 0);
        if (score > best) {
            best = score;
            best_move = move;
        }
        if (best > low)
            low = best;
    }
    if (atomic_load_explicit(searcher->stop, memory_order_relaxed))
        return 0;
    if (best >= beta)
        remember_good(searcher, mover, best_move, depth, ply);
    hash_write(searcher->hash, key,
               (HashEntry){.score = from_position(best, ply),
                           .depth = depth,
                           .bound = best >= beta    ? HASH_AT_LEAST
                                    : best <= alpha ? HASH_AT_MOST
                                                    : HASH_EXACT,
                           .move = image(searcher->fold, best_move, symmetry)});
    return best;
}
