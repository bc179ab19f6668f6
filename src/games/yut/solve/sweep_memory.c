#include "games/yut/solve/sweep_memory.h"

#include <math.h>
#include <stdlib.h>

/* At most one throw in this many goes beyond the lists of a short sweep. */
enum { SHORT_RARE = 32 };

static Status out_of_memory(void) {
    return status_make(STATUS_FAILED, "out of memory");
}

/* A proof counts lists with more than LISTS_EXTRAS_MAX extras as won or as lost. If they are
 * likelier than this, the usual error bounds cannot be reached. */
#define BEYOND_MAX 2e-7

Status sweep_supports(const YutRules *rules) {
    if (rules->players != 2)
        return status_make(STATUS_UNSUPPORTED,
                           "yut is stored in tables for two players, not for %d", rules->players);
    double again = sweep_again(rules), beyond = pow(again, LISTS_EXTRAS_MAX + 1);
    if (beyond > BEYOND_MAX)
        return status_make(STATUS_UNSUPPORTED,
                           "yut is not solved if a player throws again so often: with chance %.2f "
                           "each time, lists of more than %d results have a chance of %.1g, which "
                           "is too much to leave out of a proof",
                           again, LISTS_EXTRAS_MAX, beyond);
    return status_ok();
}

/* --- sizes --- */

static bool same_animals(const YutRules *rules) {
    return rules->animals[0] == rules->animals[1];
}

static size_t lines_of(uint32_t sides) {
    return (sides + LANES - 1) / LANES;
}

size_t sweep_numbers(const Sweep *sweep) {
    return sweep->lines * sweep_cells(sweep);
}

static bool throws_twice(const Sweep *sweep) {
    for (int side = 0; side < sweep->sides; side++)
        if (pending_catch_throws(&sweep->rules, side) == 2)
            return true;
    return false;
}

/* How many extras the lists of short sweeps have. */
static int short_extras(const YutRules *rules, int side) {
    double again = lists_again(rules, side), beyond = again;
    int extras = 0;
    for (; beyond * SHORT_RARE > 1; extras++)
        beyond *= again;
    return extras;
}

/* How many rows of play[L] and throw[L] there are for placements with `waiting` pieces at the
 * start. A full sweep may have to solve short turns, too. */
static void count_rows(const Sweep *sweep, SweepKind kind, int waiting, size_t *played,
                       size_t *thrown) {
    *played = *thrown = 0;
    for (int side = 0; side < sweep->sides; side++)
        for (int of = SWEEP_SHORT; of <= (int)kind; of++) {
            size_t play, throw;
            pending_count_rows(&sweep->pending[of][side], waiting, &play, &throw);
            *played = play > *played ? play : *played;
            *thrown = throw > *thrown ? throw : *thrown;
        }
}

/* How many rows a workspace has for such placements. */
static size_t workspace_rows(const Sweep *sweep, SweepKind kind, int waiting) {
    size_t played, thrown;
    count_rows(sweep, kind, waiting, &played, &thrown);
    return played + thrown * (throws_twice(sweep) ? 2 : 1) +
           (size_t)2 * (WORKSPACE_SCRATCH_ROWS + WORKSPACE_PICK_ROWS);
}

/* The rows of each thread's workspace. */
static size_t thread_rows(const Sweep *sweep, SweepKind kind) {
    int pieces = sweep->placements.pieces;
    return workspace_rows(sweep, kind,
                          pieces < SWEEP_WAITING_FOR_THREADS ? pieces : SWEEP_WAITING_FOR_THREADS);
}

/* The rows of a deep workspace; 0 when none is needed. */
static size_t deep_rows(const Sweep *sweep, SweepKind kind) {
    size_t rows = workspace_rows(sweep, kind, sweep->placements.pieces);
    return rows > thread_rows(sweep, kind) * (size_t)sweep->room.threads ? rows : 0;
}

size_t sweep_row_bytes(const Sweep *sweep) {
    return sweep_cells(sweep) * sizeof(int32_t);
}

static size_t narrow_bytes(const Sweep *sweep) {
    return sweep_cells(sweep) * sizeof(uint16_t);
}

/* Computes the sizes without allocating any table. */
static Status open_sizes(const YutRules *rules, double rare, const SweepRoom *room, Sweep *sweep) {
    *sweep = (Sweep){.rules = *rules,
                     .rare = rare,
                     .room = *room,
                     .slack_unit = 1,
                     .sides = same_animals(rules) ? 1 : 2};
    Status status = placements_open(rules->pieces, &sweep->placements);
    sweep->lines = lines_of(sweep->placements.count);
    sweep->height = sweep->lines * LANES;
    return status;
}

static Status open_lists(Sweep *sweep, SweepKind kind, int extras) {
    Status status = status_ok();
    for (int side = 0; side < sweep->sides && status_is_ok(&status); side++)
        status = pending_open(&sweep->rules, side, &sweep->placements,
                              kind == SWEEP_SHORT ? short_extras(&sweep->rules, side) : extras,
                              sweep->rare, &sweep->pending[kind][side]);
    return status;
}

