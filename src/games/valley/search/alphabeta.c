#include "games/valley/search/alphabeta.h"

/* The moves of a position: for each piece its square and the set of its destinations. */
typedef struct MoveSets {
    int pieces;
    uint32_t from[VALLEY_SOLDIERS_MAX + 1], to[VALLEY_SOLDIERS_MAX + 1];
} MoveSets;

typedef struct OrderedMove {
    Move move;
    uint32_t priority; /* the highest is searched first */
} OrderedMove;

/* Counts the free squares beside each king, and whether the other king threatens to win. */
int alphabeta_estimate(const ValleyBoard *board, int mover) {
    enum { FREE_SQUARE = 10, THREAT = 60 };
    uint32_t occupied = valley_occupied(board);
    uint32_t mine = board->kings[mover], theirs = board->kings[1 - mover];
    int score = FREE_SQUARE * ((int)valley_count(valley_neighbours[mine] & ~occupied) -
                               (int)valley_count(valley_neighbours[theirs] & ~occupied));
    if (valley_can_reach_centre(occupied, theirs))
        score -= THREAT;
    static_assert(8 * FREE_SQUARE + THREAT <= SCORE_ESTIMATE_MAX, "estimates stay within bounds");
    return score;
}

static void list_destinations(const ValleyBoard *board, int mover, uint32_t occupied,
                              MoveSets *sets) {
    sets->pieces = 0;
    for (uint32_t set = board->soldiers[mover]; set; set &= set - 1) {
        uint32_t square = valley_lowest(set);
        sets->from[sets->pieces] = square;
        sets->to[sets->pieces++] = valley_soldier_moves(occupied, square);
    }
    sets->from[sets->pieces] = board->kings[mover];
    sets->to[sets->pieces++] = valley_slides(occupied, board->kings[mover]);
}

/* Within the search, proven scores count plies from the root; in the transposition table, from the
 * position. */
static int score_to_table(int score, int ply) {
    return score > SCORE_PROVEN ? score + ply : score < -SCORE_PROVEN ? score - ply : score;
}

static int score_from_table(int score, int ply) {
    return score > SCORE_PROVEN ? score - ply : score < -SCORE_PROVEN ? score + ply : score;
}

/* What an entry's score says about the score at `depth`. An estimate holds only at its own depth. A
 * proven win in n plies is a lower bound at every depth that reaches n plies, and an upper bound at
 * every depth, as there is no shorter win. Losses likewise. */
static Bound bound_at_depth(const TranspositionEntry *entry, int depth) {
    if (!score_is_proven(entry->score))
        return entry->depth == depth ? entry->bound : BOUND_NONE;
    int plies = SCORE_WIN - (entry->score > 0 ? entry->score : -entry->score);
    /* The bound comes from the window, not from a line that was searched to its end; it does not
     * hold at greater depths. */
    if (plies > entry->depth + 1 && depth > entry->depth)
        return BOUND_NONE;
    if (plies <= depth + 1)
        return entry->bound;
    Bound kept = entry->score > 0 ? BOUND_UPPER : BOUND_LOWER;
    return entry->bound == kept || entry->bound == BOUND_EXACT ? kept : BOUND_NONE;
}

/* Lists the moves with their priorities: the table's move, the killers, then by history. */
static int list_moves(const Searcher *searcher, const MoveSets *sets, int mover, int ply,
                      Move table_move, OrderedMove moves[VALLEY_MOVES_MAX]) {
    const uint32_t table_priority = UINT32_MAX, killer_priority = UINT32_MAX / 2;
    int count = 0;
    for (int i = 0; i < sets->pieces; i++) {
        uint32_t from = sets->from[i];
        for (uint32_t set = sets->to[i]; set; set &= set - 1) {
            uint32_t to = valley_lowest(set);
            Move move = from | to << 5;
            uint32_t priority = searcher->history[mover][from][to];
            if (move == table_move)
                priority = table_priority;
            else if (move == searcher->killers[ply][0])
                priority = killer_priority + 1;
            else if (move == searcher->killers[ply][1])
                priority = killer_priority;
            moves[count++] = (OrderedMove){.move = move, .priority = priority};
        }
    }
    return count;
}

