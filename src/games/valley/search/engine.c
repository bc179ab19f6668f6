/* The search engine (game/search.h): iterative deepening until the budget is used up or there is a
 * proof.
 *
 * Lazy SMP: the main thread alone decides. It searches depth 1, 2, 3, ... and reports the last
 * depth it finished. Helper threads search the same root at other depths only to fill the
 * transposition table. As the score of a depth does not depend on the table (alphabeta.h), neither
 * does the result at a fixed depth. Ties between moves are broken by the game's move order.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/threads.h"
#include "games/valley/search/alphabeta.h"
#include "games/valley/search/book.h"
#include "games/valley/valley.h"

enum { TRANSPOSITION_BYTES_MAX = 256 << 20, NOT_FOUND = -1 };

typedef struct Engine {
    Search base;
    int soldiers;
    Symmetries symmetries;
    TranspositionTable transpositions;
    ValleyStart start;              /* of the rules: its book is tried first */
    Book books[VALLEY_START_COUNT]; /* generated when an opening position is first searched */
    ThreadPool *pool;               /* kept from one search to the next; NULL: not needed so far */
    int pool_threads;               /* what it was opened with; 0: not at all */
} Engine;

/* One call of think, which sets everything up before the threads start. While they run, all of them
 * read engine, root, moves and move_count; only the main thread reads and writes has_result and
 * *result, and reads budget and begin_s; any thread may read or set `stop`, and adds to `nodes`
 * when it ends. All have ended before think returns. */
typedef struct RootSearch {
    Engine *engine;
    const SearchBudget *budget;
    ValleyState root;
    Move moves[VALLEY_MOVES_MAX]; /* at the root, in the game's order */
    int move_count;
    double begin_s;
    bool has_result; /* depth 1 is done: from now on the search may be stopped */
    SearchResult *result;
    atomic_bool stop;
    atomic_uint_fast64_t nodes; /* of the threads that have ended */
} RootSearch;

static bool is_time_up(void *context) {
    const RootSearch *root_search = context;
    const SearchBudget *budget = root_search->budget;
    return root_search->has_result &&
           ((budget->seconds > 0 && progress_clock_s() - root_search->begin_s > budget->seconds) ||
            (budget->stop && *budget->stop));
}

/* --- the root --- */

/* The score of a move at the root, within the window as for alphabeta_score. */
static int score_root_move(Searcher *searcher, const RootSearch *root_search, Move move, int depth,
                           int alpha, int beta) {
    int mover = (int)root_search->root.turn;
    uint32_t from = valley_move_from(move), to = valley_move_to(move);
    ValleyBoard *board = &searcher->board;
    int score;
    valley_move(board, mover, from, to);
    ValleyEnd end = valley_end(board, mover);
    if (end == VALLEY_ONGOING)
        score = -alphabeta_score(searcher, 1 - mover, depth - 1, -beta, -alpha, 1);
    else
        score = end == VALLEY_TRAPPED ? -(SCORE_WIN - 1) : SCORE_WIN - 1;
    valley_move(board, mover, to, from);
    return score;
}

/* Searches the root to `depth` and returns its score. `best` is the index of the move to try first,
 * the best one of the last depth, and is set to the best one of this depth. */
static int search_root(Searcher *searcher, const RootSearch *root_search, int depth, int *best) {
    int score = -SCORE_WIN, tried_first = *best;
    for (int i = -1; i < root_search->move_count && !atomic_load(&root_search->stop); i++) {
        int at = i < 0 ? tried_first : i;
        if (i == tried_first)
            continue;
        Move move = root_search->moves[at];
        int found = score_root_move(searcher, root_search, move, depth, score,
                                    i < 0 ? SCORE_WIN : score + 1);
        if (i >= 0 && found > score && !atomic_load(&root_search->stop))
            found = score_root_move(searcher, root_search, move, depth, score, SCORE_WIN);
        if (found > score) {
            score = found;
            *best = at;
        }
    }
    return score;
}

/* The first move in the game's order with the root's score; NOT_FOUND if the search was stopped. */
static int find_first_best(Searcher *searcher, const RootSearch *root_search, int depth,
                           int score) {
    for (int i = 0; i < root_search->move_count; i++)
        if (score_root_move(searcher, root_search, root_search->moves[i], depth, score - 1,
                            score) >= score)
            return i;
    return NOT_FOUND;
}

/* Whether the score is proven and no deeper search can change it. */
static bool is_settled(int score, int depth) {
    int plies = SCORE_WIN - abs(score);
    return score_is_proven(score) && plies <= depth + 1;
}

/* --- the principal variation --- */

/* The best move of a position by the transposition table. Returns false if it has none. */
static bool find_table_move(const Engine *engine, const ValleyBoard *board, int mover, Move *move) {
    int symmetry;
    uint64_t key = symmetry_key(&engine->symmetries, board, mover, &symmetry);
    TranspositionEntry entry = transposition_probe(&engine->transpositions, key);
    const uint8_t *squares = engine->symmetries.squares[engine->symmetries.inverse[symmetry]];
    if (entry.bound == BOUND_NONE || entry.move == 0)
        return false;
    *move = valley_move_pack(squares[valley_move_from(entry.move)],
                             squares[valley_move_to(entry.move)]);
    return true;
}