static SweepNeeds needs_of(const Sweep *sweep) {
    uint64_t numbers = sweep_numbers(sweep) * (uint64_t)sweep->sides;
    uint64_t threads = (uint64_t)sweep->room.threads;
    SweepNeeds needs = {
        .memory = (SWEEP_WAVE + threads) * sweep_row_bytes(sweep) +
                  threads * thread_rows(sweep, SWEEP_FULL) * narrow_bytes(sweep) +
                  numbers * (sizeof(int32_t) + sizeof(uint8_t)),
        .rest = numbers * sizeof(int32_t) + deep_rows(sweep, SWEEP_FULL) * narrow_bytes(sweep),
        .pairs =
            (uint64_t)sweep->placements.count * sweep->placements.count * (uint64_t)sweep->sides};
    for (int side = 0; side < sweep->sides; side++) {
        needs.memory += pending_bytes(&sweep->pending[SWEEP_SHORT][side]);
        needs.rest += pending_bytes(&sweep->pending[SWEEP_FULL][side]);
    }
    return needs;
}

Status sweep_needs(const YutRules *rules, int extras, double rare, int threads, SweepNeeds *needs) {
    Sweep sweep;
    SweepRoom room = {.threads = threads};
    Status status = open_sizes(rules, rare, &room, &sweep);
    if (status_is_ok(&status))
        status = open_lists(&sweep, SWEEP_SHORT, 0);
    if (status_is_ok(&status))
        status = open_lists(&sweep, SWEEP_FULL, extras);
    if (status_is_ok(&status))
        *needs = needs_of(&sweep);
    sweep_close(&sweep);
    return status;
}

double sweep_again(const YutRules *rules) {
    double again = 0;
    for (int side = 0; side < 2; side++) {
        double of_side = lists_again(rules, side);
        again = of_side > again ? of_side : again;
    }
    return again;
}

int32_t sweep_rounding(const Sweep *sweep) {
    /* Each throw of a turn computes a mean, and so does each throw after a result that throws
     * again. Each mean is rounded by at most one unit. */
    int throws = 1 + (throws_twice(sweep) ? 2 : 1) * sweep->rules.pieces;
    return 2 + (int32_t)(throws / (1 - sweep_again(&sweep->rules)));
}

/* --- opening and closing --- */

static void close_workspaces(Sweep *sweep) {
    if (!sweep->workspaces)
        return;
    grid_close(&sweep->workspaces->workspaces);
    grid_close(&sweep->workspaces->deep);
    grid_close(&sweep->workspaces->wave_grid);
    free(sweep->workspaces);
    sweep->workspaces = NULL;
}

static bool open_workspaces(Sweep *sweep, SweepKind kind) {
    size_t row = sweep_row_bytes(sweep);
    if (sweep->workspaces && sweep->workspaces->kind == kind)
        return true;
    close_workspaces(sweep);
    struct SweepWorkspaces *workspaces = sweep->workspaces = calloc(1, sizeof *workspaces);
    if (!workspaces)
        return false;
    workspaces->kind = kind;
    workspaces->rows = thread_rows(sweep, kind);
    size_t all = workspaces->rows * (size_t)sweep->room.threads;
    bool good =
        grid_open(&workspaces->wave_grid, (SWEEP_WAVE + (size_t)sweep->room.threads) * row, NULL) &&
        grid_open(&workspaces->workspaces, all * narrow_bytes(sweep), NULL) &&
        grid_open(&workspaces->deep, deep_rows(sweep, kind) * narrow_bytes(sweep),
                  sweep->room.scratch);
    workspaces->wave = workspaces->wave_grid.bytes;
    if (!good)
        close_workspaces(sweep);
    return good;
}

/* The workspace for a line of placements with `waiting` pieces at the start. */
Workspace sweep_take_workspace(const Sweep *sweep, int waiting, int thread) {
    const struct SweepWorkspaces *room = sweep->workspaces;
    size_t played, thrown, cells = sweep_cells(sweep);
    count_rows(sweep, room->kind, waiting, &played, &thrown);
    bool fits =
        workspace_rows(sweep, room->kind, waiting) <= room->rows * (size_t)sweep->room.threads;
    uint16_t *rows = fits ? room->workspaces.bytes : room->deep.bytes;
    if (waiting <= SWEEP_WAITING_FOR_THREADS)
        rows += (size_t)thread * room->rows * cells;
    Workspace workspace = {.play = rows};
    workspace.thrown = workspace.play + played * cells;
    workspace.thrown_2 = workspace.thrown + thrown * cells;
    rows = workspace.thrown_2 + (throws_twice(sweep) ? thrown : 0) * cells;
    for (size_t k = 0; k < WORKSPACE_SCRATCH_ROWS; k++)
        workspace.scratch[k] = (int32_t *)(void *)(rows + 2 * k * cells);
    workspace.picks = (PackedPick *)(void *)(rows + (size_t)2 * WORKSPACE_SCRATCH_ROWS * cells);
    return workspace;
}

