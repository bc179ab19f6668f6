#include "games/valley/solve/solver.h"

#include <assert.h>
#include <stdlib.h>

enum { SOLDIERS_SOLVED_NOW_MAX = 2, CACHE_BYTES_MIN = 64 << 20 };

/* --- probing --- */

/* Inlined into the loop over the moves below, where verification spends its time. */
static inline StatusCode probe(const ValleyTablebase *tablebase, const ValleyBoard *board,
                               int mover, uint32_t *code) {
    *code = 1;
    if (valley_can_win(board, mover))
        return STATUS_OK;
    uint32_t block;
    uint64_t index = rank_board(&tablebase->ranking, board, mover, &block);
    index += (uint64_t)block * tablebase->ranking.block_size;
    if (!tablebase->codes)
        return table_probe(tablebase->reader, index, code);
    *code = tablebase->codes[index];
    return STATUS_OK;
}

StatusCode tablebase_probe_board(const ValleyTablebase *tablebase, const ValleyBoard *board,
                                 int mover, uint32_t *code) {
    return probe(tablebase, board, mover, code);
}

Status tablebase_failure(const ValleyTablebase *tablebase) {
    assert(!tablebase->codes);
    return table_reader_failure(tablebase->reader);
}

/* The best outcome of several moves. If there is none of the three, every move walls in the mover's
 * own king. */
typedef struct Best {
    uint32_t win, loss; /* plies of the quickest win and of the slowest loss; 0: none */
    bool endless;
} Best;

/* Adds a move that leads to a position with this code. */
static void add_successor(Best *best, uint32_t code) {
    uint32_t plies = code + 1;
    if (code == VALLEY_ENDLESS_CODE)
        best->endless = true;
    else if (plies % 2 == 0)
        best->loss = plies > best->loss ? plies : best->loss;
    else
        best->win = best->win == 0 || plies < best->win ? plies : best->win;
}

static uint32_t code_of_best(const Best *best) {
    if (best->win > 0 || best->endless)
        return best->win > 0 ? best->win : VALLEY_ENDLESS_CODE;
    return best->loss > 0 ? best->loss : VALLEY_LOST_IN_ONE;
}

/* Derives the code of a state from those of its successors. */
static StatusCode derive_state_code(const ValleyTablebase *tablebase, const ValleyState *valley,
                                    uint32_t *code) {
    uint32_t from[VALLEY_SOLDIERS_MAX + 1], to[VALLEY_SOLDIERS_MAX + 1];
    size_t pieces = valley_destinations(valley, from, to);
    int mover = (int)valley->turn;
    Best best = {.win = 0};
    for (size_t i = 0; i < pieces; i++) {
        for (uint32_t set = to[i]; set; set &= set - 1) {
            ValleyBoard next = valley->board;
            uint32_t after = 0;
            valley_move(&next, mover, from[i], valley_lowest(set));
            ValleyEnd end = valley_end(&next, mover);
            if (end == VALLEY_REACHED || end == VALLEY_WALLED) {
                *code = 1;
                return STATUS_OK;
            }
            /* Walling in the own king loses in one, sooner than any other move. */
            if (end == VALLEY_TRAPPED)
                continue;
            StatusCode failed = probe(tablebase, &next, 1 - mover, &after);
            if (failed)
                return failed;
            add_successor(&best, after);
        }
    }
    *code = code_of_best(&best);
    return STATUS_OK;
}

StatusCode tablebase_derive_code(const ValleyTablebase *tablebase, const ValleyBoard *board,
                                 int mover, uint32_t *code) {
    ValleyState valley = {.board = *board, .ply = 2, .turn = (uint32_t)mover};
    return derive_state_code(tablebase, &valley, code);
}

/* Stored codes do not know the rule of the first move. */
StatusCode tablebase_probe_state(const ValleyTablebase *tablebase, const ValleyState *valley,
                                 uint32_t *code) {
    return valley->ply == 1
               ? derive_state_code(tablebase, valley, code)
               : tablebase_probe_board(tablebase, &valley->board, (int)valley->turn, code);
}

double valley_value_of_code(uint32_t code) {
    if (code == VALLEY_ENDLESS_CODE)
        return VALLEY_ENDLESS;
    if (code == VALLEY_LOST_IN_ONE)
        return valley_value_of_loss(1);
    return code % 2 ? valley_value_of_win((int)code) : valley_value_of_loss((int)code);
}

