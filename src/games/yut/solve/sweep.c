#include "games/yut/solve/sweep.h"

#include <stdlib.h>

#include "games/yut/solve/catches.h"
#include "games/yut/solve/lanes.h"
#include "games/yut/solve/turn.h"

/* A line with fewer cells is solved, or committed, by the caller's thread alone. */
enum { SOLVE_CELLS_LEAST = 2048, COMMIT_CELLS_LEAST = 32768 };

enum {
    SHORT_RARE = 64, /* one throw in so many, or less, goes beyond the lists of a short sweep */
    WAVE = 8,        /* lines that read the same values */
    WAITING_FOR_THREADS =
        1 /* sides with more pieces at the start have the most lists and are few: one
          thread takes them, so that the others need no room for so many lists */
};

static Status out_of_memory(void) {
    return status_make(STATUS_FAILED, "out of memory");
}

Status sweep_supports(const YutRules *rules) {
    if (rules->players != 2)
        return status_make(STATUS_UNSUPPORTED, "yut is solved for two players, not for %d",
                           rules->players);
    if (rules->no_bonus_by_yut_mo)
        return status_make(STATUS_UNSUPPORTED, "yut is not solved with --catch-bonus weak");
    return status_ok();
}

/* The room for turns. One bench a thread, side by side, for sides with few pieces at the start.
 * Those with more have far more lists and are few: one thread takes them, and has the room of all
 * benches, or where that will not do a deep one. */
struct SweepBenches {
    SweepKind kind; /* of the sweeps that it is for */
    Grid wave_grid;
    int32_t *wave; /* the new values of a wave's lines, then a line a thread for old ones */
    size_t rows;   /* narrow ones (pending.h), of each thread's bench */
    Grid benches, deep;
};

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

/* How many rows of play[L] and throw[L] there are for sides with `waiting` pieces at the start. A
 * full sweep may have to solve short turns, too. */
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

/* How many rows a bench has for such sides. */
static size_t bench_rows(const Sweep *sweep, SweepKind kind, int waiting) {
    size_t played, thrown;
    count_rows(sweep, kind, waiting, &played, &thrown);
    return played + thrown * (throws_twice(sweep) ? 2 : 1) +
           (size_t)2 * (BENCH_SCRATCH_ROWS + BENCH_PICK_ROWS);
}

/* The rows of each thread's bench. */
static size_t thread_rows(const Sweep *sweep, SweepKind kind) {
    int pieces = sweep->placements.pieces;
    return bench_rows(sweep, kind, pieces < WAITING_FOR_THREADS ? pieces : WAITING_FOR_THREADS);
}

/* The rows of a deep bench; 0 when none is needed. */
static size_t deep_rows(const Sweep *sweep, SweepKind kind) {
    size_t rows = bench_rows(sweep, kind, sweep->placements.pieces);
    return rows > thread_rows(sweep, kind) * (size_t)sweep->room.threads ? rows : 0;
}

static size_t row_bytes(const Sweep *sweep) {
    return sweep_cells(sweep) * sizeof(int32_t);
}

static size_t narrow_bytes(const Sweep *sweep) {
    return sweep_cells(sweep) * sizeof(uint16_t);
}

/* The sizes, without any table. */
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
    SweepNeeds needs = {.memory = (WAVE + threads) * row_bytes(sweep) +
                                  threads * thread_rows(sweep, SWEEP_FULL) * narrow_bytes(sweep) +
                                  numbers * (sizeof(int32_t) + sizeof(uint8_t)),
                        .rest = numbers * sizeof(int32_t) +
                                deep_rows(sweep, SWEEP_FULL) * narrow_bytes(sweep)};
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
    /* Each throw of a turn has a mean, and those of the results that throw again, rounded by a unit
     * each at most. */
    int throws = 1 + (throws_twice(sweep) ? 2 : 1) * sweep->rules.pieces;
    return 2 + (int32_t)(throws / (1 - sweep_again(&sweep->rules)));
}

/* --- making and unmaking --- */

static void close_benches(Sweep *sweep) {
    if (!sweep->benches)
        return;
    grid_close(&sweep->benches->benches);
    grid_close(&sweep->benches->deep);
    grid_close(&sweep->benches->wave_grid);
    free(sweep->benches);
    sweep->benches = NULL;
}

