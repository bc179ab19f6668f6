/* Solves Yut with one piece each by value iteration over all starts (single_turn.h).
 *
 * Two sides (teams, or two players): every start has an upper bound H and a lower bound L. F maps
 * a table of bounds to those of a turn of best play. The iteration is H = F(H) + bonus and
 * L = F(L) - bonus, until H >= F(H) and L <= F(L) hold everywhere in spite of rounding, where F
 * counts throws that are cut off as won for H and as lost for L. Then the true values are between
 * L and H: F is monotone, so applying it again only tightens both, and since every game ends with
 * probability 1 whatever is played (which is checked first), they meet. `error` is half of the
 * largest distance between the two.
 *
 * Three or four sides: a start has a chance for each player. An equilibrium need not be unique, and
 * no bound on a distance is claimed. The iteration starts with equal chances for everybody and
 * recomputes the starts in rounds, those whose pieces have the least way left first, until the
 * equations hold: `residual` is the largest difference between the two sides of an equation. That
 * equilibrium is the answer.
 *
 * Most of the work is done by short sweeps that follow a single extra. A full sweep
 * (single_lines.h) follows all of them and notes by how much each start differs; short sweeps add
 * that correction. Only full sweeps measure the residual.
 *
 * Starts with the same way left are computed from the values before, in parallel, and then stored
 * together. So the result does not depend on the number of threads.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_SINGLE_FIXPOINT_H
#define MALPAN_GAMES_YUT_SOLVE_SINGLE_FIXPOINT_H

#include "game/solver.h"
#include "games/yut/solve/single_turn.h"

typedef struct SingleFixpoint {
    SingleGame game; /* with the values */
    double cut;      /* the chance that a throw has more extras than are followed; or 0 */
    double residual; /* of the equations */
    double error;    /* two sides: no value is further from the truth; else INFINITY */
    int short_sweeps, full_sweeps;
} SingleFixpoint;

/* Whether these rules can be solved this way. The message says why not. */
Status single_supports(const YutRules *rules);

/* Solves within the limits. STATUS_UNSUPPORTED if that needs more memory than allowed, if games
 * need not end, or if the chances of three or more players do not settle. The caller closes it. */
Status single_fixpoint_open(const YutRules *rules, const SolveLimits *limits,
                            SingleFixpoint *fixpoint);
void single_fixpoint_close(SingleFixpoint *fixpoint);

#endif
