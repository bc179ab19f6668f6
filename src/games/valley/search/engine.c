/* The search as the common interface sees it: deeper and deeper until the time is up or there is a
 * proof, on several threads that share what they remember. */
#include <omp.h>
#include <stdlib.h>

#include "games/valley/search/alphabeta.h"
#include "games/valley/search/book.h"
#include "games/valley/valley.h"

enum { HASH_BYTES_MAX = 256 << 20, NOT_FOUND = -1 };

typedef struct Engine {
    Search base;
    int soldiers;
    Fold fold;
    Hash hash;
    Book book; /* opened when a position of the opening is first asked for */
} Engine;

/* One call of think. */
typedef struct Thought {
    Engine *engine;
    const SearchBudget *budget;
    ValleyState root;
    Move moves[VALLEY_MOVES_MAX]; /* at the root, in the game's order */
    int move_count;
    double begin;
    bool has_result; /* from then on it may be stopped */
    atomic_bool stop;
} Thought;

static bool is_time_up(void *context) {
    const Thought *thought = context;
    const SearchBudget *budget = thought->budget;
    return thought->has_result &&
           ((budget->seconds > 0 && progress_clock_s() - thought->begin > budget->seconds) ||
            (budget->stop && *budget->stop));
}

/* --- the root --- */

/* The score of a move at the root, if it is between alpha and beta. */
static int score_move(Searcher *searcher, const Thought *thought, Move move, int depth, int alpha,
                      int beta) {
    int mover = (int)thought->root.turn;
    uint32_t from = valley_move_from(move), to = valley_move_to(move);
    ValleyBoard *board = &searcher->board;
    int score;
    valley_move(board, mover, from, to);
    ValleyEnd end = valley_end(board, mover);
    if (end == VALLEY_GOES_ON)
        score = -search_score(searcher, 1 - mover, depth - 1, -beta, -alpha, 1);
    else
        score = end == VALLEY_TRAPPED ? -(SEARCH_WON - 1) : SEARCH_WON - 1;
    valley_move(board, mover, to, from);
    return score;
}

/* The score at the root; `best` (what was best one ply ago) is tried first, and changed. */
static int score_root(Searcher *searcher, const Thought *thought, int depth, int *best) {
    int score = -SEARCH_WON, tried_first = *best;
    for (int i = -1; i < thought->move_count && !atomic_load(&thought->stop); i++) {
        int at = i < 0 ? tried_first : i;
        if (i == tried_first)
            continue;
        Move move = thought->moves[at];
        int found =
            score_move(searcher, thought, move, depth, score, i < 0 ? SEARCH_WON : score + 1);
        if (i >= 0 && found > score && !atomic_load(&thought->stop))
            found = score_move(searcher, thought, move, depth, score, SEARCH_WON);
        if (found > score) {
            score = found;
            *best = at;
        }
    }
    return score;
}

/* The first move in the game's order that has the root's score; NOT_FOUND when it was stopped. */
static int first_best(Searcher *searcher, const Thought *thought, int depth, int score) {
    for (int i = 0; i < thought->move_count; i++)
        if (score_move(searcher, thought, thought->moves[i], depth, score - 1, score) >= score)
            return i;
    return NOT_FOUND;
}

/* Whether nothing deeper can change the score. */
static bool is_settled(int score, int depth) {
    int plies = SEARCH_WON - abs(score);
    return search_is_proven(score) && plies <= depth + 1;
}

/* --- best play --- */

/* The best move for `mover` on the searcher's board, by what is remembered; false: nothing is. */
static bool remembered_move(const Engine *engine, const ValleyBoard *board, int mover, Move *move) {
    int symmetry;
    uint64_t key = fold_key(&engine->fold, board, mover, &symmetry);
    HashEntry entry = hash_read(&engine->hash, key);
    const uint8_t *squares = engine->fold.squares[engine->fold.inverse[symmetry]];
    if (entry.bound == HASH_NONE || entry.move == 0)
        return false;
    *move = valley_move_pack(squares[valley_move_from(entry.move)],
                             squares[valley_move_to(entry.move)]);
    return true;
}

