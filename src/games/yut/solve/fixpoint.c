/* The proof. F maps a table to the values of a turn of best play (sweep.h), so the true values V*
 * are the fixed point V* = F(1 - V*). F is monotone: it never falls when its argument rises.
 * Suppose that two tables L <= H satisfy
 *
 *     H >= F(1 - L)   and   L <= F(1 - H)   everywhere.
 *
 * with something to spare: both sides differ by at least some d > 0. Then L <= V* <= H. For let one
 * player always pick the move that is best by these tables, and let X be its L where it is about to
 * throw, and 1 - H where the other is. By the inequalities X rises by d or more on average with
 * every turn, whatever the other player does, and it never exceeds 1 by more than the slack. So the
 * game ends with probability 1, after (1 + slack - X) / d turns at most on average, and the player
 * wins with a chance of at least X. That needs nothing but the rules in F: traps, naks and odds
 * that a player might use to delay the end change nothing about it.
 *
 * Such tables are found near the values V as H = V + S and L = V - S, by sweeps that add a small
 * bonus b to every turn: S = F(1 - L) + b - V. S converges to b times the number of turns that the
 * game still lasts under (almost) best play, some dozens. The bonus makes the inequalities hold in
 * spite of rounding, of sweeps that have not fully converged, and of lists that are cut off: the
 * last check, of both inequalities, counts results beyond the lists as won for H and as lost for L.
 */
#include "games/yut/solve/fixpoint.h"

#include <math.h>

#include "games/yut/solve/fixpoint_work.h"

enum {
    TRIES_MAX = 8,
    CHECKS_MAX = 8,
    SLACK_UNITS = 5, /* units of slack per bonus; bounds are stored in these units */
    EXTRAS_LEAST = 3
};

/* --- parameters for the wanted error --- */

/* The fewest extras, but at least EXTRAS_LEAST, such that exceeding them in one throw is no more
 * likely than `chance`. */
static int extras_for(const YutRules *rules, double chance) {
    double again = sweep_again(rules), beyond = again;
    int extras = 0;
    while ((beyond > chance || extras < EXTRAS_LEAST) && extras < LISTS_EXTRAS_MAX) {
        beyond *= again;
        extras++;
    }
    return extras;
}

/* The number of turns a game takes: about 20 at most with two pieces each, 30 with three. A nak
 * wastes a turn. */
static int turns_for(const YutRules *rules) {
    return (int)((10 + 8 * rules->pieces) / (1 - lists_nak(rules)));
}

/* A bonus that is likely to lead to this error. If it does not, smaller ones are tried. */
static int32_t bonus_for(const YutRules *rules, double error) {
    double bonus = error * SWEEP_ONE / turns_for(rules);
    const int32_t most = SLACK_UNITS * SWEEP_UNIT_MAX;
    return bonus < 1 ? 1 : bonus > most ? most : (int32_t)bonus;
}

/* The smallest useful bonus. A smaller one would be lost in rounding. */
static int32_t least_bonus(const YutRules *rules) {
    return 2 * (2 + 2 * rules->pieces);
}

static int extras_for_bonus(const YutRules *rules, int32_t bonus) {
    return extras_for(rules, (double)bonus / 3 / SWEEP_ONE);
}

/* How much the rounding of rare lists may contribute. */
static double rare_for(int32_t bonus) {
    return (double)bonus / 4;
}

Status fixpoint_needs(const YutRules *rules, double error, int threads, SweepNeeds *needs) {
    int32_t bonus = bonus_for(rules, error);
    return sweep_needs(rules, extras_for_bonus(rules, bonus), rare_for(bonus), threads, needs);
}

static Status check_memory(const YutRules *rules, const FixpointCourse *course,
                           const SolveLimits *limits) {
    SweepNeeds needs;
    Status status =
        sweep_needs(rules, course->extras, rare_for(course->bonus), limits->threads, &needs);
    if (!status_is_ok(&status))
        return status;
    uint64_t bytes = needs.memory + (limits->scratch ? 0 : needs.rest);
    if (bytes > limits->memory_bytes)
        status = status_make(STATUS_UNSUPPORTED,
                             "solving yut with %d pieces needs %.0f MB, more than the memory limit "
                             "of %.0f MB (--memory)",
                             rules->pieces, (double)bytes / (1 << 20),
                             (double)limits->memory_bytes / (1 << 20));
    return status;
}