/* Moves the one with the highest priority of those from `first` on to the front of them. */
static Move pick_next_move(OrderedMove moves[], int first, int count) {
    int best = first;
    for (int i = first + 1; i < count; i++)
        if (moves[i].priority > moves[best].priority)
            best = i;
    OrderedMove chosen = moves[best];
    moves[best] = moves[first];
    moves[first] = chosen;
    return chosen.move;
}

/* Notes a move that caused a cutoff. */
static void update_move_order(Searcher *searcher, int mover, Move move, int depth, int ply) {
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

/* Called at inner nodes only: between two of them, there are as many leaves as a position has
 * moves. */
static bool is_stopped(Searcher *searcher) {
    if (searcher->should_stop && searcher->nodes >= searcher->next_poll) {
        searcher->next_poll = searcher->nodes + POLL_NODES;
        if (searcher->should_stop(searcher->context))
            atomic_store_explicit(searcher->stop, true, memory_order_relaxed);
    }
    return atomic_load_explicit(searcher->stop, memory_order_relaxed);
}

static Move move_image(const Symmetries *symmetries, Move move, int symmetry) {
    return (Move)(symmetries->squares[symmetry][move & 31] |
                  symmetries->squares[symmetry][move >> 5] << 5);
}

/* Scores a move that does not win at once. All moves but the first are tried with a null window
 * before the full one. */
static int score_move(Searcher *searcher, int mover, Move move, int depth, int alpha, int beta,
                      int ply, bool is_first) {
    ValleyBoard *board = &searcher->board;
    uint32_t from = move & 31, to = move >> 5;
    int score;
    valley_move(board, mover, from, to);
    if (valley_is_walled(valley_occupied(board), board->kings[mover])) {
        score = -(SCORE_WIN - (ply + 1));
    } else {
        score = is_first
                    ? alpha + 1
                    : -alphabeta_score(searcher, 1 - mover, depth - 1, -alpha - 1, -alpha, ply + 1);
        if (score > alpha && (is_first || score < beta))
            score = -alphabeta_score(searcher, 1 - mover, depth - 1, -beta, -alpha, ply + 1);
    }
    valley_move(board, mover, to, from);
    return score;
}

int alphabeta_score(Searcher *searcher, int mover, int depth, int alpha, int beta, int ply) {
    assert(alpha < beta && -SCORE_WIN <= alpha && beta <= SCORE_WIN);
    assert(depth >= 0 && ply >= 0 && ply + depth < SEARCH_LINE_MAX);
    ValleyBoard *board = &searcher->board;
    uint32_t occupied = valley_occupied(board);
    searcher->nodes++;
    if (valley_can_win(board, mover))
        return SCORE_WIN - (ply + 1);
    if (depth == 0)
        return alphabeta_estimate(board, mover);
    if (is_stopped(searcher))
        return 0;

    int symmetry;
    uint64_t key = symmetry_key(searcher->symmetries, board, mover, &symmetry);
    TranspositionEntry entry = transposition_probe(searcher->transpositions, key);
    if (entry.bound != BOUND_NONE) {
        Bound bound = bound_at_depth(&entry, depth);
        int score = score_from_table(entry.score, ply);
        if (bound == BOUND_EXACT || (bound == BOUND_LOWER && score >= beta) ||
            (bound == BOUND_UPPER && score <= alpha))
            return score;
    }

    MoveSets sets;
    OrderedMove moves[VALLEY_MOVES_MAX];
    list_destinations(board, mover, occupied, &sets);
    Move table_move = entry.move ? move_image(searcher->symmetries, entry.move,
                                              searcher->symmetries->inverse[symmetry])
                                 : 0;
    int count = list_moves(searcher, &sets, mover, ply, table_move, moves);
    int best = -SCORE_WIN, low = alpha;
    Move best_move = 0;
    for (int i = 0; i < count && best < beta; i++) {
        Move move = pick_next_move(moves, i, count);
        int score = score_move(searcher, mover, move, depth, low, beta, ply, i == 0);
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
        update_move_order(searcher, mover, best_move, depth, ply);
    transposition_store(
        searcher->transpositions, key,
        (TranspositionEntry){.score = score_to_table(best, ply),
                             .depth = depth,
                             .bound = best >= beta    ? BOUND_LOWER
                                      : best <= alpha ? BOUND_UPPER
                                                      : BOUND_EXACT,
                             .move = move_image(searcher->symmetries, best_move, symmetry)});
    return best;
}
