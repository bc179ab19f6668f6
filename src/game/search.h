/* Optional part: a game's own search. It looks ahead from a state within a budget and reports what
 * it found. Used by the player `alphabeta`, and by evaluations where no table is at hand. Only for
 * games without chance.
 *
 * Thread safety: a search belongs to one variant and one caller at a time. It may run threads of
 * its own. What it has seen it keeps from call to call.
 */
#ifndef MALPAN_GAME_SEARCH_H
#define MALPAN_GAME_SEARCH_H

#include "game/solver.h"

enum { SEARCH_DEPTH_MAX = 120, SEARCH_LINE_MAX = SEARCH_DEPTH_MAX + 2 };

/* How far to look. A search ends early when it has a proof. */
typedef struct SearchBudget {
    int depth;      /* plies, at most SEARCH_DEPTH_MAX; 0: as many as time allows */
    double seconds; /* 0: no limit */
    int threads;
    bool value_only;      /* no principal variation is needed */
    bool may_look_up;     /* may answer from values stored in the program, which are proven */
    const StopFlag *stop; /* as in SolveLimits */
} SearchBudget;

typedef struct SearchResult {
    double value;       /* to the player to move, as the game's solvers define it */
    bool is_proven;     /* otherwise an estimate */
    const char *source; /* where the value was looked up, in a few words; NULL: it was searched */
    int depth;          /* plies searched completely */
    uint64_t nodes;     /* positions visited */
    double seconds;
    size_t line_length;
    Move line[SEARCH_LINE_MAX]; /* principal variation; its first move is the one to make */
} SearchResult;

typedef struct Search Search;
struct Search {
    /* Looks at least one ply ahead from a state where a player is to move. For a fixed depth
     * without a time limit, value and move do not depend on earlier calls or the number of threads.
     */
    void (*think)(Search *search, const State *state, const SearchBudget *budget,
                  SearchResult *result);
    void (*free)(Search *search);
};

typedef struct GameSearch {
    Status (*open)(const Rules *rules, const SolveLimits *limits, Search **search);
} GameSearch;

#endif