static Status no_scratch_room(const char *scratch) {
    if (!scratch)
        return out_of_memory();
    return status_make(STATUS_FAILED, "no room for scratch files in %s", quote(scratch).text);
}

Status sweep_set_extras(Sweep *sweep, int extras) {
    sweep->extras = extras;
    close_workspaces(sweep);
    for (int side = 0; side < sweep->sides; side++)
        pending_close(&sweep->pending[SWEEP_FULL][side]);
    return open_lists(sweep, SWEEP_FULL, extras);
}

Status sweep_open_corrections(Sweep *sweep) {
    for (int side = 0; side < sweep->sides; side++)
        if (!sweep->corrections[side].bytes &&
            !grid_open(&sweep->corrections[side], sweep_numbers(sweep) * sizeof(int32_t),
                       sweep->room.scratch))
            return no_scratch_room(sweep->room.scratch);
    return status_ok();
}

/* Opens the missing tables that a sweep needs. To free memory, closes those it does not need. */
Status sweep_open_for(Sweep *sweep, const SweepPass *pass) {
    const char *scratch = sweep->room.scratch;
    if (!open_workspaces(sweep, pass->kind))
        return no_scratch_room(scratch);
    for (int side = 0; side < sweep->sides; side++) {
        Pending *of_short = &sweep->pending[SWEEP_SHORT][side];
        Pending *of_full = &sweep->pending[SWEEP_FULL][side];
        if (pass->kind == SWEEP_FULL && !pass->records_corrections)
            grid_close(&of_short->grid);
        else if (!of_short->grid.bytes && !pending_open_grid(of_short, NULL))
            return out_of_memory();
        if (pass->kind == SWEEP_FULL && !of_full->grid.bytes &&
            !pending_open_grid(of_full, scratch))
            return no_scratch_room(scratch);
    }
    return pass->records_corrections ? sweep_open_corrections(sweep) : status_ok();
}

/* Closes scratch files to make room for others. */
void sweep_close_after(Sweep *sweep, const SweepPass *pass) {
    for (int side = 0; side < sweep->sides; side++)
        if (sweep->room.scratch && pass->kind == SWEEP_FULL)
            grid_close(&sweep->pending[SWEEP_FULL][side].grid);
}

void sweep_drop_corrections(Sweep *sweep) {
    for (int side = 0; side < sweep->sides; side++)
        grid_close(&sweep->corrections[side]);
}

/* Opens the moves, values and slack of one side. */
static Status open_side(Sweep *sweep, int side) {
    size_t numbers = sweep_numbers(sweep);
    Status status =
        placement_moves_open(&sweep->placements, &sweep->rules, side, &sweep->moves[side]);
    if (!status_is_ok(&status))
        return status;
    if (!grid_open(&sweep->values[side], numbers * sizeof(int32_t), NULL) ||
        !grid_open(&sweep->slack[side], numbers, NULL))
        return out_of_memory();
    int32_t *values = sweep_values(sweep, side);
    for (size_t i = 0; i < numbers; i++)
        values[i] = SWEEP_ONE / 2;
    return status;
}

Status sweep_open(const YutRules *rules, double rare, const SweepRoom *room, Sweep *sweep) {
    Status status = open_sizes(rules, rare, room, sweep);
    sweep->pool = thread_pool_open(room->threads);
    if (status_is_ok(&status))
        status = open_lists(sweep, SWEEP_SHORT, 0);
    for (int side = 0; side < sweep->sides && status_is_ok(&status); side++)
        status = open_side(sweep, side);
    if (status_is_ok(&status))
        status = open_lists(sweep, SWEEP_FULL, 0);
    if (!status_is_ok(&status))
        sweep_close(sweep);
    return status;
}

void sweep_close(Sweep *sweep) {
    thread_pool_close(sweep->pool);
    close_workspaces(sweep);
    for (int side = 0; side < sweep->sides; side++) {
        for (int kind = 0; kind < SWEEP_KINDS; kind++)
            pending_close(&sweep->pending[kind][side]);
        placement_moves_close(&sweep->moves[side]);
        grid_close(&sweep->values[side]);
        grid_close(&sweep->slack[side]);
        grid_close(&sweep->corrections[side]);
    }
    placements_close(&sweep->placements);
    *sweep = (Sweep){.sides = 0};
}

void sweep_clear_slack(Sweep *sweep) {
    for (int side = 0; side < sweep->sides; side++)
        memset(sweep->slack[side].bytes, 0, sweep_numbers(sweep));
}

int64_t sweep_largest_slack(const Sweep *sweep) {
    const Placements *placements = &sweep->placements;
    uint8_t largest = 0;
    for (int side = 0; side < sweep->sides; side++) {
        const uint8_t *slack = sweep->slack[side].bytes;
        for (uint32_t other = 0; other + 1 < placements->count; other++)
            for (uint32_t own = 0; own + 1 < placements->count; own++) {
                uint8_t here = slack[sweep_index(sweep, own, other)];
                if (here > largest && !(placements->occupied[own] & placements->occupied[other]))
                    largest = here;
            }
    }
    return (int64_t)largest * sweep->slack_unit;
}