/* --- the values --- */

/* Sets how many extras the lists of full sweeps have. The number never decreases. */
static Status set_extras(FixpointWork *work, int extras) {
    FixpointCourse *course = &work->fixpoint->course;
    if (extras > course->reached)
        course->reached = extras;
    if (work->fixpoint->sweep.extras == course->reached)
        return status_ok();
    return sweep_set_extras(&work->fixpoint->sweep, course->reached);
}

/* Limits the lists of full sweeps to the length that the current changes require. */
static Status fit_extras(FixpointWork *work, double target) {
    const FixpointCourse *course = &work->fixpoint->course;
    int wanted = course->extras;
    if (course->goal > target)
        wanted = extras_for(&work->fixpoint->sweep.rules, course->goal / 2);
    return set_extras(work, wanted < course->extras ? wanted : course->extras);
}

/* Each full sweep changes about a twentieth of what the previous one changed. So the short sweeps
 * between two full ones need only settle a fraction of the last change. */
enum { FULL_FALL = 20, SHORT_FALL = 60 };

/* Sweeps until the values are within a quarter of the bonus of what full sweeps with the longest
 * lists would make them. That is the case once a full sweep has changed little more than that, and
 * short sweeps have settled what it changed. The short sweeps do most of the work. */
static Status find_values(FixpointWork *work) {
    Fixpoint *fixpoint = work->fixpoint;
    FixpointCourse *course = &fixpoint->course;
    double target = work_chance(course->bonus) / 4;
    for (;;) {
        SweepPass pass = {.kind = (SweepKind)course->kind, .records_corrections = true};
        SweepChange change;
        bool full = pass.kind == SWEEP_FULL;
        bool last =
            course->full_change <= target * FULL_FALL / 2 && course->reached >= course->extras;
        Status status = work_pause(work, full);
        if (status_is_ok(&status) && full)
            status = fit_extras(work, target);
        if (!status_is_ok(&status))
            return status;
        work->stage = full ? "long lists" : "short lists";
        status = work_run_sweep(work, pass, &change);
        if (!status_is_ok(&status))
            return status;
        if (full) {
            course->full_change = work->change;
            double fraction = work->change / SHORT_FALL;
            course->goal = fraction > target / 2 ? fraction : target / 2;
            course->kind = SWEEP_SHORT;
        } else if (work->change <= course->goal) {
            if (last)
                return status_ok();
            course->kind = SWEEP_FULL;
        }
    }
}

/* --- the proof --- */

/* Widens the current bounds until they converge. */
static Status find_bracket(FixpointWork *work) {
    Fixpoint *fixpoint = work->fixpoint;
    FixpointCourse *course = &fixpoint->course;
    SweepPass pass = {.kind = (SweepKind)course->kind, .aim = SWEEP_UPPER, .bonus = course->bonus};
    SweepChange change;
    work->stage = "bounds";
    do {
        Status status = work_pause(work, pass.kind == SWEEP_FULL);
        if (status_is_ok(&status) && pass.kind == SWEEP_FULL)
            status = set_extras(work, course->extras);
        if (status_is_ok(&status))
            status = work_run_sweep(work, pass, &change);
        if (!status_is_ok(&status))
            return status;
    } while (change.up > pass.bonus / 6 + fixpoint->sweep.slack_unit / 2 && !change.has_overflow);
    return status_ok();
}

/* Moves on from finding the bracket to proving it. If the wanted error allows it, all bounds are
 * widened by a hundredth, so that a bound widened during the proof does not affect others. */
static void start_proof(Fixpoint *fixpoint) {
    FixpointCourse *course = &fixpoint->course;
    course->phase = FIXPOINT_PROOF;
    course->held = course->is_below = 0;
    if (1.01 * fixpoint->error <= fixpoint->wanted)
        course->slack_unit += course->slack_unit / 100;
    fixpoint->sweep.slack_unit = course->slack_unit;
}

