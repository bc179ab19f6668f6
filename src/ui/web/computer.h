/* The moves of computer players in hosted games. */
#ifndef MALPAN_UI_WEB_COMPUTER_H
#define MALPAN_UI_WEB_COMPUTER_H

#include "ui/web/solver_pool.h"

/* Lets the computer player at a seat choose a move, and records how long it takes. Any thread, with
 * no lock held. */
Status computer_choose(SolverPool *pool, const Variant *variant, const Seat *seat,
                       const State *state, Random random, Move *move);

#endif
