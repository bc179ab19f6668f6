/* `malpan valley facts`. */
#include "games/valley/solve/facts.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/threads.h"
#include "games/valley/solve/solver.h"

/* --- counting --- */

/* The longest win so far and its position; of equally long ones the one ranked first. */
typedef struct Longest {
    uint32_t plies, block, index;
} Longest;

static bool is_longer(const Longest *a, const Longest *b) {
    if (a->plies != b->plies)
        return a->plies > b->plies;
    return a->block != b->block ? a->block < b->block : a->index < b->index;
}

/* The code of the position at an index, of which `stored` is what the table has. Returns false if
 * the index is not used: its mirror image has the lower one, or the game is over there. */
static bool code_of_index(const Ranking *ranking, uint32_t block, uint32_t index, uint32_t stored,
                          uint32_t *code, uint32_t *self_images) {
    ValleyBoard board;
    unrank_board(ranking, block, index, &board, VALLEY_WHITE);
    if (rank_soldiers(ranking, &ranking->blocks[block], board.soldiers[0], board.soldiers[1],
                      self_images) != index ||
        valley_end(&board, VALLEY_WHITE) != VALLEY_ONGOING)
        return false;
    *code = valley_can_win(&board, VALLEY_WHITE) ? 1 : stored;
    return true;
}

/* Counts the positions of a block by their codes. */
static Status count_block(const Table *table, const Ranking *ranking, uint32_t block,
                          const StopFlag *stop, uint64_t counts[FACTS_PLIES], Longest *longest) {
    TableReader *reader;
    uint32_t *codes = malloc(ranking->columns * sizeof *codes);
    if (!codes)
        return status_make(STATUS_FAILED, "out of memory");
    Status status = table_reader_open(table, 0, &reader);
    if (!status_is_ok(&status)) {
        free(codes);
        return status;
    }
    for (uint32_t first = 0; first < ranking->block_size && status_is_ok(&status);
         first += ranking->columns) {
        status = table_read(reader, (uint64_t)block * ranking->block_size + first, ranking->columns,
                            codes);
        for (uint32_t i = 0; i < ranking->columns && status_is_ok(&status); i++) {
            uint32_t code, self_images;
            if (!code_of_index(ranking, block, first + i, codes[i], &code, &self_images))
                continue;
            counts[code] += SYMMETRY_COUNT / self_images;
            Longest one = {.plies = code, .block = block, .index = first + i};
            if (code % 2 == 1 && is_longer(&one, longest))
                *longest = one;
        }
        if (status_is_ok(&status) && stop && *stop)
            status = status_make(STATUS_STOPPED, "stopped");
    }
    table_reader_close(reader);
    free(codes);
    return status;
}

/* Shared by the threads that count. `lock` guards *facts and *longest. */
typedef struct Counting {
    const Table *table;
    const Ranking *ranking;
    const StopFlag *stop;
    pthread_mutex_t lock;
    ValleyFacts *facts;
    Longest *longest;
} Counting;

/* Counts a block, and adds it to the facts. */
static Status add_block(void *context, size_t block, int thread) {
    Counting *counting = context;
    uint64_t counts[FACTS_PLIES] = {0};
    Longest longest = {.plies = 0};
    (void)thread;
    Status status = count_block(counting->table, counting->ranking, (uint32_t)block, counting->stop,
                                counts, &longest);
    pthread_mutex_lock(&counting->lock);
    for (int i = 0; i < FACTS_PLIES; i++)
        counting->facts->counts[i] += counts[i];
    if (is_longer(&longest, counting->longest))
        *counting->longest = longest;
    pthread_mutex_unlock(&counting->lock);
    return status;
}

static Status count_all(const Table *table, const Ranking *ranking, const SolveLimits *limits,
                        ValleyFacts *facts, Longest *longest) {
    Counting counting = {.table = table,
                         .ranking = ranking,
                         .stop = limits->stop,
                         .facts = facts,
                         .longest = longest};
    pthread_mutex_init(&counting.lock, NULL);
    progress_start(limits->progress, "counting");
    Status status = threads_try(limits->threads, &(ThreadLoop){.count = RANK_BLOCKS,
                                                               .step = add_block,
                                                               .context = &counting,
                                                               .progress = limits->progress});
    progress_finish(limits->progress);
    pthread_mutex_destroy(&counting.lock);
    return status;
}