uint8_t tablebase_finish_codes(uint8_t codes[], size_t count, uint8_t last) {
    for (size_t i = 0; i < count; i++) {
        if (codes[i] == RETRO_UNUSED || codes[i] == retro_decided_code(1))
            codes[i] = last;
        else
            codes[i] =
                retro_is_decided(codes[i]) ? (uint8_t)retro_plies(codes[i]) : VALLEY_ENDLESS_CODE;
        last = codes[i];
    }
    return last;
}

/* --- values --- */

typedef struct ValleySolver {
    Solver base;
    ValleyTablebase tablebase;
    Table *table;       /* owned; NULL: the codes are in memory, */
    RetroResult solved; /* here */
} ValleySolver;

static Status values(Solver *base, const State *state, double values[]) {
    const ValleySolver *solver = (const ValleySolver *)base;
    ValleyState valley = valley_state(state);
    uint32_t code = 0;
    if (valley_state_end(&valley) != VALLEY_ONGOING) {
        valley_payoff(NULL, state, values);
        return status_ok();
    }
    if (tablebase_probe_state(&solver->tablebase, &valley, &code) != STATUS_OK)
        return tablebase_failure(&solver->tablebase);
    double value = valley_value_of_code(code);
    values[valley.turn] = value;
    values[1 - valley.turn] = 1 - value;
    return status_ok();
}

static void free_solver(Solver *base) {
    ValleySolver *solver = (ValleySolver *)base;
    if (solver->tablebase.reader)
        table_reader_close(solver->tablebase.reader);
    if (solver->table)
        table_close(solver->table);
    retrograde_free(&solver->solved);
    free(solver);
}

static ValleySolver *open_solver(const Rules *rules, const char *method) {
    ValleySolver *solver = calloc(1, sizeof *solver);
    if (!solver)
        return NULL;
    solver->base = (Solver){.method = method, .values = values, .free = free_solver};
    ranking_init(&solver->tablebase.ranking, valley_rules(rules).soldiers);
    return solver;
}

Status valley_check_table(const Table *table, const Ranking *ranking) {
    const TableInfo *info = table_info(table);
    if (info->count != (uint64_t)RANK_BLOCKS * ranking->block_size || info->meaning != TABLE_CODE ||
        info->value_bytes != 1)
        return status_make(STATUS_TABLE, "the table does not hold King's Valley positions");
    return status_ok();
}

/* Half of the memory: a block that is unpacked already is read ten times as fast. Pages are used
 * only as blocks are read. */
static size_t cache_bytes(const SolveLimits *limits) {
    size_t half = limits->memory_bytes / 2;
    return half > CACHE_BYTES_MIN ? half : CACHE_BYTES_MIN;
}

Status valley_solver_over_table(const Rules *rules, Table *table, const SolveLimits *limits,
                                Solver **solver) {
    ValleySolver *mine = open_solver(rules, "table");
    if (!mine)
        return status_make(STATUS_FAILED, "out of memory");
    Status status = valley_check_table(table, &mine->tablebase.ranking);
    if (status_is_ok(&status))
        status = table_reader_open(table, cache_bytes(limits), &mine->tablebase.reader);
    if (!status_is_ok(&status)) {
        free_solver(&mine->base);
        return status;
    }
    mine->base.note = "from the table of all positions";
    mine->table = table;
    *solver = &mine->base;
    return status;
}

/* --- solving now --- */

Status valley_solver_check(const Rules *rules) {
    int soldiers = valley_rules(rules).soldiers;
    if (soldiers <= SOLDIERS_SOLVED_NOW_MAX)
        return status_ok();
    return status_make(STATUS_TABLE,
                       "no table of valley with %d soldiers a side: `malpan solve valley%s` makes "
                       "one",
                       soldiers, soldiers == VALLEY_SOLDIERS_MAX ? "" : " --soldiers 3");
}

Status valley_solver_new(const Rules *rules, const SolveLimits *limits, Solver **solver) {
    ValleySolver *mine = open_solver(rules, "retrograde analysis");
    ValleyRetrograde *retro = malloc(sizeof *retro);
    Status status = mine && retro ? status_ok() : status_make(STATUS_FAILED, "out of memory");
    if (status_is_ok(&status)) {
        valley_retrograde_init(retro, valley_rules(rules).soldiers);
        status = retrograde_run(&retro->base, limits, NULL, NULL, &mine->solved);
    }
    free(retro);
    if (!status_is_ok(&status)) {
        if (mine)
            free_solver(&mine->base);
        return status;
    }
    (void)tablebase_finish_codes(mine->solved.codes, mine->solved.bytes, VALLEY_ENDLESS_CODE);
    mine->tablebase.codes = mine->solved.codes;
    *solver = &mine->base;
    return status;
}
