/* Values of positions.
 *
 * A MalpanSolver has one Solver for each thread that malpan_values may use; the others are opened
 * by the first call that has work for them. With several threads each gets a share of the memory
 * (values_share), so that values do not depend on their number.
 */
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "game/estimate.h"
#include "game/outcomes.h"
#include "library/library.h"
#include "values/evaluate.h"
#include "values/policy.h"

struct MalpanSolver {
    Variant variant;
    uint64_t tag;
    ValuePolicy policy;
    LibraryLimits limits;
    SolveLimits share;        /* of each solver */
    int solver_count;         /* at most limits.solve.threads */
    Solver **solvers;         /* [0] is open; the others are NULL until they are needed */
    Evaluation **evaluations; /* likewise */
};

/* Opens solver number `index`, if it is not open. */
static Status open_solver(MalpanSolver *solver, int index) {
    if (!solver->evaluations[index])
        solver->evaluations[index] = malloc(sizeof *solver->evaluations[index]);
    if (!solver->evaluations[index])
        return library_out_of_memory();
    return solver->solvers[index] ? status_ok()
                                  : values_open(&solver->variant, solver->policy, &solver->share,
                                                &solver->solvers[index], NULL);
}

/* Divides the limits among the threads. A solver that is alone has all threads for its own work. */
static void divide_limits(MalpanSolver *solver) {
    solver->share = solver->limits.solve;
    solver->solver_count = 1;
    if (solver->limits.solve.threads > 1) {
        solver->solver_count = values_share(&solver->limits.solve, &solver->share);
        if (solver->solver_count > 1)
            solver->share.threads = 1;
    }
}

static Status fill_solver(MalpanSolver *solver, const MalpanGame *game, int policy,
                          const MalpanLimits *limits) {
    solver->variant = game->variant;
    solver->tag = game->tag;
    solver->policy = (ValuePolicy)policy;
    Status status = library_read_limits(limits, &solver->limits);
    if (!status_is_ok(&status))
        return status;
    divide_limits(solver);
    size_t count = (size_t)solver->solver_count;
    solver->solvers = calloc(count, sizeof(Solver *));
    solver->evaluations = calloc(count, sizeof(Evaluation *));
    return solver->solvers && solver->evaluations ? open_solver(solver, 0)
                                                  : library_out_of_memory();
}

int malpan_solver_open(const MalpanGame *game, int policy, const MalpanLimits *limits,
                       MalpanSolver **opened, MalpanError *error) {
    if (!opened)
        return library_finish(error, library_expected("room for the solver"));
    *opened = NULL;
    if (!game)
        return library_finish(error, library_expected("a game"));
    if (policy < MALPAN_POLICY_EXACT || policy > MALPAN_POLICY_ANY)
        return library_finish(error, status_make(STATUS_USAGE, "unknown policy %d", policy));
    MalpanSolver *solver = calloc(1, sizeof *solver);
    Status status = solver ? fill_solver(solver, game, policy, limits) : library_out_of_memory();
    if (status_is_ok(&status))
        *opened = solver;
    else
        malpan_solver_close(&solver);
    return library_finish(error, status);
}

void malpan_solver_close(MalpanSolver **closed) {
    MalpanSolver *solver = closed ? *closed : NULL;
    if (!solver)
        return;
    for (int i = 0; i < solver->solver_count; i++) {
        if (solver->solvers && solver->solvers[i])
            solver->solvers[i]->free(solver->solvers[i]);
        if (solver->evaluations)
            free(solver->evaluations[i]);
    }
    free(solver->solvers);
    free(solver->evaluations);
    free(solver);
    *closed = NULL;
}

const char *malpan_solver_method(const MalpanSolver *solver) {
    return solver ? solver->solvers[0]->method : "";
}

Status library_use_solver(MalpanSolver *solver, uint64_t tag, Solver **used,
                          const StopFlag **stop) {
    if (!solver)
        return library_expected("a solver");
    if (solver->tag != tag)
        return status_make(STATUS_USAGE, "the solver was opened for other rules");
    *used = solver->solvers[0];
    *stop = solver->limits.solve.stop;
    return status_ok();
}

/* --- one position --- */

/* The kind of a solver's values where an evaluation says whether they are estimates. */
static int kind_of(const Solver *solver, bool is_estimate) {
    return is_estimate ? MALPAN_ESTIMATE : (int)solver->kind;
}