static bool open_benches(Sweep *sweep, SweepKind kind) {
    size_t row = row_bytes(sweep);
    if (sweep->benches && sweep->benches->kind == kind)
        return true;
    close_benches(sweep);
    struct SweepBenches *benches = sweep->benches = calloc(1, sizeof *benches);
    if (!benches)
        return false;
    benches->kind = kind;
    benches->rows = thread_rows(sweep, kind);
    size_t all = benches->rows * (size_t)sweep->room.threads;
    bool good = grid_open(&benches->wave_grid, (WAVE + (size_t)sweep->room.threads) * row, NULL) &&
                grid_open(&benches->benches, all * narrow_bytes(sweep), NULL) &&
                grid_open(&benches->deep, deep_rows(sweep, kind) * narrow_bytes(sweep),
                          sweep->room.scratch);
    benches->wave = benches->wave_grid.bytes;
    if (!good)
        close_benches(sweep);
    return good;
}

/* The bench for a line of sides with so many pieces at the start. */
static Bench take_bench(const Sweep *sweep, int waiting, int thread) {
    const struct SweepBenches *room = sweep->benches;
    size_t played, thrown, cells = sweep_cells(sweep);
    count_rows(sweep, room->kind, waiting, &played, &thrown);
    bool fits = bench_rows(sweep, room->kind, waiting) <= room->rows * (size_t)sweep->room.threads;
    uint16_t *rows = fits ? room->benches.bytes : room->deep.bytes;
    if (waiting <= WAITING_FOR_THREADS)
        rows += (size_t)thread * room->rows * cells;
    Bench bench = {.play = rows};
    bench.thrown = bench.play + played * cells;
    bench.thrown_2 = bench.thrown + thrown * cells;
    rows = bench.thrown_2 + (throws_twice(sweep) ? thrown : 0) * cells;
    for (size_t k = 0; k < BENCH_SCRATCH_ROWS; k++)
        bench.scratch[k] = (int32_t *)(void *)(rows + 2 * k * cells);
    bench.picks = (PackedPick *)(void *)(rows + (size_t)2 * BENCH_SCRATCH_ROWS * cells);
    return bench;
}

static Status no_scratch_room(const char *scratch) {
    if (!scratch)
        return out_of_memory();
    return status_make(STATUS_FAILED, "no room for scratch files in %s", quote(scratch).text);
}

