#include "games/yut/facts/facts.h"

#include <math.h>

enum { TURNS_AT_ONCE = 2 }; /* pieces: with more, turns are counted only on request */

#define EVEN_LOW 0.45
#define EVEN_HIGH 0.55

/* --- positions --- */

/* Keeps the position if its rank is among the highest so far; earlier ones win ties. */
static void offer_position(FactsList *list, double ranks[FACTS_SHOWN], double rank, double number,
                           const StartGrid *grid, uint32_t own, uint32_t other) {
    int at = list->count;
    while (at > 0 && rank > ranks[at - 1])
        at--;
    if (at == FACTS_SHOWN)
        return;
    if (list->count < FACTS_SHOWN)
        list->count++;
    for (int i = list->count - 1; i > at; i--) {
        ranks[i] = ranks[i - 1];
        list->states[i] = list->states[i - 1];
        list->numbers[i] = list->numbers[i - 1];
    }
    ranks[at] = rank;
    list->states[at] = start_grid_state(grid, own, other);
    list->numbers[at] = number;
}

/* Whether every piece is on the board. */
static bool all_on_board(const Placements *placements, uint32_t number) {
    const uint8_t *squares = placements->squares[number];
    return squares[0] > 0 && squares[placements->pieces - 1] < YUT_ARRIVED;
}

/* The ranks of the positions in the lists of FactsPositions. */
typedef struct Ranks {
    double closest[FACTS_SHOWN], best[FACTS_SHOWN], worst[FACTS_SHOWN], hottest[FACTS_SHOWN],
        longest[FACTS_SHOWN];
} Ranks;

static void examine_position(const StartGrid *grid, const GameLength *turns, uint32_t own,
                             uint32_t other, FactsPositions *found, Ranks *ranks) {
    const Placements *placements = &grid->placements;
    double value = start_grid_value(grid, own, other);
    double swing = value + start_grid_value(grid, other, own) - 1;
    found->count++;
    found->even += value >= EVEN_LOW && value <= EVEN_HIGH;
    if (all_on_board(placements, own) && all_on_board(placements, other))
        offer_position(&found->closest, ranks->closest, -fabs(value - 0.5), value, grid, own,
                       other);
    offer_position(&found->best, ranks->best, value, value, grid, own, other);
    offer_position(&found->worst, ranks->worst, -value, value, grid, own, other);
    if (own <= other) /* swapping the sides gives the same difference */
        offer_position(&found->hottest, ranks->hottest, swing, swing, grid, own, other);
    if (!turns)
        return;
    double length = game_length_turns(turns, grid, own, other);
    offer_position(&found->longest, ranks->longest, length, length, grid, own, other);
}

static void look_at_all(const StartGrid *grid, const GameLength *turns, FactsPositions *found) {
    Ranks ranks = {.closest = {0}};
    *found = (FactsPositions){.count = 0};
    for (uint32_t other = 0; other < grid->placements.count; other++)
        for (uint32_t own = 0; own < grid->placements.count; own++)
            if (start_grid_has(grid, own, other))
                examine_position(grid, turns, own, other, found, &ranks);
    found->has_turns = turns != NULL;
    if (turns)
        found->start_turns = game_length_turns(turns, grid, 0, 0);
}

/* Decides whether to count the turns: on request, and by default if it is quick and fits into
 * memory. A request that does not fit is an error. */
static Status check_turns(const YutRules *rules, const FactsRequest *request,
                          const SolveLimits *limits, bool *counts) {
    uint64_t bytes;
    bool is_known = rules->catch_bonus == YUT_BONUS_ALWAYS && rules->nak == 0;
    *counts = false;
    if (!is_known && request->turns)
        return status_make(STATUS_UNSUPPORTED,
                           "yut facts: --turns does not know --nak and catches without a throw");
    if (!is_known)
        return status_ok();
    Status status = game_length_bytes(rules, limits->threads, &bytes);
    bool fits = start_grid_bytes(rules) + bytes <= limits->memory_bytes;
    if (status_is_ok(&status) && request->turns && !fits)
        status = status_make(STATUS_UNSUPPORTED,
                             "counting the turns needs %.0f MB, more than the memory limit of "
                             "%.0f MB (--memory)",
                             (double)(start_grid_bytes(rules) + bytes) / (1 << 20),
                             (double)limits->memory_bytes / (1 << 20));
    *counts = fits && (request->turns || rules->pieces <= TURNS_AT_ONCE);
    return status;
}

