/* The error. Let V be the values after the last sweep, V* the true ones, and r the largest
 * difference between V and what the equations make of V: the residual, the chance of lists that are
 * cut off, and the rounding of one turn. What the equations make of two tables differs at a
 * position by no more than the tables differ where play can be at the next turn, so
 *
 *     |V - V*| <= r + (the mean of |V - V*| at the next turn, under some play of the mover)
 *
 * and by going on like that, |V - V*| <= r * (the turns of the longest game that the two could
 * play). The last is the fixed point U = 1 + (the mean of U at the next turn, both making it as
 * large as they can), found by the same sweeps. Sweeping gives U only up to a residual s; but if U
 * >= 1 - s + (mean of U) with s < 1, then U / (1 - s) is above the true one.
 */
#include "games/yut/fixpoint.h"

enum {
    SWEEPS_MAX = 1000,
    ROUNDINGS = 8 /* units: the roundings of a turn, each weighted by its chance, come to less */
};

/* Sweeps until a full sweep changes nothing by more than `change`. Short sweeps do most of the
 * work; between two full ones they go on until they change a hundredth of what the last one did. */
static Status sweep_until(Sweep *sweep, double change, const SolveLimits *limits, double *reached) {
    const double first_change = 1e-3;
    double goal = change > first_change ? change : first_change;
    SweepKind kind = SWEEP_SHORT;
    for (int i = 0; i < SWEEPS_MAX; i++) {
        Status status = sweep_run(sweep, kind, limits->threads, reached);
        if (!status_is_ok(&status))
            return status;
        progress_report(limits->progress, (uint64_t)i + 1, 0);
        if (kind == SWEEP_FULL && *reached <= change)
            return status;
        if (kind == SWEEP_FULL) {
            goal = *reached / 100 > change / 4 ? *reached / 100 : change / 4;
            kind = SWEEP_SHORT;
        } else if (*reached <= goal) {
            kind = SWEEP_FULL;
        }
    }
    return status_make(STATUS_FAILED, "yut: the values do not settle");
}

static Status check_memory(const YutRules *rules, int extras, const SolveLimits *limits) {
    uint64_t bytes;
    Status status = sweep_bytes(rules, extras, &bytes);
    if (status_is_ok(&status) && bytes > limits->memory_bytes)
        status = status_make(STATUS_UNSUPPORTED,
                             "solving yut with %d pieces needs %.0f MB, more than the memory limit "
                             "of %.0f MB",
                             rules->pieces, (double)bytes / (1 << 20),
                             (double)limits->memory_bytes / (1 << 20));
    return status;
}

static double largest_value(const Sweep *sweep) {
    const Places *places = &sweep->places;
    int32_t largest = 0;
    for (int side = 0; side < sweep->sides; side++)
        for (uint32_t other = 0; other + 1 < places->count; other++)
            for (uint32_t own = 0; own + 1 < places->count; own++) {
                int32_t value = sweep->values[side][(size_t)other * places->count + own];
                if (value > largest && !(places->occupied[own] & places->occupied[other]))
                    largest = value;
            }
    return largest;
}

static Status extras_for(const YutRules *rules, double cut_off, int *extras);

/* A bound on the turns of the longest game. What is cut off may be a whole game each time, so lists
 * must be long enough that this is far below a turn. */
static Status bound_turns(const YutRules *rules, const SolveLimits *limits, double *turns) {
    double cut_off = 2e-3;
    for (;; cut_off /= 8) {
        Sweep sweep;
        int extras;
        double change = 1;
        Status status = extras_for(rules, cut_off, &extras);
        if (status_is_ok(&status))
            status = check_memory(rules, extras, limits);
        if (status_is_ok(&status))
            status = sweep_open(rules, SWEEP_TURNS, extras, &sweep);
        if (!status_is_ok(&status))
            return status;
        status = sweep_until(&sweep, 0.2, limits, &change);
        *turns = largest_value(&sweep) / SWEEP_TURN;
        double slack =
            change + sweep_cut_off(&sweep) * (*turns + 1) + (double)ROUNDINGS / SWEEP_TURN;
        sweep_close(&sweep);
        if (!status_is_ok(&status))
            return status;
        if (slack < 0.5) {
            *turns /= 1 - slack;
            return status;
        }
    }
}

/* The fewest extras that cut off no more than this in a turn. */
static Status extras_for(const YutRules *rules, double cut_off, int *extras) {
    for (*extras = 1; *extras <= LISTS_EXTRAS_MAX; ++*extras) {
        double most = 0;
        for (int side = 0; side < 2; side++) {
            ResultLists lists;
            int throws = rules->animals[side] == YUT_SHEEP ? 2 : 1;
            /* Only the bound is wanted, not the lists: none need be made. */
            Status status = lists_bound(rules, side, *extras, 1 + throws * rules->pieces, &lists);
            if (!status_is_ok(&status))
                return status;
            if (lists.cut_off > most)
                most = lists.cut_off;
        }
        if (most <= cut_off)
            return status_ok();
    }
    return status_make(STATUS_UNSUPPORTED, "yut: throws go on too long to bound the error");
}

Status fixpoint_open(const YutRules *rules, double error, const SolveLimits *limits,
                     Fixpoint *fixpoint) {
    *fixpoint = (Fixpoint){.error = 1};
    Status status = sweep_supports(rules);
    if (!status_is_ok(&status))
        return status;
    progress_start(limits->progress, "bounding the turns: sweep");
    status = bound_turns(rules, limits, &fixpoint->turns_max);
    if (!status_is_ok(&status))
        return status;
    /* A third of the error for each: what is cut off, what still changes, and rounding. */
    const double rounding = (double)ROUNDINGS / SWEEP_ONE;
    double third = error / fixpoint->turns_max / 3;
    int extras = 1;
    status = extras_for(rules, third, &extras);
    if (status_is_ok(&status))
        status = check_memory(rules, extras, limits);
    if (status_is_ok(&status))
        status = sweep_open(rules, SWEEP_VALUE, extras, &fixpoint->sweep);
    if (!status_is_ok(&status))
        return status;
    progress_start(limits->progress, "solving: sweep");
    status = sweep_until(&fixpoint->sweep, third, limits, &fixpoint->residual);
    progress_finish(limits->progress);
    if (!status_is_ok(&status)) {
        sweep_close(&fixpoint->sweep);
        return status;
    }
    fixpoint->error =
        (fixpoint->residual + sweep_cut_off(&fixpoint->sweep) + rounding) * fixpoint->turns_max;
    return status;
}

void fixpoint_close(Fixpoint *fixpoint) {
    sweep_close(&fixpoint->sweep);
}