Status sweep_set_extras(Sweep *sweep, int extras) {
    sweep->extras = extras;
    close_benches(sweep);
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

/* The tables that a sweep needs and that are not there yet; what it does not need makes room. */
static Status open_for(Sweep *sweep, const SweepPass *pass) {
    const char *scratch = sweep->room.scratch;
    if (!open_benches(sweep, pass->kind))
        return no_scratch_room(scratch);
    for (int side = 0; side < sweep->sides; side++) {
        Pending *of_short = &sweep->pending[SWEEP_SHORT][side];
        Pending *of_full = &sweep->pending[SWEEP_FULL][side];
        if (pass->kind == SWEEP_FULL && !pass->notes)
            grid_close(&of_short->grid);
        else if (!of_short->grid.bytes && !pending_open_grid(of_short, NULL))
            return out_of_memory();
        if (pass->kind == SWEEP_FULL && !of_full->grid.bytes &&
            !pending_open_grid(of_full, scratch))
            return no_scratch_room(scratch);
    }
    return pass->notes ? sweep_open_corrections(sweep) : status_ok();
}

/* What was in files makes room for others. */
static void close_after(Sweep *sweep, const SweepPass *pass) {
    for (int side = 0; side < sweep->sides; side++)
        if (sweep->room.scratch && pass->kind == SWEEP_FULL)
            grid_close(&sweep->pending[SWEEP_FULL][side].grid);
}

void sweep_drop_corrections(Sweep *sweep) {
    for (int side = 0; side < sweep->sides; side++)
        grid_close(&sweep->corrections[side]);
}

/* What one side has. */
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
    close_benches(sweep);
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

/* --- lines --- */

/* Notes by how much the values of a full sweep differ from those of a short one. */
static void note_corrections(const Turn *of_short, const Bench *bench, const int32_t *values,
                             int32_t *corrections) {
    int32_t *brief = bench->scratch[0];
    size_t first = of_short->first % LANES, last = (of_short->last - 1) % LANES;
    turn_solve(of_short, bench, brief);
    for (size_t own = 0; own < of_short->sweep->placements.count; own++)
        for (size_t cell = own * LANES + first; cell <= own * LANES + last; cell++)
            corrections[cell] = values[cell] - brief[cell];
}

/* A line of a full sweep, or of a short one with its correction. */
static void solve_and_correct(const Turn turn[SWEEP_KINDS], const Bench *bench, int32_t *values) {
    const Turn *of_short = &turn[SWEEP_SHORT];
    const Sweep *sweep = of_short->sweep;
    const SweepPass *pass = of_short->pass;
    size_t cells = sweep_cells(sweep);
    int32_t *corrections = sweep->corrections[of_short->side].bytes;
    if (corrections)
        corrections += (size_t)(of_short->first / LANES) * cells;
    turn_solve(&turn[pass->kind], bench, values);
    if (pass->kind == SWEEP_FULL && pass->notes)
        note_corrections(of_short, bench, values, corrections);
    if (pass->kind == SWEEP_SHORT)
        lanes_add_corrections(values, corrections, pass->bonus, pass->aim == SWEEP_VALUES, cells);
    else
        lanes_add(values, pass->bonus, cells);
}

/* What is compared with the new values: the old ones, or the old bounds. */
static void fill_old(const Turn *turn, int32_t *old) {
    const Sweep *sweep = turn->sweep;
    size_t cells = sweep_cells(sweep), first = (size_t)(turn->first / LANES) * cells;
    const int32_t *values = sweep_values(sweep, turn->side) + first;
    const uint8_t *slack = (const uint8_t *)sweep->slack[turn->side].bytes + first;
    int32_t step = turn_slack_step(turn);
    for (size_t i = 0; i < cells; i++)
        old[i] = step == 0 ? values[i] : lanes_with_slack(values[i], slack[i], step);
}

/* Puts the new values in their place, for the lanes of the turn. */
static void put_values(const Turn *turn, const int32_t *values) {
    const Sweep *sweep = turn->sweep;
    size_t start = (size_t)(turn->first / LANES) * sweep_cells(sweep);
    size_t first = turn->first % LANES, last = (turn->last - 1) % LANES;
    int32_t *to = sweep_values(sweep, turn->side) + start;
    for (size_t own = 0; own < sweep->placements.count; own++)
        for (size_t cell = own * LANES + first; cell <= own * LANES + last; cell++)
            to[cell] = values[cell];
}

/* The same for an upper bound: what it is above the value, rounded. False when that is too much
 * somewhere. */
static bool put_slack(const Turn *turn, const int32_t *bounds) {
    const Sweep *sweep = turn->sweep;
    size_t start = (size_t)(turn->first / LANES) * sweep_cells(sweep);
    size_t first = turn->first % LANES, last = (turn->last - 1) % LANES;
    const int32_t *values = sweep_values(sweep, turn->side) + start;
    uint8_t *slack = (uint8_t *)sweep->slack[turn->side].bytes + start;
    const uint32_t *occupied = sweep->placements.occupied;
    int32_t unit = sweep->slack_unit, most = 0;
    for (size_t own = 0; own < sweep->placements.count; own++)
        for (size_t cell = own * LANES + first; cell <= own * LANES + last; cell++) {
            int32_t above = bounds[cell] > values[cell] ? bounds[cell] - values[cell] : 0;
            int32_t units = above / unit + (above % unit > unit / 2);
            slack[cell] = (uint8_t)(units > SWEEP_SLACK_MAX ? SWEEP_SLACK_MAX : units);
            if (units > most && !(occupied[own] & occupied[turn->first - first + cell % LANES]))
                most = units;
        }
    return most <= SWEEP_SLACK_MAX;
}

/* Raises the slack where a bound came out further from the value than it was. False when that is
 * too much somewhere. */
static bool mend_slack(const Turn *turn, const int32_t *bounds, const int32_t *old) {
    const Sweep *sweep = turn->sweep;
    size_t start = (size_t)(turn->first / LANES) * sweep_cells(sweep);
    const int32_t *values = sweep_values(sweep, turn->side) + start;
    uint8_t *slack = (uint8_t *)sweep->slack[turn->side].bytes + start;
    const uint32_t *occupied = sweep->placements.occupied;
    uint32_t first = turn->first / LANES * LANES;
    int sign = turn->pass->aim == SWEEP_UPPER ? 1 : -1;
    for (size_t own = 0; own + 1 < sweep->placements.count; own++)
        for (uint32_t other = turn->first; other < turn->last; other++) {
            size_t cell = own * LANES + (other - first);
            if (sign * (bounds[cell] - old[cell]) <= 0 || (occupied[own] & occupied[other]))
                continue;
            int64_t wanted = sign * ((int64_t)bounds[cell] - values[cell]);
            int64_t units = (wanted + sweep->slack_unit - 1) / sweep->slack_unit;
            if (units > SWEEP_SLACK_MAX)
                return false;
            slack[cell] = (uint8_t)units;
        }
    return true;
}

/* Compares the new values with the old, and puts them in their place. `old` is room for a line. */
static void commit_line(const Turn *turn, int32_t *values, int32_t *old, SweepChange *change) {
    const Sweep *sweep = turn->sweep;
    const Placements *placements = &sweep->placements;
    uint32_t line = turn->first / LANES, occupied[LANES];
    int32_t up[LANES] = {0}, down[LANES] = {0};
    fill_old(turn, old);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t other = line * LANES + lane;
        bool taken = other >= turn->first && other < turn->last;
        occupied[lane] = taken ? placements->occupied[other] : 0;
        values[(size_t)(placements->count - 1) * LANES + lane] = SWEEP_ONE;
        for (size_t own = 0; !taken && own < placements->count; own++)
            values[own * LANES + lane] = old[own * LANES + lane]; /* another turn's */
    }
    /* Where all own pieces are home there is nothing to compare. */
    lanes_compare(old, values, placements->occupied, occupied, placements->count - 1, up, down);
    for (int lane = 0; lane < LANES; lane++) {
        change->up = up[lane] > change->up ? up[lane] : change->up;
        change->down = -down[lane] > change->down ? -down[lane] : change->down;
    }
    bool is_check = turn->pass->is_check, is_bound = turn->pass->aim != SWEEP_VALUES;
    if (is_bound && !(is_check ? mend_slack(turn, values, old) : put_slack(turn, values)))
        change->is_too_much = true;
    if (!is_bound && !is_check)
        put_values(turn, values);
}