/* Once upper bounds have been widened, those of positions that lead there may have to be widened,
 * too, and so on. The check recorded the corrections for short sweeps, so short sweeps find them.
 * They widen bounds by slightly more than necessary, so they need not run until nothing changes. */
static Status propagate_widening(FixpointWork *work, SweepChange *change) {
    FixpointCourse *course = &work->fixpoint->course;
    int32_t spare = course->bonus / 8;
    SweepPass pass = {.kind = SWEEP_SHORT,
                      .aim = SWEEP_UPPER,
                      .bonus = sweep_rounding(&work->fixpoint->sweep) + spare,
                      .is_check = true};
    work->stage = "repairing";
    course->phase = FIXPOINT_WIDEN;
    do {
        Status status = work_pause(work, false);
        if (status_is_ok(&status))
            status = work_run_sweep(work, pass, change);
        if (!status_is_ok(&status))
            return status;
    } while (change->up > spare / 2 && !change->has_overflow);
    course->phase = FIXPOINT_PROOF;
    return status_ok();
}

/* Runs the next check, of the upper or the lower bounds. It widens bounds that are too tight: a few
 * positions that lead from catch to catch lose more to rounding and to cut-off lists than others.
 * With four pieces a check takes long, so a checkpoint is saved before it. */
static Status run_check(FixpointWork *work, SweepChange *change) {
    FixpointCourse *course = &work->fixpoint->course;
    int32_t rounding = sweep_rounding(&work->fixpoint->sweep);
    bool is_above = !course->is_below;
    SweepPass pass = {.kind = SWEEP_FULL,
                      .aim = is_above ? SWEEP_UPPER : SWEEP_LOWER,
                      .bonus = is_above ? rounding : -rounding,
                      .records_corrections = is_above,
                      .is_check = true};
    work->stage = is_above ? "proof, above" : "proof, below";
    sweep_drop_corrections(&work->fixpoint->sweep); /* they take a lot of memory */
    Status status = work_pause(work, true);
    if (status_is_ok(&status))
        status = work_run_sweep(work, pass, change);
    if (!status_is_ok(&status))
        return status;
    course->held = work_largest_change(&pass, change) == 0 ? course->held + 1 : 0;
    course->is_below = is_above;
    return status;
}

/* Checks the upper and the lower bounds in turn until both hold, as the proof requires, or until
 * CHECKS_MAX checks have been made. */
static Status check_bracket(FixpointWork *work, bool *holds) {
    FixpointCourse *course = &work->fixpoint->course;
    SweepChange change = {.up = 0};
    Status status = set_extras(work, course->extras);
    if (status_is_ok(&status) && course->phase == FIXPOINT_WIDEN)
        status = propagate_widening(work, &change);
    for (int i = 0; status_is_ok(&status) && !change.has_overflow && i < CHECKS_MAX; i++) {
        status = run_check(work, &change);
        *holds = course->held == 2;
        if (*holds || !status_is_ok(&status))
            return status;
        if (course->held == 0 && course->is_below && !change.has_overflow)
            status = propagate_widening(work, &change);
    }
    return status;
}

static void start_bracket(Fixpoint *fixpoint) {
    int32_t unit = fixpoint->course.bonus / SLACK_UNITS;
    fixpoint->course.slack_unit = unit > 1 ? unit : 1;
    fixpoint->course.phase = FIXPOINT_BRACKET;
    fixpoint->course.kind = SWEEP_SHORT;
    sweep_clear_slack(&fixpoint->sweep);
}

/* Sets the error from the bounds. False if they are too far apart to be stored. */
static bool measure_error(Fixpoint *fixpoint) {
    int64_t slack = sweep_largest_slack(&fixpoint->sweep);
    fixpoint->error = (double)slack / SWEEP_ONE;
    return slack < (int64_t)SWEEP_SLACK_MAX * fixpoint->sweep.slack_unit;
}

