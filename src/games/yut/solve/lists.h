/* The lists of results that a player can have in hand, as a graph: each list links to the list that
 * is left when a result is played, and to the one it becomes when a result is thrown.
 *
 * A throw continues while results that throw again come up (yut, mo, a dog's geol). These results
 * are called *extra*. The others are called *last*, since a throw ends with one of them. A player
 * gets one last for its throw and one or two more for every catch. Lists have at most `extras_max`
 * extras. If a catch gives one throw, each last beyond the first means that an extra was played for
 * the catch that gave it, so that last counts as an extra. Longer lists are cut off.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_LISTS_H
#define MALPAN_GAMES_YUT_SOLVE_LISTS_H

#include "games/yut/yut.h"

enum { LISTS_EXTRAS_MAX = 40 };

typedef struct ResultList {
    uint8_t counts[YUT_RESULTS];
    uint8_t extras, lasts;
    int32_t without[YUT_RESULTS]; /* the list after the result is played; -1: not in the list */
    int32_t with[YUT_RESULTS];    /* the list after the result is thrown; -1: beyond the limits */
    /* The list that stands for this one when a catch leaves it pending: itself or, if the throws
     * still due would exceed the limits, the same list with fewer extras. */
    int32_t pending;
} ResultList;

typedef struct ResultLists {
    int count;
    ResultList *lists; /* by size, the empty one first */
    double chances[YUT_RESULTS];
    bool is_extra[YUT_RESULTS];
    int extras_max, lasts_max, catch_throws;
} ResultLists;

/* The lists of `player` under the rules, with at most `extras_max` extras and `lasts_max` lasts. A
 * catch gives `catch_throws` throws. */
Status lists_open(const YutRules *rules, int player, int extras_max, int lasts_max,
                  int catch_throws, ResultLists *lists);
/* The chance of each result for `player`, and which of them are extras. */
void lists_find_chances(const YutRules *rules, int player, double chances[YUT_RESULTS],
                        bool is_extra[YUT_RESULTS]);

/* The chance that a throw leaves the mat. */
double lists_nak(const YutRules *rules);

/* The chance that a throw of `player` is an extra. */
double lists_again(const YutRules *rules, int player);

void lists_close(ResultLists *lists);

/* Whether the list stays within the limits after `throws` more throws, each of which adds at least
 * one last. */
bool lists_has_room(const ResultLists *lists, const ResultList *list, int throws);

/* The index of the list with these counts, or -1. */
int lists_find(const ResultLists *lists, const uint8_t counts[YUT_RESULTS]);

#endif
