#include "games/valley/solve/solver.h"

#include <assert.h>
#include <stdlib.h>

enum { SOLDIERS_AT_ONCE = 2, CACHE_BYTES = 64 << 20 };

/* --- codes --- */

StatusCode valley_code(const ValleyCodes *codes, const ValleyBoard *board, int mover,
                       uint32_t *code) {
    uint32_t block;
    *code = 1;
    if (valley_can_win(board, mover))
        return STATUS_OK;
    uint64_t place = numbers_find(&codes->numbers, board, mover, &block);
    place += (uint64_t)block * codes->numbers.block_size;
    if (!codes->bytes)
        return table_probe(codes->reader, place, code);
    *code = codes->bytes[place];
    return STATUS_OK;
}

Status valley_codes_failure(const ValleyCodes *codes) {
    assert(!codes->bytes);
    return table_reader_failure(codes->reader);
}

/* The best of several moves by the codes of what they lead to. */
typedef struct Best {
    uint32_t win, loss; /* the soonest, the latest; 0: none */
    bool endless;
} Best; /* none of it: every move walls in the own king */

static void add_choice(Best *best, uint32_t code) {
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

/* The same for the moves of a state, which need not be all that the pieces could make. */
static StatusCode code_of_choices(const ValleyCodes *codes, const ValleyState *valley,
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
            /* To wall in the own king is to lose at once, sooner than by anything else. */
            if (end == VALLEY_TRAPPED)
                continue;
            StatusCode failed = valley_code(codes, &next, 1 - mover, &after);
            if (failed)
                return failed;
            add_choice(&best, after);
        }
    }
    *code = code_of_best(&best);
    return STATUS_OK;
}

StatusCode valley_code_by_moves(const ValleyCodes *codes, const ValleyBoard *board, int mover,
                                uint32_t *code) {
    ValleyState valley = {.board = *board, .ply = 2, .turn = (uint32_t)mover};
    return code_of_choices(codes, &valley, code);
}

/* The rule of the first move is not in the codes. */
StatusCode valley_state_code(const ValleyCodes *codes, const ValleyState *valley, uint32_t *code) {
    return valley->ply == 1 ? code_of_choices(codes, valley, code)
                            : valley_code(codes, &valley->board, (int)valley->turn, code);
}

double valley_value_of_code(uint32_t code) {
    if (code == VALLEY_ENDLESS_CODE)
        return VALLEY_ENDLESS;
    if (code == VALLEY_LOST_IN_ONE)
        return valley_value_of_loss(1);
    return code % 2 ? valley_value_of_win((int)code) : valley_value_of_loss((int)code);
}

void valley_codes_finish(uint8_t codes[], size_t count) {
    uint8_t last = VALLEY_ENDLESS_CODE;
    for (size_t i = 0; i < count; i++) {
        if (codes[i] == RETRO_NONE || codes[i] == retro_code(1))
            codes[i] = last;
        else
            codes[i] =
                retro_is_decided(codes[i]) ? (uint8_t)retro_plies(codes[i]) : VALLEY_ENDLESS_CODE;
        last = codes[i];
    }
}

/* --- values --- */

typedef struct ValleySolver {
    Solver base;
    ValleyCodes codes;
    Table *table;       /* NULL: the codes are in memory */
    RetroResult solved; /* there */
} ValleySolver;

static Status values(Solver *base, const State *state, double values[]) {
    const ValleySolver *solver = (const ValleySolver *)base;
    ValleyState valley = valley_state(state);
    uint32_t code = 0;
    if (valley_state_end(&valley) != VALLEY_GOES_ON) {
        valley_payoff(NULL, state, values);
        return status_ok();
    }
    if (valley_state_code(&solver->codes, &valley, &code) != STATUS_OK)
        return valley_codes_failure(&solver->codes);
    double value = valley_value_of_code(code);
    values[valley.turn] = value;
    values[1 - valley.turn] = 1 - value;
    return status_ok();
}

static void free_solver(Solver *base) {
    ValleySolver *solver = (ValleySolver *)base;
    if (solver->codes.reader)
        table_reader_close(solver->codes.reader);
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
    numbers_init(&solver->codes.numbers, valley_rules(rules).soldiers);
    return solver;
}

Status valley_check_table(const Table *table, const Numbers *numbers) {
    const TableInfo *info = table_info(table);
    if (info->count != (uint64_t)NUMBERS_BLOCKS * numbers->block_size ||
        info->meaning != TABLE_CODE || info->value_bytes != 1)
        return status_make(STATUS_TABLE, "the table is not one of King's Valley's codes");
    return status_ok();
}

Status valley_solver_over_table(const Rules *rules, Table *table, Solver **solver) {
    ValleySolver *mine = open_solver(rules, "table");
    if (!mine)
        return status_make(STATUS_FAILED, "out of memory");
    Status status = valley_check_table(table, &mine->codes.numbers);
    if (status_is_ok(&status))
        status = table_reader_open(table, CACHE_BYTES, &mine->codes.reader);
    if (!status_is_ok(&status)) {
        free_solver(&mine->base);
        return status;
    }
    mine->base.note = "from the table of all positions";
    mine->table = table;
    *solver = &mine->base;
    return status;
}

/* --- solving at once --- */

Status valley_solver_check(const Rules *rules) {
    int soldiers = valley_rules(rules).soldiers;
    if (soldiers <= SOLDIERS_AT_ONCE)
        return status_ok();
    return status_make(STATUS_TABLE,
                       "no table of valley with %d soldiers a side: `malpan solve valley%s` makes "
                       "one",
                       soldiers, soldiers == VALLEY_SOLDIERS_MAX ? "" : " --soldiers 3");
}

Status valley_solver_new(const Rules *rules, const SolveLimits *limits, Solver **solver) {
    ValleySolver *mine = open_solver(rules, "retrograde analysis");
    ValleyRetro *retro = malloc(sizeof *retro);
    Status status = mine && retro ? status_ok() : status_make(STATUS_FAILED, "out of memory");
    if (status_is_ok(&status)) {
        valley_retro_init(retro, valley_rules(rules).soldiers);
        status = retrograde_run(&retro->base, limits, NULL, &mine->solved);
    }
    free(retro);
    if (!status_is_ok(&status)) {
        if (mine)
            free_solver(&mine->base);
        return status;
    }
    valley_codes_finish(mine->solved.codes, mine->solved.bytes);
    mine->codes.bytes = mine->solved.codes;
    *solver = &mine->base;
    return status;
}