/* Finds the bracket and checks it. Sets the error: to 1 if nothing was proven. */
static Status try_proof(FixpointWork *work) {
    Fixpoint *fixpoint = work->fixpoint;
    FixpointCourse *course = &fixpoint->course;
    Status status = status_ok();
    fixpoint->sweep.slack_unit = course->slack_unit;
    if (course->phase == FIXPOINT_BRACKET)
        status = find_bracket(work);
    bool holds = false;
    if (status_is_ok(&status) && measure_error(fixpoint)) {
        if (course->phase == FIXPOINT_BRACKET)
            start_proof(fixpoint);
        status = check_bracket(work, &holds);
    }
    if (!holds || !measure_error(fixpoint))
        fixpoint->error = 1; /* a bound that always holds */
    return status;
}

/* Prepares another attempt after a failed proof. False if no attempt is left. */
static bool prepare_retry(Fixpoint *fixpoint, double error) {
    const double more = 1.25;
    FixpointCourse *course = &fixpoint->course;
    if (++course->tries >= TRIES_MAX)
        return false;
    if (course->phase == FIXPOINT_BRACKET) { /* bounds too far apart to store: coarser units */
        if (course->slack_unit > SWEEP_UNIT_MAX / 2)
            return false;
        course->slack_unit *= 2;
        sweep_clear_slack(&fixpoint->sweep);
        return true;
    }
    if (course->kind == SWEEP_SHORT) { /* compute the bounds with full sweeps */
        course->phase = FIXPOINT_BRACKET;
        course->kind = SWEEP_FULL;
        return true;
    }
    /* Use a larger bonus if the bounds may be wider, else longer lists. */
    double width = work_chance(1) * (double)sweep_largest_slack(&fixpoint->sweep);
    if (more * width < error)
        course->bonus = (int32_t)(more * course->bonus);
    else
        course->extras++;
    course->phase = FIXPOINT_VALUES;
    return true;
}

/* --- solving and proving --- */

/* The initial state of the work for a wanted error. */
static FixpointCourse course_for(const YutRules *rules, double error) {
    const double first_goal = 4e-3;
    int32_t bonus = bonus_for(rules, error);
    return (FixpointCourse){.bonus = bonus,
                            .slack_unit = 1,
                            .extras = extras_for_bonus(rules, bonus),
                            .goal = first_goal,
                            .full_change = 1};
}

/* Refuses an error whose bonus would be lost in rounding, and says which one would not be. */
static Status check_error(const YutRules *rules, double error, int32_t bonus) {
    int32_t least = least_bonus(rules);
    if (bonus >= least)
        return status_ok();
    bool was_reduced = bonus < bonus_for(rules, error);
    double enough = was_reduced ? error * least / bonus
                                : (double)least * turns_for(rules) / SWEEP_ONE; /* see bonus_for */
    return status_make(STATUS_UNSUPPORTED,
                       "yut: an error of %g is less than rounding allows; %.1e would do", error,
                       1.06 * enough); /* still enough with two digits */
}

/* Opens the tables, in scratch files if they do not fit in memory. */
static Status open_tables(const YutRules *rules, double error, const SolveLimits *limits,
                          Fixpoint *fixpoint) {
    *fixpoint = (Fixpoint){.error = 1, .wanted = error, .course = course_for(rules, error)};
    SweepNeeds needs;
    Status status = sweep_supports(rules);
    if (status_is_ok(&status))
        status = check_error(rules, error, fixpoint->course.bonus);
    if (status_is_ok(&status))
        status = check_memory(rules, &fixpoint->course, limits);
    if (status_is_ok(&status))
        status = fixpoint_needs(rules, error, limits->threads, &needs);
    if (!status_is_ok(&status))
        return status;
    SweepRoom room = {.threads = limits->threads};
    if (needs.memory + needs.rest > limits->memory_bytes)
        room.scratch = limits->scratch;
    return sweep_open(rules, rare_for(fixpoint->course.bonus), &room, &fixpoint->sweep);
}

/* Halves the bonus when the bounds are proven but too wide because games are longer than
 * expected. */