/* Extends the principal variation after its first move: for a proof up to the end of the game, each
 * move found by a search that is quick because the transposition table is filled; else as far as
 * the table knows best moves. */
static void extend_line(Searcher *searcher, const RootSearch *root_search, int depth, int score,
                        SearchResult *result) {
    RootSearch at = {.engine = root_search->engine, .root = root_search->root};
    bool is_proof = score_is_proven(score);
    for (int left = is_proof ? SCORE_WIN - abs(score) : depth; left > 1; left--) {
        Move move = result->line[result->line_length - 1];
        State state = valley_state_pack(&at.root);
        valley_apply(NULL, &state, move);
        at.root = valley_state(&state);
        if (valley_state_end(&at.root) != VALLEY_ONGOING)
            break;
        if (is_proof) {
            score = score > 0 ? -(score + 1) : -(score - 1); /* the other side's, a ply closer */
            searcher->board = at.root.board;
            at.move_count = (int)valley_moves(NULL, &state, at.moves);
            int best = find_first_best(searcher, &at, left, score);
            if (best == NOT_FOUND || atomic_load(&root_search->stop))
                break;
            move = at.moves[best];
        } else if (!find_table_move(root_search->engine, &at.root.board, (int)at.root.turn,
                                    &move)) {
            break;
        }
        result->line[result->line_length++] = move;
    }
}

/* --- iterative deepening --- */

static double value_of(int score) {
    int plies = SCORE_WIN - abs(score);
    if (score_is_proven(score))
        return score > 0 ? valley_value_of_win(plies) : valley_value_of_loss(plies);
    return 0.5 + score / (4.0 * (SCORE_ESTIMATE_MAX + 1));
}

/* Records the outcome of a finished depth. */
static void record_result(RootSearch *root_search, int depth, int score, int best,
                          SearchResult *result) {
    result->value = value_of(score);
    result->is_proven = score_is_proven(score);
    result->depth = depth;
    result->line[0] = root_search->moves[best];
    result->line_length = 1;
    root_search->has_result = true;
}

/* The main thread: deepens until the budget is used up, then settles ties and finds the line. */
static void run_main_thread(Searcher *searcher, RootSearch *root_search) {
    SearchResult *result = root_search->result;
    int depth_max = root_search->budget->depth > 0 ? root_search->budget->depth : SEARCH_DEPTH_MAX;
    int best = 0, depth = 0, score = 0;
    for (int next = 1; next <= depth_max && !(depth > 0 && is_settled(score, depth)); next++) {
        int found = search_root(searcher, root_search, next, &best);
        if (atomic_load(&root_search->stop))
            break;
        depth = next;
        score = found;
        record_result(root_search, depth, score, best, result);
    }
    if (!atomic_load(&root_search->stop)) {
        int first = find_first_best(searcher, root_search, depth, score);
        if (first != NOT_FOUND && !atomic_load(&root_search->stop))
            best = first;
        if (!atomic_load(&root_search->stop))
            record_result(root_search, depth, score, best, result);
    }
    extend_line(searcher, root_search, depth, score, result);
    atomic_store(&root_search->stop, true); /* ends the helpers */
}

/* A helper thread: fills the transposition table. Every second helper starts a ply ahead. */
static void run_helper_thread(Searcher *searcher, const RootSearch *root_search, int thread) {
    int best = thread % root_search->move_count;
    for (int depth = 1 + thread % 2; depth <= SEARCH_DEPTH_MAX && !atomic_load(&root_search->stop);
         depth++)
        search_root(searcher, root_search, depth, &best);
}

/* --- the book --- */

/* Finds a move that leads to the value `code` of the state, by the codes of its successors. */
static bool find_book_move(const Book *book, const State *state, uint32_t code, Move *move) {
    Move moves[GAME_MOVES_MAX];
    size_t count = valley_moves(NULL, state, moves);
    for (size_t i = 0; i < count; i++) {
        State next = *state;
        uint32_t after;
        bool has_successors;
        valley_apply(NULL, &next, moves[i]);
        ValleyState valley = valley_state(&next);
        ValleyEnd end = valley_state_end(&valley);
        bool wins = end == VALLEY_REACHED || end == VALLEY_WALLED;
        *move = moves[i];
        if (wins && code == 1)
            return true;
        if (end == VALLEY_ONGOING && book_probe(book, &next, &after, &has_successors) &&
            (code == VALLEY_ENDLESS_CODE ? after == code : after != 0 && after + 1 == code))
            return true;
    }
    return false;
}

/* The book of a setup, or NULL if it cannot be used. */
static const Book *take_book(Engine *engine, ValleyStart start) {
    Book *book = &engine->books[start];
    if (book_data_of(start)->count == 0)
        return NULL;
    if (book->count == 0) {
        Status status = book_open(book, start);
        if (!status_is_ok(&status) || !book_is_current(book)) {
            book_close(book);
            return NULL;
        }
    }
    return book;
}

