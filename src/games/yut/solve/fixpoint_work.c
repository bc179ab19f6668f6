#include "games/yut/solve/fixpoint_work.h"

#include <math.h>

#include "kernel/checkpoint.h"

enum { SWEEPS_MAX = 2000 };

/* --- running a sweep --- */

static bool is_stopped(const SolveLimits *limits) {
    return limits->stop && *limits->stop;
}

/* Estimates the time for the remaining sweeps. Changes fall by about a third with each short sweep,
 * and to a twentieth from one full sweep to the next. */
static double seconds_left(const FixpointWork *work) {
    const FixpointCourse *course = &work->fixpoint->course;
    double brief = work->sweep_s[SWEEP_SHORT], full = work->sweep_s[SWEEP_FULL];
    double bracket = 6 * (work->fixpoint->sweep.rules.pieces + 1) * brief;
    if (course->phase >= FIXPOINT_PROOF)
        return (2 - course->held) * full;
    if (course->phase == FIXPOINT_BRACKET)
        return bracket / 2 + 2 * full;
    double target = (double)course->bonus / 4 / SWEEP_ONE;
    double change = work->change > target ? work->change : target;
    double sweeps = log(change / target) / log(1 / 0.68);
    double cycles = course->full_change > target ? log(course->full_change / target) / log(20) : 0;
    if (full == 0)
        full = 12 * brief;
    return 1.5 * sweeps * brief + cycles * full + bracket + 2 * full;
}

static bool watch(void *watcher, double done) {
    FixpointWork *work = watcher;
    const Sweep *sweep = &work->fixpoint->sweep;
    double positions = (double)sweep->placements.count * sweep->placements.count * sweep->sides;
    ProgressSweep now = {.stage = work->stage,
                         .number = work->fixpoint->course.sweeps + 1,
                         .done = done,
                         .change = work->change,
                         .rate = done * positions / (progress_clock_s() - work->start_s),
                         .seconds_left = seconds_left(work)};
    progress_sweep(work->limits->progress, &now);
    return !(work->abandons && is_stopped(work->limits));
}

double work_chance(int32_t units) {
    return (double)units / SWEEP_ONE;
}

/* The largest change. When a bound is checked, only violations of it count. */
int32_t work_largest_change(const SweepPass *pass, const SweepChange *change) {
    if (pass->is_check && pass->aim != SWEEP_VALUES)
        return pass->aim == SWEEP_UPPER ? change->up : change->down;
    return change->up > change->down ? change->up : change->down;
}

Status work_run_sweep(FixpointWork *work, SweepPass pass, SweepChange *change) {
    work->start_s = progress_clock_s();
    pass.watch = watch;
    pass.watcher = work;
    Status status = sweep_run(&work->fixpoint->sweep, &pass, change);
    if (!status_is_ok(&status))
        return status;
    work->sweep_s[pass.kind] = progress_clock_s() - work->start_s;
    work->change = work_chance(work_largest_change(&pass, change));
    if (++work->fixpoint->course.sweeps > SWEEPS_MAX)
        return status_make(STATUS_FAILED, "yut: the values do not settle");
    return status;
}

/* --- checkpoints --- */

enum { AREAS_MAX = 1 + 3 * 2 };

/* Whether the next step needs the corrections. A full sweep records new ones. */
static bool has_corrections(const FixpointCourse *course) {
    if (course->phase >= FIXPOINT_PROOF)
        return course->phase == FIXPOINT_WIDEN;
    return course->reached > 0 && course->kind != SWEEP_FULL;
}

/* The contents of a checkpoint, in this order: the state of the work, then the tables. */
static size_t list_areas(Fixpoint *fixpoint, CheckpointArea areas[AREAS_MAX]) {
    const Sweep *sweep = &fixpoint->sweep;
    size_t count = 0, numbers = sweep_numbers(sweep), bytes = numbers * sizeof(int32_t);
    areas[count++] =
        checkpoint_area(&fixpoint->course, sizeof fixpoint->course, sizeof fixpoint->course);
    size_t recorded = has_corrections(&fixpoint->course) ? bytes : 0;
    size_t bounds = fixpoint->course.phase == FIXPOINT_VALUES ? 0 : numbers;
    for (int side = 0; side < sweep->sides; side++) {
        areas[count++] = checkpoint_area(sweep->values[side].bytes, bytes, bytes);
        areas[count++] = checkpoint_area(sweep->corrections[side].bytes, recorded, bytes);
        areas[count++] = checkpoint_area(sweep->slack[side].bytes, bounds, numbers);
    }
    return count;
}

static void name_checkpoint(const FixpointWork *work, Text *text) {
    Variant variant = {.game = &yut_game, .rules = yut_rules_pack(&work->fixpoint->sweep.rules)};
    text_addf(text, "yut 4, error %.17g, ", work->error);
    variant_print(&variant, text);
}

static Status work_save(FixpointWork *work) {
    if (!work->checkpoint)
        return status_ok();
    char bytes[CHECKPOINT_NAME_BYTES];
    Text name = text_over(bytes, sizeof bytes);
    CheckpointArea areas[AREAS_MAX];
    name_checkpoint(work, &name);
    size_t count = list_areas(work->fixpoint, areas);
    double start_s = progress_clock_s();
    Status status = checkpoint_save(work->checkpoint->path, bytes, areas, count);
    work->saved_s = progress_clock_s();
    work->save_took_s = work->saved_s - start_s;
    work->is_saved = true;
    return status;
}

static bool is_due(const FixpointWork *work) {
    return work->checkpoint &&
           checkpoint_is_due(work->checkpoint->interval_s, work->saved_s, work->save_took_s);
}

/* Between two sweeps: saves a checkpoint from time to time, before a long sweep, and before
 * stopping. */
Status work_pause(FixpointWork *work, bool is_long) {
    bool stopped = is_stopped(work->limits);
    bool is_late = progress_clock_s() - work->saved_s > 1;
    Status status = status_ok();
    if (stopped || is_due(work) || (is_long && is_late))
        status = work_save(work);
    /* A sweep that is abandoned halfway leaves nothing to save. */
    work->abandons = is_long && (work->is_saved || !work->checkpoint);
    if (status_is_ok(&status) && stopped)
        status =
            status_make(STATUS_STOPPED, "stopped after %d sweeps", work->fixpoint->course.sweeps);
    return status;
}

Status work_load(FixpointWork *work) {
    char bytes[CHECKPOINT_NAME_BYTES];
    Text name = text_over(bytes, sizeof bytes);
    CheckpointArea areas[AREAS_MAX];
    if (!work->checkpoint)
        return status_ok();
    Status status = sweep_open_corrections(&work->fixpoint->sweep);
    if (!status_is_ok(&status))
        return status;
    name_checkpoint(work, &name);
    size_t count = list_areas(work->fixpoint, areas);
    status = checkpoint_load(work->checkpoint->path, bytes, areas, count, &work->is_saved);
    if (!has_corrections(&work->fixpoint->course))
        sweep_drop_corrections(&work->fixpoint->sweep);
    return status;
}