static Status halve_bonus(FixpointWork *work) {
    FixpointCourse *course = &work->fixpoint->course;
    const YutRules *rules = &work->fixpoint->sweep.rules;
    course->bonus /= 2;
    course->extras = extras_for_bonus(rules, course->bonus);
    course->phase = FIXPOINT_VALUES;
    course->kind = SWEEP_FULL;
    return check_error(rules, work->error, course->bonus);
}

static Status solve(FixpointWork *work) {
    Fixpoint *fixpoint = work->fixpoint;
    FixpointCourse *course = &fixpoint->course;
    for (;;) {
        Status status = status_ok();
        if (course->phase == FIXPOINT_VALUES) {
            status = find_values(work);
            if (status_is_ok(&status))
                start_bracket(fixpoint);
        }
        if (status_is_ok(&status))
            status = try_proof(work);
        if (!status_is_ok(&status) || fixpoint->error <= work->error)
            return status;
        if (fixpoint->error < 1)
            status = halve_bonus(work);
        else if (!prepare_retry(fixpoint, work->error))
            status = status_make(STATUS_FAILED, "yut: the error bound could not be proven");
        if (status_is_ok(&status))
            status = check_memory(&fixpoint->sweep.rules, course, work->limits);
        if (!status_is_ok(&status))
            return status;
    }
}

Status fixpoint_open(const YutRules *rules, double error, const SolveLimits *limits,
                     const FixpointCheckpoint *checkpoint, Fixpoint *fixpoint) {
    Status status = open_tables(rules, error, limits, fixpoint);
    FixpointWork work = {.fixpoint = fixpoint,
                         .limits = limits,
                         .checkpoint = checkpoint,
                         .error = fixpoint->wanted,
                         .saved_s = progress_clock_s()};
    progress_start(limits->progress, "solving");
    if (status_is_ok(&status))
        status = work_load(&work);
    if (status_is_ok(&status))
        status = solve(&work);
    progress_finish(limits->progress);
    if (!status_is_ok(&status))
        fixpoint_close(fixpoint);
    return status;
}

/* Checks the equations without changing the values, then proves a bound. */
static Status prove_values(FixpointWork *work, double *residual) {
    FixpointCourse *course = &work->fixpoint->course;
    SweepPass pass = {.kind = SWEEP_FULL, .records_corrections = true, .is_check = true};
    SweepChange change = {.up = 0};
    work->stage = "equations";
    Status status = set_extras(work, course->extras);
    if (status_is_ok(&status))
        status = work_run_sweep(work, pass, &change);
    if (!status_is_ok(&status))
        return status;
    *residual = work->change;
    /* Values that are further off than expected need a larger bonus. */
    int32_t off = change.up > change.down ? change.up : change.down;
    if (off > course->bonus / 4)
        course->bonus = off < SWEEP_UNIT_MAX ? 4 * off : 4 * SWEEP_UNIT_MAX;
    start_bracket(work->fixpoint);
    return try_proof(work);
}

Status fixpoint_prove(Fixpoint *fixpoint, const SolveLimits *limits, double *residual) {
    FixpointWork work = {
        .fixpoint = fixpoint, .limits = limits, .error = fixpoint->wanted, .abandons = true};
    progress_start(limits->progress, "verifying");
    Status status;
    do {
        status = fixpoint->course.phase == FIXPOINT_VALUES ? prove_values(&work, residual)
                                                           : try_proof(&work);
        if (status_is_ok(&status) && fixpoint->error < 1)
            break;
        if (status_is_ok(&status) && !prepare_retry(fixpoint, work.error))
            break;
        if (status_is_ok(&status))
            status = check_memory(&fixpoint->sweep.rules, &fixpoint->course, limits);
    } while (status_is_ok(&status));
    progress_finish(limits->progress);
    return status;
}

Status fixpoint_open_empty(const YutRules *rules, double error, const SolveLimits *limits,
                           Fixpoint *fixpoint) {
    double least = (double)least_bonus(rules) * turns_for(rules) / SWEEP_ONE;
    Status status = open_tables(rules, error > least ? error : least, limits, fixpoint);
    if (!status_is_ok(&status))
        fixpoint_close(fixpoint);
    return status;
}

void fixpoint_close(Fixpoint *fixpoint) {
    sweep_close(&fixpoint->sweep);
}