/* Adds moves after the first: for a proof up to its end, each found by a search of its own that
 * mostly remembers; else as far as is remembered. */
static void follow_line(Searcher *searcher, const Thought *thought, int depth, int score,
                        SearchResult *result) {
    Thought at = {.engine = thought->engine, .root = thought->root};
    bool is_proof = search_is_proven(score);
    for (int left = is_proof ? SEARCH_WON - abs(score) : depth; left > 1; left--) {
        Move move = result->line[result->line_length - 1];
        State state = valley_state_pack(&at.root);
        valley_apply(NULL, &state, move);
        at.root = valley_state(&state);
        if (valley_state_end(&at.root) != VALLEY_GOES_ON)
            break;
        if (is_proof) {
            score = score > 0 ? -(score + 1) : -(score - 1); /* the other side's, a ply nearer */
            searcher->board = at.root.board;
            at.move_count = (int)valley_moves(NULL, &state, at.moves);
            int best = first_best(searcher, &at, left, score);
            if (best == NOT_FOUND || atomic_load(&thought->stop))
                break;
            move = at.moves[best];
        } else if (!remembered_move(thought->engine, &at.root.board, (int)at.root.turn, &move)) {
            break;
        }
        result->line[result->line_length++] = move;
    }
}

/* --- thinking --- */

static double value_of(int score) {
    int plies = SEARCH_WON - abs(score);
    if (search_is_proven(score))
        return score > 0 ? valley_value_of_win(plies) : valley_value_of_loss(plies);
    return 0.5 + score / (4.0 * (SEARCH_ESTIMATE_MAX + 1));
}

static void tell(Thought *thought, int depth, int score, int best, SearchResult *result) {
    result->value = value_of(score);
    result->is_proven = search_is_proven(score);
    result->depth = depth;
    result->line[0] = thought->moves[best];
    result->line_length = 1;
    thought->has_result = true;
}

/* The thread that decides. */
static void lead(Searcher *searcher, Thought *thought, SearchResult *result) {
    int depth_max = thought->budget->depth > 0 ? thought->budget->depth : SEARCH_DEPTH_MAX;
    int best = 0, depth = 0, score = 0;
    for (int next = 1; next <= depth_max && !(depth > 0 && is_settled(score, depth)); next++) {
        int found = score_root(searcher, thought, next, &best);
        if (atomic_load(&thought->stop))
            break;
        depth = next;
        score = found;
        tell(thought, depth, score, best, result);
    }
    if (!atomic_load(&thought->stop)) {
        int first = first_best(searcher, thought, depth, score);
        if (first != NOT_FOUND && !atomic_load(&thought->stop))
            best = first;
        if (!atomic_load(&thought->stop))
            tell(thought, depth, score, best, result);
    }
    follow_line(searcher, thought, depth, score, result);
    atomic_store(&thought->stop, true); /* the others have helped enough */
}

/* The others fill the table: every second one a ply ahead. */
static void help(Searcher *searcher, const Thought *thought, int thread) {
    int best = thread % thought->move_count;
    for (int depth = 1 + thread % 2; depth <= SEARCH_DEPTH_MAX && !atomic_load(&thought->stop);
         depth++)
        score_root(searcher, thought, depth, &best);
}

/* --- the book --- */

/* A move to the position of the book that `code`, the value before it, comes from. */
static bool move_in_book(const Book *book, const State *state, uint32_t code, Move *move) {
    Move moves[GAME_MOVES_MAX];
    size_t count = valley_moves(NULL, state, moves);
    for (size_t i = 0; i < count; i++) {
        State next = *state;
        uint32_t after;
        bool is_inner;
        valley_apply(NULL, &next, moves[i]);
        ValleyState valley = valley_state(&next);
        ValleyEnd end = valley_state_end(&valley);
        bool wins = end == VALLEY_REACHED || end == VALLEY_WALLED;
        *move = moves[i];
        if (wins && code == 1)
            return true;
        if (end == VALLEY_GOES_ON && book_code(book, &next, &after, &is_inner) &&
            (code == VALLEY_ENDLESS_CODE ? after == code : after != 0 && after + 1 == code))
            return true;
    }
    return false;
}

