#include "games/yut/solve/lanes.h"

#include "games/yut/solve/cpu_dispatch.h"
#include "games/yut/solve/placements.h"

CPU_DISPATCH static void run_lanes_end_of_turn(const int32_t *restrict values, size_t lines,
                                               uint32_t line, int32_t *restrict cells) {
    for (size_t block = 0; block < lines; block++) {
        const int32_t *from = values + (block * lines + line) * LANES * LANES;
        int32_t *to = cells + block * LANES * LANES;
        for (size_t own = 0; own < LANES; own++)
            for (size_t lane = 0; lane < LANES; lane++)
                to[own * LANES + lane] = LANES_ONE - from[lane * LANES + own];
    }
}

CPU_DISPATCH static void run_lanes_end_of_turn_bound(const int32_t *restrict values,
                                                     const uint8_t *restrict slack, int32_t step,
                                                     size_t lines, uint32_t line,
                                                     int32_t *restrict cells) {
    for (size_t block = 0; block < lines; block++) {
        size_t first = (block * lines + line) * LANES * LANES;
        int32_t *to = cells + block * LANES * LANES;
        for (size_t own = 0; own < LANES; own++)
            for (size_t lane = 0; lane < LANES; lane++) {
                size_t from = first + lane * LANES + own;
                to[own * LANES + lane] =
                    LANES_ONE - lanes_with_slack(values[from], slack[from], step);
            }
    }
}

void lanes_copy_bound(int32_t *restrict to, const int32_t *restrict from,
                      const uint8_t *restrict slack, int32_t step, const uint32_t *owns,
                      size_t count, int lane, int lanes) {
    for (size_t i = 0; i < count; i++) {
        size_t own = owns[i] * (size_t)LANES;
        for (int k = 0; k < lanes; k++)
            to[own + (size_t)(lane + k)] =
                lanes_with_slack(from[own + (size_t)k], slack[own + (size_t)k], step);
    }
}

void lanes_copy_same_bound(int32_t *restrict to, const int32_t *restrict from,
                           const uint8_t *restrict slack, int32_t step,
                           const uint32_t squares[LANES], const uint32_t *occupied, size_t count) {
    for (size_t own = 0; own < count; own++) {
        int32_t value = lanes_with_slack(from[own * LANES], slack[own * LANES], step);
        for (size_t lane = 0; lane < LANES; lane++)
            if (occupied[own] & squares[lane])
                to[own * LANES + lane] = value;
    }
}

/* The body of lanes_best, for either type of number. With a constant number of slots, the lanes
 * compile to vectors. */
#define FIND_BEST(LEAST)                                                                           \
    for (size_t own = 0; own < count; own++) {                                                     \
        __typeof__(*best) *lanes = best + own * LANES;                                             \
        for (int r = 0; r < results; r++) {                                                        \
            const __typeof__(*best) *value[PLACEMENT_SLOTS_MAX];                                   \
            for (size_t slot = 0; slot < slots; slot++)                                            \
                value[slot] = from[r] + (size_t)next[r][own * slots + slot] * LANES;               \
            _Pragma("GCC unroll 1") for (int lane = 0; lane < LANES; lane++) {                     \
                __typeof__(*best) largest = r > 0 ? lanes[lane] : (LEAST);                         \
                for (size_t slot = 0; slot < slots; slot++)                                        \
                    largest = value[slot][lane] > largest ? value[slot][lane] : largest;           \
                lanes[lane] = largest;                                                             \
            }                                                                                      \
        }                                                                                          \
    }

__attribute__((always_inline)) static inline void
best_of_slots(int32_t *restrict best, const int32_t *const from[], const uint32_t *const next[],
              int results, size_t slots, size_t count) {
    FIND_BEST(INT32_MIN)
}

__attribute__((always_inline)) static inline void
best_of_slots_narrow(uint16_t *restrict best, const uint16_t *const from[],
                     const uint32_t *const next[], int results, size_t slots,
                     size_t count){FIND_BEST(0)}

/* Calls one of the two, with a constant number of slots if there are few. */
#define FOR_SLOTS(BEST)                                                                            \
    do {                                                                                           \
        switch (slots) {                                                                           \
        case 1:                                                                                    \
            BEST(best, from, next, results, 1, count);                                             \
            break;                                                                                 \
        case 2:                                                                                    \
            BEST(best, from, next, results, 2, count);                                             \
            break;                                                                                 \
        case 3:                                                                                    \
            BEST(best, from, next, results, 3, count);                                             \
            break;                                                                                 \
        case 4:                                                                                    \
            BEST(best, from, next, results, 4, count);                                             \
            break;                                                                                 \
        case 5:                                                                                    \
            BEST(best, from, next, results, 5, count);                                             \
            break;                                                                                 \
        default:                                                                                   \
            BEST(best, from, next, results, slots, count);                                         \
        }                                                                                          \
    } while (false)

CPU_DISPATCH static void run_lanes_best(int32_t *restrict best, const int32_t *const from[],
                                        const uint32_t *const next[], int results, size_t slots,
                                        size_t count) {
    FOR_SLOTS(best_of_slots);
}