/* --- the longest win --- */

/* Follows best play to the end: the first move of those that keep the value. */
static Status follow_best_play(const ValleyTablebase *tablebase, const Rules *rules,
                               ValleyFacts *facts) {
    State state = facts->position;
    while (valley_actor(rules, &state) != GAME_END && facts->line_length < FACTS_PLIES) {
        ValleyState valley = valley_state(&state);
        Move moves[GAME_MOVES_MAX];
        size_t count = valley_moves(rules, &state, moves), i = 0;
        uint32_t code = 0, after = UINT32_MAX;
        StatusCode failed =
            tablebase_probe_board(tablebase, &valley.board, (int)valley.turn, &code);
        for (; i < count && !failed; i++) {
            ValleyBoard next = valley.board;
            valley_move(&next, (int)valley.turn, valley_move_from(moves[i]),
                        valley_move_to(moves[i]));
            ValleyEnd end = valley_end(&next, (int)valley.turn);
            after = end == VALLEY_REACHED || end == VALLEY_WALLED ? 0 : UINT32_MAX;
            if (end == VALLEY_ONGOING)
                failed = tablebase_probe_board(tablebase, &next, 1 - (int)valley.turn, &after);
            if (after == code - 1 && (end != VALLEY_ONGOING || after > 0))
                break;
        }
        if (failed)
            return tablebase_failure(tablebase);
        if (i == count)
            return status_make(STATUS_TABLE, "the table contradicts itself");
        facts->line[facts->line_length++] = moves[i];
        valley_apply(rules, &state, moves[i]);
    }
    return status_ok();
}

static Status find_longest(const Table *table, ValleyTablebase *tablebase, const Rules *rules,
                           const Longest *longest, ValleyFacts *facts) {
    ValleyState valley = {.ply = 3, .turn = VALLEY_WHITE};
    facts->longest = longest->plies;
    if (longest->plies == 0)
        return status_ok();
    unrank_board(&tablebase->ranking, longest->block, longest->index, &valley.board, VALLEY_WHITE);
    facts->position = valley_state_pack(&valley);
    Status status = table_reader_open(table, 1 << 20, &tablebase->reader);
    if (!status_is_ok(&status))
        return status;
    status = follow_best_play(tablebase, rules, facts);
    table_reader_close(tablebase->reader);
    return status;
}

static Status find_facts(const Variant *variant, const GameCall *call, ValleyFacts *facts) {
    const SolveLimits *limits = call->limits;
    Table *table;
    Solver *solver;
    if (!limits->tables)
        return status_make(STATUS_USAGE, "no folder for tables: neither --tables nor the "
                                         "environment names one");
    /* Solves small variants now, which leaves their table in the folder. */
    Status status = call->services->open_solver(variant, limits, &solver);
    if (!status_is_ok(&status))
        return status;
    solver->free(solver);
    ValleyTablebase *tablebase = calloc(1, sizeof *tablebase);
    if (!tablebase)
        return status_make(STATUS_FAILED, "out of memory");
    status = call->services->open_table(variant, limits, &table);
    if (status_is_ok(&status)) {
        Longest longest = {.plies = 0};
        facts->soldiers = valley_rules(&variant->rules).soldiers;
        ranking_init(&tablebase->ranking, facts->soldiers);
        status = valley_check_table(table, &tablebase->ranking);
        if (status_is_ok(&status))
            status = count_all(table, &tablebase->ranking, limits, facts, &longest);
        if (status_is_ok(&status))
            status = find_longest(table, tablebase, &variant->rules, &longest, facts);
        table_close(table);
    }
    free(tablebase);
    return status;
}

/* --- printing --- */

static void add_line(const ValleyFacts *facts, const Rules *rules, Text *output) {
    for (size_t i = 0; i < facts->line_length; i++) {
        text_add(output, i > 0 ? " " : "");
        valley_print_move(rules, NULL, facts->line[i], LANG_EN, output);
    }
}

typedef struct Sums {
    uint64_t won, lost, all;
} Sums;

static Sums sum_up(const ValleyFacts *facts) {
    Sums sums = {.all = facts->counts[0]};
    for (int plies = 1; plies < FACTS_PLIES; plies++) {
        *(plies % 2 ? &sums.won : &sums.lost) += facts->counts[plies];
        sums.all += facts->counts[plies];
    }
    return sums;
}