/* Answers from the book, if it can. */
static bool answer_from_book(Engine *engine, const State *state, const SearchBudget *budget,
                             SearchResult *result) {
    uint32_t code;
    bool is_inner;
    if (!budget->may_look_up || book_count == 0 || engine->soldiers != VALLEY_SOLDIERS_MAX ||
        valley_state(state).ply > BOOK_DEPTH + 1)
        return false;
    if (engine->book.count == 0) {
        Status status = book_open(&engine->book);
        if (!status_is_ok(&status) || !book_is_current(&engine->book)) {
            book_close(&engine->book);
            return false;
        }
    }
    if (!book_code(&engine->book, state, &code, &is_inner) || !(is_inner || budget->value_only))
        return false;
    result->value = valley_value_of_code(code);
    result->is_proven = true;
    result->source = "the opening book";
    State at = *state;
    Move move;
    /* Endless play has no line to its end: the move will do. */
    bool is_endless = code == VALLEY_ENDLESS_CODE;
    while (is_inner && result->line_length < (is_endless ? 1 : SEARCH_LINE_MAX) &&
           move_in_book(&engine->book, &at, code, &move)) {
        result->line[result->line_length++] = move;
        valley_apply(NULL, &at, move);
        if (valley_actor(NULL, &at) == GAME_END || !book_code(&engine->book, &at, &code, &is_inner))
            break;
    }
    return result->line_length > 0 || budget->value_only;
}

static void think(Search *base, const State *state, const SearchBudget *budget,
                  SearchResult *result) {
    Engine *engine = (Engine *)base;
    Thought thought = {.engine = engine,
                       .budget = budget,
                       .root = valley_state(state),
                       .begin = progress_clock_s()};
    thought.move_count = (int)valley_moves(NULL, state, thought.moves);
    *result = (SearchResult){.line_length = 0};
    if (answer_from_book(engine, state, budget, result))
        return;
    *result = (SearchResult){.line_length = 0};
    hash_age(&engine->hash);
    uint64_t nodes = 0;
#pragma omp parallel num_threads(budget->threads > 1 ? budget->threads : 1) reduction(+ : nodes)
    {
        Searcher searcher = {.fold = &engine->fold,
                             .hash = &engine->hash,
                             .board = thought.root.board,
                             .stop = &thought.stop};
        if (omp_get_thread_num() == 0) {
            searcher.watch = is_time_up;
            searcher.context = &thought;
            lead(&searcher, &thought, result);
        } else {
            help(&searcher, &thought, omp_get_thread_num());
        }
        nodes += searcher.nodes;
    }
    result->nodes = nodes;
    result->seconds = progress_clock_s() - thought.begin;
}

static void free_engine(Search *base) {
    Engine *engine = (Engine *)base;
    hash_close(&engine->hash);
    book_close(&engine->book);
    free(engine);
}

Status valley_search_new(const Rules *rules, const SolveLimits *limits, Search **search) {
    Engine *engine = calloc(1, sizeof *engine);
    size_t bytes =
        limits->memory_bytes / 2 < HASH_BYTES_MAX ? limits->memory_bytes / 2 : HASH_BYTES_MAX;
    if (!engine || !hash_open(&engine->hash, bytes)) {
        free(engine);
        return status_make(STATUS_FAILED, "out of memory");
    }
    fold_init(&engine->fold);
    engine->soldiers = valley_rules(rules).soldiers;
    engine->base = (Search){.think = think, .free = free_engine};
    *search = &engine->base;
    return status_ok();
}