CPU_DISPATCH
static void run_lanes_best_narrow(uint16_t *restrict best, const uint16_t *const from[],
                                  const uint32_t *const next[], int results, size_t slots,
                                  size_t count) {
    FOR_SLOTS(best_of_slots_narrow);
}

CPU_DISPATCH
static void run_lanes_mean(int32_t *restrict mean, const int32_t *const rows[],
                           const double weights[], int row_count, double beyond, size_t count) {
    for (size_t first = 0; first < count; first += LANES) {
        double sums[LANES];
        for (int i = 0; i < LANES; i++)
            sums[i] = beyond + 0.5;
        for (int row = 0; row < row_count; row++) {
            const int32_t *from = rows[row] + first;
            double weight = weights[row];
            for (int i = 0; i < LANES; i++)
                sums[i] += weight * from[i];
        }
        for (int i = 0; i < LANES; i++)
            mean[first + (size_t)i] = (int32_t)sums[i];
    }
}

CPU_DISPATCH static void run_lanes_mean_narrow(uint16_t *restrict mean,
                                               const uint16_t *const rows[], const float weights[],
                                               int row_count, float beyond, size_t count) {
    for (size_t first = 0; first < count; first += LANES) {
        float sums[LANES];
        for (int i = 0; i < LANES; i++)
            sums[i] = beyond;
        for (int row = 0; row < row_count; row++) {
            const uint16_t *from = rows[row] + first;
            float weight = weights[row];
            for (int i = 0; i < LANES; i++)
                sums[i] += weight * from[i];
        }
        for (int i = 0; i < LANES; i++)
            mean[first + (size_t)i] = (uint16_t)(int32_t)sums[i];
    }
}

CPU_DISPATCH static void run_lanes_add_corrections(int32_t *restrict values,
                                                   const int32_t *restrict corrections,
                                                   int32_t bonus, bool are_values, size_t count) {
    int32_t low = are_values ? 0 : INT32_MIN, high = are_values ? LANES_ONE : INT32_MAX;
    for (size_t i = 0; i < count; i++) {
        int32_t value = values[i] + (corrections ? corrections[i] : 0) + bonus;
        values[i] = value < low ? low : value > high ? high : value;
    }
}

void lanes_add(int32_t *values, int32_t bonus, size_t count) {
    for (size_t i = 0; i < count && bonus != 0; i++)
        values[i] += bonus;
}

CPU_DISPATCH static void
run_lanes_compare(const int32_t *restrict old, const int32_t *restrict values,
                  const uint32_t *own_occupied, const uint32_t occupied[LANES], size_t count,
                  int32_t up[restrict LANES], int32_t down[restrict LANES]) {
    for (size_t own = 0; own < count; own++) {
        uint32_t squares = own_occupied[own];
#pragma GCC unroll 1
        for (size_t lane = 0; lane < LANES; lane++) {
            int32_t difference = values[own * LANES + lane] - old[own * LANES + lane];
            difference = (squares & occupied[lane]) == 0 ? difference : 0;
            up[lane] = difference > up[lane] ? difference : up[lane];
            down[lane] = difference < down[lane] ? difference : down[lane];
        }
    }
}

/* --- the loops compiled for this CPU --- */

void lanes_end_of_turn(const int32_t *restrict values, size_t lines, uint32_t line,
                       int32_t *restrict cells) {
    run_lanes_end_of_turn(values, lines, line, cells);
}

void lanes_end_of_turn_bound(const int32_t *restrict values, const uint8_t *restrict slack,
                             int32_t step, size_t lines, uint32_t line, int32_t *restrict cells) {
    run_lanes_end_of_turn_bound(values, slack, step, lines, line, cells);
}

void lanes_best(int32_t *restrict best, const int32_t *const from[], const uint32_t *const next[],
                int results, size_t slots, size_t count) {
    run_lanes_best(best, from, next, results, slots, count);
}

void lanes_mean(int32_t *restrict mean, const int32_t *const rows[], const double weights[],
                int row_count, double beyond, size_t count) {
    run_lanes_mean(mean, rows, weights, row_count, beyond, count);
}

void lanes_best_narrow(uint16_t *restrict best, const uint16_t *const from[],
                       const uint32_t *const next[], int results, size_t slots, size_t count) {
    run_lanes_best_narrow(best, from, next, results, slots, count);
}

void lanes_mean_narrow(uint16_t *restrict mean, const uint16_t *const rows[], const float weights[],
                       int row_count, float beyond, size_t count) {
    run_lanes_mean_narrow(mean, rows, weights, row_count, beyond, count);
}

void lanes_add_corrections(int32_t *restrict values, const int32_t *restrict corrections,
                           int32_t bonus, bool are_values, size_t count) {
    run_lanes_add_corrections(values, corrections, bonus, are_values, count);
}

void lanes_compare(const int32_t *restrict old, const int32_t *restrict values,
                   const uint32_t *own_occupied, const uint32_t occupied[LANES], size_t count,
                   int32_t up[restrict LANES], int32_t down[restrict LANES]) {
    run_lanes_compare(old, values, own_occupied, occupied, count, up, down);
}