/* The sides of `line` that have just so many pieces at the start, and pieces on the way. */
static Turn make_turn(const Sweep *sweep, const SweepPass *pass, SweepKind kind, int side,
                      int waiting, uint32_t line) {
    const Placements *placements = &sweep->placements;
    uint32_t first = waiting == placements->pieces ? 0 : placements->with_waiting[waiting + 1];
    uint32_t last = placements->with_waiting[waiting];
    if (last == placements->count)
        last--; /* all home: there is nothing to solve */
    if (first < line * LANES)
        first = line * LANES;
    if (last > (line + 1) * LANES)
        last = (line + 1) * LANES;
    const Pending *pending = &sweep->pending[kind][side];
    size_t ranks = (size_t)waiting * (size_t)pending->lists.count;
    return (Turn){.sweep = sweep,
                  .pass = pass,
                  .side = side,
                  .first = first,
                  .last = last,
                  .waiting = waiting,
                  .pending = pending,
                  .play_rank = pending->play_rank + ranks,
                  .throw_rank = pending->throw_rank + ranks};
}

/* Has the rows behind the catches of a turn read from their file, while others are solved. */
static void prefetch_catches(const Turn *turn) {
    Catches catches;
    uint32_t asked[CATCHES_MAX + LANES];
    int lines = 0;
    catches_find(&turn->sweep->placements, turn->first, turn->last, &catches);
    for (int i = 0; i < catches.count + catches.same_count; i++) {
        uint32_t line = (i < catches.count ? catches.runs[i].without
                                           : catches.same[i - catches.count].without) /
                        LANES;
        int k = 0;
        while (k < lines && asked[k] != line)
            k++;
        if (k == lines) {
            asked[lines++] = line;
            pending_prefetch(turn->pending, line);
        }
    }
}

/* Lines that are computed from the same values, the sides of all having as many pieces at the
 * start. */
typedef struct Wave {
    int count;
    Turn turns[WAVE][SWEEP_KINDS];
} Wave;

/* The lines are taken from the last to the first; this is for the one that comes when all threads
 * have taken another. */
static void prefetch_next(const Turn turn[SWEEP_KINDS]) {
    const Sweep *sweep = turn->sweep;
    const SweepPass *pass = turn->pass;
    const int32_t *corrections = sweep->corrections[turn->side].bytes;
    uint32_t line = turn->first / LANES, ahead = (uint32_t)sweep->room.threads;
    if (!sweep->room.scratch || line < ahead)
        return;
    Turn next = make_turn(sweep, pass, pass->kind, turn->side, turn->waiting, line - ahead);
    if (next.first >= next.last)
        return;
    if (pass->kind == SWEEP_FULL)
        prefetch_catches(&next);
    else if (corrections)
        grid_prefetch(corrections + (line - ahead) * sweep_cells(sweep), row_bytes(sweep));
}

/* What the threads that run a wave share. Each line is solved, then committed, by one of them. */
typedef struct WaveRun {
    const Sweep *sweep;
    const Wave *wave;
    SweepChange changes[WAVE]; /* of each line */
} WaveRun;