/* Answers from a book. Returns false if the state is not in it. */
static bool answer_from(const Book *book, const State *state, const SearchBudget *budget,
                        SearchResult *result) {
    uint32_t code;
    bool has_successors;
    if (!book || !book_probe(book, state, &code, &has_successors) ||
        !(has_successors || budget->value_only))
        return false;
    result->value = valley_value_of_code(code);
    result->is_proven = true;
    result->source = "the opening book";
    State at = *state;
    Move move;
    /* An endless game has no line to its end; one move is enough. */
    bool is_endless = code == VALLEY_ENDLESS_CODE;
    while (has_successors && result->line_length < (is_endless ? 1 : SEARCH_LINE_MAX) &&
           find_book_move(book, &at, code, &move)) {
        result->line[result->line_length++] = move;
        valley_apply(NULL, &at, move);
        if (valley_actor(NULL, &at) == GAME_END || !book_probe(book, &at, &code, &has_successors))
            break;
    }
    return result->line_length > 0 || budget->value_only;
}

/* Answers from one of the books, if they may be used: a position may be asked for under either
 * setup. */
static bool answer_from_books(Engine *engine, const State *state, const SearchBudget *budget,
                              SearchResult *result) {
    ValleyStart other = engine->start == VALLEY_STANDARD ? VALLEY_RETRIEVE : VALLEY_STANDARD;
    if (!budget->may_look_up || engine->soldiers != VALLEY_SOLDIERS_MAX ||
        valley_state(state).ply > BOOK_DEPTH + 1)
        return false;
    return answer_from(take_book(engine, engine->start), state, budget, result) ||
           answer_from(take_book(engine, other), state, budget, result);
}

/* --- threads --- */

/* Runs the main thread if i is 0, else helper i. A helper that gets no processor before the main
 * thread is done ends at once. */
static void run_thread(void *context, size_t i, int thread) {
    RootSearch *root_search = context;
    Engine *engine = root_search->engine;
    Searcher searcher = {.symmetries = &engine->symmetries,
                         .transpositions = &engine->transpositions,
                         .board = root_search->root.board,
                         .stop = &root_search->stop};
    (void)thread;
    if (i == 0) {
        searcher.should_stop = is_time_up;
        searcher.context = root_search;
        run_main_thread(&searcher, root_search);
    } else {
        run_helper_thread(&searcher, root_search, (int)i);
    }
    atomic_fetch_add(&root_search->nodes, searcher.nodes);
}

/* The threads for a search. Opened when first needed, so that short searches do not wait for
 * threads to start and end. */
static ThreadPool *take_pool(Engine *engine, int threads) {
    if (threads == 1)
        return NULL;
    if (engine->pool_threads != threads) {
        thread_pool_close(engine->pool);
        engine->pool = thread_pool_open(threads);
        engine->pool_threads = threads;
    }
    return engine->pool;
}

static void think(Search *base, const State *state, const SearchBudget *budget,
                  SearchResult *result) {
    Engine *engine = (Engine *)base;
    RootSearch root_search = {.engine = engine,
                              .budget = budget,
                              .root = valley_state(state),
                              .begin_s = progress_clock_s(),
                              .result = result};
    root_search.move_count = (int)valley_moves(NULL, state, root_search.moves);
    *result = (SearchResult){.line_length = 0};
    if (answer_from_books(engine, state, budget, result))
        return;
    *result = (SearchResult){.line_length = 0};
    assert(root_search.move_count > 0);
    transposition_new_search(&engine->transpositions);
    int threads = budget->threads > 1 ? budget->threads : 1;
    thread_pool_run(take_pool(engine, threads), (size_t)threads, run_thread, &root_search);
    result->nodes = root_search.nodes;
    result->seconds = progress_clock_s() - root_search.begin_s;
}

static void free_engine(Search *base) {
    Engine *engine = (Engine *)base;
    thread_pool_close(engine->pool);
    transposition_close(&engine->transpositions);
    for (int i = 0; i < VALLEY_START_COUNT; i++)
        book_close(&engine->books[i]);
    free(engine);
}

Status valley_search_new(const Rules *rules, const SolveLimits *limits, Search **search) {
    Engine *engine = calloc(1, sizeof *engine);
    size_t bytes = limits->memory_bytes / 2 < TRANSPOSITION_BYTES_MAX ? limits->memory_bytes / 2
                                                                      : TRANSPOSITION_BYTES_MAX;
    if (!engine || !transposition_open(&engine->transpositions, bytes)) {
        free(engine);
        return status_make(STATUS_FAILED, "out of memory");
    }
    symmetries_init(&engine->symmetries);
    engine->soldiers = valley_rules(rules).soldiers;
    engine->start = valley_rules(rules).start;
    engine->base = (Search){.think = think, .free = free_engine};
    *search = &engine->base;
    return status_ok();
}
