#include "games/yut/net/exact.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/random.h"

static Status open_solver(const YutRules *learned, const GameServices *services,
                          const SolveLimits *limits, int pieces, Solver **solver) {
    YutRules rules = *learned;
    rules.pieces = (uint8_t)pieces;
    Variant variant = {.game = &yut_game, .rules = yut_rules_pack(&rules)};
    return services->open_solver(&variant, limits, solver);
}

static bool is_position(const ExactValues *exact, uint32_t own, uint32_t other) {
    const Placements *placements = &exact->placements;
    const uint32_t of_own = placements->occupied[own], of_other = placements->occupied[other];
    return !(of_own & of_other) && !((of_own | of_other) & exact->forbidden) &&
           own != placements->count - 1 && other != placements->count - 1;
}

static Status read_values(ExactValues *exact, Solver *solver, const SolveLimits *limits) {
    const Placements *placements = &exact->placements;
    Status status = status_ok();
    progress_start(limits->progress, "reading exact values");
    for (uint32_t other = 0; other < placements->count && status_is_ok(&status); other++) {
        progress_report(limits->progress, other, placements->count);
        if (limits->stop && *limits->stop)
            status = status_make(STATUS_STOPPED, "stopped");
        for (uint32_t own = 0; own < placements->count && status_is_ok(&status); own++) {
            if (!is_position(exact, own, other))
                continue;
            YutState state = {.throws = 1};
            double values[GAME_PLAYERS_MAX];
            memcpy(state.pieces[0], placements->squares[own], (size_t)exact->pieces);
            memcpy(state.pieces[1], placements->squares[other], (size_t)exact->pieces);
            State packed = yut_state_pack(&state);
            status = solver->values(solver, &packed, values);
            exact->values[(size_t)other * placements->count + own] = (float)values[0];
        }
    }
    progress_finish(limits->progress);
    return status;
}

/* Huge pages make random access faster. */
static float *allocate_values(size_t count) {
    const size_t page = (size_t)2 << 20,
                 size = (count * count * sizeof(float) + page - 1) / page * page;
    float *values = aligned_alloc(page, size);
    if (values)
        (void)madvise(values, size, MADV_HUGEPAGE);
    return values;
}

static uint32_t forbidden_squares(const YutRules *rules) {
    uint32_t forbidden = 0;
    for (int square = 1; square < YUT_ARRIVED; square++)
        forbidden |= (uint32_t)!yut_can_stand(rules, 0, square) << square;
    return forbidden;
}

Status exact_open(const YutRules *rules, const GameServices *services, const SolveLimits *limits,
                  ExactValues *exact) {
    Solver *solver;
    *exact = (ExactValues){.pieces = 3, .forbidden = forbidden_squares(rules)};
    Status status = open_solver(rules, services, limits, exact->pieces, &solver);
    if (status.code == STATUS_TABLE) {
        exact->pieces = 2;
        status = open_solver(rules, services, limits, exact->pieces, &solver);
    }
    if (!status_is_ok(&status))
        return status;
    status = placements_open(exact->pieces, &exact->placements);
    if (status_is_ok(&status)) {
        exact->values = allocate_values(exact->placements.count);
        status = exact->values ? read_values(exact, solver, limits)
                               : status_make(STATUS_FAILED, "out of memory");
        if (!status_is_ok(&status))
            exact_close(exact);
    }
    solver->free(solver);
    return status;
}

void exact_close(ExactValues *exact) {
    placements_close(&exact->placements);
    free(exact->values);
}

