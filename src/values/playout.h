/* Many games of random moves or of best play: how long they are, how many legal moves there are,
 * who wins. */
#ifndef MALPAN_VALUES_PLAYOUT_H
#define MALPAN_VALUES_PLAYOUT_H

#include "base/random.h"
#include "game/endings.h"
#include "game/solver.h"
#include "kernel/exchange.h"

/* Longer games are cut off and counted as such. */
enum { PLAYOUT_LENGTH_MAX = 4096, PLAYOUT_EVENTS_MAX = 1 << 20, PLAYOUT_SCORE_MAX = 1023 };

typedef struct PlayoutStats {
    uint64_t games;
    uint64_t cut_off;  /* games with more moves or chance events than that */
    uint64_t moves;    /* made, in all games */
    uint64_t events;   /* chance events, in all games */
    uint64_t branches; /* legal moves, summed over all moves made */
    uint64_t length_of[PLAYOUT_LENGTH_MAX + 1]; /* [moves]: how many games had that many */
    uint64_t branching_max;
    double payoffs[GAME_PLAYERS_MAX];         /* summed */
    uint64_t score_of[PLAYOUT_SCORE_MAX + 1]; /* [payoff of player 0]: how many games */
    uint64_t unscored;                        /* games whose payoff is no such whole number */
    /* If the game has kinds of endings: how many games ended that way, by the winner. */
    uint64_t endings[GAME_ENDINGS_MAX][GAME_PLAYERS_MAX];
} PlayoutStats;

typedef struct PlayoutPlan {
    uint64_t games;
    uint64_t seed;
    bool takes_wins; /* a player who can win at once does, and loses at once only if forced */
    /* With solvers, players make the first best move. Each solver plays on a thread of its own. */
    Solver *const *solvers;
    int solver_count;   /* 0: random moves */
    Exchange *exchange; /* the ranks that share the games; each gets the figures; NULL: none */
} PlayoutPlan;

/* Plays games from the start, of uniformly random moves unless the plan says otherwise, on
 * limits->threads threads (at most one per solver). Game i uses stream i of the seed, so the result
 * is the same for any number of threads. The caller frees it. STATUS_STOPPED when limits->stop was
 * set. */
Status playout_run(const Variant *variant, const PlayoutPlan *plan, const SolveLimits *limits,
                   PlayoutStats **stats);

#endif