static Status find_positions(const StartGrid *grid, const FactsRequest *request,
                             const SolveLimits *limits, FactsPositions *found) {
    YutRules rules = yut_rules(&grid->rules);
    GameLength turns;
    bool counts;
    Status status = check_turns(&rules, request, limits, &counts);
    if (status_is_ok(&status) && counts)
        status = game_length_open(grid, limits, &turns);
    if (!status_is_ok(&status))
        return status;
    look_at_all(grid, counts ? &turns : NULL, found);
    if (counts)
        game_length_close(&turns);
    return status;
}

/* --- squares --- */

/* The value to player 0 if one of its pieces is on `square` and all other pieces of both players
 * are at 0. */
static Status value_with(const Rules *rules, Solver *solver, int turn, int square, double *value) {
    YutRules yut = yut_rules(rules);
    int last = yut.pieces - 1;
    if (square == YUT_LAST && yut.finish == YUT_FINISH_REACH)
        square = YUT_ARRIVED;
    else if (yut.traps >> square & 1)
        square = 0;
    YutState state = {.throws = 1, .turn = (uint8_t)turn};
    state.pieces[0][last] = (uint8_t)square;
    State packed = yut_state_pack(&state);
    double values[2];
    Status status = solver->values(solver, &packed, values);
    *value = values[0];
    return status;
}

static Status find_worths(const Rules *rules, Solver *solver, double worth[YUT_SQUARES]) {
    int squares = yut_rules(rules).pieces > 1 ? YUT_SQUARES : YUT_ARRIVED;
    worth[YUT_ARRIVED] = 0;
    for (int square = 0; square < squares; square++) {
        double first = 0, second = 0;
        Status status = value_with(rules, solver, 0, square, &first);
        if (status_is_ok(&status))
            status = value_with(rules, solver, 1, square, &second);
        if (!status_is_ok(&status))
            return status;
        worth[square] = (first + second) / 2 - 0.5;
    }
    return status_ok();
}

/* --- all facts --- */

/* Finds the facts that need all positions in memory. The caller checks that they fit. */
static Status find_with_grid(const FactsRequest *request, const SolveLimits *limits, Solver *solver,
                             Facts *facts) {
    StartGrid grid;
    const Rules *rules = &facts->variant.rules;
    Status status = start_grid_open(rules, solver, limits, &grid);
    if (!status_is_ok(&status))
        return status;
    facts->has_positions = true;
    status = find_positions(&grid, request, limits, &facts->positions);
    if (status_is_ok(&status))
        status = perfect_games_play(request->services, &facts->variant, &grid, solver,
                                    request->games, request->seed, limits, &facts->games);
    start_grid_close(&grid);
    return status;
}

static Status find_all(const FactsRequest *request, const SolveLimits *limits, Solver *solver,
                       Facts *facts) {
    const Rules *rules = &facts->variant.rules;
    YutRules yut = yut_rules(rules);
    State start = yut_start(rules);
    double values[2];
    Status status = solver->values(solver, &start, values);
    facts->start = values[0];
    facts->error = solver->error;
    if (status_is_ok(&status))
        status = find_worths(rules, solver, facts->worth);
    if (!status_is_ok(&status))
        return status;
    if (start_grid_bytes(&yut) <= limits->memory_bytes)
        return find_with_grid(request, limits, solver, facts);
    return perfect_games_play(request->services, &facts->variant, NULL, solver, request->games,
                              request->seed, limits, &facts->games);
}

static Status check_rules(const Rules *rules) {
    YutRules yut = yut_rules(rules);
    if (yut.players != 2)
        return status_make(STATUS_UNSUPPORTED, "yut facts: only for two players, not for %d",
                           yut.players);
    for (int player = 0; player < yut.players; player++)
        if (yut.animals[player] != YUT_NO_ANIMAL)
            return status_make(STATUS_UNSUPPORTED, "yut facts: only for players without animals");
    return status_ok();
}

Status facts_find(const Variant *variant, const FactsRequest *request, const SolveLimits *limits,
                  Facts *facts) {
    Solver *solver;
    *facts = (Facts){.variant = *variant};
    Status status = check_rules(&variant->rules);
    if (status_is_ok(&status))
        status = request->services->open_solver(variant, limits, &solver);
    if (!status_is_ok(&status))
        return status;
    status = find_all(request, limits, solver, facts);
    solver->free(solver);
    return status;
}