static void set_value(const MalpanSolver *solver, const Evaluation *evaluation,
                      MalpanValue *value) {
    const Variant *variant = &solver->variant;
    const GameOutcomes *outcomes = variant->game->outcomes;
    *value = (MalpanValue){.error = evaluation->error,
                           .kind = (int)evaluation->kind,
                           .player = evaluation->player,
                           .typical_error = evaluation->typical_error};
    int players = variant->game->rules.player_count(&variant->rules);
    memcpy(value->values, evaluation->values, (size_t)players * sizeof value->values[0]);
    if (!outcomes || value->kind == MALPAN_ESTIMATE)
        return;
    static const int kinds[] = {[OUTCOME_WIN] = MALPAN_WIN,
                                [OUTCOME_LOSS] = MALPAN_LOSS,
                                [OUTCOME_ENDLESS] = MALPAN_ENDLESS};
    Outcome outcome = outcomes->decode(value->values[value->player]);
    value->outcome = kinds[outcome.kind];
    value->plies = outcome.plies;
}

/* Evaluates a state with solver number `index`, and its moves if asked. */
static Status evaluate(const MalpanSolver *solver, int index, const State *state, bool with_moves) {
    const Variant *variant = &solver->variant;
    Evaluation *evaluation = solver->evaluations[index];
    Solver *used = solver->solvers[index];
    if (variant->game->tree.actor(&variant->rules, state) == GAME_END) {
        evaluate_end(variant, state, evaluation);
        return status_ok();
    }
    Status status = with_moves ? evaluate_state(variant, used, state, evaluation)
                               : evaluate_value(variant, used, state, evaluation);
    bool is_refused =
        with_moves ? evaluate_has_estimates(evaluation) : evaluation->kind == VALUE_ESTIMATE;
    if (status_is_ok(&status) && solver->policy != VALUES_ANY && is_refused)
        return status_make(STATUS_TABLE, "no proof%s: searched %s",
                           with_moves ? " for every move" : "", evaluation->note);
    return status;
}

/* Checks the arguments that all questions have, and copies the state. */
static Status begin_question(const MalpanSolver *solver, const MalpanPosition *position,
                             const void *room, State *state) {
    if (!solver)
        return library_expected("a solver");
    Status status = library_read_position(solver->tag, position, state);
    return status_is_ok(&status) && !room ? library_expected("room for the result") : status;
}

int malpan_value(MalpanSolver *solver, const MalpanPosition *position, MalpanValue *value,
                 MalpanError *error) {
    State state;
    Status status = begin_question(solver, position, value, &state);
    if (status_is_ok(&status))
        status = evaluate(solver, 0, &state, false);
    if (status_is_ok(&status))
        set_value(solver, solver->evaluations[0], value);
    return library_finish(error, status);
}

int malpan_evaluate(MalpanSolver *solver, const MalpanPosition *position, MalpanValue *value,
                    MalpanMoveValue moves[], size_t capacity, size_t *count, MalpanError *error) {
    State state;
    Status status = begin_question(solver, position, value, &state);
    if (status_is_ok(&status))
        status = evaluate(solver, 0, &state, true);
    if (status_is_ok(&status)) {
        const Evaluation *evaluation = solver->evaluations[0];
        set_value(solver, evaluation, value);
        for (size_t i = 0; moves && i < evaluation->move_count && i < capacity; i++) {
            const MoveValue *move = &evaluation->moves[i];
            moves[i] = (MalpanMoveValue){.move = move->move,
                                         .kind = kind_of(solver->solvers[0], move->is_estimate),
                                         .value = move->value};
        }
        if (count)
            *count = evaluation->move_count;
    }
    return library_finish(error, status);
}

/* Whether a state of the line, which ends at `state`, has occurred before. */
static bool is_repeated(const Variant *variant, const State *first, const MalpanMove line[],
                        size_t count, const State *state) {
    State at = *first, last = variant_normalized(variant, state);
    for (size_t i = 0; i < count; i++) {
        State earlier = variant_normalized(variant, &at);
        if (memcmp(&earlier, &last, sizeof last) == 0)
            return true;
        variant->game->tree.apply(&variant->rules, &at, line[i]);
    }
    return false;
}

int malpan_best_line(MalpanSolver *solver, const MalpanPosition *position, MalpanMove line[],
                     size_t capacity, size_t *count, MalpanError *error) {
    State state;
    size_t length = 0;
    Status status = begin_question(solver, position, count, &state);
    if (status_is_ok(&status) && !line && capacity > 0)
        status = library_expected("room for the line");
    State first = state;
    while (status_is_ok(&status) && length < capacity) {
        const Variant *variant = &solver->variant;
        const Evaluation *evaluation = solver->evaluations[0];
        if (variant->game->tree.actor(&variant->rules, &state) < 0 ||
            is_repeated(variant, &first, line, length, &state))
            break;
        status = evaluate(solver, 0, &state, true);
        bool is_estimate = evaluation->kind == VALUE_ESTIMATE;
        if (!status_is_ok(&status) || (is_estimate && length > 0))
            break;
        line[length++] = evaluation->moves[0].move;
        if (is_estimate)
            break;
        variant->game->tree.apply(&variant->rules, &state, evaluation->moves[0].move);
    }
    if (status_is_ok(&status))
        *count = length;
    return library_finish(error, status);
}

