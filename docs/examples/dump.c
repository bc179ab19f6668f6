/* A table as CSV: every position that can be reached, with its value to the player whose turn it
 * is.
 *
 *     dump [GAME [OPTIONS [LIMIT]]]      dump yut "--pieces 1" > values.csv
 *
 * Positions are found by a breadth-first search from the start, with a hash table of positions, and
 * evaluated all at once. LIMIT (1000000) positions are the most it takes.
 */
#include <malpan.h>
#include <stdio.h>
#include <stdlib.h>

/* Positions in the order in which they were found, and a hash table of their numbers plus one. */
typedef struct Found {
    MalpanPosition *positions;
    size_t count, limit;
    size_t *slots;
    size_t slot_count; /* a power of two, at least twice the limit */
} Found;

/* Adds a position that is not there yet. False if there are too many. */
static int add(Found *found, const MalpanPosition *position) {
    size_t slot = (size_t)malpan_hash(position) & (found->slot_count - 1);
    while (found->slots[slot] != 0) {
        if (malpan_equals(&found->positions[found->slots[slot] - 1], position))
            return 1;
        slot = (slot + 1) & (found->slot_count - 1);
    }
    if (found->count == found->limit)
        return 0;
    found->positions[found->count++] = *position;
    found->slots[slot] = found->count;
    return 1;
}

/* Adds the position after each move or chance event. */
static int add_successors(const MalpanGame *game, Found *found, MalpanPosition position) {
    static MalpanMove moves[MALPAN_MOVES_MAX];
    MalpanChance chances[MALPAN_CHANCES_MAX];
    size_t count = malpan_moves(game, &position, moves, MALPAN_MOVES_MAX);
    size_t events = malpan_chances(game, &position, chances, MALPAN_CHANCES_MAX, NULL);
    for (size_t i = 0; i < count + events; i++) {
        MalpanPosition next = position;
        malpan_apply_listed(game, &next, i < count ? moves[i] : chances[i - count].move);
        if (!add(found, &next))
            return 0;
    }
    return 1;
}

/* Finds all positions and prints them with their values. */
static int dump(const MalpanGame *game, Found *found, MalpanError *error) {
    MalpanPosition start;
    MalpanSolver *solver = NULL;
    char text[MALPAN_TEXT_BYTES];
    int code = malpan_start(game, &start, error);
    int is_complete = add(found, &start);
    for (size_t i = 0; is_complete && i < found->count; i++)
        is_complete = add_successors(game, found, found->positions[i]);
    if (!is_complete)
        fprintf(stderr, "dump: more than %zu positions; the rest is left out\n", found->limit);
    double *values = malloc((found->count + 1) * sizeof *values);
    if (code == MALPAN_OK)
        code = malpan_solver_open(game, MALPAN_POLICY_EXACT, NULL, &solver, error);
    if (code == MALPAN_OK && values)
        code = malpan_values(solver, found->positions, found->count, values, NULL, error);
    if (code == MALPAN_OK && values)
        printf("position,player,value\n");
    for (size_t i = 0; code == MALPAN_OK && values && i < found->count; i++) {
        malpan_print(game, &found->positions[i], text, sizeof text);
        printf("\"%s\",%d,%.9g\n", text, malpan_turn(game, &found->positions[i]), values[i]);
    }
    free(values);
    malpan_solver_close(&solver);
    return code;
}

int main(int argc, char **argv) {
    MalpanError error;
    Found found = {.limit = argc > 3 ? strtoul(argv[3], NULL, 10) : 1000000, .slot_count = 2};
    while (found.slot_count < 2 * found.limit)
        found.slot_count *= 2;
    MalpanGame *game = malpan_open(argc > 1 ? argv[1] : "box",
                                   argc > 2 ? argv[2] : "--tiles 4 --players 1", NULL, &error);
    found.positions = malloc((found.limit + 1) * sizeof *found.positions);
    found.slots = calloc(found.slot_count, sizeof *found.slots);
    int code = game ? MALPAN_OK : error.code;
    if (code == MALPAN_OK && found.positions && found.slots)
        code = dump(game, &found, &error);
    if (code != MALPAN_OK)
        fprintf(stderr, "dump: %s\n", error.message);
    free(found.positions);
    free(found.slots);
    malpan_close(&game);
    return code;
}