/* A line's new values, in the room that all lines of the wave have side by side. */
static int32_t *new_values(const Sweep *sweep, size_t line) {
    return sweep->benches->wave + line * sweep_cells(sweep);
}

static void solve_wave_line(void *context, size_t i, int thread) {
    const WaveRun *run = context;
    const Turn *turn = run->wave->turns[i];
    Bench bench = take_bench(run->sweep, turn->waiting, thread);
    prefetch_next(turn);
    solve_and_correct(turn, &bench, new_values(run->sweep, i));
}

static void commit_wave_line(void *context, size_t i, int thread) {
    WaveRun *run = context;
    commit_line(&run->wave->turns[i][0], new_values(run->sweep, i),
                new_values(run->sweep, WAVE + (size_t)thread), &run->changes[i]);
}

/* Waking a thread takes about as long as some thousand cells. */
static void run_lines(WaveRun *run, ThreadTask *task, bool is_parallel, size_t least_cells) {
    const Sweep *sweep = run->sweep;
    is_parallel = is_parallel && sweep_cells(sweep) >= least_cells;
    thread_pool_run(is_parallel ? sweep->pool : NULL, (size_t)run->wave->count, task, run);
}

static void run_wave(const Sweep *sweep, const Wave *wave, SweepChange *change) {
    WaveRun run = {.sweep = sweep, .wave = wave};
    bool deep = wave->turns[0][0].waiting > WAITING_FOR_THREADS;
    run_lines(&run, solve_wave_line, !deep, SOLVE_CELLS_LEAST);
    run_lines(&run, commit_wave_line, true, COMMIT_CELLS_LEAST);
    for (int i = 0; i < wave->count; i++) {
        const SweepChange *one = &run.changes[i];
        change->up = one->up > change->up ? one->up : change->up;
        change->down = one->down > change->down ? one->down : change->down;
        change->is_too_much = change->is_too_much || one->is_too_much;
    }
}

/* How far a sweep has come. */
typedef struct Course {
    SweepChange *change;
    size_t done, all; /* lines */
    bool stopped;
} Course;

static void finish_wave(const Sweep *sweep, const SweepPass *pass, Wave *wave, Course *course) {
    run_wave(sweep, wave, course->change);
    course->done += (size_t)wave->count;
    wave->count = 0;
    double done = (double)course->done / (double)course->all;
    course->stopped = pass->watch && !pass->watch(pass->watcher, done < 1 ? done : 1);
}

/* All sides with so many pieces at the start. */
static void run_waiting(const Sweep *sweep, const SweepPass *pass, int side, int waiting,
                        Course *course) {
    Wave wave = {.count = 0};
    for (uint32_t line = (uint32_t)sweep->lines; line-- > 0 && !course->stopped;) {
        for (int kind = 0; kind < SWEEP_KINDS; kind++)
            wave.turns[wave.count][kind] =
                make_turn(sweep, pass, (SweepKind)kind, side, waiting, line);
        if (wave.turns[wave.count][0].first < wave.turns[wave.count][0].last)
            wave.count++;
        if (wave.count == WAVE || (line == 0 && wave.count > 0))
            finish_wave(sweep, pass, &wave, course);
    }
}

Status sweep_run(Sweep *sweep, const SweepPass *pass, SweepChange *change) {
    Status status = open_for(sweep, pass);
    if (!status_is_ok(&status))
        return status;
    *change = (SweepChange){.up = 0};
    Course course = {.change = change, .all = sweep->lines * (size_t)sweep->sides};
    for (int side = 0; side < sweep->sides; side++)
        for (int waiting = sweep->placements.pieces; waiting >= 0 && !course.stopped; waiting--)
            run_waiting(sweep, pass, side, waiting, &course);
    close_after(sweep, pass);
    return course.stopped ? status_make(STATUS_STOPPED, "stopped") : status_ok();
}

int64_t sweep_largest_slack(const Sweep *sweep) {
    const Placements *placements = &sweep->placements;
    uint8_t largest = 0;
    for (int side = 0; side < sweep->sides; side++) {
        const uint8_t *slack = sweep->slack[side].bytes;
        for (uint32_t other = 0; other + 1 < placements->count; other++)
            for (uint32_t own = 0; own + 1 < placements->count; own++) {
                uint8_t here = slack[sweep_place(sweep, own, other)];
                if (here > largest && !(placements->occupied[own] & placements->occupied[other]))
                    largest = here;
            }
    }
    return (int64_t)largest * sweep->slack_unit;
}