int malpan_fraction(MalpanSolver *solver, const MalpanPosition *position, uint64_t *numerator,
                    uint64_t *denominator, MalpanError *error) {
    State state;
    Status status = begin_question(solver, position, numerator, &state);
    if (status_is_ok(&status) && !denominator)
        status = library_expected("room for the denominator");
    uint64_t above = 0, below = 0;
    if (status_is_ok(&status) && solver->solvers[0]->fraction)
        status = solver->solvers[0]->fraction(solver->solvers[0], &state, &above, &below);
    if (status_is_ok(&status) && below == 0)
        status = status_make(STATUS_UNSUPPORTED, "this value is not known as a fraction");
    if (status_is_ok(&status)) {
        *numerator = above;
        *denominator = below;
    }
    return library_finish(error, status);
}

int malpan_estimate(const MalpanGame *game, const MalpanPosition *position, double values[],
                    MalpanError *error) {
    State state;
    Status status = !game     ? library_expected("a game")
                    : !values ? library_expected("room for the values")
                              : library_read_position(game->tag, position, &state);
    if (status_is_ok(&status) && !game->variant.game->estimate)
        status = status_make(STATUS_UNSUPPORTED, "%s has no static evaluation",
                             game->variant.game->identity.name);
    if (status_is_ok(&status))
        game->variant.game->estimate->values(&game->variant.rules, &state, values);
    return library_finish(error, status);
}

/* --- many positions --- */

enum { BATCH = 1024 }; /* positions that a thread takes at a time */

typedef struct ValueJob {
    MalpanSolver *solver;
    const MalpanPosition *positions;
    size_t count;
    double *values;
    unsigned char *kinds;
} ValueJob;

/* The value of one position by solver number `thread`. */
static Status value_at(const ValueJob *job, size_t i, int thread) {
    MalpanSolver *solver = job->solver;
    const Variant *variant = &solver->variant;
    Solver *used = solver->solvers[thread];
    State state;
    Status status = library_read_position(solver->tag, &job->positions[i], &state);
    if (!status_is_ok(&status))
        return status;
    double own[GAME_PLAYERS_MAX], *values = own;
    int kind = (int)used->kind;
    int actor = variant->game->tree.actor(&variant->rules, &state);
    int turn = actor >= 0 ? actor : variant->game->tree.turn(&variant->rules, &state);
    if (actor != GAME_END && !used->evaluate) { /* the fast way */
        status = used->values(used, &state, values);
    } else {
        status = evaluate(solver, thread, &state, false);
        values = solver->evaluations[thread]->values;
        kind = (int)solver->evaluations[thread]->kind;
    }
    if (!status_is_ok(&status))
        return status;
    job->values[i] = values[turn];
    if (job->kinds)
        job->kinds[i] = (unsigned char)kind;
    return status_ok();
}

static Status value_batch(void *context, size_t batch, int thread) {
    const ValueJob *job = context;
    Status status = open_solver(job->solver, thread);
    size_t end = job->count - batch * BATCH < BATCH ? job->count : (batch + 1) * BATCH;
    for (size_t i = batch * BATCH; status_is_ok(&status) && i < end; i++) {
        status = value_at(job, i, thread);
        if (!status_is_ok(&status))
            return status_make(status.code, "position %zu: %s", i, status.message);
    }
    return status;
}

int malpan_values(MalpanSolver *solver, const MalpanPosition positions[], size_t count,
                  double values[], unsigned char kinds[], MalpanError *error) {
    if (!solver)
        return library_finish(error, library_expected("a solver"));
    if (count > 0 && (!positions || !values))
        return library_finish(error,
                              library_expected(positions ? "room for the values" : "positions"));
    ValueJob job = {
        .solver = solver, .positions = positions, .count = count, .values = values, .kinds = kinds};
    ThreadLoop loop = {.count = (count + BATCH - 1) / BATCH,
                       .step = value_batch,
                       .context = &job,
                       .stop = solver->limits.solve.stop};
    return library_finish(error, threads_try(solver->solver_count, &loop));
}