static void print_facts(const ValleyFacts *facts, const Rules *rules, Text *output) {
    Sums sums = sum_up(facts);
    double all = (double)sums.all;
    text_addf(output, "valley --soldiers %d\n", facts->soldiers);
    text_addf(output, "positions  %" PRIu64 " with white to move, in which the game goes on\n",
              sums.all);
    text_addf(output, "won        %" PRIu64 " (%.2f %%)\n", sums.won, 100 * (double)sums.won / all);
    text_addf(output, "lost       %" PRIu64 " (%.2f %%)\n", sums.lost,
              100 * (double)sums.lost / all);
    text_addf(output, "endless    %" PRIu64 " (%.2f %%)\n", facts->counts[0],
              100 * (double)facts->counts[0] / all);
    text_add(output, "\n  plies             won            lost\n");
    for (int plies = 1; plies < FACTS_PLIES; plies += 2)
        if (facts->counts[plies] || (plies + 1 < FACTS_PLIES && facts->counts[plies + 1]))
            text_addf(output, "%3d %3d %15" PRIu64 " %15" PRIu64 "\n", plies, plies + 1,
                      facts->counts[plies], plies + 1 < FACTS_PLIES ? facts->counts[plies + 1] : 0);
    if (facts->longest == 0)
        return;
    text_addf(output, "\nthe longest win takes %u plies: ", facts->longest);
    valley_print_state(rules, &facts->position, output);
    text_add(output, "\n");
    add_line(facts, rules, output);
    text_add(output, "\n");
}

static void print_json(const ValleyFacts *facts, const Rules *rules, Text *output) {
    Sums sums = sum_up(facts);
    text_addf(output,
              "{\"game\":\"valley\",\"rules\":{\"soldiers\":%d},\"positions\":%" PRIu64
              ",\"won\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"endless\":%" PRIu64 ",\"by_plies\":{",
              facts->soldiers, sums.all, sums.won, sums.lost, facts->counts[0]);
    for (int plies = 1, shown = 0; plies < FACTS_PLIES; plies++)
        if (facts->counts[plies])
            text_addf(output, "%s\"%d\":%" PRIu64, shown++ > 0 ? "," : "", plies,
                      facts->counts[plies]);
    text_add(output, "}");
    if (facts->longest > 0) {
        text_addf(output, ",\"longest\":{\"plies\":%u,\"position\":\"", facts->longest);
        valley_print_state(rules, &facts->position, output);
        text_add(output, "\",\"line\":\"");
        add_line(facts, rules, output);
        text_add(output, "\"}");
    }
    text_add(output, "}\n");
}

static Status run_facts(const GameCall *call, Text *output) {
    Variant variant = {.game = &valley_game, .rules = call->rules};
    ValleyFacts *facts = calloc(1, sizeof *facts);
    if (!facts)
        return status_make(STATUS_FAILED, "out of memory");
    Status status = find_facts(&variant, call, facts);
    if (status_is_ok(&status)) {
        if (call->json)
            print_json(facts, &call->rules, output);
        else
            print_facts(facts, &call->rules, output);
    }
    free(facts);
    return status;
}

static const char *const facts_examples[] = {"valley facts --soldiers 1",
                                             "valley facts --soldiers 1 --json", NULL};

static const char *const no_examples[] = {NULL};

const GameCommand valley_commands[VALLEY_COMMAND_COUNT] = {
    {.name = "facts",
     .arguments = "",
     .summary = "how many positions are won, lost and endless, by plies; the longest win",
     .examples = facts_examples,
     .word_count = 0,
     .takes_rules = true,
     .takes_json = true,
     .summary_ko =
         "이기는 국면, 지는 국면, 끝없는 국면이 몇 수마다 몇 개인지; 가장 오래 걸리는 승리",
     .run = run_facts},
    {.name = "book",
     .arguments = "FILE",
     .summary = "write the opening book of a --start anew from the table, as C",
     .examples = no_examples, /* it needs the table of four soldiers */
     .word_count = 1,
     .takes_rules = true,
     .summary_ko = "테이블에서 오프닝 북을 만들어 C 코드로 씀",
     .run = valley_book_run}};