bool exact_find(const ExactValues *exact, const YutRules *rules, const YutState *state,
                double *value) {
    const uint8_t *own = state->pieces[state->turn], *other = state->pieces[1 - state->turn];
    for (int i = exact->pieces; i < rules->pieces; i++)
        if (own[i] != YUT_ARRIVED || other[i] != YUT_ARRIVED)
            return false;
    uint8_t squares[2][YUT_PIECES_MAX];
    for (int i = 0; i < exact->pieces; i++) {
        squares[0][i] = i < rules->pieces ? own[i] : YUT_ARRIVED;
        squares[1][i] = i < rules->pieces ? other[i] : YUT_ARRIVED;
    }
    const Placements *placements = &exact->placements;
    *value =
        (double)exact->values[(size_t)placement_rank(placements, squares[1]) * placements->count +
                              placement_rank(placements, squares[0])];
    return true;
}

/* A state in which nothing is thrown yet and both players have all pieces home. */
static void begin_turn(YutState *state) {
    *state = (YutState){.throws = 1};
    memset(state->pieces, YUT_ARRIVED, 2 * sizeof state->pieces[0]);
}

/* Where the value to the thrower is, whose placement is the first. */
static const float *find_value(const ExactValues *exact, const uint32_t ranks[2]) {
    return &exact->values[(size_t)ranks[1] * exact->placements.count + ranks[0]];
}

const float *exact_draw(const ExactValues *exact, int left, Random *random, YutState *state) {
    const Placements *placements = &exact->placements;
    uint32_t ranks[2];
    begin_turn(state);
    do {
        uint64_t bits = random_next(random);
        for (int side = 0; side < 2; side++) {
            uint32_t rank = (uint32_t)((bits & UINT32_MAX) * placements->count >> 32);
            bits >>= 32;
            memcpy(state->pieces[side], placements->squares[rank], (size_t)left);
            ranks[side] =
                left == exact->pieces ? rank : placement_rank(placements, state->pieces[side]);
        }
    } while (!is_position(exact, ranks[0], ranks[1]));
    return find_value(exact, ranks);
}

/* A piece that waits, is home, or is anywhere, from eight random bits. */
static uint8_t piece_of(uint64_t bits) {
    const uint8_t square = (uint8_t)(bits >> 3 & 31), choice = bits & 7;
    return choice < 2 || square >= YUT_SQUARES ? 0 : choice == 2 ? YUT_ARRIVED : square;
}

const float *exact_draw_scattered(const ExactValues *exact, Random *random, YutState *state) {
    const Placements *placements = &exact->placements;
    uint32_t ranks[2];
    begin_turn(state);
    do {
        uint64_t bits = random_next(random);
        for (int side = 0; side < 2; side++) {
            uint8_t squares[YUT_PIECES_MAX];
            for (int i = 0; i < exact->pieces; i++, bits >>= 8)
                squares[i] = piece_of(bits);
            ranks[side] = placement_rank(placements, squares);
        }
    } while (!is_position(exact, ranks[0], ranks[1]));
    for (int side = 0; side < 2; side++)
        memcpy(state->pieces[side], placements->squares[ranks[side]], (size_t)exact->pieces);
    return find_value(exact, ranks);
}

/* Mixes the bits of a number. */
static uint64_t mix(uint64_t number) {
    number *= 0x9E3779B97F4A7C15u;
    number ^= number >> 32;
    return number * 0xD6E8FEB86659FD93u;
}

ExactPart exact_part(int pieces, const YutState *state) {
    bool on_board[2] = {false, false};
    uint64_t hash = 0;
    for (int side = 0; side < 2; side++) {
        const uint8_t *squares = state->pieces[(state->turn + side) % 2];
        uint64_t sum = 0; /* whatever the order of the pieces */
        for (int i = 0; i < YUT_PIECES_MAX; i++) {
            int square = i < pieces ? squares[i] : YUT_ARRIVED;
            on_board[side] = on_board[side] || (square > 0 && square < YUT_ARRIVED);
            sum += mix((uint64_t)square + 1);
        }
        hash = mix(hash + (sum ^ sum >> 31));
    }
    const uint64_t bucket = hash >> 58;
    if (!on_board[0] || !on_board[1] || bucket > 1)
        return EXACT_LEARNING;
    return bucket == 0 ? EXACT_VALIDATION : EXACT_TEST;
}
