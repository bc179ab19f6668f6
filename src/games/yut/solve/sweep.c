#include "games/yut/solve/sweep.h"

#include <assert.h>

#include "games/yut/solve/catches.h"
#include "games/yut/solve/lanes.h"
#include "games/yut/solve/sweep_memory.h"
#include "games/yut/solve/turn.h"

/* A line with fewer cells is solved, or committed, by the caller's thread alone. */
enum { SOLVE_CELLS_LEAST = 2048, COMMIT_CELLS_LEAST = 32768 };

/* --- lines --- */

/* Records by how much the values of a full sweep differ from those of a short one. */
static void record_corrections(const Turn *of_short, const Workspace *workspace,
                               const int32_t *values, int32_t *corrections) {
    int32_t *brief = workspace->scratch[0];
    assert(corrections);
    size_t first = of_short->first % LANES, last = (of_short->last - 1) % LANES;
    turn_solve(of_short, workspace, brief);
    for (size_t own = 0; own < of_short->sweep->placements.count; own++)
        for (size_t cell = own * LANES + first; cell <= own * LANES + last; cell++)
            corrections[cell] = values[cell] - brief[cell];
}

/* Solves a line of a full sweep, or a line of a short one and adds its correction. */
static void solve_and_correct(const Turn turn[SWEEP_KINDS], const Workspace *workspace,
                              int32_t *values) {
    const Turn *of_short = &turn[SWEEP_SHORT];
    const Sweep *sweep = of_short->sweep;
    const SweepPass *pass = of_short->pass;
    size_t cells = sweep_cells(sweep);
    int32_t *corrections = sweep->corrections[of_short->side].bytes;
    if (corrections)
        corrections += (size_t)(of_short->first / LANES) * cells;
    turn_solve(&turn[pass->kind], workspace, values);
    if (pass->kind == SWEEP_FULL && pass->records_corrections)
        record_corrections(of_short, workspace, values, corrections);
    if (pass->kind == SWEEP_SHORT)
        lanes_add_corrections(values, corrections, pass->bonus, pass->aim == SWEEP_VALUES, cells);
    else
        lanes_add(values, pass->bonus, cells);
}

/* The values to compare the new ones with: the old values, or the old bounds. */
static void fill_old(const Turn *turn, int32_t *old) {
    const Sweep *sweep = turn->sweep;
    size_t cells = sweep_cells(sweep), first = (size_t)(turn->first / LANES) * cells;
    const int32_t *values = sweep_values(sweep, turn->side) + first;
    const uint8_t *slack = (const uint8_t *)sweep->slack[turn->side].bytes + first;
    int32_t step = turn_slack_step(turn);
    for (size_t i = 0; i < cells; i++)
        old[i] = step == 0 ? values[i] : lanes_with_slack(values[i], slack[i], step);
}

/* Stores the new values in the grid, for the lanes of the turn. */
static void put_values(const Turn *turn, const int32_t *values) {
    const Sweep *sweep = turn->sweep;
    size_t start = (size_t)(turn->first / LANES) * sweep_cells(sweep);
    size_t first = turn->first % LANES, last = (turn->last - 1) % LANES;
    int32_t *to = sweep_values(sweep, turn->side) + start;
    for (size_t own = 0; own < sweep->placements.count; own++)
        for (size_t cell = own * LANES + first; cell <= own * LANES + last; cell++)
            to[cell] = values[cell];
}

/* The same for an upper bound: stores how far it is above the value, rounded. False if that is too
 * much for the slack somewhere. */
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

/* Raises the slack where the new bound is further from the value than the old one. False if that is
 * too much for the slack somewhere. */
static bool widen_slack(const Turn *turn, const int32_t *bounds, const int32_t *old) {
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

/* Compares the new values with the old ones and stores them. `old` is scratch memory for a line. */
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
            values[own * LANES + lane] = old[own * LANES + lane]; /* belongs to another turn */
    }
    /* If all own pieces are home, there is nothing to compare. */
    lanes_compare(old, values, placements->occupied, occupied, placements->count - 1, up, down);
    for (int lane = 0; lane < LANES; lane++) {
        change->up = up[lane] > change->up ? up[lane] : change->up;
        change->down = -down[lane] > change->down ? -down[lane] : change->down;
    }
    bool is_check = turn->pass->is_check, is_bound = turn->pass->aim != SWEEP_VALUES;
    if (is_bound && !(is_check ? widen_slack(turn, values, old) : put_slack(turn, values)))
        change->has_overflow = true;
    if (!is_bound && !is_check)
        put_values(turn, values);
}

/* The turn against the placements of `line` with exactly `waiting` pieces at the start, without the
 * one that has all pieces home. */
