#include "games/box/lane_turn.h"

#include <stdlib.h>

enum { ROW_MAX = BOX_PLAYERS_MAX * BOX_LANES };

bool lane_turn_open(const BoxRules *rules, const BoxFits *fits, LaneTurn *turn) {
    size_t row = lane_turn_row(rules), scores = (size_t)box_sum(box_all_tiles(rules)) + 1;
    *turn = (LaneTurn){.rules = rules,
                       .fits = fits,
                       .table = malloc(((size_t)1 << rules->tiles) * row * sizeof(double)),
                       .stuck = calloc(scores * row, sizeof(double))};
    return turn->table && turn->stuck;
}

void lane_turn_close(LaneTurn *turn) {
    free(turn->table);
    free(turn->stuck);
    turn->table = turn->stuck = NULL;
}

/* Replaces `choice` by `rival` in each lane where that is better for the player. */
static void choose_better(double *restrict choice, const double *restrict rival, size_t length,
                          int player) {
    const double *mine = choice + (size_t)player * BOX_LANES;
    const double *other = rival + (size_t)player * BOX_LANES;
    bool better[BOX_LANES];
    for (size_t i = 0; i < BOX_LANES; i++)
        better[i] = solver_exceeds(other[i], mine[i]);
    for (size_t at = 0; at < length; at += BOX_LANES)
        for (size_t i = 0; i < BOX_LANES; i++)
            choice[at + i] = better[i] ? rival[at + i] : choice[at + i];
}

/* The row after the best sets for a roll: one of the table, or `choice` if lanes had to be mixed.
 */
static const double *best_row(const LaneTurn *turn, BoxFit fit, int player, double *choice) {
    size_t length = lane_turn_row(turn->rules);
    if (fit.count == 1)
        return turn->table + fit.sets[0] * length;
    memcpy(choice, turn->table + fit.sets[0] * length, length * sizeof *choice);
    for (size_t i = 1; i < fit.count; i++)
        choose_better(choice, turn->table + fit.sets[i] * length, length, player);
    return choice;
}

/* The row of the empty set: a win, or a score of 0. */
static void fill_shut(const LaneTurn *turn, int player) {
    size_t length = lane_turn_row(turn->rules);
    if (turn->rules->shut_scores_0) {
        memcpy(turn->table, turn->stuck, length * sizeof *turn->table);
        return;
    }
    for (size_t i = 0; i < length; i++)
        turn->table[i] = i / BOX_LANES == (size_t)player ? 1 : 0;
}

void lane_turn_solve(LaneTurn *turn, int player) {
    const BoxRules *rules = turn->rules;
    size_t length = lane_turn_row(rules);
    double choice[ROW_MAX];
    assert(rules->players <= BOX_PLAYERS_MAX && player < rules->players);
    fill_shut(turn, player);
    for (TileSet open = 1; open <= box_all_tiles(rules); open++) {
        int dice = box_dice(rules, open);
        const double *weights = box_fits_weights(turn->fits, dice);
        const double *stuck = turn->stuck + (size_t)box_sum(open) * length;
        double *row = turn->table + open * length;
        memset(row, 0, length * sizeof *row);
        for (int roll = dice; roll <= dice * rules->sides; roll++) {
            BoxFit fit = box_fits_after(turn->fits, open, roll);
            const double *result = fit.count > 0 ? best_row(turn, fit, player, choice) : stuck;
            for (size_t i = 0; i < length; i++)
                row[i] += weights[roll] * result[i];
        }
    }
}

TileSet lane_turn_choose(const LaneTurn *turn, int player, TileSet open, int roll) {
    BoxFit fit = box_fits_after(turn->fits, open, roll);
    assert(fit.count > 0);
    TileSet best = fit.sets[0];
    for (size_t i = 1; i < fit.count; i++)
        if (solver_exceeds(*lane_turn_at(turn, turn->table, fit.sets[i], player, 0),
                           *lane_turn_at(turn, turn->table, best, player, 0)))
            best = fit.sets[i];
    return best;
}
