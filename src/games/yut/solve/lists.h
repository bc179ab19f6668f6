/* The lists of results a player may have to play, as a graph: each list knows which list is left
 * when a result is played, and which it becomes when one is thrown.
 *
 * A throw goes on while results that throw again come up (yut, mo, a dog's geol): call these
 * *extra*, the others *last*, since a throw ends with one of them. A player gets one last for its
 * throw and one or two more for every catch. Lists are kept up to `extras_max` extras. Where a
 * catch gives one throw, each last beyond the first means that an extra was played for the catch
 * that gave it, so it counts as one. What lies beyond is cut off.
 */
#ifndef MALPAN_GAMES_YUT_SOLVE_LISTS_H
#define MALPAN_GAMES_YUT_SOLVE_LISTS_H

#include "games/yut/yut.h"

enum { LISTS_EXTRAS_MAX = 24 };

typedef struct ResultList {
    uint8_t counts[YUT_RESULTS];
    uint8_t extras, lasts;
    int32_t without[YUT_RESULTS]; /* the list after the result is played; -1: it is not in it */
    int32_t with[YUT_RESULTS];    /* the list after the result is thrown; -1: beyond the limits */
    /* The list that stands for this one where a catch leaves it pending: itself, or if there is no
     * room for the throws to come, the same with fewer extras. */
    int32_t pending;
} ResultList;

typedef struct ResultLists {
    int count;
    ResultList *lists; /* the empty one first, then by size: what is left comes before the whole */
    double chances[YUT_RESULTS];
    bool is_extra[YUT_RESULTS];
    int extras_max, lasts_max, catch_throws;
} ResultLists;

/* The lists of `player` under the rules, with at most so many extras and lasts; a catch gives
 * `catch_throws` throws. */
Status lists_open(const YutRules *rules, int player, int extras_max, int lasts_max,
                  int catch_throws, ResultLists *lists);
/* The chance of each result for `player`, and which of them are extras. */
void lists_find_chances(const YutRules *rules, int player, double chances[YUT_RESULTS],
                        bool is_extra[YUT_RESULTS]);

/* The chance that a throw of `player` is an extra. */
double lists_again(const YutRules *rules, int player);

void lists_close(ResultLists *lists);

/* Whether there is room for what so many throws may bring: at least one last each. */
bool lists_has_room(const ResultLists *lists, const ResultList *list, int throws);

/* The number of the list with these counts, or -1. */
int lists_find(const ResultLists *lists, const uint8_t counts[YUT_RESULTS]);

#endif