static Turn make_turn(const Sweep *sweep, const SweepPass *pass, SweepKind kind, int side,
                      int waiting, uint32_t line) {
    const Placements *placements = &sweep->placements;
    uint32_t first = waiting == placements->pieces ? 0 : placements->with_waiting[waiting + 1];
    uint32_t last = placements->with_waiting[waiting];
    if (last == placements->count)
        last--; /* all home: nothing to solve */
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

/* Starts reading the rows that the catches of a turn need from their file, while other turns are
 * solved. */
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

/* Lines that are computed from the same values. All their placements have the same number of pieces
 * at the start. */
typedef struct Wave {
    int count;
    Turn turns[SWEEP_WAVE][SWEEP_KINDS];
} Wave;

/* Lines are taken from last to first. This prefetches the line that comes up once each thread has
 * taken another one. */
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
        grid_prefetch(corrections + (line - ahead) * sweep_cells(sweep), sweep_row_bytes(sweep));
}

/* Shared by the threads that run a wave. Each line is solved, then committed, by one of them. */
typedef struct WaveRun {
    const Sweep *sweep;
    const Wave *wave;
    SweepChange changes[SWEEP_WAVE]; /* of each line */
} WaveRun;

/* The new values of a line, in the buffer that holds those of all lines of the wave. */
static int32_t *new_values(const Sweep *sweep, size_t line) {
    return sweep->workspaces->wave + line * sweep_cells(sweep);
}

static void solve_wave_line(void *context, size_t i, int thread) {
    const WaveRun *run = context;
    const Turn *turn = run->wave->turns[i];
    Workspace workspace = sweep_take_workspace(run->sweep, turn->waiting, thread);
    prefetch_next(turn);
    solve_and_correct(turn, &workspace, new_values(run->sweep, i));
}

static void commit_wave_line(void *context, size_t i, int thread) {
    WaveRun *run = context;
    commit_line(&run->wave->turns[i][0], new_values(run->sweep, i),
                new_values(run->sweep, SWEEP_WAVE + (size_t)thread), &run->changes[i]);
}

/* Runs small lines on the caller's thread: waking a thread takes about as long as a few thousand
 * cells. */
static void run_lines(WaveRun *run, ThreadTask *task, bool is_parallel, size_t least_cells) {
    const Sweep *sweep = run->sweep;
    is_parallel = is_parallel && sweep_cells(sweep) >= least_cells;
    thread_pool_run(is_parallel ? sweep->pool : NULL, (size_t)run->wave->count, task, run);
}

static void run_wave(const Sweep *sweep, const Wave *wave, SweepChange *change) {
    WaveRun run = {.sweep = sweep, .wave = wave};
    bool deep = wave->turns[0][0].waiting > SWEEP_WAITING_FOR_THREADS;
    run_lines(&run, solve_wave_line, !deep, SOLVE_CELLS_LEAST);
    run_lines(&run, commit_wave_line, true, COMMIT_CELLS_LEAST);
    for (int i = 0; i < wave->count; i++) {
        const SweepChange *one = &run.changes[i];
        change->up = one->up > change->up ? one->up : change->up;
        change->down = one->down > change->down ? one->down : change->down;
        change->has_overflow = change->has_overflow || one->has_overflow;
    }
}

/* The progress of a sweep. */
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

/* Sweeps all placements with `waiting` pieces at the start. */
static void run_waiting(const Sweep *sweep, const SweepPass *pass, int side, int waiting,
                        Course *course) {
    Wave wave = {.count = 0};
    for (uint32_t line = (uint32_t)sweep->lines; line-- > 0 && !course->stopped;) {
        for (int kind = 0; kind < SWEEP_KINDS; kind++)
            wave.turns[wave.count][kind] =
                make_turn(sweep, pass, (SweepKind)kind, side, waiting, line);
        if (wave.turns[wave.count][0].first < wave.turns[wave.count][0].last)
            wave.count++;
        if (wave.count == SWEEP_WAVE || (line == 0 && wave.count > 0))
            finish_wave(sweep, pass, &wave, course);
    }
}

Status sweep_run(Sweep *sweep, const SweepPass *pass, SweepChange *change) {
    Status status = sweep_open_for(sweep, pass);
    if (!status_is_ok(&status))
        return status;
    *change = (SweepChange){.up = 0};
    Course course = {.change = change, .all = sweep->lines * (size_t)sweep->sides};
    for (int side = 0; side < sweep->sides; side++)
        for (int waiting = sweep->placements.pieces; waiting >= 0 && !course.stopped; waiting--)
            run_waiting(sweep, pass, side, waiting, &course);
    sweep_close_after(sweep, pass);
    return course.stopped ? status_make(STATUS_STOPPED, "stopped") : status_ok();
}
